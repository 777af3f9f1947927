package tui

import (
	"time"

	"chainscope/tui/screen"
	"chainscope/tui/term"
	"chainscope/tui/theme"

	tea "github.com/charmbracelet/bubbletea"
)

// tickMsg moves what depends on the time: ages, countdowns, spinners, live tail.
type tickMsg struct{ gen int }

// How often the time is looked at: at rest, and while something is loading.
const (
	slowTick = time.Second
	fastTick = 100 * time.Millisecond
)

// keyPause is how long no key comes when somebody has stopped to look.
const keyPause = 500 * time.Millisecond

// tick starts the next tick; one that was under way no longer counts.
func (m *Model) tick() tea.Cmd {
	m.tickGen++
	gen := m.tickGen
	m.fast = m.hurries()
	wait := slowTick
	if m.fast {
		wait = fastTick
	}
	return m.options.Tick(wait, func(time.Time) tea.Msg { return tickMsg{gen} })
}

// hurries tells whether something on screen changes many times a second.
func (m *Model) hurries() bool {
	return m.here().Status().Busy || m.desk.dialog.Waits(m.options.Now())
}

// Update takes a message.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := m.handle(msg)
	// Ticks wait for rest; what is due meanwhile is not kept waiting by keys.
	if m.options.Now().Sub(m.timed) >= slowTick {
		cmd = tea.Batch(cmd, m.onTime())
	}
	// Something began to load: do not wait for the slow tick to show it.
	if !m.fast && m.hurries() {
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
	case tea.KeyMsg:
		m.pressed = m.options.Now()
		return m.key(msg)
	case tea.MouseMsg:
		return m.mouseEvent(msg)
	case tickMsg:
		if msg.gen != m.tickGen {
			return nil
		}
		return tea.Batch(m.readWallet(), m.onTime(), m.tick())
	case screen.GoMsg:
		// What led here has closed itself; what was opened since stays.
		return m.visit(msg.Place)
	case screen.NoticeMsg:
		return m.toasts.show(msg.Text, msg.Bad, m.options.Now())
	case walletMsg:
		return m.onWallet(msg.message)
	case blockedMsg:
		return m.onBlocked(msg)
	case heardMsg:
		return tea.Batch(m.notice(msg.text, true), m.listen())
	case mockChanged:
		cmd := m.notice(msg.what, false)
		return tea.Batch(cmd, m.refresh(), m.tellOverlays(msg))
	case term.BackgroundMsg:
		return m.background(msg.Dark)
	case term.CopiedMsg:
		return m.toasts.show(msg.String(), msg.Err != nil, m.options.Now())
	case term.NotSuspendedMsg:
		return m.toasts.show("cannot be suspended here: no shell with job control waits for it", true, m.options.Now())
	case term.OpenedMsg:
		if msg.Err != nil {
			return m.toasts.show(msg.Err.Error(), true, m.options.Now())
		}
		return m.toasts.show("opened "+msg.URL, false, m.options.Now())
	}
	return tea.Batch(m.tellOverlays(msg), m.tellScreens(msg))
}

// An answer belongs to whoever asked: overlays and screens drop what is not
// their own.
func (m *Model) tellOverlays(msg tea.Msg) tea.Cmd {
	var cmds []tea.Cmd
	for _, o := range m.overlays {
		if _, ok := msg.(mockChanged); ok {
			if p, ok := o.(*mockOverlay); ok {
				cmds = append(cmds, p.ask)
			}
			continue
		}
		cmds = append(cmds, o.Update(msg))
	}
	return tea.Batch(cmds...)
}

func (m *Model) tellScreens(msg tea.Msg) tea.Cmd {
	var cmds []tea.Cmd
	for _, t := range m.tabs {
		cmds = append(cmds, t.screen.Update(msg))
	}
	return tea.Batch(cmds...)
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

// onTime asks for what is new when its time has come. While keys come, live tail
// waits for a pause, since it moves what is being looked at; but not for ever.
func (m *Model) onTime() tea.Cmd {
	now := m.options.Now()
	m.timed = now
	m.toasts.expire(now)
	if !m.live || now.Before(m.nextLive) || m.here().Status().Busy {
		return nil
	}
	if now.Sub(m.pressed) < keyPause && now.Before(m.nextLive.Add(2*m.options.Poll)) {
		return nil
	}
	m.nextLive = now.Add(m.options.Poll)
	if m.livePaused() {
		return nil
	}
	return m.here().Live()
}

// liveFailures is after how many failures in a row live tail stops asking.
const liveFailures = 3

func (m *Model) livePaused() bool { return m.here().Status().Failures >= liveFailures }

func (m *Model) mouseEvent(msg tea.MouseMsg) tea.Cmd {
	if msg.Action != tea.MouseActionPress {
		return nil
	}
	switch msg.Button {
	case tea.MouseButtonWheelUp:
		return m.key(tea.KeyMsg{Type: tea.KeyUp})
	case tea.MouseButtonWheelDown:
		return m.key(tea.KeyMsg{Type: tea.KeyDown})
	case tea.MouseButtonLeft:
		if msg.Y == 0 && len(m.overlays) == 0 && !m.desk.dialog.Open() {
			if at, ok := m.tabAt(msg.X); ok {
				return m.openTab(at)
			}
		}
	}
	return nil
}
