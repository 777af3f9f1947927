package pager

import (
	"strconv"
	"strings"

	"chainscope/tui/keymap"
	"chainscope/tui/text"
	"chainscope/tui/theme"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Source shows the source of a contract: colored, with line numbers, and the way from a name
// to where it is defined. Only the lines in sight are taken apart, so that a source of any
// size stays quick.
type Source struct {
	pager
	lines   []string
	defined map[string]int
	left    int
	// name is the index of the name in the line that can be followed.
	name int
}

// Place is a position in a source.
type Place struct{ Cursor, Top, Left, Name int }

// Name is something in a line that can be followed: to the line where it is defined, or to
// a contract.
type Name struct {
	Text string
	// Line is that of its definition, -1 for a contract.
	Line int

	from, to int
}

// NewSource returns an empty view.
func NewSource(th *theme.Theme, keys *keymap.Map) *Source {
	v := &Source{}
	v.pager = newPager(th, keys, v)
	return v
}

// SetSize says how many cells View fills.
func (v *Source) SetSize(width, height int) {
	v.width, v.height = max(0, width), max(0, height)
	v.move(0)
}

// SetText shows another source from its start.
func (v *Source) SetText(source string) {
	v.lines = strings.Split(strings.TrimSuffix(source, "\n"), "\n")
	v.defined, v.left, v.name = defined(v.lines), 0, 0
	v.begin()
}

// Place returns where the view is, and Restore goes back there.
func (v *Source) Place() Place { return Place{v.cursor, v.top, v.left, v.name} }

// Restore goes back to a place.
func (v *Source) Restore(p Place) {
	v.cursor, v.top, v.left, v.name = p.Cursor, p.Top, max(0, p.Left), p.Name
	v.move(0)
}

// GoTo goes to where a name is defined, or to a line by its number, and reports whether it is there.
func (v *Source) GoTo(name string) bool {
	at, there := v.defined[name]
	if n, err := strconv.Atoi(name); err == nil && n > 0 && n <= len(v.lines) {
		at, there = n-1, true
	}
	if there {
		v.goTo(at)
		v.name, v.top = 0, text.Scrolled(at-v.body()/3, v.body(), len(v.lines))
	}
	return there
}

// Line returns the number of the line under the cursor, from 1, Lines how many there are, and
// Current its text.
func (v *Source) Line() int { return v.cursor + 1 }

// Lines returns how many lines there are.
func (v *Source) Lines() int { return len(v.lines) }

// Current returns the text of the line under the cursor.
func (v *Source) Current() string {
	if len(v.lines) == 0 {
		return ""
	}
	return v.lines[v.cursor]
}

// maxLine limits how many bytes of a line are looked through for names.
const maxLine = 4 << 10

// names returns what can be followed in a line.
func (v *Source) names(at int) []Name {
	if at >= len(v.lines) {
		return nil
	}
	of := v.lines[at]
	of = of[:min(len(of), maxLine)]
	var all []Name
	for _, t := range tokens(of) {
		words := of[t.from:t.to]
		switch where, known := v.defined[words]; {
		case t.kind == plainWord && known && where != at:
			all = append(all, Name{words, where, t.from, t.to})
		case t.kind == principal && strings.Contains(words, "."):
			all = append(all, Name{words[1:], -1, t.from, t.to})
		}
	}
	return all
}

// Name returns the name under the cursor; false when the line has none.
func (v *Source) Name() (Name, bool) {
	all := v.names(v.cursor)
	if len(all) == 0 {
		return Name{}, false
	}
	return all[min(v.name, len(all)-1)], true
}

func (v *Source) count() int         { return len(v.lines) }
func (v *Source) plain(i int) string { return v.lines[i] }

// Key handles a key and reports whether it was one of the view's. What enter does is its
// owner's.
func (v *Source) Key(msg tea.KeyMsg) bool {
	d, c := v.keys.Detail, v.keys.Contracts
	switch {
	case v.typing:
	case key.Matches(msg, c.Right):
		v.left = min(v.left+max(8, v.width/3), max(0, len(v.Current())-1))
		return true
	case key.Matches(msg, c.Left):
		v.left = max(0, v.left-max(8, v.width/3))
		return true
	case key.Matches(msg, v.keys.Global.NextPane):
		return v.turn(1)
	case key.Matches(msg, v.keys.Global.PrevPane):
		return v.turn(-1)
	}
	before := v.cursor
	handled := v.key(msg, controls{d.Up, d.Down, d.First, d.Last, d.HalfDown, d.HalfUp, c.Search, c.Next, c.Prev})
	if v.cursor != before {
		v.name = 0
	}
	return handled
}

// turn goes to the next name of the line; false where there is no other.
func (v *Source) turn(step int) bool {
	n := len(v.names(v.cursor))
	if n > 0 {
		v.name = (v.name + step + n) % n
	}
	return n > 1
}

// Searches reports whether something is searched for, and how many lines have it.
func (v *Source) Searches() (query string, found int) { return v.query.Value(), len(v.hits) }

// Stop ends a search.
func (v *Source) Stop() {
	v.query.SetValue("")
	v.hits = nil
}

func (v *Source) status() string {
	th := v.theme
	words := th.Muted.Render(" line " + text.Count(v.Line()) + " of " + text.Count(len(v.lines)))
	if !v.query.Empty() {
		words += th.Muted.Render("  /" + text.Line(v.query.Value()) + "  " + v.foundWords())
	}
	if name, ok := v.Name(); ok {
		words += th.Muted.Render("  " + v.leads(name))
	}
	return words
}

// leads returns where enter leads.
func (v *Source) leads(n Name) string {
	if n.Line < 0 {
		return "enter opens " + text.Line(n.Text)
	}
	words := "enter goes to " + text.Line(n.Text) + " in line " + text.Count(n.Line+1)
	if more := len(v.names(v.cursor)) - 1; more > 0 {
		words += ", tab to " + text.Plural(more, "other name")
	}
	return words
}
