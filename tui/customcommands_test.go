package tui

import (
	"strings"
	"testing"

	"chainscope/tui/nav"
	"chainscope/tui/theme"
	"chainscope/tui/usercommand"
)

// A key of one's own runs a program on the block under the cursor, and what it
// prints is shown.
func TestAKeyOfOnesOwn(t *testing.T) {
	p := start(t, theme.Options{Plain: true}, "mono", 120, 40)
	p.m.options.Own = []usercommand.Command{
		{Key: "ctrl+e", Name: "hash of the block", Run: []string{"sh", "-c", `printf "<%s>" "$CHAINSCOPE_HASH"`}},
		{Key: "ctrl+r", Name: "bytes of the block", Run: []string{"wc", "-c"}, Stdin: "json"},
		{Key: "ctrl+w", Name: "broken", Run: []string{"chainscope-has-no-such-program"}},
	}
	hash := ""
	for _, c := range p.m.currentScreen().Subject().Copies {
		if c.Label == "hash" {
			hash = c.Text
		}
	}
	p.press(letter(':'))
	p.typed("bytes of")
	if !strings.Contains(p.frame(), "own") || !strings.Contains(p.frame(), "ctrl+r") {
		t.Errorf("the box of commands lacks it:\n%s", p.frame())
	}
	p.press(escape, escape)
	for _, c := range p.m.options.Own {
		if _, ok := customCommand(p.m.options.Own, letter([]rune(c.Key)[0])); ok {
			t.Errorf("another key runs %s", c.Name)
		}
	}
	p.run(p.m.runOwn(p.m.options.Own[0]))
	if !strings.Contains(p.frame(), "<"+hash+">") {
		t.Errorf("the hash %s is not shown:\n%s", hash, p.frame())
	}
	p.press(escape)
	p.run(p.m.runOwn(p.m.options.Own[2]))
	if !strings.Contains(p.frame(), "broken: exec:") {
		t.Errorf("nothing says what failed:\n%s", p.frame())
	}
}

// What a command prints does not come over what one does by then: its key shows it later.
func TestWhatACommandPrintsLateTakesNoKeys(t *testing.T) {
	late := usercommand.Command{Key: "ctrl+e", Name: "late", Run: []string{"echo", "what was printed"}}
	for name, elsewhere := range map[string]func(p *program){
		"another place": func(p *program) { p.press(letter('2')) },
		"a box":         func(p *program) { p.press(letter('S')) },
		"a filter":      func(p *program) { p.press(letter('/')) },
	} {
		p := start(t, theme.Options{Plain: true}, "mono", 120, 40)
		p.m.options.Own = []usercommand.Command{late}
		p.run(p.m.visit(nav.Blocks()))
		began := p.m.runOwn(late)
		elsewhere(p)
		before := len(p.m.overlays.stack)
		p.run(began)
		if len(p.m.overlays.stack) != before || !strings.Contains(p.frame(), "late has run; run it again to see what it printed") {
			t.Errorf("%s:\n%s", name, p.frame())
		}
		p.press(escape)
		p.run(p.m.runOwn(late))
		if !strings.Contains(p.frame(), "what was printed") {
			t.Errorf("%s: it is lost:\n%s", name, p.frame())
		}
	}
}
