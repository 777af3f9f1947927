package tokens

import (
	"chainscope/tui/query"
	"chainscope/tui/text"
)

// rows is what filters and orders work on: the tokens that can be picked.
func (s *Screen) rows() query.Table {
	all := s.source.all
	column := func(name, head string, kind query.Kind, value func(p pick) string) query.Column {
		return query.Column{Name: name, Head: head, Kind: kind, Value: func(i int) string { return value(all[i]) }}
	}
	return query.Table{Len: len(all), Columns: []query.Column{
		column("contract", "CONTRACT", query.Text, pick.label),
		column("kind", "KIND", query.Text, pick.kind),
		column("what", "WHAT", query.Text, func(p pick) string { return p.What }),
		column("name", "", query.Text, func(p pick) string { return p.Name }),
		column("symbol", "", query.Text, func(p pick) string { return p.Symbol }),
		column("id", "", query.Number, func(p pick) string { return p.TokenID }),
		column("address", "ADDRESS", query.Text, func(p pick) string { return p.Principal }),
	}}
}

func (s *Screen) rowWords() string { return text.Plural(len(s.source.all), "token") }
