package tui

import (
	"slices"
	"strings"
	"testing"

	"chainscope/tui/nav"
)

// A name leads to the account that owns it, one with pictures in the form that is registered too.
func TestANameLeadsToItsOwner(t *testing.T) {
	const owner = "SP3XHES5990FYDV5BHBZCJRFYFD2Z4X3FMD2N3MGH"
	s := startWallet(t, "mainnet", 140, 30)
	s.run(s.m.visit(nav.Name("muneeb.btc")))
	for _, w := range []string{"[4 Names]", "muneeb.btc", owner, "never", "BNS v2"} {
		if !strings.Contains(s.seen(), w) {
			t.Errorf("%q is not on screen:\n%s", w, s.seen())
		}
	}
	s.key("j")
	s.key("enter")
	if at := s.m.Place(); at != nav.Account(owner) {
		t.Errorf("enter on the owner leads to %s", at)
	}
	s.run(s.m.visit(nav.Name("nobody-at-all.btc")))
	if want := "neither registry of names has an owner of nobody-at-all.btc"; !strings.Contains(s.seen(), want) {
		t.Errorf("%q is not on screen:\n%s", want, s.seen())
	}
	s.run(s.m.visit(nav.Listed(nav.KindName, "")))
	if seen := s.seen(); !strings.Contains(seen, "muneeb.btc") || strings.Contains(seen, "nobody-at-all.btc") {
		t.Errorf("the list is not of the names that were looked at:\n%s", seen)
	}
	for _, come := range []string{"at once", "from another place"} {
		if got := s.column("owner"); !slices.Equal(got, []string{owner}) {
			t.Errorf("%s: the owners are %q", come, got)
		}
		s.run(s.m.visit(nav.Home()))
		s.run(s.m.visit(nav.Account(owner)))
		s.run(s.m.visit(nav.Listed(nav.KindName, "")))
	}
}
