package tui

import (
	"fmt"
	"strings"

	"chainscope/tui/approval/dialog"
	"chainscope/tui/term"
	"chainscope/tui/text"
	"chainscope/wallet/service"
	"chainscope/wallet/signer"

	tea "github.com/charmbracelet/bubbletea"
)

// desk is where a person decides about the requests of the wallet. Its dialog
// stands over everything else and has all keys.
type desk struct {
	wallet *service.Service // nil without a wallet
	dialog *dialog.Dialog
	state  service.State
	read   bool // what the wallet has kept was asked for
	// blocking are origins that are being blocked: what they still ask is
	// rejected without a dialog.
	blocking map[string]bool
}

func (m *Model) openDesk() {
	m.desk = desk{wallet: m.options.Wallet, dialog: dialog.New(m.theme), blocking: map[string]bool{}}
	if m.desk.wallet != nil {
		m.desk.state = m.desk.wallet.State()
	}
}

// walletMsg is what the wallet has to tell.
type walletMsg struct{ message service.Message }

// blockedMsg tells that an origin was blocked, or why not.
type blockedMsg struct {
	origin string
	err    error
}

// hearWallet waits for the wallet's next message.
func (m *Model) hearWallet() tea.Cmd {
	if m.desk.wallet == nil {
		return nil
	}
	return func() tea.Msg {
		message, ok := m.desk.wallet.Next(m.options.Context)
		if !ok {
			return nil
		}
		return walletMsg{message}
	}
}

// readWallet reads what the wallet has kept, once. It is asked for at the first
// tick: the first screen comes before the keys, which take some milliseconds.
func (m *Model) readWallet() tea.Cmd {
	if m.desk.wallet == nil || m.desk.read {
		return nil
	}
	m.desk.read = true
	wallet := m.desk.wallet
	return func() tea.Msg { wallet.Refresh(); return nil }
}

// onWallet takes a message of the wallet; screens get it too.
func (m *Model) onWallet(message service.Message) tea.Cmd {
	now := m.options.Now()
	var cmd tea.Cmd
	switch message := message.(type) {
	case service.ApprovalAsked:
		if message.Asker.Kind == service.FromPage && m.desk.blocking[message.Asker.Origin] {
			m.desk.wallet.Decide(message.ID, signer.Decision{})
			break
		}
		m.desk.dialog.Ask(message, now)
	case service.OriginAsked:
		m.desk.dialog.AskOrigin(message, now)
	case service.Withdrawn:
		if m.desk.dialog.Withdraw(message.ID, now) || message.ID == 0 {
			cmd = m.notice(dialog.Withdrawal(message), true)
		}
	case service.QueueChanged:
		m.desk.dialog.SetQueue(message.Waiting)
	case service.CallChanged:
		if message.Call.Done {
			m.desk.dialog.CallDone(message.Call.ID, now)
			if said, bad := cameOut(message.Call); said != "" {
				cmd = m.notice(said, bad)
			}
		}
	case service.StateChanged:
		m.desk.state = message.State
	case service.Notice:
		cmd = m.notice(message.Text, message.Bad)
	}
	return tea.Batch(cmd, m.tellOverlays(message), m.tellScreens(message), m.hearWallet())
}

// cameOut says how the call of a page came out where nobody has seen it: an
// error that nobody was asked about, and what became of a transaction.
func cameOut(c service.Call) (said string, bad bool) {
	if c.Kind != service.KindPage {
		return "", false
	}
	who := c.Method + " of " + c.Asker.String()
	switch {
	case c.Error != nil && c.Decision == "", c.Error != nil && c.Decision == service.Approved:
		return who + " failed: " + c.Error.Message, true
	case c.TxID != "" && c.NotSent == "":
		return who + ": " + c.TxID + " is sent to the mock chain", false
	case c.TxID != "":
		return who + " is signed; not sent: " + c.NotSent, false
	}
	return "", false
}

// decide does what a key of the dialog came to.
func (m *Model) decide(a dialog.Answer) tea.Cmd {
	wallet := m.desk.wallet
	switch a.Kind {
	case dialog.Decided:
		wallet.Decide(a.ID, a.Decision)
	case dialog.OriginDecided:
		wallet.DecideOrigin(a.ID, a.Choice)
	case dialog.RejectedAndBlocked:
		m.desk.blocking[a.Origin] = true
		wallet.Decide(a.ID, signer.Decision{})
		return func() tea.Msg {
			return blockedMsg{a.Origin, wallet.SetOrigin(a.Origin, service.BlockOrigin)}
		}
	case dialog.Copied:
		return term.Copy(a.Text)
	}
	return nil
}

func (m *Model) onBlocked(b blockedMsg) tea.Cmd {
	delete(m.desk.blocking, b.origin)
	if b.err != nil {
		return m.notice(b.origin+" could not be blocked: "+b.err.Error(), true)
	}
	return m.notice(b.origin+" is blocked", false)
}

// wideStatus is from where on the status line spells the wallet out.
const wideStatus = 110

// walletStatus is the wallet in the status line: connection, account, network.
func (m *Model) walletStatus() string {
	if m.desk.wallet == nil {
		return ""
	}
	th, st := m.theme, m.desk.state
	wide := m.width >= wideStatus
	var parts []string
	connection := th.Muted.Render(th.Glyphs.Ring)
	if st.Connected {
		connection = th.OK.Render(th.Glyphs.Dot)
	}
	if wide {
		word := "not connected"
		if st.Connected {
			word = "connected"
		}
		connection += " " + th.Muted.Render(word)
	}
	parts = append(parts, connection)
	if st.Bridge.Running {
		parts = append(parts, th.Accent.Render("bridge"))
	}
	account := fmt.Sprintf("account %d", st.Account)
	switch {
	case st.Locked:
		account += " locked"
	case wide:
		account += " " + text.MiddleWith(st.Address, 13, th.Glyphs.Ellipsis)
	}
	return strings.Join(append(parts, th.Muted.Render(account), dialog.Network(th, st.Network)), " ")
}

// dialogSize leaves the status line and the hints in sight.
func (m *Model) dialogSize() (width, height int) { return m.width, m.height - 1 }
