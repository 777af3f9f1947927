package fork

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"chainscope/apiclient"
	"chainscope/wallet/atomicfile"
)

// Below is the number of blocks below the tip of its chain at which a fork is made by default: those above may
// still be replaced.
const Below = 10

// Networks.
const (
	Mainnet = "mainnet"
	Testnet = "testnet"
)

// Options of a Source.
type Options struct {
	// Client reads the API. All its requests pass the client's gate.
	Client *apiclient.Client
	// Height is that of the block, nil for Below the tip of the chain.
	Height *int64
	// Cache is a folder that keeps what was read, by network and block; "" for none. It may be used by
	// many processes at once.
	Cache string
	// Offline sends no request: all is in Cache, or it is an error.
	Offline bool
	// Report is given how far the reading is, at most once a second; nil drops it.
	Report func(message string)
	// OnRead is given each request when it was answered or given up; nil drops it.
	OnRead func(Request)
	// Patience bounds how long one value may take, waits for the server's limit included; 0 for 3 min.
	Patience time.Duration
	// Pause is the first wait before a request is sent again that failed otherwise; 0 for 250 ms. It
	// doubles with each.
	Pause time.Duration
}

// Tip is the block from whose state a Source reads.
type Tip struct {
	API             string `json:"api"`
	Network         string `json:"network"` // Mainnet or Testnet
	Height          int64  `json:"height"`
	Hash            string `json:"hash"` // as all hashes here, with 0x
	IndexHash       string `json:"index_block_hash"`
	ParentHash      string `json:"parent_block_hash"`
	ParentIndexHash string `json:"parent_index_block_hash"`
	Time            int64  `json:"block_time"` // Unix seconds
	Tenure          int64  `json:"tenure_height"`
	BurnHeight      int64  `json:"burn_block_height"`
	BurnHash        string `json:"burn_block_hash"`
	BurnTime        int64  `json:"burn_block_time"` // Unix seconds
	ConsensusHash   string `json:"consensus_hash"`
}

// bare is the index block hash as the routes of a node want it.
func (t Tip) bare() string { return strings.TrimPrefix(t.IndexHash, "0x") }

// Source reads the state of a block. It is safe for concurrent use; none of its locks is held while
// something is read.
type Source struct {
	opt    Options
	tip    Tip
	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	names  names

	mu     sync.Mutex
	values map[string]*value // by path
	status counters
}

// TooHighError says that a chain has not reached a height.
type TooHighError struct{ Height, Tip int64 }

func (e *TooHighError) Error() string {
	return fmt.Sprintf("the height %d is beyond the tip of the chain, which is %d", e.Height, e.Tip)
}

// Open finds the block. Its errors are *UnreadError and *TooHighError, or of the folder.
func Open(ctx context.Context, o Options) (*Source, error) {
	o.Patience, o.Pause = cmp.Or(o.Patience, 3*time.Minute), cmp.Or(o.Pause, 250*time.Millisecond)
	if o.Report == nil {
		o.Report = func(string) {}
	}
	if o.OnRead == nil {
		o.OnRead = func(Request) {}
	}
	s := &Source{opt: o, values: map[string]*value{}}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	if kept, ok := s.keptTip(); ok {
		s.tip = kept
		return s, nil
	}
	if o.Offline {
		at := "of " + o.Client.BaseURL()
		if o.Height != nil {
			at = fmt.Sprintf("%d %s", *o.Height, at)
		}
		return nil, &UnreadError{What: "the block " + at, Why: "nothing of it is kept in " + quoted(o.Cache) + ", and no request is to be sent"}
	}
	if err := s.findTip(ctx); err != nil {
		s.cancel()
		return nil, err
	}
	return s, s.keepTip()
}

// Kept returns how many values a folder keeps of the block at a height of the API.
func Kept(cache, api string, height int64) int {
	files, _ := filepath.Glob(filepath.Join(escapeGlob(cache), "*net", "*", tipFile)) // the pattern is right
	for _, file := range files {
		if t, ok := readTip(file); ok && t.Height == height && t.API == api {
			kept, _ := os.ReadDir(filepath.Dir(file))
			return len(kept) - 1
		}
	}
	return 0
}

// Tip returns the block.
func (s *Source) Tip() Tip { return s.tip }

// Offline reports whether no request is sent.
func (s *Source) Offline() bool { return s.opt.Offline }

// Done returns a channel that is closed by Close.
func (s *Source) Done() <-chan struct{} { return s.ctx.Done() }

// Close ends what is being read.
func (s *Source) Close() {
	if s != nil {
		s.cancel()
	}
}

// findTip reads the block from the API.
func (s *Source) findTip(ctx context.Context) error {
	var info struct {
		Network int64 `json:"network_id"`
		Height  int64 `json:"stacks_tip_height"`
	}
	if err := s.first(ctx, "/v2/info", &info); err != nil {
		return err
	}
	height := max(0, info.Height-Below)
	if s.opt.Height != nil {
		height = *s.opt.Height
	}
	if height > info.Height {
		return &TooHighError{height, info.Height}
	}
	tip := Tip{API: s.opt.Client.BaseURL(), Network: Testnet}
	if info.Network == 1 {
		tip.Network = Mainnet
	}
	if err := s.first(ctx, fmt.Sprintf("/extended/v2/blocks/%d", height), &tip); err != nil {
		return err
	}
	var sortitions []struct {
		Consensus string `json:"consensus_hash"`
	}
	if err := s.first(ctx, fmt.Sprintf("/v3/sortitions/burn_height/%d", tip.BurnHeight), &sortitions); err != nil {
		return err
	}
	tip.ConsensusHash = sortitions[0].Consensus
	s.tip = tip
	return nil
}

// first reads something while the tip is not known, and decodes it.
func (s *Source) first(ctx context.Context, path string, into any) error {
	answer, err := s.Read(ctx, path)
	if err == nil && answer.Status != 200 {
		err = &UnreadError{What: s.names.of(path), Why: "the API has no such thing"}
	}
	if err != nil {
		return err
	}
	return json.Unmarshal(answer.Body, into)
}

const tipFile = "tip.json"

// folder returns where the values of the tip are kept, "" for nowhere or while it is not known.
func (s *Source) folder() string {
	if s.opt.Cache == "" || s.tip.IndexHash == "" {
		return ""
	}
	return filepath.Join(s.opt.Cache, s.tip.Network, s.tip.bare())
}

// keptTip finds the block in the folder: the one of the height, or, without requests, the highest
// one. Those of the same API come first.
func (s *Source) keptTip() (best Tip, found bool) {
	if s.opt.Cache == "" || s.opt.Height == nil && !s.opt.Offline {
		return best, false
	}
	files, _ := filepath.Glob(filepath.Join(escapeGlob(s.opt.Cache), "*net", "*", tipFile)) // the pattern is right
	for _, file := range files {
		t, ok := readTip(file)
		if !ok || s.opt.Height != nil && t.Height != *s.opt.Height {
			continue
		}
		same, before := t.API == s.opt.Client.BaseURL(), best.API == s.opt.Client.BaseURL()
		if !same && !s.opt.Offline {
			continue
		}
		if !found || same && !before || same == before && t.Height > best.Height {
			best, found = t, true
		}
	}
	return best, found
}

// readTip reads the file of a block, which is right in its folder alone.
func readTip(file string) (t Tip, ok bool) {
	text, err := os.ReadFile(file)
	return t, err == nil && json.Unmarshal(text, &t) == nil && filepath.Base(filepath.Dir(file)) == t.bare()
}

// escapeGlob returns a path as a pattern that matches it alone.
func escapeGlob(path string) string {
	return strings.NewReplacer(`[`, `[[]`, `*`, `[*]`, `?`, `[?]`).Replace(path)
}

// keepTip writes the block and what was read of it until it was known.
func (s *Source) keepTip() error {
	dir := s.folder()
	if dir == "" {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	s.mu.Lock()
	values := s.values
	s.mu.Unlock()
	for path, v := range values {
		if err := s.keep(path, v.answer); err != nil {
			return err
		}
	}
	text, err := json.MarshalIndent(s.tip, "", "  ")
	if err != nil {
		return err
	}
	return readable(atomicfile.Replace(filepath.Join(dir, tipFile), append(text, '\n'), 0o644))
}

// errDamaged says that a file of the folder is not what was written.
var errDamaged = errors.New("it is damaged")
