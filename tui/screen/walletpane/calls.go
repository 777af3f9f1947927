package walletpane

import (
	"time"

	"chainscope/tui/resource"
	"chainscope/tui/text"
	"chainscope/tui/widget/placeholder"
	"chainscope/wallet/service"
)

// The calls, the newest first, are the rows of the list on the first page.

// Item returns a call as lists have it.
func (h *home) Item(i int) (resource.Call, bool) {
	return resource.Call{Call: h.calls[i], Status: h.screen.wallet.StatusOf(h.calls[i])}, true
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

// callName returns the method of a call, or what it did instead.
func callName(c service.Call) string { return resource.Call{Call: c}.Title() }

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
