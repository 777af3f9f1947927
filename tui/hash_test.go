package tui

import (
	"strings"
	"testing"

	"chainscope/tui/nav"
	"chainscope/tui/theme"
)

// A pasted hash leads to what has it: one request reports which.
func TestAPastedHashLeadsToWhatHasIt(t *testing.T) {
	p := start(t, theme.Options{Plain: true}, "mono", 120, 40)
	const tx, block, nothing = "a3446c86aa2caa176d3eb98cd0445eeae1854ba76408c89909c0656d0d759dc8", "0xba3bc1ec024f2cb5c7aaf93969fd638c640370660706bbe31d0a29491813f026", "0xabababababababababababababababababababababababababababababababab"
	for hash, want := range map[string]nav.Place{tx: nav.Transaction("0x" + tx), "0x" + tx: nav.Transaction("0x" + tx), block: nav.BlockByIndexHash(block), nothing: nav.Transaction(nothing)} {
		p.run(p.m.visit(nav.Home()))
		reading := nav.Recognise(hash, nav.RecogniseContext{})[0]
		before := searches(p)
		p.run(p.m.visit(reading.Place))
		if got := p.m.Place(); got != want {
			t.Errorf("%s leads to %s, want %s:\n%s", hash, got, want, p.frame())
		}
		if n := searches(p) - before; n != 1 {
			t.Errorf("%s: %d searches", hash, n)
		}
	}
}

// Who has gone elsewhere in the meantime is left there.
func TestWhoHasGoneElsewhereIsLeftThere(t *testing.T) {
	p := start(t, theme.Options{Plain: true}, "mono", 120, 40)
	seeks := p.m.visit(nav.Hash("0x" + strings.Repeat("ab", 32)))
	if p.run(p.m.visit(nav.Tokens())); p.m.Place() != nav.Tokens() {
		t.Fatal("it is not at the tokens")
	}
	if p.run(seeks); p.m.Place() != nav.Tokens() {
		t.Errorf("it is at %s", p.m.Place())
	}
}

// searches counts the requests that ask what has a hash.
func searches(p *program) int {
	n := 0
	for _, x := range p.m.options.Client.Log().Snapshot() {
		if strings.Contains(x.URL, "/search/") {
			n++
		}
	}
	return n
}
