package tokens

import (
	"encoding/json"

	"chainscope/tui/query"
	"chainscope/tui/resource"
	"chainscope/tui/screen"
	"chainscope/tui/screen/browser"
	"chainscope/tui/text"
)

// of describes the tokens of the list: ordinary ones, or the test cases.
func (s *Screen) of(tests bool) { s.rows = browser.Rows[resource.Token]{Kind: resource.Tokens(tests)} }

// Len returns how many tokens the list has.
func (s *Screen) Len() int { return len(s.picks) }

// ID returns the place of the token.
func (s *Screen) ID(i int) string { return s.picks[i].id }

// Tail returns nothing: a row does not change by itself.
func (s *Screen) Tail(int) string { return "" }

// Row draws a token.
func (s *Screen) Row(i, width int) string { return s.rows.Row(s.picks[i].Token, width, s.Theme) }

// Columns names the columns of the list.
func (s *Screen) Columns(width int) string { return s.Theme.Muted.Render(s.rows.Names(width)) }

// Listing returns what filters and orders work on: the tokens that can be picked.
func (s *Screen) Listing() query.Table {
	all := s.picks
	return s.rows.Kind.Table(len(all), func(i int) (resource.Token, bool) { return all[i].Token, true }, s.env.Now())
}

func (s *Screen) RowWords() string { return text.Plural(len(s.picks), "token") }

// table returns the tokens that the list shows, as they are exported.
func (s *Screen) table() screen.Table {
	t := screen.Table{Name: "tokens"}
	var all []resource.Token
	for _, i := range s.List.Rows() {
		p := s.picks[i].Token
		all = append(all, p)
		if raw, err := json.Marshal(p); err == nil {
			t.JSON = append(t.JSON, raw)
		}
	}
	t.Columns, t.Rows = s.rows.Kind.Export(all)
	return t
}
