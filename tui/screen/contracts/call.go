package contracts

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"chainscope/tui/nav"
	"chainscope/tui/resource"
	"chainscope/tui/screen"
	"chainscope/tui/theme"
	"chainscope/tui/widget/edit"
	"chainscope/tui/widget/field"
	"chainscope/wallet/clarity"
	"chainscope/wallet/clarity/abi"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// callPage is the form in which a function is called, or a variable, constant or map is read.
type callPage struct {
	env   *screen.Env
	theme *theme.Theme
	of    *resource.Contract
	filled
	wrong error // why there is nothing to call

	slots   []slot
	top     int // the first slot in sight
	ed      *edit.Editor
	problem string
	*calls
	width    int
	height   int
	onResult bool // the result has the keys
	ahead    bool // nobody waits for the answer
	scroll   int  // of the result
}

// filled is what a person has entered on a page; it is there again when they return.
type filled struct {
	target   target
	inputs   []*input
	sender   *input // nil where it does not matter
	foretold *foretold
	at       int             // the slot with the cursor
	sent     bool            // a request was made
	args     []clarity.Value // those of the last request
	as       string          // its sender
	last     *answer
	history  []answer // the newest first, without the last
}

// slot is a line of the form.
type slot struct {
	in, within *input
	depth      int
	adds, send bool
}

// maxHistory is how many answers are kept.
const maxHistory = 20

// slotCall names the request of a call.
const slotCall = "call"

func newCallPage(env *screen.Env, th *theme.Theme, calls *calls) *callPage {
	return &callPage{env: env, theme: th, calls: calls}
}

// Fill makes the form of a function or a map. A target without arguments is asked at once.
func (p *callPage) Fill(of *resource.Contract, at nav.Place, state any) tea.Cmd {
	p.of = of
	if before, back := state.(filled); back && before.target.name == at.Name {
		p.filled = before
		p.lay()
		p.goTo(p.at)
		p.onResult = p.brought()
		if p.sent && p.last == nil {
			return p.again() // it failed before
		}
		return nil
	}
	p.target, p.wrong = targetOf(of, at.Name, at.Part == nav.PartFunction)
	for _, arg := range p.target.args {
		p.inputs = append(p.inputs, newInput(arg.Name, arg.Type))
	}
	if p.target.kind == readOnly {
		p.sender = newInput("sender", abi.Type{Kind: abi.Principal})
		p.sender.optional = true
	}
	p.lay()
	p.goTo(0)
	if p.wrong == nil && len(p.inputs) == 0 && p.target.kind != public {
		p.goTo(len(p.slots) - 1)
		return p.send()
	}
	return nil
}

// State returns what was entered, and the outcome.
func (p *callPage) State() any { return p.filled }

// SetSize says how many cells View fills.
func (p *callPage) SetSize(width, height int) { p.width, p.height = width, height }

// SetTheme changes the colors.
func (p *callPage) SetTheme(th *theme.Theme) { p.theme = th }

// Typing reports whether keys are text.
func (p *callPage) Typing() bool { return p.wrong == nil && !p.onResult }

// Scopes are those of a form, or of what it brought.
func (p *callPage) Scopes() []string {
	if p.Typing() {
		return []string{"form"}
	}
	return []string{"detail", "contracts"}
}

// lay lists the slots of what is filled in.
func (p *callPage) lay() {
	p.slots = p.slots[:0]
	for _, in := range p.inputs {
		p.layInput(in, nil, 0)
	}
	if p.sender != nil {
		p.slots = append(p.slots, slot{in: p.sender})
	}
	p.slots = append(p.slots, slot{send: true})
	p.at = max(0, min(p.at, len(p.slots)-1))
}

func (p *callPage) layInput(in, within *input, depth int) {
	p.slots = append(p.slots, slot{in: in, within: within, depth: depth})
	if in.text != "" {
		return // a literal stands for the parts
	}
	for _, part := range in.parts {
		p.layInput(part, in, depth+1)
	}
	if in.of.Kind == abi.List && len(in.parts) > 0 && in.grows() {
		p.slots = append(p.slots, slot{in: in, depth: depth + 1, adds: true})
	}
}

// goTo puts the cursor on a slot.
func (p *callPage) goTo(i int) {
	p.at, p.ed, p.onResult = max(0, min(i, len(p.slots)-1)), nil, false
	if s := p.slots[p.at]; !s.send && !s.adds && s.in.choices() == nil {
		p.ed = edit.New(false)
		p.ed.SetValue(s.in.text)
	}
}

// Key handles a key.
func (p *callPage) Key(msg tea.KeyMsg) (tea.Cmd, bool) {
	cmd, ok := p.key(msg)
	p.forget()
	return cmd, ok
}

func (p *callPage) key(msg tea.KeyMsg) (tea.Cmd, bool) {
	k := p.env.Keys.Form
	switch {
	case p.wrong != nil, msg.String() == "esc", msg.String() == "ctrl+p", msg.String() == "ctrl+g":
		return nil, false
	case key.Matches(msg, k.Send):
		return p.send(), true
	case key.Matches(msg, k.Foresee) && p.target.kind == public:
		return p.foresee(), true
	case key.Matches(msg, k.Example):
		p.fillExample()
		return nil, true
	case p.onResult:
		return p.resultKey(msg)
	}
	p.problem = ""
	s := p.slots[p.at]
	switch {
	case key.Matches(msg, k.Add):
		p.add(s)
		return nil, true
	case key.Matches(msg, k.Remove):
		p.remove(s)
		return nil, true
	}
	if p.ed != nil && p.ed.Key(msg) {
		before := s.in.text == ""
		s.in.text, s.in.judged = p.ed.Value(), false
		if before != (s.in.text == "") && len(s.in.parts) > 0 {
			p.lay()
		}
		return nil, true
	}
	switch msg.String() {
	case "tab", "down":
		return nil, p.step(1)
	case "shift+tab", "up":
		return nil, p.step(-1)
	case "enter":
		switch {
		case s.send:
			return p.send(), true
		case s.adds:
			p.add(s)
		default:
			p.goTo(p.at + 1)
		}
		return nil, true
	case "pgdown", "pgup":
		return p.resultKey(msg)
	}
	if !s.send && !s.adds {
		p.choose(s.in, msg)
	}
	return nil, msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace
}

// step goes to another slot, beyond the last to the result.
func (p *callPage) step(by int) bool {
	switch to := p.at + by; {
	case to >= len(p.slots) && p.brought():
		p.onResult = true
	case to >= len(p.slots):
		p.goTo(0)
	case to < 0:
		p.goTo(len(p.slots) - 1)
	default:
		p.goTo(to)
	}
	return true
}

// choose goes through what can be chosen.
func (p *callPage) choose(in *input, msg tea.KeyMsg) {
	options := in.choices()
	now := slices.Index(options, in.text)
	if in.of.Kind == abi.Response {
		now = 0
		if in.failed {
			now = 1
		}
	}
	to, _ := field.Choose(options, now, msg)
	switch {
	case now < 0:
	case in.of.Kind == abi.Response && typedLiteral(msg):
		p.ed = edit.New(false) // a literal is taken anywhere
		p.ed.Key(msg)
		in.text, in.judged = p.ed.Value(), false
		p.lay()
	case in.of.Kind == abi.Response && to != now:
		in.turn()
		p.lay()
	case in.of.Kind != abi.Response:
		in.text, in.judged = options[to], false
	}
}

// typedLiteral reports whether a key begins a literal.
func typedLiteral(msg tea.KeyMsg) bool { return msg.Type == tea.KeyRunes && string(msg.Runes) == "(" }

// add adds an item to the list under the cursor, or to the one around it.
func (p *callPage) add(s slot) {
	to := s.in
	if s.send || !to.grows() {
		to = s.within
	}
	switch {
	case to == nil || !to.grows():
		p.problem = "nothing can be added here"
		return
	case to.text != "":
		p.problem = "clear the literal first: it stands for all items"
		return
	}
	part := to.add()
	for part.of.Kind == abi.Tuple && len(part.parts) > 0 {
		part = part.parts[0] // what is typed first
	}
	p.lay()
	p.goTo(slices.IndexFunc(p.slots, func(s slot) bool { return s.in == part && !s.adds }))
}

// remove takes the item under the cursor away.
func (p *callPage) remove(s slot) {
	if s.within == nil || s.adds || !s.within.remove(s.in) {
		p.problem = "there is nothing to remove here: go to an item"
		return
	}
	p.lay()
	p.goTo(p.at)
}

func (p *callPage) fillExample() {
	address, _, _ := strings.Cut(p.of.ID, ".")
	if w := p.env.Wallet; w != nil {
		state := w.State()
		if all, err := w.Addresses(state.Account, state.Network); err == nil {
			for _, a := range all {
				if a.Symbol == "STX" {
					address = a.Address
				}
			}
		}
	}
	for _, in := range p.inputs {
		in.example(func() string {
			now := address
			address, _, _ = strings.Cut(p.of.ID, ".") // who receives is another than who sends
			return now
		})
	}
	p.lay()
	p.goTo(len(p.slots) - 1)
}

// values returns the values that were entered.
func (p *callPage) values() (args []clarity.Value, sender string, err error) {
	for _, in := range p.inputs {
		v, err := in.value()
		if err != nil {
			return nil, "", err
		}
		args = append(args, v)
	}
	if p.sender != nil && p.sender.text != "" {
		v, err := p.sender.value()
		if err != nil {
			return nil, "", err
		}
		sender = strings.TrimPrefix(clarity.Repr(v), "'")
	}
	return args, sender, nil
}

// refuse says what is wrong, and goes where it is.
func (p *callPage) refuse(err error) tea.Cmd {
	p.problem = err.Error()
	var wrong *wrongAt
	if errors.As(err, &wrong) {
		if at := slices.IndexFunc(p.slots, func(s slot) bool { return s.in == wrong.at && !s.adds }); at >= 0 {
			p.goTo(at)
		}
	}
	return nil
}

// send calls or reads, or hands a request to the wallet.
func (p *callPage) send() tea.Cmd {
	p.problem = ""
	if p.target.kind == public {
		params, err := p.request(p.conditions())
		if err != nil {
			return p.refuse(err)
		}
		return screen.AskWallet(callMethod, params)
	}
	args, sender, err := p.values()
	if err != nil {
		return p.refuse(err)
	}
	p.sent, p.ahead, p.args, p.as = true, false, args, sender
	return p.again()
}

// again makes the last request once more.
func (p *callPage) again() tea.Cmd { return screen.Fetch(p.env, &p.answer, slotCall, p.reading()) }

// reading returns what makes the last request.
func (p *callPage) reading() func(context.Context) (answer, error) {
	t, client, now, args, sender := p.target, p.env.Client, p.env.Now, p.args, p.as
	return func(ctx context.Context) (answer, error) { return t.ask(ctx, client, now, args, sender) }
}

// live makes the last request again where the value may be another by now. A constant changes with
// the chain alone.
func (p *callPage) live() tea.Cmd {
	if !p.sent || p.target.kind == constant && !p.answer.RequestedAt().IsZero() || !p.env.Outdated(&p.answer) {
		return nil
	}
	p.ahead = true
	return screen.FetchAhead(p.env, &p.answer, slotCall, p.reading())
}

// Refresh repeats the last request.
func (p *callPage) Refresh() tea.Cmd {
	switch {
	case p.wrong != nil:
		return nil
	case p.target.kind == public:
		return p.askForecast()
	}
	return p.send()
}

// took takes the answer, and reports whether it is that of the last request.
func (p *callPage) took(got screen.Fetched[answer]) bool {
	switch {
	case !p.answer.Settle(got.Key, got.Value, got.Err, got.At):
		return false
	case got.Err != nil:
		p.problem = "" // the result says it
		return true
	case p.ahead:
		p.last = &got.Value
		return true
	case p.last != nil:
		p.history = append([]answer{*p.last}, p.history[:min(len(p.history), maxHistory-1)]...)
	}
	p.last, p.scroll = &got.Value, 0
	p.onResult = p.onResult || p.slots[p.at].send
	return true
}

// Subject is the value.
func (p *callPage) Subject() screen.Subject {
	sub := screen.Subject{Title: cmp.Or(p.target.name, "call")}
	if p.last != nil {
		sub.Raw, sub.ExchangeID = p.last.raw, p.last.exchange
		sub.Copies = []screen.Copy{{Key: "v", Label: "value", Text: cmp.Or(p.last.repr, p.last.cause)}}
	}
	return sub
}
