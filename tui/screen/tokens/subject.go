package tokens

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/resource"
	"chainscope/tui/screen"
	"chainscope/tui/screen/browser"
)

// Subject returns what the keys of the frame work on: the token that is open, else
// the one under the list's cursor.
func (s *Screen) Subject() screen.Subject {
	if isToken(s.place) && (s.InDetail || s.List.Len() == 0) {
		return s.tokenSubject()
	}
	i, ok := s.List.Cursor()
	if !ok {
		return screen.Subject{}
	}
	p := s.picks[i]
	return screen.Subject{
		Title: p.Label(), Copies: copies(p.Token), Web: s.contract(p.Principal),
		Export: s.Export,
	}
}

func (s *Screen) tokenSubject() screen.Subject {
	sub := screen.Subject{Title: s.crumb(), Web: s.contract(s.place.Principal)}
	a, ok := s.token.Get()
	sub.Copies = copies(resource.Token{Principal: s.place.Principal, TokenID: s.place.TokenID, FT: a.ft, NFT: a.nft})
	if !ok {
		came := browser.FailedSubject("", s.token.Err())
		sub.Raw, sub.ExchangeID = came.Raw, came.ExchangeID
		return sub
	}
	if all := a.pictures(); len(all) > 0 {
		sub.Copies = append(sub.Copies, screen.Copy{Key: "m", Label: "address of the picture", Text: all[0]})
	}
	sub.Raw, sub.ExchangeID = a.raw, a.exchange
	sub.Export = a.table
	return s.WithField(sub)
}

// copies returns what can be copied of a token, its contract first.
func copies(t resource.Token) []screen.Copy {
	all := browser.Copies(resource.Tokens(false).Fields(t))
	if i := slices.IndexFunc(all, func(c screen.Copy) bool { return c.Key == "p" }); i > 0 {
		contract := all[i]
		all = slices.Insert(slices.Delete(all, i, i+1), 0, contract)
	}
	return all
}

// table returns the token for an export: a row a field.
func (a answer) table() screen.Table {
	t := screen.Table{Name: "token", Columns: []string{"section", "field", "value", "note"}, JSON: []json.RawMessage{a.raw}}
	for _, s := range a.sections {
		for _, f := range s.Fields {
			value := f.Value
			if f.Emphasis == missing {
				value = ""
			}
			t.Rows = append(t.Rows, []string{s.Title, strings.TrimSpace(f.Label), value, f.Note})
		}
	}
	return t
}

// web returns the page of a field in the web explorer, "" for none: what a server
// says is put into an address only when it is what it should be.
func (s *Screen) web(f field) string {
	path := ""
	switch {
	case f.Page == resource.TransactionPage && apiclient.CheckHash(f.Value) == nil,
		f.Page == resource.ContractPage && nav.CheckPrincipal(f.Value) == nil:
		path = "/txid/"
	case f.Page == resource.AddressPage && nav.CheckPrincipal(f.Value+".contract") == nil:
		path = "/address/"
	}
	if path == "" {
		return ""
	}
	return s.env.WebPage(path + url.PathEscape(f.Value))
}

// contract returns the page of a contract.
func (s *Screen) contract(principal string) string {
	return s.web(field{Field: resource.Field{Page: resource.ContractPage}, Value: principal})
}

// Status returns what the status line shows.
func (s *Screen) Status() screen.Status {
	var st screen.Status
	if isToken(s.place) {
		a, _ := s.token.Get()
		st = s.StatusOf(a.exchange, &s.token, &s.picture)
		st.Err = s.token.Err()
	} else {
		st = s.StatusOf(0, &s.catalogue, &s.listed)
	}
	st.Still = !isToken(s.place) && !s.opts.List
	st.Follows = !st.Still
	if s.typing || s.locales != nil {
		st.Hint = "" // a box names its keys itself
	}
	st.Crumb = s.crumb()
	if s.InDetail {
		st.Position = ""
	}
	return st
}
