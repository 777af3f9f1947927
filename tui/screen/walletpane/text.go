package walletpane

import (
	"chainscope/tui/text"
)

// alarming reports whether requests for a network could move real coins: those
// of the main network, with keys of the user's own, beside a live API.
func (s *Screen) alarming(network string) bool {
	return network == "mainnet" && !s.opt.Mock && !s.state.PublicTest
}

// networkWord writes a network; it stands out where real coins could move.
func (s *Screen) networkWord(network string) string {
	if s.alarming(network) {
		return s.theme.Bad.Render("MAINNET")
	}
	return s.theme.Muted.Render(text.Line(network))
}
