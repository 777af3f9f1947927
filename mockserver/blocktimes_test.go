package mockserver

import (
	"fmt"
	"testing"
	"time"
)

// A block is found by its time, and by any instant before the next one.
func TestABlockIsFoundByTime(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	s, _ := newServer(t, Config{Freeze: &at, APIVersion: "9"})
	type listed struct {
		Height int64
		Time   int64 `json:"block_time"`
	}
	newest := read[struct{ Results []listed }](t, get(s, "/extended/v2/blocks?limit=3")).Results
	request := func(seconds int64) (int, listed) {
		w := get(s, fmt.Sprintf("/extended/v2/blocks/by-block-time/%d", seconds))
		if w.Code != 200 {
			return w.Code, listed{}
		}
		return w.Code, read[listed](t, w)
	}
	for i, want := range newest {
		if _, got := request(want.Time); got != want {
			t.Errorf("at the time of %+v it is %+v", want, got)
		}
		if i > 0 {
			if _, got := request(newest[i-1].Time - 1); got != want {
				t.Errorf("just before %+v it is %+v", newest[i-1], got)
			}
		}
	}
	for _, late := range []int64{at.Unix() + 1_000_000, 1 << 60} {
		if _, got := request(late); got != newest[0] {
			t.Errorf("at %d it is %+v", late, got)
		}
	}
	if code, _ := request(1); code != 404 {
		t.Errorf("before the first block: %d", code)
	}
	if w := get(s, "/extended/v2/blocks/by-block-time/noon"); w.Code != 400 {
		t.Errorf("no number: %d", w.Code)
	}
	for version, want := range map[string]int{"8": 404, "sunset": 200, "v3": 410} {
		s, _ := newServer(t, Config{Freeze: &at, APIVersion: version})
		if w := get(s, fmt.Sprintf("/extended/v2/blocks/by-block-time/%d", at.Unix())); w.Code != want {
			t.Errorf("by %s it answers %d", version, w.Code)
		}
	}
}

func TestTheMeanTimeBetweenBlocksIsThatOfTheChain(t *testing.T) {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	s, _ := newServer(t, Config{Freeze: &at})
	// The blocks of the last hour, counted one by one.
	var times []int64
	for offset := 0; len(times) < 900; offset += 30 {
		page := read[struct {
			Results []struct {
				Time int64 `json:"block_time"`
			}
		}](t, get(s, fmt.Sprintf("/extended/v1/block?limit=30&offset=%d", offset)))
		for _, b := range page.Results {
			times = append(times, b.Time)
		}
	}
	last := 0
	for times[last] > at.Unix()-3600 {
		last++
	}
	want := float64(times[0]-times[last]) / float64(last)
	got := read[struct {
		Hour  float64 `json:"last_1h"`
		Day   float64 `json:"last_24h"`
		Week  float64 `json:"last_7d"`
		Month float64 `json:"last_30d"`
	}](t, get(s, "/extended/v2/blocks/average-times"))
	if got.Hour < want-0.02 || got.Hour > want+0.02 {
		t.Errorf("in the last hour %v, want %v", got.Hour, want)
	}
	for _, mean := range []float64{got.Day, got.Week, got.Month} {
		if mean < 9.5 || mean > 10.5 {
			t.Errorf("blocks come every 10 s, and the means are %+v", got)
		}
	}
	if fmt.Sprintf("%.2f", got.Day) != fmt.Sprint(got.Day) && fmt.Sprintf("%.1f", got.Day) != fmt.Sprint(got.Day) && fmt.Sprintf("%.0f", got.Day) != fmt.Sprint(got.Day) {
		t.Errorf("%v has more than two decimals", got.Day)
	}
}

// Lists of v3 count the events of a transaction from 9.7 on.
func TestListsOfV3CountEventsFrom97On(t *testing.T) {
	for version, want := range map[string]bool{"9": false, "sunset": false, "v3": true} {
		s, _ := newServer(t, Config{APIVersion: version})
		page := read[struct{ Results []map[string]any }](t, get(s, "/extended/v3/transactions?limit=5"))
		for _, one := range page.Results {
			if _, counts := one["event_count"]; counts != want {
				t.Fatalf("by %s: %v", version, one)
			}
		}
	}
}
