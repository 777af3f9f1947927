package resource

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/wallet/service"

	"github.com/charmbracelet/x/ansi"
)

// crate is a thing of a small kind.
type crate struct {
	label string
	bolts *int64
	part  bool
}

func crates() Kind[crate] {
	return Kind[crate]{Name: "crate", Columns: []Column[crate]{
		{Name: "label", Field: "crate_label", Head: "LABEL", Least: 6, Most: 20, Keep: 9, Value: func(c crate) Value { return TextOf(c.label) }},
		{Name: "bolts", Field: "bolt_count", Head: "BOLTS", Type: Number, Least: 5, Most: 9, Keep: 5, Value: func(c crate) Value {
			v := NumberAt(c.bolts)
			v.AtLeast = c.part
			return v
		}},
		{Name: "size", Head: "SIZE", Least: 4, Most: 4, Keep: 1, Value: func(c crate) Value { return TextOf("big") }},
		{Name: "age", Head: "AGE", Type: Moment, Tail: true, Value: func(crate) Value { return Value{} }},
		{Name: "words", Hidden: true, Value: func(c crate) Value { return TextOf("x " + c.label) }},
	}}
}

func mono(t *testing.T) *theme.Theme {
	t.Helper()
	th, err := theme.New("mono", theme.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return th
}

func number(n int64) *int64 { return &n }

func TestColumnsGiveWayInTheirOrder(t *testing.T) {
	k := crates()
	for width, want := range map[int][]int{
		60: {20, 9, 4, 0, 0}, 30: {13, 9, 4, 0, 0}, 22: {8, 6, 4, 0, 0}, 20: {7, 5, 4, 0, 0}, 18: {9, 7, 0, 0, 0}, 12: {12, 0, 0, 0, 0}, 6: {6, 0, 0, 0, 0}, 4: {4, 0, 0, 0, 0}, 0: {1, 0, 0, 0, 0},
	} {
		if got := k.Fit(width); !slices.Equal(got, want) {
			t.Errorf("%d cells are shared as %v, want %v", width, got, want)
		}
	}
}

func TestRowsAreAlignedWithTheirHeads(t *testing.T) {
	k, widths := crates(), crates().Fit(40)
	th := mono(t)
	if got, want := k.Head(widths), "LABEL"+strings.Repeat(" ", 15+2+4)+"BOLTS  SIZE"; strings.TrimRight(got, " ") != want {
		t.Errorf("the head is %q, want %q", got, want)
	}
	for want, c := range map[string]crate{
		"long screws               1,234  big ": {label: "long screws", bolts: number(1234)},
		"counted so far              12+  big ": {label: "counted so far", bolts: number(12), part: true},
		"nobody has counted            ?  big ": {label: "nobody has counted"},
	} {
		if got := ansi.Strip(k.Row(c, widths, th)); got != want {
			t.Errorf("it is drawn as %q, want %q", got, want)
		}
	}
}

// A value that was counted in part says so in a file, and what is not known is not zero.
func TestAFileHasEveryColumnInFull(t *testing.T) {
	k := crates()
	all := []crate{{"screws", number(1234567), false}, {"nails", number(12), true}, {"pins", nil, false}}
	columns, rows := k.Export(all)
	if got := strings.Join(columns, " "); got != "crate_label bolt_count size age" {
		t.Error(got)
	}
	for i, want := range []string{"screws 1234567 big ", "nails 12+ big ", "pins  big "} {
		if got := strings.Join(rows[i], " "); got != want {
			t.Errorf("row %d is %q, want %q", i, got, want)
		}
	}
	for i, want := range []string{"1234567", "null", "null"} {
		var row map[string]json.RawMessage
		if err := json.Unmarshal(k.JSON(all)[i], &row); err != nil || string(row["bolt_count"]) != want {
			t.Errorf("row %d: %v, %s, want %s", i, err, row["bolt_count"], want)
		}
	}
}

// Each kind fits whatever room there is, and its names can be typed.
func TestEveryKindFitsEveryWidth(t *testing.T) {
	block := Block{Block: &apiclient.Block{Height: 4_000_000, Hash: "0x" + strings.Repeat("ab", 32), BurnBlockHeight: 900_000, Txs: make([]string, 1200)}}
	checkKind(t, Blocks(), block)
	block.Orphaned = true
	checkKind(t, Blocks().Without("burn"), block)
	checkKind(t, BurnBlocks(), BurnBlock{Height: 900_000, Time: time.Unix(1, 0), Blocks: NumberOf(12_345_678), Transactions: NumberOf(98_765_432)})
	checkKind(t, Names(), Name{Name: "a-name-of-some-length.btc", Position: 1_234_567, Found: func(string) (int, int) { return 2, 4 }})
	checkKind(t, Calls(), Call{Call: service.Call{Method: "stx_signStructuredMessage", Done: true}, Status: service.Status{Words: "sent, but unknown to the chain: it was reset, or is another one", Fate: service.Waits}})
	for _, tests := range []bool{true, false} {
		checkKind(t, Tokens(tests), Token{Principal: "SP2X2Z28NXZVJFCJPBR9Q3NBVYBK3GPX8PXA3R83C.a-contract-with-a-long-name", Name: "Of some length and 你好", Symbol: "SYMBOLS", What: "pending", Seen: true})
	}
}

func checkKind[T any](t *testing.T, k Kind[T], of T) {
	t.Helper()
	names := map[string]bool{}
	for _, c := range k.Columns {
		if names[c.Name] || strings.Trim(c.Name, "abcdefghijklmnopqrstuvwxyz") != "" {
			t.Errorf("%s: the column %q is there twice, or cannot be typed", k.Name, c.Name)
		}
		names[c.Name] = true
		if c.Head != "" && !c.Tail && (c.Least < 1 || c.Most < c.Least || text.Width(c.Head) > c.Least && c.Type != Hash) {
			t.Errorf("%s: %s has %d to %d cells", k.Name, c.Name, c.Least, c.Most)
		}
	}
	for width := range 220 {
		widths := k.Fit(width)
		row, head := k.Row(of, widths, mono(t)), k.Head(widths)
		if w := text.Width(ansi.Strip(row)); w > max(1, width) || w != text.Width(head) {
			t.Fatalf("%s in %d cells is %d wide and its head %d:\n%q\n%q", k.Name, width, w, text.Width(head), head, ansi.Strip(row))
		}
	}
}
