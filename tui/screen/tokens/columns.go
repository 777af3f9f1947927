package tokens

import (
	"strings"

	"chainscope/tui/resource"
	"chainscope/tui/screen/browser"
	"chainscope/tui/theme"
)

// picked is the source of the list widget.
type picked struct {
	theme *theme.Theme
	all   []pick
	rows  browser.Rows[resource.Token]
}

// of describes the tokens of the list: ordinary ones, or the test cases.
func (s *picked) of(tests bool) { s.rows = browser.Rows[resource.Token]{Kind: resource.Tokens(tests)} }

// Len is how many there are.
func (s *picked) Len() int { return len(s.all) }

// ID is the place of the token.
func (s *picked) ID(i int) string { return s.all[i].id }

// Tail is nothing: a row does not change by itself.
func (s *picked) Tail(int) string { return "" }

// Row draws a token.
func (s *picked) Row(i, width int) string { return s.rows.Row(s.all[i].Token, width, s.theme) }

// head is the line above the list.
func (s *picked) head(width int) string { return s.theme.Muted.Render(s.rows.Names(width)) }

// shownAs is the contract's name, and after it what the token calls itself and its
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
