package walletpane

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"chainscope/tui/screen"
	"chainscope/tui/screen/browser"
	"chainscope/tui/text"
	"chainscope/tui/widget/placeholder"
	"chainscope/wallet/service"

	tea "github.com/charmbracelet/bubbletea"
)

// timeline is the list of all calls, the newest first, narrowed by the filter.
// It is the source of the list on the first page.
type timeline struct {
	home  *home
	all   []service.Call
	shown []int
}

// read takes the calls of the wallet.
func (t *timeline) read() {
	t.all = t.home.screen.wallet.Timeline()
	t.apply(t.home.Query())
}

// narrow shows the calls that have all words of a query.
func (t *timeline) narrow(query string) tea.Cmd {
	t.apply(query)
	t.home.List.Changed(nil)
	return nil
}

func (t *timeline) apply(query string) {
	t.shown = t.shown[:0]
	words := strings.Fields(strings.ToLower(query))
	for i, c := range t.all {
		if matches(c, words) {
			t.shown = append(t.shown, i)
		}
	}
	t.home.List.Forget()
}

// found says how much the filter leaves.
func (t *timeline) found() string { return fmt.Sprintf("%d of %d", len(t.shown), len(t.all)) }

// matches reports whether a call has all the words somewhere.
func matches(c service.Call, words []string) bool {
	if len(words) == 0 {
		return true
	}
	all := strings.ToLower(strings.Join([]string{
		string(c.Kind), c.Method, c.Asker.String(), string(c.Wallet), c.Network, string(c.Decision), outcomeWords(c), c.TxID, string(c.Params),
	}, " "))
	for _, w := range words {
		if !strings.Contains(all, w) {
			return false
		}
	}
	return true
}

// current is the call under the cursor.
func (t *timeline) current() (service.Call, bool) {
	i, ok := t.home.List.Cursor()
	if !ok || i >= len(t.shown) {
		return service.Call{}, false
	}
	return t.all[t.shown[i]], true
}

// Len is how many calls are shown.
func (t *timeline) Len() int { return len(t.shown) }

// ID tells calls apart, those of other processes too.
func (t *timeline) ID(i int) string {
	return t.all[t.shown[i]].Key()
}

// Widths of the columns of calls.
const (
	mostMethod   = 25 // stx_signStructuredMessage
	leastMethod  = 12
	leastResult  = 14
	askerWidth   = 18
	askerFrom    = 80 // the width from which there is a column of who asked
	decisionFrom = 110
	tookWidth    = 6
)

// layout is how wide the columns are; 0 leaves one out.
type layout struct{ method, asker, decision, result, age int }

// layout shares a width: the names of methods give way to the results.
func (t *timeline) layout(width int) layout {
	l := layout{age: browser.TimeWidth(t.home.screen.env.Times)}
	if width >= askerFrom {
		l.asker = askerWidth
	}
	if width >= decisionFrom {
		l.decision = askerWidth
	}
	for _, i := range t.shown {
		l.method = max(l.method, text.Width(callName(t.all[i])))
	}
	room := width - len("> x ") - 1 - tookWidth - 1 - l.age
	if l.asker > 0 {
		room -= l.asker + 1
	}
	if l.decision > 0 {
		room -= l.decision + 1
	}
	l.method = max(leastMethod, min(l.method, mostMethod, room-leastResult))
	l.result = max(0, room-l.method)
	return l
}

// columns names the columns.
func (t *timeline) columns(width int) string {
	l := t.layout(width)
	names := "    " + text.Pad("METHOD", l.method+1)
	if l.asker > 0 {
		names += text.Pad("ASKED BY", l.asker+1)
	}
	if l.decision > 0 {
		names += text.Pad("DECISION", l.decision+1)
	}
	return browser.Head(t.home.screen.theme, t.home.screen.env.Times, text.Fill(names+"RESULT", max(0, width-l.age-tookWidth))+text.PadLeft("TOOK", tookWidth), width)
}

// Row draws a call.
func (t *timeline) Row(i, width int) string {
	c := t.all[t.shown[i]]
	th := t.home.screen.theme
	l := t.layout(width + len("  ") + tookWidth + 1 + browser.TimeWidth(t.home.screen.env.Times))
	mark, style := th.Glyphs.Check, th.OK
	switch {
	case !c.Done:
		mark, style = th.Glyphs.Ellipsis, th.Warn
	case failed(c):
		mark, style = th.Glyphs.Cross, th.Bad
	}
	cell := func(words string, width int) string {
		return text.Pad(text.TruncateWith(words, width, th.Glyphs.Ellipsis), width) + " "
	}
	line := style.Render(mark) + " " + cell(callName(c), l.method)
	if l.asker > 0 {
		line += th.Muted.Render(cell(c.Asker.String(), l.asker))
	}
	if l.decision > 0 {
		line += th.Muted.Render(cell(string(c.Decision), l.decision))
	}
	room := width - text.Width(plain(line))
	if room <= 0 {
		return line
	}
	return line + style.Render(text.TruncateWith(t.home.screen.resultWords(c), room, th.Glyphs.Ellipsis))
}

// callName is the method of a call, or what it did instead.
func callName(c service.Call) string {
	if c.Kind == service.KindConnect || c.Kind == service.KindDisconnect {
		return string(c.Kind)
	}
	return c.Method
}

// Tail is the duration and the age.
func (t *timeline) Tail(i int) string {
	c := t.all[t.shown[i]]
	s := t.home.screen
	took := ""
	if c.Done {
		took = text.Duration(c.Duration)
	}
	return s.theme.Muted.Render(" "+text.PadLeft(took, tookWidth)) + browser.TimeTail(s.theme, s.env, c.Time)
}

// resultWords says in a few words how a call came out, with its block if that
// is known.
func (s *Screen) resultWords(c service.Call) string {
	if tx, known := s.wallet.LastKnown(c.TxID); known && c.TxID != "" && tx.BlockHeight > 0 {
		return "in block " + text.Count(tx.BlockHeight)
	}
	return outcomeWords(c)
}

func failed(c service.Call) bool { return c.Error != nil || c.Exception != "" }

// outcomeWords says in a few words how a call came out.
func outcomeWords(c service.Call) string {
	switch {
	case !c.Done:
		return "waiting"
	case c.Decision == service.RejectedByPerson:
		return "rejected by you"
	case c.Error != nil:
		return fmt.Sprintf("%d %s", c.Error.Code, c.Error.Message)
	case c.Exception != "":
		return c.Exception
	case c.TxID != "" && c.NotSent != "":
		return "signed, not sent"
	case c.TxID != "":
		return "sent"
	case c.Kind == service.KindDisconnect:
		return "done"
	case strings.Contains(c.Method, "sign"):
		return "signed"
	}
	return "answered"
}

// noCalls stands in place of the list.
func (h *home) noCalls(_ time.Time, width, height int) []string {
	th := h.screen.theme
	if h.Query() != "" {
		return placeholder.Empty(th, "No call has these words", []string{th.Key.Render("esc") + " " + th.Muted.Render("all calls again")}, width, height)
	}
	var why []string
	for _, line := range text.Block("Calls of this pane, of web pages and of the command line are listed here.", max(1, width-6)) {
		why = append(why, th.Muted.Render(line))
	}
	return placeholder.Empty(th, "No calls yet", append(why, "", placeholder.Hint(th, h.screen.env.Keys.Wallet.New, "new request")), width, height)
}

// table is the timeline as it is exported: as JSON lines, one a call.
func (t *timeline) table() screen.Table {
	out := screen.Table{Name: "calls", Columns: []string{"time", "from", "kind", "method", "decision", "outcome", "duration_ms"}}
	for _, i := range t.shown {
		c := t.all[i]
		out.Rows = append(out.Rows, []string{
			c.Time.UTC().Format(time.RFC3339Nano), c.Asker.String(), string(c.Kind), c.Method, string(c.Decision), outcomeWords(c), fmt.Sprint(c.Duration.Milliseconds()),
		})
		raw, err := json.Marshal(c)
		if err != nil {
			raw = json.RawMessage("null")
		}
		out.JSON = append(out.JSON, raw)
	}
	return out
}
