package walletpane

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"chainscope/tui/screen"
	"chainscope/tui/screen/walletpane/form"
	"chainscope/tui/widget/edit"
	"chainscope/tui/widget/field"
	"chainscope/wallet/signer"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// formPage is a form that is filled in, or the same params as JSON.
type formPage struct {
	base
	form   form.Form
	draft  form.Draft
	button string // what the button says
	// submit takes the params when all is right. Texts are there for forms
	// whose params are not what is sent.
	submit func(params json.RawMessage) tea.Cmd
	// example fills the draft; nil when there is none.
	example func() (form.Draft, error)
	// context is what fields are checked against, for what is filled in.
	context func(form.Draft) *form.Context
	// objection says what the wallet would find wrong with params that are
	// right as such; nil asks nobody.
	objection func(params json.RawMessage) error
	request   bool // it is a request, with options and a JSON side

	slots    []slot
	at       int
	ed       *edit.Editor
	asJSON   bool
	onButton bool // in JSON, the button has the keys
	leaving  bool // in JSON that no field can show, esc was pressed once
	problem  string
	verdicts map[form.Place]judged
	// refusal is what the wallet would say to the params as they stand, "" for
	// nothing.
	refusal string
}

// slot is one line of a form that the cursor stops at.
type slot struct {
	field form.Field
	at    form.Place
	adds  bool // it adds an item to a list
	send  bool // the button
	first bool // the first field of an item
}

type judged struct {
	text    string
	context *form.Context
	verdict form.Verdict
}

// newFormPage returns a page on a form.
func newFormPage(s *Screen, f form.Form, button string) *formPage {
	p := &formPage{base: base{screen: s}, form: f, draft: f.Empty(), button: button, verdicts: map[form.Place]judged{}}
	p.context = func(d form.Draft) *form.Context { return s.contextOf(f.Method, d) }
	p.lay()
	p.goTo(0)
	return p
}

// fill shows another draft and goes to the first field that wants something,
// else to the button.
func (p *formPage) fill(d form.Draft) {
	p.draft = d
	p.lay()
	p.goTo(p.nextProblem(0))
	p.askWallet()
}

// askWallet finds what the wallet would say to the params, once they are to be
// sent.
func (p *formPage) askWallet() {
	p.refusal = ""
	if !p.asJSON && !p.slots[p.at].send {
		return
	}
	params, err := p.params()
	switch {
	case err != nil:
		p.refusal = err.Error()
	case p.objection != nil:
		if err := p.objection(params); err != nil {
			p.refusal = "the wallet would refuse: " + err.Error()
		}
	}
}

// lay lists the slots of what is filled in.
func (p *formPage) lay() {
	p.slots = nil
	for _, field := range p.form.Fields {
		if !field.Lists() {
			p.slots = append(p.slots, slot{field: field, at: form.At(field.Name)})
			continue
		}
		for i, item := range p.draft.Items[field.Name] {
			for n, part := range field.Shows(item) {
				p.slots = append(p.slots, slot{field: part, at: form.Place{Name: field.Name, Item: i, Part: part.Name}, first: n == 0})
			}
		}
		p.slots = append(p.slots, slot{field: field, at: form.At(field.Name), adds: true})
	}
	p.slots = append(p.slots, slot{send: true})
	p.at = min(p.at, len(p.slots)-1)
}

// goTo puts the cursor on a slot.
func (p *formPage) goTo(i int) {
	p.at = max(0, min(i, len(p.slots)-1))
	s := p.slots[p.at]
	p.ed = nil
	if !s.send && !s.adds && !s.field.Chosen() {
		p.ed = edit.New(manyLines(s.field))
		p.ed.SetValue(p.draft.Get(s.at))
	}
}

func manyLines(f form.Field) bool { return f.Kind == signer.KindSource || f.Kind == signer.KindJSON }

// nextProblem finds the next slot from one on that has a problem, the button when
// there is none.
func (p *formPage) nextProblem(from int) int {
	for i := from; i < len(p.slots)-1; i++ {
		if s := p.slots[i]; !s.adds && p.verdict(s).Problem != "" {
			return i
		}
	}
	return len(p.slots) - 1
}

// verdict judges a slot; only what changed is looked at again.
func (p *formPage) verdict(s slot) form.Verdict {
	if s.adds || s.send {
		return form.Verdict{Offset: -1}
	}
	c, text := p.context(p.draft), p.draft.Get(s.at)
	if known, ok := p.verdicts[s.at]; ok && known.text == text && known.context == c {
		return known.verdict
	}
	v := c.Check(s.field, text)
	p.verdicts[s.at] = judged{text, c, v}
	return v
}

// Key handles a key.
func (p *formPage) Key(msg tea.KeyMsg) (tea.Cmd, bool) {
	k := p.screen.env.Keys.Form
	switch {
	case msg.String() == "esc" && p.asJSON && !p.leaving:
		cmd := p.turn() // to the fields first: what was typed is kept there
		if p.asJSON {
			p.leaving, p.problem = true, "esc once more drops it: "+p.problem
		}
		return cmd, true
	case msg.String() == "esc":
		p.screen.keepDraft(p)
		p.screen.back()
		return nil, true
	case key.Matches(msg, k.Send):
		return p.send(), true
	case key.Matches(msg, k.Options) && p.request:
		p.screen.keepDraft(p)
		p.screen.openOptions()
		return nil, true
	case key.Matches(msg, k.AsJSON) && p.request:
		return p.turn(), true
	case key.Matches(msg, k.Example):
		return p.fillExample(), true
	}
	p.problem, p.leaving = "", false
	defer p.askWallet()
	if p.asJSON {
		return p.jsonKey(msg)
	}
	return p.fieldKey(msg)
}

func (p *formPage) fillExample() tea.Cmd {
	if p.example == nil {
		return screen.Notice("there is no example for this")
	}
	d, err := p.example()
	if err != nil {
		return notice(err)
	}
	p.fill(d)
	if p.asJSON {
		p.asJSON = false
		return p.turn()
	}
	return nil
}

func (p *formPage) fieldKey(msg tea.KeyMsg) (tea.Cmd, bool) {
	s := p.slots[p.at]
	k := p.screen.env.Keys.Form
	switch {
	case key.Matches(msg, k.Add):
		p.add(s)
		return nil, true
	case key.Matches(msg, k.Remove):
		p.remove(s)
		return nil, true
	}
	if p.ed != nil && p.handleTextKey(s, msg) {
		return nil, true
	}
	switch msg.String() {
	case "tab", "down":
		return p.leave(s, (p.at+1)%len(p.slots)), true
	case "shift+tab", "up":
		return p.leave(s, (p.at+len(p.slots)-1)%len(p.slots)), true
	case "enter":
		switch {
		case s.send:
			return p.send(), true
		case s.adds:
			p.add(s)
			return nil, true
		}
		return p.leave(s, p.nextProblem(p.at+1)), true
	}
	if s.field.Chosen() && !s.send {
		return nil, p.choose(s, msg)
	}
	// What is on top of the frame stays reachable: the palette, the help.
	return nil, msg.Type == tea.KeyRunes && !s.send && !s.adds
}

// handleTextKey hands a key to the text under the cursor.
func (p *formPage) handleTextKey(s slot, msg tea.KeyMsg) bool {
	if msg.String() == "enter" && s.field.FromFile() {
		if _, is := form.FilePath(p.ed.Value()); is {
			return false
		}
	}
	// An item whose fields are all empty goes with one more backspace.
	if msg.Type == tea.KeyBackspace && p.ed.Empty() && s.at.Item >= 0 && p.emptyItem(s) {
		p.remove(s)
		return true
	}
	switch msg.String() {
	case "ctrl+p", "ctrl+g":
		return false
	}
	if !p.ed.Key(msg) {
		return false
	}
	p.draft.Set(s.at, p.ed.Value())
	return true
}

func (p *formPage) emptyItem(s slot) bool {
	return strings.Join(slices.Collect(maps.Values(p.draft.Items[s.at.Name][s.at.Item])), "") == ""
}

// leave goes to another slot; a file that is named is read first.
func (p *formPage) leave(s slot, to int) tea.Cmd {
	var cmd tea.Cmd
	if s.field.FromFile() {
		if path, is := form.FilePath(p.draft.Get(s.at)); is {
			cmd = p.screen.readFile(p, s.field, s.at, path)
		}
	}
	p.goTo(to)
	return cmd
}

// applyFileRead puts what was read from a file into its field.
func (p *formPage) applyFileRead(msg fileMsg) tea.Cmd {
	if msg.err != nil {
		p.problem = msg.err.Error()
		return notice(msg.err)
	}
	p.draft.Set(msg.at, msg.text)
	p.goTo(p.nextProblem(0))
	return screen.Notice("read " + msg.path)
}

// choose goes through what can be chosen.
func (p *formPage) choose(s slot, msg tea.KeyMsg) bool {
	options := s.field.Options()
	now := slices.Index(options, p.draft.Get(s.at))
	to, chooses := field.Choose(options, now, msg)
	if to < 0 || !chooses {
		return chooses
	}
	p.draft.Set(s.at, options[to])
	if s.at.Part == "type" { // other fields matter now, with other choices
		p.lay()
		for _, other := range p.slots {
			if other.at.Name == s.at.Name && other.at.Item == s.at.Item && other.field.Chosen() && !slices.Contains(other.field.Options(), p.draft.Get(other.at)) {
				p.draft.Set(other.at, "")
			}
		}
	}
	return true
}

// add puts an item after the one under the cursor, or at the end of a list: the one of the
// slot, else the first of the form.
func (p *formPage) add(s slot) {
	field, _ := p.form.Field(s.at.Name)
	if s.send || !field.Lists() {
		i := slices.IndexFunc(p.form.Fields, form.Field.Lists)
		if i < 0 {
			p.problem = "there is no list in this form"
			return
		}
		field = p.form.Fields[i]
	}
	behind := s.at.Item
	if s.send || behind < 0 {
		behind = len(p.draft.Items[field.Name]) - 1
	}
	item := p.draft.Add(field.Name, behind)
	if kind := field.Items[0]; kind.Name == "type" {
		p.draft.Set(form.Place{Name: field.Name, Item: item, Part: kind.Name}, kind.Choices[0])
	}
	p.lay()
	p.goTo(slices.IndexFunc(p.slots, func(s slot) bool { return s.at.Name == field.Name && s.at.Item == item && s.first }))
}

// remove takes the item under the cursor away.
func (p *formPage) remove(s slot) {
	if s.at.Item < 0 {
		p.problem = "there is nothing to remove here: go to one of the items"
		return
	}
	p.draft.Remove(s.at.Name, s.at.Item)
	clear(p.verdicts)
	p.lay()
	p.goTo(min(p.at, len(p.slots)-1))
}

// params are those that are filled in.
func (p *formPage) params() (json.RawMessage, error) {
	if p.asJSON {
		text := strings.TrimSpace(p.ed.Value())
		if text == "" {
			return nil, nil
		}
		if err := jsonProblem(text); err != nil {
			return nil, err
		}
		return json.RawMessage(text), nil
	}
	return p.form.Params(p.draft)
}

// send hands the params on, or goes to what is wrong.
func (p *formPage) send() tea.Cmd {
	if !p.asJSON {
		if problems := p.form.Check(p.context(p.draft), p.draft); len(problems) > 0 {
			return p.refuse(&problems[0])
		}
	}
	params, err := p.params()
	if err != nil {
		return p.refuse(err)
	}
	p.screen.keepDraft(p)
	return p.submit(params)
}

func (p *formPage) refuse(err error) tea.Cmd {
	p.problem = err.Error()
	var at *form.Problem
	if errors.As(err, &at) {
		for i, s := range p.slots {
			if s.at == at.At && (!s.adds || at.At.Item < 0) {
				p.goTo(i)
				break
			}
		}
	}
	return nil
}

// jsonProblem says why a text is no JSON, by line and column.
func jsonProblem(text string) error {
	var v any
	err := json.Unmarshal([]byte(text), &v)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		before := text[:min(int(syntax.Offset), len(text))]
		line := strings.Count(before, "\n") + 1
		return fmt.Errorf("line %d, column %d: %w", line, len(before)-strings.LastIndex(before, "\n")-1, err)
	}
	return err
}

// Typing reports whether letters are text.
func (p *formPage) Typing() bool { return true }

// Scopes are those of a form.
func (p *formPage) Scopes() []string { return []string{"form"} }

// Crumb names the method.
func (p *formPage) Crumb() string {
	if p.form.Method != "" {
		return p.form.Method
	}
	return p.form.Title
}

// Subject is the request as it stands.
func (p *formPage) Subject() screen.Subject {
	params, err := p.params()
	if err != nil || !p.request {
		return screen.Subject{Title: p.Crumb()}
	}
	return p.screen.subjectOf(p.Crumb(), snippetOf(p.screen.method(p.form.Method, params)), p.screen.walletNow(), p.screen.state.Remembered, nil)
}
