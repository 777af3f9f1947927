package overlay

import (
	"time"

	"chainscope/tui/keymap"
	"chainscope/tui/term"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/box"
	"chainscope/tui/widget/pager"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// RawJSON is the box that shows an answer of the server as it came.
type RawJSON struct {
	NoMessages

	theme *theme.Theme
	keys  *keymap.Map
	title string // untrusted
	view  *pager.JSON

	width, height int // of the box
}

// NewRawJSON returns a box with a JSON text. The title may be untrusted.
func NewRawJSON(th *theme.Theme, keys *keymap.Map, title string, raw []byte) *RawJSON {
	b := &RawJSON{theme: th, keys: keys, title: title, view: pager.NewJSON(th, keys)}
	b.view.SetJSON(raw)
	return b
}

// Key handles a key.
func (b *RawJSON) Key(msg tea.KeyMsg) (tea.Cmd, bool) {
	if !b.view.Typing() {
		switch {
		case msg.String() == "esc", msg.String() == "q", key.Matches(msg, b.keys.Global.RawJSON):
			return nil, true
		case key.Matches(msg, b.keys.JSON.Copy):
			return term.Copy("JSON", string(b.view.Raw())), false
		}
	}
	b.view.Key(msg)
	return nil, false
}

// SetTheme changes the colors.
func (b *RawJSON) SetTheme(th *theme.Theme) { b.theme = th; b.view.SetTheme(th) }

// SetSize sets the cells the box may have.
func (b *RawJSON) SetSize(width, height int) {
	b.width, b.height = width-4, max(0, height-2)
	b.view.SetSize(max(0, b.width-4), max(0, b.height-2))
}

// View draws the box.
func (b *RawJSON) View(time.Time) []string {
	hint := "enter fold  f fold all  / search  n N matches  y copy  esc close"
	if b.view.Typing() {
		hint = "enter done  ↑ ↓ scroll  esc clear"
	}
	return box.Draw(b.theme, "JSON  "+text.Line(b.title), hint, b.view.View(), b.width, b.height)
}
