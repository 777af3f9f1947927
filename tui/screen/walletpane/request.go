package walletpane

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"chainscope/tui/screen"
	"chainscope/tui/screen/walletpane/params"
	"chainscope/tui/text"
	"chainscope/tui/widget/box"
	"chainscope/tui/widget/placeholder"
	"chainscope/wallet/service"
	"chainscope/wallet/signer"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// pendingCall is a call under way.
type pendingCall struct {
	id     uint64
	what   string
	since  time.Time
	cancel context.CancelFunc
	direct bool // goes to the preset wallet when none is remembered
}

// outcomeMsg describes how a call came out.
type outcomeMsg struct {
	id      uint64
	outcome service.Outcome
}

// run makes a call and shows that it is waited for. One at a time is shown;
// what was sent before continues and ends up in the timeline.
func (s *Screen) run(what string, do func(context.Context) service.Outcome) tea.Cmd {
	ctx, cancel := context.WithCancel(s.env.Context)
	s.sent++
	w := &pendingCall{id: s.sent, what: what, since: s.env.Now(), cancel: cancel}
	s.pending = w
	s.modal = &waitBox{s, w}
	return func() tea.Msg {
		defer cancel()
		return outcomeMsg{w.id, do(ctx)}
	}
}

// answer shows how a call came out. A call that somebody gave up is only in the
// timeline.
func (s *Screen) answer(msg outcomeMsg) tea.Cmd {
	s.home.reload()
	if s.pending == nil || s.pending.id != msg.id {
		return nil
	}
	s.pending = nil
	switch s.modal.(type) {
	case *waitBox, *selector:
		s.modal = nil
	}
	c := msg.outcome.Call
	var inTheWay *service.Obstacle
	switch {
	case errors.Is(msg.outcome.Err, service.ErrOtherConnection):
		return notice(msg.outcome.Err)
	case msg.outcome.Err != nil && (c.ID == 0 || errors.As(msg.outcome.Err, &inTheWay)):
		return notice(msg.outcome.Err) // no wallet received it
	case c.Kind == service.KindConnect && msg.outcome.Err == nil:
		s.goHome()
		return screen.Notice("connected to " + string(c.Wallet))
	case c.Kind == service.KindDisconnect && msg.outcome.Err == nil:
		s.goHome()
		return screen.Notice("disconnected: the library has forgotten wallet and addresses")
	}
	r := newResultPage(s, c, msg.outcome.Result)
	switch p := s.top().(type) {
	case *resultPage:
		s.swap(p, r)
	case *formPage:
		if failed(c) || c.Decision == service.RejectedByPerson {
			s.open(r) // the form is kept for another try
		} else {
			s.swap(p, r) // nothing is sent twice by mistake
			if p.again != nil {
				delete(s.drafts, p.draftName)
			} else {
				s.pages = []page{s.home, r} // without the call that it was begun on
			}
		}
	default:
		s.open(r)
	}
	return r.load()
}

// connect lets the user select a wallet and requests its addresses.
func (s *Screen) connect() tea.Cmd {
	options := s.options.of
	return s.run("connect", func(ctx context.Context) service.Outcome { return s.wallet.Connect(ctx, options, "") })
}

// disconnect forgets wallet and addresses.
func (s *Screen) disconnect() tea.Cmd {
	return s.run("disconnect", s.wallet.Disconnect)
}

// send hands the wallet the request that is filled in, as the call that is edited was made.
func (p *formPage) send(r service.Request) tea.Cmd {
	s, again := p.screen, p.again
	cmd := s.run(r.Method, func(ctx context.Context) service.Outcome {
		if again != nil {
			return s.wallet.RequestAs(ctx, *again, r)
		}
		return s.wallet.Request(ctx, r)
	})
	s.pending.direct = !differs(r.Options)
	return cmd
}

// replay repeats the request of a call.
func (s *Screen) replay(c service.Call) tea.Cmd {
	return s.run(cmp.Or(c.Method, string(c.Kind)), func(ctx context.Context) service.Outcome { return s.wallet.Replay(ctx, c) })
}

// openForm fills in a request.
func (s *Screen) openForm(method string) *formPage {
	f, known := params.Of(method)
	if !known {
		return nil
	}
	p := newFormPage(s, f, "Send request")
	p.request, p.draftName = true, method
	p.submit = func(params json.RawMessage) tea.Cmd { return p.send(p.options.request(method, params)) }
	p.example = func() (params.Draft, error) {
		d, err := p.context(p.draft).Example(method)
		if n := p.draft.Texts["network"]; n != "" {
			d.Texts["network"] = n
		}
		return d, err
	}
	p.objection = func(params json.RawMessage) error {
		if s.state.Locked || len(params) > largestChecked {
			return nil
		}
		_, err := signer.Parse(method, params, signer.Env{
			Keys: s.wallet.Keys().Ring, Account: p.by().Account, Network: p.by().Network, Persona: s.wallet.Keys().PersonaOf(s.state.Persona),
		})
		return err
	}
	if !p.fillDraft() && !p.fields.Incomplete() && method != "stx_signMessage" {
		p.fields.Last() // nothing is needed
	}
	s.open(p)
	return p
}

// largestChecked limits how many bytes of params are read ahead of the wallet.
const largestChecked = 256 << 10

// openRaw fills in a request that goes to a wallet without the library around
// it, or with a method that has no form.
func (s *Screen) openRaw(r service.Request) *formPage {
	ids := make([]string, 0, len(s.state.Wallets))
	for _, w := range s.state.Wallets {
		ids = append(ids, w.ID)
	}
	f := params.Form{Title: "raw request (requestRaw)", Fields: []params.Field{
		{Name: "wallet", Label: "wallet", Kind: signer.KindChoice, Choices: ids},
		{Name: "method", Label: "method", Kind: signer.KindName, About: "any name: the wallet answers -32601 when it has none"},
		{Name: "params", Label: "params", Kind: signer.KindJSON, Optional: true, About: "JSON, passed on as it is"},
	}}
	p := newFormPage(s, f, "Send raw request")
	p.context = func(params.Draft) *params.Context { return s.contextOf(p.by(), "", params.Draft{}) }
	p.submit = func(json.RawMessage) tea.Cmd {
		r := service.Request{Raw: p.draft.Texts["wallet"], Method: p.draft.Texts["method"]}
		if text := p.draft.Texts["params"]; text != "" {
			r.Params = json.RawMessage(text)
		}
		return p.send(r)
	}
	p.example = func() (params.Draft, error) {
		return params.Draft{Texts: map[string]string{"wallet": ids[0], "method": "stx_signMessage", "params": "{\n  \"message\": \"Hello from the terminal\"\n}"}}, nil
	}
	d := f.Empty()
	d.Texts["wallet"], d.Texts["method"], d.Texts["params"] = cmp.Or(r.Raw, ids[0]), r.Method, text.IndentJSON(r.Params)
	p.draftName = f.Title
	if r.Method != "" || !p.fillDraft() {
		p.fill(d)
	}
	s.open(p)
	return p
}

// editCall opens the form of a call, filled with what it requested, or with what was typed there since. Account,
// network, wallet and options are those of the call.
func (s *Screen) editCall(c service.Call) tea.Cmd {
	if c.Kind == service.KindConnect || c.Kind == service.KindDisconnect || c.Kind == service.KindRepair {
		return screen.Notice("nothing to edit: " + cmp.Or(c.Method, string(c.Kind)) + " has a key of its own")
	}
	r, err := c.Again()
	if err != nil {
		return notice(err)
	}
	r.Params = asEdited(c, r.Params)
	var p *formPage
	_, known := params.Of(r.Method)
	if known && r.Raw == "" {
		p = s.openForm(r.Method)
	} else {
		p = s.openRaw(r)
	}
	p.again, p.options, p.draftName = &c, &options{of: r.Options}, c.Key()
	if !p.fillDraft() && p.request {
		p.show(r.Params)
	}
	p.checkWithWallet()
	var notes []string
	if now, others := s.wallet.Others(c); others {
		notes = append(notes, "to be signed by other keys than at first: "+now.Fingerprint)
	}
	gone := slices.DeleteFunc(slices.Clone(c.Edits), func(part string) bool { return c.Transaction() != nil && carries(c, part) })
	if len(gone) > 0 {
		notes = append(notes, "not in this form, as edited before: "+strings.Join(gone, ", "))
	}
	if len(notes) == 0 {
		return nil
	}
	return screen.Notice(strings.Join(notes, "; "))
}

// openFilled opens the form of a method with its params filled in.
func (s *Screen) openFilled(method string, filled json.RawMessage) tea.Cmd {
	if _, known := params.Of(method); !known {
		return notice(fmt.Errorf("there is no form for %s", method))
	}
	s.openForm(method).show(filled)
	return nil
}

// show shows params: in the fields, or as JSON where no field can show them.
func (p *formPage) show(filled json.RawMessage) {
	if d, err := p.of.Load(filled); err == nil {
		p.fill(d)
		return
	}
	p.showJSON(filled)
}

// draft holds what was typed into a form: the fields, and the JSON where no field can show it.
type draft struct {
	params.Draft
	json string
}

// saveDraft remembers what is typed until the form is opened again.
func (s *Screen) saveDraft(p *formPage) {
	if p.draftName == "" {
		return
	}
	d := draft{Draft: p.draft}
	if p.asJSON {
		if loaded, err := p.load(); err == nil {
			d.Draft = loaded
		} else {
			d.json = p.ed.Value()
		}
	}
	s.drafts[p.draftName] = d
}

// fillDraft fills in what was typed before, and reports whether there was anything.
func (p *formPage) fillDraft() bool {
	d, ok := p.screen.drafts[p.draftName]
	if ok {
		p.fill(d.Draft)
	}
	if d.json != "" {
		p.showText(d.json)
	}
	return ok
}

// waitBox describes what is being loaded, while nothing else does.
type waitBox struct {
	screen  *Screen
	pending *pendingCall
}

// Key gives the call up with esc; everything else of the frame stays reachable
// once it is hidden with enter.
func (b *waitBox) Key(msg tea.KeyMsg) (tea.Cmd, bool) {
	if msg.String() == "esc" {
		b.pending.cancel()
		return nil, false // the answer takes it away
	}
	return nil, key.Matches(msg, b.screen.env.Keys.List.Open)
}

func (b *waitBox) View(width, _ int) []string {
	th := b.screen.theme
	elapsed := b.screen.env.Now().Sub(b.pending.since)
	lines := []string{
		th.Accent.Render(placeholder.Spinner(th, elapsed)) + " " + text.Truncate(b.pending.what, 40) + "  " + th.Muted.Render(text.Duration(elapsed.Round(100*time.Millisecond))),
		th.Muted.Render("Waiting for approval; Esc cancels."),
	}
	return box.Draw(th, "Waiting for the wallet", "esc cancel the request  enter hide", lines, min(width-2, 60), 4)
}

// drawModal draws what lies over the pages.
func (s *Screen) drawModal(lines []string) []string {
	b := s.modal.View(s.width, s.height)
	if len(b) == 0 || len(b) > s.height {
		return lines
	}
	x, y := s.modalAt(b)
	return box.Over(lines, b, x, y, s.width)
}

// modalAt returns where a box lies over the pages.
func (s *Screen) modalAt(b []string) (x, y int) {
	if len(b) == 0 {
		return 0, 0
	}
	return box.Centre(text.Width(b[0]), len(b), s.width, s.height)
}
