package tui

import (
	"slices"
	"strings"
	"testing"

	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
	"chainscope/tui/screen"
	"chainscope/tui/theme"

	"github.com/charmbracelet/x/ansi"
)

// typed presses a key for each letter.
func (p *program) typed(text string) {
	for _, r := range text {
		p.press(letter(r))
	}
}

func (p *program) frame() string { return ansi.Strip(p.m.View()) }

// column returns what is in a column of the table of a place, for the rows that
// are shown.
func (p *program) column(name string) []string {
	list := p.m.currentScreen().(screen.Tabular)
	table, _ := list.Table()
	column, ok := table.Find(name)
	if !ok {
		p.t.Fatalf("no column %s", name)
	}
	var out []string
	for _, row := range list.Passing(table) {
		out = append(out, column.Value(row).Text)
	}
	return out
}

// Every list can be sorted by a column, filtered by one, and says how often its
// values are there, with a way to the rows.
func TestEveryListIsSortedFilteredAndCounted(t *testing.T) {
	t.Parallel()
	uitest.NotRaced(t)
	for _, c := range []struct {
		place                nav.Place
		sort, column, filter string
		value                string
	}{
		{nav.Blocks(), "t", "txs", "txs:>3", ""},
		{nav.BurnBlocks(), "b", "blocks", "blocks>20", ""},
		{nav.LatestBurnBlock(), "t", "txs", "txs:>3", ""},
		{nav.Tokens(), "w", "what", "what:=localized", "localized"},
		{nav.Names("id"), "l", "length", "length:>6", ""},
	} {
		t.Run(c.place.String(), func(t *testing.T) {
			p := start(t, theme.Options{Plain: true}, "mono", 120, 40)
			p.run(p.m.visit(c.place))
			all := len(p.column(c.column))
			p.press(letter('S'))
			p.typed(c.sort)
			if !strings.Contains(p.frame(), c.column) || !strings.Contains(p.frame(), "clears") {
				t.Fatalf("nothing says how it is sorted:\n%s", p.frame())
			}
			got := p.column(c.column)
			if order := p.m.currentScreen().(screen.Tabular).Order(); order.Column != c.column {
				t.Fatalf("sorted by %+v", order)
			}
			known := slices.DeleteFunc(slices.Clone(got), func(v string) bool { return v == "" })
			if c.value == "" && len(known) > 1 && len(known[0]) < len(known[len(known)-1]) {
				t.Errorf("the greatest are not first: %q", got)
			}
			p.press(letter('/'))
			p.typed(c.filter)
			p.press(enter)
			left := len(p.column(c.column))
			if left == 0 || left >= all || !strings.Contains(p.frame(), " of ") {
				t.Fatalf("%s leaves %d of %d rows:\n%s", c.filter, left, all, p.frame())
			}
			p.press(escape, escape) // the filter, then the order
			if now := p.m.currentScreen().(screen.Tabular); now.Order().Column != "" || len(p.column(c.column)) < all {
				t.Errorf("esc leaves %+v and %d of %d rows", now.Order(), len(p.column(c.column)), all)
			}
			p.press(letter('F'))
			if !strings.Contains(p.frame(), "How often") {
				t.Fatalf("no counts:\n%s", p.frame())
			}
			p.press(letter('j'), enter)
			if strings.Contains(p.frame(), "How often") || len(p.column(c.column)) >= all {
				t.Errorf("the counts do not lead to their rows:\n%s", p.frame())
			}
		})
	}
}

// What is wrong with a filter is said beside it, and the rows stay.
func TestAWrongFilterIsExplained(t *testing.T) {
	p := start(t, theme.Options{Plain: true}, "mono", 120, 40)
	p.run(p.m.visit(nav.Blocks()))
	for filter, want := range map[string]string{
		"/(": "missing closing )", "txs:>many": "want txs:>5, 3..7 or 2k", "colour:red": `no column "colour"`,
	} {
		p.press(letter('/'))
		p.typed(filter)
		if !strings.Contains(p.frame(), want) {
			t.Errorf("%s: no %q:\n%s", filter, want, p.frame())
		}
		p.press(escape, escape)
	}
}

// Two blocks are compared with three keys.
func TestTwoBlocksSideBySide(t *testing.T) {
	p := start(t, theme.Options{Plain: true}, "mono", 120, 40)
	p.run(p.m.visit(nav.Blocks()))
	p.press(letter('C'), letter('j'))
	if !strings.Contains(p.frame(), "compare with Block") {
		t.Errorf("nothing says what is marked:\n%s", p.frame())
	}
	p.press(letter('C'))
	for _, want := range []string{"Compare", "fields differ", "index_block_hash", "-1"} {
		if !strings.Contains(p.frame(), want) {
			t.Errorf("no %q:\n%s", want, p.frame())
		}
	}
	p.press(escape, letter('k'), letter('C'))
	if p.m.marked != nil {
		t.Error("the same block again does not take the mark away")
	}
	p.press(letter('C'))
	p.run(p.m.visit(nav.LatestBurnBlock()))
	if strings.Contains(p.frame(), "compare with") {
		t.Errorf("a block of a burn block is no block of the list:\n%s", p.frame())
	}
	p.run(p.m.visit(nav.Tokens()))
	p.press(letter('C'))
	if !strings.Contains(p.frame(), "nothing to compare") {
		t.Errorf("a token that is not open is compared:\n%s", p.frame())
	}
}

// In a window of 200 columns the list has the room of raw JSON that nobody chose; the key brings
// it, and takes it away.
func TestTheListComesBeforeRawJSONThatNobodyChose(t *testing.T) {
	p := start(t, theme.Options{Plain: true}, "mono", 200, 60)
	p.run(p.m.visit(nav.Transactions()))
	widthOfList := func() int {
		for line := range strings.Lines(p.frame()) {
			if before, _, found := strings.Cut(line, " │ "); found {
				return len([]rune(before))
			}
		}
		return 0
	}
	if strings.Contains(p.frame(), "Raw JSON") || widthOfList() < 108 {
		t.Errorf("the list has %d columns:\n%s", widthOfList(), p.frame())
	}
	p.press(letter('z'))
	if !strings.Contains(p.frame(), "Raw JSON") {
		t.Errorf("z brings no raw JSON:\n%s", p.frame())
	}
	p.press(letter('z'))
	if strings.Contains(p.frame(), "Raw JSON") || widthOfList() < 108 {
		t.Errorf("z does not take it away:\n%s", p.frame())
	}
}

// On a mock, where reading is free, the rows of a list of accounts and of an account's history are
// complete without being opened; elsewhere nothing is requested that nobody opened.
func TestRowsOnAMockAreCompleteWithoutBeingOpened(t *testing.T) {
	const account = "SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J"
	p := start(t, theme.Options{Plain: true}, "mono", 200, 60)
	p.run(p.m.visit(nav.Account(account)))
	p.run(p.m.visit(nav.Accounts()))
	if !strings.Contains(p.frame(), "1,000,000") {
		t.Errorf("no balance in the list:\n%s", p.frame())
	}
	p.run(p.m.visit(nav.TransactionsOf(account)))
	for _, want := range []string{"+12.3456 ", "+2,500 USDA", "+u1 light"} {
		if !strings.Contains(p.frame(), want) {
			t.Errorf("no %s in the history:\n%s", want, p.frame())
		}
	}
}
