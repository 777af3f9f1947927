package tokens

import (
	"math/big"
	"strconv"
	"strings"

	"chainscope/tui/text"
	"chainscope/tui/theme"
)

// picked is the source of the list widget.
type picked struct {
	theme *theme.Theme
	all   []pick
	// tests is set while the list is of test cases: then it says what each is.
	tests bool
}

func (s *picked) Len() int          { return len(s.all) }
func (s *picked) ID(i int) string   { return s.all[i].id }
func (s *picked) Tail(i int) string { return "" }

// kindCells holds the kind, the mark of what was shown before, and gaps.
const kindCells = 6

// cells are the widths of the columns; a column without is left out.
type cells struct{ contract, name, symbol, decimals, supply, what, address int }

// columnsOf divides a row. What is worth the most comes first: the contract, the
// symbol, the supply; what is left over makes columns wider.
func columnsOf(width int, tests bool) cells {
	c := cells{contract: 12}
	if tests {
		c.contract = 22 // their names say what they are for
	}
	room := width - kindCells - c.contract
	take := func(into *int, n int) {
		if room > n {
			*into = n
			room -= n + 1
		}
	}
	if tests {
		take(&c.what, 9)
	}
	take(&c.symbol, 6)
	take(&c.supply, 13)
	take(&c.name, 13)
	if c.supply > 0 {
		take(&c.decimals, 3)
	}
	grow := func(into *int, most int) {
		if more := min(room, most-*into); *into > 0 && more > 0 {
			*into += more
			room -= more
		}
	}
	grow(&c.contract, 16)
	grow(&c.supply, 16)
	grow(&c.name, 16)
	take(&c.address, 13)
	grow(&c.contract, 21)
	grow(&c.name, 24)
	grow(&c.symbol, 8)
	grow(&c.supply, 20)
	grow(&c.address, 41)
	c.contract = max(1, c.contract+room)
	return c
}

func (s *picked) Row(i, width int) string {
	th, p := s.theme, s.all[i]
	c := columnsOf(width, s.tests)
	mark := " "
	if p.Seen {
		mark = th.OK.Render(th.Glyphs.Check)
	}
	row := th.Muted.Render(text.Pad(p.kind(), kindCells-2)) + mark + " " + cell(th, th.Text, p.label(), c.contract)
	row += textColumn(th, th.Text, p.Name, c.name) + textColumn(th, th.Accent, p.Symbol, c.symbol)
	row += numberColumn(th.Muted, p.decimalsText(), c.decimals) + numberColumn(th.Number, p.supplyText(c.supply, th.Glyphs.Ellipsis), c.supply)
	if c.address > 0 {
		of, _, _ := strings.Cut(p.Principal, ".")
		row += " " + th.Muted.Render(padded(text.MiddleWith(of, c.address, th.Glyphs.Ellipsis), c.address))
	}
	return row + textColumn(th, whatStyle(th, p.What), p.What, c.what)
}

// head is the line above the list.
func (s *picked) head(width int) string {
	c := columnsOf(max(0, width-2), s.tests)
	line := padded("", 2) + padded("KIND", kindCells) + padded("CONTRACT", c.contract)
	for _, column := range []struct {
		title string
		width int
		right bool
	}{
		{"NAME", c.name, false},
		{"SYMBOL", c.symbol, false},
		{"DEC", c.decimals, true},
		{"SUPPLY", c.supply, true},
		{"ADDRESS", c.address, false},
		{"WHAT", c.what, false},
	} {
		switch {
		case column.width == 0:
		case column.right:
			line += " " + text.PadLeft(column.title, column.width)
		default:
			line += " " + padded(column.title, column.width)
		}
	}
	return s.theme.Muted.Render(text.Clip(line, width))
}

// textColumn draws a column of texts, numberColumn one of numbers; "" where there is no
// room for it.
func textColumn(th *theme.Theme, style theme.Style, s string, width int) string {
	if width == 0 {
		return ""
	}
	return " " + cell(th, style, s, width)
}

func numberColumn(style theme.Style, s string, width int) string {
	if width == 0 {
		return ""
	}
	return " " + style.Render(text.PadLeft(s, width))
}

// shownAs is the contract's name, and after it what the token calls itself and its
// symbol.
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

// decimalsText writes the decimals of a fungible token, "" when they are not known.
func (p pick) decimalsText() string {
	if p.Decimals == nil {
		return ""
	}
	return strconv.Itoa(*p.Decimals)
}

// shift is by how many decimals the supply is shifted.
func (p pick) shift() int {
	if p.Decimals == nil || !usable(*p.Decimals) {
		return 0
	}
	return *p.Decimals
}

// supplyText writes the supply in whole tokens into a number of cells. Where it does
// not fit its fraction is cut, else it is a power of ten: a whole number that is cut
// would be another number.
func (p pick) supplyText(width int, mark string) string {
	if p.supply == nil {
		return ""
	}
	whole := text.Amount(p.supply, p.shift())
	if text.Width(whole) <= width {
		return whole
	}
	if before, _, _ := strings.Cut(whole, "."); before != "0" && text.Width(before)+3 <= width {
		return text.TruncateWith(whole, width, mark)
	} else if before != "0" && text.Width(before) <= width {
		return before
	}
	f := new(big.Float).SetInt(p.supply)
	f.Quo(f, new(big.Float).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(p.shift())), nil)))
	for digits := 4; digits > 0; digits-- {
		if s := strings.Replace(f.Text('e', digits), "e+", "e", 1); text.Width(s) <= width {
			return s
		}
	}
	return mark
}
