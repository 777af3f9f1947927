package query

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// The units of a time before now.
var units = map[byte]time.Duration{'s': time.Second, 'm': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour, 'w': 7 * 24 * time.Hour, 'y': 365 * 24 * time.Hour}

// mostBefore bounds how long before now a time can be.
const mostBefore = 100 * 365 * 24 * time.Hour

// Moment reads a point in time: 90m, 12h, 2d, 3w or 1y (365 days) before now, 2026-03-01, 2026-03-01T12:00, or as
// RFC 3339 has it. Without a zone it is in UTC. Day reports a date without a time of day, which is
// the beginning of that day.
func Moment(s string, now time.Time) (at time.Time, day bool, err error) {
	if n := len(s) - 1; n > 0 && units[s[n]] != 0 {
		if many, err := strconv.ParseUint(s[:n], 10, 31); err == nil && many <= uint64(mostBefore/units[s[n]]) {
			return now.Add(-time.Duration(many) * units[s[n]]), false, nil
		}
	}
	text := strings.Replace(strings.ToUpper(s), " ", "T", 1)
	for _, layout := range []string{time.DateOnly, "2006-01-02T15:04", "2006-01-02T15:04:05", "2006-01-02T15:04Z07:00", time.RFC3339} {
		if at, err := time.Parse(layout, text); err == nil {
			return at, layout == time.DateOnly, nil
		}
	}
	return time.Time{}, false, fmt.Errorf("%q is no time: want 90m, 12h, 2d, 3w or 1y, which is as long ago, 2026-03-01, or 2026-03-01T12:00, in UTC", s)
}

// Relative reports whether a time is so long before now.
func Relative(s string) bool {
	a, _, err := Moment(s, time.Unix(0, 0))
	b, _, _ := Moment(s, time.Unix(1, 0))
	return err == nil && !a.Equal(b)
}

// Since reads the beginning of a time, Until its end: a day is in it as a whole.
func Since(s string, now time.Time) (time.Time, error) {
	at, _, err := Moment(s, now)
	return at, err
}

// Until reads the end of a time; see Since.
func Until(s string, now time.Time) (time.Time, error) {
	at, day, err := Moment(s, now)
	if day {
		at = at.Add(24*time.Hour - time.Second)
	}
	return at, err
}

// Seconds returns a time in Unix seconds, 0 for none.
func Seconds(at time.Time) int64 {
	if at.IsZero() {
		return 0
	}
	return max(1, at.Unix())
}

// Between reads the beginning and the end of a time, each zero for "", and reports an end that is
// before the beginning.
func Between(since, until string, now time.Time) (from, to time.Time, err error) {
	if since != "" {
		if from, err = Since(since, now); err != nil {
			return from, to, fmt.Errorf("since: %w", err)
		}
	}
	if until != "" {
		if to, err = Until(until, now); err != nil {
			return from, to, fmt.Errorf("until: %w", err)
		}
	}
	if since != "" && until != "" && from.After(to) {
		err = fmt.Errorf("until %s is before since %s", until, since)
	}
	return from, to, err
}
