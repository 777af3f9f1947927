package tui

import (
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"chainscope/mockserver"
	"chainscope/tui/nav"
)

// From a token to who has it and on to an account, from another to whose it was, by keys alone, on
// every version of the API.
func TestATokenLeadsToItsHoldersAndItsHistory(t *testing.T) {
	for _, version := range []string{"8", "9", "sunset", "v3"} {
		at := noon
		mock, err := mockserver.New(mockserver.Config{Seed: 1, Freeze: &at, APIVersion: version})
		if err != nil {
			t.Fatal(err)
		}
		server := httptest.NewServer(mock)
		t.Cleanup(func() { server.Close(); _ = mock.Close() })
		p := startWith(t, 120, 40, server.URL, plainOptions("mock"))
		onward := func(from, to nav.Place, label string, most int) {
			t.Helper()
			p.run(p.m.visit(from))
			before := p.m.options.Client.Log().Len()
			for i := 0; i < 40 && p.m.Place() == from; i++ { // down to the field, which enter follows
				keysOf(p, "j")
				for line := range strings.SplitSeq(p.m.View(), "\n") {
					if _, field, marked := strings.Cut(line, "▸"); marked && strings.Contains(field, label) {
						keysOf(p, "enter")
						break
					}
				}
			}
			if got := p.m.Place(); got != to {
				t.Fatalf("%s: the fields of %s do not lead to %s, but to %s\n%s", version, from, to, got, p.m.View())
			}
			if requested := p.m.options.Client.Log().Len() - before; requested > most {
				t.Errorf("%s: %s takes %d requests", version, to, requested)
			}
		}
		onward(nav.FT(harborDollar, ""), nav.Holders(harborDollar), "who has it", 3)
		p.sees("Holders of ", "17 of 17", "SHARE", "HBD")
		keysOf(p, "enter")
		if got := p.m.Place(); got.Kind != nav.KindAccount && got.Kind != nav.KindContract {
			t.Errorf("%s: a holder leads to %s", version, got)
		}
		p.run(p.m.visit(nav.NFT(harborLights, "1", "")))
		owner := regexp.MustCompile(`owner +(\S+)`).FindStringSubmatch(p.m.View())
		if len(owner) == 0 || !strings.HasPrefix(owner[1], "SPC5KHM") {
			t.Fatalf("%s: the owner of a token is not shown:\n%s", version, p.m.View())
		}
		onward(nav.NFT(harborLights, "1", ""), nav.Account("SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J"), "owner", 6)
		onward(nav.NFT(harborLights, "1", ""), nav.Moves(harborLights, "1"), "whose it is", 2)
		p.sees("Moves of ", "1 of 1", "moved", "SPC5KHM")
	}
}
