package mockpanel

import (
	"fmt"
	"strings"
	"time"

	"chainscope/tui/mockclient"
	"chainscope/tui/text"
	"chainscope/tui/theme"
)

// shownRequests is the number of newest requests that the panel shows.
const shownRequests = 3

// head draws where the chain is: tip and clock, the snapshots as a line
// under the tip, and the newest requests, or where the list below is cut the scenarios.
func (p *Panel) head(width int) []string {
	s, ok := p.mockState.Get()
	if !ok {
		return nil
	}
	c, th := &s.course, p.theme
	lines := []string{tipLine(th, c, width), snapshotLine(th, c, width)}
	if c.Runs != nil {
		lines = append(lines, runLines(th, c.Runs)...)
	}
	if c.Fork != nil {
		lines = append(lines, th.Muted.Render(forkLine(c.Fork)))
	}
	if p.height < len(lines)+shownRequests+p.Picker.Height()+boxLines {
		lines = append(lines, p.scenarios(s.scenario))
	} else {
		for _, r := range s.requests {
			lines = append(lines, requestLine(th, r))
		}
	}
	if line := tallyLine("invented", s.undescribed.Invented); line != "" {
		lines = append(lines, th.Warn.Render(line))
	}
	if line := tallyLine("refused", s.undescribed.Refused); line != "" {
		lines = append(lines, th.Warn.Render(line))
	}
	if n := len(s.undescribed.Lacks); n > 0 {
		last := s.undescribed.Lacks[n-1]
		lines = append(lines, th.Warn.Render(lackLine(last, n)))
		if last.Contract != "" {
			lines = append(lines, th.Muted.Render(describeIt))
		}
	}
	for i := range lines {
		lines[i] = text.Cut(lines[i], width, th.Glyphs.Ellipsis)
	}
	return append(lines, "")
}

// boxLines are those of a box that are no items: its edges and margins, and one below the head.
const boxLines = 5

// scenarios names each scenario with its key, and says which is on.
func (p *Panel) scenarios(on string) string {
	var words []string
	for _, item := range items {
		switch {
		case item.ID == on:
			words = append(words, p.theme.Key.Render(item.Key)+" "+p.theme.Strong.Render(item.Label+" (on)"))
		case item.Key >= "0" && item.Key <= "9":
			words = append(words, p.theme.Key.Render(item.Key)+" "+item.Label)
		}
	}
	return strings.Join(words, "  ")
}

// tipLine returns where the chain is: the canned answers only where they fit, and the
// clock to the second.
func tipLine(th *theme.Theme, c *mockclient.Course, width int) string {
	clock, _, _ := strings.Cut(strings.Replace(text.Line(c.Clock), "T", " ", 1), ".")
	state := "the clock runs at "
	if c.Frozen {
		state = "clock stopped at "
	}
	line := "tip " + text.Count(c.Tip.Height)
	words := ""
	for _, more := range []string{"  " + state + clock, "  " + text.Plural(c.Contracts, "canned answer")} {
		if text.Width(line+words+more) <= width {
			words += more
		}
	}
	return th.Strong.Render(line) + th.Muted.Render(words)
}

// runLines say how many contracts run, what the last call cost, how much the virtual machine
// has, and what failed last.
func runLines(th *theme.Theme, r *mockclient.Runs) []string {
	line := text.Plural(r.Contracts, "contract") + " that run"
	if r.Contracts == 1 {
		line = "1 contract that runs"
	}
	if r.Last != "" {
		line += "; the last, " + text.Line(r.Last) + ", cost " + text.Count(r.Runtime) + " of runtime"
	}
	lines := []string{th.Muted.Render(line)}
	if r.Memory > 0 {
		lines = append(lines, th.Muted.Render(fmt.Sprintf("virtual machine: %s of memory, %d of %s awake", text.Bytes(r.Memory), r.Awake, text.Plural(r.Sessions, "session"))))
	}
	if r.Failed != "" {
		lines = append(lines, th.Warn.Render("failed: "+text.Line(r.Failed)))
	}
	return lines
}

// forkLine says how far the reading of the live chain is, and what is being read.
func forkLine(f *mockclient.Fork) string {
	line := text.Line(f.Progress)
	if f.Reading != "" {
		line += "; reading " + text.Line(f.Reading)
	}
	return line
}

// snapshotLine draws the snapshots from the oldest to now: the one at which the
// chain is gets marked, and how often it can go forward comes last. The oldest
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

// describeIt describes how to get an answer for what nobody has described.
const describeIt = "--mock-contracts describes it, --mock-any-contract takes any call"

// lackLine names the last thing that is not described, a member of a contract or a route, and
// how many there were.
func lackLine(last mockclient.Lack, all int) string {
	address, name, _ := strings.Cut(text.Line(last.Contract), ".")
	what := text.Middle(address, 11) + "." + name
	switch {
	case last.Contract == "":
		what = "the route " + text.Line(last.Name)
	case last.Name != "":
		what += "::" + text.Line(last.Name)
	}
	if all > 1 {
		what += fmt.Sprintf(" and %d more", all-1)
	}
	return "not described: " + what
}

// tallyLine returns how many transactions something happened to, and to which last; "" for none.
func tallyLine(what string, t mockclient.Tally) string {
	if t.Count == 0 {
		return ""
	}
	var words []string
	for word := range strings.FieldsSeq(text.Line(t.Last)) {
		if address, name, isContract := strings.Cut(word, "."); isContract {
			word = text.Middle(address, 11) + "." + name
		}
		words = append(words, word)
	}
	return fmt.Sprintf("%s: %s, the last %s", what, text.Count(t.Count), strings.Join(words, " "))
}

func requestLine(th *theme.Theme, r mockclient.Request) string {
	line := fmt.Sprintf("%s %d %s %s", r.Time.UTC().Format(time.TimeOnly), r.Status, text.Line(r.Method), text.Line(r.Path))
	if r.Fault != "" {
		line += "  " + text.Line(r.Fault)
	}
	return th.Muted.Render(line)
}
