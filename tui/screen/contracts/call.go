package contracts

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"chainscope/tui/nav"
	"chainscope/tui/resource"
	"chainscope/tui/screen"
	"chainscope/tui/theme"
	"chainscope/tui/widget/form"
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

	fields *form.Form
	*calls
	width  int
	height int
	ahead  bool // nobody waits for the answer
	scroll int  // of the result
}

// filled holds what the user has entered on a page; it is there again when they return.
type filled struct {
	target   target
	inputs   []*input
	sender   *input // nil where it does not matter
	foretold *foretold
	at       any             // the stop with the cursor
	sent     bool            // a request was made
	args     []clarity.Value // those of the last request
	as       string          // its sender
	last     *answer
	history  []answer // the newest first, without the last
}

// adding is the stop that adds an item to an input.
type adding struct{ to *input }

// maxHistory limits how many answers are kept.
const maxHistory = 20

func newCallPage(env *screen.Env, th *theme.Theme, calls *calls) *callPage {
	return &callPage{env: env, theme: th, calls: calls}
}

// Fill makes the form of a function or a map. A target without arguments is called at once.
func (p *callPage) Fill(of *resource.Contract, at nav.Place, state any) tea.Cmd {
	p.of = of
	if before, back := state.(filled); back && before.target.name == at.Name {
		p.filled = before
		p.makeForm()
		p.fields.GoTo(p.at)
		p.fields.Away = p.hasResult()
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
	p.makeForm()
	if p.wrong == nil && len(p.inputs) == 0 && p.target.kind != public {
		p.fields.Last()
		return p.Send()
	}
	return nil
}

// makeForm makes the form of the inputs.
func (p *callPage) makeForm() { p.fields = form.New(p, p.env.Keys, labelWidth, p.words()) }

// State returns what was entered, and the outcome.
func (p *callPage) State() any {
	if p.fields != nil {
		p.at = p.fields.Current()
	}
	return p.filled
}

// SetSize says how many cells View fills.
func (p *callPage) SetSize(width, height int) { p.width, p.height = width, height }

// SetTheme changes the colors.
func (p *callPage) SetTheme(th *theme.Theme) { p.theme = th }

// Typing reports whether keys are text.
func (p *callPage) Typing() bool { return p.wrong == nil && !p.fields.Away }

// Scopes returns those of a form, or of its result.
func (p *callPage) Scopes() []string {
	if p.Typing() {
		return []string{"form"}
	}
	return []string{"detail", "contracts"}
}

// Key handles a key.
func (p *callPage) Key(msg tea.KeyMsg) (tea.Cmd, bool) {
	if p.wrong != nil || msg.String() == "esc" {
		return nil, false
	}
	cmd, ok := p.key(msg)
	p.forget()
	p.fields.Button = p.words()
	return cmd, ok
}

func (p *callPage) key(msg tea.KeyMsg) (tea.Cmd, bool) {
	k, name := p.env.Keys.Form, msg.String()
	switch {
	case key.Matches(msg, k.Foresee) && p.target.kind == public:
		return p.foresee(), true
	case key.Matches(msg, k.Example):
		p.fillExample()
		return nil, true
	case key.Matches(msg, k.Send):
		return p.Send(), true
	case p.fields.Away:
		return p.resultKey(msg)
	case (name == "tab" || name == "down") && p.fields.AtEnd() && p.hasResult():
		p.fields.Away = true
		return nil, true
	case name == "pgdown" || name == "pgup":
		return p.resultKey(msg)
	}
	return p.fields.Key(msg)
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
	p.fields.Refresh()
	p.fields.Last()
}

// fileRead puts what was read from a file into its input.
func (p *callPage) fileRead(msg form.FileMsg) tea.Cmd {
	path, mine, err := p.fields.FileRead(msg)
	switch {
	case !mine:
		return nil
	case err != nil:
		return screen.Notice(err.Error())
	}
	return screen.Notice("read " + path)
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

// refuse returns what is wrong, and goes where it is.
func (p *callPage) refuse(err error) tea.Cmd {
	if wrong, is := errors.AsType[*wrongAt](err); is {
		if verdict, is := p.labelVerdict(wrong.at); is {
			err = &wrongAt{wrong.at, errors.New(verdict.Problem)}
		}
		return p.fields.Refuse(wrong.at, err)
	}
	return p.fields.Refuse(nil, err)
}

// Send calls or reads, or hands a request to the wallet.
func (p *callPage) Send() tea.Cmd {
	if p.target.kind == public {
		params, err := p.request(p.conditions())
		if err != nil {
			return p.refuse(err)
		}
		return p.env.RequestWallet(callMethod, params)
	}
	args, sender, err := p.values()
	if err != nil {
		return p.refuse(err)
	}
	p.sent, p.ahead, p.args, p.as = true, false, args, sender
	return p.again()
}

// again makes the last request once more.
func (p *callPage) again() tea.Cmd { return screen.Fetch(p.env, &p.answer, p.reading()) }

// reading returns what makes the last request.
func (p *callPage) reading() func(context.Context) (answer, error) {
	t, client, now, args, sender := p.target, p.env.Client, p.env.Now, p.args, p.as
	return func(ctx context.Context) (answer, error) { return t.request(ctx, client, now, args, sender) }
}

// live makes the last request again where the value may be another by now. A constant changes with
// the chain alone.
func (p *callPage) live() tea.Cmd {
	if !p.sent || p.target.kind == constant && !p.answer.RequestedAt().IsZero() || !p.env.Outdated(&p.answer) {
		return nil
	}
	p.ahead = true
	return screen.FetchAhead(p.env, &p.answer, p.reading())
}

// Refresh repeats the last request.
func (p *callPage) Refresh() tea.Cmd {
	switch {
	case p.wrong != nil:
		return nil
	case p.target.kind == public:
		return p.requestForecast()
	}
	return p.Send()
}

// loaded settles the request, and reports whether it is that of the last request.
func (p *callPage) loaded(got screen.Fetched[answer]) bool {
	switch {
	case !p.answer.Settle(got.Key, got.Value, got.Err, got.At):
		return false
	case got.Err != nil:
		return true
	case p.ahead:
		p.last = &got.Value
		return true
	case p.last != nil:
		p.history = append([]answer{*p.last}, p.history[:min(len(p.history), maxHistory-1)]...)
	}
	p.last, p.scroll = &got.Value, 0
	p.fields.Away = p.fields.Away || p.fields.OnButton()
	return true
}

// Subject returns the value.
func (p *callPage) Subject() screen.Subject {
	sub := screen.Subject{Title: cmp.Or(p.target.name, "call")}
	if p.last != nil {
		sub.Raw, sub.ExchangeID = p.last.raw, p.last.exchange
		sub.Copies = []screen.Copy{{Key: "v", Label: "value", Text: cmp.Or(p.last.repr, p.last.cause)}}
	}
	return sub
}
