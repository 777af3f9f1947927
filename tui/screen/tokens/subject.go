package tokens

import (
	"encoding/json"
	"net/url"
	"strings"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/screen"
	"chainscope/tui/screen/browser"
)

// Subject is what the keys of the frame work on: the token that is open, else
// the one under the list's cursor.
func (s *Screen) Subject() screen.Subject {
	if isToken(s.place) && (s.InDetail || s.List.Len() == 0) {
		return s.tokenSubject()
	}
	i, ok := s.List.Cursor()
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
		Export: s.table,
	}
}

func (s *Screen) tokenSubject() screen.Subject {
	sub := screen.Subject{Title: s.crumb(), Web: s.contract(s.place.Principal)}
	add := func(key, label, value string) {
		if value != "" {
			sub.Copies = append(sub.Copies, screen.Copy{Key: key, Label: label, Text: value})
		}
	}
	add("p", "contract principal", s.place.Principal)
	add("i", "token id", s.place.TokenID)
	a, ok := s.token.Get()
	if !ok {
		came := browser.FailedSubject("", s.token.Err())
		sub.Raw, sub.ExchangeID = came.Raw, came.ExchangeID
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
	return s.WithField(sub)
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

// Status is what the status line tells.
func (s *Screen) Status() screen.Status {
	var st screen.Status
	if isToken(s.place) {
		a, _ := s.token.Get()
		st = s.StatusOf(a.exchange, &s.token, &s.picture)
		st.Err = s.token.Err()
	} else {
		st = s.StatusOf(0, &s.catalogue)
	}
	if s.form != nil || s.locales != nil {
		st.Hint = "" // a box names its keys itself
	}
	st.Crumb = s.crumb()
	if s.InDetail {
		st.Position = ""
	}
	return st
}
