package overlay

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"chainscope/tui/keymap"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/box"
	"chainscope/tui/widget/line"

	"github.com/charmbracelet/bubbles/viewport"
	tea "github.com/charmbracelet/bubbletea"
)

// widestHelp limits how many cells the box takes of a wide window.
const widestHelp = 96

// Help is the box that shows every key, searchable, from the key map itself.
type Help struct {
	NoMessages

	theme  *theme.Theme
	keys   *keymap.Map
	scopes []string // of the place below, whose keys come first
	query  line.Line
	page   viewport.Model

	width, height int // of the box
}

// NewHelp returns help with the keys of some scopes first.
func NewHelp(th *theme.Theme, keys *keymap.Map, scopes ...string) *Help {
	return &Help{theme: th, keys: keys, scopes: scopes, query: line.New()}
}

// SetTheme changes the colors.
func (h *Help) SetTheme(th *theme.Theme) {
	h.theme = th
	h.layout()
}

// SetSize sets the cells the box may have.
func (h *Help) SetSize(width, height int) {
	h.width, h.height = min(width-2, widestHelp), max(0, height-2)
	h.layout()
}

// layout puts what matches into the page.
func (h *Help) layout() {
	h.page.Width, h.page.Height = max(0, h.width-4), max(0, h.height-4)
	body := h.body()
	for i := range body {
		body[i] = text.Cut(body[i], h.page.Width, h.theme.Glyphs.Ellipsis)
	}
	h.page.SetContent(strings.Join(body, "\n"))
}

// Key handles a key: letters search, ↑ ↓ pgup and pgdown scroll.
func (h *Help) Key(msg tea.KeyMsg) (tea.Cmd, bool) {
	if h.query.Empty() && msg.String() == "?" {
		return nil, true
	}
	switch h.query.Key(msg) {
	case line.Accepted, line.Closed:
		return nil, true
	case line.Changed:
		h.layout()
		h.page.GotoTop()
	case line.Ignored:
		switch msg.String() {
		case "up", "ctrl+p":
			h.page.ScrollUp(1)
		case "down", "ctrl+n":
			h.page.ScrollDown(1)
		case "pgup":
			h.page.HalfPageUp()
		case "pgdown":
			h.page.HalfPageDown()
		}
	}
	return nil, false
}

// View draws the box.
func (h *Help) View(time.Time) []string {
	const hint = "type to search  ↑ ↓ scroll  esc close"
	return box.Draw(h.theme, "Keys", hint, h.lines(), h.width, h.height)
}

// lines draws the search line and as much of the keys as fits.
func (h *Help) lines() []string {
	if h.page.Height == 0 || h.page.Width == 0 {
		return nil
	}
	position := ""
	if total := h.page.TotalLineCount(); total > h.page.Height {
		first := h.page.YOffset
		position = fmt.Sprintf("lines %d-%d of %d", first+1, first+h.page.VisibleLineCount(), total)
	}
	room := h.page.Width - len(position)
	search := h.theme.Key.Render("/ ") + h.query.View(h.theme, room-3, true)
	head := text.Fill(search, room) + h.theme.Muted.Render(position)
	return append([]string{head, ""}, strings.Split(h.page.View(), "\n")...)
}

// body returns the lines of all sections that match, those of the place first.
func (h *Help) body() []string {
	var here, elsewhere []string
	for _, s := range append(h.keys.Sections(), keymap.Fixed()...) {
		if slices.Contains(h.scopes, s.Scope) {
			here = append(here, h.section(s)...)
		} else {
			elsewhere = append(elsewhere, h.section(s)...)
		}
	}
	if body := append(here, elsewhere...); len(body) > 0 {
		return body
	}
	return []string{h.theme.Muted.Render("no key does that")}
}

func (h *Help) section(s keymap.Section) []string {
	th := h.theme
	query := strings.ToLower(h.query.Value())
	var out []string
	for _, e := range s.Entries {
		help := e.Binding.Help()
		keys := strings.Join(keymap.Listed(*e.Binding), " ")
		if !strings.Contains(strings.ToLower(keys+" "+help.Desc+" "+e.Name), query) {
			continue
		}
		line := "  " + th.Key.Render(text.Fill(keys, 20)) + " " + help.Desc
		if full := text.Fill(line, max(58, text.Width(line)+2)) + th.Muted.Render(e.Name); text.Width(full) <= h.page.Width {
			line = full // the name for the config where it fits whole
		}
		out = append(out, line)
	}
	if len(out) == 0 {
		return nil
	}
	return append(append([]string{th.Strong.Render(s.Title)}, out...), "")
}
