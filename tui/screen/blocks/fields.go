package blocks

import (
	"maps"
	"slices"
	"strconv"

	"chainscope/tui/nav"
	"chainscope/tui/screen/browser"
	"chainscope/tui/text"
	"chainscope/tui/widget/detail"

	tea "github.com/charmbracelet/bubbletea"
)

// txsShown bounds how many transactions a detail lists; raw JSON has all.
const txsShown = 500

// fields lists every field of a block.
func (s *Screen) fields(r *record) []detail.Row {
	state, hash := browser.Canonical(s.Theme, r.Canonical && !r.orphaned)
	rows := []detail.Row{{Label: "Block " + text.Count(r.Height), Heading: true}, state}
	if by := s.chain.replacement(r); by != nil && by.IndexBlockHash != "" && hash == detail.Struck {
		rows = append(rows, detail.Row{Label: "replaced by", Value: by.Hash, Short: true, To: browser.Link(nav.BlockByIndexHash(by.IndexBlockHash))})
	}
	rows = append(rows,
		browser.Number("height", r.Height),
		detail.Row{Label: "hash", Value: r.Hash, Role: hash, Short: true},
		detail.Row{Label: "index hash", Value: r.IndexBlockHash, Role: hash, Short: true},
		browser.Told(s.parent(r), "parent_block_hash", r.Lacks),
		browser.Moment(s.env, "time", r.BlockTime, r.BlockTimeISO),
		browser.Tenure(r.TenureHeight, func(filter string) tea.Cmd {
			s.opened, s.problem = nav.Blocks(), nil
			s.Enter(false)
			return s.Narrow(filter)
		}),
	)
	rows = append(rows, browser.BurnBlock(s.env, r.BurnBlockHeight, r.BurnBlockHash, r.BurnBlockTime, r.BurnBlockTimeISO)...)
	rows = append(rows, browser.Told(detail.Row{Label: "miner tx", Value: r.MinerTxID, Short: true}, "miner_txid", r.Lacks))
	rows = append(rows, browser.Costs(s.Theme, s.limits, r.ExecutionCost, r.Lacks)...)
	rows = append(rows, s.transactions(r)...)
	rows = append(rows, microblocks(r)...)
	return append(rows, browser.Extra(r.Extra)...)
}

func (s *Screen) parent(r *record) detail.Row {
	row := detail.Row{Label: "parent", Value: r.ParentBlockHash, Short: true}
	if r.Height > 0 {
		row.To = browser.Link(nav.BlockAtHeight(r.Height - 1))
		if p := s.chain.at[r.Height-1]; p != nil && p.Hash == r.ParentBlockHash && p.IndexBlockHash != "" {
			row.To = browser.Link(nav.BlockByIndexHash(p.IndexBlockHash))
		}
	}
	return row
}

// transactions lists the transactions of a block; ours lead to their call.
func (s *Screen) transactions(r *record) []detail.Row {
	rows := []detail.Row{{Label: "Transactions " + r.transactions(), Heading: true}}
	if r.Txs == nil && r.Lacks["txs"] {
		ids := browser.Untold("ids")
		if !r.single && !r.orphaned {
			ids.Value = text.Unknown + ": not in the list; enter reads them"
			ids.Does, ids.Do = "read them", func() tea.Cmd { return s.readUntold(r) }
		}
		return append(rows, ids)
	}
	for i, tx := range r.Txs {
		if i == txsShown {
			return append(rows, detail.Row{Label: "", Value: text.Plural(len(r.Txs)-txsShown, "more transaction") + " in the raw JSON", Role: detail.Muted})
		}
		row := detail.Row{Label: strconv.Itoa(len(r.Txs) - i), Value: tx, Short: true}
		if call, ok := s.calls(tx); ok {
			row.Note, row.To, row.Does = "yours: "+call.Method, browser.Link(nav.WalletCall(call.Key())), "open your call"
		} else if s.env.Web != "" {
			row.URL = s.env.Web + "/txid/" + tx + s.env.WebQuery
		}
		rows = append(rows, row)
	}
	return rows
}

// describe returns what the detail shows: the block under the cursor.
func (s *Screen) describe() (string, []detail.Row) {
	r := s.current()
	if r == nil {
		return "", nil
	}
	return r.id(), s.fields(r)
}

// microblocks are the fields of the era before Nakamoto.
func microblocks(r *record) []detail.Row {
	title := "Microblocks"
	if r.hasMicroblocks() && !r.complete {
		title += " of the list; these may be wrong"
	}
	rows := []detail.Row{{Label: title, Heading: true}}
	if r.Lacks["microblocks_accepted"] {
		return append(rows, browser.Untold("microblocks"))
	}
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
				row.Note = text.Plural(int(n), "tx")
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
			rows = append(rows, detail.Row{Label: "counted", Value: h, Short: true, Note: text.Plural(int(r.MicroblockTxCount[h]), "tx")})
		}
	}
	return rows
}
