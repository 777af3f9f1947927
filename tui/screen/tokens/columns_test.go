package tokens

import (
	"math/big"
	"strings"
	"testing"

	"chainscope/mockserver"
	"chainscope/tui/nav"
	"chainscope/tui/query"
	"chainscope/tui/text"

	"github.com/charmbracelet/x/ansi"
)

func TestTheColumnsFillEveryWidth(t *testing.T) {
	d := start(t, setup{})
	d.open(nav.Tokens())
	for _, tests := range []bool{false, true} {
		d.s.source.tests = tests
		for width := 20; width < 150; width++ {
			head := ansi.Strip(d.s.source.head(width))
			for i := range d.s.source.all {
				row := ansi.Strip(d.s.source.Row(i, width-2))
				if text.Width(row) != width-2 {
					t.Fatalf("a row of %d cells is %d wide: %q", width-2, text.Width(row), row)
				}
				// A number ends where the name of its column does.
				if at := strings.Index(head, " SUPPLY"); at > 0 && d.s.source.all[i].supply != nil {
					if end := []rune(row)[at+len(" SUPPLY")-3]; end == ' ' {
						t.Fatalf("the supply does not end below its heading:\n%s\n  %s", head, row)
					}
				}
			}
		}
	}
}

func TestASupplyIsNeverCutToAnotherNumber(t *testing.T) {
	six := 6
	for _, c := range []struct {
		supply   string
		decimals *int
		width    int
		want     string
	}{
		{"3141592653589", &six, 20, "3,141,592.653589"},
		{"3141592653589", &six, 13, "3,141,592.65…"},
		{"3141592653589", &six, 9, "3,141,592"},
		{"3141592653589", &six, 8, "3.142e06"},
		{"340282366920938463463374607431768211455", nil, 13, "3.4028e38"},
		{"5", &six, 13, "0.000005"},
		{"5", &six, 7, "5.0e-06"},
		{"5", &six, 4, "…"},
		{"", &six, 13, ""},
	} {
		p := pick{Decimals: c.decimals}
		if v, ok := new(big.Int).SetString(c.supply, 10); ok {
			p.supply = v
		}
		if got := p.supplyText(c.width, "…"); got != c.want {
			t.Errorf("%s in %d cells: %q, want %q", c.supply, c.width, got, c.want)
		}
	}
}

// What is exported are the rows that are in sight.
func TestTheExportIsWhatTheListShows(t *testing.T) {
	d := start(t, setup{})
	d.open(nav.Tokens())
	if n := len(d.s.Subject().Export().Rows); n != 25 {
		t.Errorf("%d ordinary tokens are exported", n)
	}
	d.press("/", "symbol:HBD", "enter")
	table := d.s.Subject().Export()
	if len(table.Rows) != 1 || len(table.JSON) != 1 {
		t.Fatalf("exported %v", table.Rows)
	}
	want := "FT " + dollar + "  Harbor Dollar HBD 8 9999980000000 localized en es-MX jp de"
	if got := strings.Join(table.Rows[0], " "); got != want {
		t.Errorf("exported %q, want %q", got, want)
	}
	d.press("esc")
	d.run(d.s.SortBy(query.Order{Column: "supply"}))
	if first := d.s.Subject().Export().Rows[0]; first[1] != d.s.source.all[d.s.List.Rows()[0]].Principal || first[6] != "0" {
		t.Errorf("sorted by supply it begins with %v", first)
	}
}

// A server that has no list is no failure.
func TestAMockWithoutAListOfTokensShowsItsCatalogue(t *testing.T) {
	d := start(t, setup{config: mockserver.Config{Faults: rules(t, "status=410,path=/metadata/v1/ft")}})
	d.open(nav.Tokens())
	d.sees("harbor-dollar", "25 to pick from")
	d.seesNot("HBD", "stale")
}
