package burnblocks

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"chainscope/tui/nav"
	"chainscope/tui/screen"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/cost"
	"chainscope/tui/widget/detail"
)

// tenureLabel is the label of the field that filters the list when followed.
const tenureLabel = "tenure"

func link(p nav.Place) *nav.Place { return &p }

// fields lists every field of a block of a listing.
func fields(b *block, limits cost.Limits, env *screen.Env, th *theme.Theme, now time.Time) []detail.Row {
	state := detail.Row{Label: "state", Value: th.Glyphs.Check + " canonical", Role: detail.OK}
	hash := detail.Text
	if !b.Canonical {
		state = detail.Row{Label: "state", Value: th.Glyphs.Cross + " orphaned", Role: detail.Bad, Note: "another block stands at this height"}
		hash = detail.Struck
	}
	parent := detail.Row{Label: "parent", Value: b.ParentBlockHash, Short: true}
	parentIndex := detail.Row{Label: "parent index", Value: b.ParentIndexBlockHash, Short: true}
	if b.Height > 0 {
		parent.To = link(nav.BlockAtHeight(b.Height - 1))
	}
	rows := []detail.Row{
		{Label: "Block " + text.Count(b.Height), Heading: true},
		state,
		{Label: "height", Value: text.Count(b.Height), Copy: strconv.FormatInt(b.Height, 10), To: link(nav.BlockAtHeight(b.Height)), Note: "in the list of blocks"},
		{Label: "hash", Value: b.Hash, Role: hash, Short: true},
		{Label: "index hash", Value: b.IndexBlockHash, Role: hash, Short: true},
		parent,
		parentIndex,
		moment("time", b.BlockTime, b.BlockTimeISO, env, now),
		tenure(b),
		{Label: "transactions", Value: text.Count(b.TxCount), Role: detail.Number, Copy: strconv.FormatInt(b.TxCount, 10)},
		{Label: "burn block", Value: text.Count(b.BurnBlockHeight), Copy: strconv.FormatInt(b.BurnBlockHeight, 10), To: link(nav.BurnBlockAtHeight(b.BurnBlockHeight))},
		{Label: "burn hash", Value: b.BurnBlockHash, Short: true, To: link(nav.BurnBlockAtHash(b.BurnBlockHash))},
		moment("burn time", b.BurnBlockTime, b.BurnBlockTimeISO, env, now),
		{Label: "miner tx", Value: b.MinerTxID, Short: true},
		{Label: "Execution cost (share of " + limits.Name + ")", Heading: true},
	}
	for _, d := range limits.Of(b.ExecutionCost) {
		rows = append(rows, detail.Row{Label: d.Name, Draw: func(width int) []string { return []string{cost.Gauge(d, width, th)} }})
	}
	if len(b.Extra) > 0 {
		rows = append(rows, detail.Row{Label: "Fields that the API does not name", Heading: true})
		for _, name := range slices.Sorted(maps.Keys(b.Extra)) {
			rows = append(rows, detail.Row{Label: name, Value: string(b.Extra[name])})
		}
	}
	return rows
}

// moment is a point in time: as the user reads times, with the server's own
// text to copy.
func moment(label string, seconds int64, iso string, env *screen.Env, now time.Time) detail.Row {
	if seconds == 0 && iso == "" {
		return detail.Row{Label: label, Value: text.Unknown, Role: detail.Muted}
	}
	return detail.Row{Label: label, Value: env.Times.Long(now, time.Unix(seconds, 0)), Copy: iso}
}

func tenure(b *block) detail.Row {
	if b.TenureHeight == nil {
		return detail.Row{Label: tenureLabel, Value: text.Unknown, Role: detail.Muted}
	}
	n := strconv.FormatInt(*b.TenureHeight, 10)
	return detail.Row{Label: tenureLabel, Value: text.Count(*b.TenureHeight), Copy: n, Role: detail.Number, Note: "enter: its blocks"}
}

// summary lists what is known of a burn block, and its Stacks blocks as links.
func summary(l listing, before *listing, env *screen.Env, now time.Time) []detail.Row {
	rows := []detail.Row{
		{Label: "Burn block " + text.Count(l.height), Heading: true},
		{Label: "height", Value: text.Count(l.height), Copy: strconv.FormatInt(l.height, 10), To: link(nav.BurnBlockAtHeight(l.height))},
	}
	if l.empty {
		return append(rows, detail.Row{Label: "blocks", Value: "no Stacks block in this burn block", Role: detail.Muted})
	}
	rows = append(rows,
		detail.Row{Label: "hash", Value: l.hash, Short: true, To: link(nav.BurnBlockAtHash(l.hash))},
		detail.Row{Label: "time", Value: env.Times.Long(now, l.time), Copy: text.UTC(l.time)},
	)
	if before != nil && !before.empty && !before.time.After(l.time) {
		rows = append(rows, detail.Row{Label: "interval", Value: text.Duration(l.time.Sub(before.time)), Note: "since the burn block before"})
	}
	loaded := ""
	if l.more() {
		loaded = "in the " + text.Plural(len(l.blocks), "block") + " that are loaded"
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
		rows = append(rows, detail.Row{Label: text.Count(b.Height), Value: b.Hash, Short: true, To: link(nav.BlockAtHeight(b.Height)), Note: text.Plural(int(b.TxCount), "tx")})
	}
	return rows
}
