package browser

import (
	"time"

	"chainscope/tui/remote"
	"chainscope/tui/screen"
	"chainscope/tui/text"
	"chainscope/tui/widget/placeholder"
)

// Lines above list and detail: heading, chart, notice. In a low window and
// where the user wants it compact only the last.
const (
	headLines = 3
	lowHeight = 12
)

func (f *Frame) headLines() int {
	if f.split.Compact || f.Height < lowHeight {
		return min(1, f.Height)
	}
	return headLines
}

// HeadLines returns how many lines are above list and detail, or what is in their place.
func (f *Frame) HeadLines() int { return f.headLines() }

// Layout shares the room among list, detail and the third column.
func (f *Frame) Layout() {
	height := f.Height - f.headLines()
	_, draws := f.third()
	f.area = f.split.Arrange(f.Width, height, f.InDetail, draws)
	if f.place.DetailFirst() {
		f.area = f.area.Swap()
	}
	f.List.SetSize(f.area.List.Width, max(0, f.area.List.Height-1))
	f.List.SetFocus(!f.InDetail)
	f.Detail.SetSize(f.area.Detail.Width, f.area.Detail.Height)
	f.Detail.SetFocus(f.InDetail)
	f.json.SetSize(f.area.Context.Width, max(0, f.area.Context.Height-1))
	f.fillJSON()
}

// Both reports whether list and detail are in sight together.
func (f *Frame) Both() bool { return f.area.Both() }

// DetailWidth returns the width of the detail in cells.
func (f *Frame) DetailWidth() int { return f.area.Detail.Width }

// RowsInSight returns how many rows of the list are in sight.
func (f *Frame) RowsInSight() int { return max(0, f.area.List.Height-1) }

// rawWidth is the least width of a window with raw JSON that nobody chose: before, the list has
// its room.
const rawWidth = 240

// contexts returns how many things the third column can show, nothing included.
func contexts(third []Third) int { return len(third) + 2 }

// thirdNumber returns the number of what the third column shows: one of the parts'
// own, then the raw JSON, then nothing. What is not there is left out.
func (f *Frame) thirdNumber() int {
	third := f.place.Third()
	at := max(0, f.split.Context-1) % contexts(third)
	if at < len(third) && !third[at].there() {
		return len(third)
	}
	return at
}

// nextThird shows something else in the third column.
func (f *Frame) nextThird() {
	at, third := f.thirdNumber(), f.place.Third()
	if _, drawn := f.third(); !drawn && f.split.Context == 0 {
		f.split.Context = at + 1
		return
	}
	for {
		at = (at + 1) % contexts(third)
		if at >= len(third) || third[at].there() {
			break
		}
	}
	f.split.Context = at + 1
}

func (t Third) there() bool { return t.There == nil || t.There() }

// third returns what the third column shows: nil for the raw JSON; false for
// nothing.
func (f *Frame) third() (*Third, bool) {
	at, third := f.thirdNumber(), f.place.Third()
	if at < len(third) {
		return &third[at], true
	}
	return nil, at == len(third) && (f.split.Context > 0 || f.Width >= rawWidth)
}

// ShowsThird reports whether the third column shows the thing with a number.
func (f *Frame) ShowsThird(number int) bool {
	return f.area.Context.Height > 0 && f.thirdNumber() == number
}

// instead reports whether something is in place of list and detail.
func (f *Frame) instead() bool {
	return f.place.Instead(f.Env.Now(), f.Width, f.Height) != nil
}

// View draws the place.
func (f *Frame) View(now time.Time) []string {
	instead := f.place.Instead(now, f.Width, max(0, f.Height-f.headLines()))
	out := f.head(now, instead == nil)
	if instead != nil {
		return screen.Fit(f.Theme, append(out, instead...), f.Width, f.Height)
	}
	return screen.Fit(f.Theme, append(out, f.area.Draw(f.Theme, f.listLines(now), f.detailLines(now), f.thirdLines())...), f.Width, f.Height)
}

// head draws the lines above; with rows below a failure is shown there, else in
// place of the rows.
func (f *Frame) head(now time.Time, rows bool) []string {
	var out []string
	if f.headLines() == headLines {
		out = append(out, f.place.Heading(now), f.place.Chart(f.Width, now))
	}
	if f.headLines() > 0 {
		out = append(out, f.notice(now, rows))
	}
	return out
}

// notice returns the filter, else what failed, else what the place has to say.
func (f *Frame) notice(now time.Time, rows bool) string {
	line := f.filterLine()
	if f.filter.typing {
		return line
	}
	if rows {
		if v := f.place.Failed(); v != nil && v.State() == remote.Failed {
			if line != "" {
				line += "  "
			}
			return line + " " + f.Banner(v, now)
		}
	}
	if line != "" {
		return line
	}
	return f.place.Notice(now)
}

// Banner returns why what is shown is old, and when it is requested again.
func (f *Frame) Banner(v Remote, now time.Time) string {
	return placeholder.Banner(f.Theme, f.Env.Keys, v.Err(), v.FetchedAt(), f.Retrying(v), now, f.Width-1)
}

// listLines draws the names of the columns, the rows, and the foot.
func (f *Frame) listLines(now time.Time) []string {
	a := f.area.List
	if a.Height == 0 {
		return nil
	}
	out := []string{f.columnsLine(a.Width)}
	if f.List.Len() == 0 {
		if instead := f.place.NoRows(now, a.Width, a.Height-1); instead != nil {
			return append(out, instead...)
		}
	}
	return append(out, f.List.View()...)
}

func (f *Frame) detailLines(now time.Time) []string {
	a := f.area.Detail
	if a.Height == 0 {
		return nil
	}
	if lines := f.inPlaceOfDetail(now); lines != nil {
		return lines
	}
	return f.Detail.ViewAt(now)
}

// inPlaceOfDetail draws what is in place of the detail; nil for nothing.
func (f *Frame) inPlaceOfDetail(now time.Time) []string {
	return f.place.NoDetail(now, f.area.Detail.Width, f.area.Detail.Height)
}

// thirdLines draws the third column under its title.
func (f *Frame) thirdLines() []string {
	a, th := f.area.Context, f.Theme
	if a.Height == 0 {
		return nil
	}
	hint := "  " + placeholder.Hint(th, f.Env.Keys.Global.Context, "another")
	raw := []string{th.Muted.Render("not loaded yet")}
	if f.jsonOf != "" {
		raw = f.json.View()
	}
	t, _ := f.third()
	if t == nil {
		return append([]string{th.Strong.Render("Raw JSON") + hint}, raw...)
	}
	out := append([]string{th.Strong.Render(text.Line(t.Title)) + hint}, t.Draw(a.Width, a.Height-1)...)
	if t.WithJSON {
		out = append(append(out, th.Strong.Render("Raw JSON")), raw...)
	}
	return out
}
