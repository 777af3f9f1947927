// Package pager shows long texts line by line, with a cursor and a search: JSON as it came,
// whose parts can be folded away, and the source of a contract. It must not import apiclient
// or any screen.
package pager

import (
	"strings"

	"chainscope/tui/keymap"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/line"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// pager moves a cursor through the lines of a text and searches them. Its owner passes it
// keys and a size, and draws the lines.
type pager struct {
	theme *theme.Theme
	keys  *keymap.Map
	of    lines

	width, height int
	cursor, top   int

	typing bool // keys go into the query
	query  line.Line
	hits   hits
	lower  []string // the lines in lower case, from the first search on
}

// lines hold what a pager shows.
type lines interface {
	// count returns their number, plain one without styles and marks, row one as it is drawn.
	count() int
	plain(i int) string
	row(i int) string
	// status is the last line while nothing is typed.
	status() string
}

// controls are the keys of a pager.
type controls struct {
	up, down, first, last, halfDown, halfUp, search, next, prev key.Binding
}

func newPager(th *theme.Theme, keys *keymap.Map, of lines) pager {
	return pager{theme: th, keys: keys, of: of, query: line.New()}
}

// SetTheme changes the colors.
func (p *pager) SetTheme(th *theme.Theme) { p.theme = th }

// Typing reports whether keys go into the search line.
func (p *pager) Typing() bool { return p.typing }

// begin goes to the start of another text.
func (p *pager) begin() {
	p.cursor, p.top, p.typing, p.hits, p.lower = 0, 0, false, nil, nil
	p.query.SetValue("")
}

// body returns how many lines of the text are shown, above the search line.
func (p *pager) body() int { return max(0, p.height-1) }

func (p *pager) move(by int) { p.goTo(p.cursor + by) }

func (p *pager) goTo(at int) {
	p.cursor = max(0, min(at, p.of.count()-1))
	p.top = text.Window(p.top, p.cursor, p.cursor, p.body(), p.of.count())
}

// key handles a key and reports whether it was one of the pager's.
func (p *pager) key(msg tea.KeyMsg, k controls) bool {
	half := max(1, p.body()/2)
	switch {
	case p.typing:
		p.typeKey(msg)
	case key.Matches(msg, k.up):
		p.move(-1)
	case key.Matches(msg, k.down):
		p.move(1)
	case key.Matches(msg, k.first):
		p.goTo(0)
	case key.Matches(msg, k.last):
		p.goTo(p.of.count())
	case key.Matches(msg, k.halfDown):
		p.move(half)
	case key.Matches(msg, k.halfUp):
		p.move(-half)
	case key.Matches(msg, k.search):
		p.typing = true
		p.query.SetValue("")
		p.search()
	case key.Matches(msg, k.next):
		p.step(1)
	case key.Matches(msg, k.prev):
		p.step(-1)
	default:
		return false
	}
	return true
}

// typeKey handles a key of the search line. Arrows and pages move in the text.
func (p *pager) typeKey(msg tea.KeyMsg) {
	switch p.query.Key(msg) {
	case line.Accepted, line.Closed:
		p.typing = false
	case line.Changed:
		p.search()
		if at, found := p.hits.from(p.cursor); found {
			p.goTo(at)
		}
	case line.Ignored:
		switch msg.Type {
		case tea.KeyUp:
			p.move(-1)
		case tea.KeyDown:
			p.move(1)
		case tea.KeyPgUp:
			p.move(-max(1, p.body()/2))
		case tea.KeyPgDown:
			p.move(max(1, p.body()/2))
		}
	}
}

// step goes to the next place that the search found, or back to the one before.
func (p *pager) step(by int) {
	if at, found := p.hits.next(p.cursor, by); found {
		p.goTo(at)
	}
}

// search finds the lines that have what is typed.
func (p *pager) search() {
	p.hits = p.hits[:0]
	if p.query.Empty() {
		return
	}
	if p.lower == nil {
		p.lower = make([]string, p.of.count())
		for i := range p.lower {
			p.lower[i] = strings.ToLower(p.of.plain(i))
		}
	}
	query := strings.ToLower(p.query.Value())
	for i, l := range p.lower {
		if strings.Contains(l, query) {
			p.hits = append(p.hits, i)
		}
	}
}

// View draws as many lines as there are of the window: the text and, below it, the search line.
func (p *pager) View() []string {
	if p.height <= 0 {
		return nil
	}
	out := make([]string, 0, p.height)
	for i := p.top; i < min(p.top+p.body(), p.of.count()); i++ {
		out = append(out, p.of.row(i))
	}
	for len(out) < p.body() {
		out = append(out, "")
	}
	status := p.of.status()
	if p.typing {
		status = p.theme.Key.Render("/") + p.query.View(p.theme, max(1, p.width/2), true) + p.theme.Muted.Render("  "+p.foundWords())
	}
	return append(out, text.Cut(status, p.width, p.theme.Glyphs.Ellipsis))
}

// foundWords returns how many lines have what is searched for.
func (p *pager) foundWords() string { return text.Plural(len(p.hits), "line") }
