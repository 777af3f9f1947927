package jsonview

import (
	"fmt"
	"strings"

	"chainscope/tui/keymap"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/line"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// View shows one JSON text. It is a plain struct: its owner hands it keys and a
// size, and draws it.
type View struct {
	theme  *theme.Theme
	keys   *keymap.Map
	raw    []byte
	root   *node
	broken error // why raw is no JSON; it is then shown as text
	plain  []string

	width, height int
	lines         []textLine
	cursor, top   int

	typing bool // keys go into the query
	query  line.Line
	hits   line.Hits
}

// textLine is one line of the text: a value, or the closing bracket of one.
type textLine struct {
	node  *node
	depth int
	close bool
}

// New returns an empty view.
func New(th *theme.Theme, keys *keymap.Map) *View {
	return &View{theme: th, keys: keys, query: line.New()}
}

// SetTheme changes the colors.
func (v *View) SetTheme(th *theme.Theme) { v.theme = th }

// SetJSON shows another text, from its start and unfolded. What is no JSON is
// shown as it came, with the reason.
func (v *View) SetJSON(raw []byte) {
	v.raw, v.cursor, v.top, v.typing = raw, 0, 0, false
	v.query.SetValue("")
	v.root, v.broken = parse(raw)
	v.reflow()
}

// SetSize says how many cells View fills.
func (v *View) SetSize(width, height int) {
	v.width, v.height = width, height
	v.reflow()
}

// Raw is the text as it came.
func (v *View) Raw() []byte { return v.raw }

// Typing reports whether keys go into the search line.
func (v *View) Typing() bool { return v.typing }

func (v *View) reflow() {
	v.lines, v.plain = v.lines[:0], nil
	if v.broken != nil {
		v.plain = text.Block(string(v.raw), max(1, v.width))
	} else if v.root != nil {
		v.flow(v.root, 0)
	}
	v.search()
	v.move(0)
}

func (v *View) flow(n *node, depth int) {
	v.lines = append(v.lines, textLine{node: n, depth: depth})
	if n.folded || len(n.children) == 0 {
		return
	}
	for _, c := range n.children {
		v.flow(c, depth+1)
	}
	v.lines = append(v.lines, textLine{node: n, depth: depth, close: true})
}

func (v *View) count() int {
	if v.broken != nil {
		return len(v.plain)
	}
	return len(v.lines)
}

// body is how many lines of the text are shown, above the search line.
func (v *View) body() int { return max(0, v.height-1) }

func (v *View) move(by int) {
	v.cursor = max(0, min(v.cursor+by, v.count()-1))
	if v.cursor < v.top {
		v.top = v.cursor
	}
	if rows := v.body(); v.cursor >= v.top+rows {
		v.top = v.cursor - rows + 1
	}
	v.top = max(0, min(v.top, v.count()-v.body()))
}

// Key handles a key and reports whether it was one of the view's.
func (v *View) Key(msg tea.KeyMsg) bool {
	if v.typing {
		v.typeKey(msg)
		return true
	}
	k := v.keys.JSON
	switch {
	case key.Matches(msg, k.Up):
		v.move(-1)
	case key.Matches(msg, k.Down):
		v.move(1)
	case key.Matches(msg, k.First):
		v.move(-v.count())
	case key.Matches(msg, k.Last):
		v.move(v.count())
	case key.Matches(msg, k.HalfDown):
		v.move(max(1, v.body()/2))
	case key.Matches(msg, k.HalfUp):
		v.move(-max(1, v.body()/2))
	case key.Matches(msg, k.Fold):
		v.fold()
	case key.Matches(msg, k.FoldAll):
		v.foldAll()
	case key.Matches(msg, k.Search):
		v.typing = true
		v.query.SetValue("")
		v.search()
	case key.Matches(msg, k.Next):
		v.next(1)
	case key.Matches(msg, k.Prev):
		v.next(-1)
	default:
		return false
	}
	return true
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
		case tea.KeyPgUp:
			v.move(-max(1, v.body()/2))
		case tea.KeyPgDown:
			v.move(max(1, v.body()/2))
		}
	}
}

// fold folds the value under the cursor, or the one around it.
func (v *View) fold() {
	if v.broken != nil || len(v.lines) == 0 {
		return
	}
	n := v.lines[v.cursor].node
	if len(n.children) == 0 {
		return
	}
	n.folded = !n.folded
	v.reflow()
	for i, l := range v.lines {
		if l.node == n && !l.close {
			v.move(i - v.cursor)
			return
		}
	}
}

// foldAll folds all values inside the outermost, or unfolds them when one is.
func (v *View) foldAll() {
	if v.root == nil {
		return
	}
	fold := true
	for _, c := range v.root.children {
		fold = fold && !c.folded // one that is folded means: unfold
	}
	for _, c := range v.root.children {
		c.folded = fold && len(c.children) > 0
	}
	v.root.folded = false
	v.cursor = 0
	v.reflow()
}

func (v *View) search() {
	v.hits = v.hits[:0]
	if v.query.Empty() {
		return
	}
	query := strings.ToLower(v.query.Value())
	for i := range v.count() {
		if strings.Contains(strings.ToLower(v.plainLine(i)), query) {
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

// plainLine is a line without styles and marks.
func (v *View) plainLine(i int) string {
	if v.broken != nil {
		return v.plain[i]
	}
	l := v.lines[i]
	if l.close {
		return brackets(l.node.kind)[1:]
	}
	out := ""
	if l.node.keyed {
		out = text.Line(l.node.key) + ": "
	}
	return out + text.Line(l.node.text)
}

func brackets(k kind) string {
	if k == object {
		return "{}"
	}
	return "[]"
}

// View draws height lines: the text and, below it, the search line.
func (v *View) View() []string {
	if v.height <= 0 {
		return nil
	}
	out := make([]string, 0, v.height)
	for i := v.top; i < min(v.top+v.body(), v.count()); i++ {
		out = append(out, v.row(i))
	}
	for len(out) < v.body() {
		out = append(out, "")
	}
	return append(out, text.Cut(v.status(), v.width, v.theme.Glyphs.Ellipsis))
}

func (v *View) status() string {
	th := v.theme
	switch {
	case v.typing:
		return th.Key.Render("/") + v.query.View(th, v.width/2, true) + th.Muted.Render("  "+matches(len(v.hits)))
	case !v.query.Empty():
		return th.Muted.Render("/" + text.Line(v.query.Value()) + "  " + matches(len(v.hits)))
	case v.broken != nil:
		return th.Bad.Render("not JSON: " + text.Line(v.broken.Error()))
	}
	return th.Muted.Render(fmt.Sprintf("line %s of %s  %s", text.Count(v.cursor+1), text.Count(v.count()), text.Bytes(int64(len(v.raw)))))
}

func matches(n int) string {
	if n == 1 {
		return "1 match"
	}
	return text.Count(n) + " matches"
}

func (v *View) row(i int) string {
	th := v.theme
	if v.broken != nil {
		if i == v.cursor {
			return th.Cursor.Render(text.Fill(text.Cut(v.plain[i], v.width, th.Glyphs.Ellipsis), v.width))
		}
		return v.plain[i]
	}
	l := v.lines[i]
	mark := "  "
	if !l.close && len(l.node.children) > 0 {
		mark = th.Glyphs.Unfolded + " "
		if l.node.folded {
			mark = th.Glyphs.Folded + " "
		}
	}
	indent := strings.Repeat("  ", min(l.depth, max(0, v.width/4)))
	if i == v.cursor {
		plain := mark + indent + v.content(l, theme.Style{}, theme.Style{}, theme.Style{})
		return th.Cursor.Render(text.Fill(text.Cut(plain, v.width, th.Glyphs.Ellipsis), v.width))
	}
	return text.Cut(th.Muted.Render(mark)+indent+v.content(l, th.Key, th.Number, th.Muted), v.width, th.Glyphs.Ellipsis)
}

func (v *View) content(l textLine, names, values, marks theme.Style) string {
	n := l.node
	comma := ","
	if n.last {
		comma = ""
	}
	if l.close {
		return marks.Render(brackets(n.kind)[1:] + comma)
	}
	out := ""
	if n.keyed {
		out = names.Render(text.Line(string(text.EncodeJSON(n.key)))) + marks.Render(": ")
	}
	switch {
	case n.kind == number || n.kind == other:
		return out + values.Render(text.Line(n.text)) + marks.Render(comma)
	case n.kind == word:
		return out + text.Line(n.text) + marks.Render(comma)
	case len(n.children) == 0:
		return out + marks.Render(brackets(n.kind)+comma)
	case n.folded:
		b := brackets(n.kind)
		return out + marks.Render(fmt.Sprintf("%s %s %s%s", b[:1], counted(n), b[1:], comma))
	}
	return out + marks.Render(brackets(n.kind)[:1])
}

func counted(n *node) string {
	what := "items"
	if n.kind == object {
		what = "keys"
	}
	if len(n.children) == 1 {
		what = what[:len(what)-1]
	}
	return text.Count(len(n.children)) + " " + what
}
