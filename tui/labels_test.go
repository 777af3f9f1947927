package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chainscope/tui/nav"
	"chainscope/tui/theme"
)

const alice = "SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J"

// An account that is given a label by a key has it in lists, details, filters, files and "go to",
// until it is removed; what another program writes is seen as well.
func TestALabelIsWhereverItsAddressIs(t *testing.T) {
	p := start(t, theme.Options{Plain: true}, "mono", 120, 40)
	p.run(p.m.visit(nav.Account(alice)))
	keysOf(p, "@")
	p.sees("Label", "address "+alice, "an empty label removes it")
	p.typed("cold")
	keysOf(p, "enter")
	p.sees("is @cold", "Account "+alice+"  @cold")
	if row := lineWith(p, "▸ @cold"); !strings.Contains(row, "@cold SPC5K") || !strings.Contains(row, "FSH54J  @cold") {
		t.Errorf("the row of the list is %q", row)
	}
	p.run(p.m.visit(nav.TransactionsOf(alice)))
	p.sees("400,000 STX → @cold")
	keysOf(p, "/")
	p.typed("cold")
	p.sees("8 of 12 loaded transactions")
	keysOf(p, "enter", "e", "c")
	if files, err := filepath.Glob(filepath.Join(p.m.options.Exports, "*.csv")); err != nil || len(files) != 1 {
		t.Fatal(files, err)
	} else if raw, err := os.ReadFile(files[0]); err != nil || !strings.Contains(string(raw), ",to_label\n") || strings.Count(string(raw), ",cold\n") != 8 {
		t.Errorf("%v\n%s", err, raw)
	}
	keysOf(p, "esc", "ctrl+g")
	p.typed("cold")
	p.sees("label       @cold")
	keysOf(p, "esc", "esc")

	if _, err := p.m.options.Store.SetLabel(alice, "warm"); err != nil {
		t.Fatal(err)
	}
	p.run(p.m.onTime())
	p.sees("400,000 STX → @warm")
	p.run(p.m.visit(nav.Account(alice)))
	keysOf(p, "@", "ctrl+u", "enter")
	p.sees("has no label")
	if view := p.m.View(); strings.Contains(view, "@warm") {
		t.Errorf("the label is still there\n%s", view)
	}
}

// Of a thing that names several one is chosen; under the cursor of a detail there is one.
func TestTheAddressToLabelIsTheOneUnderTheCursor(t *testing.T) {
	p := start(t, theme.Options{Plain: true}, "mono", 120, 40)
	p.run(p.m.visit(nav.TransactionsOf(alice)))
	keysOf(p, "/")
	p.typed("400,000")
	keysOf(p, "enter", "@", "shift+tab", "right")
	p.sees("< " + alice + " >")
	keysOf(p, "tab")
	p.typed("mine")
	keysOf(p, "enter")
	p.sees("400,000 STX → @mine")
	keysOf(p, "enter")
	for range 30 {
		if strings.Contains(lineWith(p, "▸ recipient"), alice[:8]) {
			break
		}
		keysOf(p, "j")
	}
	keysOf(p, "@")
	p.sees("address "+alice, "label   mine")
	p.typed("\u200b")
	keysOf(p, "enter")
	p.sees("a character that cannot be seen")
	keysOf(p, "esc", "0", "@")
	p.sees("there is no account and no contract here to label")
}

// lineWith returns the line of the screen with a text, "" for none.
func lineWith(p *program, words string) string {
	for line := range strings.SplitSeq(p.m.View(), "\n") {
		if strings.Contains(line, words) {
			return line
		}
	}
	return ""
}

// A label stands for the address that has it: the API is asked for the address, and a form of the
// wallet takes the address in its place.
func TestALabelIsTypedWhereAnAddressIsWanted(t *testing.T) {
	s := startWallet(t, "mainnet", 120, 40)
	for address, label := range map[string]string{alice: "Cold Storage", usdaToken: "twice", harborDollar: "twice"} {
		if _, err := s.m.options.Store.SetLabel(address, label); err != nil {
			t.Fatal(err)
		}
	}
	s.run(s.m.onTime())
	s.run(s.m.visit(nav.Transactions()))
	s.key("/")
	s.typed(`to:"@cold storage"`)
	s.key("enter")
	last := ""
	for _, e := range s.m.options.Client.Log().Snapshot() {
		if strings.Contains(e.URL, "/extended/v1/tx?") {
			last = e.URL
		}
	}
	if !strings.Contains(last, "to_address="+alice) || !strings.Contains(s.seen(), "on the chain") {
		t.Errorf("%s was requested:\n%s", last, s.seen())
	}
	s.key("esc")
	s.run(s.m.visit(nav.Wallet()))
	s.key("n")
	s.key("down")
	s.key("enter")
	s.typed("@twice")
	if want := "no address has this label, or several have it"; !strings.Contains(s.seen(), want) {
		t.Errorf("%q is not on screen:\n%s", want, s.seen())
	}
	s.key("ctrl+u")
	s.typed("@cold storage")
	if !strings.Contains(s.seen(), "tab: "+alice) {
		t.Fatalf("the address is not offered:\n%s", s.seen())
	}
	s.key("tab")
	if seen := s.seen(); strings.Contains(seen, "@cold storage") || !strings.Contains(seen, alice) {
		t.Errorf("the address does not take the place of its label:\n%s", seen)
	}
}
