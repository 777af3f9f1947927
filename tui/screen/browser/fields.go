package browser

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"chainscope/tui/nav"
	"chainscope/tui/screen"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/cost"
	"chainscope/tui/widget/detail"

	tea "github.com/charmbracelet/bubbletea"

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

// Number is the row of a number, which is copied without its commas.
func Number(label string, n int64) detail.Row {
	return detail.Row{Label: label, Value: text.Count(n), Role: detail.Number, Copy: strconv.FormatInt(n, 10)}
}

// Canonical is the row that says whether a block is canonical, and the role of its
// hashes.
func Canonical(th *theme.Theme, canonical bool) (state detail.Row, hash detail.Role) {
	if canonical {
		return detail.Row{Label: "state", Value: th.Glyphs.Check + " canonical", Role: detail.OK}, detail.Text
	}
	return detail.Row{Label: "state", Value: th.Glyphs.Cross + " orphaned", Role: detail.Bad, Note: "another block stands at this height"}, detail.Struck
}

// Tenure is the row of a tenure, nil for unknown; enter shows its blocks.
func Tenure(height *int64, show func(filter string) tea.Cmd) detail.Row {
	if height == nil {
		return detail.Row{Label: "tenure", Value: text.Unknown, Role: detail.Muted}
	}
	row := Number("tenure", *height)
	row.Does, row.Do = "show its blocks", func() tea.Cmd { return show("tenure:" + row.Copy) }
	return row
}

// BurnBlock are the rows of the burn block of a block.
func BurnBlock(env *screen.Env, height int64, hash string, seconds int64, iso string) []detail.Row {
	number := Number("burn block", height)
	number.Role, number.To = detail.Text, Link(nav.BurnBlockAtHeight(height))
	return []detail.Row{
		number,
		{Label: "burn hash", Value: hash, Short: true, To: Link(nav.BurnBlockAtHash(hash))},
		Moment(env, "burn time", seconds, iso),
	}
}

// Costs are the rows of an execution cost, as shares of the limits.
func Costs(th *theme.Theme, limits cost.Limits, of apiclient.ExecutionCost, lacks apiclient.Lacks) []detail.Row {
	rows := []detail.Row{{Label: "Execution cost (share of " + limits.Name + ")", Heading: true}}
	if lacks.Cost() {
		return append(rows, Untold("cost"))
	}
	for _, d := range limits.Of(of) {
		rows = append(rows, detail.Row{Label: d.Name, Draw: func(width int) []string { return []string{cost.Gauge(d, width, th)} }})
	}
	return rows
}

// untold is said of what the route that answered does not have.
const untold = text.Unknown + ": not told by this API"

// Untold is the row of something that the route which answered does not have.
func Untold(label string) detail.Row {
	return detail.Row{Label: label, Value: untold, Role: detail.Muted}
}

// Told is a row of a field, by its name in REST: Untold where the route that answered
// does not have it.
func Told(row detail.Row, field string, lacks apiclient.Lacks) detail.Row {
	if lacks[field] && row.Value == "" {
		return Untold(row.Label)
	}
	return row
}

// CostCell draws the greatest share of a block's cost in a column of a list.
func CostCell(th *theme.Theme, limits cost.Limits, of apiclient.ExecutionCost, lacks apiclient.Lacks, width int) string {
	if lacks.Cost() {
		return th.Text.Render(text.PadLeft("?", width))
	}
	share := limits.Greatest(of)
	return "  " + cost.Bar(share, width-8, th) + th.Text.Render(text.PadLeft(text.Percent(share), 6))
}

// CostValue is what a table says of the greatest share of a block's cost, in percent.
func CostValue(limits cost.Limits, of apiclient.ExecutionCost, lacks apiclient.Lacks) string {
	if lacks.Cost() {
		return ""
	}
	return fmt.Sprintf("%.4g", 100*limits.Greatest(of))
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
