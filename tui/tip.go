package tui

import (
	"cmp"
	"context"
	"slices"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/chain"
	"chainscope/tui/remote"
	"chainscope/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// tipWatch watches the newest blocks for the places that do not read them: what such a place
// shows is read again when a block has come, and a chain that was replaced is noticed
// wherever one is.
type tipWatch struct {
	value remote.Value[[]*chain.Block]
	known map[int64]*chain.Block // the newest, by height
	read  time.Time              // when it was last read or pushed
}

// fewBlocks is the number of blocks that the watch reads: more than come between two readings.
const fewBlocks = 10

// maxTips limits how many of the newest blocks are compared with what comes.
const maxTips = 60

// poll reads the newest blocks, when nobody waits for more than the server's limit allows.
func (w *tipWatch) poll(env *screen.Env) tea.Cmd {
	if w.value.Busy() {
		return nil
	}
	return screen.FetchAhead(env, &w.value, func(ctx context.Context) ([]*chain.Block, error) {
		p, err := chain.Read(ctx, env.Client, 0, fewBlocks)
		return p.Blocks, err
	})
}

// compare returns what a page of the newest blocks, the highest first, or a single pushed block
// changes of the chain that was known.
func (w *tipWatch) compare(blocks []*chain.Block, height int64, mayGoBack bool) (notice screen.ChainChanged, changed bool) {
	c := chain.Compare(blocks, height, mayGoBack, func(h int64) *chain.Block { return w.known[h] })
	return screen.ChainChanged{From: c.From, Burn: w.at(c.From - 1).BurnBlockHeight, Newest: blocks[0].IndexBlockHash}, c.Changed
}

// at returns the block that is known at a height, an empty one for none.
func (w *tipWatch) at(height int64) *chain.Block { return cmp.Or(w.known[height], &chain.Block{}) }

// store puts blocks in place of those that were known, none of which is above them.
func (w *tipWatch) store(blocks []*chain.Block) {
	if w.known == nil {
		w.known = map[int64]*chain.Block{}
	}
	newest := blocks[0].Height
	for _, b := range blocks {
		w.known[b.Height] = &chain.Block{Block: b.Block}
		w.known[b.Height].Txs = nil
	}
	for h := range w.known {
		if h > newest || h <= newest-maxTips {
			delete(w.known, h)
		}
	}
}

// reach keeps the newest blocks, the first of which is the tip from now on.
func (w *tipWatch) reach(env *screen.Env, blocks []*chain.Block, now time.Time) {
	w.store(blocks)
	w.read = now
	env.Tip.Reach(blocks[0].Height, now)
}

// forget forgets the blocks from a height on.
func (w *tipWatch) forget(from int64) {
	for h := range w.known {
		if h >= from {
			delete(w.known, h)
		}
	}
}

// tipLoaded stores the newest blocks of the chain, wherever they were read. The place on screen
// and the wallet then look at what may be another by now.
func (m *Model) tipLoaded(blocks []*chain.Block) tea.Cmd {
	blocks = slices.DeleteFunc(slices.Clone(blocks), func(b *chain.Block) bool { return b.IndexBlockHash == "" })
	if len(blocks) == 0 {
		return nil
	}
	notice, changed := m.tip.compare(blocks, m.env.Tip.Height, m.env.MayGoBack())
	if !changed && blocks[0].Height < m.env.Tip.Height {
		return nil // of a server that lags behind
	}
	grew := m.env.Tip.Outdates(m.options.Now()) || blocks[0].Height > m.env.Tip.Height
	var cmd tea.Cmd
	if changed {
		cmd = m.chainChanged(notice)
	} else if grew {
		cmd = blockArrived(m)
	}
	m.tip.reach(m.env, blocks, m.options.Now())
	if m.live.on && (changed || grew) && !m.currentScreen().Status().ReadsTip {
		cmd = tea.Batch(cmd, m.currentScreen().Live())
	}
	return cmd
}

// blockArrived lets the wallet look at its calls, and at what is being approved: a block may have decided it.
func blockArrived(m *Model) tea.Cmd {
	return tea.Batch(m.env.LoadCalls(), m.prompt.foreseeAgain(m.options.Context, m.options.Now()))
}

// blockPushed adds a pushed block. One that does not follow on the block before it, as that
// was known, or that is not above the newest, says that the chain was replaced or rolled back.
func (m *Model) blockPushed(b *apiclient.Block) tea.Cmd {
	if !b.Canonical {
		return nil
	}
	from, back := int64(-1), b.Height <= m.env.Tip.Height
	same := m.tip.at(b.Height).IndexBlockHash == b.IndexBlockHash
	before := m.tip.at(b.Height - 1)
	switch {
	case same && (b.Height == m.env.Tip.Height || !m.env.MayGoBack()):
		return nil // it was read before it was pushed
	case back:
		from = b.Height
	case before.Hash != "" && b.ParentBlockHash != "" && before.Hash != b.ParentBlockHash:
		from = b.Height - 1
	}
	cmd := blockArrived(m)
	if from >= 0 {
		cmd = m.chainChanged(screen.ChainChanged{From: from, Burn: m.tip.at(from - 1).BurnBlockHeight, Newest: b.IndexBlockHash})
	}
	if back {
		cmd = tea.Batch(cmd, m.currentScreen().Refresh())
	}
	m.tip.reach(m.env, []*chain.Block{{Block: *b}}, m.options.Now())
	return cmd
}

// tipAnswered takes the answer of the watch.
func (m *Model) tipAnswered(msg screen.Fetched[[]*chain.Block]) tea.Cmd {
	if !m.tip.value.Settle(msg.Key, msg.Value, msg.Err, msg.At) || msg.Err != nil {
		return nil
	}
	return m.tipLoaded(msg.Value)
}

// requestLive lets the place on screen request what is new, and the watch for the newest block
// unless the place reads it.
func (m *Model) requestLive(now time.Time) tea.Cmd {
	s := m.currentScreen()
	st := s.Status()
	if st.ReadsTip || st.Still || st.Again.After(now) || now.Sub(m.tip.read) < m.live.poll/2 {
		return s.Live()
	}
	return tea.Batch(s.Live(), m.tip.poll(m.env))
}
