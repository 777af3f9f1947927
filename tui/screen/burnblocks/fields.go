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
	env, glyphs := s.env, s.Theme.Glyphs
	state := detail.Row{Label: "state", Value: glyphs.Check + " canonical", Role: detail.OK}
	hash := detail.Text
	if !b.Canonical {
		state = detail.Row{Label: "state", Value: glyphs.Cross + " orphaned", Role: detail.Bad, Note: "another block stands at this height"}
		hash = detail.Struck
	}
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
		parent,
		{Label: "parent index", Value: b.ParentIndexBlockHash, Short: true},
		browser.Moment(env, "time", b.BlockTime, b.BlockTimeISO),
		s.tenure(b),
		{Label: "transactions", Value: text.Count(b.TxCount), Role: detail.Number, Copy: strconv.FormatInt(b.TxCount, 10)},
		{Label: "burn block", Value: text.Count(b.BurnBlockHeight), Copy: strconv.FormatInt(b.BurnBlockHeight, 10), To: browser.Link(nav.BurnBlockAtHeight(b.BurnBlockHeight))},
		{Label: "burn hash", Value: b.BurnBlockHash, Short: true, To: browser.Link(nav.BurnBlockAtHash(b.BurnBlockHash))},
		browser.Moment(env, "burn time", b.BurnBlockTime, b.BurnBlockTimeISO),
		{Label: "miner tx", Value: b.MinerTxID, Short: true},
	}
	rows = append(rows, browser.Costs(s.Theme, s.limits, b.ExecutionCost)...)
	return append(rows, browser.Extra(b.Extra)...)
}

// tenure is the row of a tenure; enter shows only its blocks.
func (s *Screen) tenure(b *block) detail.Row {
	if b.TenureHeight == nil {
		return detail.Row{Label: "tenure", Value: text.Unknown, Role: detail.Muted}
	}
	n := strconv.FormatInt(*b.TenureHeight, 10)
	return detail.Row{
		Label: "tenure", Value: text.Count(*b.TenureHeight), Copy: n, Role: detail.Number, Does: "show its blocks",
		Do: func() tea.Cmd {
			s.Enter(false)
			return s.Narrow("tenure:" + n)
		},
	}
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
		detail.Row{Label: "blocks", Value: text.Count(l.total), Role: detail.Number, Copy: strconv.FormatInt(l.total, 10)},
		detail.Row{Label: "transactions", Value: text.Count(l.transactions()), Role: detail.Number, Note: loaded},
	)
	for _, t := range l.tenures() {
		rows = append(rows, detail.Row{Label: "tenure", Value: text.Count(t), Role: detail.Number, Copy: strconv.FormatInt(t, 10)})
	}
	rows = append(rows, detail.Row{Label: "Stacks blocks", Heading: true})
	for i := range l.blocks {
		b := &l.blocks[i]
		rows = append(rows, detail.Row{Label: text.Count(b.Height), Value: b.Hash, Short: true, To: browser.Link(nav.BlockAtHeight(b.Height)), Note: text.Plural(int(b.TxCount), "tx")})
	}
	return rows
}
