package home

import (
	"context"
	"encoding/json"
	"strconv"

	"chainscope/apiclient"
	"chainscope/tui/screen"
	"chainscope/tui/screen/browser"
	"chainscope/wallet/service"

	tea "github.com/charmbracelet/bubbletea"
)

// Slots of requests.
const (
	slotTip      = "newest blocks"
	slotOlder    = "older blocks"
	slotCount    = "blocks of a burn block"
	slotScenario = "scenario"
)

const pageSize = browser.PageSize

// page is a page of the list of recent blocks.
type page struct {
	blocks   []block
	newest   apiclient.Block
	raw      json.RawMessage
	exchange uint64
}

func (s *Screen) read(ctx context.Context, offset int) (page, error) {
	limit := pageSize
	a, err := s.env.Client.Blocks(ctx, apiclient.Page{Limit: &limit, Offset: offset})
	if err != nil {
		return page{}, err
	}
	p := page{exchange: a.ExchangeID, raw: apiclient.Results(a.Raw, 1)[0], blocks: s.shown(a.Value.Results)}
	if len(a.Value.Results) > 0 {
		p.newest = a.Value.Results[0]
	}
	return p, nil
}

// shown takes what is shown of blocks.
func (s *Screen) shown(blocks []apiclient.Block) []block {
	out := make([]block, 0, len(blocks))
	for i := range blocks {
		b := newBlock(&blocks[i], s.limits)
		for _, tx := range blocks[i].Txs {
			if c, ours := s.env.CallOf(tx); ours {
				b.call = c.Key()
				break
			}
		}
		out = append(out, b)
	}
	return out
}

func (s *Screen) requestTip() tea.Cmd {
	return screen.Fetch(s.env, &s.tip, slotTip, s.readTip)
}

func (s *Screen) readTip(ctx context.Context) (page, error) { return s.read(ctx, 0) }

// requestOlder requests the second page, once.
func (s *Screen) requestOlder() tea.Cmd {
	if _, read := s.older.Get(); read || s.older.Busy() || len(s.chain.blocks) < pageSize || s.Waits(slotOlder) {
		return nil
	}
	return screen.Fetch(s.env, &s.older, slotOlder, func(ctx context.Context) (page, error) { return s.read(ctx, pageSize) })
}

// counted is how many Stacks blocks a burn block has.
type counted struct{ height, total int64 }

// requestCount asks how many blocks the oldest burn block has, of which not all are
// loaded. It waits for the older page, which may complete it.
func (s *Screen) requestCount() tea.Cmd {
	if _, read := s.older.Get(); !read || s.count.Busy() || s.count.Err() != nil {
		return nil
	}
	return s.requestCountAgain()
}

// requestCountAgain asks for it also after a failure.
func (s *Screen) requestCountAgain() tea.Cmd {
	height, ok := s.chain.incomplete()
	if !ok {
		return nil
	}
	return screen.Fetch(s.env, &s.count, slotCount, func(ctx context.Context) (counted, error) {
		one := 1
		a, err := s.env.Client.BurnBlockBlocks(ctx, strconv.FormatInt(height, 10), apiclient.Page{Limit: &one})
		return counted{height, a.Value.Total}, err
	})
}

func (s *Screen) askScenario() tea.Cmd {
	if s.opt.Scenario == nil || s.scenario.Busy() {
		return nil
	}
	return screen.Fetch(s.env, &s.scenario, slotScenario, s.opt.Scenario)
}

// walletTiles holds the data of the wallet's tiles.
type walletTiles struct {
	state service.State
	calls []service.Call // the newest first
}

// readMsg says that the wallet was read from disk.
type readMsg struct{}

// askWallet reads what is on disk of the wallet and its calls.
func (s *Screen) askWallet() tea.Cmd {
	w := s.env.Wallet
	if w == nil {
		return nil
	}
	return func() tea.Msg {
		w.Refresh()
		return readMsg{}
	}
}

// shownCalls is how many calls home has room for.
const shownCalls = 6

// takeWallet takes the wallet as it is.
func (s *Screen) takeWallet() {
	if w := s.env.Wallet; w != nil {
		calls := w.Timeline()
		s.wallet = walletTiles{w.State(), calls[:min(len(calls), shownCalls)]}
	}
}
