package browser

import (
	"strings"
	"time"

	"chainscope/tui/screen"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/detail"
)

// unreported is said of what the route that answered does not have.
const unreported = text.Unknown + ": not reported by this API"

// Unreported returns the row of something that the route which answered does not have.
func Unreported(label string) detail.Row {
	return detail.Row{Label: label, Value: unreported, Role: detail.Muted}
}

// TimeWidth returns the width of the column of times.
func TimeWidth(times *screen.Times) int {
	if times.Mode == screen.Ages {
		return 6
	}
	return 10
}

// TimeTail draws a time of the chain at the end of a row; blank for the zero time.
func TimeTail(th *theme.Theme, env *screen.Env, at time.Time) string {
	return timeTail(th, env, env.ChainNow(), at)
}

// OwnTimeTail is TimeTail for what happened in this program, which has the machine's
// clock.
func OwnTimeTail(th *theme.Theme, env *screen.Env, at time.Time) string {
	return timeTail(th, env, env.Now(), at)
}

func timeTail(th *theme.Theme, env *screen.Env, now, at time.Time) string {
	width := TimeWidth(env.Times)
	if at.IsZero() {
		return strings.Repeat(" ", width)
	}
	return th.Muted.Render(text.PadLeft(env.Times.Short(now, at), width))
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
