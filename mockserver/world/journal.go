package world

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"chainscope/mockserver/chain"
	"chainscope/wallet/atomicfile"
)

// maxJournal bounds a state file, in bytes.
const maxJournal = 16 << 20

// Entry is one line of a state file after the first: one thing that was done.
type Entry struct {
	At   time.Time       `json:"at"` // the chain's clock, before
	Do   Command         `json:"do"`
	With json.RawMessage `json:"with,omitempty"`
	// Ahead is the time by which the chain's clock has been ahead of the wall clock since, where nothing
	// else says it.
	Ahead string `json:"ahead,omitempty"`
}

// Journal keeps what is done to a world in a state file, or in memory alone. A nil Journal
// keeps nothing.
type Journal struct {
	path   string // "" for no file
	header []byte
	lines  [][]byte // without the header
	begin  int      // how many of the lines a reset leaves
	size   int      // of the file, in bytes
	// whole is set while the file holds header and lines and nothing else, so that a
	// line can be appended to it.
	whole bool
}

// ErrStateFile is in every error of a state file that cannot be written.
var ErrStateFile = errors.New("the state file")

// newJournal returns a journal that has its header only. Nothing is written yet.
func newJournal(path string, header Header) (*Journal, error) {
	header.Version = stateVersion
	text, err := json.Marshal(header)
	return &Journal{path: path, header: append(text, '\n'), begin: header.Begin}, err
}

// makeSpace returns an error if nothing more can be kept.
func (j *Journal) makeSpace() error {
	if j != nil && j.size >= maxJournal {
		return fmt.Errorf("%w has %d bytes, its limit; reset the mock or revert to a snapshot", ErrStateFile, j.size)
	}
	return nil
}

func (j *Journal) length() int {
	if j == nil {
		return 0
	}
	return len(j.lines)
}

// note appends what is about to be done. If it fails, the journal is as before.
func (j *Journal) note(clock chain.Clock, at int64, do Command, with any) error {
	if j == nil {
		return nil
	}
	line, err := encodeEntry(clock, at, do, with)
	if err != nil {
		return err
	}
	if j.path == "" {
		j.lines = append(j.lines, line)
		return nil
	}
	if !j.whole {
		return j.write(append(j.lines[:len(j.lines):len(j.lines)], line))
	}
	f, err := os.OpenFile(j.path, os.O_APPEND|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.Write(line)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		// A part of the line may be in the file.
		j.whole = os.Truncate(j.path, int64(j.size)) == nil
		return unwritten(err)
	}
	j.lines = append(j.lines, line)
	j.size += len(line)
	return nil
}

func encodeEntry(clock chain.Clock, at int64, do Command, with any) ([]byte, error) {
	body, err := json.Marshal(with)
	if err != nil {
		return nil, err
	}
	e := Entry{At: time.UnixMilli(at).UTC(), Do: do, With: body}
	if do == MoveClock && !clock.Frozen {
		e.Ahead = (time.Duration(clock.Ahead) * time.Millisecond).String()
	}
	line, err := json.Marshal(e)
	return append(line, '\n'), err
}

// after returns what was done after the first n entries.
func (j *Journal) after(n int) [][]byte {
	if j == nil {
		return nil
	}
	return slices.Clone(j.lines[min(n, len(j.lines)):])
}

// replace puts entries after the first n, in place of what is there, which a reset may
// not take away. The clock shows something else since. If it fails, the journal is as
// before.
func (j *Journal) replace(n int, lines [][]byte, clock chain.Clock, at int64) error {
	if j == nil {
		return nil
	}
	n = max(j.begin, min(n, len(j.lines)))
	lines = append(j.lines[:n:n], lines...)
	if len(lines) > j.begin && !clock.Frozen {
		line, err := encodeEntry(clock, at, MoveClock, clockBody{})
		if err != nil {
			return err
		}
		lines = append(lines, line)
	}
	return j.write(lines)
}

// write replaces the file.
func (j *Journal) write(lines [][]byte) error {
	if j.path == "" {
		j.lines = lines
		return nil
	}
	text := slices.Concat(append([][]byte{j.header}, lines...)...)
	if err := atomicfile.Replace(j.path, text, 0o600); err != nil {
		return unwritten(err)
	}
	j.lines, j.size, j.whole = lines, len(text), true
	return nil
}

// remove deletes the file.
func (j *Journal) remove() {
	if j != nil && j.path != "" {
		_ = os.Remove(j.path)
	}
}

func unwritten(err error) error {
	return fmt.Errorf("%w cannot be written, so nothing was done: %w", ErrStateFile, err)
}
