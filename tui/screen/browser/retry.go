package browser

import (
	"time"

	"chainscope/apiclient"
	"chainscope/tui/widget/placeholder"

	tea "github.com/charmbracelet/bubbletea"
)

// retry is a request that is made again by itself.
type retry struct {
	at  time.Time
	ask func() tea.Cmd
}

// retryMsg says that the time of a retry has come.
type retryMsg struct {
	frame *Frame
	slot  string
	at    time.Time
}

// limitPause is the wait after a 429 that does not say how long.
const limitPause = 5 * time.Second

// RetryLater plans to ask again when the server said when, whether live tail is
// on or not. Any other failure is left to live tail and to the user.
func (f *Frame) RetryLater(slot string, err error, failed time.Time, ask func() tea.Cmd) tea.Cmd {
	at := placeholder.RetryAfter(err, failed)
	if at.IsZero() && apiclient.KindOf(err) == apiclient.RateLimited {
		at = failed.Add(limitPause)
	}
	if at.IsZero() {
		delete(f.retries, slot)
		return nil
	}
	return f.RetryAt(slot, at, ask)
}

// RetryAt plans to ask again at a time.
func (f *Frame) RetryAt(slot string, at time.Time, ask func() tea.Cmd) tea.Cmd {
	f.retries[slot] = retry{at, ask}
	return f.After(at.Sub(f.Env.Now()), retryMsg{f, slot, at})
}

// After sends a message when a time has passed.
func (f *Frame) After(wait time.Duration, msg tea.Msg) tea.Cmd {
	tick := f.Env.Tick
	if tick == nil {
		tick = tea.Tick
	}
	return tick(max(0, wait), func(time.Time) tea.Msg { return msg })
}

// Retrying returns when a request is made again by itself; the zero time: never.
func (f *Frame) Retrying(slot string) time.Time { return f.retries[slot].at }

// Waits reports whether a request is to be made again later, so that it should
// not be made now.
func (f *Frame) Waits(slot string) bool { return f.Env.Now().Before(f.retries[slot].at) }

// StopRetries forgets what was to be asked again.
func (f *Frame) StopRetries() { clear(f.retries) }

// Retry makes a request again when msg says that its time has come, and
// reports whether msg was such a message.
func (f *Frame) Retry(msg tea.Msg) (tea.Cmd, bool) {
	m, ok := msg.(retryMsg)
	if !ok || m.frame != f {
		return nil, ok
	}
	r, planned := f.retries[m.slot]
	if !planned || !r.at.Equal(m.at) {
		return nil, true
	}
	delete(f.retries, m.slot)
	return r.ask(), true
}
