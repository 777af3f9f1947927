package burnblocks

import (
	"strconv"

	"chainscope/tui/nav"
	"chainscope/tui/screen"
	"chainscope/tui/screen/browser"
	"chainscope/tui/text"
	"chainscope/tui/widget/detail"

	tea "github.com/charmbracelet/bubbletea"
)

// fields lists every field of a block of a listing.
func (s *Screen) fields(b *block) []detail.Row {
	state, hash := browser.Canonical(s.Theme, b.Canonical)
	parent := detail.Row{Label: "parent", Value: b.ParentBlockHash, Short: true}
	if b.Height > 0 {
		parent.To = browser.Link(nav.BlockAtHeight(b.Height - 1))
	}
	rows := []detail.Row{
		{Label: "Block " + text.Count(b.Height), Heading: true},
		state,
		{Label: "height", Value: text.Count(b.Height), Copy: strconv.FormatInt(b.Height, 10), To: browser.Link(nav.BlockAtHeight(b.Height)), Note: "in the list of blocks"},
		{Label: "hash", Value: b.Hash, Role: hash, Short: true},
		{Label: "index hash", Value: b.IndexBlockHash, Role: hash, Short: true},
		browser.Told(parent, "parent_block_hash", b.Lacks),
		browser.Told(detail.Row{Label: "parent index", Value: b.ParentIndexBlockHash, Short: true}, "parent_index_block_hash", b.Lacks),
		browser.Moment(s.env, "time", b.BlockTime, b.BlockTimeISO),
		browser.Tenure(b.TenureHeight, func(filter string) tea.Cmd {
			s.Enter(false)
			return s.Narrow(filter)
		}),
		browser.Number("transactions", b.TxCount),
	}
	rows = append(rows, browser.BurnBlock(s.env, b.BurnBlockHeight, b.BurnBlockHash, b.BurnBlockTime, b.BurnBlockTimeISO)...)
	rows = append(rows, browser.Told(detail.Row{Label: "miner tx", Value: b.MinerTxID, Short: true}, "miner_txid", b.Lacks))
	rows = append(rows, browser.Costs(s.Theme, s.limits, b.ExecutionCost, b.Lacks)...)
	return append(rows, browser.Extra(b.Extra)...)
}

// summary lists what is known of a burn block, and its Stacks blocks as links.
func summary(l listing, before *listing, env *screen.Env) []detail.Row {
	rows := []detail.Row{
		{Label: "Burn block " + text.Count(l.height), Heading: true},
		{Label: "height", Value: text.Count(l.height), Copy: strconv.FormatInt(l.height, 10), To: browser.Link(nav.BurnBlockAtHeight(l.height))},
	}
	if l.empty {
		return append(rows, detail.Row{Label: "blocks", Value: "no Stacks block in this burn block", Role: detail.Muted})
	}
	rows = append(rows,
		detail.Row{Label: "hash", Value: l.hash, Short: true, To: browser.Link(nav.BurnBlockAtHash(l.hash))},
		browser.Moment(env, "time", l.time.Unix(), text.UTC(l.time)),
	)
	if before != nil && !before.empty && !before.time.After(l.time) {
		rows = append(rows, detail.Row{Label: "interval", Value: text.Duration(l.time.Sub(before.time)), Note: "since previous burn block"})
	}
	loaded := ""
	if l.more() {
		loaded = "in the " + text.Plural(len(l.blocks), "loaded block")
	}
	rows = append(rows,
		browser.Number("blocks", l.total),
		detail.Row{Label: "transactions", Value: text.Count(l.transactions()), Role: detail.Number, Note: loaded},
	)
	for _, t := range l.tenures() {
		rows = append(rows, browser.Number("tenure", t))
	}
	rows = append(rows, detail.Row{Label: "Stacks blocks", Heading: true})
	for i := range l.blocks {
		b := &l.blocks[i]
		rows = append(rows, detail.Row{Label: text.Count(b.Height), Value: b.Hash, Short: true, To: browser.Link(nav.BlockAtHeight(b.Height)), Note: text.Plural(int(b.TxCount), "tx")})
	}
	return rows
}
