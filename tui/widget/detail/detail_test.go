package detail_test

import (
	"slices"
	"strings"
	"testing"

	"chainscope/tui/internal/uitest"
	"chainscope/tui/keymap"
	"chainscope/tui/nav"
	"chainscope/tui/theme"
	"chainscope/tui/widget/detail"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

func open(t testing.TB, rows []detail.Row, width, height int) *detail.Detail {
	th, err := theme.New("mono", theme.Options{Plain: true})
	if err != nil {
		t.Fatal(err)
	}
	d := detail.New(th, keymap.Default())
	d.SetSize(width, height)
	d.SetFocus(true)
	d.SetRows(rows)
	return d
}

func press(d *detail.Detail, keys ...string) {
	for _, k := range keys {
		d.Key(uitest.Key(k))
	}
}

func rows() []detail.Row {
	parent := nav.BlockAtHeight(183)
	return []detail.Row{
		{Label: "Block", Heading: true},
		{Label: "height", Value: "184", Role: detail.Number},
		{Label: "parent", Value: "0x" + strings.Repeat("ab12", 16), To: &parent},
		{Label: "description", Value: "a text that is long\nand \x1b[31mhas\u202e lines"},
		{Label: "Cost", Heading: true},
		{Draw: func(int) []string { return []string{"  runtime  ###..."} }},
		{Label: "tokens", Value: "", Note: "none"},
		{Label: "web", Value: "https://example.com", URL: "https://example.com"},
	}
}

func TestRowsAreLabelledWrappedAndCleaned(t *testing.T) {
	d := open(t, rows(), 40, 14)
	uitest.Golden(t, "rows", strings.Join(d.View(), "\n"), 40, 14)
}

func TestTheCursorStopsWhereThereIsSomethingToDo(t *testing.T) {
	d := open(t, rows(), 40, 5)
	var labels []string
	for range 6 {
		r, _ := d.Cursor()
		labels = append(labels, r.Label)
		press(d, "j")
	}
	if got := strings.Join(labels, " "); got != "height parent description web web web" {
		t.Errorf("went over %s", got)
	}
	press(d, "g")
	if r, _ := d.Cursor(); r.Label != "height" {
		t.Errorf("first is %s", r.Label)
	}
}

func TestNewerValuesKeepTheCursor(t *testing.T) {
	d := open(t, rows(), 40, 5)
	press(d, "j", "j")
	newer := rows()
	newer[3].Value = "other"
	d.Update(newer)
	if r, _ := d.Cursor(); r.Value != "other" {
		t.Errorf("on %+v", r)
	}
}

// A row that goes leaves the cursor where it stood: what has no name either is another row.
func TestTheCursorStaysWhereARowHasGone(t *testing.T) {
	with := []detail.Row{
		{Label: "keys", Value: "keystore"},
		{Value: "locked"},
		{Label: "account", Value: "0"},
		{Label: "network", Value: "testnet"},
		{Value: "STC5KH"},
		{Value: "bc1q"},
	}
	d := open(t, with, 40, 8)
	press(d, "j")
	d.Update(slices.Delete(slices.Clone(with), 1, 2))
	if r, _ := d.Cursor(); r.Label != "account" {
		t.Errorf("on %+v", r)
	}
}

func TestAnyDetailFitsAnyWindow(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var all []detail.Row
		for range rapid.IntRange(0, 20).Draw(rt, "rows") {
			all = append(all, detail.Row{
				Label: rapid.String().Draw(rt, "label"), Value: rapid.String().Draw(rt, "value"), Note: rapid.String().Draw(rt, "note"),
				Heading: rapid.Bool().Draw(rt, "heading"), Short: rapid.Bool().Draw(rt, "short"),
			})
		}
		width, height := rapid.IntRange(0, 60).Draw(rt, "width"), rapid.IntRange(0, 12).Draw(rt, "height")
		d := open(t, all, width, height)
		for _, k := range rapid.SliceOf(rapid.SampledFrom([]string{"j", "k", "g", "G"})).Draw(rt, "keys") {
			press(d, k)
			lines := d.View()
			if len(lines) != height {
				rt.Fatalf("%d lines in %d", len(lines), height)
			}
			for _, line := range lines {
				if ansi.StringWidth(line) > width {
					rt.Fatalf("%q in %d cells", line, width)
				}
				if strings.ContainsAny(ansi.Strip(line), "\x1b\x07\u202e\u200b") {
					rt.Fatalf("a hidden character in %q", line)
				}
			}
		}
	})
}

// A note never takes the place of the value that it is about.
func TestANoteLeavesTheValueItsRoom(t *testing.T) {
	for width, want := range map[int][]string{
		60: {"height  1,000,000  in the list of blocks", "hash    0xcb530e75a8655a199727…ee715773c84323fd78f1  4 txs"},
		36: {"height  1,000,000", "in the list of blocks", "hash    0xcb530e75…23fd78f1  4 txs"},
	} {
		d := open(t, []detail.Row{
			{Label: "height", Value: "1,000,000", Short: true, Note: "in the list of blocks"},
			{Label: "hash", Value: "0xcb530e75a8655a19972775a46ba7635b78dbf78bf40fee715773c84323fd78f1", Short: true, Note: "4 txs"},
		}, width, 8)
		var got []string
		for _, line := range d.View() {
			if line = strings.TrimSpace(strings.TrimPrefix(ansi.Strip(line), "▸")); line != "" {
				got = append(got, line)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("in %d cells: %q, want %q", width, got, want)
		}
	}
}

func TestTheFirstRowsOfAnEmptyDetailGetTheCursor(t *testing.T) {
	d := open(t, nil, 40, 5)
	if _, ok := d.Cursor(); ok {
		t.Fatal("a detail without rows has a cursor")
	}
	d.Update(rows())
	if r, ok := d.Cursor(); !ok || r.Label != "height" {
		t.Errorf("the cursor is on %+v, %v", r, ok)
	}
}

// A hash is cut in its middle; an amount and a sentence that lead somewhere are whole.
func TestAnAmountIsNeverCutInItsMiddle(t *testing.T) {
	token := nav.BlockAtHeight(1)
	hash := "0x" + strings.Repeat("ab12", 16)
	d := open(t, []detail.Row{
		{Label: "alex", Value: "27,660,515,000.12345678 alex", Note: "SP102V8P0F7JX67ARQ77WEA3D3CFB5XW39REDT0AM", To: &token},
		{Label: "supply", Value: "1,234,567,890,123,456", Note: "of the token that it is", To: &token},
		{Label: "hash", Value: hash, To: &token},
	}, 30, 12)
	shown := strings.Join(d.View(), "\n")
	digits := strings.NewReplacer(" ", "", "\n", "").Replace(shown)
	if !strings.Contains(digits, "27,660,515,000.12345678alex") || !strings.Contains(digits, "1,234,567,890,123,456") || strings.Contains(shown, hash) {
		t.Errorf("drawn as\n%s", shown)
	}
}
