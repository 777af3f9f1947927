package tui

import (
	"slices"

	"chainscope/tui/nav"
	"chainscope/tui/resource"
	"chainscope/tui/screen"
	"chainscope/wallet/service"
	"chainscope/wallet/signer"

	tea "github.com/charmbracelet/bubbletea"
)

// repair returns what a key does that signs a transaction again.
func repair(env *screen.Env, kind signer.RepairKind) func(*resource.Transaction) tea.Cmd {
	return func(t *resource.Transaction) tea.Cmd {
		if t == nil || t.Transaction == nil {
			return nil
		}
		return repairing(env, service.Repair{Kind: kind, TxID: t.ID})
	}
}

// fillGap has the lowest nonce filled that others of an account wait for.
func fillGap(env *screen.Env) func(*resource.Account) tea.Cmd {
	return func(a *resource.Account) tea.Cmd {
		switch {
		case a == nil:
			return nil
		case !hasGap(a):
			return screen.Notice("No nonce of this account is known to be missing.")
		}
		lowest := uint64(max(0, slices.Min(a.Nonces.Missing)))
		return repairing(env, service.Repair{Kind: signer.Cancel, Nonce: &lowest, Address: a.Principal})
	}
}

// hasGap reports whether transactions of an account wait for a nonce that is missing.
func hasGap(a *resource.Account) bool {
	return a != nil && a.Nonces != nil && len(a.Nonces.Missing) > 0
}

// isOwnPending reports whether a transaction that this wallet sent is pending.
func isOwnPending(t *resource.Transaction) bool {
	return t != nil && t.Transaction != nil && t.Call != nil && !t.Mined() && !t.Dropped()
}

// repairing has the wallet sign, and leads to the transaction that was signed.
func repairing(env *screen.Env, r service.Repair) tea.Cmd {
	if env.Wallet == nil {
		return screen.Notice("There is no wallet here.")
	}
	return func() tea.Msg {
		o := env.Wallet.Repair(env.Context, r)
		switch {
		case o.Err != nil && o.Call.Decision == service.RejectedByPerson:
			return nil
		case o.Call.Error != nil:
			return screen.NoticeMsg{Text: o.Call.Error.Message, Bad: true}
		case o.Err != nil:
			return screen.NoticeMsg{Text: o.Err.Error(), Bad: true}
		case !o.Call.Posted():
			return screen.NoticeMsg{Text: o.Call.Line(env.Wallet.StatusOf(o.Call))}
		}
		return screen.GoMsg{Place: nav.Transaction(o.Call.TxID)}
	}
}
