package tokens

import (
	"cmp"
	"slices"
	"strings"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/resource"
)

// pick is a token that can be picked from the list.
type pick struct {
	resource.Token
	id      string // of its row
	picture string // its address, "" for none
}

// pickOf returns a token of which only its place is known.
func pickOf(principal, id string) pick {
	return pick{Token: resource.Token{Principal: principal, TokenID: id}}
}

// picks joins what was shown before with what the catalogue has and what the server
// lists or has found: first the tokens of the history that the catalogue does not have, then
// the catalogue in its own order, what it has for tests of clients last, then what
// only the server found.
func picks(c Catalogue, recent []visit, found []apiclient.ListedToken) []pick {
	var all []pick
	at := map[nav.Place]int{}
	add := func(p pick) {
		if !(visit{Principal: p.Principal, TokenID: p.TokenID}).valid() {
			return
		}
		if _, there := at[p.place()]; !there {
			at[p.place()] = len(all)
			all = append(all, p)
		}
	}
	known := map[nav.Place]bool{}
	entries := slices.Concat(c.FT, c.NFT)
	slices.SortStableFunc(entries, func(a, b Entry) int { return cmp.Compare(order(a.What), order(b.What)) })
	for _, e := range entries {
		known[pickOf(e.Principal, e.TokenID).place()] = true
	}
	for _, v := range recent {
		if !known[v.place()] {
			add(pickOf(v.Principal, v.TokenID))
		}
	}
	for _, e := range entries {
		p := pickOf(e.Principal, e.TokenID)
		p.Name, p.What, p.Locales = e.Name, e.What, e.Locales
		add(p)
	}
	for _, f := range found {
		add(pickOf(f.Principal, ""))
	}
	for _, v := range recent {
		if i, there := at[v.place()]; there {
			all[i].Name, all[i].Seen = cmp.Or(v.Name, all[i].Name), true
		}
	}
	for _, t := range slices.Backward(found) { // the first row of a token is its own, then its locales follow
		if i, there := at[nav.FT(t.Principal, "")]; there {
			all[i].learn(t)
		}
	}
	return all
}

// learn takes what a list of the server says of the token.
func (p *pick) learn(t apiclient.ListedToken) {
	p.Name, p.Symbol = cmp.Or(t.Name, p.Name), t.Symbol
	p.Decimals, p.picture = t.Decimals, cmp.Or(t.ImageURI, t.ImageCanonicalURI)
	if p.Units = t.TotalSupply; p.Units != nil {
		p.Supply = p.Units.String()
	}
}

// order puts ordinary tokens before those that a mock has for tests of clients:
// pending, faulty and hostile ones.
func order(what string) int {
	return max(0, slices.Index(testCases, what)+1)
}

// testCases are the words of a catalogue for tokens that are no ordinary ones.
var testCases = []string{"pending", "error", "no_token", "hostile"}

// tests reports whether a mock has the token only to test clients with.
func (p pick) tests() bool { return order(p.What) > 0 }

// ForTests reports whether a mock has the token only to test clients with.
func (e Entry) ForTests() bool { return order(e.What) > 0 }

func (p pick) place() nav.Place {
	if p.TokenID == "" {
		return nav.FT(p.Principal, "")
	}
	return nav.NFT(p.Principal, p.TokenID, "")
}

// shownAs returns the contract's name, and after it what the token calls itself and its
// symbol.
func (p pick) shownAs() string {
	words := p.Label()
	if p.Name != "" && !strings.EqualFold(p.Name, p.Label()) {
		words += "  " + p.Name
	}
	if p.Symbol != "" && !strings.EqualFold(p.Symbol, p.Name) && !strings.EqualFold(p.Symbol, p.Label()) {
		words += "  " + p.Symbol
	}
	return words
}
