package blocks

import "chainscope/tui/text"

// transactionsInWords returns "3 txs", or that their number is not known.
func (r *record) transactionsInWords() string {
	if n, known := r.Transactions(); known {
		return text.Plural(int(n), "tx")
	}
	return "? txs"
}

// group lists the loaded blocks that the same burn block confirmed.
func (s *Screen) group(width, height int) []string {
	r, th := s.current(), s.Theme
	if r == nil {
		return nil
	}
	out := []string{th.Strong.Render("Burn block " + text.Count(r.BurnBlockHeight)), th.Muted.Render(text.MiddleWith(r.BurnBlockHash, width, th.Glyphs.Ellipsis)), ""}
	n, txs, allKnown := 0, int64(0), true
	for _, b := range s.chain.group(r) {
		n++
		count, known := b.Transactions()
		txs, allKnown = txs+count, allKnown && known
		if len(out) > height-4 {
			continue
		}
		mark, style := "  ", th.Text
		if b == r {
			mark, style = th.Glyphs.Cursor+" ", th.Strong
		}
		line := mark + style.Render(text.PadLeft(text.Count(b.Height), 10)) + "  " + th.Muted.Render(b.transactionsInWords())
		if b.orphaned {
			line += "  " + th.Bad.Render(th.Glyphs.Cross+" orphaned")
		}
		out = append(out, line)
	}
	words := text.Plural(n, "block") + " loaded"
	if allKnown {
		words += ", " + text.Plural(int(txs), "tx")
	}
	return append(out, "", th.Muted.Render(words))
}
