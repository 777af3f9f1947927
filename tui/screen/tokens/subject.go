package tokens

import (
	"encoding/json"
	"errors"
	"net/url"
	"strings"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/screen"
	"chainscope/tui/text"
	"chainscope/tui/widget/placeholder"
)

// Subject is what the keys of the frame work on: the token that is open, else
// the one under the list's cursor.
func (s *Screen) Subject() screen.Subject {
	if isToken(s.place) && (s.onDetail || s.list.Len() == 0) {
		return s.tokenSubject()
	}
	i, ok := s.list.Cursor()
	if !ok {
		return screen.Subject{}
	}
	p := s.source.all[i]
	copies := []screen.Copy{{Key: "p", Label: "contract principal", Text: p.Principal}}
	if p.TokenID != "" {
		copies = append(copies, screen.Copy{Key: "i", Label: "token id", Text: p.TokenID})
	}
	return screen.Subject{
		Title: p.label(), Copies: copies, Web: s.contract(p.Principal),
		Export: s.source.table,
	}
}

func (s *Screen) tokenSubject() screen.Subject {
	sub := screen.Subject{Title: s.crumb(), Web: s.contract(s.place.Principal)}
	add := func(key, label, value string) {
		if value != "" {
			sub.Copies = append(sub.Copies, screen.Copy{Key: key, Label: label, Text: value})
		}
	}
	if ref, ok := s.current(); ok && ref.field.Look != missing && ref.field.Look != remark {
		add("v", "value: "+text.Line(ref.field.Label), ref.field.Value)
		if web := s.web(ref.field); web != "" {
			sub.Web = web
		}
	}
	add("p", "contract principal", s.place.Principal)
	add("i", "token id", s.place.TokenID)
	a, ok := s.token.Get()
	if !ok {
		var failed *apiclient.Error
		if errors.As(s.token.Err(), &failed) {
			sub.ExchangeID = failed.ExchangeID
			if json.Valid(failed.Body) {
				sub.Raw = json.RawMessage(failed.Body)
			}
		}
		return sub
	}
	if a.ft != nil {
		add("a", "asset identifier", a.ft.AssetIdentifier)
		add("s", "sender address", a.ft.SenderAddress)
		add("t", "transaction that deployed it", a.ft.TxID)
		add("k", "token URI", a.ft.TokenURI)
	} else if a.nft != nil {
		add("k", "token URI", a.nft.TokenURI)
	}
	if all := a.pictures(); len(all) > 0 {
		add("m", "address of the picture", all[0])
	}
	add("n", "name", a.name())
	sub.Raw, sub.ExchangeID = a.raw, a.exchange
	sub.Export = a.table
	return sub
}

// table is the token for an export: a row a field.
func (a answer) table() screen.Table {
	t := screen.Table{Name: "token", Columns: []string{"section", "field", "value", "note"}, JSON: []json.RawMessage{a.raw}}
	for _, s := range a.sections {
		for _, f := range s.Fields {
			value := f.Value
			if f.Look == missing {
				value = ""
			}
			t.Rows = append(t.Rows, []string{s.Title, strings.TrimSpace(f.Label), value, f.Note})
		}
	}
	return t
}

// web is the page of a field in the web explorer, "" for none: what a server
// says is put into an address only when it is what it should be.
func (s *Screen) web(f field) string {
	path := ""
	switch {
	case s.env.Web == "":
	case f.Page == transactionPage && apiclient.ValidHash(f.Value) == nil,
		f.Page == contractPage && nav.CheckPrincipal(f.Value) == nil:
		path = "/txid/"
	case f.Page == addressPage && nav.CheckPrincipal(f.Value+".contract") == nil:
		path = "/address/"
	}
	if path == "" {
		return ""
	}
	return s.env.Web + path + url.PathEscape(f.Value) + s.env.WebQuery
}

// contract is the page of a contract.
func (s *Screen) contract(principal string) string {
	return s.web(field{Page: contractPage, Value: principal})
}

// Status is what the frame's status line tells.
func (s *Screen) Status() screen.Status {
	st := screen.Status{Crumb: s.crumb(), Hint: s.hint()}
	if isToken(s.place) {
		a, _ := s.token.Get()
		st.ExchangeID, st.FetchedAt = a.exchange, s.token.FetchedAt()
		st.Busy, st.Since, st.Failures = s.token.Busy(), s.token.Since(), s.token.Failures()
		st.Err = s.token.Err()
		var failed *apiclient.Error
		if errors.As(st.Err, &failed) && failed.ExchangeID != 0 {
			st.ExchangeID = failed.ExchangeID
		}
	} else {
		st.FetchedAt, st.Busy, st.Since = s.catalogue.FetchedAt(), s.catalogue.Busy(), s.catalogue.Since()
		st.Err, st.Failures = s.catalogue.Err(), s.catalogue.Failures()
	}
	if s.picture.Busy() && !st.Busy {
		st.Busy, st.Since = true, s.picture.Since()
	}
	if n := s.list.Len(); n > 0 && !s.onDetail {
		st.Position = text.Count(s.list.Position()+1) + "/" + text.Count(n)
	}
	return st
}

// hint names the place's own keys.
func (s *Screen) hint() string {
	k := s.env.Keys
	if s.onDetail {
		return strings.Join([]string{
			placeholder.Hint(s.theme, k.Tokens.Picture, "picture"), placeholder.Hint(s.theme, k.Tokens.Locale, "locale"), placeholder.Hint(s.theme, k.Tokens.Type, "type"),
		}, "  ")
	}
	return strings.Join([]string{
		placeholder.Hint(s.theme, k.List.Open, "open"), placeholder.Hint(s.theme, k.Tokens.Type, "type a token"), placeholder.Hint(s.theme, k.List.Filter, "filter"),
	}, "  ")
}
