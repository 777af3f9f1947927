package mockpanel

import (
	"strconv"
	"strings"

	"chainscope/tui/mockclient"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/picker"

	tea "github.com/charmbracelet/bubbletea"
)

// shownAnswers is the number of canned answers that the panel reads.
const shownAnswers = 200

// canned is the list of what contracts answer, and the whole of the answer under
// the cursor.
type canned struct {
	theme  *theme.Theme
	picker *picker.Picker
	rows   []mockclient.Canned
	total  int // what the mock has
}

// kinds are the kinds of answers in words.
var kinds = map[string]string{"reads": "read-only", "calls": "call", "maps": "map", "vars": "variable", "constants": "constant"}

func newCanned(th *theme.Theme, rows []mockclient.Canned, total int) *canned {
	c := &canned{theme: th, picker: picker.New(th, nil, true)}
	c.set(rows, total)
	return c
}

// set replaces the answers.
func (c *canned) set(rows []mockclient.Canned, total int) {
	c.rows, c.total = rows, total
	items := make([]picker.Item, len(rows))
	for i, r := range rows {
		address, name, _ := strings.Cut(r.Contract, ".")
		items[i] = picker.Item{
			ID:    strconv.Itoa(i),
			Label: text.Middle(address, 11) + "." + name + "::" + r.Name + argsOf(r),
			Note:  r.Result,
		}
	}
	c.picker.SetItems(items)
}

// argsOf writes what is answered to: nothing for a variable, (…) for any arguments.
func argsOf(r mockclient.Canned) string {
	switch {
	case r.Kind == "vars" || r.Kind == "constants":
		return ""
	case r.Args == nil:
		return "(…)"
	}
	return "(" + strings.Join(r.Args, " ") + ")"
}

// key handles a key; done goes back to the panel.
func (c *canned) key(msg tea.KeyMsg) (done bool) { return c.picker.Key(msg) == picker.Closed }

func (c *canned) title() string {
	if c.total > len(c.rows) {
		return "Canned answers  " + text.Count(len(c.rows)) + " of " + text.Count(c.total)
	}
	return "Canned answers  " + text.Count(c.total)
}

// detailLines is the number of lines that the answer under the cursor has.
const detailLines = 5

// lines draws the list, and below it the answer under the cursor where there is
// room for both.
func (c *canned) lines(width, height int) []string {
	rows := min(c.picker.Height(), max(2, height-detailLines-1))
	out := c.picker.View(width, min(rows, height))
	item, ok := c.picker.Current()
	if i, err := strconv.Atoi(item.ID); ok && err == nil && i < len(c.rows) && height > len(out)+1 {
		r := c.rows[i]
		th := c.theme
		detail := []string{"", th.Muted.Render(kinds[r.Kind]+" of ") + text.Line(r.Contract)}
		detail = append(detail, th.Text.RenderAll(text.Block(r.Name+argsOf(r)+" answers "+r.Result, width))...)
		detail = append(detail, make([]string, detailLines)...) // the box keeps its height
		out = append(out, detail[:min(detailLines+1, height-len(out))]...)
	}
	for i := range out {
		out[i] = text.Cut(out[i], width, c.theme.Glyphs.Ellipsis)
	}
	return out
}
