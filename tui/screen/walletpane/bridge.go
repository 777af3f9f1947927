package walletpane

import (
	"encoding/json"

	"chainscope/tui/screen"
	"chainscope/tui/screen/walletpane/params"
	"chainscope/wallet/provider"
	"chainscope/wallet/service"
	"chainscope/wallet/signer"

	tea "github.com/charmbracelet/bubbletea"
)

// bridgeMsg describes how the start of the bridge that a form requested came out.
type bridgeMsg struct {
	of  *formPage
	err error
}

// started shows that the bridge is on; refused, its form stays and says why.
func (s *Screen) started(msg bridgeMsg) tea.Cmd {
	if msg.err != nil && s.top() == page(msg.of) {
		return msg.of.fields.Refuse(slotKey{params.At("addr"), false}, msg.err)
	}
	if msg.err != nil {
		return notice(msg.err)
	}
	s.accepted(msg.of)
	return tea.Batch(screen.Notice("the bridge is on"), s.home.load())
}

// openBridge prompts for where the bridge listens, and as which wallet it answers.
func (s *Screen) openBridge() {
	var as []string
	for _, p := range provider.Personalities() {
		as = append(as, string(p))
	}
	p := newFormPage(s, params.Form{Title: "Bridge to web pages", Fields: []params.Field{
		{Name: "addr", Label: "address", Kind: signer.KindText, About: "host and port on loopback; port 0 takes a free one"},
		{Name: "as", Label: "pages see", Kind: signer.KindChoice, Choices: as},
	}}, "Switch the bridge on")
	if p.draftName = p.of.Title; !p.fillDraft() {
		p.fill(params.Draft{Texts: map[string]string{"addr": service.DefaultBridgeAddr, "as": as[0]}})
	}
	p.submit = func(json.RawMessage) tea.Cmd {
		o := service.BridgeOptions{Addr: p.draft.Texts["addr"], As: provider.Personality(p.draft.Texts["as"]), Isolated: true}
		return func() tea.Msg { return bridgeMsg{p, s.wallet.StartBridge(o)} }
	}
	s.open(p)
}
