package chain

import (
	"strings"
	"testing"
	"time"
)

func TestAnInstantBeforeTheFirstBlockIsRefusedWithTheOneThatWouldBeRight(t *testing.T) {
	c := mustNew(t, paces[0])
	err := c.CheckInstant(c.FirstBlock().Add(-time.Second))
	if err == nil {
		t.Fatal("accepted")
	}
	_, said, _ := strings.Cut(err.Error(), "begins at ")
	right, err := time.Parse(time.RFC3339, said)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.CheckInstant(right); err != nil {
		t.Error(err)
	}
	if v := c.view(right.UnixMilli(), RateHealthy); v.Tip() != 1 {
		t.Errorf("at the instant that the error names the tip is %d", v.Tip())
	}
	if err := c.CheckInstant(time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC)); err == nil {
		t.Error("the year 10000 is accepted")
	}
}

func TestClocks(t *testing.T) {
	running := Clock{Ahead: 500}
	standing := Clock{Frozen: true, At: 7_000}
	for name, c := range map[string]struct {
		clock Clock
		want  [2]int64 // at the wall times 1,000 and 2,000
	}{
		"the zero clock":           {Clock{}, [2]int64{1_000, 2_000}},
		"running ahead":            {running, [2]int64{1_500, 2_500}},
		"standing":                 {standing, [2]int64{7_000, 7_000}},
		"running, moved":           {running.Moved(9_000, 1_000), [2]int64{9_000, 10_000}},
		"standing, moved":          {standing.Moved(9_000, 1_000), [2]int64{9_000, 9_000}},
		"running, stopped":         {running.Freeze(true, 1_000), [2]int64{1_500, 1_500}},
		"standing, set going":      {standing.Freeze(false, 1_000), [2]int64{7_000, 8_000}},
		"standing, stopped again":  {standing.Freeze(true, 1_500), [2]int64{7_000, 7_000}},
		"beyond the last instant":  {Clock{Ahead: latestMS}, [2]int64{latestMS, latestMS}},
		"running, set going again": {running.Freeze(false, 1_000), [2]int64{1_500, 2_500}},
	} {
		if got := [2]int64{c.clock.Instant(1_000), c.clock.Instant(2_000)}; got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestMiningMakesExactlySoManyBlocks(t *testing.T) {
	c := mustNew(t, paces[0])
	for _, at := range []time.Time{anchor, anchor.Add(1234567 * time.Millisecond), anchor.Add(-20_000 * time.Hour)} {
		now := at.UnixMilli()
		want := c.Tip(now)
		for _, n := range []int64{1, 2, 7, 500, MaxMine} {
			want += n
			then, err := c.Mined(now, n)
			if err != nil {
				t.Fatal(err)
			}
			if now = then; c.Tip(now) != want {
				t.Fatalf("%d mined: tip %d, want %d", n, c.Tip(now), want)
			}
		}
	}
	if then, err := c.Mined(anchorMS, 3); err != nil || then != anchorMS+30_000 {
		t.Errorf("three blocks move the clock to %d: %v", then, err)
	}
	if then, err := c.Mined(-1<<60, 1); err != nil || c.Tip(then) != 2 {
		t.Errorf("the second block is mined at %d: %v", then, err)
	}
	for _, n := range []int64{0, -1, MaxMine + 1} {
		if _, err := c.Mined(anchorMS, n); err == nil {
			t.Errorf("%d blocks are mined", n)
		}
	}
	if _, err := c.Mined(time.Date(9999, 12, 31, 23, 0, 0, 0, time.UTC).UnixMilli(), MaxMine); err == nil {
		t.Error("the clock leaves the year 9999")
	}
}
