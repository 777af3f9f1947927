package tui

import (
	"strings"
	"testing"
	"time"

	"chainscope/mockserver"
	"chainscope/tui/nav"
	"chainscope/tui/text"
	"chainscope/tui/theme"

	"github.com/charmbracelet/x/ansi"
)

// TestEveryPlaceIsReadOnEveryGeneration walks all places on a mock of each version of
// the API, whose chain is the same, and counts what opening them costs.
func TestEveryPlaceIsReadOnEveryGeneration(t *testing.T) {
	for version, answers := range map[string]string{
		"8": "API 8 · blocks by v1", "9": "API 9 · blocks by v1", "sunset": "API 9 · blocks by v2", "v3": "API 9 · blocks by v3",
	} {
		t.Run(version, func(t *testing.T) {
			p := startOn(t, theme.Options{Plain: true}, "mono", 140, 40, mockserver.Config{
				Seed: 1, Names: 1000, APIVersion: version, BlockInterval: 10 * time.Second, BurnInterval: 10 * time.Minute, Now: func() time.Time { return noon },
			})
			log := p.m.options.Client.Log()
			sees := func(place nav.Place, wants ...string) {
				t.Helper()
				before := len(log.Snapshot())
				p.run(p.m.visit(place))
				view := ansi.Strip(p.m.View())
				for _, want := range wants {
					if !strings.Contains(view, want) {
						t.Errorf("%s: %q is not on the screen:\n%s", place, want, view)
					}
				}
				for _, bad := range []string{"Not found", "retired", "disabled", "OFFLINE"} {
					if strings.Contains(view, bad) {
						t.Errorf("%s: %q is on the screen:\n%s", place, bad, view)
					}
				}
				t.Logf("%s: %d requests", place, len(log.Snapshot())-before)
			}
			t.Logf("at start: %d requests", len(log.Snapshot()))
			sees(nav.Blocks(), "1,004,320", answers)
			sees(nav.BlockAtHeight(1_004_200), "Block 1,004,200")
			sees(nav.BlockAtHeight(500_000), "Block 500,000")
			sees(nav.BlockAtBurnHeight(930_470), "930,470")
			sees(nav.BurnBlocks(), "930,470", "no Stacks block")
			sees(nav.LatestBurnBlock(), "Burn block 930,471")
			sees(nav.BurnBlockAtHeight(930_470), "Burn block 930,470")
			if version == "v3" {
				p.run(p.m.visit(nav.BlockAtBurnHeight(930_470)))
				p.sees("parent        unknown: not reported by this API", "miner tx      unknown", "cost          unknown", "   ?   ")
				p.seesNot("stale", "data of", "0%")
				visitor{program: p, version: version}.does("read them")
				p.sees("0xa346a3df8e57613b902a3", "Transactions 1", "0x66e75ca5b3b28a35d8fa8")
				p.seesNot("cost     ", "ids     ")
				p.run(p.m.visit(nav.BurnBlockAtHeight(930_470)))
				p.sees("parent index  unknown", "cost          unknown")
				p.seesNot("0%")
			}
			sees(nav.FT("SP2SYHR84SDJJDK8M09HFS4KBFXPPCX9H7RZ9YVTS.ft-full", ""), "ft-full")
			sees(nav.Account("SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J"), "1,000,000 STX", "next nonce")
			sees(nav.Names("btc"), "1,000 names, all of them")
		})
	}
}

// A block far down is reached with one page for each thirty rows in sight. After the
// sunset one more request finds where the first begins; where only v3 is served the block
// is read by itself.
func TestAFarBlockTakesAPageForEachThirtyRowsInSight(t *testing.T) {
	for version, takes := range map[string][3]int{"8": {1, 1, 2}, "9": {1, 1, 2}, "sunset": {2, 2, 3}, "v3": {1, 1, 1}} {
		for i, size := range [][2]int{{80, 30}, {140, 38}, {140, 60}} { // 18, 30 and 52 rows
			p := startOn(t, theme.Options{Plain: true}, "mono", size[0], size[1], mockserver.Config{
				Seed: 1, Names: 1000, APIVersion: version, BlockInterval: 10 * time.Second, BurnInterval: 10 * time.Minute, Now: func() time.Time { return noon },
			})
			log := p.m.options.Client.Log()
			p.run(p.m.visit(nav.BlockAtHeight(900_000))) // finds out which routes there are
			for _, height := range []int64{500_000, 200_000, 700_000, 1} {
				before := len(log.Snapshot())
				p.run(p.m.visit(nav.BlockAtHeight(height)))
				p.sees("Block " + text.Count(height))
				if took := len(log.Snapshot()) - before; took != takes[i] {
					t.Errorf("%s, %v: block %d took %d requests", version, size, height, took)
				}
			}
		}
	}
}
