package tui

import (
	"net/netip"
	"net/url"

	"chainscope/tui/nav"
	"chainscope/tui/screen/tokens"
	"chainscope/tui/theme"
	"chainscope/tui/widget/picture"
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

// pictureColors is what the terminal can show of a picture.
func pictureColors(look theme.Options) picture.Colors {
	switch {
	case look.Plain || look.ASCII:
		return picture.Mono
	case look.Colors == theme.Colors16:
		return picture.Colors16
	case look.Colors == theme.Colors256:
		return picture.Colors256
	case look.Colors == theme.TrueColors:
		return picture.TrueColor
	}
	return picture.Mono
}
