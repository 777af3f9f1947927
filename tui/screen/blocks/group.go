package blocks

import (
	"fmt"

	"chainscope/tui/text"
)

// groupTitle names the burn block of the block under the cursor.
func (s *Screen) groupTitle() string {
	if r := s.current(); r != nil {
		return "Burn block " + text.Count(r.BurnBlockHeight)
	}
	return "Burn block"
}

// group lists the loaded blocks that the same burn block confirmed.
func (s *Screen) group(width, height int) []string {
	r, th := s.current(), s.Theme
	if r == nil {
		return nil
	}
	out := []string{th.Strong.Render(s.groupTitle()), th.Muted.Render(text.MiddleWith(r.BurnBlockHash, width, th.Glyphs.Ellipsis)), ""}
	n, txs := 0, 0
	for _, b := range s.chain.group(r) {
		n++
		txs += len(b.Txs)
		if len(out) > height-4 {
			continue
		}
		mark, style := "  ", th.Text
		if b == r {
			mark, style = th.Glyphs.Cursor+" ", th.Strong
		}
		line := mark + style.Render(text.PadLeft(text.Count(b.Height), 10)) + "  " + th.Muted.Render(text.Plural(len(b.Txs), "tx"))
		if b.orphaned {
			line += "  " + th.Bad.Render(th.Glyphs.Cross+" orphaned")
		}
		out = append(out, line)
	}
	words := fmt.Sprintf("%s loaded, %s", text.Plural(n, "block"), text.Plural(txs, "tx"))
	return append(out, "", th.Muted.Render(words))
}
