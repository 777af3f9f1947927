package term

import (
	"strings"
	"testing"
	"testing/synctest"

	tea "github.com/charmbracelet/bubbletea"
)

// A resize that came before the framework listened is found when the size is
// looked at again; a size that is known already draws nothing.
func TestASizeThatIsMeasuredLaterIsDrawn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &slowTerminal{gate: make(chan struct{})}
		close(out.gate)
		r, c := newTestRoot(out)
		r.screen.off = false
		r.screen.start()
		step(r, tea.WindowSizeMsg{Width: 20, Height: 3})
		synctest.Wait()
		for _, m := range []measuredMsg{{20, 3}, {0, 0}, {-1, 5}} {
			step(r, m)
			synctest.Wait()
			if *c.views != 1 {
				t.Errorf("%+v made a frame", m)
			}
		}
		before := len(out.text())
		step(r, measuredMsg{30, 4})
		synctest.Wait()
		if r.width != 30 || r.height != 4 || !strings.Contains(out.text()[before:], "\x1b[2J") {
			t.Errorf("%dx%d, drawn %q", r.width, r.height, out.text()[before:])
		}
		r.screen.stop()
	})
}

func TestATerminalThatReportsAHugeSizeIsDrawnInPart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := &slowTerminal{gate: make(chan struct{})}
		close(out.gate)
		r, c := newTestRoot(out)
		r.screen.off = false
		r.screen.start()
		for _, msg := range []tea.Msg{tea.WindowSizeMsg{Width: 10_000, Height: 10_000}, measuredMsg{65_535, 65_535}} {
			step(r, msg)
			synctest.Wait()
			if r.width < 500 || r.height < 200 || r.width*r.height > 1_000_000 || *c.views == 0 {
				t.Errorf("%+v: %dx%d cells, %d frames", msg, r.width, r.height, *c.views)
			}
		}
		r.screen.stop()
	})
}
