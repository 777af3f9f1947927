// Package picker is a list to choose from that is narrowed by typing: the copy
// menu, bookmarks, export formats, scenarios. It must not import apiclient or
// any screen.
package picker

import (
	"slices"
	"strings"

	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/line"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/sahilm/fuzzy"
)

// Item is one line to choose.
type Item struct {
	ID    string // identifies it to the owner
	Key   string // a key that chooses it at once while nothing is typed, "" for none
	Label string // untrusted text is cleaned when drawn
	Note  string // shown muted after the label
	Off   string // why it cannot be chosen, "" when it can
}

// Outcome holds what a key did.
type Outcome int

const (
	Stays  Outcome = iota // the cursor moved, or the list was narrowed
	Chosen                // Current is the choice
	Closed
)

// Picker is a plain struct: its owner passes it keys and draws it.
type Picker struct {
	// Empty is shown when there are no items at all.
	Empty string

	theme  *theme.Theme
	items  []Item
	shown  []int
	query  line.Line
	filter bool // letters narrow the list; else they are keys of items
	cursor int
	top    int
	rows   int // how many lines of items were drawn last
}

// New returns a picker. With filter, letters narrow the list; without, they are
// the keys of the items.
func New(th *theme.Theme, items []Item, filter bool) *Picker {
	p := &Picker{Empty: "nothing to choose from", theme: th, filter: filter, query: line.New()}
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
	p.Select(at.ID)
}

// Select puts the cursor on an item, if it is there.
func (p *Picker) Select(id string) {
	for i, n := range p.shown {
		if p.items[n].ID == id {
			p.cursor = i
		}
	}
}

// SetTheme changes the colors.
func (p *Picker) SetTheme(th *theme.Theme) { p.theme = th }

// Current returns the item under the cursor; false when there is none.
func (p *Picker) Current() (Item, bool) {
	if p.cursor < 0 || p.cursor >= len(p.shown) {
		return Item{}, false
	}
	return p.items[p.shown[p.cursor]], true
}

// Query returns what was typed.
func (p *Picker) Query() string { return p.query.Value() }

// AtEnd reports whether the cursor of the query is after its last character.
func (p *Picker) AtEnd() bool { return p.query.Position() == len([]rune(p.query.Value())) }

// Len returns how many items are shown.
func (p *Picker) Len() int { return len(p.shown) }

// Height returns how many lines View needs to show every item.
func (p *Picker) Height() int {
	h := max(1, len(p.shown))
	if p.filter {
		h++
	}
	return h
}

type labels []Item

func (l labels) String(i int) string { return l[i].Label + " " + l[i].Note }
func (l labels) Len() int            { return len(l) }

func (p *Picker) narrow() {
	p.shown = p.shown[:0]
	if p.query.Empty() {
		for i := range p.items {
			p.shown = append(p.shown, i)
		}
	} else {
		for _, m := range fuzzy.FindFrom(p.query.Value(), labels(p.items)) {
			p.shown = append(p.shown, m.Index)
		}
		// A whole name is first: it may begin or end another.
		for i, n := range p.shown {
			if strings.EqualFold(strings.TrimSpace(p.items[n].Label), p.query.Value()) {
				p.shown = slices.Insert(slices.Delete(p.shown, i, i+1), 0, n)
				break
			}
		}
	}
	p.cursor = max(0, min(p.cursor, len(p.shown)-1))
}

// Key handles a key. After Chosen, Current is the choice; an item that is off
// is never chosen.
func (p *Picker) Key(msg tea.KeyMsg) Outcome {
	if p.filter {
		switch p.query.Key(msg) {
		case line.Changed:
			p.cursor = 0
			p.narrow()
			return Stays
		case line.Moved:
			return Stays
		case line.Closed:
			return Closed
		}
	}
	switch msg.String() {
	case "esc":
		return Closed
	case "enter":
		if item, ok := p.Current(); ok && item.Off == "" {
			return Chosen
		}
	case "up", "ctrl+p", "shift+tab":
		p.move(-1)
	case "down", "ctrl+n", "tab":
		p.move(1)
	case "pgup":
		p.move(-pageStep)
	case "pgdown":
		p.move(pageStep)
	case "home":
		p.cursor = 0
	case "end":
		p.cursor = max(0, len(p.shown)-1)
	default:
		return p.letter(msg)
	}
	return Stays
}

// pageStep is the number of items that pgup and pgdown move by.
const pageStep = 10

func (p *Picker) move(by int) { p.cursor = max(0, min(len(p.shown)-1, p.cursor+by)) }

// letter handles a letter where letters are not typed.
func (p *Picker) letter(msg tea.KeyMsg) Outcome {
	if p.filter || msg.Type != tea.KeyRunes {
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
		p.move(1)
	case "k":
		p.move(-1)
	case "q", "h":
		return Closed
	}
	return Stays
}

// Click puts the cursor on the item in a line of what was drawn last; false where there
// is none that can be chosen.
func (p *Picker) Click(line int) bool {
	if p.filter {
		line--
	}
	at := p.top + line
	if line < 0 || line >= p.rows || at >= len(p.shown) || p.items[p.shown[at]].Off != "" {
		return false
	}
	p.cursor = at
	return true
}

// View draws at most height lines.
func (p *Picker) View(width, height int) []string {
	th := p.theme
	var out []string
	if p.filter {
		out = append(out, th.Key.Render("/ ")+p.query.View(th, width-2, true))
	}
	rows := max(0, height-len(out))
	hidden := max(0, len(p.shown)-rows)
	if hidden > 0 && rows > leastRows { // a line says so
		rows, hidden = rows-1, hidden+1
	} else {
		hidden = 0
	}
	p.rows = rows
	p.top = text.Window(p.top, p.cursor, p.cursor, rows, len(p.shown))
	for i := p.top; i < min(p.top+rows, len(p.shown)); i++ {
		out = append(out, p.row(i, width))
	}
	if hidden > 0 {
		above := min(p.top, hidden)
		out = append(out, th.Muted.Render(moreWords(above, hidden-above)))
	}
	if len(p.shown) == 0 && len(out) < height {
		words := "nothing matches"
		if len(p.items) == 0 {
			words = p.Empty
		}
		out = append(out, th.Muted.Render(words))
	}
	for i := range out {
		out[i] = text.Cut(out[i], width, th.Glyphs.Ellipsis)
	}
	return out[:min(len(out), max(0, height))]
}

// leastRows is the number of rows that are worth more than the line that says how many are not in
// sight.
const leastRows = 2

// moreWords returns how many items are not in sight.
func moreWords(above, below int) string {
	switch {
	case above == 0:
		return text.Count(below) + " more below"
	case below == 0:
		return text.Count(above) + " more above"
	}
	return text.Count(above) + " more above, " + text.Count(below) + " below"
}

// leastNote is the least width of a note, in cells.
const leastNote = 8

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
	if room := width - text.Width(mark+keyText+label) - 2; room < min(text.Width(note), leastNote) {
		note = ""
	}
	if i == p.cursor {
		return th.Cursor.Render(text.Fill(text.Cut(mark+keyText+label+"  "+note, width, th.Glyphs.Ellipsis), width))
	}
	style := th.Text
	if item.Off != "" {
		style = th.Muted
	}
	return mark + th.Key.Render(keyText) + style.Render(label) + "  " + th.Muted.Render(note)
}
