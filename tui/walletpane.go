package tui

import (
	"chainscope/tui/nav"
	"chainscope/tui/screen/walletpane"

	"github.com/charmbracelet/colorprofile"
)

// walletTab makes the wallet place; without a wallet there is none.
func walletTab(m *Model) []tab {
	if m.options.Wallet == nil {
		return nil
	}
	o := walletpane.Options{Wallet: m.options.Wallet, Colors: m.options.Look.Colors}
	if m.options.Look.Plain {
		o.Colors = colorprofile.NoTTY
	}
	if m.options.Mock == nil {
		o.API = m.options.Client.BaseURL()
	}
	return []tab{{nav.KindWallet, "Wallet", "Wallet", walletpane.New(m.env, m.theme, o)}}
}
