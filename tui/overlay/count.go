package overlay

import (
	"fmt"
	"slices"
	"time"

	"chainscope/tui/query"
	"chainscope/tui/screen"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/box"
	"chainscope/tui/widget/chart"

	tea "github.com/charmbracelet/bubbletea"
)

// Counts is the box that shows how often each value of a column is in a list.
// It counts the rows that are in the list when it is opened.
type Counts struct {
	NoMessages

	list    screen.Tabular
	theme   *theme.Theme
	columns []query.Column
	rows    []int
	at      int // the column
	counts  []query.Count
	cursor  int

	width, height int
}

// Count returns the box, on the column that the list is sorted by, else on the
// first that has values more than once.
func Count(th *theme.Theme, list screen.Tabular) *Counts {
	t, _ := list.Table()
	c := &Counts{list: list, theme: th, columns: t.Shown(), rows: list.Passing(t)}
	best := -1
	for i, column := range c.columns {
		if column.Name == list.Order().Column {
			best = i
			break
		}
		if best < 0 && len(c.rows) > 0 && len(query.CountValues(column, c.rows)) <= len(c.rows)/2 {
			best = i
		}
	}
	c.show(max(0, best))
	return c
}

func (c *Counts) show(column int) {
	c.at = (column + len(c.columns)) % len(c.columns)
	c.counts, c.cursor = query.CountValues(c.columns[c.at], c.rows), 0
}

// Key chooses another column or value; enter shows the rows of a value.
func (c *Counts) Key(msg tea.KeyMsg) (tea.Cmd, bool) {
	switch msg.String() {
	case "esc", "q":
		return nil, true
	case "enter":
		if c.cursor < len(c.counts) {
			return c.list.Narrow(query.Is(c.columns[c.at], c.counts[c.cursor].Value)), true
		}
	case "right", "tab", "l":
		c.show(c.at + 1)
	case "left", "shift+tab", "h":
		c.show(c.at - 1)
	default:
		c.cursor = max(0, min(len(c.counts)-1, c.cursor+linesBy(msg, max(1, c.height-8))))
	}
	return nil, false
}

// SetTheme changes the colors.
func (c *Counts) SetTheme(th *theme.Theme) { c.theme = th }

// SetSize sets the cells the box may have.
func (c *Counts) SetSize(width, height int) { c.width, c.height = width, height }

// Top returns the line of the upper edge: the box stands still while one looks
// at one column after the other.
func (c *Counts) Top(int) int { return 1 }

// The columns of the box, in cells.
const (
	widest     = 88
	countCells = 10
	shareCells = 6
	barCells   = 20
)

// View draws the values, each with a bar that is as long as its share of the
// most frequent one's.
func (c *Counts) View(time.Time) []string {
	th := c.theme
	width := min(c.width-4, widest)
	inner, room := width-4, c.height-6
	if inner < 20 || room < 1 {
		return nil
	}
	lines := []string{c.tabs(inner), ""}
	top := text.Scrolled(c.cursor-room/2, room, len(c.counts))
	bar := min(barCells, inner/4)
	valueCells := inner - countCells - shareCells - bar - 4
	for i := top; i < min(top+room, len(c.counts)); i++ {
		n := c.counts[i]
		mark := "  "
		if i == c.cursor {
			mark = th.Glyphs.Cursor + " "
		}
		value := text.MiddleWith(n.Value, valueCells, th.Glyphs.Ellipsis)
		if n.Value == "" {
			value = th.Muted.Render(c.unknown())
		}
		share := float64(n.Rows) / float64(len(c.rows))
		line := mark + text.Fill(value, valueCells) + text.PadLeft(text.Count(n.Rows), countCells) + text.PadLeft(text.Percent(share), shareCells)
		line += "  " + th.Chart.Render(chart.Bar(float64(n.Rows)/float64(c.counts[0].Rows), bar, th.Glyphs.Chart))
		if i == c.cursor {
			line = th.Cursor.Render(text.Fill(line, inner))
		}
		lines = append(lines, line)
	}
	title := fmt.Sprintf("How often  %s in %s", text.Plural(len(c.counts), "value"), text.Plural(len(c.rows), "row"))
	return box.Draw(th, title, "enter show the rows  ← → another column  esc close", lines, width, min(c.height-1, room+4))
}

// unknown returns what rows without a value have.
func (c *Counts) unknown() string {
	column := c.columns[c.at]
	if slices.ContainsFunc(c.rows, func(row int) bool { return column.Value(row).AtLeast }) {
		return "unknown, or not counted in full"
	}
	return "unknown"
}

// tabs names the columns, the one that is counted in brackets: the first ones are left
// out where it would not be in sight.
func (c *Counts) tabs(width int) string {
	out, used, first := "", 0, c.at
	for ; first >= 0; first-- {
		if used += text.Width(c.columns[first].Name) + 3; used > width-2 {
			break
		}
	}
	if first = min(first+1, c.at); first > 0 {
		out = c.theme.Muted.Render(c.theme.Glyphs.Ellipsis)
	}
	for i, column := range c.columns {
		if i < first {
			continue
		}
		if i == c.at {
			out += c.theme.Strong.Render("["+column.Name+"]") + " "
			continue
		}
		out += c.theme.Muted.Render(" "+column.Name+" ") + " "
	}
	return text.Cut(out, width, c.theme.Glyphs.Ellipsis)
}
