package tui

import (
	"net/netip"
	"net/url"

	"chainscope/tui/nav"
	"chainscope/tui/screen/tokens"
	"chainscope/tui/theme"
	"chainscope/tui/widget/picture"

	"github.com/charmbracelet/colorprofile"
)

// tokensTab makes the tokens place. A mock, ours or another's on this machine,
// is asked for its catalogue and trusted with its pictures.
func tokensTab(m *Model) tab {
	o := tokens.Options{Source: m.options.Network, Colors: pictureColors(m.options.Look)}
	if m.options.Store != nil {
		o.Store = m.options.Store
	}
	trusted := ""
	if base := m.options.Client.BaseURL(); m.options.Mock != nil || onThisMachine(base) {
		o.Catalogue, trusted = tokens.FetchCatalogue(base, nil), base
	}
	o.Picture = picture.NewFetcher(trusted).Load
	return tab{nav.KindTokens, "Tokens", "Tokens", tokens.New(m.env, m.theme, o)}
}

func onThisMachine(base string) bool {
	u, err := url.Parse(base)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && ip.IsLoopback()
}

// pictureColors returns the colors that a picture may use.
func pictureColors(look theme.Options) colorprofile.Profile {
	if look.Plain || look.ASCII {
		return colorprofile.NoTTY
	}
	return look.Colors
}
