package tui

import (
	"strings"

	"chainscope/tui/nav"
	"chainscope/tui/screen"
	"chainscope/tui/state"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/box"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// recentDocument keeps what was gone to, the newest first.
const recentDocument = "recent"

// maxRecent bounds what is kept.
const maxRecent = 50

type recent struct {
	Places []string `json:"places"`
}

// palette is the go-to box: it shows every reading of what is typed.
type palette struct {
	model  *Model
	input  []rune
	at     int // cursor in input
	cursor int
	shown  []nav.Reading
	recent []nav.Reading
}

// newPalette opens the box with a text already typed.
func newPalette(m *Model, typed string) *palette {
	p := &palette{model: m, input: []rune(typed), at: len([]rune(typed))}
	p.read()
	return p
}

// recentRead is what the document held.
type recentRead struct {
	places []string
	err    error
}

// openPalette opens the box and asks for what was gone to before.
func (m *Model) openPalette(typed string) tea.Cmd {
	m.open(newPalette(m, typed))
	store := m.options.Store
	if store == nil {
		return nil
	}
	return func() tea.Msg {
		var r recent
		_, err := store.Get(recentDocument, &r)
		return recentRead{r.Places, err}
	}
}

// remember keeps a place that was gone to.
func (m *Model) remember(p nav.Place) tea.Cmd {
	store := m.options.Store
	if store == nil {
		return nil
	}
	return func() tea.Msg {
		err := state.Update(store, recentDocument, func(r *recent) error {
			places := []string{p.String()}
			for _, old := range r.Places {
				if old != places[0] && len(places) < maxRecent {
					places = append(places, old)
				}
			}
			r.Places = places
			return nil
		})
		if err != nil {
			return screen.NoticeMsg{Text: "where you went is not kept: " + err.Error(), Bad: true}
		}
		return nil
	}
}

// loader is a screen that knows blocks by the hashes in them.
type loader interface {
	Loaded(hash string) []nav.Loaded
}

// tips is a screen that knows how high the chain is.
type tips interface {
	Tips() (height, burnHeight int64)
}

func (m *Model) recogniseContext() nav.RecogniseContext {
	ctx := nav.RecogniseContext{Here: m.Place()}
	for _, a := range m.actions() {
		if a.name != "" {
			ctx.Commands = append(ctx.Commands, nav.Command{Name: a.name, Title: a.title})
		}
	}
	for _, t := range m.tabs {
		if s, ok := t.screen.(tips); ok {
			height, burn := s.Tips()
			ctx.Tip, ctx.BurnTip = max(ctx.Tip, height), max(ctx.BurnTip, burn)
		}
	}
	ctx.Loaded = func(hash string) []nav.Loaded {
		var all []nav.Loaded
		for _, t := range m.tabs {
			if s, ok := t.screen.(loader); ok {
				all = append(all, s.Loaded(hash)...)
			}
		}
		return all
	}
	return ctx
}

// read finds the readings of what is typed.
func (p *palette) read() {
	if len(p.input) == 0 {
		p.shown = p.recent
	} else {
		p.shown = nav.Recognise(string(p.input), p.model.recogniseContext())
	}
	p.cursor = max(0, min(p.cursor, len(p.shown)-1))
}

// Update takes what was gone to before.
func (p *palette) Update(msg tea.Msg) tea.Cmd {
	r, ok := msg.(recentRead)
	if !ok {
		return nil
	}
	if r.err != nil {
		return p.model.notice("where you went cannot be read: "+r.err.Error(), true)
	}
	p.recent = p.recent[:0]
	for _, text := range r.places {
		if place, err := nav.Parse(text); err == nil {
			p.recent = append(p.recent, nav.Reading{Name: "recent", About: text, Place: place})
		}
	}
	if len(p.input) == 0 {
		p.read()
	}
	return nil
}

// Key edits the line or goes where the reading under the cursor leads.
func (p *palette) Key(msg tea.KeyMsg) (tea.Cmd, bool) {
	switch msg.String() {
	case "esc":
		return nil, true
	case "enter":
		return p.follow()
	case "tab":
		p.complete()
	case "up", "ctrl+p":
		p.cursor = max(0, p.cursor-1)
		return nil, false
	case "down", "ctrl+n":
		p.cursor = max(0, min(p.cursor+1, len(p.shown)-1))
		return nil, false
	case "left":
		p.at = max(0, p.at-1)
	case "right":
		p.at = min(len(p.input), p.at+1)
	case "home", "ctrl+a":
		p.at = 0
	case "end", "ctrl+e":
		p.at = len(p.input)
	case "ctrl+u":
		p.input, p.at = nil, 0
	case "backspace":
		if p.at > 0 {
			p.input = append(p.input[:p.at-1:p.at-1], p.input[p.at:]...)
			p.at--
		}
	case "delete":
		if p.at < len(p.input) {
			p.input = append(p.input[:p.at:p.at], p.input[p.at+1:]...)
		}
	default:
		if msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace {
			typed := append([]rune{}, msg.Runes...)
			p.input = append(p.input[:p.at:p.at], append(typed, p.input[p.at:]...)...)
			p.at += len(typed)
			p.cursor = 0
		}
	}
	p.read()
	return nil, false
}

// complete takes the fix of a reading that failed, or a recent place.
func (p *palette) complete() {
	if p.cursor >= len(p.shown) {
		return
	}
	r := p.shown[p.cursor]
	switch {
	case r.Fix != "":
		p.input = []rune(r.Fix)
	case r.Name == "recent":
		p.input = []rune(r.About)
	default:
		return
	}
	p.at = len(p.input)
}

func (p *palette) follow() (tea.Cmd, bool) {
	if p.cursor >= len(p.shown) {
		return nil, false
	}
	r := p.shown[p.cursor]
	switch {
	case !r.OK():
		p.complete()
		p.read()
		return nil, false
	case r.Command != "":
		p.model.close()
		for _, a := range p.model.actions() {
			if a.name == r.Command {
				// The box is closed already; the command may open another.
				return a.run(), false
			}
		}
		return nil, false
	}
	return tea.Batch(screen.Go(r.Place), p.model.remember(r.Place)), true
}

// SetTheme has nothing to keep: the theme is looked up when drawing.
func (p *palette) SetTheme(*theme.Theme) {}

// Hint names the keys of the box.
func (p *palette) Hint() string { return "enter go  tab complete  esc close" }

// View draws the line and the readings, good ones first.
func (p *palette) View(width, height int) []string {
	th := p.model.theme
	w := min(width-4, 92)
	inner := w - 4
	before, under, after := text.Line(string(p.input[:p.at])), " ", ""
	// What is being typed stays in sight, however long it is.
	if cut := text.Width(before) - max(0, inner-len("> ")-len(" ")); cut > 0 {
		before = ansi.TruncateLeft(before, cut+1, th.Glyphs.Ellipsis)
	}
	if p.at < len(p.input) {
		under, after = text.Line(string(p.input[p.at:p.at+1])), text.Line(string(p.input[p.at+1:]))
	}
	lines := []string{th.Key.Render("> ") + before + th.Cursor.Render(under) + after, ""}
	if len(p.input) == 0 {
		lines[1] = th.Muted.Render("a height, a hash, latest, a contract, contract::id, a namespace, name.namespace, : for commands")
	}
	rows := max(1, min(len(p.shown), height-6))
	top := max(0, p.cursor-rows+1)
	for i := top; i < min(top+rows, len(p.shown)); i++ {
		lines = append(lines, p.row(i, inner))
	}
	for i := range lines {
		lines[i] = text.Clip(lines[i], inner)
	}
	return box.Draw(th, "Go to anything", p.Hint(), lines, w, min(height, len(lines)+2))
}

func (p *palette) row(i, width int) string {
	th, r := p.model.theme, p.shown[i]
	mark := "  "
	if i == p.cursor {
		mark = th.Glyphs.Cursor + " "
	}
	name := text.Fill(text.Line(r.Name), 22)
	about := text.Middle(r.About, max(12, width/2))
	note := r.Note
	if !r.OK() {
		note = r.Reason
		if r.Fix != "" {
			note += "; tab: " + r.Fix
		}
	}
	note = text.Line(strings.TrimSpace(note))
	if i == p.cursor {
		return th.Cursor.Render(text.Fill(mark+name+" "+about+"  "+note, width))
	}
	if !r.OK() {
		return mark + th.Muted.Render(name+" ") + th.Warn.Render(note)
	}
	return mark + th.Strong.Render(name) + " " + about + "  " + th.Muted.Render(note)
}
