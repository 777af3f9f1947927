package browser

import (
	"time"

	"chainscope/apiclient"
	"chainscope/tui/screen"
	"chainscope/tui/widget/placeholder"

	tea "github.com/charmbracelet/bubbletea"
)

// retry is a request that failed, and when it is repeated.
type retry struct {
	failures int       // in a row
	at       time.Time // the zero time while it is under way or not planned
	load     func() tea.Cmd
	// fixed reports whether it keeps to its time, even when the server answers again.
	fixed bool
}

// pauses are the waits after one failure, two failures and so on; the last one repeats. A
// server that is back is noticed within half a minute.
var pauses = [...]time.Duration{10 * time.Second, 20 * time.Second, 30 * time.Second}

// RetryLater takes how a request came out, and plans to make it again if it failed:
// when the server said, else after a pause that grows, whether live tail is on or not. A
// definite answer is not requested again. load must request what failed, or leave nothing
// that is shown as failed.
func (f *Frame) RetryLater(v Remote, err error, failed time.Time, load func() tea.Cmd) tea.Cmd {
	if !apiclient.MayPass(err) {
		delete(f.retries, v)
		return nil
	}
	if at := placeholder.RetryAfter(err, failed); !at.IsZero() {
		return f.RetryAt(v, at, load)
	}
	r := f.retries[v]
	at := failed.Add(pauses[min(r.failures, len(pauses)-1)])
	return f.plan(v, retry{r.failures + 1, at, load, r.fixed})
}

// RetryAt plans to request again at a time that the server gave.
func (f *Frame) RetryAt(v Remote, at time.Time, load func() tea.Cmd) tea.Cmd {
	return f.plan(v, retry{f.retries[v].failures, at, load, true})
}

func (f *Frame) plan(v Remote, r retry) tea.Cmd {
	f.retries[v] = r
	return f.After(r.at.Sub(f.Env.Now()), func() tea.Cmd {
		if now, planned := f.retries[v]; !planned || !now.at.Equal(r.at) {
			return nil
		}
		return f.retry(v)
	})
}

// After does something when a time has passed.
func (f *Frame) After(wait time.Duration, do screen.DueMsg) tea.Cmd {
	tick := f.Env.Tick
	if tick == nil {
		tick = tea.Tick
	}
	return tick(max(0, wait), func(time.Time) tea.Msg { return do })
}

// Retrying returns when a request will be repeated; the zero time means never.
func (f *Frame) Retrying(v Remote) time.Time { return f.retries[v].at }

// Waits reports whether a request is to be made again later, so that it should
// not be made now.
func (f *Frame) Waits(v Remote) bool { return f.Env.Now().Before(f.retries[v].at) }

// StopRetries forgets what was to be requested again.
func (f *Frame) StopRetries() { clear(f.retries) }

// RetryNow makes what failed again before its time: the server answers again. Where
// it fails all the same, it keeps to its time from then on.
func (f *Frame) RetryNow() tea.Cmd {
	var cmds []tea.Cmd
	for v, r := range f.retries {
		if !r.at.IsZero() && !r.fixed {
			r.fixed = true
			f.retries[v] = r
			cmds = append(cmds, f.retry(v))
		}
	}
	return tea.Batch(cmds...)
}

// Resume makes the requests again that had failed when the place was left and are still shown
// as failed. Opening a place requests what it shows first; this is for all the rest.
func (f *Frame) Resume() tea.Cmd {
	var cmds []tea.Cmd
	for _, v := range f.loads {
		r, planned := f.left[v]
		if _, again := f.retries[v]; planned && !again && v.Err() != nil && !v.Busy() {
			f.retries[v] = r
			cmds = append(cmds, f.retry(v))
		}
	}
	f.left = nil
	return tea.Batch(cmds...)
}

// retry makes a planned request. Its failures still count.
func (f *Frame) retry(v Remote) tea.Cmd {
	r := f.retries[v]
	r.at = time.Time{}
	f.retries[v] = r
	return r.load()
}

// nextRetry returns when the next request that failed is made again, the zero time for never.
func (f *Frame) nextRetry() time.Time {
	var next time.Time
	for _, r := range f.retries {
		if !r.at.IsZero() && (next.IsZero() || r.at.Before(next)) {
			next = r.at
		}
	}
	return next
}
