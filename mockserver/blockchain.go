package mockserver

import (
	"errors"
	"sync"
	"time"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/fault"
	"chainscope/mockserver/ledger"
	"chainscope/mockserver/names"
)

// The pace of the mock unless another is asked for: about that of the real
// chain.
const (
	defaultBlockInterval = 10 * time.Second
	defaultBurnInterval  = 10 * time.Minute
)

// blockchain is what answers endpoints 3 to 7 and the routes of a node: the
// chain with its clock, the accounts with the mempool, and the names. It is safe
// for concurrent use.
type blockchain struct {
	live     *chain.Live
	ledger   *ledger.Ledger
	names    *names.Catalogue
	scenario func() fault.Scenario
	buffers  sync.Pool // *[]byte
}

// newBlockchain makes the chain of a Config. Errors are *ConfigError.
func newBlockchain(cfg Config, scenario func() fault.Scenario) (*blockchain, error) {
	c, err := chain.New(chainParams(cfg))
	if err != nil {
		var bad *chain.ParamError
		if errors.As(err, &bad) && bad.Param == "block interval" {
			return nil, badFlag("--block-interval", "%s", bad.Problem)
		} else if bad != nil {
			return nil, badFlag("--burn-interval", "%s", bad.Problem)
		}
		return nil, err
	}
	live, err := chain.NewLive(c, chain.Options{Now: cfg.Now, Freeze: cfg.Freeze})
	if err != nil {
		return nil, badFlag("--freeze", "%v", err)
	}
	count := cfg.Names
	if count == 0 {
		count = names.DefaultCount
	}
	catalogue, err := names.New(cfg.Seed, int64(count))
	if err != nil {
		return nil, badFlag("--names", "%v", err)
	}
	return &blockchain{live: live, ledger: ledger.New(carrier{live}), names: catalogue, scenario: scenario, buffers: sync.Pool{New: func() any {
		buf := make([]byte, 0, 1<<16)
		return &buf
	}}}, nil
}

// chainParams fills in the intervals that were not given; where only one was,
// the other makes room for it.
func chainParams(cfg Config) chain.Params {
	p := chain.Params{Seed: cfg.Seed, BlockInterval: cfg.BlockInterval, BurnInterval: cfg.BurnInterval}
	if p.BlockInterval == 0 {
		p.BlockInterval = defaultBlockInterval
		if p.BurnInterval > 0 {
			p.BlockInterval = max(chain.MinBlockInterval, min(p.BlockInterval, (p.BurnInterval/2).Truncate(time.Millisecond)))
		}
	}
	if p.BurnInterval == 0 {
		p.BurnInterval = max(defaultBurnInterval, 2*p.BlockInterval)
	}
	return p
}

// view is the chain now: every request takes one and answers all through it.
func (b *blockchain) view() chain.View {
	if b.scenario() == fault.Reorg {
		return b.live.View(chain.RateReorg)
	}
	return b.live.View(chain.RateHealthy)
}

// Tip gives the heights of the newest Stacks block and of its burn block.
func (b *blockchain) Tip() (height, burnHeight int64) {
	v := b.view()
	return v.Tip(), v.TipBurnHeight()
}

// Mine moves this process's clock on by so many block intervals.
func (b *blockchain) Mine(blocks int64) error {
	_, err := b.live.Mine(blocks)
	return err
}

// Reset forgets what was mined and broadcast.
func (b *blockchain) Reset() { b.ledger.Reset(b.live.Reset) }

// carrier is the chain as the ledger sees it.
type carrier struct{ *chain.Live }

// Tip is the newest height and the instant of the chain's clock.
func (c carrier) Tip() (height, nowMS int64) {
	v := c.View(chain.RateHealthy)
	return v.Tip(), v.NowMS()
}

// Landmarks are heights worth looking at, newest first.
func (b *blockchain) Landmarks() []Landmark {
	v := b.view()
	var all []Landmark
	for _, l := range v.Landmarks() {
		all = append(all, Landmark{l.Height, l.BurnHeight, l.What})
	}
	return all
}

// Namespaces lists the namespaces with their number of anchored names.
func (b *blockchain) Namespaces() []Namespace {
	var all []Namespace
	for _, n := range b.names.All() {
		all = append(all, Namespace{n.Name(), n.Count(false)})
	}
	return all
}

// tipCached sets the validator of the routes of the chain: the index block hash
// of the tip, which changes with everything they answer.
func (x *exchange) tipCached(v *chain.View) bool {
	var tag [68]byte
	return x.cached(string(v.AppendTipTag(tag[:0])))
}

// built answers 200 with a body that write appends.
func (b *blockchain) built(x *exchange, write func(dst []byte) []byte) {
	buf := b.buffers.Get().(*[]byte)
	body := write((*buf)[:0])
	x.json(200, body)
	*buf = body
	b.buffers.Put(buf)
}
