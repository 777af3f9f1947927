package walletpane

import (
	"context"
	"encoding/json"

	"chainscope/tui/screen/walletpane/params"
	"chainscope/wallet/provider"
	"chainscope/wallet/service"
	"chainscope/wallet/signer"

	tea "github.com/charmbracelet/bubbletea"
)

// openBridge asks where the bridge listens, and as which wallet it answers.
func (s *Screen) openBridge() {
	var as []string
	for _, p := range provider.Personalities() {
		as = append(as, string(p))
	}
	p := newFormPage(s, params.Form{Title: "Bridge to web pages", Fields: []params.Field{
		{Name: "addr", Label: "address", Kind: signer.KindText, About: "host and port on loopback; port 0 takes a free one"},
		{Name: "as", Label: "pages see", Kind: signer.KindChoice, Choices: as},
	}}, "Switch the bridge on")
	p.fill(params.Draft{Texts: map[string]string{"addr": service.DefaultBridgeAddr, "as": as[0]}})
	p.submit = func(json.RawMessage) tea.Cmd {
		o := service.BridgeOptions{Addr: p.draft.Texts["addr"], As: provider.Personality(p.draft.Texts["as"]), Isolated: true}
		s.back()
		return s.change("the bridge is on", func(context.Context) error { return s.wallet.StartBridge(o) })
	}
	s.open(p)
}
