package pager

import (
	"fmt"
	"strings"

	"chainscope/tui/keymap"
	"chainscope/tui/text"
	"chainscope/tui/theme"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// JSON shows one JSON text: every key and value in its order.
type JSON struct {
	pager
	raw    []byte
	root   *node
	broken error // why raw is no JSON; it is then shown as text
	text   []string
	lines  []textLine
}

// textLine is one line of the text: a value, or the closing bracket of one.
type textLine struct {
	node  *node
	depth int
	close bool
}

// NewJSON returns an empty view.
func NewJSON(th *theme.Theme, keys *keymap.Map) *JSON {
	v := &JSON{}
	v.pager = newPager(th, keys, v)
	return v
}

// SetJSON shows another text, from its start and unfolded. What is no JSON is
// shown as it came, with the reason.
func (v *JSON) SetJSON(raw []byte) {
	v.raw = raw
	v.begin()
	v.root, v.broken = parse(raw)
	v.reflow()
}

// SetSize says how many cells View fills.
func (v *JSON) SetSize(width, height int) {
	v.width, v.height = width, height
	v.reflow()
}

// Raw returns the text as it came.
func (v *JSON) Raw() []byte { return v.raw }

func (v *JSON) reflow() {
	v.lines, v.text, v.lower = v.lines[:0], nil, nil
	if v.broken != nil {
		v.text = text.Block(string(v.raw), max(1, v.width))
	} else if v.root != nil {
		v.flow(v.root, 0)
	}
	v.search()
	v.move(0)
}

func (v *JSON) flow(n *node, depth int) {
	v.lines = append(v.lines, textLine{node: n, depth: depth})
	if n.folded || len(n.children) == 0 {
		return
	}
	for _, c := range n.children {
		v.flow(c, depth+1)
	}
	v.lines = append(v.lines, textLine{node: n, depth: depth, close: true})
}

func (v *JSON) count() int {
	if v.broken != nil {
		return len(v.text)
	}
	return len(v.lines)
}

// Key handles a key and reports whether it was one of the view's.
func (v *JSON) Key(msg tea.KeyMsg) bool {
	k := v.keys.JSON
	switch {
	case v.typing:
	case key.Matches(msg, k.Fold):
		v.fold()
		return true
	case key.Matches(msg, k.FoldAll):
		v.foldAll()
		return true
	}
	return v.key(msg, controls{k.Up, k.Down, k.First, k.Last, k.HalfDown, k.HalfUp, k.Search, k.Next, k.Prev})
}

// fold folds the value under the cursor, or the one around it.
func (v *JSON) fold() {
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
			v.goTo(i)
			return
		}
	}
}

// foldAll folds all values inside the outermost, or unfolds them when one is.
func (v *JSON) foldAll() {
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

func (v *JSON) plain(i int) string {
	if v.broken != nil {
		return v.text[i]
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

func (v *JSON) status() string {
	th := v.theme
	switch {
	case !v.query.Empty():
		return th.Muted.Render("/" + text.Line(v.query.Value()) + "  " + v.foundWords())
	case v.broken != nil:
		return th.Bad.Render("not JSON: " + text.Line(v.broken.Error()))
	}
	return th.Muted.Render(fmt.Sprintf("line %s of %s  %s", text.Count(v.cursor+1), text.Count(v.count()), text.Bytes(int64(len(v.raw)))))
}

func (v *JSON) row(i int) string {
	th := v.theme
	if v.broken != nil {
		if i == v.cursor {
			return th.Cursor.Render(text.Fill(text.Cut(v.text[i], v.width, th.Glyphs.Ellipsis), v.width))
		}
		return v.text[i]
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

func (v *JSON) content(l textLine, names, values, marks theme.Style) string {
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
