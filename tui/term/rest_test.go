package term

import (
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

func TestATickComesWhenNoFrameWasMadeForItsTime(t *testing.T) {
	for name, c := range map[string]struct {
		frames []time.Duration // after the begin
		want   time.Duration
	}{
		"no frame":                  {nil, time.Second},
		"a frame before the middle": {[]time.Duration{300 * time.Millisecond}, 1300 * time.Millisecond},
		"keys one after the other":  {[]time.Duration{400 * time.Millisecond, 800 * time.Millisecond, 1200 * time.Millisecond}, 2200 * time.Millisecond},
		"a frame that comes late":   {[]time.Duration{1500 * time.Millisecond}, time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := &Rest{}
				began := time.Now()
				r.framed(began)
				came := make(chan time.Time, 1)
				go func() {
					came <- r.Tick(time.Second, func(at time.Time) tea.Msg { return at })().(time.Time)
				}()
				go func() {
					for _, at := range c.frames {
						time.Sleep(at - time.Since(began))
						r.framed(time.Now())
					}
				}()
				if got := (<-came).Sub(began); got != c.want {
					t.Errorf("it came after %v, want %v", got, c.want)
				}
				time.Sleep(2 * time.Second)
			})
		})
	}
}
