package home

import (
	"chainscope/tui/keymap"
	"chainscope/tui/resource"
	"chainscope/tui/screen"
	"chainscope/tui/screen/browser"
	"chainscope/tui/widget/placeholder"
)

// Subject returns the newest block, or what came in its place.
func (s *Screen) Subject() screen.Subject {
	if len(s.chain.blocks) == 0 {
		return browser.FailedSubject("The answer", s.tip.Err())
	}
	return s.Block(resource.Blocks(), s.chain.Newest())
}

// Status returns what the status line shows.
func (s *Screen) Status() screen.Status {
	v, _ := s.tip.Get()
	st := s.StatusOf(v.Exchange, &s.tip)
	st.ReadsTip = true
	th, k := s.Theme, s.env.Keys
	st.Position = ""
	if s.opt.Scenario != nil {
		st.Position = "an invented chain; --api mainnet for the real one"
	}
	if s.opt.Fork != nil && s.opt.Fork() != "" {
		st.Position = "a fork of " + s.opt.Fork() + "; nothing is sent there"
	}
	st.Hint = placeholder.HintOf(th, keymap.First(k.Global.NextPane), "next tile") + "  " +
		placeholder.HintOf(th, keymap.First(k.Home.Open), s.current().action)
	return st
}
