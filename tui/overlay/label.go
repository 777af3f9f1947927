package overlay

import (
	"slices"
	"time"

	"chainscope/tui/keymap"
	"chainscope/tui/resource"
	"chainscope/tui/state"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/box"
	"chainscope/tui/widget/form"

	tea "github.com/charmbracelet/bubbletea"
)

// LabelsMsg holds the labels of the user's own as they were read or written, by address.
type LabelsMsg struct {
	Labels  map[string]string
	Version string // of the document
	Done    string // what was done, "" for nothing
	Err     error
}

// ReadLabels returns the command that reads the labels, unless they are still those of a version.
func ReadLabels(store *state.Store, version string) tea.Cmd {
	if store == nil {
		return nil
	}
	return func() tea.Msg {
		now := store.LabelsVersion()
		if now == version {
			return nil
		}
		all, err := store.Labels()
		return LabelsMsg{Labels: all, Version: now, Err: err}
	}
}

// The stops of the form for a label.
const (
	addressSlot = iota
	labelSlot
)

// Label is the box in which an account or a contract is given a label.
type Label struct {
	NoMessages
	*form.Form

	principals []string // of which one is chosen
	chosen     string
	typed      string
	labelled   resource.Naming
	store      *state.Store
	sent       bool

	theme         *theme.Theme
	width, height int
}

// NewLabel returns the box for one of some addresses, of which the first is chosen.
func NewLabel(th *theme.Theme, store *state.Store, keys *keymap.Map, principals []string, called resource.Naming) *Label {
	l := &Label{principals: principals, labelled: called, store: store, theme: th}
	l.choose(principals[0])
	l.Form = form.New(l, keys, len("address"), "")
	l.GoTo(labelSlot)
	return l
}

func (l *Label) choose(principal string) {
	l.chosen, l.typed = principal, l.labelled.Label(principal)
}

// Slots returns the address, where there are several, and the label.
func (l *Label) Slots() []form.Slot {
	label := form.Slot{Key: labelSlot, Label: "label", Text: l.typed, About: "an empty label removes it"}
	if len(l.principals) == 1 {
		return []form.Slot{label}
	}
	return []form.Slot{{Key: addressSlot, Label: "address", Text: l.chosen, Options: l.principals}, label}
}

// Check judges a label.
func (l *Label) Check(at any) form.Verdict {
	v := form.Right("")
	if at == labelSlot {
		if _, err := resource.ParseLabel(l.typed); err != nil {
			v.Problem = err.Error()
		}
	}
	return v
}

// Enter takes an address or a label.
func (l *Label) Enter(at any, typed string) {
	if at == addressSlot {
		l.choose(typed)
		return
	}
	l.typed = typed
}

// Send keeps the label.
func (l *Label) Send() tea.Cmd {
	label, err := resource.ParseLabel(l.typed)
	if err != nil {
		return l.Refuse(labelSlot, err)
	}
	l.sent = true
	store, principal := l.store, l.chosen
	return func() tea.Msg {
		all, err := store.SetLabel(principal, label)
		if err != nil {
			return Fail("the label was not saved: " + err.Error())()
		}
		said := text.Middle(principal, 24) + " is " + resource.LabelMark + label
		if label == "" {
			said = text.Middle(principal, 24) + " has no label"
		}
		return LabelsMsg{Labels: all, Version: store.LabelsVersion(), Done: said}
	}
}

// Key handles a key: esc leaves, enter keeps the label.
func (l *Label) Key(msg tea.KeyMsg) (tea.Cmd, bool) {
	if msg.Type == tea.KeyEsc {
		return nil, true
	}
	cmd, _ := l.Form.Key(msg)
	return cmd, l.sent
}

// SetTheme changes the colors.
func (l *Label) SetTheme(th *theme.Theme) { l.theme = th }

// SetSize sets the cells the box may have.
func (l *Label) SetSize(width, height int) { l.width, l.height = width, height }

// labelLines are those of the form: the address, the label, and the words below.
const labelLines = 4

// View draws the box.
func (l *Label) View(time.Time) []string {
	w := min(l.width-4, widestMenu+8)
	var lines []string
	hint := "enter keep  esc close"
	if len(l.principals) == 1 {
		lines = []string{l.theme.Muted.Render("  address ") + l.theme.Text.Render(text.Middle(l.chosen, w-16))}
	} else {
		hint = "enter keep  shift+tab another address  esc close"
	}
	lines = slices.Concat(lines, l.Form.View(l.theme, w-4, labelLines-len(lines)))
	return box.Draw(l.theme, "Label", hint, lines, w, min(l.height-2, labelLines+2))
}
