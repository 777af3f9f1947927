package tui

import (
	"testing"
	"time"

	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
	"chainscope/tui/theme"
)

// Live tail is on all day. What ten minutes of a block a second have filled is all
// that a day fills, but for the log of requests, which takes forty minutes.
func TestLiveTailHoldsNoMoreAfterManyBlocks(t *testing.T) {
	uitest.NotRaced(t)
	const (
		step   = 20 // blocks between two looks
		filled = 600
		growth = 5 << 20
	)
	most := 1500
	if uitest.Long() {
		most = 12_000
	}
	for _, place := range []nav.Place{nav.Blocks(), nav.BurnBlocks(), nav.LatestBurnBlock()} {
		t.Run(place.String(), func(t *testing.T) {
			now := noon
			p := startAt(t, theme.Options{Plain: true}, "mono", 120, 40, pace{func() time.Time { return now }, time.Second, 10 * time.Minute})
			p.run(p.m.visit(place))
			var before int64
			for n := step; n <= most; n += step {
				now = now.Add(step * time.Second)
				p.send(tickMsg{p.m.tickGen})
				p.m.View()
				switch n {
				case filled:
					before = uitest.Heap()
				case 1500, 12_000:
					grown := uitest.Heap() - before
					t.Logf("%d kB more after %d blocks than %d kB after %d", grown>>10, n, before>>10, filled)
					if grown > growth {
						t.Errorf("%d kB after %d blocks, %d kB more after %d", before>>10, filled, grown>>10, n)
					}
				}
			}
		})
	}
}
