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

// The calls, the newest first, are the rows of the list on the first page.

// call returns a call as lists know it.
func (h *home) call(i int) resource.Call {
	return resource.Call{Call: h.calls[i], Status: h.screen.wallet.StatusOf(h.calls[i])}
}

// Listing returns what filters and orders work on: the calls.
func (h *home) Listing() query.Table {
	return h.columns.Kind.Table(len(h.calls), func(i int) (resource.Call, bool) { return h.call(i), true }, h.screen.env.Now())
}

// RowWords returns how many calls there are.
func (h *home) RowWords() string { return text.Plural(len(h.calls), "call") }

// current returns the call under the cursor.
func (h *home) current() (service.Call, bool) {
	i, ok := h.List.Cursor()
	if !ok {
		return service.Call{}, false
	}
	return h.calls[i], true
}

// Len returns how many calls there are.
func (h *home) Len() int { return len(h.calls) }

// ID tells calls apart, those of other processes too.
func (h *home) ID(i int) string { return h.calls[i].Key() }

// Columns names the columns of the calls.
func (h *home) Columns(width int) string {
	return h.columns.Head(width, h.screen.theme, h.screen.env.Times)
}

// Row draws a call.
func (h *home) Row(i, width int) string { return h.columns.Row(h.call(i), width, h.screen.theme) }

// callName returns the method of a call, or what it did instead.
func callName(c service.Call) string { return resource.Call{Call: c}.Title() }

// Tail returns the age, by the clock of this machine.
func (h *home) Tail(i int) string {
	return browser.OwnTimeTail(h.screen.theme, h.screen.env, h.calls[i].Time)
}

func failed(c service.Call) bool { return c.Error != nil || c.Exception != "" }

// NoRows is in place of the list.
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

// table returns the calls as it is exported: as JSON lines, one a call.
func (h *home) table() screen.Table {
	out := screen.Table{Name: "calls"}
	var all []resource.Call
	for _, i := range h.Passing(h.Listing()) {
		all = append(all, h.call(i))
		raw, err := json.Marshal(h.calls[i])
		if err != nil {
			raw = json.RawMessage("null")
		}
		out.JSON = append(out.JSON, raw)
	}
	out.Columns, out.Rows = h.columns.Kind.Export(all)
	return out
}
