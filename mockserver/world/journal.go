package world

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/google/renameio/v2/maybe"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/contracts"
	"chainscope/wallet/clarity"
)

// maxJournal bounds a state file, in bytes.
const maxJournal = 16 << 20

// stateVersion is the version of the state file that is written and read.
const stateVersion = 1

// Header is the first line of a state file: what chain the journal belongs to.
type Header struct {
	Version       int        `json:"chainscope_mock_state"`
	Seed          string     `json:"seed"` // decimal
	BlockInterval string     `json:"block_interval"`
	BurnInterval  string     `json:"burn_interval"`
	Names         int        `json:"names"`
	Freeze        *time.Time `json:"freeze,omitempty"`
}

// Entry is a further line of a state file: one thing that was done.
type Entry struct {
	At   time.Time       `json:"at"` // the chain's clock, before
	Do   string          `json:"do"`
	With json.RawMessage `json:"with,omitempty"`
	// Ahead is by how much the chain's clock is ahead of the wall clock since,
	// where nothing else says it.
	Ahead string `json:"ahead,omitempty"`
}

// The values of Entry.Do, named after the routes of the control interface.
const (
	doBroadcast = "broadcast"
	doMine      = "mine"
	doClock     = "clock"
	doReorg     = "reorg"
	doAccounts  = "accounts"
	doContracts = "contracts"
	doSnapshot  = "snapshot"
)

// The values of Entry.With.
type (
	broadcastBody struct {
		Tx    string `json:"tx"`              // hexadecimal
		Mined bool   `json:"mined,omitempty"` // a block was mined for it
	}
	mineBody struct {
		Blocks int64 `json:"blocks"`
	}
	reorgBody struct {
		Depth int64 `json:"depth"`
	}
	nameBody struct {
		Name string `json:"name"`
	}
	clockBody struct {
		Advance string `json:"advance,omitempty"`
		Set     string `json:"set,omitempty"`
		Freeze  *bool  `json:"freeze,omitempty"`
	}
	accountBody struct {
		Address string  `json:"address"`
		Balance *uint64 `json:"balance,omitempty"`
		Nonce   *uint64 `json:"nonce,omitempty"`
	}
)

// Journal keeps what is done to a world in a state file. A nil Journal keeps
// nothing.
type Journal struct {
	path   string
	lines  [][]byte // without the header
	header []byte
	size   int
	failed error // why nothing more is written
}

// ErrStateFile is in every error of a state file that cannot be written.
var ErrStateFile = errors.New("the state file")

// room returns an error if nothing more can be kept.
func (j *Journal) room() error {
	if j == nil {
		return nil
	}
	if j.failed != nil {
		return j.failed
	}
	if j.size >= maxJournal {
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

// note appends what was done.
func (j *Journal) note(clock chain.Clock, at int64, do string, with any) error {
	if j == nil {
		return nil
	}
	line, err := encodeEntry(clock, at, do, with)
	if err != nil {
		return err
	}
	j.lines = append(j.lines, line)
	j.size += len(line)
	f, err := os.OpenFile(j.path, os.O_APPEND|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.Write(line)
		err = errors.Join(err, f.Close())
	}
	return j.wrote(err)
}

func encodeEntry(clock chain.Clock, at int64, do string, with any) ([]byte, error) {
	body, err := json.Marshal(with)
	if err != nil {
		return nil, err
	}
	e := Entry{At: time.UnixMilli(at).UTC(), Do: do, With: body}
	if do == doClock && !clock.Frozen {
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

// restore puts entries after the first n, in place of what is there.
func (j *Journal) restore(n int, lines [][]byte, clock chain.Clock, at int64) error {
	if j == nil {
		return nil
	}
	n = min(n, len(j.lines))
	j.lines = append(j.lines[:n:n], lines...)
	return j.cut(len(j.lines), clock, at)
}

// cut forgets what was done after the first n entries. The clock shows something
// else since.
func (j *Journal) cut(n int, clock chain.Clock, at int64) error {
	if j == nil {
		return nil
	}
	j.lines = j.lines[:min(n, len(j.lines)):min(n, len(j.lines))]
	if n > 0 && !clock.Frozen {
		line, err := encodeEntry(clock, at, doClock, clockBody{})
		if err != nil {
			return err
		}
		j.lines = append(j.lines, line)
	}
	return j.write()
}

// write replaces the file.
func (j *Journal) write() error {
	text := append([]byte(nil), j.header...)
	for _, line := range j.lines {
		text = append(text, line...)
	}
	j.size, j.failed = len(text), nil
	return j.wrote(maybe.WriteFile(j.path, text, 0o600))
}

func (j *Journal) wrote(err error) error {
	if err != nil {
		j.failed = fmt.Errorf("%w cannot be written, and nothing more is done: %w", ErrStateFile, err)
	}
	return j.failed
}

// StateFile is a state file that was read.
type StateFile struct {
	Header  Header
	Entries []Entry
	torn    bool // the last line was not written to its end
}

// ReadStateFile reads a state file; nil if there is none.
func ReadStateFile(path string) (*StateFile, error) {
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil //nolint:nilnil // no file is no error, and there is nothing to return
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is no regular file")
	}
	if info.Size() > 2*maxJournal {
		return nil, fmt.Errorf("it has %d bytes; a state file has at most %d", info.Size(), maxJournal)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return parseStateFile(data)
}

// parseStateFile reads the text of a state file. Errors name the line.
func parseStateFile(data []byte) (*StateFile, error) {
	lines := bytes.SplitAfter(data, []byte("\n"))
	s := &StateFile{}
	if err := strict(lines[0], &s.Header); err != nil {
		return nil, fmt.Errorf(`line 1 is no header of a state file such as {"chainscope_mock_state":1,"seed":"1",…}: %w`, err)
	}
	if s.Header.Version != stateVersion {
		return nil, fmt.Errorf("line 1: version %d; this chainscope reads version %d", s.Header.Version, stateVersion)
	}
	for i, line := range lines[1:] {
		if len(line) == 0 {
			break
		}
		var e Entry
		if err := strict(line, &e); err != nil {
			if line[len(line)-1] != '\n' {
				s.torn = true
				break
			}
			return nil, fmt.Errorf("line %d: %w", i+2, err)
		}
		s.Entries = append(s.Entries, e)
	}
	return s, nil
}

func strict(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("more than one JSON value")
	}
	return nil
}

// Keep does again what a state file says, if there is one, and writes from then
// on to it what is done to the world. Nothing else may use w yet.
func (w *World) Keep(path string, header Header, file *StateFile) error {
	header.Version = stateVersion
	text, err := json.Marshal(header)
	if err != nil {
		return err
	}
	j := &Journal{path: path, header: append(text, '\n')}
	if file == nil {
		w.journal = j
		return j.write()
	}
	for i, e := range file.Entries {
		if err := w.replay(e, j); err != nil {
			return fmt.Errorf("line %d: %s: %w", i+2, e.Do, err)
		}
	}
	w.journal = j
	w.wall.Store(0)
	j.size = len(j.header)
	for _, line := range j.lines {
		j.size += len(line)
	}
	w.catchUp(file.Entries)
	if file.torn {
		return j.write()
	}
	return nil
}

// catchUp keeps a running clock from falling behind what was done: the wall clock of
// this machine may be behind that of another.
func (w *World) catchUp(done []Entry) {
	if len(done) == 0 || w.now.clock.Frozen {
		return
	}
	last, wall := done[len(done)-1].At.UnixMilli(), w.wallMS()
	if w.now.clock.Instant(wall) < last {
		next := *w.now
		next.clock = next.clock.Moved(last, wall)
		w.now = &next
	}
}

// replay does one thing again, at the instant at which it was done.
func (w *World) replay(e Entry, j *Journal) error {
	if c := w.now.clock; !c.Frozen {
		w.wall.Store(0)
		w.replayed = e.At.UnixMilli() - c.Ahead
		defer func() { w.replayed = 0 }()
	}
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	j.lines = append(j.lines, append(line, '\n'))
	if err := w.do(e); err != nil {
		return err
	}
	if e.Do == doSnapshot {
		w.snapshots[len(w.snapshots)-1].mark = len(j.lines)
	}
	if e.Ahead == "" {
		return nil
	}
	ahead, err := time.ParseDuration(e.Ahead)
	if err != nil {
		return err
	}
	next := *w.now
	next.clock = chain.Clock{Ahead: ahead.Milliseconds()}
	w.now = &next
	return nil
}

func (w *World) do(e Entry) (err error) {
	switch e.Do {
	case doBroadcast:
		var b broadcastBody
		if err := strict(e.With, &b); err != nil {
			return err
		}
		raw, err := hex.DecodeString(b.Tx)
		if err != nil {
			return err
		}
		if _, rejection := w.submit(raw, b.Mined); rejection != nil {
			return rejection
		}
	case doMine:
		var b mineBody
		if err = strict(e.With, &b); err == nil {
			_, err = w.Mine(b.Blocks)
		}
	case doClock:
		err = w.doClock(e.With)
	case doReorg:
		var b reorgBody
		if err = strict(e.With, &b); err == nil {
			_, err = w.Reorg(b.Depth)
		}
	case doAccounts:
		var b accountBody
		if err = strict(e.With, &b); err != nil {
			return err
		}
		principal, err := clarity.ParsePrincipal(b.Address)
		if err != nil {
			return err
		}
		_, err = w.SetAccount(principal, b.Balance, b.Nonce)
		return err
	case doContracts:
		var entry contracts.Entry
		if entry, err = contracts.ParseJSON(e.With); err == nil {
			_, err = w.AddContract(entry)
		}
	case doSnapshot:
		var b nameBody
		if err = strict(e.With, &b); err == nil {
			_, _, err = w.Snapshot(b.Name)
		}
	default:
		return errors.New("what to do is unknown; it is one of broadcast, mine, clock, reorg, accounts, contracts and snapshot")
	}
	return err
}

func (w *World) doClock(with []byte) error {
	var b clockBody
	err := strict(with, &b)
	switch {
	case err != nil:
	case b.Freeze != nil:
		_, err = w.FreezeClock(*b.Freeze)
	case b.Set != "":
		var to time.Time
		if to, err = time.Parse(time.RFC3339Nano, b.Set); err == nil {
			_, err = w.SetClock(to)
		}
	case b.Advance != "":
		var d time.Duration
		if d, err = time.ParseDuration(b.Advance); err == nil {
			_, err = w.Advance(d)
		}
	}
	return err
}

// NewHeader describes a chain.
func NewHeader(p chain.Params, names int, freeze *time.Time) Header {
	return Header{stateVersion, strconv.FormatUint(p.Seed, 10), p.BlockInterval.String(), p.BurnInterval.String(), names, freeze}
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
	return p, nil
}
