package term

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// slowTerminal takes nothing until it is let.
type slowTerminal struct {
	gate chan struct{}
	mu   sync.Mutex
	got  bytes.Buffer
}

func (t *slowTerminal) Write(p []byte) (int, error) {
	<-t.gate
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.got.Write(p)
}

func (t *slowTerminal) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.got.String()
}

// counter shows how many messages it got and counts its views.
type counter struct{ n, views *int }

func (c counter) Init() tea.Cmd { return nil }
func (c counter) Update(tea.Msg) (tea.Model, tea.Cmd) {
	*c.n++
	return c, nil
}

func (c counter) View() string {
	*c.views++
	return fmt.Sprintf("n=%d.", *c.n)
}

func newTestRoot(out *slowTerminal) (*root, counter) {
	c := counter{new(int), new(int)}
	s := newScreen(nil, out, newPainter(true, newPens(false)))
	r := &root{model: c, screen: s, run: &runner{screen: s}}
	return r, c
}

// step holds what the event loop does with a message.
func step(r *root, msg tea.Msg) { r.Update(msg); r.View() }

func TestASlowTerminalNeverBlocksTheEventLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &slowTerminal{gate: make(chan struct{})}
		r, c := newTestRoot(out)
		flushes := make(chan tea.Msg, 100)
		r.screen.send = func(m tea.Msg) { flushes <- m }
		r.screen.off = false
		r.screen.start()
		step(r, tea.WindowSizeMsg{Width: 20, Height: 3})
		synctest.Wait()
		for range 200 {
			step(r, "a message")
		}
		if *c.n != 201 || *c.views != 1 {
			t.Errorf("%d messages taken, %d frames made while the terminal took nothing", *c.n, *c.views)
		}
		close(out.gate)
		synctest.Wait()
		step(r, <-flushes)
		synctest.Wait()
		if *c.views != 2 || !strings.Contains(out.text(), "201.") {
			t.Errorf("%d frames; the terminal got %q", *c.views, out.text())
		}
		r.screen.stop()
	})
}

func TestAFrameIsMadeAtOnceOrWithinTheGap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &slowTerminal{gate: make(chan struct{})}
		close(out.gate)
		r, c := newTestRoot(out)
		flushes := make(chan tea.Msg, 100)
		r.screen.send = func(m tea.Msg) { flushes <- m }
		r.screen.off = false
		r.screen.start()
		r.View() // without a size, which must not start the gap
		step(r, tea.WindowSizeMsg{Width: 20, Height: 3})
		synctest.Wait()
		if !strings.Contains(out.text(), "n=1.") {
			t.Fatalf("the first frame did not come at once: %q", out.text())
		}
		time.Sleep(frameBurst * frameGap)
		for i := range frameBurst {
			step(r, "a key, or an answer to it")
			synctest.Wait()
			if *c.views != 2+i {
				t.Errorf("%d of a few waited: %d frames", i+1, *c.views)
			}
		}
		made := 1 + frameBurst
		for range 50 {
			step(r, "one of many keys")
		}
		if *c.views != made {
			t.Errorf("%d frames within the gap", *c.views-made)
		}
		before := time.Now()
		step(r, <-flushes)
		synctest.Wait()
		if d := time.Since(before); d > frameGap || *c.views != made+1 || !strings.HasSuffix(out.text(), "7.\x1b[?2026l") {
			t.Errorf("after %v: %d frames, the terminal got %q", d, *c.views, out.text())
		}
		step(r, flushMsg{})
		synctest.Wait()
		if len(flushes) != 0 || *c.views != made+1 {
			t.Errorf("a flush without news made a frame")
		}
		r.screen.stop()
	})
}

func TestOnlyFramesOfTheFrameworkAreDropped(t *testing.T) {
	out := &slowTerminal{gate: make(chan struct{})}
	close(out.gate)
	r, _ := newTestRoot(out)
	for _, seq := range []string{"\x1b[?25l", "\x1b[?1049h", "\x1b[H" + marker + "\x1b[K", "\x1b[?2004h", "\x1b]2;title\x07", "\x1b[2K", "\r"} {
		if n, err := r.screen.Write([]byte(seq)); n != len(seq) || err != nil {
			t.Errorf("%q: %d, %v", seq, n, err)
		}
	}
	if got, want := out.text(), "\x1b[?25l\x1b[?1049h\x1b[?2004h\x1b]2;title\x07\x1b[2K\r"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestNothingIsDrawnOutsideTheAlternateScreen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &slowTerminal{gate: make(chan struct{})}
		close(out.gate)
		r, _ := newTestRoot(out)
		r.screen.start()
		step(r, tea.WindowSizeMsg{Width: 20, Height: 3})
		synctest.Wait()
		if got := out.text(); got != "" {
			t.Errorf("drawn before: %q", got)
		}
		_, _ = r.screen.Write(altScreenOn)
		synctest.Wait()
		if !strings.Contains(out.text(), "n=1.") {
			t.Errorf("not drawn when it was entered: %q", out.text())
		}
		_, _ = r.screen.Write(altScreenOff)
		time.Sleep(frameGap)
		step(r, "a key")
		synctest.Wait()
		if got := out.text(); !strings.HasSuffix(got, "\x1b[?1049l") {
			t.Errorf("drawn after it was left: %q", got)
		}
		_, _ = r.screen.Write(altScreenOn)
		synctest.Wait()
		if got := out.text(); !strings.Contains(got[strings.LastIndex(got, "\x1b[?1049h"):], "n=2.") {
			t.Errorf("not drawn whole again: %q", got)
		}
		r.screen.stop()
	})
}
