package tokens

import (
	"cmp"
	"encoding/json"
	"slices"
	"sort"
	"strings"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/screen"
	"chainscope/tui/text"
	"chainscope/tui/theme"
)

// pick is a token that can be picked from the list.
type pick struct {
	Principal string   `json:"principal"`
	TokenID   string   `json:"token_id,omitempty"`
	What      string   `json:"what,omitempty"`
	Name      string   `json:"name,omitempty"`
	Symbol    string   `json:"symbol,omitempty"`
	Locales   []string `json:"locales,omitempty"`
	Seen      bool     `json:"seen"`
}

// picks joins what was shown before with what the catalogue has and what the server
// has found: first the tokens of the history that the catalogue does not know, then
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
	listed := map[nav.Place]bool{}
	entries := slices.Concat(c.FT, c.NFT)
	sort.SliceStable(entries, func(i, j int) bool { return order(entries[i].What) < order(entries[j].What) })
	for _, e := range entries {
		listed[pick{Principal: e.Principal, TokenID: e.TokenID}.place()] = true
	}
	for _, v := range recent {
		if !listed[v.place()] {
			add(pick{Principal: v.Principal, TokenID: v.TokenID, Name: v.Name, Seen: true})
		}
	}
	for _, e := range entries {
		add(pick{Principal: e.Principal, TokenID: e.TokenID, What: e.What, Locales: e.Locales})
	}
	for _, f := range found {
		add(pick{Principal: f.Principal})
		if i, there := at[nav.FT(f.Principal, "")]; there {
			all[i].Name, all[i].Symbol = cmp.Or(f.Name, all[i].Name), f.Symbol
		}
	}
	for _, v := range recent {
		if i, there := at[v.place()]; there {
			all[i].Name, all[i].Seen = v.Name, true
		}
	}
	return all
}

// order puts ordinary tokens before those that a mock has for tests of clients:
// pending, faulty and hostile ones.
func order(what string) int {
	return max(0, slices.Index(testCases, what)+1)
}

// testCases are the words of a catalogue for tokens that are no ordinary ones.
var testCases = []string{"pending", "error", "no_token", "hostile"}

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

// picked is the source of the list widget.
type picked struct {
	theme *theme.Theme
	all   []pick
}

func (s *picked) Len() int          { return len(s.all) }
func (s *picked) ID(i int) string   { return s.all[i].place().String() }
func (s *picked) Tail(i int) string { return "" }

// Cells of the columns; the name takes what is left.
const (
	kindCells    = 6
	whatCells    = 10
	addressCells = 13
	nameCells    = 20 // below this the address is left out
)

// columns divides a row: the address goes first when there is little room, the
// word after it.
func columns(width int) (name, address, what int) {
	name = width - kindCells
	if name > nameCells+whatCells {
		what = whatCells
		name -= what + 1
	}
	if name > nameCells+addressCells {
		address = addressCells
		name -= address + 1
	}
	return max(1, name), address, what
}

func (s *picked) Row(i, width int) string {
	th, p := s.theme, s.all[i]
	name, address, what := columns(width)
	mark := " "
	if p.Seen {
		mark = th.OK.Render(th.Glyphs.Check)
	}
	row := th.Muted.Render(text.Pad(p.kind(), kindCells-2)) + mark + " " + cell(th, th.Text, p.shownAs(), name)
	if address > 0 {
		of, _, _ := strings.Cut(p.Principal, ".")
		row += " " + th.Muted.Render(padded(text.MiddleWith(of, address, th.Glyphs.Ellipsis), address))
	}
	if what > 0 {
		row += " " + cell(th, whatStyle(th, p.What), p.What, what)
	}
	return row
}

// shownAs is the contract's name, and after it what the token called itself.
func (p pick) shownAs() string {
	words := p.label()
	if p.Name != "" && !strings.EqualFold(p.Name, p.label()) {
		words += "  " + p.Name
	}
	if p.Symbol != "" && !strings.EqualFold(p.Symbol, p.Name) && !strings.EqualFold(p.Symbol, p.label()) {
		words += "  " + p.Symbol
	}
	return words
}

func cell(th *theme.Theme, style theme.Style, s string, width int) string {
	return style.Render(padded(text.TruncateWith(s, width, th.Glyphs.Ellipsis), width))
}

func padded(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-text.Width(s)))
}

func whatStyle(th *theme.Theme, what string) theme.Style {
	switch what {
	case "error", "no_token":
		return th.Bad
	case "hostile", "pending":
		return th.Warn
	}
	return th.Muted
}

// head is the line above the list.
func (s *picked) head(width int) string {
	name, address, what := columns(max(0, width-2))
	line := padded("", 2) + padded("KIND", kindCells) + padded("CONTRACT", name)
	if address > 0 {
		line += " " + padded("ADDRESS", address)
	}
	if what > 0 {
		line += " " + padded("WHAT", what)
	}
	return s.theme.Muted.Render(text.Clip(line, width))
}

// table is the list for an export.
func (s *picked) table() screen.Table {
	t := screen.Table{Name: "tokens", Columns: []string{"kind", "principal", "token_id", "name", "symbol", "what", "locales"}}
	for _, p := range s.all {
		t.Rows = append(t.Rows, []string{p.kind(), p.Principal, p.TokenID, p.Name, p.Symbol, p.What, strings.Join(p.Locales, " ")})
		if raw, err := json.Marshal(p); err == nil {
			t.JSON = append(t.JSON, raw)
		}
	}
	return t
}
