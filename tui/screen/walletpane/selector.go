package walletpane

import (
	"slices"

	"chainscope/tui/screen"
	"chainscope/tui/term"
	"chainscope/tui/text"
	"chainscope/tui/widget/box"
	"chainscope/wallet/service"

	tea "github.com/charmbracelet/bubbletea"
)

// selector is the library's modal: the wallets in its order, installed ones
// first, the others with where they are got.
type selector struct {
	screen   *Screen
	question service.SelectionNeeded
	cursor   int
	shown    []int // of which row each line is that was drawn last, -1 for none
}

func newSelector(s *Screen, question service.SelectionNeeded) *selector {
	sel := &selector{screen: s, question: question}
	for i, r := range question.Rows {
		if r.ID == question.Preset && r.Installed {
			sel.cursor = i
		}
	}
	return sel
}

// selectWallet lets the user select a wallet. A request that says nothing of wallets
// goes to the preset one without a question, as it does on the command line.
func (s *Screen) selectWallet(question service.SelectionNeeded) tea.Cmd {
	sel := newSelector(s, question)
	if s.pending != nil && s.pending.direct && s.state.Remembered == "" && len(question.Rows) > 0 && question.Rows[sel.cursor].Installed {
		s.wallet.Choose(question.ID, question.Rows[sel.cursor].ID)
		return nil
	}
	s.modal = sel
	return nil
}

// Key moves, picks or dismisses.
func (l *selector) Key(msg tea.KeyMsg) (tea.Cmd, bool) {
	switch msg.String() {
	case "esc", "q":
		l.screen.wallet.Choose(l.question.ID, "")
		return nil, true
	case "up", "k", "shift+tab":
		l.cursor = max(0, l.cursor-1)
	case "down", "j", "tab":
		l.cursor = max(0, min(len(l.question.Rows)-1, l.cursor+1))
	case "home", "g":
		l.cursor = 0
	case "end", "G":
		l.cursor = max(0, len(l.question.Rows)-1)
	case "enter":
		if l.cursor >= len(l.question.Rows) {
			return nil, false
		}
		row := l.question.Rows[l.cursor]
		if row.Installed {
			l.screen.wallet.Choose(l.question.ID, row.ID)
			if l.screen.pending != nil {
				l.screen.modal = &waitBox{l.screen, l.screen.pending}
				return nil, false
			}
			return nil, true
		}
		if url := row.InstallURL(); url != "" {
			return term.Open(url), false
		}
		return screen.Notice("It is not known where to get " + row.Name + "."), false
	}
	return nil, false
}

// why returns why the library prompts.
func (l *selector) why() string {
	if l.screen.state.Remembered != "" {
		return "Which wallet gets this request?"
	}
	return "No wallet is remembered: which one gets this request?"
}

// lines draws why the library prompts and the rows, and returns of which row each line is, -1
// for none; a heading is before those that are not installed.
func (l *selector) lines(width int) (lines []string, owners []int) {
	th := l.screen.theme
	add := func(owner int, line string) { lines, owners = append(lines, line), append(owners, owner) }
	add(-1, th.Muted.Render(text.Truncate(l.why(), width)))
	add(-1, "")
	installed := true
	for i, r := range l.question.Rows {
		if installed && !r.Installed {
			if i > 0 {
				add(-1, "")
			}
			add(-1, th.Muted.Render("Other wallets"))
			installed = false
		}
		add(i, l.row(i, width))
	}
	if len(l.question.Rows) == 0 {
		add(-1, th.Muted.Render("No wallet is approved for this page; Esc cancels."))
	}
	return lines, owners
}

// View draws the lines around the cursor.
func (l *selector) View(width, height int) []string {
	w, room := min(width-4, 64), max(1, height-4)
	lines, owners := l.lines(w - 4)
	l.shown = owners
	if len(lines) > room {
		at := max(0, slices.Index(owners, l.cursor))
		top := text.Scrolled(at-room/2, room, len(lines))
		lines, l.shown = lines[top:top+room], owners[top:top+room]
	}
	return box.Draw(l.screen.theme, "Connect a wallet", "enter choose  esc cancel", lines, w, min(len(lines)+2, height))
}

// click puts the cursor on the wallet in a line of the box.
func (l *selector) click(line int) bool {
	if line--; line < 0 || line >= len(l.shown) || l.shown[line] < 0 { // below the edge
		return false
	}
	l.cursor = l.shown[line]
	return true
}

func (l *selector) row(i, width int) string {
	th, r := l.screen.theme, l.question.Rows[i]
	action := r.Action()
	room := max(1, width-len(action)-5)
	name := text.Truncate(r.Name, room)
	note := ""
	if left := room - text.Width(name) - 2; left > 8 {
		note = "  " + text.TruncateWith(r.ID, left, th.Glyphs.Ellipsis)
	}
	if i == l.cursor {
		return th.Cursor.Render(text.Fill(th.Glyphs.Cursor+" "+name+note, width-len(action)-2) + action + "  ")
	}
	style := th.Link
	if !r.Installed {
		style = th.Muted
	}
	return text.Fill("  "+name+th.Muted.Render(note), width-len(action)-2) + style.Render(action) + "  "
}
