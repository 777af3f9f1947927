package overlay

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/box"

	tea "github.com/charmbracelet/bubbletea"
)

// Side is one of the two things that are compared.
type Side struct {
	Title string // untrusted text is cleaned when drawn
	Raw   json.RawMessage
}

// Compare is the box that shows two things side by side, field by field, and where they
// differ.
type Compare struct {
	NoMessages

	theme   *theme.Theme
	a, b    Side
	all     []field
	changes bool // only what differs is shown
	top     int

	width, height int
}

// NewCompare returns the box of two things.
func NewCompare(th *theme.Theme, a, b Side) *Compare {
	return &Compare{theme: th, a: a, b: b, all: pair(a.Raw, b.Raw)}
}

// shown returns the fields that are listed.
func (c *Compare) shown() []field {
	if !c.changes {
		return c.all
	}
	return c.differing()
}

// differing returns the fields that are not the same on both sides.
func (c *Compare) differing() []field {
	return slices.DeleteFunc(slices.Clone(c.all), field.same)
}

// Key scrolls, or lists only what differs.
func (c *Compare) Key(msg tea.KeyMsg) (tea.Cmd, bool) {
	switch msg.String() {
	case "esc", "q", "C":
		return nil, true
	case "d":
		c.changes, c.top = !c.changes, 0
	case "s":
		c.a, c.b = c.b, c.a
		c.all = pair(c.a.Raw, c.b.Raw)
	default:
		c.scroll(linesBy(msg, max(1, c.room()/2)))
	}
	return nil, false
}

func (c *Compare) scroll(by int) {
	lines := len(c.lines(c.inner()))
	c.top = text.Scrolled(c.top+by, c.room(), lines)
}

// SetTheme changes the colors.
func (c *Compare) SetTheme(th *theme.Theme) { c.theme = th }

// SetSize sets the cells the box may have.
func (c *Compare) SetSize(width, height int) {
	c.width, c.height = width, height
	c.scroll(0)
}

// widestCompare limits how many cells the box takes of a wide window: two whole hashes, the
// names of the fields and how much they differ.
const widestCompare = 180

func (c *Compare) inner() int { return min(c.width-2, widestCompare) - 4 }
func (c *Compare) room() int  { return max(0, c.height-6) }

// View draws the two things.
func (c *Compare) View(time.Time) []string {
	inner, room := c.inner(), c.room()
	if inner < 16 || room < 1 {
		return nil
	}
	lines := c.lines(inner)
	top := text.Scrolled(c.top, room, len(lines))
	out := append(c.head(inner), lines[top:min(len(lines), top+room)]...)
	n, verb := len(c.differing()), "differ"
	if n == 1 {
		verb = "differs"
	}
	title := fmt.Sprintf("Compare  %s of %s %s", text.Count(n), text.Plural(len(c.all), "field"), verb)
	does := "only differences"
	if c.changes {
		does = "all fields"
	}
	return box.Draw(c.theme, title, "d "+does+"  s swap  esc close", out, inner+4, min(c.height-1, room+4))
}

// stackedBelow is the width below which the two values are drawn below each other.
const (
	stackedBelow = 66
	changeCells  = 12
)

// columns share a width among the names, the two values and how much they
// differ.
func (c *Compare) columns(width int) (name, value int) {
	for _, f := range c.all {
		name = max(name, text.Width(text.Line(f.name)))
	}
	name = min(name, width/4)
	return name, max(1, (width-name-changeCells-7)/2)
}

func (c *Compare) head(width int) []string {
	th := c.theme
	if width < stackedBelow {
		return []string{th.Strong.Render(text.Truncate(c.a.Title, width)), th.Strong.Render(text.Truncate(c.b.Title, width))}
	}
	name, value := c.columns(width)
	cell := func(s string) string { return text.Fill(text.TruncateWith(s, value, th.Glyphs.Ellipsis), value) }
	return []string{th.Strong.Render(text.Fill("", name+2) + cell(c.a.Title) + "   " + cell(c.b.Title) + "  change"), ""}
}

// lines draw the fields.
func (c *Compare) lines(width int) []string {
	var out []string
	for _, f := range c.shown() {
		if width < stackedBelow {
			out = append(out, c.stack(f, width)...)
			continue
		}
		out = append(out, c.row(f, width))
	}
	if len(out) == 0 {
		out = append(out, c.theme.Muted.Render("Nothing differs."))
	}
	return out
}

func (c *Compare) row(f field, width int) string {
	th := c.theme
	name, value := c.columns(width)
	style := th.Muted
	if !f.same() {
		style = th.Text
	}
	cell := func(s *string) string {
		if s == nil {
			return th.Faint.Render(text.Fill("-", value))
		}
		return style.Render(text.Fill(text.MiddleWith(*s, value, th.Glyphs.Ellipsis), value))
	}
	mark := "   "
	if !f.same() {
		mark = " " + th.Warn.Render(th.Glyphs.Warning) + " "
	}
	return th.Muted.Render(text.Fill(text.MiddleWith(f.name, name, th.Glyphs.Ellipsis), name)) + "  " +
		cell(f.a) + mark + cell(f.b) + "  " + th.Accent.Render(text.TruncateWith(f.change(), changeCells, th.Glyphs.Ellipsis))
}

// stack draws a field on three lines, one that is the same on one.
func (c *Compare) stack(f field, width int) []string {
	th := c.theme
	value := func(s *string) string {
		if s == nil {
			return th.Faint.Render("  -")
		}
		return "  " + text.MiddleWith(*s, width-2, th.Glyphs.Ellipsis)
	}
	if f.same() {
		room := max(1, width-text.Width(text.Line(f.name))-2)
		return []string{th.Muted.Render(text.TruncateWith(f.name, width/2, th.Glyphs.Ellipsis) + "  " + text.MiddleWith(*f.a, min(room, width/2-2), th.Glyphs.Ellipsis))}
	}
	return []string{th.Warn.Render(text.TruncateWith(f.name, width, th.Glyphs.Ellipsis)), value(f.a), value(f.b)}
}
