package apiclient

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
)

// Stretch is a page of a list as a walk reads it.
type Stretch[T any] struct {
	Rows []T
	// Total is the number of rows that the server counts, which may be wrong; 0 where it does not say.
	Total int64
	// Next is the cursor of the page after this one, "" at the end. It does not matter where
	// ByOffset says that pages are found by how many rows are before them.
	Next     string
	ByOffset bool
}

// Walk reads a list from its newest row to its oldest while the list changes: rows come at
// its top, rows leave it, and a reorg puts others in their place. Pages that are found by an
// offset overlap by one row, the anchor: where it is found shows by how much the list moved
// between two pages. Where it is gone, and where a page has a row again that the anchor does
// not explain, the list is read again from its top.
type Walk[T any] struct {
	Op string
	// Size is the number of rows that are requested at a time.
	Size int
	// Read reads the page at a cursor, or at an offset; both name the same page.
	Read func(ctx context.Context, cursor string, offset int64) (Stretch[T], error)
	// ID returns what stays the same of a row, and what changes with a reorg.
	ID func(T) (id, version string)
	// Yield is given each row once, ErrEnough ends the walk. A late one came to the top of the
	// list, or moved there, after the walk had passed.
	Yield func(row T, late bool) error
	// Anew is called before the list is read again, to forget all rows that were given: they
	// are given again. Where it is nil a row is given once however often the list is read.
	Anew func()

	seed    maphash.Seed
	seen    map[uint64]mark
	reading uint8 // from 1
	count   int64 // different rows of this reading
	moved   int64 // rows that were given, and are in another block now
	total   int64
	shifted bool
	last    string
}

// mark holds what is remembered of a row: the reading that met it last, and its version.
type mark struct {
	version uint32
	reading uint8
}

// ErrEnough holds what Yield returns when no more rows are needed.
//
//nolint:errname // it is no failure
var ErrEnough = errors.New("no more rows are needed")

const (
	// maxReadings limits the readings, from its top, of a list that changes.
	maxReadings = 3
	// maxIdle limits how many pages in a row may be empty.
	maxIdle = 3
)

// Run walks the list. What cannot be made whole is an error of the kind ServerFault.
func (w *Walk[T]) Run(ctx context.Context) error {
	w.seed, w.seen = maphash.MakeSeed(), map[uint64]mark{}
	for {
		count, total := w.count, w.total
		w.reading++
		w.count, w.total, w.shifted = 0, 0, false
		whole, err := w.read(ctx)
		if err == nil && whole && (w.shifted || w.total > w.count) {
			err = w.readNewer(ctx)
		}
		switch {
		case errors.Is(err, ErrEnough):
			return w.gone(false)
		case err != nil:
			return err
		case whole && w.total <= w.count && (w.Anew == nil || w.moved == 0):
			return w.gone(true)
		case whole && w.reading > 1 && w.count == count && w.total == total && w.total > count:
			return w.failure("the server counts %d rows and lists %d: %d are missing", w.total, w.count, w.total-w.count)
		case w.reading == maxReadings:
			return w.failure("the list changed each of the %d times that it was read: rows may be missing", maxReadings)
		}
		if w.Anew != nil {
			w.Anew()
			clear(w.seen)
			w.moved = 0
		}
	}
}

func (w *Walk[T]) failure(format string, args ...any) error {
	return &Error{Kind: ServerFault, Op: w.Op, Err: fmt.Errorf(format, args...)}
}

// gone returns the error of rows that were given and are not in the list any more, which only a
// reading to the end shows, or are in another block.
func (w *Walk[T]) gone(toTheEnd bool) error {
	lost := int64(0)
	for _, m := range w.seen {
		if toTheEnd && m.reading != w.reading {
			lost++
		}
	}
	if lost+w.moved == 0 {
		return nil
	}
	return w.failure("a reorg changed the list while it was read: of the rows that were given %d are not in it any more, and %d are in another block; read it again", lost, w.moved)
}

// read reads the list from its top to its end; it reports false where the list has to be
// read again.
func (w *Walk[T]) read(ctx context.Context) (bool, error) {
	var (
		cursor, anchor string
		offset         int64 // of the row after the anchor
		idle           int
		jumped         bool
	)
	for {
		from := int64(0)
		if anchor != "" {
			from = offset - 1
		}
		page, err := w.Read(ctx, cursor, from)
		if err != nil {
			return false, err
		}
		rows, grown := page.Rows, page.Total-w.total
		w.total = page.Total
		if anchor != "" && page.ByOffset {
			at := w.find(rows, anchor)
			switch {
			case at < 0 && grown > 0 && !jumped: // more came than a page has
				jumped, w.shifted = true, true
				offset += grown
				cursor = offsetCursor(offset - 1)
				continue
			case at < 0:
				return false, nil
			}
			w.shifted = w.shifted || at > 0
			offset += int64(at)
			rows = rows[at+1:]
		}
		jumped = false
		for _, row := range rows {
			if again, err := w.emit(row, false); again || err != nil {
				return false, err
			}
		}
		offset += int64(len(rows))
		if len(rows) > 0 {
			anchor, _ = w.ID(rows[len(rows)-1])
			idle = 0
		} else if idle++; idle == maxIdle {
			return false, nil
		}
		short := len(page.Rows) < w.Size
		switch {
		case !page.ByOffset && page.Next == "", page.ByOffset && anchor == "",
			page.ByOffset && short && (len(rows) == 0 || offset == page.Total):
			return true, nil
		case page.ByOffset:
			cursor = offsetCursor(offset - 1)
		default:
			cursor = page.Next
		}
	}
}

// find returns where a row is on a page, -1 for nowhere.
func (w *Walk[T]) find(rows []T, id string) int {
	for i, row := range rows {
		if one, _ := w.ID(row); one == id {
			return i
		}
	}
	return -1
}

// emit passes a row on unless it was passed before. It reports whether this reading has met it.
func (w *Walk[T]) emit(row T, late bool) (again bool, err error) {
	id, version := w.ID(row)
	key, now := maphash.String(w.seed, id), mark{uint32(maphash.String(w.seed, version)), w.reading}
	old, known := w.seen[key]
	if known && old.version != now.version {
		w.moved++
	}
	w.seen[key] = now
	if known && old.reading == w.reading {
		return true, nil
	}
	w.count++
	if !known {
		err = w.Yield(row, late)
	}
	if err == nil && !late {
		w.last = id
	}
	return false, err
}

// Last returns the row below which a walk that failed can continue: all above it were given. It
// is "" where none was, and where the list was being read again.
func (w *Walk[T]) Last() string {
	if w.reading > 1 {
		return ""
	}
	return w.last
}

// readNewer reads what is above the row with which the reading began.
func (w *Walk[T]) readNewer(ctx context.Context) error {
	late := map[string]bool{}
	cursor := ""
	for offset := int64(0); ; {
		page, err := w.Read(ctx, cursor, offset)
		if err != nil {
			return err
		}
		w.total = page.Total
		for _, row := range page.Rows {
			id, _ := w.ID(row)
			if late[id] {
				continue
			}
			if again, err := w.emit(row, true); again || err != nil {
				return err
			}
			late[id] = true
		}
		offset += int64(len(page.Rows))
		if cursor = page.Next; page.ByOffset {
			cursor = offsetCursor(offset)
		}
		if len(page.Rows) == 0 || cursor == "" || len(late) > maxLate {
			return nil
		}
	}
}

// maxLate bounds the rows that are read in the end because they came during a walk.
const maxLate = 10_000

// Stretch returns a page of transactions as a walk reads it.
func (p TransactionPage) Stretch() Stretch[ListedTransaction] {
	return Stretch[ListedTransaction]{p.Results, p.Total, p.Next, p.ByOffset}
}

// Identity returns the id of a transaction, and the block that it is in.
func (t ListedTransaction) Identity() (id, version string) { return t.ID, t.BlockHash }
