// Package helpview shows every key, searchable, from the key map itself. It
// must not import apiclient or any screen.
package helpview

import (
	"fmt"
	"strings"

	"chainscope/tui/keymap"
	"chainscope/tui/text"
	"chainscope/tui/theme"

	tea "github.com/charmbracelet/bubbletea"
)

// View is the help. It is a plain struct: its owner hands it keys and draws it.
type View struct {
	theme *theme.Theme
	keys  *keymap.Map
	here  map[string]bool // scopes of the place that one is in
	query string
	top   int
	lines int
	rows  int
}

// New returns help with the scopes of a place first.
func New(th *theme.Theme, keys *keymap.Map, scopes ...string) *View {
	v := &View{theme: th, keys: keys, here: map[string]bool{}}
	for _, s := range scopes {
		v.here[s] = true
	}
	return v
}

// SetTheme changes the colours.
func (v *View) SetTheme(th *theme.Theme) { v.theme = th }

// Key handles a key; it reports that help is to be closed. Every letter
// narrows what is shown.
func (v *View) Key(msg tea.KeyMsg) (closed bool) {
	switch msg.String() {
	case "esc":
		if v.query == "" {
			return true
		}
		v.query, v.top = "", 0
	case "enter":
		return true
	case "up", "ctrl+p":
		v.top--
	case "down", "ctrl+n":
		v.top++
	case "pgup", "ctrl+u":
		v.top -= max(1, v.rows/2)
	case "pgdown", "ctrl+d":
		v.top += max(1, v.rows/2)
	case "home":
		v.top = 0
	case "end":
		v.top = v.lines
	case "backspace":
		if r := []rune(v.query); len(r) > 0 {
			v.query, v.top = string(r[:len(r)-1]), 0
		}
	case "?":
		if v.query == "" {
			return true
		}
		v.query += "?"
	default:
		if msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace {
			v.query, v.top = v.query+string(msg.Runes), 0
		}
	}
	return false
}

// View draws at most height lines.
func (v *View) View(width, height int) []string {
	th := v.theme
	search := th.Muted.Render("type to search")
	if v.query != "" {
		search = th.Key.Render("/ ") + th.Input.Render(text.Line(v.query))
	}
	var body []string
	for _, mine := range []bool{true, false} {
		for _, s := range v.keys.Sections() {
			if v.here[s.Scope] == mine {
				body = append(body, v.section(s)...)
			}
		}
	}
	if len(body) == 0 {
		body = []string{th.Muted.Render("no key does that")}
	}
	v.lines, v.rows = len(body), max(0, height-2)
	v.top = max(0, min(v.top, v.lines-v.rows))
	more := ""
	if v.lines > v.rows {
		more = th.Muted.Render(fmt.Sprintf("   %d to %d of %d", v.top+1, min(v.top+v.rows, v.lines), v.lines))
	}
	out := append([]string{search + more, ""}, body[v.top:min(v.top+v.rows, v.lines)]...)
	for i := range out {
		out[i] = text.Clip(out[i], width)
	}
	return out[:min(len(out), max(0, height))]
}

func (v *View) section(s keymap.Section) []string {
	th := v.theme
	query := strings.ToLower(v.query)
	var out []string
	for _, e := range s.Entries {
		help := e.Binding.Help()
		if query != "" && !strings.Contains(strings.ToLower(help.Key+" "+help.Desc+" "+e.Name), query) {
			continue
		}
		out = append(out, "  "+th.Key.Render(text.Fill(help.Key, 16))+" "+text.Fill(help.Desc, 34)+" "+th.Muted.Render(e.Name))
	}
	if len(out) == 0 {
		return nil
	}
	return append(append([]string{th.Strong.Render(s.Title)}, out...), "")
}
