package walletpane

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"chainscope/tui/screen"
	"chainscope/tui/term"
	"chainscope/tui/text"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/colorprofile"
	"github.com/mdp/qrterminal/v3"
)

// qrPage shows an address large enough for a camera.
type qrPage struct {
	base
	title, address string
}

// quiet is the white border that a camera needs, in modules.
const quiet = 4

// qrLines draws a text as lines of half blocks, dark modules as ink, with a quiet
// zone. A Bitcoin address is written in capitals, which BIP 173 allows and which
// makes a smaller picture.
func qrLines(address string) []string {
	if lower := strings.ToLower(address); lower == address && (strings.HasPrefix(address, "bc1") || strings.HasPrefix(address, "tb1") || strings.HasPrefix(address, "bcrt1")) {
		address = strings.ToUpper(address)
	}
	var b bytes.Buffer
	qrterminal.GenerateWithConfig(address, qrterminal.Config{
		Level: qrterminal.L, Writer: &b, HalfBlocks: true, QuietZone: quiet,
		BlackChar: "█", WhiteChar: " ", BlackWhiteChar: "▀", WhiteBlackChar: "▄",
	})
	lines := strings.Split(strings.TrimRight(b.String(), "\n"), "\n")
	for i, l := range lines {
		if strings.Trim(l, "▄") == "" { // the lower edge is drawn as ink; it is paper
			lines[i] = strings.Repeat(" ", text.Width(l))
		}
	}
	return lines
}

// Black on white whatever the theme: cameras read nothing else well.
const (
	ink   = "\x1b[38;5;16;48;5;231m"
	reset = "\x1b[0m"
)

// View draws the picture, or says how much room it needs.
func (p *qrPage) View(time.Time) []string {
	th, width, height := p.screen.theme, p.width, p.height
	lines := qrLines(p.address)
	w := text.Width(lines[0])
	out := []string{" " + th.Strong.Render(p.title) + "  " + text.Middle(p.address, max(1, width-text.Width(p.title)-4))}
	if len(lines)+1 > height || w > width {
		return append(out, "", th.Warn.Render(fmt.Sprintf(" too small: needs %dx%d", w, len(lines)+1)))
	}
	pad := strings.Repeat(" ", (width-w)/2)
	for _, l := range lines {
		out = append(out, pad+p.dress(l))
	}
	return out
}

// dress colours a line; without colours the background is the paper, so that
// ink and paper change places on a dark one.
func (p *qrPage) dress(line string) string {
	if p.screen.opt.Colors < colorprofile.ANSI {
		if p.screen.theme.Dark {
			line = strings.NewReplacer("█", " ", " ", "█", "▀", "▄", "▄", "▀").Replace(line)
		}
		return line
	}
	return ink + line + reset
}

// Key copies or closes.
func (p *qrPage) Key(msg tea.KeyMsg) (tea.Cmd, bool) {
	switch {
	case key.Matches(msg, p.screen.env.Keys.Global.Up), msg.String() == "enter":
		p.screen.back()
		return nil, true
	case msg.String() == "v":
		return term.Copy("address", p.address), true
	}
	return nil, false
}

// Hint names the keys.
func (p *qrPage) Hint() string {
	th := p.screen.theme
	return th.Key.Render("v") + " " + th.Muted.Render("copy the address") + "  " + th.Key.Render("esc") + " " + th.Muted.Render("back")
}

// Crumb is what is shown.
func (p *qrPage) Crumb() string { return p.title }

// Subject is the address.
func (p *qrPage) Subject() screen.Subject {
	return screen.Subject{Title: p.title, Copies: []screen.Copy{{Key: "v", Label: "address", Text: p.address}}}
}
