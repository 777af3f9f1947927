package tui

import (
	"context"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/screen"
	"chainscope/tui/text"
	"chainscope/tui/theme"

	tea "github.com/charmbracelet/bubbletea"
)

// requestServer requests the network of the server, where the user has not said it: once, and
// again where another server may be there. That of a mock is known. After a failure it requests it again,
// at most once a minute.
func requestServer(m *Model) tea.Cmd {
	_, known := m.server.Get()
	about := m.options.Client.About()
	if m.server.Busy() || !about.Stale && (known || m.options.Mock != nil || about.Network != "" && !about.Guessed) ||
		m.server.Err() != nil && m.options.Now().Before(m.server.RequestedAt().Add(time.Minute)) {
		return nil
	}
	return screen.FetchAhead(m.env, &m.server, func(ctx context.Context) (apiclient.About, error) {
		return m.options.Client.Server(ctx)
	})
}

// serverAnswered keeps what the server said of itself.
func serverAnswered(m *Model, msg screen.Fetched[apiclient.About]) tea.Cmd {
	if !m.server.Settle(msg.Key, msg.Value, msg.Err, msg.At) || msg.Err != nil {
		return nil
	}
	return followNetwork(m)
}

// followNetwork puts the wallet on the network of the server, where none was set. Names that
// accounts have on another network are forgotten.
func followNetwork(m *Model) tea.Cmd {
	about, before := m.options.Client.About(), m.followed
	if about.Network == "" || about.Guessed || about.Network == before {
		return nil
	}
	m.followed = about.Network
	if before != "" {
		m.called.known = knownNames{}
		m.tabs.redraw()
	}
	wallet := m.options.Wallet
	if !m.options.WalletFollows || wallet == nil || wallet.State().Network == about.Network {
		return nil
	}
	return func() tea.Msg {
		if err := wallet.SetNetwork(about.Network); err != nil {
			return screen.NoticeMsg{Text: err.Error(), Bad: true}
		}
		return screen.NoticeMsg{Text: "the wallet is on " + about.Network + ", as this API is"}
	}
}

// networkWords returns the name of the server and its network, which "~" marks as a guess by the
// addresses that the server shows.
func networkWords(th *theme.Theme, name string, server apiclient.About, width int) string {
	network := server.Network
	switch {
	case network == "", network == name, server.Mock && network == apiclient.Mainnet:
		return text.TruncateWith(name, width, th.Glyphs.Ellipsis)
	case server.Guessed:
		network = "~" + network
	}
	return text.TruncateWith(name, width-len(network)-1, th.Glyphs.Ellipsis) + " " + network
}
