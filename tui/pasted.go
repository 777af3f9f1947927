package tui

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"chainscope/tui/decoded"
	"chainscope/tui/nav"
	"chainscope/tui/resource"
	"chainscope/tui/screen/listing"
	"chainscope/tui/text"
	"chainscope/wallet/bitcoin"
)

// pasted is a text that was pasted, with what it means.
type pasted struct {
	Text    string
	Reading decoded.Reading
}

// pastedKind describes what was pasted.
func pastedKind() resource.Kind[pasted] {
	return resource.Kind[pasted]{Name: "pasted thing", Fields: pasted.fields, Columns: []resource.Column[pasted]{
		{Name: "what", Head: "WHAT", Least: 14, Most: 20, Keep: 9, Value: func(p pasted) resource.Value { return resource.TextOf(p.what()) }},
		{Name: "text", Head: "TEXT", Least: 16, Most: 200, Keep: 8, Value: func(p pasted) resource.Value { return resource.TextOf(p.Text) }},
	}}
}

func (p pasted) what() string {
	what, _ := decoded.Recognise(p.Text) // only what was explained is listed
	return what
}

// fields returns the words of the dialog.
func (p pasted) fields() []resource.Field {
	var all []resource.Field
	for _, s := range p.Reading.Sections {
		if s.Raw {
			continue
		}
		all = append(all, resource.Field{Section: s.Title})
		if len(s.Lines) > 0 {
			all = append(all, resource.Field{Value: resource.TextOf(strings.Join(s.Lines, " ")), Exact: strings.Join(s.Lines, "\n")})
		}
		for _, row := range s.Rows {
			all = append(all, resource.Field{Label: row.Label, Value: resource.TextOf(row.Value), Note: row.Note, Exact: row.Value, To: resource.LinkTo(row.Value).Link()})
		}
	}
	return all
}

// pastedOf returns how the place of what was pasted is made. Nothing is requested.
func pastedOf(o *Options) listing.Of[pasted] {
	history := recently{o.Store, "", "pasted", 20}
	return listing.Of[pasted]{
		Kind: pastedKind(), List: nav.KindDecoded,
		ID:       func(p pasted) string { return p.Text },
		Settled:  func(pasted) bool { return true },
		Remember: history.remember,
		Pace:     func(nav.Place) listing.Pace { return listing.Never },
		None:     "What was pasted into go to and explained is listed here.",
		Page: func(context.Context, nav.Place, string) (listing.Page[pasted], error) {
			var page listing.Page[pasted]
			for _, t := range history.recent() {
				page.Rows = append(page.Rows, listing.Row[pasted]{Of: pasted{Text: t}})
			}
			page.Total = int64(len(page.Rows))
			return page, nil
		},
		One: func(_ context.Context, id string) (listing.Row[pasted], error) {
			found, failures := decoded.Read([]byte(id), decoded.Options{Now: o.Now(), Network: bitcoin.Mainnet})
			if len(found) == 0 {
				return listing.Row[pasted]{}, errors.New(text.Line(strings.Join(failures, "; ")))
			}
			raw, err := json.Marshal(found[0].Value)
			return listing.Row[pasted]{Of: pasted{Text: id, Reading: found[0]}, Raw: raw}, err
		},
	}
}
