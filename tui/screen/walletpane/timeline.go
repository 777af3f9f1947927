package walletpane

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"chainscope/tui/query"
	"chainscope/tui/screen"
	"chainscope/tui/screen/browser"
	"chainscope/tui/text"
	"chainscope/tui/widget/placeholder"
	"chainscope/wallet/service"
)

// timeline is the list of all calls, the newest first. It is the source of the
// list on the first page.
type timeline struct {
	home *home
	all  []service.Call
}

// read takes the calls of the wallet.
func (t *timeline) read() { t.all = t.home.screen.wallet.Timeline() }

// rows is what filters and orders work on.
func (t *timeline) rows() query.Table {
	now := t.home.screen.env.Now()
	column := func(name, head string, kind query.Kind, value func(c service.Call) string) query.Column {
		return query.Column{Name: name, Head: head, Kind: kind, Value: func(i int) string { return value(t.all[i]) }}
	}
	other := column("other", "", query.Text, func(c service.Call) string {
		return strings.Join([]string{string(c.Kind), string(c.Wallet), c.TxID, string(c.Params)}, " ")
	})
	other.Hidden = true
	return query.Table{Len: len(t.all), Columns: []query.Column{
		column("method", "METHOD", query.Text, callName),
		column("result", "RESULT", query.Text, service.Call.Outcome),
		column("by", "ASKED BY", query.Text, func(c service.Call) string { return c.Asker.String() }),
		column("decision", "DECISION", query.Text, func(c service.Call) string { return string(c.Decision) }),
		column("network", "", query.Text, func(c service.Call) string { return c.Network }),
		column("took", "TOOK", query.Number, func(c service.Call) string { return strconv.FormatInt(c.Duration.Milliseconds(), 10) }),
		column("age", "AGE", query.Age, func(c service.Call) string {
			return strconv.FormatInt(int64(now.Sub(c.Time)/time.Second), 10)
		}),
		other,
	}}
}

func (t *timeline) rowWords() string { return text.Plural(len(t.all), "call") }

// current is the call under the cursor.
func (t *timeline) current() (service.Call, bool) {
	i, ok := t.home.List.Cursor()
	if !ok {
		return service.Call{}, false
	}
	return t.all[i], true
}

// Len is how many calls there are.
func (t *timeline) Len() int { return len(t.all) }

// ID tells calls apart, those of other processes too.
func (t *timeline) ID(i int) string { return t.all[i].Key() }

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
	for _, c := range t.all {
		l.method = max(l.method, text.Width(callName(c)))
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
	c := t.all[i]
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
	room := width - text.Width(line)
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
	c := t.all[i]
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
	return c.Outcome()
}

func failed(c service.Call) bool { return c.Error != nil || c.Exception != "" }

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
	for _, i := range t.home.Passing(t.rows()) {
		c := t.all[i]
		out.Rows = append(out.Rows, []string{
			c.Time.UTC().Format(time.RFC3339Nano), c.Asker.String(), string(c.Kind), c.Method, string(c.Decision), c.Outcome(), fmt.Sprint(c.Duration.Milliseconds()),
		})
		raw, err := json.Marshal(c)
		if err != nil {
			raw = json.RawMessage("null")
		}
		out.JSON = append(out.JSON, raw)
	}
	return out
}
