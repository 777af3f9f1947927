package world

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/gofrs/flock"

	"chainscope/mockserver/chain"
	"chainscope/wallet/document"
)

// stateVersion is the version of the state file that is written and read.
const stateVersion = 2

// Header is the first line of a state file: what chain the journal belongs to. Version 1
// was that of chains with lower burn heights, in epoch 3.3; they cannot be played any more.
type Header struct {
	Version       int        `json:"chainscope_mock_state"`
	Seed          string     `json:"seed"` // decimal
	BlockInterval string     `json:"block_interval"`
	BurnInterval  string     `json:"burn_interval"`
	Names         int        `json:"names"`
	Epoch         string     `json:"epoch"`
	Freeze        *time.Time `json:"freeze,omitempty"`
	// Born is the time when a young chain began, RFC 3339; "" for one with a past.
	Born string `json:"born,omitempty"`
	// Fork is the block of a live chain that the chain continues, the zero value for none.
	Fork ForkedAt `json:"fork,omitzero"`
	// Begin is with how many of the entries a named world began: those of the
	// server itself. A reset leaves them.
	Begin int `json:"begin,omitempty"`
}

// ForkedAt is the block of a live chain at which a chain is forked.
type ForkedAt struct {
	Network   string `json:"network"`
	Height    int64  `json:"height"`
	IndexHash string `json:"index_block_hash"`
}

// StateFile is a state file that was read. Until Close no other process can open it.
type StateFile struct {
	Header  Header
	Entries []Entry
	// New is set if there was no file, or an empty one.
	New bool

	path string
	cut  bool // the last line was not written to its end and is left out
	torn bool // the file does not end with a newline
	lock *flock.Flock
}

// OpenStateFile takes a state file for this process and reads it.
func OpenStateFile(path string) (*StateFile, error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real // two names of a file have one lock
	}
	if err := checkStateFile(path); err != nil {
		return nil, err
	}
	lock, err := own(path)
	if err != nil {
		return nil, err
	}
	s, err := readStateFile(path)
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	s.lock = lock
	return s, nil
}

// Close lets another process open the file. s may be nil.
func (s *StateFile) Close() error {
	if s == nil {
		return nil
	}
	return s.lock.Close()
}

// Cut reports whether the last line was not written to its end, as where a mock was
// killed or the disk was full. What it would have said is lost.
func (s *StateFile) Cut() bool { return s.cut }

// checkStateFile returns an error if there is something that is no state file.
func checkStateFile(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return errors.New("it is no regular file")
	case info.Size() > 2*maxJournal:
		return fmt.Errorf("it has %d bytes; a state file has at most %d", info.Size(), maxJournal)
	}
	return nil
}

func readStateFile(path string) (*StateFile, error) {
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	s := &StateFile{path: path, New: len(bytes.TrimSpace(data)) == 0}
	if s.New {
		return s, nil
	}
	return s, s.parse(data)
}

// parse reads the text of a state file. Errors name the line.
func (s *StateFile) parse(data []byte) error {
	lines := bytes.SplitAfter(data, []byte("\n"))
	if err := document.JSON(lines[0], &s.Header); err != nil {
		return fmt.Errorf(`line 1 is no header of a state file such as {"chainscope_mock_state":2,"seed":"1",…}: %w`, err)
	}
	switch s.Header.Version {
	case stateVersion:
	case 1:
		return errors.New("line 1: it holds a chain of before, with other burn heights and in epoch 3.3, which this chainscope cannot play; name another file")
	default:
		return fmt.Errorf("line 1: version %d; this chainscope reads version %d", s.Header.Version, stateVersion)
	}
	s.torn = len(lines[len(lines)-1]) > 0
	for i, line := range lines[1:] {
		if len(line) == 0 {
			break
		}
		var e Entry
		if err := document.JSON(line, &e); err != nil {
			if s.cut = s.torn && i == len(lines)-2; s.cut {
				break
			}
			return fmt.Errorf("line %d: %w", i+2, err)
		}
		s.Entries = append(s.Entries, e)
	}
	if begin := s.Header.Begin; begin < 0 || begin > len(s.Entries) {
		return fmt.Errorf("line 1: begin %d; there are %d lines after it", begin, len(s.Entries))
	}
	return nil
}

// NewHeader describes a chain.
func NewHeader(p chain.Params, names int, freeze *time.Time, epoch string) Header {
	h := Header{
		Version: stateVersion, Seed: strconv.FormatUint(p.Seed, 10), BlockInterval: p.BlockInterval.String(), BurnInterval: p.BurnInterval.String(),
		Names: names, Freeze: freeze, Epoch: epoch,
	}
	if p.Born != 0 {
		h.Born = time.UnixMilli(p.Born).UTC().Format(time.RFC3339)
	}
	return h
}

// sameChain reports whether two headers describe one chain.
func (h Header) sameChain(other Header) bool {
	if h.Freeze != nil && other.Freeze != nil && h.Freeze.Equal(*other.Freeze) {
		h.Freeze = other.Freeze
	}
	h.Version, h.Begin = other.Version, other.Begin
	return h == other
}

// Params returns the chain that the header describes.
func (h Header) Params() (p chain.Params, err error) {
	if p.Seed, err = strconv.ParseUint(h.Seed, 10, 64); err != nil {
		return p, fmt.Errorf("line 1: seed %q is no number", h.Seed)
	}
	if p.BlockInterval, err = time.ParseDuration(h.BlockInterval); err != nil {
		return p, fmt.Errorf("line 1: block_interval: %w", err)
	}
	if p.BurnInterval, err = time.ParseDuration(h.BurnInterval); err != nil {
		return p, fmt.Errorf("line 1: burn_interval: %w", err)
	}
	if h.Born != "" {
		born, err := time.Parse(time.RFC3339, h.Born)
		if err != nil {
			return p, fmt.Errorf("line 1: born: %w", err)
		}
		p.Born = born.UnixMilli()
	}
	return p, nil
}
