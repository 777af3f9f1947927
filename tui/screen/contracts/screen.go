// Package contracts is the place of the parts of a contract: its source, and where a function
// is called or something that it keeps is read.
//
// It must not import another place.
package contracts

import (
	"context"
	"encoding/json"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/remote"
	"chainscope/tui/resource"
	"chainscope/tui/screen"
	"chainscope/tui/screen/browser"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/detail"
	"chainscope/tui/widget/form"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// page draws a part of a contract and takes its keys. Its subject is what is under the cursor; the
// screen adds what it has of the contract.
type page interface {
	screen.Page
	// Fill shows the part of a contract; the state is what State returned, nil at first. It
	// may request something.
	Fill(of *resource.Contract, at nav.Place, state any) tea.Cmd
	State() any
	Hint() string
}

// loaded is a contract that was read.
type loaded struct {
	of       resource.Contract
	raw      json.RawMessage
	exchange uint64
}

// Known finds a contract that the list has read.
type Known func(id string) (resource.Contract, bool)

// Screen shows a part of a contract. The contract that it is of is the one that the list
// has, else it is requested.
type Screen struct {
	*browser.Frame
	env   *screen.Env
	known Known
	at    nav.Place
	one   remote.Value[loaded]
	calls
	page  page
	back  any               // the state of the page, until there is a contract to show
	typed map[nav.Place]any // the states of forms that were left
	// replaced is true where the chain is another one than that of the contract.
	replaced bool
}

// calls are the requests of the page of a call.
type calls struct {
	answer   remote.Value[answer]
	foreseen remote.Value[foretold]
}

// New returns the place.
func New(env *screen.Env, th *theme.Theme, known Known) *Screen {
	p := &Screen{env: env, known: known}
	p.Frame = browser.New(env, th, p)
	p.Loads(&p.one, &p.answer, &p.foreseen)
	return p
}

// Ops returns the calls of the client that are made here.
func (p *Screen) Ops() []string {
	return []string{"contract", "read-only call", "data variable", "constant", "map entry"}
}

// Open goes to a part of a contract.
func (p *Screen) Open(at nav.Place, back any) tea.Cmd {
	had, there := p.one.Get()
	same := there && p.at.Principal == at.Principal && p.one.State() == remote.Ready
	p.keepTyped()
	if back == nil {
		back = p.typed[at]
	}
	p.at, p.page, p.back, p.replaced = at, nil, back, false
	p.StopRetries()
	if known, ok := p.known(at.Principal); ok {
		return p.show(&known)
	}
	if same {
		return p.show(&had.of)
	}
	p.one.Reset()
	return p.request()
}

// formsKept bounds how many forms are kept as they were left.
const formsKept = 64

// keepTyped keeps what was entered in the form that is left; what came of it is loaded anew.
func (p *Screen) keepTyped() {
	call, is := p.page.(*callPage)
	if !is || len(call.inputs) == 0 {
		return
	}
	if p.typed == nil || len(p.typed) >= formsKept {
		p.typed = map[nav.Place]any{}
	}
	p.typed[p.at] = filled{target: call.target, inputs: call.inputs, sender: call.sender, at: call.fields.Current()}
}

func (p *Screen) request() tea.Cmd { return screen.Fetch(p.env, &p.one, p.reading()) }

// reading returns what reads the contract.
func (p *Screen) reading() func(context.Context) (loaded, error) {
	client, id := p.env.Client, p.at.Principal
	return func(ctx context.Context) (loaded, error) {
		a, err := client.Contract(ctx, id)
		if err != nil {
			return loaded{}, err
		}
		return loaded{resource.ContractOf(&a.Value), a.Raw, a.ExchangeID}, nil
	}
}

// show makes the page of the part.
func (p *Screen) show(of *resource.Contract) tea.Cmd {
	p.answer.Reset()
	p.foreseen.Reset()
	if p.page = newSourcePage(p.env, p.Theme); p.at.Part != nav.PartSource {
		p.page = newCallPage(p.env, p.Theme, &p.calls)
	}
	p.page.SetSize(p.Width, max(0, p.Height-p.HeadLines()))
	cmd := p.page.Fill(of, p.at, p.back)
	p.back = nil
	return cmd
}

// Place returns the part that is shown.
func (p *Screen) Place() nav.Place { return p.at }

// State returns that of the page.
func (p *Screen) State() any {
	if p.page == nil {
		return p.back
	}
	return p.page.State()
}

// SetSize sets the cells that View fills.
func (p *Screen) SetSize(width, height int) {
	p.Frame.SetSize(width, height)
	if p.page != nil {
		p.page.SetSize(width, max(0, height-p.HeadLines()))
	}
}

// SetTheme changes the colors.
func (p *Screen) SetTheme(th *theme.Theme) {
	p.Frame.SetTheme(th)
	if p.page != nil {
		p.page.SetTheme(th)
	}
}

// Refresh requests the contract again.
func (p *Screen) Refresh() tea.Cmd {
	p.StopRetries()
	if asks, ok := p.page.(interface{ Refresh() tea.Cmd }); ok {
		return asks.Refresh()
	}
	return p.request()
}

// Live requests the contract where the chain is another one, and again for what was called or read.
func (p *Screen) Live() tea.Cmd {
	call, calls := p.page.(*callPage)
	switch {
	case p.replaced && !p.one.Busy() && !p.Waits(&p.one):
		return screen.FetchAhead(p.env, &p.one, p.reading())
	case calls && !p.Waits(&p.answer):
		return call.live()
	}
	return nil
}

// Update takes the answers to requests.
func (p *Screen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.Fetched[loaded]:
		if !p.one.Settle(msg.Key, msg.Value, msg.Err, msg.At) {
			return nil
		}
		later := p.RetryLater(&p.one, msg.Err, msg.At, p.request)
		if msg.Err != nil {
			return later
		}
		if p.replaced = false; p.page != nil {
			p.back = p.page.State()
		}
		return tea.Batch(later, p.show(&msg.Value.of))
	case screen.Fetched[answer]:
		if call, ok := p.page.(*callPage); ok && call.loaded(msg) {
			return p.RetryLater(&p.answer, msg.Err, msg.At, call.again)
		}
	case form.FileMsg:
		if call, ok := p.page.(*callPage); ok {
			return call.fileRead(msg)
		}
	case screen.Fetched[foretold]:
		if call, ok := p.page.(*callPage); ok {
			call.forecastLoaded(msg)
		}
	case screen.ChainChanged:
		p.one.Expire()
		p.answer.Expire()
		p.replaced = p.page != nil
	}
	return nil
}

// Typing reports whether keys are text.
func (p *Screen) Typing() bool { return p.page != nil && p.page.Typing() }

// Key hands a key to the page. Of those of the frame there is esc alone: there is no list.
func (p *Screen) Key(msg tea.KeyMsg) (tea.Cmd, bool) {
	if p.page != nil {
		if cmd, ok := p.page.Key(msg); ok {
			return cmd, true
		}
	}
	if key.Matches(msg, p.env.Keys.Global.Up) {
		return p.Close(msg)
	}
	return nil, false
}

// Scopes returns those of the page.
func (p *Screen) Scopes() []string {
	if p.page == nil {
		return []string{"detail", "contracts"}
	}
	return p.page.Scopes()
}

// Filters reports that there is no list to filter.
func (p *Screen) Filters() bool { return false }

// Columns, Describe: there is no list, and no detail.
func (p *Screen) Columns(int) string { return "" }

// Describe returns nothing.
func (p *Screen) Describe() (string, []detail.Row) { return "", nil }

// Heading returns the contract, and the part of it.
func (p *Screen) Heading(time.Time) string {
	th := p.Theme
	words := string(p.at.Part)
	if p.at.Name != "" && p.at.Part != nav.PartSource {
		words = p.at.Name
	}
	return " " + th.Strong.Render(text.Line(words)) + th.Muted.Render("  of "+text.MiddleWith(p.at.Principal, max(8, p.Width-text.Width(text.Line(words))-8), th.Glyphs.Ellipsis))
}

// Failed returns the value whose failure is shown above the page.
func (p *Screen) Failed() browser.Remote { return &p.one }

// Instead draws the page, or why there is none.
func (p *Screen) Instead(now time.Time, width, height int) []string {
	if p.page == nil {
		return p.Waiting(&p.one, "the contract", now, width, height)
	}
	return p.page.View(now)
}

// Cancel cancels what is loading.
func (p *Screen) Cancel() bool {
	if p.one.Busy() && p.page == nil {
		p.one.Cancel()
		return true
	}
	return false
}

// Subject returns what is under the cursor of the page.
func (p *Screen) Subject() screen.Subject {
	if p.page == nil {
		if err := p.one.Err(); err != nil {
			return browser.FailedSubject("contract", err)
		}
		return screen.Subject{}
	}
	sub := p.page.Subject()
	sub.Copies = append(sub.Copies, screen.Copy{Key: "h", Label: "contract", Text: p.at.Principal})
	if p.env.Web != "" {
		sub.Web = p.env.Web + "/txid/" + p.at.Principal + p.env.WebQuery
	}
	return sub
}

// Status returns what the status line shows.
func (p *Screen) Status() screen.Status {
	st := p.StatusOf(0, &p.one)
	if call, ok := p.page.(*callPage); ok && call.sent {
		var exchange uint64
		if call.last != nil {
			exchange = call.last.exchange
		}
		st = p.StatusOf(exchange, &p.answer)
		st.Follows = call.target.kind != constant
	}
	if p.page != nil {
		st.Hint = p.page.Hint()
	}
	return st
}

// Click puts the cursor of a form where the mouse is.
func (p *Screen) Click(_, y int) tea.Cmd {
	call, is := p.page.(*callPage)
	if !is {
		return nil
	}
	return call.click(y - p.HeadLines())
}

// contractAt returns the place of a contract principal, the zero place for what is none.
func contractAt(principal string) nav.Place {
	if apiclient.CheckPrincipal(principal) != nil {
		return nav.Place{}
	}
	return nav.Contract(principal)
}
