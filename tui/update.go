package tui

import (
	"cmp"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/chain"
	"chainscope/tui/nav"
	"chainscope/tui/overlay"
	"chainscope/tui/overlay/mockpanel"
	"chainscope/tui/overlay/palette"
	"chainscope/tui/screen"
	"chainscope/tui/term"
	"chainscope/wallet/service"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// tickMsg moves what depends on the time: ages, countdowns, spinners, live tail.
type tickMsg struct{ gen int }

// The intervals of ticks: at rest, and while something on screen is animated.
const (
	slowTick = time.Second
	fastTick = 100 * time.Millisecond
)

// tick starts the next tick; one that was under way no longer counts.
func (m *Model) tick() tea.Cmd {
	m.tickGen++
	gen := m.tickGen
	m.fastTick = m.needsFastTick()
	wait := slowTick
	if m.fastTick {
		wait = fastTick
	}
	return m.options.Tick(wait, func(time.Time) tea.Msg { return tickMsg{gen} })
}

// needsFastTick reports whether something on screen changes many times a second.
func (m *Model) needsFastTick() bool {
	return m.currentScreen().Status().Busy || m.prompt.dialog.NeedsTick(m.options.Now())
}

// onTick refreshes what changes with time, and starts the next tick.
func onTick(m *Model, msg tickMsg) tea.Cmd {
	if msg.gen != m.tickGen {
		return nil
	}
	return tea.Batch(m.prompt.refresh(), m.onTime(), m.tick())
}

// Update takes a message.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := m.handle(msg)
	for len(m.sent) > 0 {
		next := m.sent[0]
		m.sent = m.sent[1:]
		cmd = tea.Batch(cmd, m.handle(next))
	}
	if m.connection.observe(m.options.Client.Log()) {
		m.options.Client.ServerMayDiffer()
		cmd = tea.Batch(cmd, m.currentScreen().RetryNow(), requestServer(m))
	}
	cmd = tea.Batch(cmd, m.prompt.endCall(m.options.Attention))
	// Whatever comes does what has become due: a fast tick may have put off the slow one.
	if m.options.Now().Sub(m.timed) >= slowTick {
		cmd = tea.Batch(cmd, m.onTime())
	}
	// Something has started to load: do not wait for the slow tick to show it.
	if !m.fastTick && m.needsFastTick() {
		cmd = tea.Batch(cmd, m.tick())
	}
	return m, cmd
}

func (m *Model) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		m.layout()
		return nil
	case term.BurstMsg:
		m.burst = true
		return nil
	case tea.KeyMsg:
		alone := !m.burst
		m.burst, m.live.pressed = false, m.options.Now()
		return m.key(msg, alone)
	case tea.MouseMsg:
		return m.mouseEvent(msg)
	case tickMsg:
		return onTick(m, msg)
	case screen.Fetched[nav.Place], screen.Fetched[[]*chain.Block], screen.Fetched[apiclient.About], screen.Fetched[knownName]:
		return onFetched(m, msg)
	case screen.DueMsg:
		return msg()
	case screen.GoMsg:
		cmd := m.visit(msg.Place)
		m.env.Last = msg
		return cmd
	case screen.RequestWalletMsg:
		return tea.Batch(m.visit(nav.Wallet()), m.tabs.broadcast(msg))
	case screen.UseMsg:
		return m.useKey(msg.Binding)
	case overlay.LabelsMsg:
		return m.called.receive(m, msg)
	case palette.RunMsg:
		return m.runNamed(msg.Command)
	case ranMsg:
		return m.ran(msg)
	case screen.NoticeMsg:
		return m.showNotice(msg.Text, msg.Bad)
	case noticeMsg:
		return tea.Batch(m.showNotice(msg.text, true), listen(m.options.Notices))
	case pushedMsg:
		return tea.Batch(m.onPushed(msg.Pushed), listenPushed(m.options.Pushed))
	case walletMsg:
		return m.onWallet(msg)
	case foreseenMsg, blockedMsg, costMsg:
		return m.onPrompt(msg)
	case mockpanel.ChangedMsg:
		return m.onMockChanged(msg)
	case screen.ChainChanged:
		return m.chainChanged(msg)
	case screen.NewestBlocks:
		return tea.Batch(m.tabs.broadcast(msg), m.tipLoaded(msg))
	case otherMsg:
		return msg.open(m)
	case term.BackgroundMsg:
		return m.background(msg.Dark)
	case term.CopiedMsg, term.NotSuspendedMsg, term.EndOfInputMsg:
		return m.showNotice(terminalNotice(msg))
	case term.OpenedMsg:
		return m.opened(msg)
	}
	return tea.Batch(m.tabs.broadcast(msg), m.overlays.broadcast(msg)) // a box may show what a screen has learned
}

// terminalNotice returns what the terminal did, and whether it went wrong.
func terminalNotice(msg tea.Msg) (notice string, bad bool) {
	switch msg := msg.(type) {
	case term.CopiedMsg:
		return msg.String(), msg.Err != nil
	case term.NotSuspendedMsg:
		return "cannot be suspended here: the program was not started by a shell with job control", true
	}
	return "the terminal ended its input: another program had changed its mode; it is read again", true
}

// onFetched takes the answer to a request of the root's own.
func onFetched(m *Model, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.Fetched[nav.Place]:
		return m.found(msg)
	case screen.Fetched[[]*chain.Block]:
		return m.tipAnswered(msg)
	case screen.Fetched[apiclient.About]:
		return serverAnswered(m, msg)
	case screen.Fetched[knownName]:
		return m.called.known.answered(m, msg)
	}
	return nil
}

// onPushed adds a pushed block to the screen. If the block does not follow the ones shown,
// or the channel opened or was lost, the screen requests, unless it just did. So nothing is
// shown twice or missed, and neither a server that repeats itself nor an unstable channel
// causes more requests than polling.
func (m *Model) onPushed(p apiclient.Pushed) tea.Cmd {
	now := m.options.Now()
	m.live.pushed = p.Open
	m.live.adapt(m.options.Client.Gate(), m.options.Poll, m.currentScreen().Status())
	if !m.live.on {
		return nil
	}
	if p.Block == nil {
		m.live.next = m.live.requestedAt.Add(m.live.poll)
		if p.Open {
			return tea.Batch(m.currentScreen().RetryNow(), m.onTime())
		}
		return m.onTime()
	}
	if p.Block.IndexBlockHash == m.live.known {
		return nil
	}
	m.live.known = p.Block.IndexBlockHash
	changed := m.blockPushed(p.Block)
	if s, ok := m.currentScreen().(screen.Joiner); ok {
		if cmd, joined := s.Join(p); joined {
			m.live.next = now.Add(m.live.poll)
			return tea.Batch(changed, cmd)
		}
	}
	m.live.next = m.live.requestedAt.Add(m.live.least)
	return tea.Batch(changed, m.onTime())
}

// onMockChanged requests again what is shown.
func (m *Model) onMockChanged(msg mockpanel.ChangedMsg) tea.Cmd {
	m.connection.scenario = cmp.Or(msg.Scenario, m.connection.scenario)
	m.showNotice(msg.What, false)
	var changed tea.Cmd
	if msg.Back {
		changed = m.chainChanged(screen.ChainChanged{})
	}
	return tea.Batch(changed, m.refresh(), m.overlays.broadcast(msg))
}

// chainChanged notifies every place and overlay, and the wallet, that blocks were replaced.
func (m *Model) chainChanged(msg screen.ChainChanged) tea.Cmd {
	if w := m.options.Wallet; w != nil {
		w.ChainChanged(msg.From)
	}
	m.tip.forget(msg.From)
	return tea.Batch(m.tabs.broadcast(msg), m.overlays.broadcast(msg), blockArrived(m))
}

// onWallet takes a message of the wallet. Overlays and screens get it, too.
func (m *Model) onWallet(msg walletMsg) tea.Cmd {
	call := m.prompt.call(msg.message, m.options.Attention)
	if words, bad := m.prompt.receive(msg.message, m.options.Now()); words != "" {
		m.showNotice(words, bad)
	}
	if s, ok := msg.message.(service.TransactionSettled); ok {
		call = m.mine.settled(&m.navigator, s, m.options.Attention)
	}
	foresee := m.prompt.foresee(m.options.Context, msg.message, m.options.Now())
	return tea.Batch(call, foresee, m.overlays.broadcast(msg.message), m.tabs.broadcast(msg.message), m.prompt.listen(m.options.Context))
}

// onPrompt takes the answer of something that the dialog has requested, or what a replay costs.
func (m *Model) onPrompt(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case foreseenMsg:
		m.prompt.foreseen(msg, m.options.Now())
	case blockedMsg:
		return m.showNotice(m.prompt.blocked(msg), msg.err != nil)
	case costMsg:
		return onCost(m, msg)
	}
	return nil
}

// onTime requests new data when live tail is due.
func (m *Model) onTime() tea.Cmd {
	now := m.options.Now()
	m.timed = now
	m.notice.expire(now)
	m.live.adapt(m.options.Client.Gate(), m.options.Poll, m.currentScreen().Status())
	again := tea.Batch(m.called.read(&m.options), m.called.known.request(m))
	if m.currentScreen().Status().Busy || !m.live.due(now) {
		return again
	}
	return tea.Batch(again, m.requestLive(now), requestServer(m))
}

// key routes a key: to the approval dialog, else to the overlay on top, else to
// the screen, else it is one of the frame's own. A key is alone when nothing else
// came in the same read.
func (m *Model) key(msg tea.KeyMsg, alone bool) tea.Cmd {
	switch msg.Type {
	case tea.KeyCtrlC:
		return m.quit()
	case tea.KeyCtrlZ:
		return term.Suspend
	}
	m.notice.keyPressed(m.options.Now())
	if here := m.mine.keyPressed(m.options.Attention, m.notice.stays, m.prompt.called); here != nil {
		return tea.Batch(here, routeKey(m, msg, alone))
	}
	return routeKey(m, msg, alone)
}

func routeKey(m *Model, msg tea.KeyMsg, alone bool) tea.Cmd {
	if cmd, taken := m.prompt.key(msg, alone, m.options.Now()); taken {
		return cmd
	}
	if m.overlays.open() {
		return m.overlays.key(msg)
	}
	if cmd, ok := m.currentScreen().Key(msg); ok {
		return cmd
	}
	if m.currentScreen().Typing() && msg.Type == tea.KeyRunes {
		return nil
	}
	if c, ok := customCommand(m.options.Own, msg); ok {
		return m.runOwn(c)
	}
	for _, a := range m.actions() {
		if key.Matches(msg, *a.binding) {
			return a.run()
		}
	}
	return nil
}
