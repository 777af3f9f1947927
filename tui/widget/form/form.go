// Package form is the engine of the forms: the stops of the cursor, the text or choice at
// each, what is said of it, the items of lists, files, the mouse and the drawing. What the
// texts mean is its owner's.
//
//	tab ↓, shift+tab ↑  the next stop, the one before; tab first takes what would be right
//	enter               the next stop that wants something, at last the button
//	space ← → letter    choose
//	ctrl+n, ctrl+r      add an item, remove one
//	esc                 is the owner's: it leaves, and what was typed is kept
//	@FILE               reads a file where the field says so
//
// It must not import apiclient or any screen.
package form

import (
	"errors"
	"slices"
	"strings"

	"chainscope/tui/keymap"
	"chainscope/tui/text"
	"chainscope/tui/widget/edit"
	"chainscope/tui/widget/line"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Verdict holds what there is to say about one text. All of it may quote untrusted text.
type Verdict struct {
	Problem string // what is wrong and what would be right, "" when it is right
	Note    string // what it means: the amount in STX, the type of a value
	Fix     string // the text that would be right, "" where that is not known
	Missing bool   // the problem is that there is nothing yet, or not enough
	// Offset is the position of a problem, in bytes from the start; -1 for nowhere.
	Offset int
}

// Right returns the verdict on a text that is right, with what it means.
func Right(note string) Verdict { return Verdict{Note: note, Offset: -1} }

// Slot is one stop of the cursor.
type Slot struct {
	Key    any // identifies it to the owner; comparable, the same after a change
	Label  string
	Indent int // cells before the label
	Text   string
	// Options are those of which one is chosen, nil for a text.
	Options []string
	// Literal reports that a text is taken in place of a choice: it begins with a parenthesis.
	Literal bool
	Lines   bool   // the text may have several lines
	Exact   bool   // every character counts; else a line break in what is pasted does not
	File    bool   // @FILE reads a file
	Type    string // drawn behind the text
	About   string // said below a text about which there is nothing else to say
	Empty   string // drawn where nothing is entered; "" is About
	Adds    string // what one more item is called, of the stop that adds one; else ""
	Vacant  bool   // its item has nothing in it, and goes with a backspace
}

// Owner has the texts of a form.
type Owner interface {
	// Slots returns the stops in their order, without the button.
	Slots() []Slot
	// Check judges the text of a stop.
	Check(key any) Verdict
	// Enter takes a text that was typed, chosen or read from a file.
	Enter(key any, text string)
	// Send takes what is filled in, or goes to what is wrong.
	Send() tea.Cmd
}

// Lister is an owner with lists of items.
type Lister interface {
	// Add adds an item at a stop, nil for the button, and returns the stop to go to.
	Add(key any) (any, error)
	// Remove removes the item of a stop.
	Remove(key any) error
}

// Form is a plain struct: its owner passes it keys and draws it.
type Form struct {
	owner Owner
	keys  *keymap.Map
	// Label is the number of cells that the labels have, Button the words of the button: without, enter
	// sends once all is right.
	Label  int
	Button string
	// Note is drawn above the button, untrusted text.
	Note string
	// Under is the number of lines that the words below a field have at least, so that nothing moves
	// while one types.
	Under int
	// Away reports that something else has the keys: no cursor is drawn.
	Away bool

	slots   []Slot
	at      int
	ed      *edit.Editor
	problem string
}

// New returns the form of an owner, with the cursor on its first stop.
func New(owner Owner, keys *keymap.Map, label int, button string) *Form {
	f := &Form{owner: owner, keys: keys, Label: label, Button: button}
	f.Refresh()
	f.goTo(0)
	return f
}

// Refresh reads the stops again; the cursor keeps its place.
func (f *Form) Refresh() {
	f.slots = f.owner.Slots()
	f.at = min(f.at, f.last())
	if s := f.current(); f.ed != nil != f.typed(s) || f.ed != nil && f.ed.Value() != s.Text {
		f.goTo(f.at)
	}
}

// last returns the last stop: the button, where there is one.
func (f *Form) last() int {
	if f.Button != "" {
		return len(f.slots)
	}
	return max(0, len(f.slots)-1)
}

func (f *Form) onButton(i int) bool { return i >= len(f.slots) }

// OnButton reports whether the cursor is on the button.
func (f *Form) OnButton() bool { return f.onButton(f.at) }

// AtEnd reports whether the cursor is on the last stop.
func (f *Form) AtEnd() bool { return f.at == f.last() }

// current returns the stop with the cursor, the zero one for the button.
func (f *Form) current() Slot {
	if f.OnButton() {
		return Slot{}
	}
	return f.slots[f.at]
}

// Current returns the key of the stop with the cursor, nil for the button.
func (f *Form) Current() any { return f.current().Key }

// typed reports whether a stop has a text to type.
func (f *Form) typed(s Slot) bool { return s.Key != nil && s.Adds == "" && s.Options == nil }

// goTo puts the cursor on a stop.
func (f *Form) goTo(i int) {
	f.at, f.ed, f.Away = max(0, min(i, f.last())), nil, false
	if s := f.current(); f.typed(s) {
		f.ed = edit.New(s.Lines)
		f.ed.SetValue(s.Text)
	}
}

// GoTo puts the cursor on the stop with a key, on the button for nil.
func (f *Form) GoTo(at any) {
	if i := f.index(at); i >= 0 {
		f.goTo(i)
	}
}

// index returns the place of a key, -1 for one that is not there.
func (f *Form) index(at any) int {
	if at == nil {
		return f.last()
	}
	return slices.IndexFunc(f.slots, func(s Slot) bool { return s.Key == at })
}

// First puts the cursor on the first stop.
func (f *Form) First() { f.goTo(0) }

// Last puts the cursor on the last stop.
func (f *Form) Last() { f.goTo(f.last()) }

// Incomplete reports whether a stop has something wrong or missing.
func (f *Form) Incomplete() bool { return f.nextProblem(0) < len(f.slots) }

// GoToProblem puts the cursor on the first stop that has a problem, else on the last.
func (f *Form) GoToProblem() { f.goTo(f.nextProblem(0)) }

// nextProblem returns the next stop from one on that has a problem, behind the last when
// there is none.
func (f *Form) nextProblem(from int) int {
	for i := from; i < len(f.slots); i++ {
		if s := f.slots[i]; s.Adds == "" && f.owner.Check(s.Key).Problem != "" {
			return i
		}
	}
	return len(f.slots)
}

// SetProblem shows what is wrong below the stop with the cursor until the next key.
func (f *Form) SetProblem(problem string) { f.problem = problem }

// Refuse goes to a stop, nil for none, and says there what is wrong.
func (f *Form) Refuse(at any, err error) tea.Cmd {
	if at != nil {
		f.GoTo(at)
	}
	f.problem = err.Error()
	return nil
}

// enter hands a text to the owner.
func (f *Form) enter(s Slot, text string) {
	f.owner.Enter(s.Key, text)
	f.Refresh()
}

// Key handles a key. What it has no use for is left to the owner, and so are those that
// open what lies above every screen.
func (f *Form) Key(msg tea.KeyMsg) (tea.Cmd, bool) {
	k, s := f.keys.Form, f.current()
	f.problem = ""
	switch {
	case key.Matches(msg, k.Send):
		return f.owner.Send(), true
	case key.Matches(msg, k.Add):
		f.add(s)
		return nil, true
	case key.Matches(msg, k.Remove):
		f.remove(s)
		return nil, true
	case msg.String() == "ctrl+p" || msg.String() == "ctrl+g":
		return nil, false
	case f.ed != nil && f.textKey(s, msg):
		return nil, true
	}
	switch msg.String() {
	case "tab":
		if f.applyFix(s) {
			return nil, true
		}
		return f.leave(s, f.at+1), true
	case "down":
		return f.leave(s, f.at+1), true
	case "shift+tab", "up":
		return f.leave(s, f.at-1), true
	case "enter":
		return f.accept(s), true
	}
	if msg.Paste && f.ed == nil && !s.Literal {
		f.paste(s, string(msg.Runes))
		return nil, true
	}
	if s.Options != nil {
		return nil, f.choose(s, msg)
	}
	return nil, f.ed != nil && msg.Type == tea.KeyRunes
}

// accept handles enter.
func (f *Form) accept(s Slot) tea.Cmd {
	next := f.nextProblem(f.at + 1)
	switch {
	case f.OnButton():
		return f.owner.Send()
	case s.Adds != "":
		f.add(s)
		return nil
	case f.Button == "" && next > f.last():
		return f.owner.Send()
	}
	return f.leave(s, next)
}

// textKey hands a key to the text under the cursor, and reports whether it was one of a text.
func (f *Form) textKey(s Slot, msg tea.KeyMsg) bool {
	if msg.Type == tea.KeyEnter && !msg.Alt && s.File {
		if _, is := text.FileNamed(f.ed.Value()); is {
			return false
		}
	}
	if msg.Type == tea.KeyBackspace && f.ed.Empty() && s.Vacant {
		f.remove(s)
		return true
	}
	if msg.Type == tea.KeyRunes && !s.Exact && !s.Lines {
		msg.Runes = []rune(line.OneLine(string(msg.Runes)))
	}
	if !f.ed.Key(msg) {
		return false
	}
	if f.ed.Full() {
		f.problem = "the text is too long: the rest was not taken"
	}
	if typed := f.ed.Value(); typed != s.Text {
		f.enter(s, typed)
	}
	return true
}

// applyFix enters what would be right, if that is known.
func (f *Form) applyFix(s Slot) bool {
	if f.ed == nil {
		return false
	}
	fix := f.owner.Check(s.Key).Fix
	if fix != "" {
		f.enter(s, fix)
	}
	return fix != ""
}

// leave goes to another stop, around the ends; a file that is named is read first.
func (f *Form) leave(s Slot, to int) tea.Cmd {
	var cmd tea.Cmd
	if path, is := text.FileNamed(s.Text); is && s.File {
		cmd = f.read(s.Key, path)
	}
	n := f.last() + 1
	f.goTo((to + n) % n)
	return cmd
}

// paste chooses what is pasted where nothing can be typed, and says so where that is no choice.
func (f *Form) paste(s Slot, pasted string) {
	if i := slices.Index(s.Options, strings.TrimSpace(pasted)); i >= 0 {
		f.enter(s, s.Options[i])
		return
	}
	f.problem = "nothing can be pasted here: go to a field with a text first"
}

// choose goes through what can be chosen. A literal is typed over the choice.
func (f *Form) choose(s Slot, msg tea.KeyMsg) bool {
	if s.Literal && msg.Type == tea.KeyRunes && len(msg.Runes) > 0 && msg.Runes[0] == '(' {
		f.enter(s, string(msg.Runes))
		return true
	}
	to, chooses := choose(s.Options, slices.Index(s.Options, s.Text), msg)
	if to >= 0 && chooses {
		f.enter(s, s.Options[to])
	}
	return chooses
}

func (f *Form) add(s Slot) {
	to, err := any(nil), ErrNothingToAdd
	if of, is := f.owner.(Lister); is {
		to, err = of.Add(s.Key)
	}
	if err != nil {
		f.problem = err.Error()
		return
	}
	f.Refresh()
	f.GoTo(to)
}

func (f *Form) remove(s Slot) {
	err := ErrNothingToRemove
	if of, is := f.owner.(Lister); is {
		err = of.Remove(s.Key)
	}
	if err != nil {
		f.problem = err.Error()
		return
	}
	f.Refresh()
	f.goTo(f.at)
}

// The answers of an owner where the cursor is on no item, and on nothing that has items.
var (
	ErrNothingToRemove = errors.New("there is nothing to remove here: go to one of the items")
	ErrNothingToAdd    = errors.New("nothing can be added here")
)
