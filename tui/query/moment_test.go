package query

import (
	"strings"
	"testing"
	"time"
)

func TestTimesAreReadAsTheyAreTyped(t *testing.T) {
	now := time.Date(2026, 3, 10, 12, 30, 15, 0, time.UTC)
	for _, c := range []struct{ typed, since, until string }{
		{"90m", "2026-03-10T11:00:15Z", "2026-03-10T11:00:15Z"},
		{"2d", "2026-03-08T12:30:15Z", "2026-03-08T12:30:15Z"},
		{"1w", "2026-03-03T12:30:15Z", "2026-03-03T12:30:15Z"},
		{"1y", "2025-03-10T12:30:15Z", "2025-03-10T12:30:15Z"},
		{"2026-03-01", "2026-03-01T00:00:00Z", "2026-03-01T23:59:59Z"},
		{"2026-03-01T12:00", "2026-03-01T12:00:00Z", "2026-03-01T12:00:00Z"},
		{"2026-03-01 12:00:07", "2026-03-01T12:00:07Z", "2026-03-01T12:00:07Z"},
		{"2026-03-01T12:00:00+02:00", "2026-03-01T10:00:00Z", "2026-03-01T10:00:00Z"},
		{"2026-03-01t12:00z", "2026-03-01T12:00:00Z", "2026-03-01T12:00:00Z"},
	} {
		since, wrong := Since(c.typed, now)
		until, other := Until(c.typed, now)
		if wrong != nil || other != nil || since.UTC().Format(time.RFC3339) != c.since || until.UTC().Format(time.RFC3339) != c.until {
			t.Errorf("%s is %s to %s (%v, %v), want %s to %s", c.typed, since, until, wrong, other, c.since, c.until)
		}
	}
	for _, typed := range []string{"", "d", "2", "-2d", "2x", "2026-02-30", "2026-3-1", "yesterday", "99999999999d", "99999999d", "12:00"} {
		if at, err := Since(typed, now); err == nil || !strings.Contains(err.Error(), "want 90m") {
			t.Errorf("%q is %s (%v)", typed, at, err)
		}
	}
}
