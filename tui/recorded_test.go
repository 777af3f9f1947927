package tui

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"chainscope/apiclient/apitest"
	"chainscope/tui/nav"
	"chainscope/tui/theme"

	"github.com/charmbracelet/x/ansi"
)

// TestEveryPlaceIsReadOnARecordedServerAfterItsSunset browses what the real version 9 of
// the API answered when its deprecated routes were switched off.
func TestEveryPlaceIsReadOnARecordedServerAfterItsSunset(t *testing.T) {
	server := httptest.NewServer(apitest.NewSunset())
	t.Cleanup(server.Close)
	now := time.Unix(1710344240, 0) // a few seconds after the last block
	p := startWith(t, 140, 40, server.URL, Options{
		Network: "mainnet", Theme: "mono", Look: theme.Options{Plain: true}, Now: func() time.Time { return now },
	})
	sees := func(where string, wants ...string) {
		t.Helper()
		view := ansi.Strip(p.m.View())
		for _, want := range wants {
			if !strings.Contains(view, want) {
				t.Errorf("%s: %q is not on the screen:\n%s", where, want, view)
			}
		}
		for _, bad := range []string{"Not found", "not found", "retired", "disabled", "OFFLINE"} {
			if strings.Contains(view, bad) {
				t.Errorf("%s: %q is on the screen:\n%s", where, bad, view)
			}
		}
	}
	hash := func(name string) string {
		return map[string]string{
			"block":      "0x5705546ec6741f77957bb3e73bf795dcf120c0a869c1d408396e7e30a3b2f94f",
			"index":      "0xf5be33abc4e508bdaf2191e88339372edcb3358c44e2a31e1b9b44f2880dde09",
			"burn block": "0x2fc249ce06878417ea55e6eaf04460ec73e22d045dfb4ac6847f2335f0d24bdc",
		}[name]
	}
	sees("home", "API 9", "blocks by v2")
	for _, visit := range []struct {
		place nav.Place
		wants []string
	}{
		{nav.Blocks(), []string{"API 9 · blocks by v2", "newest 50", "0x5705546", "136"}},
		{nav.BlockAtHeight(12), []string{"Block 12"}},
		{nav.BlockByIndexHash(hash("index")), []string{"Block 50", "unknown"}},
		{nav.BlockAtBurnHeight(131), []string{"Block 38"}},
		{nav.BlockAtBurnHash(hash("burn block")), []string{"Block 46"}},
		{nav.BurnBlocks(), []string{"136", "129"}},
		{nav.LatestBurnBlock(), []string{"Burn block 136"}},
		{nav.BurnBlockAtHeight(131), []string{"Burn block 131", "38", "37"}},
		{nav.BurnBlockAtHash(hash("burn block")), []string{"Burn block 134"}},
		{nav.Tokens(), []string{"find one by its name or symbol"}},
		{nav.FT(apitest.SunsetContract, ""), []string{"hello-world", "HELLO"}},
		{nav.NFT(apitest.SunsetContract, "1", ""), []string{"hello-world"}},
		{nav.Names(""), []string{"btc"}},
		{nav.Names("id"), []string{"zumminer_crux.id", "BNS v1 names (SP000000000000000000002Q6VF78.bns); the API does not know BNS v2."}},
		{nav.Home(), []string{"50", "blocks by v2"}},
	} {
		p.run(p.m.visit(visit.place))
		sees(visit.place.String(), visit.wants...)
	}
	// Every hash of a block leads to it.
	for _, typed := range []string{hash("block"), hash("index")} {
		p.run(p.m.visit(nav.BurnBlocks()))
		p.press(keyNamed(t, "ctrl+g"))
		for _, r := range typed {
			p.press(letter(r))
		}
		p.press(enter)
		sees("go to "+typed, "Block 50")
	}
}
