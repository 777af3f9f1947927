package tui

import (
	"time"

	"chainscope/apiclient"
	"chainscope/tui/overlay/mockpanel"
	"chainscope/tui/overlay/palette"
	"chainscope/tui/screen"
	"chainscope/tui/term"
	"chainscope/tui/theme"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// tickMsg moves what depends on the time: ages, countdowns, spinners, live tail.
type tickMsg struct{ gen int }

// How often the time is looked at: at rest, and while something on screen
// changes many times a second.
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

// Update takes a message.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := m.handle(msg)
	m.connection.observe(m.options.Client.Log())
	m.live.observe(m.currentScreen().Status(), m.options.Now())
	if m.called && !m.prompt.dialog.Open() {
		m.called = false
		cmd = tea.Batch(cmd, term.Call(m.options.Attention, ""))
	}
	// Ticks wait while keys come; what is due meanwhile is done with the keys.
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
		m.burst = false
		m.live.pressed = m.options.Now()
		return m.key(msg, alone)
	case tea.MouseMsg:
		return m.mouseEvent(msg)
	case tickMsg:
		if msg.gen != m.tickGen {
			return nil
		}
		return tea.Batch(m.prompt.refresh(), m.onTime(), m.tick())
	case screen.GoMsg:
		return m.visit(msg.Place)
	case screen.UseMsg:
		return m.useKey(msg.Binding)
	case palette.RunMsg:
		return m.runNamed(msg.Command)
	case ranMsg:
		return m.ran(msg)
	case screen.NoticeMsg:
		return m.say(msg.Text, msg.Bad)
	case noticeMsg:
		m.say(msg.text, true)
		return listen(m.options.Notices)
	case pushedMsg:
		return tea.Batch(m.onPushed(msg.Pushed), listenPushed(m.options.Pushed))
	case walletMsg:
		return m.onWallet(msg)
	case blockedMsg:
		return m.say(m.prompt.blocked(msg), msg.err != nil)
	case mockpanel.ChangedMsg:
		m.say(msg.What, false) // what is shown is asked for again
		return tea.Batch(m.refresh(), m.overlays.broadcast(msg))
	case term.BackgroundMsg:
		return m.background(msg.Dark)
	case term.CopiedMsg:
		return m.say(msg.String(), msg.Err != nil)
	case term.NotSuspendedMsg:
		return m.say("cannot be suspended here: the program was not started by a shell with job control", true)
	case term.OpenedMsg:
		if msg.Err != nil {
			return m.say(msg.Err.Error(), true)
		}
		return m.say("opened "+msg.URL, false)
	}
	cmd := m.tabs.broadcast(msg) // first: a box may show what a screen has learned
	return tea.Batch(cmd, m.overlays.broadcast(msg))
}

// onPushed joins a block that the server pushed to what is on screen. Where it does not
// follow on that, and when the channel opened or was lost, the screen asks: nothing is
// shown twice or missed.
func (m *Model) onPushed(p apiclient.Pushed) tea.Cmd {
	now := m.options.Now()
	m.live.pushed = p.Open
	m.live.keepTo(m.options.Client.Gate(), m.options.Poll)
	if !m.live.on {
		return nil
	}
	if s, ok := m.currentScreen().(screen.Joiner); ok && p.Block != nil {
		if cmd, joined := s.Join(p); joined {
			m.live.next = now.Add(m.live.poll)
			return cmd
		}
	}
	m.live.next = now
	return m.onTime()
}

// onWallet takes a message of the wallet. Overlays and screens get it, too.
func (m *Model) onWallet(msg walletMsg) tea.Cmd {
	var call tea.Cmd
	if why := calls(msg.message); why != "" {
		m.called, call = true, term.Call(m.options.Attention, why)
	}
	if words, bad := m.prompt.take(msg.message, m.options.Now()); words != "" {
		m.say(words, bad)
	}
	return tea.Batch(call, m.overlays.broadcast(msg.message), m.tabs.broadcast(msg.message), m.prompt.listen(m.options.Context))
}

// background follows the terminal's, unless a theme was asked for by name.
func (m *Model) background(dark bool) tea.Cmd {
	m.options.Look.Dark = dark
	if m.options.Theme != "" && m.options.Theme != "auto" {
		return nil
	}
	if th, err := theme.New("", m.options.Look); err == nil {
		m.setTheme(th)
	}
	return nil
}

// onTime asks for what is new when live tail says so.
func (m *Model) onTime() tea.Cmd {
	now := m.options.Now()
	m.timed = now
	m.notice.expire(now)
	m.live.keepTo(m.options.Client.Gate(), m.options.Poll)
	if m.currentScreen().Status().Busy || !m.live.due(now) {
		return nil
	}
	return m.currentScreen().Live()
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
	m.notice.keyPressed()
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
	if cmd, ok := m.ownKey(msg); ok {
		return cmd
	}
	for _, a := range m.actions() {
		if key.Matches(msg, *a.binding) {
			return a.run()
		}
	}
	return nil
}
