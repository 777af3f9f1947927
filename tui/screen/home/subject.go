package home

import (
	"strconv"

	"chainscope/tui/keymap"
	"chainscope/tui/nav"
	"chainscope/tui/screen"
	"chainscope/tui/screen/browser"
	"chainscope/tui/text"
)

// Subject is the newest block, or what came in its place.
func (s *Screen) Subject() screen.Subject {
	b := &s.chain.newest
	if len(s.chain.blocks) == 0 {
		return browser.FailedSubject("The answer", s.tip.Err())
	}
	v, _ := s.tip.Get()
	sub := screen.Subject{
		Title: "Block " + text.Count(b.Height), Raw: s.chain.raw, ExchangeID: v.exchange, At: nav.BlockByIndexHash(b.IndexBlockHash),
		Copies: []screen.Copy{
			{Key: "h", Label: "hash", Text: b.Hash},
			{Key: "x", Label: "index block hash", Text: b.IndexBlockHash},
			{Key: "n", Label: "height", Text: strconv.FormatInt(b.Height, 10)},
			{Key: "b", Label: "burn block hash", Text: b.BurnBlockHash},
		},
	}
	if s.env.Web != "" {
		sub.Web = s.env.Web + "/block/" + b.Hash + s.env.WebQuery
	}
	return sub
}

// Status is what the status line tells.
func (s *Screen) Status() screen.Status {
	v, _ := s.tip.Get()
	st := s.StatusOf(v.exchange, &s.tip)
	th, k := s.Theme, s.env.Keys
	st.Position = ""
	if s.opt.Scenario != nil {
		st.Position = "an invented chain; --api mainnet for the real one"
	}
	st.Hint = th.Key.Render(keymap.First(k.Global.NextPane)) + " " + th.Muted.Render("next tile") + "  " +
		th.Key.Render(keymap.First(k.Home.Open)) + " " + th.Muted.Render(s.current().does)
	return st
}
