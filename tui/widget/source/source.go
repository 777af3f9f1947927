// Package source shows the source of a contract: colored, with line numbers, a search, and
// the way from a name to where it is defined. Only the lines in sight are read, so that a
// source of any size stays quick. It must not import apiclient or any screen.
package source

import (
	"strings"

	"chainscope/tui/keymap"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/line"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// View is a plain struct: its owner hands it keys and a size, and draws it.
type View struct {
	theme *theme.Theme
	keys  *keymap.Map

	lines   []string
	lower   []string // the same in lower case, from the first search on
	defined map[string]int

	width, height     int
	cursor, top, left int
	// name is which of the names of the line can be followed.
	name int

	typing bool // keys go into the query
	query  line.Line
	hits   line.Hits
}

// Place is where a source stands.
type Place struct{ Cursor, Top, Left, Name int }

// Name is something in a line that can be followed: to the line where it is defined, or to
// a contract.
type Name struct {
	Text string
	// Line is where it is defined, -1 for a contract.
	Line int

	from, to int
}

// New returns an empty view.
func New(th *theme.Theme, keys *keymap.Map) *View {
	return &View{theme: th, keys: keys, query: line.New()}
}

// SetTheme changes the colors.
func (v *View) SetTheme(th *theme.Theme) { v.theme = th }

// SetSize says how many cells View fills.
func (v *View) SetSize(width, height int) {
	v.width, v.height = max(0, width), max(0, height)
	v.move(0)
}

// SetText shows another source from its start.
func (v *View) SetText(source string) {
	v.lines = strings.Split(strings.TrimSuffix(source, "\n"), "\n")
	v.lower, v.defined = nil, defined(v.lines)
	v.cursor, v.top, v.left, v.name, v.typing, v.hits = 0, 0, 0, 0, false, nil
	v.query.SetValue("")
}

// Place is where the view stands, and Restore goes back there.
func (v *View) Place() Place { return Place{v.cursor, v.top, v.left, v.name} }

// Restore goes back to a place.
func (v *View) Restore(p Place) {
	v.cursor, v.top, v.left, v.name = p.Cursor, p.Top, max(0, p.Left), p.Name
	v.move(0)
}

// GoTo goes to where a name is defined, and reports whether it is.
func (v *View) GoTo(name string) bool {
	at, there := v.defined[name]
	if there {
		v.move(at - v.cursor)
		v.top = max(0, min(at-v.body()/3, len(v.lines)-v.body()))
	}
	return there
}

// Line is the number of the line under the cursor, from 1, Lines how many there are, and
// Current its text.
func (v *View) Line() int { return v.cursor + 1 }

// Lines is how many lines there are.
func (v *View) Lines() int { return len(v.lines) }

// Current is the text of the line under the cursor.
func (v *View) Current() string {
	if len(v.lines) == 0 {
		return ""
	}
	return v.lines[v.cursor]
}

// Typing reports whether keys go into the search line.
func (v *View) Typing() bool { return v.typing }

// maxLine is how many bytes of a line are looked through for names.
const maxLine = 4 << 10

// names are what can be followed in a line.
func (v *View) names(at int) []Name {
	if at >= len(v.lines) {
		return nil
	}
	of := v.lines[at]
	of = of[:min(len(of), maxLine)]
	var all []Name
	for _, t := range tokens(of) {
		words := of[t.from:t.to]
		switch where, known := v.defined[words]; {
		case t.kind == word && known && where != at:
			all = append(all, Name{words, where, t.from, t.to})
		case t.kind == principal && strings.Contains(words, "."):
			all = append(all, Name{words[1:], -1, t.from, t.to})
		}
	}
	return all
}

// Name is the name under the cursor; false when the line has none.
func (v *View) Name() (Name, bool) {
	all := v.names(v.cursor)
	if len(all) == 0 {
		return Name{}, false
	}
	return all[min(v.name, len(all)-1)], true
}

// body is how many lines of the source are shown, above the search line.
func (v *View) body() int { return max(0, v.height-1) }

func (v *View) move(by int) {
	before := v.cursor
	v.cursor = max(0, min(v.cursor+by, len(v.lines)-1))
	if v.cursor != before {
		v.name = 0
	}
	if v.cursor < v.top {
		v.top = v.cursor
	}
	if rows := v.body(); v.cursor >= v.top+rows {
		v.top = v.cursor - rows + 1
	}
	v.top = max(0, min(v.top, len(v.lines)-v.body()))
}

// Key handles a key and reports whether it was one of the view's. What enter does is its
// owner's.
func (v *View) Key(msg tea.KeyMsg) bool {
	if v.typing {
		v.typeKey(msg)
		return true
	}
	d, c := v.keys.Detail, v.keys.Contracts
	half := max(1, v.body()/2)
	switch {
	case key.Matches(msg, d.Up):
		v.move(-1)
	case key.Matches(msg, d.Down):
		v.move(1)
	case key.Matches(msg, d.First):
		v.move(-len(v.lines))
	case key.Matches(msg, d.Last):
		v.move(len(v.lines))
	case key.Matches(msg, d.HalfDown):
		v.move(half)
	case key.Matches(msg, d.HalfUp):
		v.move(-half)
	case key.Matches(msg, c.Right):
		v.left += max(8, v.width/3)
		v.left = min(v.left, max(0, len(v.Current())-1))
	case key.Matches(msg, c.Left):
		v.left = max(0, v.left-max(8, v.width/3))
	case key.Matches(msg, c.Search):
		v.typing = true
		v.query.SetValue("")
		v.search()
	case key.Matches(msg, c.Next):
		v.next(1)
	case key.Matches(msg, c.Prev):
		v.next(-1)
	case key.Matches(msg, v.keys.Global.NextPane):
		return v.turn(1)
	case key.Matches(msg, v.keys.Global.PrevPane):
		return v.turn(-1)
	default:
		return false
	}
	return true
}

// turn goes to the next name of the line; false where there is no other.
func (v *View) turn(step int) bool {
	n := len(v.names(v.cursor))
	if n > 0 {
		v.name = (v.name + step + n) % n
	}
	return n > 1
}

// typeKey handles a key of the search line. Arrows and pages move in the text.
func (v *View) typeKey(msg tea.KeyMsg) {
	switch v.query.Key(msg) {
	case line.Accepted, line.Closed:
		v.typing = false
	case line.Changed:
		v.search()
		v.nearest()
	case line.Ignored:
		switch msg.Type {
		case tea.KeyUp:
			v.move(-1)
		case tea.KeyDown:
			v.move(1)
		}
	}
}

func (v *View) search() {
	v.hits = v.hits[:0]
	if v.query.Empty() {
		return
	}
	if v.lower == nil {
		v.lower = make([]string, len(v.lines))
		for i, l := range v.lines {
			v.lower[i] = strings.ToLower(l)
		}
	}
	query := strings.ToLower(v.query.Value())
	for i, l := range v.lower {
		if strings.Contains(l, query) {
			v.hits = append(v.hits, i)
		}
	}
}

// nearest goes to the first hit at or after the cursor.
func (v *View) nearest() {
	if at, found := v.hits.From(v.cursor); found {
		v.move(at - v.cursor)
	}
}

func (v *View) next(step int) {
	if at, found := v.hits.Next(v.cursor, step); found {
		v.move(at - v.cursor)
	}
}

// Searches reports whether something is searched for, and how many lines have it.
func (v *View) Searches() (query string, found int) { return v.query.Value(), len(v.hits) }

// Stop ends a search.
func (v *View) Stop() {
	v.query.SetValue("")
	v.hits = nil
}

// View draws height lines: the source and, below it, the search line.
func (v *View) View() []string {
	if v.height <= 0 {
		return nil
	}
	out := make([]string, 0, v.height)
	for i := v.top; i < min(v.top+v.body(), len(v.lines)); i++ {
		out = append(out, v.row(i))
	}
	for len(out) < v.body() {
		out = append(out, "")
	}
	return append(out, text.Cut(v.status(), v.width, v.theme.Glyphs.Ellipsis))
}

func (v *View) status() string {
	th := v.theme
	words := th.Muted.Render(" line " + text.Count(v.Line()) + " of " + text.Count(len(v.lines)))
	switch {
	case v.typing:
		return " " + th.Key.Render("/") + v.query.View(th, max(1, v.width/2), true) + th.Muted.Render("  "+matches(len(v.hits)))
	case !v.query.Empty():
		words += th.Muted.Render("  /" + text.Line(v.query.Value()) + "  " + matches(len(v.hits)))
	}
	if name, ok := v.Name(); ok {
		words += th.Muted.Render("  " + v.leads(name))
	}
	return words
}

// leads says where enter leads.
func (v *View) leads(n Name) string {
	if n.Line < 0 {
		return "enter opens " + text.Line(n.Text)
	}
	words := "enter goes to " + text.Line(n.Text) + " in line " + text.Count(n.Line+1)
	if more := len(v.names(v.cursor)) - 1; more > 0 {
		words += ", tab to " + text.Plural(more, "other name")
	}
	return words
}

func matches(n int) string {
	if n == 1 {
		return "1 line"
	}
	return text.Count(n) + " lines"
}
