package blocks

import (
	"fmt"

	"chainscope/tui/text"
	"chainscope/tui/theme"
)

// contextPane is what the third column of a wide window shows.
type contextPane int

const (
	contextBurn contextPane = iota // the blocks of the same burn block
	contextJSON                    // the raw JSON
	contextNone
	contextPanes
)

// contextLines draws the third column.
func (s *Screen) contextLines(width int) []string {
	r := s.current()
	th := s.theme
	hint := th.Muted.Render("  " + s.env.Keys.Global.Context.Help().Key + " " + s.env.Keys.Global.Context.Help().Desc)
	if r == nil {
		return []string{th.Strong.Render("Nothing to show") + hint}
	}
	var out []string
	if s.context == contextJSON {
		out = append([]string{th.Strong.Render("Raw JSON") + hint}, s.json.View()...)
	} else {
		out = append([]string{th.Strong.Render("Burn block "+text.Count(r.BurnBlockHeight)) + hint}, s.siblings(r, width, th)...)
	}
	for i := range out {
		out[i] = text.Clip(out[i], width)
	}
	return out
}

// siblings lists the loaded blocks that the same burn block confirmed.
func (s *Screen) siblings(r *record, width int, th *theme.Theme) []string {
	out := []string{th.Muted.Render(text.MiddleWith(r.BurnBlockHash, width, th.Glyphs.Ellipsis)), ""}
	n, txs := 0, 0
	for _, b := range s.known.group(r) {
		n++
		txs += len(b.Txs)
		if len(out) > s.height-5 {
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
	words := fmt.Sprintf("%s loaded, %s txs", text.Plural(n, "block"), text.Count(txs))
	return append(out, "", th.Muted.Render(words))
}
