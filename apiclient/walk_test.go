package apiclient

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
)

// shifting is a list, the newest row first, that changes before each page but the first.
type shifting struct {
	rows     []shiftingRow
	next     int
	byOffset bool
	total    func(int) int64
	change   func(page int, l *shifting)
	pages    int
}

type shiftingRow struct{ id, block string }

func (l *shifting) add(n int) {
	for range n {
		l.next++
		l.rows = slices.Insert(l.rows, 0, shiftingRow{strconv.Itoa(l.next), "a"})
	}
}

func (l *shifting) read(_ context.Context, size int, cursor string, offset int64) (Stretch[shiftingRow], error) {
	if l.pages++; l.pages > 1 && l.change != nil {
		l.change(l.pages, l)
	}
	if l.pages > 500 {
		return Stretch[shiftingRow]{}, errors.New("the walk has no end")
	}
	from := int(offset)
	if !l.byOffset {
		from = 0
		if cursor != "" { // the next row in order where that of the cursor is gone
			at, _ := strconv.Atoi(cursor)
			from = slices.IndexFunc(l.rows, func(r shiftingRow) bool { n, _ := strconv.Atoi(r.id); return n <= at })
			if from < 0 {
				from = len(l.rows)
			}
		}
	}
	from = min(from, len(l.rows))
	page := Stretch[shiftingRow]{Rows: slices.Clone(l.rows[from:min(from+size, len(l.rows))]), Total: int64(len(l.rows)), ByOffset: l.byOffset}
	if end := from + size; !l.byOffset && end < len(l.rows) {
		page.Next = l.rows[end].id
	}
	if l.total != nil {
		page.Total = l.total(len(l.rows))
	}
	return page, nil
}

// walk returns what a walk gives; together forgets it where the list is read again.
func (l *shifting) walk(t *testing.T, size int, together bool) (given []shiftingRow, err error) {
	t.Helper()
	w := Walk[shiftingRow]{
		Op: "rows", Size: size, ID: func(r shiftingRow) (string, string) { return r.id, r.block },
		Read: func(ctx context.Context, cursor string, offset int64) (Stretch[shiftingRow], error) {
			return l.read(ctx, size, cursor, offset)
		},
		Yield: func(r shiftingRow, _ bool) error { given = append(given, r); return nil },
	}
	if together {
		w.Anew = func() { given = nil }
	}
	return given, errors.Join(w.Run(t.Context()))
}

// Whatever happens to the list between two pages, no row is given twice, and without an error
// none is missing that was there all the time, and none given that is not there in the end.
func TestWalkLosesAndDoublesNoRow(t *testing.T) {
	whole := 0
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		l := &shifting{byOffset: r.IntN(3) > 0}
		l.add(r.IntN(60))
		changes := r.IntN(4)
		l.change = func(_ int, l *shifting) {
			if changes--; changes < 0 || len(l.rows) == 0 {
				return
			}
			switch at := r.IntN(len(l.rows)); r.IntN(4) {
			case 0:
				l.add(1 + r.IntN(25))
			case 1: // a row leaves
				l.rows = slices.Delete(l.rows, at, at+1)
			case 2: // a row moves to another block at the top
				moved := l.rows[at]
				moved.block += "b"
				if l.byOffset {
					l.rows = slices.Insert(slices.Delete(l.rows, at, at+1), 0, moved)
				}
			case 3: // the newest are replaced by others
				n := min(1+r.IntN(5), len(l.rows))
				l.rows = l.rows[n:]
				l.add(n)
			}
		}
		always := slices.Clone(l.rows)
		together := r.IntN(2) == 0
		given, err := l.walk(t, 10, together)
		ids := map[string]bool{}
		for _, row := range given {
			if ids[row.id] {
				t.Fatalf("seed %d: row %s was given twice", seed, row.id)
			}
			ids[row.id] = true
		}
		if err != nil {
			if KindOf(err) != ServerFault {
				t.Fatalf("seed %d: %v", seed, err)
			}
			continue
		}
		whole++
		for _, row := range always {
			if slices.Contains(l.rows, row) && !ids[row.id] {
				t.Fatalf("seed %d: row %s is missing", seed, row.id)
			}
		}
	}
	if whole < 2000 {
		t.Errorf("only %d of 3000 walks came to an end", whole)
	}
}

// An anchor that is further down than it was has rows above it that came: the walk goes on
// below it, without a second reading.
func TestWalkGoesOnBelowRowsThatCame(t *testing.T) {
	l := &shifting{byOffset: true, change: func(page int, l *shifting) {
		if page == 2 {
			l.add(3)
		}
	}}
	l.add(120)
	given, err := l.walk(t, 50, false)
	if err != nil || len(given) != 123 {
		t.Fatalf("%d rows, %v", len(given), err)
	}
	if l.pages > 5 {
		t.Errorf("%d pages were read", l.pages)
	}
}

func TestWalkSurvivesATotalThatIsWrong(t *testing.T) {
	for name, total := range map[string]func(int) int64{
		"0": func(int) int64 { return 0 }, "too small": func(n int) int64 { return int64(min(n, 20)) }, "one too small": func(n int) int64 { return int64(n) - 1 },
	} {
		for _, n := range []int{0, 1, 19, 20, 21, 40, 77} {
			l := &shifting{byOffset: true, total: total}
			l.add(n)
			if given, err := l.walk(t, 20, false); err != nil || len(given) != n {
				t.Errorf("total %s of %d: %d rows, %v", name, n, len(given), err)
			}
		}
	}
	l := &shifting{byOffset: true, total: func(n int) int64 { return int64(n) + 2 }}
	l.add(77)
	if given, err := l.walk(t, 20, true); len(given) != 77 || KindOf(err) != ServerFault {
		t.Errorf("%d rows, %v: two are counted that are not listed", len(given), err)
	}
}

// A server that ignores the offset is left after a while.
func TestWalkLeavesAServerThatRepeatsAPage(t *testing.T) {
	l := &shifting{byOffset: true}
	l.add(120)
	pages := 0
	var given []string
	w := Walk[shiftingRow]{
		Op: "rows", Size: 50, ID: func(r shiftingRow) (string, string) { return r.id, r.block },
		Read: func(ctx context.Context, _ string, _ int64) (Stretch[shiftingRow], error) {
			if pages++; pages > 30 {
				return Stretch[shiftingRow]{}, errors.New("read for ever")
			}
			return l.read(ctx, 50, "", 0)
		},
		Yield: func(r shiftingRow, _ bool) error { given = append(given, r.id); return nil },
	}
	if err := w.Run(t.Context()); KindOf(err) != ServerFault || len(given) != 50 {
		t.Errorf("%d rows, %v", len(given), err)
	}
}

// A reorg that removes rows which were given is an error; what is kept to the end is the
// list as it is then.
func TestWalkSaysThatRowsWereTakenBack(t *testing.T) {
	for _, together := range []bool{false, true} {
		l := &shifting{byOffset: true, change: func(page int, l *shifting) {
			if page == 2 {
				l.rows = l.rows[15:]
				l.add(2)
			}
		}}
		l.add(60)
		given, err := l.walk(t, 20, together)
		if together && (err != nil || fmt.Sprint(given) != fmt.Sprint(l.rows)) {
			t.Errorf("%v, %v", given, err)
		}
		if !together && KindOf(err) != ServerFault {
			t.Errorf("15 rows that were given are gone: %v", err)
		}
	}
}
