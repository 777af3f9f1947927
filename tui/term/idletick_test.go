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

func TestATickComesJustBeforeTheFrameworksClockStrikes(t *testing.T) {
	const second, strike = time.Second, 300 * time.Millisecond
	for name, c := range map[string]struct {
		d, frame, want time.Duration // after the begin; the clock strikes at 0.3 s, 1.3 s …
	}{
		"at rest":                        {second, 0, second + strike - ahead},
		"a frame long before it":         {second, 700 * time.Millisecond, second + strike - ahead},
		"a frame just before it":         {second, 1200 * time.Millisecond, 2*second + strike - ahead},
		"a short one has its own time":   {100 * time.Millisecond, 0, 100 * time.Millisecond},
		"the frame of the tick before":   {second, strike, second + strike - ahead},
		"a long one strikes with it too": {10 * second, 0, 10*second + strike - ahead},
		"a frame does not put it off":    {10 * second, 9 * second, 10*second + strike - ahead},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := &Rest{}
				began := time.Now()
				r.started(began.Add(strike - second))
				came := make(chan time.Time, 1)
				go func() {
					came <- r.Tick(c.d, func(at time.Time) tea.Msg { return at })().(time.Time)
				}()
				time.Sleep(c.frame)
				r.framed(time.Now())
				if got := (<-came).Sub(began); got != c.want {
					t.Errorf("it came after %v, want %v", got, c.want)
				}
			})
		})
	}
}
