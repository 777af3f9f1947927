package apiclient

import (
	"net/http"
	"testing"
	"time"
)

func TestTheTimeOfTheChainIsThatOfAMock(t *testing.T) {
	noon := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	for header, want := range map[string]time.Time{
		"": noon, // a live API
		"2026-01-01T15:00:00.000Z; ahead=10800.000": noon.Add(3 * time.Hour),
		"2026-01-01T11:00:00.000Z; ahead=-3600.000": noon.Add(-time.Hour),
		"2020-05-05T00:00:00.000Z; frozen":          time.Date(2020, 5, 5, 0, 0, 0, 0, time.UTC),
		"2020-05-05T00:00:00.000Z; ahead=1e300":     noon,
		"2020-05-05T00:00:00.000Z; ahead=NaN":       noon,
		"yesterday; frozen":                         noon,
		"2020-05-05T00:00:00.000Z":                  noon,
	} {
		inBubble(t, func(w http.ResponseWriter, _ *http.Request) {
			if header != "" {
				w.Header().Set("X-Mock-Clock", header)
			}
			answer(w, 200, emptyList)
		}, func(t *testing.T, c *Client) {
			if _, err := c.Blocks(t.Context(), Page{}); err != nil {
				t.Fatal(err)
			}
			if got := c.ChainTime(noon); !got.Equal(want) {
				t.Errorf("%q: at noon it is %s, want %s", header, got, want)
			}
		})
	}
}
