// Package palette is the box to find things by name or address and the box of
// commands: one line to type in, and below it everything that fits, best first.
package palette

import (
	"slices"
	"strings"

	"chainscope/tui/nav"
	"chainscope/tui/overlay"
	"chainscope/tui/remote"
	"chainscope/tui/screen"
	"chainscope/tui/state"
	"chainscope/tui/theme"
	"chainscope/tui/widget/line"

	tea "github.com/charmbracelet/bubbletea"
)

// RunMsg requests a command of the root.
type RunMsg struct{ Command screen.Named }

// Options hold what the box needs.
type Options struct {
	Theme *theme.Theme
	// Store keeps the recent places; nil keeps none, and no bookmarks.
	Store *state.Store
	// Network is the name of the API whose places are kept.
	Network string
	// Typed returns the command that a text means which no command has as its title; it may be nil.
	Typed func(text string) []screen.Named
	// Bookmarks reads the bookmarks.
	Bookmarks func() ([]screen.Named, error)
	// Examples are shown before anything is typed. Each is typed in when chosen.
	Examples []Example
	// Places are the tabs.
	Places []screen.Named
	// Commands hold what can be done here and now.
	Commands []screen.Named
	// Find returns things whose names may hold a query.
	Find func(query string) []screen.Named
	// Search requests things that are named by what is typed; Find has them when they
	// have come.
	Search func(typed string) tea.Cmd
	// Context returns what the recognizer may take into account now.
	Context func() nav.RecogniseContext
	// Env sends what was chosen: a RunMsg or a screen.GoMsg.
	Env *screen.Env
	// Selected says that the text already typed gives way to what is typed next, as a selection
	// does.
	Selected bool
}

// Example is something that can be typed.
type Example struct{ Text, About string }

// row is a line of the list: a reading of what is typed, or a thing by its name.
type row struct {
	nav.Reading
	subject screen.Named
	named   bool
	fill    string // what tab types, "" for nothing
}

// Palette is the overlay.
type Palette struct {
	Options
	commands bool // only commands are listed
	input    line.Line
	shown    []row
	kept     remote.Value[kept]
	cursor   int // index into shown, -1 when no row leads anywhere

	width, height int // of the box at most
}

// New returns the box to find things, with a text already typed, and the command
// that reads what is kept on disk.
func New(o Options, typed string) (*Palette, tea.Cmd) {
	p := &Palette{Options: o, input: line.New()}
	p.input.SetValue(typed)
	p.read()
	if typed != "" && p.cursor >= 0 && p.shown[p.cursor].Place == p.Context().Here { // it did not lead far
		p.step(1)
	}
	return p, p.readKept()
}

// NewCommands returns the box of commands, with a text already typed.
func NewCommands(o Options, typed string) *Palette {
	p := &Palette{Options: o, input: line.New(), commands: true}
	p.input.SetValue(typed)
	p.read()
	return p
}

// mostNamed limits how many things are listed by name.
const mostNamed = 40

// read finds what fits what is typed and puts the cursor on the best.
func (p *Palette) read() {
	query := p.input.Value()
	if rest, requests := strings.CutPrefix(query, ":"); requests && !strings.HasPrefix(rest, ":") {
		// The mark of a command, typed in the other box.
		p.commands = true
		p.input.SetValue(rest)
		query = rest
	}
	switch {
	case p.commands:
		p.shown = named(matching(p.Commands, query))
		if p.Typed != nil {
			p.shown = append(p.shown, named(p.Typed(query))...)
		}
	case strings.TrimSpace(query) == "":
		p.shown = p.opening()
	default:
		p.shown = p.find(query)
	}
	p.cursor = -1
	if p.choiceOf(query) == "" {
		p.step(1)
	}
}

// choiceOf returns the word of the first command that is listed, where it means one of several and
// which one is not typed; "" for any other.
func (p *Palette) choiceOf(query string) string {
	query = strings.ToLower(strings.TrimSpace(query))
	if len(p.shown) == 0 || !p.shown[0].subject.Choice || query == "" {
		return ""
	}
	word, _, _ := strings.Cut(p.shown[0].subject.Title, " ")
	if !strings.HasPrefix(word, query) {
		return ""
	}
	return word
}

// opening returns what is listed before anything is typed.
func (p *Palette) opening() []row {
	var out []row
	for _, e := range p.Examples {
		out = append(out, row{Reading: nav.Reading{Name: "try", About: e.Text, Note: e.About}, fill: e.Text})
	}
	out = append(out, named(p.Places)...)
	kept, _ := p.kept.Get()
	return append(out, kept.recent...)
}

// find lists the readings that are sure, then what has a name, then guesses, and
// last why the other readings fail.
func (p *Palette) find(query string) []row {
	var sure, names, guesses, failed []row
	seen := map[nav.Place]bool{}
	for _, r := range nav.Recognise(query, p.Context()) {
		one := row{Reading: r, fill: r.Fix}
		switch {
		case !r.OK():
			failed = append(failed, one)
		case r.Guess && r.Place.Kind == nav.KindName:
			names = append(names, one)
		case r.Guess:
			guesses = append(guesses, one)
		default:
			seen[r.Place] = true
			sure = append(sure, one)
		}
	}
	kept, _ := p.kept.Get()
	all := append(append(append([]screen.Named{}, p.Places...), p.Find(query)...), kept.bookmarks...)
	things := matching(append(all, p.Commands...), query)
	for _, n := range things[:min(len(things), mostNamed)] {
		if n.Place.Kind != "" && n.Run == nil {
			if seen[n.Place] {
				continue
			}
			seen[n.Place] = true
		}
		sure = append(sure, named([]screen.Named{n})...)
	}
	// A namespace that exists is known by its name: what is not, is rather a name.
	for _, g := range append(names, guesses...) {
		if !seen[g.Place] {
			sure = append(sure, g)
		}
	}
	return append(sure, failed...)
}

// named makes rows of things.
func named(things []screen.Named) []row {
	out := make([]row, len(things))
	for i, n := range things {
		out[i] = row{
			Reading: nav.Reading{Name: n.Kind, About: n.Title, Note: n.Note, Place: n.Place},
			subject: n, named: true, fill: n.Title,
		}
	}
	return out
}

// step moves the cursor to the next row that leads somewhere, if there is one in
// that direction.
func (p *Palette) step(by int) {
	for i := p.cursor + by; i >= 0 && i < len(p.shown); i += by {
		if p.shown[i].OK() {
			p.cursor = i
			return
		}
	}
}

// Update takes the recent places and the bookmarks, and lists again what the
// screens have learned meanwhile.
func (p *Palette) Update(msg tea.Msg) tea.Cmd {
	read, is := msg.(screen.Fetched[kept])
	if is && p.kept.Settle(read.Key, read.Value, read.Err, read.At) && read.Err != nil {
		return overlay.Fail("recent places and bookmarks cannot be read: " + read.Err.Error())
	}
	p.learned()
	return nil
}

// learned reads again and keeps the cursor where the user moved it.
func (p *Palette) learned() {
	at := p.cursor
	var on nav.Reading
	if at >= 0 {
		on = p.shown[at].Reading
	}
	p.read()
	if at <= 0 {
		return
	}
	for i, r := range p.shown {
		if r.Reading == on {
			p.cursor = i
		}
	}
}

// Key edits the line, or does what the row under the cursor says.
func (p *Palette) Key(msg tea.KeyMsg) (tea.Cmd, bool) {
	if p.Selected && msg.Type == tea.KeyRunes {
		p.input.SetValue("")
	}
	p.Selected = false
	switch p.input.Key(msg) {
	case line.Closed:
		return nil, true
	case line.Accepted:
		return p.follow()
	case line.Changed:
		p.read()
		return p.search(), false
	case line.Ignored:
		switch msg.String() {
		case "up", "ctrl+p", "shift+tab":
			p.step(-1)
		case "down", "ctrl+n":
			p.step(1)
		case "tab":
			p.complete()
			return p.search(), false
		}
	}
	return nil, false
}

// search requests things that are named by what is typed, but for what is explained without a request.
func (p *Palette) search() tea.Cmd {
	typed := p.input.Value()
	switch {
	case p.commands:
		return nil
	case slices.ContainsFunc(p.shown, func(r row) bool { return r.Place.Kind == nav.KindDecoded }):
		typed = ""
	}
	return p.Search(typed)
}

// completion returns what tab types: the row under the cursor, or the correction of
// the first reading that failed.
func (p *Palette) completion() string {
	if p.cursor >= 0 {
		if fill := p.shown[p.cursor].fill; fill != p.input.Value() {
			return fill
		}
		return ""
	}
	if word := p.choiceOf(p.input.Value()); word != "" {
		return word + " "
	}
	for _, r := range p.shown {
		if r.fill != "" {
			return r.fill
		}
	}
	return ""
}

func (p *Palette) complete() {
	if fill := p.completion(); fill != "" {
		p.input.SetValue(fill)
		p.read()
	}
}

func (p *Palette) follow() (tea.Cmd, bool) {
	if p.cursor < 0 {
		p.complete()
		return nil, false
	}
	r := p.shown[p.cursor]
	switch {
	case r.named && r.subject.Run != nil:
		p.Env.Send(RunMsg{r.subject})
		return nil, true
	case r.Place.Kind == "":
		p.complete()
		return nil, false
	}
	msg := screen.GoMsg{Place: r.Place, Typed: p.input.Value()}
	for _, other := range p.shown {
		if other.OK() && !other.named && other.Place.Kind != "" && other.Place != r.Place && other.fill == "" && len(msg.Otherwise) < mostOthers {
			msg.Otherwise = append(msg.Otherwise, other.Name+" "+other.About)
		}
	}
	p.Env.Send(msg)
	return remember(p.Store, p.Network, r.Place), true
}

// mostOthers bounds the other readings that a page of failure lists.
const mostOthers = 3

// SetTheme changes the colors.
func (p *Palette) SetTheme(th *theme.Theme) { p.Theme = th }

// SetSize sets the cells the box may have.
func (p *Palette) SetSize(width, height int) { p.width, p.height = width, height }

// Top returns the line of the upper edge: the box grows downwards only, so that
// the line that is typed does not move.
func (p *Palette) Top(height int) int {
	if height < 20 {
		return 1
	}
	return 3
}
