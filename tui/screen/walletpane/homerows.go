package walletpane

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"chainscope/tui/nav"
	"chainscope/tui/resource"
	"chainscope/tui/text"
	"chainscope/tui/widget/detail"
	"chainscope/wallet/provider"
	"chainscope/wallet/service"

	tea "github.com/charmbracelet/bubbletea"
)

// rows returns the wallet as labelled values.
func (h *home) rows() []detail.Row {
	st := h.screen.state
	rows := []detail.Row{{Label: "Connection", Heading: true}, h.connectionRow(st)}
	if st.Remembered != "" {
		rows = append(rows, detail.Row{Label: "wallet", Value: st.Remembered, Note: "remembered for next time"})
	}
	rows = append(rows, h.keyRows(st)...)
	rows = append(rows, h.addressRows(st)...)
	rows = append(rows, h.walletRows(st)...)
	rows = append(rows, h.bridgeRows(st)...)
	return append(rows, h.recordRows(st)...)
}

// acting lets enter do something on a row, and says so on it.
func acting(row detail.Row, label string, do func() tea.Cmd) detail.Row {
	row.Do, row.Action = do, label
	if row.Note == "" {
		row.Note = "Enter to " + label
	}
	return row
}

// opening returns acting for what opens a box or a page.
func opening(row detail.Row, label string, open func()) detail.Row {
	return acting(row, label, func() tea.Cmd {
		open()
		return nil
	})
}

func (h *home) connectionRow(st service.State) detail.Row {
	switch {
	case !st.Loaded:
		return detail.Row{Label: "state", Value: "reading" + h.screen.theme.Glyphs.Ellipsis, Role: detail.Muted}
	case st.Connected:
		return acting(detail.Row{Label: "state", Value: "connected", Role: detail.OK}, "disconnect", h.screen.disconnect)
	}
	return acting(detail.Row{Label: "state", Value: "not connected"}, "connect", h.screen.connect)
}

// watchedNote says what a wallet without keys can do.
const watchedNote = "no keys: sends only on a mock that impersonates it"

// keyRows returns keys, account and network.
func (h *home) keyRows(st service.State) []detail.Row {
	keys := detail.Row{Label: "keys", Value: strings.TrimSpace(string(st.KeySource) + " " + st.KeyPath)}
	if st.PublicTest {
		keys.Note = "public: anyone can spend"
	}
	if st.KeySource == service.WatchedOnly {
		keys.Note = watchedNote
	}
	rows := []detail.Row{{Label: "Keys", Heading: true}, opening(keys, "change", h.screen.pickKeys)}
	if st.Locked {
		rows = append(rows, opening(detail.Row{Value: "locked", Role: detail.Warn}, "unlock", func() { h.screen.promptPassphrase(h.screen.wallet.Keys()) }))
	}
	account := detail.Row{Label: "account", Value: fmt.Sprint(st.Account), Role: detail.Number}
	network := detail.Row{Label: "network", Value: st.Network + " addresses"}
	if h.screen.alarming(st.Network) {
		network.Value, network.Role = "MAINNET", detail.Bad
	}
	persona := detail.Row{Label: "persona", Value: string(st.Persona), Note: st.Persona.About() + "; " + h.screen.env.Keys.Wallet.Persona.Help().Key + ": next persona"}
	if st.Persona != service.Rich {
		persona.Role = detail.Warn
	}
	return append(rows, opening(account, "change", h.screen.pickAccount), opening(network, "change", h.screen.pickNetwork),
		opening(persona, "change", h.screen.pickPersona))
}

func (h *home) addressRows(st service.State) []detail.Row {
	active := kindOf(st.Network)
	rows := []detail.Row{{Label: fmt.Sprintf("Addresses of account %d on %s (in use)", st.Account, active), Heading: true}}
	if st.Locked {
		return append(rows, detail.Row{Label: "", Value: "known once the keystore is unlocked", Role: detail.Muted})
	}
	rows = append(rows, h.addressesOn(active)...)
	others := slices.DeleteFunc(slices.Clone(kinds), func(n string) bool { return n == active })
	if !h.allAddresses {
		return append(rows, opening(detail.Row{Label: "others", Value: strings.Join(others, ", ")}, "show", h.turnAddresses))
	}
	for _, n := range others {
		rows = append(rows, detail.Row{Label: fmt.Sprintf("Addresses of account %d on %s", st.Account, n), Heading: true})
		rows = append(rows, h.addressesOn(n)...)
	}
	return append(rows, opening(detail.Row{Label: "others", Value: "shown"}, "hide", h.turnAddresses))
}

func (h *home) turnAddresses() {
	h.allAddresses = !h.allAddresses
	h.Fill()
}

func (h *home) addressesOn(network string) []detail.Row {
	known, _ := h.addresses.Get()
	if known.of != h.account() {
		return nil
	}
	var rows []detail.Row
	for _, e := range known.on[network] {
		kind := e.Type
		if e.Symbol == "STX" {
			kind = "STX"
		}
		row := detail.Row{Label: kind, Value: e.Address}
		if e.Symbol == "STX" {
			row.Principal = e.Address
			row.Action, row.Do = "open the account", func() tea.Cmd { return h.screen.env.Visit(nav.Account(e.Address)) }
		}
		rows = append(rows, row)
	}
	return rows
}

// kindOf returns the network whose addresses a network has. Bitcoin's regtest has
// its own.
func kindOf(network string) string {
	switch network {
	case "mainnet", "regtest":
		return network
	}
	return "testnet"
}

var personalityNotes = map[provider.Personality]string{
	provider.PlayChainscope: "generic SIP-030 wallet",
	provider.PlayLeather:    "behaves like Leather",
	provider.PlayXverse:     "behaves like Xverse",
}

var behaviourWords = map[provider.Behaviour]string{
	provider.Asks: "asks every time", provider.Approves: "approves everything", provider.Rejects: "rejects everything",
	provider.Slow: "is slow", provider.Locked: "is locked", provider.Failing: "fails",
}

// walletRows returns the mock wallets and the options of the library.
func (h *home) walletRows(st service.State) []detail.Row {
	rows := []detail.Row{{Label: "Wallets that use these keys", Heading: true}}
	for _, w := range st.Wallets {
		row := detail.Row{Label: string(w.Personality), Value: cmp.Or(behaviourWords[w.Behaviour], string(w.Behaviour)), Note: personalityNotes[w.Personality]}
		rows = append(rows, opening(row, "change how it behaves", func() { h.screen.pickBehaviour(w.Personality) }))
	}
	options := detail.Row{Label: "options", Value: cmp.Or(h.screen.inForce(&h.screen.options), "library defaults")}
	return append(rows, opening(options, "change", func() { h.screen.openOptions(&h.screen.options) }))
}

func (h *home) bridgeRows(st service.State) []detail.Row {
	rows := []detail.Row{{Label: "Bridge to web pages", Heading: true}}
	switch b := st.Bridge; {
	case b.Running:
		rows = append(rows,
			acting(detail.Row{Label: "bridge", Value: "on, as " + string(b.As), Role: detail.OK}, "turn off", h.screen.turnBridge),
			detail.Row{Label: "address", Value: b.URL, URL: b.URL},
			detail.Row{Label: "for a page", Value: `<script src="` + b.URL + `/provider.js"></script>`})
	case b.Failed != "":
		rows = append(rows, acting(detail.Row{Label: "bridge", Value: b.Failed, Role: detail.Bad}, "try again", h.screen.turnBridge))
	default:
		rows = append(rows, acting(detail.Row{Label: "bridge", Value: "off"}, "turn on", h.screen.turnBridge))
	}
	if err := h.origins.Err(); err != nil {
		rows = append(rows, detail.Row{Label: "origins", Value: err.Error(), Role: detail.Bad})
	}
	origins, _ := h.origins.Get()
	for _, o := range origins {
		row := detail.Row{Label: "allowed", Value: o.Origin}
		label := "forget"
		if o.Blocked {
			row.Label, row.Role, label = "blocked", detail.Bad, "let it ask again"
		}
		rows = append(rows, acting(row, label, func() tea.Cmd { return h.screen.forgetOrigin(o.Origin) }))
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
		rows = append(rows, detail.Row{Label: "stx", Value: e.Address, To: resource.LinkTo(e.Address).Link()})
	}
	for _, e := range r.Addresses.BTC {
		rows = append(rows, detail.Row{Label: "btc " + cmp.Or(e.Type, e.AddressType), Value: e.Address})
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
		for _, l := range text.Block(text.IndentJSON(raw), max(1, width-2)) {
			out = append(out, "  "+s.theme.Text.Render(l))
		}
		return out
	}}
}
