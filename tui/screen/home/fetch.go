package home

import (
	"context"
	"strconv"

	"chainscope/apiclient"
	"chainscope/tui/chain"
	"chainscope/tui/screen"
	"chainscope/tui/widget/chart"
	"chainscope/wallet/service"

	tea "github.com/charmbracelet/bubbletea"
)

const pageSize = chain.PageSize

// join takes a page of the newest blocks, or of older ones, and says how the chain has changed.
func (s *Screen) join(p chain.Page) chain.Change {
	change := s.chain.join(p, s.env.MayGoBack(), s.env.Now())
	s.chain.blocks = nil
	for _, of := range s.chain.Loaded() {
		b := block{Block: of, txs: chart.Gap(), orphaned: !of.Canonical}
		if n, known := of.Transactions(); known {
			b.txs = float64(n)
		}
		for _, tx := range of.Txs {
			if c, ours := s.env.CallOf(tx); ours {
				b.call = c.Key()
				break
			}
		}
		s.chain.blocks = append(s.chain.blocks, b)
	}
	s.chain.group()
	s.pace = s.paceNow()
	return change
}

func (s *Screen) requestTip() tea.Cmd {
	return screen.Fetch(s.env, &s.tip, s.readTip)
}

func (s *Screen) readTip(ctx context.Context) (chain.Page, error) {
	return chain.Read(ctx, s.env.Client, 0, pageSize)
}

// requestOlder requests the second page, once.
func (s *Screen) requestOlder() tea.Cmd {
	if _, read := s.older.Get(); read || s.older.Busy() || len(s.chain.blocks) < pageSize || s.Waits(&s.older) {
		return nil
	}
	return screen.Fetch(s.env, &s.older, func(ctx context.Context) (chain.Page, error) {
		return chain.Read(ctx, s.env.Client, pageSize, pageSize)
	})
}

// counted is the number of Stacks blocks that a burn block has.
type counted struct{ height, total int64 }

// requestCount requests how many blocks the oldest burn block has, of which not all are
// loaded. It waits for the older page, which may complete it.
func (s *Screen) requestCount() tea.Cmd {
	if _, read := s.older.Get(); !read || s.count.Busy() || s.count.Err() != nil {
		return nil
	}
	return s.requestCountAgain()
}

// requestCountAgain requests it also after a failure.
func (s *Screen) requestCountAgain() tea.Cmd {
	height, ok := s.chain.incomplete()
	if !ok {
		return nil
	}
	return screen.Fetch(s.env, &s.count, func(ctx context.Context) (counted, error) {
		a, err := s.env.Client.BurnBlockBlocks(ctx, strconv.FormatInt(height, 10), apiclient.Page{Limit: 1})
		return counted{height, a.Value.Total}, err
	})
}

func (s *Screen) loadScenario() tea.Cmd {
	if s.opt.Scenario == nil || s.scenario.Busy() {
		return nil
	}
	return screen.Fetch(s.env, &s.scenario, s.opt.Scenario)
}

// walletTiles holds the data of the wallet's tiles.
type walletTiles struct {
	state service.State
	calls []service.Call // the newest first
}

// readMsg says that the wallet was read from disk.
type readMsg struct{}

// loadWallet reads what is on disk of the wallet and its calls.
func (s *Screen) loadWallet() tea.Cmd {
	w := s.env.Wallet
	if w == nil {
		return nil
	}
	return func() tea.Msg {
		w.Refresh()
		return readMsg{}
	}
}

// shownCalls is the number of calls that home has room for.
const shownCalls = 6

// walletChanged reads the state of the wallet.
func (s *Screen) walletChanged() {
	if w := s.env.Wallet; w != nil {
		calls := w.Timeline()
		s.wallet = walletTiles{w.State(), calls[:min(len(calls), shownCalls)]}
	}
}
