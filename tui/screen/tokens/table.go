package tokens

import (
	"encoding/json"

	"chainscope/tui/query"
	"chainscope/tui/resource"
	"chainscope/tui/screen"
	"chainscope/tui/text"
)

// Listing is what filters and orders work on: the tokens that can be picked.
func (s *Screen) Listing() query.Table {
	all := s.source.all
	return s.source.rows.Kind.Table(len(all), func(i int) (resource.Token, bool) { return all[i].Token, true }, s.env.Now())
}

func (s *Screen) RowWords() string { return text.Plural(len(s.source.all), "token") }

// table is the tokens that the list shows, as they are exported.
func (s *Screen) table() screen.Table {
	t := screen.Table{Name: "tokens"}
	var all []resource.Token
	for _, i := range s.List.Rows() {
		p := s.source.all[i].Token
		all = append(all, p)
		if raw, err := json.Marshal(p); err == nil {
			t.JSON = append(t.JSON, raw)
		}
	}
	t.Columns, t.Rows = s.source.rows.Kind.Export(all)
	return t
}
