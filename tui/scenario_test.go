package tui

import (
	"strings"
	"testing"

	"chainscope/tui/nav"
	"chainscope/tui/theme"
)

// Which scenario is on is seen in every place, of our own mock and of one that is asked as
// any server.
func TestTheScenarioOfAMockIsSeenInEveryPlace(t *testing.T) {
	for _, network := range []string{"MOCK", "127.0.0.1:65535"} {
		for i, name := range []string{"healthy", "slow", "flaky", "limited", "down", "corrupt", "reorg"} {
			for _, size := range [][2]int{{80, 24}, {120, 40}} {
				p := start(t, theme.Options{Plain: true}, "mono", size[0], size[1])
				p.m.options.Network = network
				p.run(p.m.visit(nav.Blocks()))
				p.press(letter('M'))
				_, set := p.m.Update(letter(rune('1' + i)))
				p.m.Update(set()) // what it leads to takes as long as the scenario wants
				p.press(escape)
				for _, place := range []nav.Place{nav.Home(), nav.Blocks(), nav.BurnBlocks(), nav.Tokens(), nav.Names("id")} {
					p.m.visit(place)
					line, _, _ := strings.Cut(p.frame(), "\n")
					want := network + " " + name + " "
					if name == "healthy" {
						want = network + "  "
					}
					if !strings.Contains(line, want) {
						t.Errorf("%s, %s at %v: no %q in %q", name, place, size, want, line)
					}
				}
			}
		}
	}
}

// A server that is found with a scenario says so by its first answer.
func TestTheScenarioOfAServerIsKnownFromItsAnswers(t *testing.T) {
	p := start(t, theme.Options{Plain: true}, "mono", 120, 40)
	if err := p.m.options.Mock.SetScenario(t.Context(), "reorg"); err != nil {
		t.Fatal(err)
	}
	p.run(p.m.visit(nav.Names("id")))
	if line, _, _ := strings.Cut(p.frame(), "\n"); !strings.Contains(line, "MOCK reorg") {
		t.Errorf("the tabs are %q", line)
	}
}
