package walletpane

import (
	"bytes"
	"encoding/json"
	"strings"

	"chainscope/tui/text"

	"github.com/charmbracelet/x/ansi"
)

// plain is a styled text without its styles.
func plain(s string) string { return ansi.Strip(s) }

// spread puts two texts to the ends of a line; the left one is cut.
func spread(left, right string, width int) string {
	r := text.Width(plain(right))
	if r >= width {
		return text.Clip(left, width)
	}
	return text.Fill(left, width-r) + right
}

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

// indent writes JSON over many lines; what is none stays as it is.
func indent(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Indent(&b, bytes.TrimSpace(raw), "", "  ") != nil {
		return string(raw)
	}
	return strings.TrimRight(b.String(), "\n")
}
