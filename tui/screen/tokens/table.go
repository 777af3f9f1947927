package tokens

import (
	"strings"

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
		column("name", "NAME", query.Text, func(p pick) string { return p.Name }),
		column("id", "", query.Number, func(p pick) string { return p.TokenID }),
		column("symbol", "SYMBOL", query.Text, func(p pick) string { return p.Symbol }),
		column("decimals", "DEC", query.Number, pick.decimalsText),
		column("supply", "SUPPLY", query.Number, func(p pick) string {
			if p.supply == nil {
				return ""
			}
			return strings.ReplaceAll(text.Amount(p.supply, p.shift()), ",", "")
		}),
		column("address", "ADDRESS", query.Text, func(p pick) string { return p.Principal }),
	}}
}

func (s *Screen) rowWords() string { return text.Plural(len(s.source.all), "token") }
