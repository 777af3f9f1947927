package walletpane

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"chainscope/tui/nav"
	"chainscope/tui/remote"
	"chainscope/tui/screen"
	"chainscope/tui/screen/browser"
	"chainscope/tui/screen/walletpane/snippet"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/detail"
	"chainscope/tui/widget/placeholder"
	"chainscope/wallet/node"
	"chainscope/wallet/service"
	"chainscope/wallet/signer"
	"chainscope/wallet/verify"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// resultPage shows one call: how it came out, what was signed, what became of
// it, and the call as the app made it beside the call as the wallet received it.
type resultPage struct {
	base
	call   service.Call
	result json.RawMessage // whole; of an older call without its secrets
	detail *detail.Detail

	checked  *verify.Result
	received *compare // shown instead of the call, nil when it is not

	number uint64                         // of the page
	tx     node.Transaction               // what the chain last reported of the transaction
	known  bool                           // it has
	chain  remote.Value[node.Transaction] // as this page requested it
}

func newResultPage(s *Screen, c service.Call, result json.RawMessage) *resultPage {
	if result == nil {
		result = c.Result
	}
	s.results++
	r := &resultPage{base: base{screen: s}, number: s.results, call: c, result: result, detail: detail.New(s.theme, s.env.Keys)}
	r.tx, r.known = s.wallet.LastKnown(c.TxID)
	r.detail.SetFocus(true)
	r.detail.SetRows(r.rows())
	return r
}

// openCall shows a call of the timeline.
func (s *Screen) openCall(c service.Call) tea.Cmd {
	r := newResultPage(s, c, nil)
	s.open(r)
	return r.load()
}

// applyCall shows the call as it is now, if it is the one of the page.
func (r *resultPage) applyCall(c service.Call) {
	if c.Key() != r.call.Key() || r.call.Done {
		return
	}
	r.call, r.result = c, c.Result
	r.show()
}

func (r *resultPage) rows() []detail.Row {
	c := r.call
	rows := []detail.Row{{Label: "Outcome", Heading: true}, r.outcomeRow()}
	if fix := r.status().Fix; fix != "" {
		rows = append(rows, detail.Row{Label: "what helps", Value: fix})
	}
	if c.Error != nil && len(c.Error.Data) > 0 {
		rows = append(rows, detail.Row{Label: "data", Value: string(c.Error.Data)})
	}
	if c.Decision != "" {
		rows = append(rows, r.decisionRow())
	}
	rows = append(rows, r.transactionRows()...)
	rows = append(rows, linkRows(rows, c.Params, r.result)...)
	if r.checked != nil {
		rows = append(rows, signatureRow(*r.checked))
	}
	rows = append(rows,
		detail.Row{Label: "asked by", Value: c.Requester.String(), Note: string(c.Kind)},
		r.walletRow(),
		detail.Row{Label: "time", Value: text.UTC(c.Time), Note: "took " + text.Duration(c.Duration)})
	if len(c.Ignored) > 0 {
		rows = append(rows, detail.Row{Label: "ignored", Value: strings.Join(c.Ignored, ", "), Note: "the wallet dropped these params"})
	}
	if len(r.result) > 0 {
		rows = append(rows, detail.Row{Label: "Result", Heading: true}, drawJSON(r.screen, r.result))
	}
	rows = append(rows, detail.Row{Label: "The call", Heading: true}, detail.Row{Draw: r.bothSides})
	for _, cut := range c.Cut {
		rows = append(rows, detail.Row{Label: cut, Value: "too long to be kept", Role: detail.Muted})
	}
	browser.NameRows(rows, r.screen.env.Called)
	return rows
}

// walletRow returns who answered, and whose keys they were where the wallet has others now.
func (r *resultPage) walletRow() detail.Row {
	row := detail.Row{Label: "wallet", Value: r.call.By()}
	if _, others := r.screen.wallet.Others(r.call); others {
		row.Note = "by keys that the wallet has no more: " + r.call.Keys.String()
	}
	return row
}

// decisionRow returns what was decided. Where that was because the origin is
// blocked, it can be undone here.
func (r *resultPage) decisionRow() detail.Row {
	row := detail.Row{Label: "decision", Value: string(r.call.Decision)}
	origins, _ := r.screen.home.origins.Get()
	blocked := slices.Contains(origins, service.Origin{Origin: r.call.Origin, Blocked: true})
	if r.call.Decision == service.OriginRefused && blocked {
		row.Value += ": its origin is blocked"
		return acting(row, "let it ask again", func() tea.Cmd { return r.screen.forgetOrigin(r.call.Origin) })
	}
	return row
}

// fates are the roles of a status.
var fates = map[service.Fate]detail.Role{service.Good: detail.OK, service.Bad: detail.Bad, service.Waits: detail.Warn}

// outcomeRow shows the status of the call. What waits for a block of the mock can have one here.
func (r *resultPage) outcomeRow() detail.Row {
	st := r.status()
	row := detail.Row{Label: "state", Value: st.Words, Role: fates[st.Fate]}
	switch mine := r.screen.opt.Mine; {
	case r.pending() && mine != nil:
		return acting(row, "mine a block now", mine)
	case r.call.Error != nil:
		row.Label = "error"
	case r.call.Exception != "":
		row.Label, row.Note = "exception", "thrown by the library, without a code"
	}
	return row
}

// bothSides draws the call as the app made it and as the wallet received it,
// beside each other where there is room.
func (r *resultPage) bothSides(width int) []string {
	title := "Request sent to wallet"
	if r.call.Received == nil {
		title = "no wallet reached"
	}
	return sides(r.screen.theme, width, sideOf(r.call), received(r.call, title))
}

// sideOf returns a call as the app made it, and received as a wallet received it.
func sideOf(c service.Call) side { return side{"Request from app", c.Method, c.Params} }

func received(c service.Call, title string) side {
	switch {
	case c.Received == nil:
		return side{title: title}
	case c.Changed():
		title += " (changed)"
	default:
		title += " (unchanged)"
	}
	return side{title, c.Received.Method, c.Received.Params}
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
	return append(out, text.Block(text.IndentJSON(s.params), max(1, width))...)
}

// besideFrom is the width from which two forms of a call are side by side.
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
		return nil, r.received.key(r, msg)
	}
	switch {
	case key.Matches(msg, k.Global.Up):
		s.back()
		return nil, true
	case key.Matches(msg, k.Wallet.Verify):
		if !verifiable(r.call, r.result) {
			return screen.Notice("This result has no signature to verify."), true
		}
		found := s.verify(r.call, r.result)
		r.checked = &found
		r.show()
		if found.Valid {
			return screen.Notice("the signature is valid"), true
		}
		return screen.Notice(found.Text), true
	case key.Matches(msg, k.Wallet.Received):
		return r.compare(), true
	case key.Matches(msg, k.Wallet.Replay):
		return s.replay(r.call), true
	case key.Matches(msg, k.Wallet.Raise):
		return r.repair(signer.Replace), true
	case key.Matches(msg, k.Wallet.Cancel):
		return r.repair(signer.Cancel), true
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

// follow does what the row is for, or leads to the block. A mock mines the block that is
// waited for.
func (r *resultPage) follow() (tea.Cmd, bool) {
	switch row, _ := r.detail.Cursor(); {
	case row.Do != nil:
		return row.Do(), true
	case row.To != nil:
		return r.screen.env.Visit(*row.To), true
	case r.mined():
		return r.screen.env.Visit(nav.BlockAtHeight(r.tx.BlockHeight)), true
	case r.pending() && r.screen.opt.Mine != nil:
		return r.screen.opt.Mine(), true
	case r.sent():
		return tea.Batch(r.load(), screen.Notice("No block has it yet.")), true
	}
	return nil, true
}

// View draws the call.
func (r *resultPage) View(time.Time) []string {
	th, c := r.screen.theme, r.call
	what := callName(c)
	mark := th.OK.Render(th.Glyphs.Check)
	switch r.status().Fate {
	case service.Waits:
		mark = th.Warn.Render(th.Glyphs.Ellipsis)
	case service.Bad:
		mark = th.Bad.Render(th.Glyphs.Cross)
	}
	head := []string{" " + mark + " " + th.Strong.Render(text.Truncate(what, max(1, r.width-8))), ""}
	if r.received != nil {
		head = append(head, r.received.head(th)...)
	}
	return append(head, r.detail.View()...)
}

// SetSize sets the cells that View may fill.
func (r *resultPage) SetSize(width, height int) {
	r.base.SetSize(width, height)
	r.show()
}

// show shows the call, or what wallets would receive of it, below two lines of the page and
// two more of the comparison.
func (r *resultPage) show() {
	if c := r.received; c != nil {
		r.detail.SetSize(r.width, max(0, r.height-4))
		r.detail.Update([]detail.Row{{Draw: func(width int) []string { return c.sides(r.screen.theme, width) }}})
		return
	}
	r.detail.SetSize(r.width, max(0, r.height-2))
	r.detail.Update(r.rows())
}

// Crumb names the method.
func (r *resultPage) Crumb() string { return cmp.Or(r.call.Method, string(r.call.Kind)) }

// Hint names the keys.
func (r *resultPage) Hint() string {
	s, th, k := r.screen, r.screen.theme, r.screen.env.Keys
	if r.received != nil {
		return r.received.hint(s)
	}
	var hints []string
	switch row, _ := r.detail.Cursor(); {
	case row.Action != "":
		hints = append(hints, placeholder.Hint(th, k.Detail.Follow, row.Action))
	case r.mined():
		hints = append(hints, th.Key.Render("enter")+" "+th.Muted.Render("open block"))
	case r.pending() && s.opt.Mine != nil:
		hints = append(hints, th.Key.Render("enter")+" "+th.Muted.Render("mine a block now"))
	}
	if r.sent() && r.known && r.tx.Status == "pending" {
		hints = append(hints, placeholder.Hint(th, k.Wallet.Raise, "pay more"), placeholder.Hint(th, k.Wallet.Cancel, "cancel"))
	}
	if verifiable(r.call, r.result) {
		hints = append(hints, placeholder.Hint(th, k.Wallet.Verify, "verify"))
	}
	if r.comparable() {
		hints = append(hints, placeholder.Hint(th, k.Wallet.Received, "received"))
	}
	hints = append(hints, placeholder.Hint(th, k.Wallet.Replay, "replay"))
	if r.editable() {
		hints = append(hints, placeholder.Hint(th, k.Wallet.Edit, "edit"))
	}
	return strings.Join(append(hints, placeholder.Hint(th, k.Wallet.New, "new")), "  ")
}

// editable reports whether a form can repeat the request.
func (r *resultPage) editable() bool {
	return !slices.Contains([]service.CallKind{service.KindConnect, service.KindDisconnect, service.KindRepair}, r.call.Kind)
}

// Scopes of the keys.
func (r *resultPage) Scopes() []string { return []string{"wallet", "detail"} }

// SetTheme changes the colours.
func (r *resultPage) SetTheme(th *theme.Theme) {
	r.detail.SetTheme(th)
	r.show()
}

// Subject returns the result with everything that can be copied.
func (r *resultPage) Subject() screen.Subject {
	sub := r.screen.callSubject(r.call)
	if len(r.result) > 0 {
		sub.Raw = r.result
	}
	return sub
}

// callSubject returns what can be copied of a call.
func (s *Screen) callSubject(c service.Call) screen.Subject {
	t, err := snippetOfCall(c)
	title := cmp.Or(c.Method, string(c.Kind))
	if err != nil {
		return screen.Subject{Title: title, Raw: c.Result}
	}
	result := c.Result
	if result == nil && c.Error != nil {
		result, _ = json.Marshal(c.Error)
	}
	keys := c.Keys
	if keys == (service.KeyName{}) { // of another version
		keys = s.wallet.Keys().Name()
	}
	w, wallet := s.walletOf(keys), s.state.Remembered
	w.Account, w.Network, w.Persona, t.Params = c.Persona.Chosen(c.Account), c.Network, string(c.Persona), asSigned(c, t.Params)
	if c.Wallet != "" {
		wallet = c.Wallet.ID()
	}
	w.Lost = strings.TrimPrefix(strings.TrimSuffix(w.Lost+"; "+lost(c), "; "), "; ")
	sub := s.subjectOf(title, t, w, wallet, result)
	if rule := ruleOf(c, t, w, wallet); rule != "" {
		sub.Copies = append(sub.Copies, screen.Copy{Key: "r", Label: "rule for bridge --script", Text: rule})
	}
	if t.Kind == snippet.Request || t.Kind == snippet.Raw {
		sub.Title += " " + s.wallet.StatusOf(c).Words
	}
	return sub
}

// ruleOf writes a call as a rule that answers it as it was answered, for the request as it reaches
// the wallet of a page.
func ruleOf(c service.Call, t snippet.Call, w snippet.Wallet, wallet string) string {
	t.Method, t.Params = c.Sent().Method, c.Sent().Params
	answer, origin := "approve", ""
	switch {
	case c.Decision == service.RejectedByPerson || c.Decision == service.RejectedAtOnce:
		answer = "reject"
	case c.Error != nil:
		raw, err := json.Marshal(map[string]any{"error": map[string]any{"code": c.Error.Code, "message": c.Error.Message}})
		if err != nil {
			return ""
		}
		answer = string(raw)
	}
	if c.Kind == service.KindPage {
		origin = c.Origin
	}
	rule := snippet.Rule(t, w, wallet, origin, answer)
	if c.Fee != "" && rule != "" && (lost(c) != "" || string(withParts(c, t.Params, []string{"fee", "nonce"})) != string(t.Params)) {
		rule = fmt.Sprintf("# a rule carries no fee and no nonce: %s micro-STX and %s were signed\n", c.Fee, c.Nonce) + rule
	}
	return rule
}
