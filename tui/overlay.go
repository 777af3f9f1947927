package tui

import (
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/box"
	"chainscope/tui/widget/helpview"
	"chainscope/tui/widget/inspector"
	"chainscope/tui/widget/jsonview"
	"chainscope/tui/widget/picker"

	"chainscope/tui/term"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// overlay is a box over the screen. The one on top has all keys.
type overlay interface {
	// Key handles a key; done closes the overlay.
	Key(msg tea.KeyMsg) (cmd tea.Cmd, done bool)
	Update(msg tea.Msg) tea.Cmd
	// View draws a box that fits into a window; no line is "no room".
	View(width, height int) []string
	// Hint names its keys for the footer.
	Hint() string
	SetTheme(th *theme.Theme)
}

// open puts an overlay on top.
func (m *Model) open(o overlay) tea.Cmd {
	m.overlays = append(m.overlays, o)
	return nil
}

func (m *Model) close() { m.overlays = m.overlays[:len(m.overlays)-1] }

// quiet is what overlays share that wait for no answer.
type quiet struct{}

// Update drops every message.
func (quiet) Update(tea.Msg) tea.Cmd { return nil }

// help shows all keys.
func (m *Model) help() tea.Cmd {
	return m.open(&helpOverlay{model: m, view: helpview.New(m.theme, m.options.Keys, m.here().Scopes()...)})
}

type helpOverlay struct {
	quiet
	model *Model
	view  *helpview.View
}

func (o *helpOverlay) Key(msg tea.KeyMsg) (tea.Cmd, bool) { return nil, o.view.Key(msg) }
func (o *helpOverlay) SetTheme(th *theme.Theme)           { o.view.SetTheme(th) }
func (o *helpOverlay) Hint() string                       { return "type to search  ↑ ↓ scroll  esc close" }

func (o *helpOverlay) View(width, height int) []string {
	w, h := min(width-2, 96), max(0, height-2)
	return box.Draw(o.model.theme, "Keys", o.Hint(), o.view.View(w-4, h-2), w, h)
}

// showJSON shows what the server sent.
func (m *Model) showJSON() tea.Cmd {
	s := m.here().Subject()
	raw := s.Raw
	if raw == nil {
		// A body that could not be decoded is looked at just the same.
		if e, ok := m.options.Client.Log().Get(m.here().Status().ExchangeID); ok {
			raw = e.ResponseBody
		}
	}
	if len(raw) == 0 {
		return m.notice("there is no JSON here", true)
	}
	v := jsonview.New(m.theme, m.options.Keys)
	v.SetJSON(raw)
	return m.open(&jsonOverlay{model: m, view: v, title: s.Title})
}

type jsonOverlay struct {
	quiet
	model *Model
	view  *jsonview.View
	title string
}

func (o *jsonOverlay) Key(msg tea.KeyMsg) (tea.Cmd, bool) {
	if !o.view.Typing() {
		switch k := o.model.options.Keys; {
		case msg.String() == "esc", msg.String() == "q", key.Matches(msg, k.Global.RawJSON):
			return nil, true
		case key.Matches(msg, k.JSON.Copy):
			return term.Copy(string(o.view.Raw())), false
		}
	}
	o.view.Key(msg)
	return nil, false
}
func (o *jsonOverlay) SetTheme(th *theme.Theme) { o.view.SetTheme(th) }
func (o *jsonOverlay) Hint() string {
	return "enter fold  f all  / search  n N matches  y copy  esc close"
}

func (o *jsonOverlay) View(width, height int) []string {
	w, h := width-4, max(0, height-2)
	o.view.SetSize(max(0, w-4), max(0, h-2))
	return box.Draw(o.model.theme, "JSON  "+text.Line(o.title), o.Hint(), o.view.View(), w, h)
}

// inspect shows the requests, the one behind the screen first.
func (m *Model) inspect() tea.Cmd {
	v := inspector.New(m.theme, m.options.Keys)
	log := m.options.Client.Log()
	v.SetExchanges(log.Snapshot())
	id := m.here().Subject().ExchangeID
	if id == 0 {
		id = m.here().Status().ExchangeID
	}
	v.Select(id)
	return m.open(&inspectOverlay{model: m, view: v})
}

type inspectOverlay struct {
	quiet
	model *Model
	view  *inspector.Inspector
}

func (o *inspectOverlay) Key(msg tea.KeyMsg) (tea.Cmd, bool) {
	switch o.view.Key(msg) {
	case inspector.Close:
		return nil, true
	case inspector.Copy:
		_, content := o.view.Copied()
		return term.Copy(content), false
	}
	return nil, false
}
func (o *inspectOverlay) SetTheme(th *theme.Theme) { o.view.SetTheme(th) }
func (o *inspectOverlay) Hint() string             { return o.view.Hint() }
func (o *inspectOverlay) View(width, height int) []string {
	w, h := width-4, max(0, height-2)
	o.view.SetExchanges(o.model.options.Client.Log().Snapshot())
	o.view.SetSize(max(0, w-4), max(0, h-2))
	return box.Draw(o.model.theme, "Requests", o.Hint(), o.view.View(o.model.options.Now()), w, h)
}

// menu is a picker in a box that runs what is chosen.
type menu struct {
	quiet
	model  *Model
	title  string
	hint   string
	picker *picker.Picker
	choose func(id string) tea.Cmd
	// other handles a key before the picker does; nil for none.
	other func(msg tea.KeyMsg) (cmd tea.Cmd, handled bool)
	// stay keeps the menu open after a choice.
	stay bool
}

func (m *Model) menu(title string, items []picker.Item, filter bool, choose func(id string) tea.Cmd) *menu {
	return &menu{model: m, title: title, hint: "enter choose  esc close", picker: picker.New(m.theme, items, filter), choose: choose}
}

func (o *menu) Key(msg tea.KeyMsg) (tea.Cmd, bool) {
	if o.other != nil {
		if cmd, ok := o.other(msg); ok {
			return cmd, false
		}
	}
	switch o.picker.Key(msg) {
	case picker.Closed:
		return nil, true
	case picker.Chosen:
		item, _ := o.picker.Current()
		return o.choose(item.ID), !o.stay
	}
	return nil, false
}
func (o *menu) SetTheme(th *theme.Theme) { o.picker.SetTheme(th) }
func (o *menu) Hint() string             { return o.hint }
func (o *menu) View(width, height int) []string {
	w := min(width-4, 88)
	h := min(max(0, height-2), max(4, o.picker.Len()+3))
	return box.Draw(o.model.theme, o.title, o.hint, o.picker.View(w-4, h-2), w, h)
}
