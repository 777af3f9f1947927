package browser

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"chainscope/tui/nav"
	"chainscope/tui/screen"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/cost"
	"chainscope/tui/widget/detail"

	"chainscope/apiclient"
)

// Link is where a row of a detail leads.
func Link(p nav.Place) *nav.Place { return &p }

// Moment is the row of a point in time, in seconds since 1970: as the user
// reads times, with the server's own text to copy.
func Moment(env *screen.Env, label string, seconds int64, iso string) detail.Row {
	if seconds == 0 && iso == "" {
		return detail.Row{Label: label, Value: text.Unknown, Role: detail.Muted}
	}
	at := time.Unix(seconds, 0)
	if iso == "" {
		iso = text.UTC(at)
	}
	return detail.Row{Label: label, When: func(now time.Time) string { return env.Times.Long(now, at) }, Copy: iso}
}

// Costs are the rows of an execution cost, as shares of the limits.
func Costs(th *theme.Theme, limits cost.Limits, of apiclient.ExecutionCost) []detail.Row {
	rows := []detail.Row{{Label: "Execution cost (share of " + limits.Name + ")", Heading: true}}
	for _, d := range limits.Of(of) {
		rows = append(rows, detail.Row{Label: d.Name, Draw: func(width int) []string { return []string{cost.Gauge(d, width, th)} }})
	}
	return rows
}

// Extra are the rows of fields that the API's description does not name.
func Extra(fields map[string]json.RawMessage) []detail.Row {
	if len(fields) == 0 {
		return nil
	}
	rows := []detail.Row{{Label: "Other fields", Heading: true}}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		rows = append(rows, detail.Row{Label: name, Value: string(fields[name])})
	}
	return rows
}

// TimeWidth is the width of the column of times.
func TimeWidth(times *screen.Times) int {
	if times.Mode == screen.Ages {
		return 6
	}
	return 10
}

// TimeTail draws a time at the end of a row; blank for the zero time.
func TimeTail(th *theme.Theme, env *screen.Env, at time.Time) string {
	width := TimeWidth(env.Times)
	if at.IsZero() {
		return strings.Repeat(" ", width)
	}
	return th.Muted.Render(text.PadLeft(env.Times.Short(env.Now(), at), width))
}

// Head draws the names of columns with that of the times at the end.
func Head(th *theme.Theme, times *screen.Times, names string, width int) string {
	word := "AGE"
	if times.Mode != screen.Ages {
		word = "TIME"
	}
	room := TimeWidth(times)
	return text.Clip(th.Muted.Render(text.Fill(names, max(0, width-room))+text.PadLeft(word, room)), width)
}
