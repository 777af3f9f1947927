package walletpane

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"chainscope/tui/screen"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/detail"
	"chainscope/tui/widget/list"
	"chainscope/tui/widget/placeholder"
	"chainscope/wallet/provider"
	"chainscope/wallet/service"
	"chainscope/wallet/signer"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// home is the first page: the wallet at the left, its calls at the right, or
// one of them where the window is narrow.
type home struct {
	screen  *Screen
	detail  *detail.Detail
	calls   *timeline
	list    *list.List
	inCalls bool // the calls have the keys
	split   bool

	addresses map[string][]signer.AddressEntry // of the account, by network
	derived   contextKey                       // what the addresses are of
	origins   []service.Origin
	problem   error // why the origins are not known
}

func newHome(s *Screen) *home {
	h := &home{screen: s, detail: detail.New(s.theme, s.env.Keys), list: list.New(s.theme, s.env.Keys)}
	h.calls = newTimeline(h)
	h.list.SetSource(h.calls)
	h.reread()
	return h
}

// addressesCame are the addresses of an account on all kinds of networks.
type addressesCame struct {
	of   contextKey
	list map[string][]signer.AddressEntry
}

// originsCame are the origins that were decided about.
type originsCame struct {
	list []service.Origin
	err  error
}

// kinds are the networks whose addresses differ.
var kinds = []string{"mainnet", "testnet", "regtest"}

// ask derives the addresses and reads the origins.
func (h *home) ask() tea.Cmd {
	w, st := h.screen.wallet, h.screen.state
	read := func() tea.Msg {
		list, err := w.Origins()
		return originsCame{list, err}
	}
	of := contextKey{"", st.Account, st.Fingerprint}
	if st.Locked || of == h.derived {
		return read
	}
	return tea.Batch(read, func() tea.Msg {
		out := map[string][]signer.AddressEntry{}
		for _, n := range kinds {
			if entries, err := w.Addresses(st.Account, n); err == nil {
				out[n] = entries
			}
		}
		return addressesCame{of, out}
	})
}

func (h *home) takeAddresses(msg addressesCame) {
	st := h.screen.state
	if msg.of == (contextKey{"", st.Account, st.Fingerprint}) {
		h.addresses, h.derived = msg.list, msg.of
		h.describe()
	}
}

func (h *home) takeOrigins(msg originsCame) {
	h.origins, h.problem = msg.list, msg.err
	h.describe()
}

// describe makes the rows of the state.
func (h *home) describe() {
	h.detail.Update(h.rows())
}

func (h *home) rows() []detail.Row {
	st := h.screen.state
	rows := []detail.Row{{Label: "Connection", Heading: true}, h.connectionRow(st)}
	if st.Remembered != "" {
		rows = append(rows, detail.Row{Label: "remembered", Value: st.Remembered, Note: "remembered for next time"})
	}
	rows = append(rows, detail.Row{Label: "Wallet", Heading: true}, h.keysRow(st))
	if st.Locked {
		rows = append(rows, detail.Row{Label: "", Value: "locked", Role: detail.Warn, Note: "Enter to unlock", Do: does(h.screen.askPassphrase)})
	}
	network := detail.Row{Label: "network", Value: st.Network, Note: "Enter to change", Do: does(h.screen.pickNetwork)}
	if st.Mainnet() {
		network.Value, network.Role = "MAINNET", detail.Warn
	}
	rows = append(rows,
		detail.Row{Label: "account", Value: fmt.Sprint(st.Account), Role: detail.Number, Note: "Enter to change", Do: does(h.screen.pickAccount)},
		network)
	for _, w := range st.Wallets {
		value := string(w.Behaviour)
		if w.Delay > 0 && w.Behaviour == "slow" {
			value += " " + text.Duration(w.Delay)
		}
		rows = append(rows, detail.Row{
			Label: string(w.Personality), Value: value, Note: personalityNote[w.Personality],
			Do: does(func() { h.screen.pickBehaviour(w.Personality) }),
		})
	}
	rows = append(rows, detail.Row{
		Label: "options", Value: orWord(h.screen.optionsInForce(), "library defaults"), Note: "Enter to change", Do: does(h.screen.openOptions),
	})
	rows = append(rows, h.addressRows(st)...)
	rows = append(rows, h.bridgeRows(st)...)
	return append(rows, h.recordRows(st)...)
}

// does makes what changes the screen the action of a row.
func does(change func()) func() tea.Cmd {
	return func() tea.Cmd {
		change()
		return nil
	}
}

var personalityNote = map[provider.Personality]string{
	provider.PlayChainscope: "generic SIP-030 wallet",
	provider.PlayLeather:    "behaves like Leather",
	provider.PlayXverse:     "behaves like Xverse",
}

func orWord(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

func (h *home) connectionRow(st service.State) detail.Row {
	switch {
	case !st.Loaded:
		return detail.Row{Label: "state", Value: "reading…", Role: detail.Muted}
	case st.Connected:
		return detail.Row{Label: "state", Value: "connected", Role: detail.OK, Note: "Enter to disconnect", Do: h.screen.disconnect}
	}
	return detail.Row{Label: "state", Value: "not connected", Note: "Enter to connect", Do: h.screen.connect}
}

func (h *home) keysRow(st service.State) detail.Row {
	row := detail.Row{Label: "keys", Value: string(st.KeySource), Note: "Enter to change", Do: does(h.screen.pickKeys)}
	if st.KeyPath != "" {
		row.Value += " " + st.KeyPath
	}
	if st.PublicTest {
		row.Role, row.Note = detail.Warn, "public: anyone can spend"
	}
	return row
}

func (h *home) addressRows(st service.State) []detail.Row {
	if st.Locked {
		return []detail.Row{{Label: "Addresses", Heading: true}, {Label: "", Value: "known once the keystore is unlocked", Role: detail.Muted}}
	}
	active := kindOf(st.Network)
	order := []string{active}
	for _, n := range kinds {
		if n != active {
			order = append(order, n)
		}
	}
	var rows []detail.Row
	for _, n := range order {
		title := fmt.Sprintf("Addresses of account %d on %s", st.Account, n)
		rows = append(rows, detail.Row{Label: title, Heading: true})
		for _, e := range h.addresses[n] {
			kind := e.Type
			if e.Symbol == "STX" {
				kind = "STX"
			}
			rows = append(rows, detail.Row{
				Label: kind, Value: e.Address,
				Do: does(func() { h.screen.open(&qrPage{screen: h.screen, title: n + " " + kind, address: e.Address}) }),
			})
		}
	}
	return rows
}

// kindOf is the network whose addresses a network has. Bitcoin's regtest has
// its own.
func kindOf(network string) string {
	switch network {
	case "mainnet", "regtest":
		return network
	}
	return "testnet"
}

func (h *home) bridgeRows(st service.State) []detail.Row {
	rows := []detail.Row{{Label: "Bridge to web pages", Heading: true}}
	b := st.Bridge
	switch {
	case b.Running:
		rows = append(rows, detail.Row{Label: "bridge", Value: "on, as " + string(b.As), Role: detail.OK, Note: "Enter to turn off", Do: h.screen.turnBridge},
			detail.Row{Label: "address", Value: b.URL, URL: b.URL}, detail.Row{Label: "for a page", Value: `<script src="` + b.URL + `/provider.js"></script>`})
	case b.Failed != "":
		rows = append(rows, detail.Row{Label: "bridge", Value: b.Failed, Role: detail.Bad, Note: "Enter to try again", Do: h.screen.turnBridge})
	default:
		rows = append(rows, detail.Row{Label: "bridge", Value: "off", Note: "Enter to turn on", Do: h.screen.turnBridge})
	}
	if h.problem != nil {
		rows = append(rows, detail.Row{Label: "origins", Value: h.problem.Error(), Role: detail.Bad})
	}
	for _, o := range h.origins {
		row := detail.Row{
			Label: "allowed", Value: o.Origin, Note: "Enter to forget",
			Do: func() tea.Cmd { return h.screen.forgetOrigin(o.Origin) },
		}
		if o.Blocked {
			row.Label, row.Role = "blocked", detail.Bad
		}
		rows = append(rows, row)
	}
	return rows
}

func (h *home) recordRows(st service.State) []detail.Row {
	rows := []detail.Row{{Label: "Stored connection record", Heading: true}}
	if st.Record == nil {
		return append(rows, detail.Row{Label: "", Value: "nothing", Role: detail.Muted})
	}
	r := st.Record
	for _, e := range r.Addresses.STX {
		rows = append(rows, detail.Row{Label: "stx", Value: e.Address})
	}
	for _, e := range r.Addresses.BTC {
		rows = append(rows, detail.Row{Label: "btc " + orWord(e.Type, e.AddressType), Value: e.Address})
	}
	rows = append(rows, detail.Row{Label: "version", Value: r.Version})
	if !r.UpdatedAt.IsZero() {
		rows = append(rows, detail.Row{Label: "updated", Value: text.UTC(r.UpdatedAt)})
	}
	raw := fmt.Sprintf("%x", []byte(r.Raw))
	rows = append(rows, detail.Row{Label: "raw", Value: raw, Short: true, Note: text.Bytes(int64(len(raw))) + " of hex", Copy: raw})
	return append(rows, detail.Row{Label: "decoded", Heading: true}, drawJSON(h.screen, r.Raw))
}

// drawJSON shows JSON, indented.
func drawJSON(s *Screen, raw json.RawMessage) detail.Row {
	return detail.Row{Draw: func(width int) []string {
		var out []string
		for _, l := range text.Block(indent(raw), max(1, width-2)) {
			out = append(out, "  "+s.theme.Text.Render(l))
		}
		return out
	}}
}

// Key handles a key.
func (h *home) Key(msg tea.KeyMsg) (tea.Cmd, bool) {
	k, s := h.screen.env.Keys, h.screen
	if h.calls.typing {
		return h.calls.typeKey(msg), true
	}
	switch {
	case key.Matches(msg, k.Wallet.Connect):
		return s.connect(), true
	case key.Matches(msg, k.Wallet.Disconnect):
		return s.disconnect(), true
	case key.Matches(msg, k.Wallet.New):
		s.pickMethod()
		return nil, true
	case key.Matches(msg, k.Global.NextPane, k.Global.PrevPane):
		h.inCalls = !h.inCalls
		return nil, true
	case msg.String() == "esc" && h.calls.query != "":
		h.calls.search("")
		return nil, true
	case key.Matches(msg, k.List.Filter):
		h.inCalls = true
		h.calls.begin()
		return nil, true
	}
	if h.inCalls {
		return h.callsKey(msg)
	}
	if key.Matches(msg, k.Detail.Follow) {
		row, ok := h.detail.Cursor()
		if !ok || row.Do == nil {
			return nil, true
		}
		return row.Do(), true
	}
	return nil, h.detail.Key(msg)
}

func (h *home) callsKey(msg tea.KeyMsg) (tea.Cmd, bool) {
	k, s := h.screen.env.Keys, h.screen
	c, there := h.calls.current()
	switch {
	case key.Matches(msg, k.List.Open):
		if there {
			s.openCall(c)
		}
		return nil, true
	case key.Matches(msg, k.Wallet.Replay):
		if there {
			return s.replay(c), true
		}
		return nil, true
	case key.Matches(msg, k.Wallet.Edit):
		if there {
			return s.editCall(c), true
		}
		return nil, true
	case key.Matches(msg, k.Global.Up):
		h.inCalls = false
		return nil, true
	}
	return nil, h.list.Key(msg)
}

// reread takes the calls anew.
func (h *home) reread() { h.calls.reread() }

// View draws the wallet and its calls.
func (h *home) View(width, height int, now time.Time) []string {
	th := h.screen.theme
	h.split = width >= 110
	head := []string{h.title(width), ""}
	room := max(0, height-len(head))
	if !h.split {
		if h.inCalls {
			return append(head, h.callsView(width, room, now)...)
		}
		h.detail.SetSize(width, room)
		h.detail.SetFocus(true)
		return append(head, h.detail.View()...)
	}
	left := width * 55 / 100
	h.detail.SetSize(left, room)
	h.detail.SetFocus(!h.inCalls)
	calls := h.callsView(width-left-3, room, now)
	side := " " + th.Border.Render(th.Glyphs.Vertical) + " "
	for i, line := range h.detail.View() {
		other := ""
		if i < len(calls) {
			other = calls[i]
		}
		head = append(head, text.Fill(line, left)+side+other)
	}
	return head
}

// title says where one stands, and what the keys do.
func (h *home) title(width int) string {
	th, st, k := h.screen.theme, h.screen.state, h.screen.env.Keys.Wallet
	var left string
	if st.Connected {
		left = " " + th.OK.Render(th.Glyphs.Dot+" connected") + "  " + placeholder.Hint(th, k.New, "new request") + "  " + placeholder.Hint(th, k.Disconnect, "disconnect")
	} else {
		left = " " + th.Muted.Render(th.Glyphs.Ring+" not connected") + "  " + placeholder.Hint(th, k.Connect, "connect") + "  " + placeholder.Hint(th, k.New, "new request")
	}
	if h.screen.waiting != nil {
		left = " " + th.Warn.Render("waiting for an answer") + "  " + left
	}
	right := ""
	if !h.split {
		names := []string{"Wallet", fmt.Sprintf("Calls %d", h.calls.Len())}
		for i, n := range names {
			if h.inCalls == (i == 1) {
				right += th.Strong.Render("["+n+"]") + " "
			} else {
				right += th.Muted.Render(" "+n+" ") + " "
			}
		}
		right += th.Key.Render("tab") + " "
	}
	return spread(left, right, width)
}

// Hint names the keys.
func (h *home) Hint() string {
	th, k := h.screen.theme, h.screen.env.Keys
	if h.inCalls {
		return placeholder.Hint(th, k.List.Filter, "filter") + "  " + placeholder.Hint(th, k.Wallet.Replay, "replay") + "  " + placeholder.Hint(th, k.Global.Export, "export")
	}
	return placeholder.Hint(th, k.Wallet.New, "new request") + "  " + th.Key.Render("enter") + " " + th.Muted.Render("change")
}

// Crumb is where one is in the pane.
func (h *home) Crumb() string {
	if h.inCalls && !h.split {
		return "calls"
	}
	return ""
}

// Typing reports whether letters are text.
func (h *home) Typing() bool { return h.calls.typing }

// Scopes of the keys.
func (h *home) Scopes() []string {
	if h.inCalls {
		return []string{"list", "wallet"}
	}
	return []string{"detail", "wallet"}
}

// SetTheme changes the colours.
func (h *home) SetTheme(th *theme.Theme) {
	h.detail.SetTheme(th)
	h.list.SetTheme(th)
	h.describe()
}

// Subject is the row or the call under the cursor.
func (h *home) Subject() screen.Subject {
	if h.inCalls {
		if c, ok := h.calls.current(); ok {
			sub := h.screen.callSubject(c)
			sub.Export = h.calls.table
			return sub
		}
		return screen.Subject{Title: "calls", Export: h.calls.table}
	}
	sub := screen.Subject{Title: "wallet", Export: h.calls.table}
	if h.screen.state.Record != nil {
		sub.Raw = h.screen.state.Record.Raw
	}
	if row, ok := h.detail.Cursor(); ok {
		sub.Title = strings.TrimSpace(row.Label + " " + row.Value)
		sub.Copies = []screen.Copy{{Key: "v", Label: orWord(row.Label, "value"), Text: row.Text()}}
		if row.URL != "" {
			sub.Web = row.URL
		}
	}
	return sub
}
