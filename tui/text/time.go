package text

import (
	"fmt"
	"strconv"
	"time"
)

// Unknown is drawn for a value that was not given.
const Unknown = "unknown"

// Age returns how long before now t was, in one unit: "4s ago", "13m ago", "2h
// ago", "5d ago", "3y ago"; "in 2h" for a time that is still to come, "now" within
// a second and for what is to come within an hour: clocks differ, and a mock mines
// ahead of its clock. It is [Unknown] for the zero time.
func Age(now, t time.Time) string {
	if t.IsZero() {
		return Unknown
	}
	d := now.Sub(t)
	switch {
	case d >= time.Second:
		return span(d) + " ago"
	case d <= -time.Hour:
		return "in " + span(-d)
	}
	return "now"
}

// AgeShort is [Age] for narrow columns: "4s", "13m", "now" for a time to come, "?"
// for the zero time.
func AgeShort(now, t time.Time) string {
	if t.IsZero() {
		return "?"
	}
	d := now.Sub(t)
	if d <= -time.Second {
		return "now"
	}
	return span(max(0, d))
}

// span returns a length of time in its greatest whole unit.
func span(d time.Duration) string {
	const day = 24 * time.Hour
	n, unit := int64(d/time.Second), "s"
	switch {
	case d >= 365*day:
		n, unit = int64(d/(365*day)), "y"
	case d >= day:
		n, unit = int64(d/day), "d"
	case d >= time.Hour:
		n, unit = int64(d/time.Hour), "h"
	case d >= time.Minute:
		n, unit = int64(d/time.Minute), "m"
	}
	return strconv.FormatInt(n, 10) + unit
}

// UTC writes a time to the second in UTC, "2024-05-01 10:00:04Z"; [Unknown]
// for the zero time.
func UTC(t time.Time) string {
	if t.IsZero() {
		return Unknown
	}
	return t.UTC().Format("2006-01-02 15:04:05Z")
}

// Local writes a time to the second in its zone with the offset, "2024-05-01
// 12:00:04 +02:00"; [Unknown] for the zero time.
func Local(t time.Time, zone *time.Location) string {
	if t.IsZero() {
		return Unknown
	}
	return t.In(zone).Format("2006-01-02 15:04:05 -07:00")
}

// Duration writes a length of time with about two digits that matter: "0.4ms",
// "84ms", "1.2s", "12s", "2m03s", "3h05m", "2d04h".
func Duration(d time.Duration) string {
	if d < 0 {
		return "-" + Duration(-d)
	}
	const day = 24 * time.Hour
	switch {
	case d == 0:
		return "0ms"
	case d < 10*time.Millisecond:
		return strconv.FormatFloat(float64(d.Round(100*time.Microsecond))/1e6, 'f', 1, 64) + "ms"
	case d.Round(time.Millisecond) < time.Second:
		return strconv.FormatInt(d.Round(time.Millisecond).Milliseconds(), 10) + "ms"
	case d.Round(100*time.Millisecond) < 10*time.Second:
		return strconv.FormatFloat(d.Round(100*time.Millisecond).Seconds(), 'f', 1, 64) + "s"
	}
	d = d.Round(time.Second)
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%dm%02ds", d/time.Minute, d%time.Minute/time.Second)
	case d < day:
		return fmt.Sprintf("%dh%02dm", d/time.Hour, d%time.Hour/time.Minute)
	}
	return fmt.Sprintf("%dd%02dh", d/day, d%day/time.Hour)
}
