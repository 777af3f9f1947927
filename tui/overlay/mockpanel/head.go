package mockpanel

import (
	"fmt"
	"strings"
	"time"

	"chainscope/tui/mockclient"
	"chainscope/tui/text"
	"chainscope/tui/theme"
)

// shownRequests is how many of the newest requests the panel shows.
const shownRequests = 3

// head draws where the chain stands: tip and clock, the snapshots as a line
// under the tip, and the newest requests.
func (p *Panel) head(width int) []string {
	if p.course == nil {
		return nil
	}
	c, th := p.course, p.theme
	clock := strings.TrimSuffix(strings.Replace(c.Clock, "T", " ", 1), ".000Z")
	state := "runs"
	if c.Frozen {
		state = "stands"
	}
	lines := []string{
		th.Strong.Render("tip "+text.Count(c.Tip.Height)) + th.Muted.Render(fmt.Sprintf("  the clock %s at %s  %s", state, text.Line(clock), text.Plural(c.Contracts, "canned answer"))),
		snapshotLine(th, c, width),
	}
	for _, r := range p.requests {
		lines = append(lines, requestLine(th, r))
	}
	for i := range lines {
		lines[i] = text.Clip(lines[i], width)
	}
	return append(lines, "")
}

// snapshotLine draws the snapshots from the oldest to now: the one at which the
// chain stands is marked, and how often it can go forward comes last. The oldest
// are left out where there is no room.
func snapshotLine(th *theme.Theme, c *mockclient.Course, width int) string {
	tail := th.Muted.Render(" ─ ") + th.Strong.Render("now")
	if c.At != "" {
		tail = ""
	}
	if c.Undone > 0 {
		tail += th.Muted.Render(fmt.Sprintf("  (%d to redo)", c.Undone))
	}
	if len(c.Snapshots) == 0 {
		return th.Muted.Render("no snapshot yet") + tail
	}
	line, room := "", width-text.Width(tail)
	for i := len(c.Snapshots) - 1; i >= 0; i-- {
		s := c.Snapshots[i]
		name := "○ " + text.Line(s.Name)
		if s.Name == c.At {
			name = th.Strong.Render("● " + text.Line(s.Name))
		}
		longer := name
		if line != "" {
			longer += th.Muted.Render(" ─ ") + line
		}
		if text.Width(longer) > room-4 {
			line = th.Muted.Render("… ─ ") + line
			break
		}
		line = longer
	}
	return line + tail
}

func requestLine(th *theme.Theme, r mockclient.Request) string {
	line := fmt.Sprintf("%s %d %s %s", r.Time.UTC().Format(time.TimeOnly), r.Status, text.Line(r.Method), text.Line(r.Path))
	if r.Fault != "" {
		line += "  " + text.Line(r.Fault)
	}
	return th.Muted.Render(line)
}
