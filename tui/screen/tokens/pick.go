package tokens

import (
	"cmp"
	"encoding/json"
	"math/big"
	"slices"
	"sort"
	"strings"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/screen"
)

// pick is a token that can be picked from the list.
type pick struct {
	Principal string   `json:"principal"`
	TokenID   string   `json:"token_id,omitempty"`
	What      string   `json:"what,omitempty"`
	Name      string   `json:"name,omitempty"`
	Symbol    string   `json:"symbol,omitempty"`
	Decimals  *int     `json:"decimals,omitempty"`
	Supply    string   `json:"total_supply,omitempty"` // decimal, in the smallest unit
	Locales   []string `json:"locales,omitempty"`
	Seen      bool     `json:"seen"`

	id      string   // of its row
	picture string   // its address, "" for none
	supply  *big.Int // nil when it is not known
}

// picks joins what was shown before with what the catalogue has and what the server
// lists or has found: first the tokens of the history that the catalogue does not know, then
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
	sort.SliceStable(entries, func(i, j int) bool { return order(entries[i].What) < order(entries[j].What) })
	for _, e := range entries {
		known[pick{Principal: e.Principal, TokenID: e.TokenID}.place()] = true
	}
	for _, v := range recent {
		if !known[v.place()] {
			add(pick{Principal: v.Principal, TokenID: v.TokenID})
		}
	}
	for _, e := range entries {
		add(pick{Principal: e.Principal, TokenID: e.TokenID, Name: e.Name, What: e.What, Locales: e.Locales})
	}
	for _, f := range found {
		add(pick{Principal: f.Principal})
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
	if p.supply = t.TotalSupply; p.supply != nil {
		p.Supply = p.supply.String()
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

func (p pick) place() nav.Place {
	if p.TokenID == "" {
		return nav.FT(p.Principal, "")
	}
	return nav.NFT(p.Principal, p.TokenID, "")
}

func (p pick) kind() string {
	if p.TokenID == "" {
		return "FT"
	}
	return "NFT"
}

// label names the token by its contract, and its id.
func (p pick) label() string {
	_, name, _ := strings.Cut(p.Principal, ".")
	if p.TokenID != "" {
		name += " #" + p.TokenID
	}
	return name
}

// table makes a table of the tokens that the list shows.
func (s *Screen) table() screen.Table {
	t := screen.Table{Name: "tokens", Columns: []string{"kind", "principal", "token_id", "name", "symbol", "decimals", "total_supply", "what", "locales"}}
	for _, i := range s.List.Rows() {
		p := s.source.all[i]
		t.Rows = append(t.Rows, []string{p.kind(), p.Principal, p.TokenID, p.Name, p.Symbol, p.decimalsText(), p.Supply, p.What, strings.Join(p.Locales, " ")})
		if raw, err := json.Marshal(p); err == nil {
			t.JSON = append(t.JSON, raw)
		}
	}
	return t
}
