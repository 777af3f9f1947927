package tui

import (
	"fmt"
	"testing"

	"chainscope/tui/internal/uitest"
	"chainscope/tui/keymap"
	"chainscope/tui/nav"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// keyNamed returns the message of a key by the name that the key map has for it.
func keyNamed(t *testing.T, name string) tea.KeyMsg {
	t.Helper()
	k := uitest.Key(name)
	if len(k.Runes) > 1 {
		t.Fatalf("no key is called %q", name)
	}
	return k
}

var everyPlace = []nav.Place{
	nav.Home(), nav.Blocks(), nav.BurnBlocks(), nav.LatestBurnBlock(), nav.Tokens(), nav.Names("id"), nav.Wallet(), nav.Transactions(), nav.Accounts(), nav.Contracts(), nav.Listed(nav.KindNamespaces, ""), nav.Listed(nav.KindSigners, ""), nav.Listed(nav.KindBonds, ""), nav.Listed(nav.KindRequests, ""), nav.Name("muneeb.btc"), nav.Decoded("0x0100000000000000000000000000000001"),
	nav.Source(usdaToken), nav.Kept(usdaToken, "ERR-NOT-SENDER"), nav.Holders(usdaToken), nav.Moves(harborLights, "1"), nav.Trace(minedTxID),
}

// What help lists under "Everywhere" does something everywhere, or says why not.
func TestEveryKeyOfEverywhereWorksEverywhere(t *testing.T) {
	t.Parallel()
	uitest.NotRaced(t)
	for i, size := range [][2]int{{80, 24}, {120, 40}} {
		for j, place := range everyPlace {
			if !uitest.Long() && j%2 != i {
				continue
			}
			s := startWallet(t, "testnet", size[0], size[1])
			if place.Part == nav.PartTrace { // of a mock whose contracts run
				s = withWallet(t, traced(t, size[0], size[1]), "testnet")
			}
			for _, e := range keymap.Default().Sections()[0].Entries {
				s.run(s.m.visit(place))
				s.m.overlays.stack = nil
				switch tab, _ := s.m.tabs.find(place); e.Name {
				case "global.quit", fmt.Sprintf("global.tab%d", s.m.tabs[tab].number()): // the latter is here
					continue
				case "global.shrink": // there has to be something to shrink
					s.send(keyNamed(t, "+"))
				}
				s.m.notice = notice{}
				before := s.m.View()
				_, cmd := s.m.Update(keyNamed(t, e.Binding.Keys()[0]))
				asks := cmd != nil && e.Name == "global.refresh"
				s.run(cmd)
				if s.m.View() == before && !asks {
					t.Errorf("%s (%s) does nothing at %s in %v", e.Name, e.Binding.Keys()[0], place, size)
				}
			}
		}
	}
}

// The key map can refuse a key with two meanings only if it knows which scopes
// the places have at the same time.
func TestTheKeyMapHasTheScopesOfEveryPlace(t *testing.T) {
	s := startWallet(t, "testnet", 120, 40)
	for _, place := range everyPlace {
		s.run(s.m.visit(place))
		for _, press := range []string{"", "tab", "enter", "esc", "tab", "n"} {
			if press != "" {
				_, cmd := s.m.Update(keyNamed(t, press))
				s.run(cmd)
			}
			if scopes := s.m.currentScreen().Scopes(); !keymap.Together(scopes) {
				t.Errorf("%s after %q: the key map does not know %v\n%s", place, press, scopes, ansi.Strip(s.m.View()))
			}
		}
	}
}
