package tui

import (
	"strings"
	"testing"

	"chainscope/tui/custom"
	"chainscope/tui/theme"
)

// A key of one's own runs a program on the block under the cursor, and what it
// prints is shown.
func TestAKeyOfOnesOwn(t *testing.T) {
	p := start(t, theme.Options{Plain: true}, "mono", 120, 40)
	p.m.options.Own = []custom.Command{
		{Key: "ctrl+e", Name: "hash of the block", Run: []string{"printf", "<%s>", "{hash}"}},
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
		cmd, ok := p.m.ownKey(letter([]rune(c.Key)[0]))
		if ok || cmd != nil {
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
