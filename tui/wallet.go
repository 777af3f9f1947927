package tui

import (
	"context"
	"fmt"
	"time"

	"chainscope/tui/approval/dialog"
	"chainscope/tui/remote"
	"chainscope/tui/screen"
	"chainscope/tui/term"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/box"
	"chainscope/wallet/bridge"
	"chainscope/wallet/node"
	"chainscope/wallet/service"
	"chainscope/wallet/signer"

	tea "github.com/charmbracelet/bubbletea"
)

// walletPrompt asks the user about requests to the wallet. Its dialog covers everything
// else and takes all keys.
type walletPrompt struct {
	wallet *service.Service // nil without a wallet
	mock   bool             // the API is a mock
	dialog *dialog.Dialog
	// replays make forecasts on a fork of a live chain, with the time and the context of env; nil for none.
	replays   *replays
	env       *screen.Env
	state     service.State
	requested bool // the saved state of the wallet was requested
	called    bool // the user was alerted because a page needs approval
	// blocking holds origins that are being blocked: their requests are rejected without a
	// dialog.
	blocking map[string]bool
}

func newWalletPrompt(th *theme.Theme, wallet *service.Service, mock bool) walletPrompt {
	p := walletPrompt{wallet: wallet, mock: mock, dialog: dialog.New(th), blocking: map[string]bool{}}
	if wallet != nil {
		p.setState(wallet.State())
	}
	return p
}

// onFork says who makes forecasts on a fork of a live chain.
func (p *walletPrompt) onFork(env *screen.Env, r *replays) {
	if r.on != nil {
		p.env, p.replays = env, r
		p.dialog.SetOnFork(r.foreseen.words)
	}
}

// setState takes the state of the wallet.
func (p *walletPrompt) setState(s service.State) {
	p.state = s
	p.dialog.SetStakes(p.stakes())
}

// stakes returns what an approval puts at risk.
func (p *walletPrompt) stakes() dialog.Stakes {
	switch {
	case p.mock:
		return dialog.MockOnly
	case p.state.PublicTest:
		return dialog.TestKeys
	}
	return dialog.RealCoins
}

// walletMsg is a message of the wallet.
type walletMsg struct{ message service.Message }

// blockedMsg says that an origin was blocked, or why not.
type blockedMsg struct {
	origin string
	err    error
}

// listen waits for the wallet's next message.
func (p *walletPrompt) listen(ctx context.Context) tea.Cmd {
	if p.wallet == nil {
		return nil
	}
	wallet := p.wallet
	return func() tea.Msg {
		message, ok := wallet.Next(ctx)
		if !ok {
			return nil
		}
		return walletMsg{message}
	}
}

// refresh reads the saved state of the wallet, once. It runs at the first tick, so that the
// first screen does not wait for the keys, which take some milliseconds.
func (p *walletPrompt) refresh() tea.Cmd {
	if p.wallet == nil || p.requested {
		return nil
	}
	p.requested = true
	wallet := p.wallet
	return func() tea.Msg { wallet.Refresh(); return nil }
}

// receive handles a message of the wallet and returns what the user should know,
// "" for nothing.
func (p *walletPrompt) receive(message service.Message, now time.Time) (words string, bad bool) {
	switch message := message.(type) {
	case service.ApprovalNeeded:
		if message.Requester.Kind == service.FromPage && p.blocking[message.Requester.Origin] {
			p.wallet.Decide(message.ID, signer.Decision{})
			return "", false
		}
		p.dialog.Ask(message, now)
	case service.OriginNeeded:
		p.dialog.AskOrigin(message, now)
	case service.Withdrawn:
		if p.dialog.Withdraw(message.ID, now) || message.ID == 0 {
			return dialog.Withdrawal(message), true
		}
	case service.QueueChanged:
		p.dialog.SetQueue(message.Waiting)
	case service.CallChanged:
		if message.Call.Done {
			p.dialog.CallDone(message.Call.ID, now)
			return pageResult(message.Call, p.wallet.StatusOf(message.Call))
		}
	case service.StateChanged:
		p.setState(message.State)
	case service.Notice:
		return message.Text, message.Bad
	}
	return "", false
}

// foreseenMsg describes how the mock says that a transaction would end.
type foreseenMsg struct {
	id       uint64 // of the question
	key      remote.Key
	forecast *node.Forecast
	err      error
}

// foresee requests how the transaction of a question would end.
func (p *walletPrompt) foresee(ctx context.Context, message service.Message, now time.Time) tea.Cmd {
	if requested, isQuestion := message.(service.ApprovalNeeded); isQuestion {
		return p.foreseeOne(ctx, requested, now)
	}
	return nil
}

// foreseeAgain requests how the transactions of all questions would end now.
func (p *walletPrompt) foreseeAgain(ctx context.Context, now time.Time) tea.Cmd {
	var all []tea.Cmd
	for _, requested := range p.dialog.Approvals() {
		all = append(all, p.foreseeOne(ctx, requested, now))
	}
	return tea.Batch(all...)
}

func (p *walletPrompt) foreseeOne(ctx context.Context, requested service.ApprovalNeeded, now time.Time) tea.Cmd {
	ctx, key, ok := p.dialog.Foresee(ctx, requested.ID, now)
	if !ok {
		return nil
	}
	foresee := p.wallet.Forecast
	if p.replays != nil {
		foresee = p.replays.forecast
	}
	return func() tea.Msg {
		forecast, err := foresee(ctx, requested.Description)
		return foreseenMsg{requested.ID, key, forecast, err}
	}
}

// foreseen gives the dialog the answer.
func (p *walletPrompt) foreseen(msg foreseenMsg, now time.Time) {
	p.dialog.Foreseen(msg.id, msg.key, msg.forecast, msg.err, now)
}

// pageResult returns the result of a page's call if no dialog has shown it: an error before
// any approval, or what became of a transaction.
func pageResult(c service.Call, status service.Status) (words string, bad bool) {
	failed := c.Error != nil && (c.Decision == "" || c.Decision == service.Approved)
	if c.Kind != service.KindPage || !failed && (c.Error != nil || c.TxID == "") {
		return "", false
	}
	return c.Line(status), failed
}

// key hands a key to the dialog and reports whether the dialog took it. A key is
// alone when nothing else came in the same read.
func (p *walletPrompt) key(msg tea.KeyMsg, alone bool, now time.Time) (tea.Cmd, bool) {
	if !p.dialog.Open() {
		p.dialog.ObserveKey(msg, now)
		return nil, false
	}
	return p.decide(p.dialog.Key(msg, alone, now)), true
}

// call alerts the user if a page needs approval.
func (p *walletPrompt) call(message service.Message, how term.Attention) tea.Cmd {
	why := calls(message)
	if why == "" {
		return nil
	}
	p.called = true
	return term.Call(how, why)
}

// endCall ends the alert once nothing needs approval.
func (p *walletPrompt) endCall(how term.Attention) tea.Cmd {
	if !p.called || p.dialog.Open() {
		return nil
	}
	p.called = false
	return term.Call(how, "")
}

// calls returns why to alert the user, "" for no reason: a page needs approval.
func calls(message service.Message) string {
	switch message := message.(type) {
	case service.ApprovalNeeded:
		if message.Requester.Kind == service.FromPage {
			return text.Line(message.Requester.Origin) + " asks for " + text.Line(message.Description.Method)
		}
	case service.OriginNeeded:
		return text.Line(message.Origin) + " asks to use the wallet"
	}
	return ""
}

// decide carries out what a key of the dialog means.
func (p *walletPrompt) decide(a dialog.Answer) tea.Cmd {
	wallet := p.wallet
	switch a.Kind {
	case dialog.Decided:
		wallet.Decide(a.ID, a.Decision)
	case dialog.OriginDecided:
		wallet.DecideOrigin(a.ID, a.Choice)
	case dialog.RejectedAndBlocked:
		p.blocking[a.Origin] = true
		wallet.Decide(a.ID, signer.Decision{})
		return func() tea.Msg {
			return blockedMsg{a.Origin, wallet.SetOrigin(a.Origin, bridge.Blocked)}
		}
	case dialog.CostRequested:
		return p.replays.forecastCost(a.ID)
	case dialog.ForecastRequested:
		for _, asked := range p.dialog.Approvals() {
			if asked.ID == a.ID {
				return p.foreseeOne(p.env.Context, asked, p.env.Now())
			}
		}
	case dialog.Copied:
		return term.Copy("the text", a.Text)
	}
	return nil
}

// blocked reports whether an origin was blocked.
func (p *walletPrompt) blocked(b blockedMsg) string {
	delete(p.blocking, b.origin)
	if b.err != nil {
		return b.origin + " could not be blocked: " + b.err.Error()
	}
	return b.origin + " is blocked; Enter on it in the wallet pane undoes that"
}

// over lays the approval dialog over everything.
func (p *walletPrompt) over(lines []string, now time.Time, w window) []string {
	b := p.dialog.View(now)
	if len(b) == 0 {
		return lines
	}
	x, _ := box.Centre(text.Width(b[0]), len(b), w.width, w.height)
	y := 1
	if len(b) >= w.height-1 {
		x, y = 0, 0
	}
	return box.Over(lines, b, x, y, w.width)
}

// status returns texts for the wallet in the status line, widest first; none without a
// wallet.
func (p *walletPrompt) status(th *theme.Theme) []string {
	if p.wallet == nil {
		return nil
	}
	st := p.state
	dot, words := th.Muted.Render(th.Glyphs.Ring), "not connected"
	if st.Connected {
		dot, words = th.OK.Render(th.Glyphs.Dot), "connected"
	}
	bridge := ""
	if st.Bridge.Running {
		bridge = " " + th.Accent.Render("bridge")
	}
	account := fmt.Sprintf("account %d", st.Account)
	if st.Locked {
		account += " locked"
	}
	address := account
	if !st.Locked && st.Address != "" { // not known yet right after the start
		address += " " + text.MiddleWith(st.Address, 13, th.Glyphs.Ellipsis)
	}
	network := p.network(th)
	return []string{
		dot + " " + th.Muted.Render(words) + bridge + " " + th.Muted.Render(address+",") + " " + network,
		dot + bridge + " " + th.Muted.Render(account+",") + " " + network,
		dot + " " + network,
	}
}

// network returns which network's addresses the wallet uses. The main network is
// alarming only where the API is live and the keys are the user's own.
func (p *walletPrompt) network(th *theme.Theme) string {
	switch p.stakes() {
	case dialog.MockOnly:
		return th.Muted.Render(text.Line(p.state.Network) + " addresses")
	case dialog.TestKeys:
		return th.Warn.Render("test keys") + " " + th.Muted.Render(text.Line(p.state.Network))
	}
	return dialog.Network(th, p.state.Network)
}
