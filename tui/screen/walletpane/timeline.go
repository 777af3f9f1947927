package walletpane

import (
	"encoding/json"
	"time"

	"chainscope/tui/query"
	"chainscope/tui/resource"
	"chainscope/tui/screen"
	"chainscope/tui/screen/browser"
	"chainscope/tui/text"
	"chainscope/tui/widget/placeholder"
	"chainscope/wallet/service"
)

// timeline is the list of all calls, the newest first. It is the source of the
// list on the first page.
type timeline struct {
	home    *home
	all     []service.Call
	columns browser.Rows[resource.Call]
}

// read takes the calls of the wallet.
func (t *timeline) read() { t.all = t.home.screen.wallet.Timeline() }

// call is a call as lists know it.
func (t *timeline) call(i int) resource.Call {
	words, fate := t.home.screen.wallet.OutcomeOf(t.all[i])
	return resource.Call{Call: t.all[i], Words: words, Fate: fate}
}

// rows is what filters and orders work on.
func (t *timeline) rows() query.Table {
	return t.columns.Kind.Table(len(t.all), func(i int) (resource.Call, bool) { return t.call(i), true }, t.home.screen.env.Now())
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

// head names the columns.
func (t *timeline) head(width int) string {
	return t.columns.Head(width, t.home.screen.theme, t.home.screen.env.Times)
}

// Row draws a call.
func (t *timeline) Row(i, width int) string {
	return t.columns.Row(t.call(i), width, t.home.screen.theme)
}

// callName is the method of a call, or what it did instead.
func callName(c service.Call) string { return resource.Call{Call: c}.Title() }

// Tail is the age, by the clock of this machine.
func (t *timeline) Tail(i int) string {
	return browser.OwnTimeTail(t.home.screen.theme, t.home.screen.env, t.all[i].Time)
}

// outcome says in a few words how a call came out.
func (s *Screen) outcome(c service.Call) string {
	words, _ := s.wallet.OutcomeOf(c)
	return words
}

func failed(c service.Call) bool { return c.Error != nil || c.Exception != "" }

// NoRows stands in place of the list.
func (h *home) NoRows(_ time.Time, width, height int) []string {
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
	out := screen.Table{Name: "calls"}
	var all []resource.Call
	for _, i := range t.home.Passing(t.rows()) {
		all = append(all, t.call(i))
		raw, err := json.Marshal(t.all[i])
		if err != nil {
			raw = json.RawMessage("null")
		}
		out.JSON = append(out.JSON, raw)
	}
	out.Columns, out.Rows = t.columns.Kind.Export(all)
	return out
}
