package tui

import (
	"strings"
	"testing"
	"time"

	"chainscope/tui/nav"

	tea "github.com/charmbracelet/bubbletea"
)

// What is pasted into go to is explained, and an address leads to the account of its key.
func TestWhatIsPastedIsExplained(t *testing.T) {
	const transfer = "808000000004001859c6840c4dc8ab3a3d39c6b5003fb36c5e723200000000000000000000000000000bb800013700e0f4b1356541f96ab134716df0aef66ed910fcc539bea83df353e96f19e939d0a8b2b51263860ec8728fea9fbe75c84981c18770a0ee97173c94346bc00003020000000000051a1859c6840c4dc8ab3a3d39c6b5003fb36c5e7232000000000016e36072656e74000000000000000000000000000000000000000000000000000000000000"
	s := startWallet(t, "mainnet", 160, 40)
	s.m.env.Tick = func(_ time.Duration, send func(time.Time) tea.Msg) tea.Cmd { // typing has rested
		return func() tea.Msg { return send(noon) }
	}
	requests := func() (searches int) {
		for _, e := range s.m.options.Client.Log().Snapshot() {
			if strings.Contains(e.URL, "symbol=") {
				searches++
			}
		}
		return searches
	}
	for pasted, want := range map[string][]string{
		transfer:                               {"Send STX", "1.5 STX", "2f1d56adeda6ecc4822c85e0e59137975337780944b9cc719a0c515657dcae2f", "rent"},
		"0x0100000000000000000000000000000001": {"Clarity value", "uint"},
		"(list u1 u2)":                         {"Clarity value", "0x0b00000002"},
		"16EMaNw3pkn3v6f2BgnSSs53zAKH4Q8YJg":   {"Bitcoin address", "SPWNYDJ3STG7XH7ERWXMV6MQ7Q6EATWVY5Q1QMP8"},
	} {
		s.key("ctrl+g")
		s.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(pasted), Paste: true})
		if seen := s.seen(); strings.Contains(seen, "hash has ") || strings.Contains(seen, "invalid hex digit") {
			t.Errorf("why it is no hash is on screen too:\n%s", seen)
		}
		s.key("enter")
		if at := s.m.Place(); at != nav.Decoded(pasted) {
			t.Fatalf("%s leads to %s", pasted, at)
		}
		for _, w := range want {
			if !strings.Contains(s.seen(), w) {
				t.Errorf("%q is not on screen:\n%s", w, s.seen())
			}
		}
	}
	s.key("ctrl+g")
	s.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("(list u1"), Paste: true})
	if n := requests(); n > 0 {
		t.Errorf("what was pasted was looked for on the server %d times", n)
	}
	if want := "Clarity literal"; !strings.Contains(s.seen(), want) {
		t.Errorf("%q is not on screen:\n%s", want, s.seen())
	}
	s.key("esc")
	s.key("esc")
	s.run(s.m.visit(nav.Decoded("16EMaNw3pkn3v6f2BgnSSs53zAKH4Q8YJg")))
	for range 5 {
		s.key("j")
	}
	s.key("enter")
	if at := s.m.Place(); at.Kind != nav.KindAccount {
		t.Errorf("enter on a twin leads to %s:\n%s", at, s.seen())
	}
}
