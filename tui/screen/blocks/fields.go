package blocks

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

// txsShown bounds how many transactions a detail lists; raw JSON has all.
const txsShown = 500

// tenureLabel is the label of the field that filters the list when followed.
const tenureLabel = "tenure"

// fields lists every field of a block. parent is the parent when it is loaded.
func fields(r *record, parent *record, limits cost.Limits, env *screen.Env, th *theme.Theme, now time.Time) []detail.Row {
	link := func(p nav.Place) *nav.Place { return &p }
	state := detail.Row{Label: "state", Value: th.Glyphs.Check + " canonical", Role: detail.OK}
	if r.orphaned || !r.Canonical {
		state = detail.Row{Label: "state", Value: th.Glyphs.Cross + " orphaned", Role: detail.Bad, Note: "another block stands at this height"}
	}
	hash := detail.Text
	if r.orphaned {
		hash = detail.Struck
	}
	up := nav.BlockAtHeight(r.Height - 1)
	if parent != nil && parent.Hash == r.ParentBlockHash && parent.IndexBlockHash != "" {
		up = nav.BlockByIndexHash(parent.IndexBlockHash)
	}
	parentRow := detail.Row{Label: "parent", Value: r.ParentBlockHash, Short: true}
	if r.Height > 0 {
		parentRow.To = &up
	}
	rows := []detail.Row{
		{Label: "Block " + text.Count(r.Height), Heading: true},
		state,
		{Label: "height", Value: text.Count(r.Height), Role: detail.Number, Copy: strconv.FormatInt(r.Height, 10)},
		{Label: "hash", Value: r.Hash, Role: hash, Short: true},
		{Label: "index hash", Value: r.IndexBlockHash, Role: hash, Short: true},
		parentRow,
		moment("time", r.BlockTime, r.BlockTimeISO, env, now),
		tenure(r),
		{Label: "burn block", Value: text.Count(r.BurnBlockHeight), Copy: strconv.FormatInt(r.BurnBlockHeight, 10), To: link(nav.BurnBlockAtHeight(r.BurnBlockHeight))},
		{Label: "burn hash", Value: r.BurnBlockHash, Short: true, To: link(nav.BurnBlockAtHash(r.BurnBlockHash))},
		moment("burn time", r.BurnBlockTime, r.BurnBlockTimeISO, env, now),
		{Label: "miner tx", Value: r.MinerTxID, Short: true},
		{Label: "Execution cost (share of " + limits.Name + ")", Heading: true},
	}
	for _, c := range limits.Of(r.ExecutionCost) {
		rows = append(rows, detail.Row{Label: c.Name, Draw: func(width int) []string { return []string{cost.Gauge(c, width, th)} }})
	}
	rows = append(rows, detail.Row{Label: "Transactions " + text.Count(len(r.Txs)), Heading: true})
	for i, tx := range r.Txs {
		if i == txsShown {
			rows = append(rows, detail.Row{Label: "", Value: text.Plural(len(r.Txs)-txsShown, "more transaction") + " in the raw JSON", Role: detail.Muted})
			break
		}
		row := detail.Row{Label: strconv.Itoa(len(r.Txs) - i), Value: tx, Short: true}
		if env.Web != "" {
			row.URL = env.Web + "/txid/" + tx + env.WebQuery
		}
		rows = append(rows, row)
	}
	rows = append(rows, microblocks(r)...)
	return append(rows, extra(r)...)
}

// moment is a point in time: as the user reads times, with the server's own
// text to copy.
func moment(label string, unix int64, iso string, env *screen.Env, now time.Time) detail.Row {
	if unix == 0 && iso == "" {
		return detail.Row{Label: label, Value: text.Unknown, Role: detail.Muted}
	}
	return detail.Row{Label: label, Value: env.Times.Long(now, time.Unix(unix, 0)), Copy: iso}
}

func tenure(r *record) detail.Row {
	if r.TenureHeight == nil {
		return detail.Row{Label: tenureLabel, Value: text.Unknown, Role: detail.Muted}
	}
	n := strconv.FormatInt(*r.TenureHeight, 10)
	return detail.Row{Label: tenureLabel, Value: text.Count(*r.TenureHeight), Copy: n, Role: detail.Number, Note: "enter: its blocks"}
}

// microblocks are the fields of the era before Nakamoto.
func microblocks(r *record) []detail.Row {
	rows := []detail.Row{{Label: "Microblocks", Heading: true}}
	if r.ParentMicroblockHash == "" {
		rows = append(rows, detail.Row{Label: "parent", Value: "none", Role: detail.Muted, Note: "sequence " + strconv.FormatInt(r.ParentMicroblockSequence, 10)})
	} else {
		rows = append(rows, detail.Row{Label: "parent", Value: r.ParentMicroblockHash, Short: true, Note: "sequence " + strconv.FormatInt(r.ParentMicroblockSequence, 10)})
	}
	for _, part := range []struct {
		label  string
		hashes []string
	}{{"accepted", r.MicroblocksAccepted}, {"streamed", r.MicroblocksStreamed}} {
		if len(part.hashes) == 0 {
			rows = append(rows, detail.Row{Label: part.label, Value: "none", Role: detail.Muted})
		}
		for _, h := range part.hashes {
			row := detail.Row{Label: part.label, Value: h, Short: true}
			if n, ok := r.MicroblockTxCount[h]; ok {
				row.Note = text.Count(n) + " txs"
			}
			rows = append(rows, row)
		}
	}
	named := map[string]bool{}
	for _, h := range slices.Concat(r.MicroblocksAccepted, r.MicroblocksStreamed) {
		named[h] = true
	}
	for _, h := range slices.Sorted(maps.Keys(r.MicroblockTxCount)) {
		if !named[h] {
			rows = append(rows, detail.Row{Label: "counted", Value: h, Short: true, Note: text.Count(r.MicroblockTxCount[h]) + " txs"})
		}
	}
	return rows
}

// extra are the fields that the API's description does not know.
func extra(r *record) []detail.Row {
	if len(r.Extra) == 0 {
		return nil
	}
	rows := []detail.Row{{Label: "Other fields", Heading: true}}
	for _, name := range slices.Sorted(maps.Keys(r.Extra)) {
		rows = append(rows, detail.Row{Label: name, Value: string(r.Extra[name])})
	}
	return rows
}
