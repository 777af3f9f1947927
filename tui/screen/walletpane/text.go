package walletpane

import (
	"bytes"
	"encoding/json"
	"strings"

	"chainscope/tui/text"
	"chainscope/tui/theme"

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

// networkWord writes a network; mainnet stands out by word and colour.
func networkWord(th *theme.Theme, network string) string {
	if network == "mainnet" {
		return th.Warn.Render("MAINNET")
	}
	return th.Text.Render(text.Line(network))
}

// indent writes JSON over many lines; what is none stays as it is.
func indent(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Indent(&b, bytes.TrimSpace(raw), "", "  ") != nil {
		return string(raw)
	}
	return strings.TrimRight(b.String(), "\n")
}
