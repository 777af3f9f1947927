package walletpane

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"chainscope/tui/screen"
	"chainscope/tui/screen/walletpane/params"
	"chainscope/tui/widget/edit"
	"chainscope/tui/widget/form"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/service"
	"chainscope/wallet/signer"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// labelWidth is the column of the names of fields.
const labelWidth = 17

// formPage is a form that is filled in, or the same params as JSON.
type formPage struct {
	base
	of    params.Form
	draft params.Draft
	// submit takes the params when all is right. Texts are there for forms
	// whose params are not what is sent.
	submit func(params json.RawMessage) tea.Cmd
	// example fills the draft; nil when there is none.
	example func() (params.Draft, error)
	// context holds what fields are checked against, for what is filled in.
	context func(params.Draft) *params.Context
	// objection describes what the wallet would find wrong with params that are
	// right as such; nil finds nothing.
	objection func(params json.RawMessage) error
	request   bool          // it is a request, with options and a JSON side
	options   *options      // of the request
	again     *service.Call // the call whose request is edited, nil for none
	draftName string        // under which name what is typed is kept, "" for not at all

	fields   *form.Form
	ed       *edit.Editor // of the JSON
	asJSON   bool
	onButton bool   // in JSON, the button has the keys
	leaving  bool   // in JSON that no field can show, esc was pressed once
	problem  string // of the JSON
	verdicts map[params.Place]judged
	// refusal holds what the wallet would say to the params as they are, "" for
	// nothing.
	refusal string
}

// slotKey identifies a stop of the form: a text, or what adds an item to a list.
type slotKey struct {
	params.Place
	adds bool
}

type judged struct {
	text    string
	context *params.Context
	verdict params.Verdict
}

// newFormPage returns a page on a form.
func newFormPage(s *Screen, of params.Form, button string) *formPage {
	p := &formPage{base: base{screen: s}, of: of, draft: of.Empty(), verdicts: map[params.Place]judged{}, options: &s.options}
	p.context = func(d params.Draft) *params.Context { return s.contextOf(p.by(), of.Method, d) }
	p.fields = form.New(p, s.env.Keys, labelWidth, button)
	return p
}

// by returns a call with the account and the network that the request is signed for, and the wallet that
// is expected to: those of the call that is edited, else those of now.
func (p *formPage) by() service.Call {
	if p.again != nil {
		return *p.again
	}
	st := p.screen.state
	c := service.Call{Account: st.Account, Network: st.Network}
	for _, w := range st.Wallets {
		if w.ID == st.Remembered {
			c.Wallet = w.Personality
		}
	}
	return c
}

// fill shows another draft and goes to the first field that wants something,
// else to the button.
func (p *formPage) fill(d params.Draft) {
	p.draft = d
	p.fields.Note = p.extra()
	p.fields.Refresh()
	p.fields.GoToProblem()
	p.checkWithWallet()
}

// checkWithWallet finds what the wallet would say to the params, once they are to be
// sent.
func (p *formPage) checkWithWallet() {
	p.refusal = ""
	if !p.asJSON && !p.fields.OnButton() {
		return
	}
	params, err := p.params()
	switch {
	case err != nil:
		p.refusal = err.Error()
	case p.objection != nil:
		if err := p.objection(params); err != nil {
			p.refusal = "the wallet would refuse: " + inWords(err)
		}
	}
}

// Slots lists the stops of what is filled in.
func (p *formPage) Slots() (out []form.Slot) {
	for _, field := range p.of.Fields {
		if !field.Lists() {
			label := field.Called()
			if !field.Optional {
				label += " *"
			}
			out = append(out, p.slot(field, params.At(field.Name), label))
			continue
		}
		label := field.Called()
		for i, item := range p.draft.Items[field.Name] {
			label = ""
			for n, part := range field.Shows(item) {
				word := part.Called()
				if n == 0 {
					word = fmt.Sprintf("%s %d", word, i+1)
				}
				s := p.slot(part, params.Place{Name: field.Name, Item: i, Part: part.Name}, " "+word)
				s.Vacant = strings.Join(slices.Collect(maps.Values(item)), "") == ""
				out = append(out, s)
			}
		}
		out = append(out, form.Slot{Key: slotKey{params.At(field.Name), true}, Label: label, Adds: field.Word, About: field.About})
	}
	return out
}

func (p *formPage) slot(field params.Field, at params.Place, label string) form.Slot {
	s := form.Slot{
		Key: slotKey{at, false}, Label: label, Text: p.draft.Get(at), About: field.About,
		Lines: field.ManyLines(), File: field.FromFile(), Exact: field.Kind == signer.KindText || field.Kind == signer.KindMessage,
	}
	if field.Chosen() {
		s.Options = field.Options()
	}
	if field.Optional || s.Options != nil {
		s.Empty = "not given"
	}
	return s
}

// field finds what a stop is of.
func (p *formPage) field(k slotKey) params.Field {
	f, _ := p.of.Field(k.Name)
	if k.Item < 0 {
		return f
	}
	i := slices.IndexFunc(f.Items, func(part params.Field) bool { return part.Name == k.Part })
	return f.Items[max(0, i)]
}

// Check judges a text; only what changed is looked at again.
func (p *formPage) Check(at any) form.Verdict {
	k := at.(slotKey)
	if k.adds {
		return form.Right("")
	}
	c, text := p.context(p.draft), p.draft.Get(k.Place)
	known, ok := p.verdicts[k.Place]
	if !ok || known.text != text || known.context != c {
		verdict, is := p.screen.labelVerdict(p.field(k), text)
		if !is {
			verdict = c.Check(p.field(k), text)
		}
		known = judged{text, c, verdict}
		p.verdicts[k.Place] = known
	}
	return form.Verdict(known.verdict)
}

// labelVerdict judges a label where an address is wanted, and reports whether it is one.
func (s *Screen) labelVerdict(f params.Field, typed string) (params.Verdict, bool) {
	wanted := slices.Contains([]signer.Kind{signer.KindAddress, signer.KindPrincipal, signer.KindContract}, f.Kind)
	problem, address, is := s.env.OfLabel(typed)
	return params.Verdict{Problem: problem, Fix: address, Offset: -1}, is && wanted
}

// Enter takes a text. With another type of an item other fields matter, with other choices.
func (p *formPage) Enter(at any, text string) {
	k := at.(slotKey)
	p.draft.Set(k.Place, text)
	if k.Part != "type" {
		return
	}
	list, _ := p.of.Field(k.Name)
	for _, part := range list.Shows(p.draft.Items[k.Name][k.Item]) {
		other := params.Place{Name: k.Name, Item: k.Item, Part: part.Name}
		if part.Chosen() && !slices.Contains(part.Options(), p.draft.Get(other)) {
			p.draft.Set(other, "")
		}
	}
}

// FromFile makes the text of a field of what is in a file.
func (p *formPage) FromFile(at any, content []byte) (string, error) {
	return params.FromBytes(p.field(at.(slotKey)), content)
}

// Add puts an item after the one under the cursor, or at the end of a list: the one of the
// stop, else the first of the form.
func (p *formPage) Add(at any) (any, error) {
	k, onField := at.(slotKey)
	list, _ := p.of.Field(k.Name)
	if !onField || !list.Lists() {
		i := slices.IndexFunc(p.of.Fields, params.Field.Lists)
		if i < 0 {
			return nil, errors.New("there is no list in this form")
		}
		list, k = p.of.Fields[i], slotKey{Place: params.At("")}
	}
	behind := k.Item
	if behind < 0 {
		behind = len(p.draft.Items[list.Name]) - 1
	}
	item := p.draft.Add(list.Name, behind)
	clear(p.verdicts)
	first := params.Place{Name: list.Name, Item: item, Part: list.Items[0].Name}
	if first.Part == "type" {
		p.draft.Set(first, list.Items[0].Choices[0])
	}
	return slotKey{first, false}, nil
}

// Remove removes the item under the cursor.
func (p *formPage) Remove(at any) error {
	k, onField := at.(slotKey)
	if !onField || k.Item < 0 {
		return form.ErrNothingToRemove
	}
	p.draft.Remove(k.Name, k.Item)
	clear(p.verdicts)
	return nil
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
		p.asJSON = false // JSON that no field can show is dropped
		p.screen.saveDraft(p)
		p.screen.back()
		return nil, true
	case key.Matches(msg, k.Options) && p.request:
		p.screen.saveDraft(p)
		p.screen.openOptions(p.options)
		return nil, true
	case key.Matches(msg, k.AsJSON) && p.request:
		return p.turn(), true
	case key.Matches(msg, k.Example):
		return p.fillExample(), true
	}
	p.problem, p.leaving = "", false
	defer p.checkWithWallet()
	if p.asJSON {
		return p.jsonKey(msg)
	}
	return p.fields.Key(msg)
}

// inWords returns an error without what the library of a page puts before that of a wallet.
func inWords(err error) string {
	if e, is := errors.AsType[*jsonrpc.Error](err); is {
		return e.Message
	}
	return err.Error()
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

// fileRead puts what was read from a file into the form that it was read for.
func (s *Screen) fileRead(msg form.FileMsg) tea.Cmd {
	for _, page := range s.pages {
		p, is := page.(*formPage)
		if !is {
			continue
		}
		if path, mine, err := p.fields.FileRead(msg); err != nil {
			return notice(err)
		} else if mine {
			p.checkWithWallet()
			return screen.Notice("read " + path)
		}
	}
	return nil
}

// params returns those that are filled in.
func (p *formPage) params() (json.RawMessage, error) {
	if p.asJSON {
		text := strings.TrimSpace(p.ed.Value())
		if text == "" {
			return nil, nil
		}
		if err := jsonProblem(text); err != nil {
			return nil, err
		}
		m, _ := signer.Lookup(p.of.Method)
		return m.WithLiterals(json.RawMessage(text))
	}
	return p.of.Params(p.draft)
}

// Send hands the params on, or goes to what is wrong.
func (p *formPage) Send() tea.Cmd {
	if !p.asJSON {
		if problems := p.of.Check(p.context(p.draft), p.draft); len(problems) > 0 {
			return p.refuse(&problems[0])
		}
	}
	params, err := p.params()
	if err != nil {
		return p.refuse(err)
	}
	p.screen.saveDraft(p)
	return p.submit(params)
}

func (p *formPage) refuse(err error) tea.Cmd {
	if p.asJSON {
		p.problem = err.Error()
		return nil
	}
	var at *params.Problem
	if !errors.As(err, &at) {
		return p.fields.Refuse(nil, err)
	}
	field, _ := p.of.Field(at.At.Name)
	return p.fields.Refuse(slotKey{at.At, field.Lists() && at.At.Item < 0}, err)
}

// jsonProblem returns why a text is no JSON, by line and column.
func jsonProblem(text string) error {
	var v any
	err := json.Unmarshal([]byte(text), &v)
	if syntax, is := errors.AsType[*json.SyntaxError](err); is {
		before := text[:min(int(syntax.Offset), len(text))]
		line := strings.Count(before, "\n") + 1
		return fmt.Errorf("line %d, column %d: %s", line, len(before)-strings.LastIndex(before, "\n")-1, jsonrpc.SyntaxWords(syntax))
	}
	return err
}

// Typing reports whether letters are text.
func (p *formPage) Typing() bool { return true }

// Scopes returns those of a form.
func (p *formPage) Scopes() []string { return []string{"form"} }

// Crumb names the method.
func (p *formPage) Crumb() string {
	if p.of.Method != "" {
		return p.of.Method
	}
	return p.of.Title
}

// Subject returns the request as it is.
func (p *formPage) Subject() screen.Subject {
	params, err := p.params()
	if err != nil || !p.request {
		return screen.Subject{Title: p.Crumb()}
	}
	by, w, wallet := p.by(), p.screen.walletOf(p.screen.wallet.Keys().Name()), p.screen.state.Remembered
	w.Account, w.Network, w.Persona = by.Account, by.Network, string(p.screen.state.Persona)
	if p.again != nil {
		wallet = by.Wallet.ID()
	}
	return p.screen.subjectOf(p.Crumb(), snippetOf(p.options.request(p.of.Method, params)), w, wallet, nil)
}
