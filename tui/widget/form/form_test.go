package form

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chainscope/tui/internal/uitest"
	"chainscope/tui/keymap"
	"chainscope/tui/text"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// order is a form about tea: who drinks it, how strong it is, what goes into it.
type order struct {
	*Form
	who, kind, note string
	into            []string
	sent            int
}

func newOrder(button string) *order {
	o := &order{}
	o.Form = New(o, keymap.Default(), 10, button)
	return o
}

func (o *order) Slots() []Slot {
	out := []Slot{
		{Key: "who", Label: "who", Text: o.who, About: "a name", Type: "text"},
		{Key: "kind", Label: "kind", Text: o.kind, Options: []string{"", "green", "black"}, Empty: "any"},
	}
	for i, s := range o.into {
		out = append(out, Slot{Key: i, Label: "with", Indent: 2, Text: s, Vacant: s == ""})
	}
	return append(out,
		Slot{Key: "add", Adds: "thing"},
		Slot{Key: "note", Label: "note", Text: o.note, Empty: "none", File: true, Exact: true})
}

func (o *order) Check(at any) Verdict {
	switch {
	case at == "who" && o.who == "":
		return Verdict{Problem: "missing", Missing: true, Offset: -1}
	case at == "who" && strings.ContainsAny(o.who, "0123456789"):
		fix := strings.Trim(o.who, "0123456789")
		return Verdict{Problem: "has a digit", Fix: fix, Offset: strings.IndexAny(o.who, "0123456789")}
	case at == "note" && len(o.note) > 20:
		return Verdict{Problem: "is too long", Offset: -1}
	}
	return Right("")
}

func (o *order) Enter(at any, s string) {
	switch at := at.(type) {
	case int:
		o.into[at] = s
	case string:
		*map[string]*string{"who": &o.who, "kind": &o.kind, "note": &o.note}[at] = s
	}
}

func (o *order) FromFile(_ any, content []byte) (string, error) {
	if len(content) == 0 {
		return "", errors.New("the file is empty")
	}
	return string(content), nil
}

func (o *order) Add(any) (any, error) {
	if len(o.into) == 3 {
		return nil, errors.New("three are enough")
	}
	o.into = append(o.into, "")
	return len(o.into) - 1, nil
}

func (o *order) Remove(at any) error {
	i, is := at.(int)
	if !is {
		return ErrNothingToRemove
	}
	o.into = slices.Delete(o.into, i, i+1)
	return nil
}

func (o *order) Send() tea.Cmd {
	o.sent++
	return nil
}

func (o *order) press(names ...string) (cmd tea.Cmd) {
	for _, name := range names {
		cmd, _ = o.Key(uitest.Key(name))
	}
	return cmd
}

func (o *order) types(s string, paste bool) {
	o.Key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s), Paste: paste})
}

func (o *order) screen(t *testing.T, room int) string {
	lines := o.View(uitest.Theme(t, "mono"), 60, room)
	return ansi.Strip(strings.Join(lines, "\n"))
}

func TestEnterGoesToWhatIsWantedAndThenSends(t *testing.T) {
	o := newOrder("Order")
	o.Last()
	o.press("up", "up") // from the note to what adds a thing
	if o.Current() != "add" {
		t.Fatalf("the cursor is on %v", o.Current())
	}
	o.GoTo("kind")
	o.press("enter") // nothing behind it is wrong
	if !o.OnButton() {
		t.Errorf("enter goes to %v", o.Current())
	}
	o.First()
	o.types("Ada", false)
	o.GoTo("note")
	o.types("three sugars and some milk", false)
	o.First()
	o.press("enter")
	if o.Current() != "note" {
		t.Errorf("enter goes to %v, not to the note that is too long", o.Current())
	}
	o.press("ctrl+u", "enter")
	if !o.OnButton() || o.sent != 0 {
		t.Errorf("enter goes to %v, sent %d times", o.Current(), o.sent)
	}
	if o.press("enter"); o.sent != 1 {
		t.Errorf("sent %d times", o.sent)
	}
}

// Without a button enter sends, once nothing is wrong.
func TestAFormWithoutAButtonSendsByEnter(t *testing.T) {
	o := newOrder("")
	if o.press("tab", "enter"); o.sent != 1 { // behind the kind there is nothing wrong
		t.Errorf("sent %d times", o.sent)
	}
	o.GoTo("note")
	o.types(strings.Repeat("n", 21), false)
	o.First()
	if o.press("enter"); o.sent != 1 || o.Current() != "note" {
		t.Errorf("sent %d times, at %v", o.sent, o.Current())
	}
}

func TestTabTakesWhatWouldBeRight(t *testing.T) {
	o := newOrder("Order")
	o.types("Ada2", false)
	if s := o.screen(t, 12); !strings.Contains(s, "tab: Ada") || !strings.Contains(s, "has a digit") {
		t.Errorf("it is not offered:\n%s", s)
	}
	lines := strings.Split(o.screen(t, 12), "\n")
	if typed, below := strings.Index(lines[0], "2"), strings.Index(lines[1], "^"); ansi.StringWidth(lines[0][:typed]) != ansi.StringWidth(lines[1][:max(0, below)]) {
		t.Errorf("the mark is not below the digit:\n%s\n%s", lines[0], lines[1])
	}
	o.press("tab")
	if o.who != "Ada" || o.Current() != "who" {
		t.Errorf("%q, at %v", o.who, o.Current())
	}
	o.press("tab")
	if o.Current() != "kind" {
		t.Errorf("tab then goes to %v", o.Current())
	}
}

func TestEditingKeysAreThoseOfEveryLine(t *testing.T) {
	o := newOrder("Order")
	for _, c := range []struct {
		keys []string
		left string
	}{
		{[]string{"ctrl+a", "ctrl+k"}, ""},
		{[]string{"ctrl+u"}, ""},
		{[]string{"ctrl+w"}, "some "},
		{[]string{"home", "delete"}, "ome tea"},
		{[]string{"ctrl+b", "ctrl+d"}, "some te"},
		{[]string{"alt+b", "ctrl+k"}, "some "},
	} {
		o.press("ctrl+a", "ctrl+k")
		o.types("some tea", false)
		o.press(c.keys...)
		if o.who != c.left {
			t.Errorf("%v leave %q, not %q", c.keys, o.who, c.left)
		}
	}
}

// A line break at the end of what is pasted is no part of a name. A text in which every
// character counts keeps it.
func TestAPasteKeepsABreakOnlyWhereEveryCharacterCounts(t *testing.T) {
	o := newOrder("Order")
	o.types("\nAda\r\nByron\n", true)
	o.GoTo("note")
	o.types("hot\n", true)
	if o.who != "Ada Byron" || o.note != "hot\n" {
		t.Errorf("%q, %q", o.who, o.note)
	}
}

func TestItemsAreAddedAndRemoved(t *testing.T) {
	o := newOrder("Order")
	o.GoTo("add")
	o.press("enter")
	o.types("milk", false)
	o.press("ctrl+n")
	o.types("honey", false)
	o.press("ctrl+n")
	if o.Current() != 2 || !slices.Equal(o.into, []string{"milk", "honey", ""}) {
		t.Fatalf("%q, at %v", o.into, o.Current())
	}
	if o.press("ctrl+n"); !strings.Contains(o.screen(t, 12), "three are enough") {
		t.Errorf("a fourth is not refused:\n%s", o.screen(t, 12))
	}
	o.press("backspace") // nothing is in it
	o.GoTo(0)
	o.press("ctrl+r")
	if !slices.Equal(o.into, []string{"honey"}) {
		t.Errorf("%q are left", o.into)
	}
	o.First()
	if o.press("ctrl+r"); !strings.Contains(o.screen(t, 12), "nothing to remove here") {
		t.Errorf("no word about it:\n%s", o.screen(t, 12))
	}
}

func TestAFileIsReadInPlaceOfItsName(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "note.txt")
	if err := os.WriteFile(path, []byte("hot\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	read := func(name string) (*order, error) {
		o := newOrder("Order")
		o.GoTo("note")
		o.types("@"+name, false)
		cmd := o.press("enter")
		if cmd == nil {
			t.Fatalf("%s is not read", name)
		}
		other := newOrder("Order")
		if _, mine, _ := other.FileRead(cmd().(FileMsg)); mine || other.note != "" {
			t.Error("another form takes it")
		}
		_, _, err := o.FileRead(cmd().(FileMsg))
		return o, err
	}
	if o, err := read(path); err != nil || o.note != "hot\n" {
		t.Errorf("%q, %v", o.note, err)
	}
	empty := filepath.Join(dir, "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, why := range map[string]string{
		dir: "no regular file", os.DevNull: "no regular file", filepath.Join(dir, "missing"): "no such file", empty: "the file is empty",
	} {
		if o, err := read(name); err == nil || !strings.Contains(err.Error(), why) || o.note != "@"+name {
			t.Errorf("%s: %v, and %q is left", name, err, o.note)
		}
	}
}

// While a file is read, another one is named, or something else is typed.
func TestAFileThatIsNoLongerNamedIsDropped(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"first", "second"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("the "+name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for order, want := range map[string]string{"12": "the second", "21": "the second", "1": "@" + filepath.Join(dir, "second")} {
		o := newOrder("Order")
		read := map[rune]tea.Cmd{}
		for i, name := range []string{"first", "second"} {
			o.Enter("note", "@"+filepath.Join(dir, name))
			o.Refresh()
			o.GoTo("note")
			read['1'+rune(i)] = o.press("enter")
		}
		for _, which := range order {
			if _, _, err := o.FileRead(read[which]().(FileMsg)); err != nil {
				t.Fatal(err)
			}
		}
		if o.note != want {
			t.Errorf("files that came as %s leave %q", order, o.note)
		}
	}
	o := newOrder("Order")
	o.GoTo("note")
	o.types("@"+filepath.Join(dir, "missing"), false)
	late := o.press("enter")
	o.Enter("note", "typed since")
	o.Refresh()
	if _, mine, err := o.FileRead(late().(FileMsg)); mine || err != nil || o.note != "typed since" {
		t.Errorf("a failure for another text: %v, %v, %q", mine, err, o.note)
	}
}

// In a window of any height, wherever the cursor is, a click goes to what is drawn there.
func TestAClickGoesToWhatIsDrawnThere(t *testing.T) {
	th := uitest.Theme(t, "mono")
	for room := 1; room < 16; room++ {
		for at := range 8 {
			for y := range room {
				o := newOrder("Order")
				o.into, o.who = []string{"milk", "honey"}, "Ada7"
				o.Refresh()
				o.goTo(at)
				lines := o.View(th, 60, room)
				if len(lines) != room {
					t.Fatalf("%d lines of %d", len(lines), room)
				}
				clicked := strings.TrimSpace(strings.TrimPrefix(ansi.Strip(lines[y]), "▸"))
				before, sent := o.Current(), o.sent
				o.Click(th, y, 60, room)
				want, is := map[string]any{
					"who  ": "who", "kind ": "kind", "with       milk": 0, "with       honey": 1, "note ": "note", "+ thing": "add", "[ Order ]": nil,
				}[begin(clicked)]
				switch {
				case is && o.Current() != want && before != "add" && before != want:
					t.Errorf("room %d, cursor on %v: a click on %q goes to %v", room, before, clicked, o.Current())
				case !is && clicked == "" && (o.Current() != before || o.sent != sent):
					t.Errorf("room %d, cursor on %v: a click on nothing goes to %v", room, before, o.Current())
				}
			}
		}
	}
}

// begin returns how the line of a stop begins.
func begin(line string) string {
	for _, start := range []string{"who  ", "kind ", "with       milk", "with       honey", "note ", "+ thing", "[ Order ]"} {
		if strings.HasPrefix(line, start) {
			return start
		}
	}
	return line
}

func FuzzAFormIsDrawnWhateverIsInIt(f *testing.F) {
	f.Add("Ada7", "\x1b[2J\u202e", 8, 20, 3)
	f.Add("", strings.Repeat("港", 90), 1, 1, 0)
	f.Fuzz(func(t *testing.T, who, note string, room, width, at int) {
		room, width = 1+abs(room)%30, 1+abs(width)%120
		th := uitest.Theme(t, "mono")
		o := newOrder("Order")
		o.who, o.note, o.into = who, note, []string{note, ""}
		o.Note = note
		o.Refresh()
		o.goTo(abs(at) % 8)
		lines := o.View(th, width, room)
		if len(lines) != room {
			t.Fatalf("%d lines of %d", len(lines), room)
		}
		for _, l := range lines {
			if plain := ansi.Strip(l); text.Width(plain) > width || len(text.Hidden(plain)) > 0 {
				t.Fatalf("%q has %d cells of %d", l, text.Width(plain), width)
			}
		}
	})
}

func abs(n int) int {
	if n < 0 {
		return -(n + 1)
	}
	return n
}

// A form of many stops is not drawn whole for each key.
func BenchmarkDrawingAFormOfManyStops(b *testing.B) {
	o := newOrder("Order")
	for i := range 20_000 {
		o.into = append(o.into, fmt.Sprint("item ", i))
	}
	o.Refresh()
	o.goTo(10_000)
	th := uitest.Theme(b, "mono")
	for b.Loop() {
		o.View(th, 80, 24)
	}
}

// A paste where nothing can be typed is not lost unseen: it chooses, or it is said.
func TestAPasteThatHasNoPlaceIsSaid(t *testing.T) {
	o := newOrder("send")
	paste := func(s string) { o.Key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s), Paste: true}) }
	o.GoTo("kind")
	paste("black\n")
	if o.kind != "black" {
		t.Errorf("the choice is %q", o.kind)
	}
	for _, at := range []any{"kind", "add", nil} {
		o.GoTo(at)
		o.problem = ""
		if paste("white"); o.problem == "" || o.kind != "black" {
			t.Errorf("at %v nothing is said, the choice is %q", at, o.kind)
		}
	}
}
