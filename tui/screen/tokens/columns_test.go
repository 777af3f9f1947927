package tokens

import (
	"strings"
	"testing"

	"chainscope/mockserver"
	"chainscope/tui/nav"
	"chainscope/tui/query"
	"chainscope/tui/resource"
	"chainscope/tui/text"

	"github.com/charmbracelet/x/ansi"
)

func TestTheColumnsOfTokensFitEveryWidth(t *testing.T) {
	d := start(t, setup{})
	d.open(nav.Tokens())
	for _, tests := range []bool{false, true} {
		d.s.SetKind(resource.Tokens(tests))
		for width := 20; width < 150; width++ {
			head := ansi.Strip(d.s.Columns(width))
			for i := range d.s.picks {
				row := ansi.Strip(d.s.Row(i, width-2))
				if text.Width(row) > width-2 {
					t.Fatalf("a row of %d cells is %d wide: %q", width-2, text.Width(row), row)
				}
				// A number ends where the name of its column does.
				if at := strings.Index(head, " SUPPLY"); at > 0 && d.s.picks[i].Units != nil {
					if end := []rune(row)[at+len(" SUPPLY")-3]; end == ' ' {
						t.Fatalf("the supply does not end below its heading:\n%s\n  %s", head, row)
					}
				}
			}
		}
	}
}

// What is exported are the rows that are in sight.
func TestTheExportIsWhatTheListShows(t *testing.T) {
	d := start(t, setup{})
	d.open(nav.Tokens())
	if n := len(d.s.Subject().Export().Rows); n != 26 {
		t.Errorf("%d ordinary tokens are exported", n)
	}
	d.press("/", "symbol:HBD", "enter")
	table := d.s.Subject().Export()
	if len(table.Rows) != 1 || len(table.JSON) != 1 {
		t.Fatalf("exported %v", table.Rows)
	}
	address, _, _ := strings.Cut(dollar, ".")
	want := "FT harbor-dollar Harbor Dollar HBD 8 99999.8 " + address + " localized " + dollar + "  9999980000000 en es-MX jp de"
	if got := strings.Join(table.Rows[0], " "); got != want {
		t.Errorf("exported %q, want %q", got, want)
	}
	d.press("esc")
	d.run(d.s.SortBy(query.Order{Column: "supply"}))
	if first := d.s.Subject().Export().Rows[0]; first[8] != d.s.picks[d.s.List.Rows()[0]].Principal || first[5] != "0" {
		t.Errorf("sorted by supply it begins with %v", first)
	}
}

// A server that has no list is no failure.
func TestAMockWithoutAListOfTokensShowsItsCatalogue(t *testing.T) {
	d := start(t, setup{config: mockserver.Config{Faults: rules(t, "status=410,path=/metadata/v1/ft")}})
	d.open(nav.Tokens())
	d.sees("harbor-dollar", "26 to pick from")
	d.seesNot("HBD", "stale", "data of")
}
