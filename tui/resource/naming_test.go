package resource

import (
	"slices"
	"strings"
	"testing"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/theme"

	"github.com/charmbracelet/x/ansi"
)

const holder = "SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J"

// holders returns a list of two, of whom one has a label.
func labelledHolders(label string) (Kind[Holder], []Holder) {
	kind := Holders()
	kind.Called = func(principal string) string {
		if principal == holder {
			return label
		}
		return ""
	}
	return kind, []Holder{
		{Holder: apiclient.Holder{Principal: holder, Balance: "5"}},
		{Holder: apiclient.Holder{Principal: "SP1HPGRB9DSSP6VVGCMG6CRBNCDJQ8000018RPQ9H", Balance: "7"}},
	}
}

// What an address is called stands before it, where there is room for both.
func TestACellShowsWhatAnAddressIsCalled(t *testing.T) {
	th, err := theme.New("mono", theme.Options{Plain: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		called string
		width  int
		want   string
	}{
		{"@cold", 20, "@cold SPC5KHM…FSH54J"},
		{"@cold", 14, "@cold         "},
		{"@cold storage", 9, "@cold st…"},
		{"alice.btc", 60, "alice.btc SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J          "},
		{"@\x1b[31mred\u202e", 30, `@\x1b[31mred\u202e SPC5K…SH54J`},
		{"alice.btc", 8, "SPC5…54J"},
		{"xn--bt9h.btc  🦋.btc", 32, "xn--bt9h.btc  🦋.btc SPC5K…SH54J"},
		{"", 12, "SPC5KH…SH54J"},
	} {
		kind, rows := labelledHolders(c.called)
		widths := make([]int, len(kind.Columns))
		widths[0] = c.width
		if got := ansi.Strip(kind.Row(rows[0], widths, th)); got != c.want {
			t.Errorf("%q in %d cells is %q, want %q", c.called, c.width, got, c.want)
		}
	}
}

// A label finds its rows, in every column or in that of the address, and a file has it in a column.
func TestRowsAreFoundAndWrittenByTheirLabels(t *testing.T) {
	kind, rows := labelledHolders("@cold")
	for _, query := range []string{"cold", "COLD", "/^@co.d$/", "holder:cold", "holder:=@cold", "holder:/cold/", "holder:=" + holder, "!SP1H"} {
		if at, err := kind.Select(rows, query, "", time.Time{}); err != nil || !slices.Equal(at, []int{0}) {
			t.Errorf("%s finds %v (%v)", query, at, err)
		}
	}
	if at, err := kind.Select(rows, "share:cold", "", time.Time{}); err == nil {
		t.Errorf("another column finds %v", at)
	}
	columns, cells := kind.Export(rows)
	if last := len(columns) - 1; columns[last] != "principal_label" || cells[0][last] != "cold" || cells[1][last] != "" {
		t.Errorf("the file is %v %v", columns, cells)
	}
	if got := kind.Member(rows[0], "principal_label"); got != "cold" {
		t.Errorf("--fields has %v", got)
	}
	// A name of the registry is no label, and without labels a file has no column for them.
	kind, rows = labelledHolders("alice.btc")
	if columns, _ := kind.Export(rows); slices.Contains(columns, "principal_label") || kind.Member(rows[0], "principal_label") != nil {
		t.Errorf("the file is %v", columns)
	}
}

func TestALabelIsOneShortLineThatCanBeSeen(t *testing.T) {
	for typed, want := range map[string]string{"": "", "  cold  storage ": "cold  storage", "@cold": "cold", " @ ": "", "père 🦋": "père 🦋"} {
		if got, err := ParseLabel(typed); err != nil || got != want {
			t.Errorf("%q is %q (%v), want %q", typed, got, err, want)
		}
	}
	for _, typed := range []string{"a\u200bb", "a\nb", "a\x1b[2J", strings.Repeat("x", 41), strings.Repeat("漢", 21)} {
		if got, err := ParseLabel(typed); err == nil {
			t.Errorf("%q is taken as %q", typed, got)
		}
	}
}
