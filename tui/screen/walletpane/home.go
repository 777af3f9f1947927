package walletpane

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"
	"time"

	"chainscope/tui/remote"
	"chainscope/tui/resource"
	"chainscope/tui/screen"
	"chainscope/tui/screen/browser"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/detail"
	"chainscope/tui/widget/placeholder"
	"chainscope/wallet/service"
	"chainscope/wallet/signer"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// home is the first page: the wallet and its calls, beside each other or one of
// them. It is built on the frame of a list and its detail; the list are the calls,
// and the detail, which comes first, is the wallet.
type home struct {
	*browser.Rows[resource.Call]
	screen *Screen
	calls  []service.Call // the newest first

	addresses    remote.Value[addresses]
	allAddresses bool                           // those of other networks are shown too
	origins      remote.Value[[]service.Origin] // that were decided about
}

func newHome(s *Screen) *home {
	h := &home{screen: s}
	h.Rows = browser.NewRows(browser.New(s.env, s.theme, h), resource.Calls(), h)
	h.Own, h.JSON = true, func(row int) json.RawMessage { return text.EncodeJSON(h.calls[row]) }
	h.List.SetSource(h)
	h.showWallet()
	h.reload()
	return h
}

// Describe returns the wallet: the detail is always of it.
func (h *home) Describe() (string, []detail.Row) { return "wallet", h.rows() }

// DetailFirst puts the wallet before its calls.
func (h *home) DetailFirst() bool { return true }

// OpenLabel returns what enter does on a call.
func (h *home) OpenLabel() string { return "open the call" }

// OwnScopes returns the scopes of the key map that hold here.
func (h *home) OwnScopes() []string { return []string{"wallet"} }

// showWallet gives the keys to the wallet.
func (h *home) showWallet() {
	h.InDetail = true
	h.Layout()
}

// addresses are those of an account on all kinds of networks.
type addresses struct {
	of contextKey
	on map[string][]signer.AddressEntry
}

// kinds are the networks whose addresses differ.
var kinds = []string{"mainnet", "testnet", "regtest"}

// load derives the addresses and reads the origins.
func (h *home) load() tea.Cmd {
	w, env, account, of := h.screen.wallet, h.screen.env, h.screen.state.Account, h.account()
	read := screen.Fetch(env, &h.origins, func(context.Context) ([]service.Origin, error) { return w.Origins() })
	if known, _ := h.addresses.Get(); h.screen.state.Locked || known.of == of {
		return read
	}
	return tea.Batch(read, screen.Fetch(env, &h.addresses, func(context.Context) (addresses, error) {
		out := addresses{of, map[string][]signer.AddressEntry{}}
		for _, n := range kinds {
			if entries, err := w.Addresses(account, n); err == nil {
				out.on[n] = entries
			}
		}
		return out, nil
	}))
}

// account returns whose addresses are shown.
func (h *home) account() contextKey {
	st := h.screen.state
	return contextKey{string(st.Persona), st.Account, st.Fingerprint}
}

// reload reads the calls again. The cursor stays on its call, or on the newest
// as long as it was not moved from there.
func (h *home) reload() {
	newest := h.List.Position() == 0
	h.calls = h.screen.wallet.Timeline()
	h.Arrange()
	if newest {
		h.List.Select(0)
	}
	h.Fill()
}

// Key handles a key. The wallet is the top of the place: up from there is left to
// the root.
func (h *home) Key(msg tea.KeyMsg) (tea.Cmd, bool) {
	if h.InDetail && h.Query() == "" && !h.Typing() && key.Matches(msg, h.screen.env.Keys.Global.Up) {
		return nil, false
	}
	return h.Frame.Key(msg)
}

// OwnKey handles the keys that are not those of every list and detail.
func (h *home) OwnKey(msg tea.KeyMsg) (tea.Cmd, bool) {
	k, s := h.screen.env.Keys, h.screen
	switch {
	case key.Matches(msg, k.Wallet.Connect):
		return s.connect(), true
	case key.Matches(msg, k.Wallet.Disconnect):
		return s.disconnect(), true
	case key.Matches(msg, k.Wallet.New):
		s.pickMethod()
		return nil, true
	case key.Matches(msg, k.Wallet.Persona):
		return s.setPersona(s.wallet.State().Persona.Next()), true
	case key.Matches(msg, k.Wallet.Account):
		s.pickAccount()
		return nil, true
	case key.Matches(msg, k.Global.NextPane, k.Global.PrevPane):
		h.InDetail = !h.InDetail
		h.Layout()
		return nil, true
	case key.Matches(msg, k.Global.Up) && h.Query() == "":
		h.showWallet()
		return nil, true
	}
	if c, there := h.current(); there && !h.InDetail {
		switch {
		case key.Matches(msg, k.Wallet.Replay):
			return s.replay(c), true
		case key.Matches(msg, k.Wallet.Edit):
			return s.editCall(c), true
		}
	}
	return nil, false
}

func (h *home) OpenRow() tea.Cmd {
	c, there := h.current()
	if !there {
		return nil
	}
	return h.screen.openCall(c)
}

// Heading reports whether the wallet is connected, with the keys that there is room
// for.
func (h *home) Heading(time.Time) string {
	th, st, k := h.screen.theme, h.screen.state, h.screen.env.Keys.Wallet
	says := []string{th.Muted.Render(th.Glyphs.Ring + " not connected"), placeholder.Hint(th, k.Connect, "connect")}
	if st.Connected {
		says = []string{th.OK.Render(th.Glyphs.Dot + " connected"), placeholder.Hint(th, k.Disconnect, "disconnect")}
	}
	says = append(says, placeholder.Hint(th, k.New, "new request"))
	if h.screen.pending != nil {
		says = append([]string{th.Warn.Render("waiting for an answer")}, says...)
	}
	right := h.parts()
	left := " " + says[0]
	for _, words := range says[1:] {
		if text.Width(left+"  "+words+"  "+right) > h.Width {
			break // dropped whole
		}
		left += "  " + words
	}
	return text.Spread(left, right, h.Width)
}

// parts returns how many calls there are, and which part is shown where there is no
// room for both.
func (h *home) parts() string {
	th, calls := h.screen.theme, h.RowWords()
	if h.Both() {
		return th.Muted.Render(calls) + " "
	}
	parts := [2]string{th.Muted.Render(" Wallet "), th.Strong.Render("[" + calls + "]")}
	if h.InDetail {
		parts = [2]string{th.Strong.Render("[Wallet]"), th.Muted.Render(" " + calls + " ")}
	}
	return parts[0] + " " + parts[1] + " " + th.Key.Render("tab") + " "
}

// Hint names the keys.
func (h *home) Hint() string {
	th, k := h.screen.theme, h.screen.env.Keys
	hints := []string{h.Frame.Hint()}
	if _, there := h.current(); there && !h.InDetail && !h.Typing() {
		hints = append(hints, placeholder.Hint(th, k.Wallet.Replay, "replay"), placeholder.Hint(th, k.Global.Export, "export"))
	}
	if h.InDetail {
		if row, ok := h.Detail.Cursor(); !ok || !row.Acts() {
			hints[0] = ""
		}
		hints = append([]string{placeholder.Hint(th, k.Wallet.New, "new request")}, hints...)
	}
	return strings.TrimSpace(strings.Join(hints, "  "))
}

// Crumb returns which part is shown where there is no room for both.
func (h *home) Crumb() string {
	if !h.InDetail && !h.Both() {
		return "calls"
	}
	return ""
}

// SetTheme changes the colors.
func (h *home) SetTheme(th *theme.Theme) { h.Frame.SetTheme(th) }

// Subject returns the row or the call under the cursor.
func (h *home) Subject() screen.Subject {
	if !h.InDetail {
		if c, ok := h.current(); ok {
			sub := h.screen.callSubject(c)
			sub.Export = h.Export
			return sub
		}
		return screen.Subject{Title: "calls", Export: h.Export}
	}
	sub := screen.Subject{Title: "wallet", Export: h.Export}
	if h.screen.state.Record != nil {
		sub.Raw = h.screen.state.Record.Raw
	}
	if row, ok := h.Detail.Cursor(); ok {
		sub.Title = strings.TrimSpace(row.Label + " " + row.Value)
		sub.Copies = []screen.Copy{{Key: "v", Label: cmp.Or(row.Label, "value"), Text: row.Text()}}
		if row.URL != "" {
			sub.Web = row.URL
		}
	}
	return sub
}
