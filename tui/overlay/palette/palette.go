// Package palette is the go-to box: it shows every reading of what is typed, a
// place or a command, and goes where the chosen one leads.
package palette

import (
	"strings"
	"time"

	"chainscope/tui/nav"
	"chainscope/tui/overlay"
	"chainscope/tui/screen"
	"chainscope/tui/state"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/box"
	"chainscope/tui/widget/line"

	tea "github.com/charmbracelet/bubbletea"
)

// widest is how many cells the box takes of a wide window.
const widest = 92

// RunMsg asks the root to run one of its commands.
type RunMsg struct{ Command string }

// Options are what the box needs.
type Options struct {
	Theme *theme.Theme
	// Store keeps the recent places; nil keeps none.
	Store *state.Store
	// Places are listed before anything is typed.
	Places []nav.Reading
	// Context returns what the recognizer may take into account now.
	Context func() nav.RecogniseContext
}

// Palette is the overlay.
type Palette struct {
	Options
	input  line.Line
	shown  []nav.Reading
	recent []nav.Reading
	cursor int // index into shown, -1 when no reading leads anywhere

	width, height int // of the box at most
}

// New returns the box with a text already typed, and the command that reads the
// recent places.
func New(o Options, typed string) (*Palette, tea.Cmd) {
	p := &Palette{Options: o, input: line.New()}
	p.input.SetValue(typed)
	p.read()
	return p, readRecent(o.Store)
}

// read finds the readings of what is typed and puts the cursor on the best.
func (p *Palette) read() {
	if p.input.Empty() {
		p.shown = append(append([]nav.Reading{}, p.recent...), p.Places...)
	} else {
		p.shown = nav.Recognise(p.input.Value(), p.Context())
	}
	p.cursor = -1
	p.step(1)
}

// step moves the cursor to the next reading that leads somewhere, if there is
// one in that direction.
func (p *Palette) step(by int) {
	for i := p.cursor + by; i >= 0 && i < len(p.shown); i += by {
		if p.shown[i].OK() {
			p.cursor = i
			return
		}
	}
}

// Update takes the recent places.
func (p *Palette) Update(msg tea.Msg) tea.Cmd {
	r, ok := msg.(recentMsg)
	if !ok {
		return nil
	}
	if r.err != nil {
		return overlay.Fail("recent places cannot be read: " + r.err.Error())
	}
	p.recent = p.recent[:0]
	for _, one := range r.places {
		if place, err := nav.Parse(one); err == nil {
			p.recent = append(p.recent, nav.Reading{Name: "recent", About: one, Place: place})
		}
	}
	if p.input.Empty() {
		p.read()
	}
	return nil
}

// Key edits the line, or goes where the reading under the cursor leads.
func (p *Palette) Key(msg tea.KeyMsg) (tea.Cmd, bool) {
	if msg.Type == tea.KeyEsc && p.input.Value() == ":" {
		return nil, true // nothing but the mark of a command was typed
	}
	switch p.input.Key(msg) {
	case line.Closed:
		return nil, true
	case line.Accepted:
		return p.follow()
	case line.Changed:
		p.read()
	case line.Ignored:
		switch msg.String() {
		case "up", "ctrl+p":
			p.step(-1)
		case "down", "ctrl+n":
			p.step(1)
		case "tab":
			p.complete()
		}
	}
	return nil, false
}

// complete puts what the cursor is on into the line: a recent place, or the
// correction of the first reading that failed.
func (p *Palette) complete() {
	if p.cursor >= 0 {
		if r := p.shown[p.cursor]; r.Command == "" && r.Name == "recent" {
			p.input.SetValue(r.About)
			p.read()
		}
		return
	}
	for _, r := range p.shown {
		if r.Fix != "" {
			p.input.SetValue(r.Fix)
			p.read()
			return
		}
	}
}

func (p *Palette) follow() (tea.Cmd, bool) {
	if p.cursor < 0 {
		p.complete()
		return nil, false
	}
	r := p.shown[p.cursor]
	if r.Command != "" {
		return func() tea.Msg { return RunMsg{r.Command} }, true
	}
	return tea.Batch(screen.Go(r.Place), remember(p.Store, r.Place)), true
}

// SetTheme changes the colors.
func (p *Palette) SetTheme(th *theme.Theme) { p.Theme = th }

// SetSize says how many cells the box may have.
func (p *Palette) SetSize(width, height int) { p.width, p.height = width, height }

// Top returns the line of the upper edge: the box grows downwards only, so that
// the line that is typed does not move.
func (p *Palette) Top(height int) int {
	if height < 20 {
		return 1
	}
	return 3
}

// View draws the line and the readings, good ones first.
func (p *Palette) View(time.Time) []string {
	width := min(p.width-4, widest)
	inner := width - 4
	if inner < 10 {
		return nil
	}
	lines := []string{p.Theme.Key.Render("> ") + p.input.View(p.Theme, inner-2, true), ""}
	if p.input.Empty() {
		lines = append(lines, p.example(inner)...)
	}
	room := p.height - p.Top(p.height) - len(lines) - 3
	rows, at := p.rows(inner)
	top := max(0, at-max(1, room)+1)
	lines = append(lines, rows[top:max(top, min(len(rows), top+room))]...)
	for i := range lines {
		lines[i] = text.Clip(lines[i], inner)
	}
	title := "Go to anything"
	if strings.HasPrefix(p.input.Value(), ":") {
		title = "Commands"
	}
	return box.Draw(p.Theme, title, "enter open  tab complete  esc close", lines, width, min(p.height, len(lines)+2))
}

// example says what can be typed.
func (p *Palette) example(width int) []string {
	var out []string
	for _, l := range text.Block("a height, a hash, latest, a contract, contract::id, a namespace, name.namespace, : for commands", width) {
		out = append(out, p.Theme.Muted.Render(l))
	}
	return append(out, "")
}

// rows draws the readings and returns the row of the cursor.
func (p *Palette) rows(width int) (rows []string, cursor int) {
	column := 0
	for _, r := range p.shown {
		column = max(column, text.Width(text.Line(r.Name)))
	}
	column = min(column, width/3)
	for i, r := range p.shown {
		switch {
		case !r.OK():
			rows = append(rows, p.failed(r, column, width)...)
		case i == p.cursor:
			cursor = len(rows)
			rows = append(rows, p.Theme.Cursor.Render(text.Fill(p.Theme.Glyphs.Cursor+" "+p.reading(r, column, width-2, theme.Style{}, theme.Style{}), width)))
		default:
			rows = append(rows, "  "+p.reading(r, column, width-2, p.Theme.Strong, p.Theme.Muted))
		}
	}
	return rows, cursor
}

// reading draws a reading that leads somewhere, its note at the right. The middle
// of a long thing is left out rather than its note.
func (p *Palette) reading(r nav.Reading, column, width int, name, note theme.Style) string {
	ellipsis := p.Theme.Glyphs.Ellipsis
	least := min(16, text.Width(text.Line(r.About)))
	remark := text.TruncateWith(r.Note, max(0, width-column-3-least), ellipsis)
	about := text.MiddleWith(r.About, max(0, width-column-1-text.Width(remark)-2), ellipsis)
	left := name.Render(text.Fill(text.TruncateWith(r.Name, column, ellipsis), column)) + " " + about
	return text.Fill(left, width-text.Width(remark)) + note.Render(remark)
}

// failed draws why a reading does not lead anywhere, on as many lines as that
// takes.
func (p *Palette) failed(r nav.Reading, column, width int) []string {
	reason := r.Reason
	if r.Fix != "" {
		reason += "; tab: " + r.Fix
	}
	var out []string
	label := text.TruncateWith(r.Name, column, p.Theme.Glyphs.Ellipsis)
	for _, l := range text.Block(reason, max(1, width-column-3)) {
		out = append(out, p.Theme.Muted.Render("  "+text.Fill(label, column)+" "+l))
		label = ""
	}
	return out
}
