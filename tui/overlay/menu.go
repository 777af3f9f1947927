package overlay

import (
	"cmp"
	"time"

	"chainscope/tui/theme"
	"chainscope/tui/widget/box"
	"chainscope/tui/widget/picker"

	tea "github.com/charmbracelet/bubbletea"
)

// defaultHint names the keys of a menu.
const defaultHint = "enter choose  esc close"

// widestMenu limits how many cells a menu takes of a wide window.
const widestMenu = 88

// Menu is a list to choose from: a picker in a box that runs what is chosen.
type Menu struct {
	NoMessages

	Title  string
	Hint   string
	Picker *picker.Picker
	// Choose returns the command of the item with that ID.
	Choose func(id string) tea.Cmd
	// Head draws what is above the list, where there is room for both; nil for nothing.
	Head func(width int) []string
	// Stays keeps the menu open after a choice.
	Stays bool
	// Moved is called when the cursor is on another item, Closed when nothing is chosen;
	// nil for nobody.
	Moved  func(id string) tea.Cmd
	Closed func() tea.Cmd
	// Width is the number of cells that the box has, 0 for as many as it can use.
	Width int

	theme         *theme.Theme
	width, height int
}

// NewMenu returns a menu with the default hint. With filter, letters narrow the
// list; without, they are the keys of the items.
func NewMenu(th *theme.Theme, title string, items []picker.Item, filter bool, choose func(id string) tea.Cmd) *Menu {
	return &Menu{Title: title, Hint: defaultHint, Picker: picker.New(th, items, filter), Choose: choose, theme: th}
}

// Key handles a key.
func (m *Menu) Key(msg tea.KeyMsg) (tea.Cmd, bool) {
	before, _ := m.Picker.Current()
	outcome := m.Picker.Key(msg)
	item, there := m.Picker.Current()
	switch {
	case outcome == picker.Closed && m.Closed != nil:
		return m.Closed(), true
	case outcome == picker.Closed:
		return nil, true
	case outcome == picker.Chosen:
		return m.Choose(item.ID), !m.Stays
	case m.Moved != nil && there && item.ID != before.ID:
		return m.Moved(item.ID), false
	}
	return nil, false
}

// Click chooses the item under the mouse.
func (m *Menu) Click(_, y int) (tea.Cmd, bool) {
	if head, _, _ := m.layout(); !m.Picker.Click(y - 1 - len(head)) { // below the edge
		return nil, false
	}
	return m.Key(tea.KeyMsg{Type: tea.KeyEnter})
}

// SetTheme changes the colors.
func (m *Menu) SetTheme(th *theme.Theme) {
	m.theme = th
	m.Picker.SetTheme(th)
}

// SetSize sets the cells the box may have.
func (m *Menu) SetSize(width, height int) { m.width, m.height = width, height }

// leastList is the number of lines of the list that are worth more than what is above it.
const leastList = 4

// layout returns what is above the list, and the size of the box.
func (m *Menu) layout() (head []string, width, height int) {
	width, most := min(m.width-4, cmp.Or(m.Width, widestMenu)), max(0, m.height-2)
	if m.Head != nil {
		head = m.Head(width - 4)
	}
	if most < len(head)+leastList+2 {
		head = nil
	}
	return head, width, min(most, max(4, len(head)+m.Picker.Height()+2))
}

// View draws the box as high as its list, if there is room.
func (m *Menu) View(time.Time) []string {
	head, w, h := m.layout()
	return box.Draw(m.theme, m.Title, m.Hint, append(head, m.Picker.View(w-4, h-2-len(head))...), w, h)
}
