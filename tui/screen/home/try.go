package home

import (
	"chainscope/tui/text"
	"chainscope/tui/widget/placeholder"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// try is one thing that a newcomer can do here with one key.
type try struct {
	key   *key.Binding
	words string
	do    func() tea.Cmd
}

// tries returns a demo, where there is one, and three things to try.
func (s *Screen) tries() []try {
	k := s.env.Keys
	use := func(b *key.Binding, words string) try {
		return try{b, words, s.uses(b)}
	}
	var all []try
	if s.opt.Demo != nil {
		all = append(all, try{&k.Home.Demo, "watch a demo of all this; any key takes over", s.opt.Demo})
	}
	all = append(all, use(&k.Global.GoTo, "go to anything: "+s.opt.Find))
	if s.env.Wallet != nil {
		all = append(all, try{&k.Home.Sign, "send STX with the test wallet", func() tea.Cmd { return s.env.RequestWallet("stx_transferStx", nil) }})
	} else {
		all = append(all, use(&k.Global.Help, "see the keys of the place where you are"))
	}
	if s.opt.Scenario != nil {
		return append(all, use(&k.Global.MockPanel, "break the API, mine a block"))
	}
	return append(all, use(&k.Global.Inspector, "see every request, and copy it as curl"))
}

// tryTile shows what a newcomer can try.
func (s *Screen) tryTile() tile {
	th, tries := s.Theme, s.tries()
	lines := make([]string, len(tries))
	for i, t := range tries {
		lines[i] = text.Fill(th.Key.Render(t.key.Help().Key), 9) + t.words
	}
	hide := placeholder.Hint(th, s.env.Keys.Home.Hide, "hides this")
	t := tile{
		id: "try", title: "Try", foot: hide, action: "go to anything", open: func() tea.Cmd { return s.used(s.env.Use(&s.env.Keys.Global.GoTo)) },
		lines: func(int, int) []string { return lines },
		short: func(int) []string {
			return append(append([]string(nil), lines[:len(lines)-1]...), lines[len(lines)-1]+"   "+hide)
		},
	}
	if s.size() >= wide {
		t.title = "Three things to try"
		if s.opt.Demo != nil {
			t.title = "A demo, and three things to try"
		}
	}
	return t
}

// used notes that one of the things to try was used, or that they were hidden, and then does
// what was requested: later starts do not show them.
func (s *Screen) used(do tea.Cmd) tea.Cmd {
	note := s.opt.Greeted
	if !s.greets && !s.opt.Greet || note == nil {
		return do
	}
	return func() tea.Msg {
		note()
		if do == nil {
			return nil
		}
		return do()
	}
}
