// Package picker is a list to choose from that is narrowed by typing: the copy
// menu, bookmarks, export formats, scenarios. It must not import apiclient or
// any screen.
package picker

import (
	"strings"

	"chainscope/tui/text"
	"chainscope/tui/theme"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/sahilm/fuzzy"
)

// Item is one line to choose.
type Item struct {
	ID    string // what the owner knows it by
	Key   string // a key that chooses it at once while nothing is typed, "" for none
	Label string // untrusted text is cleaned when drawn
	Note  string // shown muted behind the label
	Off   string // why it cannot be chosen, "" when it can
}

// Outcome is what a key came to.
type Outcome int

// A key moves or narrows, chooses the item under the cursor, or closes.
const (
	Stays Outcome = iota
	Chosen
	Closed
)

// Picker is a plain struct: its owner hands it keys and draws it.
type Picker struct {
	theme  *theme.Theme
	items  []Item
	shown  []int
	query  string
	filter bool // letters narrow the list; else they are keys of items
	cursor int
	top    int
}

// New returns a picker. With filter, letters narrow the list; without, they are
// the keys of the items.
func New(th *theme.Theme, items []Item, filter bool) *Picker {
	p := &Picker{theme: th, filter: filter}
	p.SetItems(items)
	return p
}

// SetItems replaces the items and keeps the cursor on the item that it is on.
func (p *Picker) SetItems(items []Item) {
	at, ok := p.Current()
	p.items = items
	p.narrow()
	if !ok {
		return
	}
	for i, n := range p.shown {
		if p.items[n].ID == at.ID {
			p.cursor = i
		}
	}
}

// SetTheme changes the colours.
func (p *Picker) SetTheme(th *theme.Theme) { p.theme = th }

// Current is the item under the cursor; false when there is none.
func (p *Picker) Current() (Item, bool) {
	if p.cursor < 0 || p.cursor >= len(p.shown) {
		return Item{}, false
	}
	return p.items[p.shown[p.cursor]], true
}

// Query is what was typed.
func (p *Picker) Query() string { return p.query }

// Len is how many items are shown.
func (p *Picker) Len() int { return len(p.shown) }

type labels []Item

func (l labels) String(i int) string { return l[i].Label + " " + l[i].Note }
func (l labels) Len() int            { return len(l) }

func (p *Picker) narrow() {
	p.shown = p.shown[:0]
	if p.query == "" {
		for i := range p.items {
			p.shown = append(p.shown, i)
		}
	} else {
		for _, m := range fuzzy.FindFrom(p.query, labels(p.items)) {
			p.shown = append(p.shown, m.Index)
		}
	}
	p.cursor = max(0, min(p.cursor, len(p.shown)-1))
}

// Key handles a key. After Chosen, Current is the choice; an item that is off
// is never chosen.
func (p *Picker) Key(msg tea.KeyMsg) Outcome {
	switch msg.String() {
	case "esc":
		if p.query == "" {
			return Closed
		}
		p.query = ""
		p.narrow()
	case "enter":
		if item, ok := p.Current(); ok && item.Off == "" {
			return Chosen
		}
	case "up", "ctrl+p", "shift+tab":
		p.cursor = max(0, p.cursor-1)
	case "down", "ctrl+n", "tab":
		p.cursor = max(0, min(len(p.shown)-1, p.cursor+1))
	case "home":
		p.cursor = 0
	case "end":
		p.cursor = max(0, len(p.shown)-1)
	case "backspace":
		if r := []rune(p.query); len(r) > 0 {
			p.query = string(r[:len(r)-1])
			p.narrow()
		}
	default:
		return p.letters(msg)
	}
	return Stays
}

func (p *Picker) letters(msg tea.KeyMsg) Outcome {
	if msg.Type != tea.KeyRunes && msg.Type != tea.KeySpace {
		return Stays
	}
	if p.filter {
		p.query += string(msg.Runes)
		p.cursor = 0
		p.narrow()
		return Stays
	}
	for i, n := range p.shown {
		if item := p.items[n]; item.Key != "" && item.Key == msg.String() {
			p.cursor = i
			if item.Off == "" {
				return Chosen
			}
			return Stays
		}
	}
	switch msg.String() {
	case "j":
		p.cursor = max(0, min(len(p.shown)-1, p.cursor+1))
	case "k":
		p.cursor = max(0, p.cursor-1)
	case "q", "h":
		return Closed
	}
	return Stays
}

// View draws at most height lines.
func (p *Picker) View(width, height int) []string {
	th := p.theme
	var out []string
	if p.filter {
		out = append(out, th.Key.Render("/ ")+th.Input.Render(text.Line(p.query)))
	}
	rows := max(0, height-len(out))
	if p.cursor < p.top {
		p.top = p.cursor
	}
	if p.cursor >= p.top+rows {
		p.top = p.cursor - rows + 1
	}
	p.top = max(0, min(p.top, len(p.shown)-rows))
	for i := p.top; i < min(p.top+rows, len(p.shown)); i++ {
		out = append(out, p.row(i, width))
	}
	if len(p.shown) == 0 && len(out) < height {
		out = append(out, th.Muted.Render("nothing matches"))
	}
	for i := range out {
		out[i] = text.Clip(out[i], width)
	}
	return out[:min(len(out), max(0, height))]
}

func (p *Picker) row(i, width int) string {
	th, item := p.theme, p.items[p.shown[i]]
	mark, keyText := "  ", ""
	if i == p.cursor {
		mark = th.Glyphs.Cursor + " "
	}
	if !p.filter && item.Key != "" {
		keyText = item.Key + strings.Repeat(" ", max(0, 2-text.Width(item.Key)))
	}
	note := item.Note
	if item.Off != "" {
		note = item.Off
	}
	label, note := text.Line(item.Label), text.Line(note)
	if i == p.cursor {
		return th.Cursor.Render(text.Fill(mark+keyText+label+"  "+note, width))
	}
	style := th.Text
	if item.Off != "" {
		style = th.Muted
	}
	return mark + th.Key.Render(keyText) + style.Render(label) + "  " + th.Muted.Render(note)
}
