package walletpane

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"chainscope/tui/nav"
	"chainscope/tui/screen"
	"chainscope/tui/screen/walletpane/twin"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/detail"
	"chainscope/tui/widget/placeholder"
	"chainscope/wallet/node"
	"chainscope/wallet/service"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// resultPage shows one call: how it came out, what was signed, what became of
// it, and the call as the app made it beside the call as the wallet received it.
type resultPage struct {
	screen *Screen
	call   service.Call
	result json.RawMessage // whole; of an older call without its secrets
	detail *detail.Detail

	checked  *check
	tx       node.Transaction
	txErr    error
	txKnown  bool
	asking   bool
	received *compare // shown instead of the call; nil for not
}

func newResultPage(s *Screen, c service.Call, result json.RawMessage) *resultPage {
	if result == nil {
		result = c.Result
	}
	r := &resultPage{screen: s, call: c, result: result, detail: detail.New(s.theme, s.env.Keys)}
	r.detail.SetRows(r.rows())
	return r
}

// openCall shows a call of the timeline.
func (s *Screen) openCall(c service.Call) {
	s.open(newResultPage(s, c, nil))
}

// transactionCame is what became of a transaction.
type transactionCame struct {
	txid string
	tx   node.Transaction
	err  error
}

// ask asks what became of the transaction, until a block has it.
func (r *resultPage) ask() tea.Cmd {
	if r.call.TxID == "" || r.call.NotSent != "" || r.tx.BlockHeight > 0 || r.asking {
		return nil
	}
	r.asking = true
	id, w, ctx := r.call.TxID, r.screen.wallet, r.screen.env.Context
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		tx, err := w.Transaction(ctx, id)
		return transactionCame{id, tx, err}
	}
}

// patience bounds the question about a transaction.
const patience = 10 * time.Second

func (r *resultPage) took(msg transactionCame) {
	if msg.txid != r.call.TxID {
		return
	}
	r.asking, r.tx, r.txErr, r.txKnown = false, msg.tx, msg.err, msg.err == nil
	r.detail.Update(r.rows())
}

func (r *resultPage) rows() []detail.Row {
	c := r.call
	rows := []detail.Row{{Label: "Outcome", Heading: true}, r.outcomeRow()}
	if c.Error != nil && len(c.Error.Data) > 0 {
		rows = append(rows, detail.Row{Label: "data", Value: string(c.Error.Data)})
	}
	if c.Decision != "" {
		row := detail.Row{Label: "decision", Value: string(c.Decision)}
		if c.Edited {
			row.Note = "after an edit of fee or nonce"
		}
		rows = append(rows, row)
	}
	rows = append(rows, r.transactionRows()...)
	if r.checked != nil {
		rows = append(rows, r.checked.row())
	}
	rows = append(rows,
		detail.Row{Label: "asked by", Value: c.Asker.String(), Note: string(c.Kind)},
		detail.Row{Label: "wallet", Value: orWord(string(c.Wallet), "none was reached"), Note: fmt.Sprintf("account %d on %s", c.Account, c.Network)},
		detail.Row{Label: "time", Value: text.UTC(c.Time), Note: "took " + text.Duration(c.Duration)})
	if len(r.result) > 0 {
		rows = append(rows, detail.Row{Label: "Result", Heading: true}, drawJSON(r.screen, r.result))
	}
	rows = append(rows, detail.Row{Label: "The call", Heading: true}, detail.Row{Draw: r.bothSides})
	for _, cut := range c.Cut {
		rows = append(rows, detail.Row{Label: cut, Value: "too long to be kept", Role: detail.Muted})
	}
	return rows
}

func (r *resultPage) outcomeRow() detail.Row {
	c := r.call
	switch {
	case !c.Done:
		return detail.Row{Label: "state", Value: "waits for an answer", Role: detail.Warn}
	case c.Error != nil:
		return detail.Row{Label: "error", Value: fmt.Sprintf("%d  %s", c.Error.Code, c.Error.Message), Role: detail.Bad}
	case c.Exception != "":
		return detail.Row{Label: "exception", Value: c.Exception, Role: detail.Bad, Note: "thrown by the library, without a code"}
	}
	return detail.Row{Label: "state", Value: outcomeWords(c), Role: detail.OK}
}

// transactionRows tell what became of a signed transaction.
func (r *resultPage) transactionRows() []detail.Row {
	c := r.call
	var rows []detail.Row
	if v := value(r.result); v != "" && v != c.TxID {
		rows = append(rows, detail.Row{Label: valueName(r.result), Value: v, Copy: v})
	}
	if c.TxID == "" {
		return rows
	}
	rows = append(rows, detail.Row{Label: "transaction", Value: c.TxID, Short: true, Copy: c.TxID})
	switch k := r.screen.env.Keys.Global; {
	case c.NotSent != "":
		rows = append(rows, detail.Row{Label: "not sent", Value: c.NotSent, Role: detail.Warn})
	case r.tx.BlockHeight > 0:
		to := nav.BlockAtHeight(r.tx.BlockHeight)
		rows = append(rows, detail.Row{ID: "block", Label: "in block", Value: text.Count(r.tx.BlockHeight), Role: detail.OK, To: &to, Note: r.tx.Status})
	case r.txErr != nil:
		rows = append(rows, detail.Row{Label: "in block", Value: r.txErr.Error(), Role: detail.Bad})
	case r.txKnown && r.tx.Status == "":
		rows = append(rows, detail.Row{Label: "in block", Value: "the chain does not know it (any more)", Role: detail.Warn})
	default:
		rows = append(rows, detail.Row{
			ID: "pending", Label: "in block", Value: "pending: the next block takes it", Role: detail.Warn,
			Note: k.MockPanel.Help().Key + " m mines one now",
		})
	}
	return rows
}

// valueName names what value is.
func valueName(result json.RawMessage) string {
	var r map[string]json.RawMessage
	if json.Unmarshal(result, &r) != nil {
		return "value"
	}
	for _, name := range []string{"addresses", "signature", "txid", "psbt", "transaction"} {
		if _, there := r[name]; there {
			if name == "addresses" {
				return "address"
			}
			return name
		}
	}
	return "value"
}

// bothSides draws the call as the app made it and as the wallet received it,
// beside each other where there is room.
func (r *resultPage) bothSides(width int) []string {
	c := r.call
	received := service.Received{}
	if c.Received != nil {
		received = *c.Received
	}
	title := "as the wallet received it"
	switch {
	case c.Received == nil:
		title = "no wallet received it"
	case !c.Changed():
		title += ": unchanged"
	}
	return sides(r.screen.theme, width,
		side{"as the app made it", c.Method, c.Params},
		side{title, received.Method, received.Params})
}

// side is one of two forms of a call.
type side struct {
	title  string
	method string
	params json.RawMessage
}

func (s side) lines(th *theme.Theme, width int) []string {
	out := []string{th.Muted.Render(text.Truncate(s.title, width))}
	if s.method == "" {
		return out
	}
	out = append(out, th.Strong.Render(text.Truncate(s.method, width)))
	if len(s.params) == 0 {
		return append(out, th.Muted.Render("no params"))
	}
	return append(out, text.Block(indent(s.params), max(1, width))...)
}

// besideFrom is the width from which two forms of a call stand side by side.
const besideFrom = 90

func sides(th *theme.Theme, width int, a, b side) []string {
	width -= 2
	var out []string
	if width < besideFrom {
		for _, l := range append(append(a.lines(th, width), ""), b.lines(th, width)...) {
			out = append(out, "  "+l)
		}
		return out
	}
	half := (width - 3) / 2
	left, right := a.lines(th, half), b.lines(th, half)
	bar := " " + th.Border.Render(th.Glyphs.Vertical) + " "
	for i := range max(len(left), len(right)) {
		l, r := "", ""
		if i < len(left) {
			l = left[i]
		}
		if i < len(right) {
			r = right[i]
		}
		out = append(out, "  "+text.Fill(l, half)+bar+r)
	}
	return out
}

// Key handles a key.
func (r *resultPage) Key(msg tea.KeyMsg) (tea.Cmd, bool) {
	k, s := r.screen.env.Keys, r.screen
	if r.received != nil {
		return r.received.key(r, msg)
	}
	switch {
	case key.Matches(msg, k.Global.Up):
		s.back()
		return nil, true
	case key.Matches(msg, k.Wallet.Verify):
		c := s.verify(r.call, r.result)
		r.checked = &c
		r.detail.Update(r.rows())
		return screen.Notice(c.notice()), true
	case key.Matches(msg, k.Wallet.Received):
		return r.compare(), true
	case key.Matches(msg, k.Wallet.Replay):
		return s.replay(r.call), true
	case key.Matches(msg, k.Wallet.New):
		s.pickMethod()
		return nil, true
	case key.Matches(msg, k.Wallet.Connect):
		return s.connect(), true
	case key.Matches(msg, k.Wallet.Disconnect):
		return s.disconnect(), true
	case key.Matches(msg, k.Wallet.Edit):
		return s.editCall(r.call), true
	case key.Matches(msg, k.Detail.Follow):
		return r.follow()
	}
	return nil, r.detail.Key(msg)
}

// follow leads to the block, wherever the cursor is: there is only one link.
func (r *resultPage) follow() (tea.Cmd, bool) {
	if r.tx.BlockHeight > 0 {
		return screen.Go(nav.BlockAtHeight(r.tx.BlockHeight)), true
	}
	if r.call.TxID != "" && r.call.NotSent == "" {
		return tea.Batch(r.ask(), screen.Notice("no block has it yet")), true
	}
	return nil, true
}

// View draws the call.
func (r *resultPage) View(width, height int, _ time.Time) []string {
	th := r.screen.theme
	c := r.call
	what := c.Method
	if c.Kind == service.KindConnect || c.Kind == service.KindDisconnect {
		what = string(c.Kind)
	}
	mark := th.OK.Render(th.Glyphs.Check)
	if failed(c) {
		mark = th.Bad.Render(th.Glyphs.Cross)
	}
	head := []string{" " + mark + " " + th.Strong.Render(text.Truncate(what, max(1, width-8))), ""}
	room := max(0, height-len(head))
	if r.received != nil {
		return append(head, r.received.view(r.screen, width, room)...)
	}
	r.detail.SetSize(width, room)
	r.detail.SetFocus(true)
	return append(head, r.detail.View()...)
}

// Crumb names the method.
func (r *resultPage) Crumb() string { return orWord(r.call.Method, string(r.call.Kind)) }

// Hint names the keys.
func (r *resultPage) Hint() string {
	th, k := r.screen.theme, r.screen.env.Keys
	if r.received != nil {
		return r.received.hint(r.screen)
	}
	out := ""
	if r.tx.BlockHeight > 0 {
		out = th.Key.Render("enter") + " " + th.Muted.Render("its block") + "  "
	} else if r.call.TxID != "" && r.call.NotSent == "" {
		out = placeholder.Hint(th, k.Global.MockPanel, "mock panel") + "  "
	}
	return out + placeholder.Hint(th, k.Wallet.Verify, "verify") + "  " + placeholder.Hint(th, k.Wallet.Received, "received") + "  " +
		placeholder.Hint(th, k.Wallet.Replay, "replay") + "  " + placeholder.Hint(th, k.Wallet.Edit, "edit") + "  " + placeholder.Hint(th, k.Wallet.New, "new")
}

// Typing is never.
func (r *resultPage) Typing() bool { return false }

// Scopes of the keys.
func (r *resultPage) Scopes() []string { return []string{"wallet", "detail"} }

// SetTheme changes the colours.
func (r *resultPage) SetTheme(th *theme.Theme) {
	r.detail.SetTheme(th)
	r.detail.Update(r.rows())
}

// Subject is the result with everything that can be copied.
func (r *resultPage) Subject() screen.Subject {
	sub := r.screen.callSubject(r.call)
	if len(r.result) > 0 {
		sub.Raw = r.result
	}
	return sub
}

// callSubject is what can be copied of a call.
func (s *Screen) callSubject(c service.Call) screen.Subject {
	t, err := s.twinOfCall(c)
	title := orWord(c.Method, string(c.Kind))
	if err != nil {
		return screen.Subject{Title: title, Raw: c.Result}
	}
	result := c.Result
	if result == nil && c.Error != nil {
		result, _ = json.Marshal(c.Error)
	}
	sub := s.subjectOf(title, t, result)
	if t.Kind == twin.Request || t.Kind == twin.Raw {
		sub.Title += " " + outcomeWords(c)
	}
	return sub
}
