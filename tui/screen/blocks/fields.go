package blocks

import (
	"maps"
	"slices"
	"strconv"

	"chainscope/tui/chain"
	"chainscope/tui/nav"
	"chainscope/tui/resource"
	"chainscope/tui/screen/browser"
	"chainscope/tui/text"
	"chainscope/tui/widget/detail"

	tea "github.com/charmbracelet/bubbletea"
)

// txsShown bounds how many transactions a detail lists; raw JSON has all.
const txsShown = 500

// fields lists every field of a block.
func (s *Screen) fields(r *chain.Block) []detail.Row {
	rows := s.Details(s.Kind.Fields(r.Listed()))
	for i := range rows {
		if rows[i].Label == "parent" && r.Height > 0 {
			if p := s.chain.At(r.Height - 1); p != nil && p.Hash == r.ParentBlockHash && p.IndexBlockHash != "" {
				rows[i].To = nav.BlockByIndexHash(p.IndexBlockHash).Link()
			}
		}
	}
	browser.OnEnter(rows, "tenure", "show its blocks", func(height string) tea.Cmd {
		s.opened, s.problem = nav.Blocks(), nil
		s.Enter(false)
		return s.Narrow("tenure:" + height)
	})
	if by := s.chain.Replacement(r); by != nil && by.IndexBlockHash != "" && r.Listed().Orphaned {
		replaced := detail.Row{Label: "replaced by", Value: by.Hash, Short: true, To: nav.BlockByIndexHash(by.IndexBlockHash).Link()}
		rows = slices.Insert(rows, 3, replaced)
	}
	last := slices.IndexFunc(rows, func(row detail.Row) bool { return row.Heading && row.Label == resource.OtherFields })
	if last < 0 {
		last = len(rows)
	}
	return slices.Insert(rows, last, append(s.transactions(r), microblocks(r)...)...)
}

// transactions lists the transactions of a block; ours are marked.
func (s *Screen) transactions(r *chain.Block) []detail.Row {
	rows := append(make([]detail.Row, 0, min(len(r.Txs), txsShown)+2), detail.Row{Label: "Transactions " + transactions(r), Heading: true})
	if r.Txs == nil && r.Lacks["txs"] {
		ids := browser.Unreported("ids")
		if !r.Requested && r.Canonical {
			ids.Value = text.Unknown + ": not in the list; enter reads them"
			ids.Action, ids.Do = "read them", func() tea.Cmd { return s.readUnreported(r) }
		}
		return append(rows, ids)
	}
	for i, tx := range r.Txs {
		if i == txsShown {
			return append(rows, detail.Row{Label: "", Value: text.Plural(len(r.Txs)-txsShown, "more transaction") + " in the raw JSON", Role: detail.Muted})
		}
		row := detail.Row{Label: strconv.Itoa(len(r.Txs) - i), Value: tx, Short: true}
		if call, ok := s.calls(tx); ok {
			row.Note = "yours: " + call.Method
		}
		if id, err := nav.ParseHash(tx); err == nil {
			row.To, row.Action = nav.Transaction(id).Link(), "open the transaction"
		}
		rows = append(rows, row)
	}
	return rows
}

// Describe returns what the detail shows: the block under the cursor.
func (s *Screen) Describe() (string, []detail.Row) {
	r := s.current()
	if r == nil {
		return "", nil
	}
	return r.ID(), s.fields(r)
}

// microblocks returns the fields of the era before Nakamoto.
func microblocks(r *chain.Block) []detail.Row {
	title := "Microblocks"
	switch {
	case !hasMicroblocks(r) && !r.Lacks["microblocks_accepted"]:
		return nil
	case hasMicroblocks(r) && !r.Whole:
		title += " of the list; these may be wrong"
	}
	rows := []detail.Row{{Label: title, Heading: true}}
	if r.Lacks["microblocks_accepted"] {
		return append(rows, browser.Unreported("microblocks"))
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

// transactions returns the number of the block's transactions, and a question
// mark where the route that answered does not say it.
func transactions(r *chain.Block) string {
	if n, known := r.Transactions(); known {
		return text.Count(n)
	}
	return "?"
}

// hasMicroblocks reports whether the block is of the era of microblocks.
func hasMicroblocks(r *chain.Block) bool {
	return r.ParentMicroblockHash != "" || len(r.MicroblocksAccepted)+len(r.MicroblocksStreamed) > 0
}
