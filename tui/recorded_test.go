package tui

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"chainscope/apiclient/apitest"
	"chainscope/tui/nav"
	"chainscope/tui/theme"

	tea "github.com/charmbracelet/bubbletea"
)

// TestEveryPlaceIsReadOnTheRecordingsOfEveryVersion browses what the real versions of the
// API answered. What is looked for on the screens is in the recordings.
func TestEveryPlaceIsReadOnTheRecordingsOfEveryVersion(t *testing.T) {
	t.Parallel()
	for version, answers := range map[string]string{
		apitest.Version8: "API 8 · blocks by v1", apitest.Version9: "API 9 · blocks by v1", apitest.Sunset: "API 9 · blocks by v2",
	} {
		t.Run(version, func(t *testing.T) {
			v := visitRecorded(t, version)
			v.sees("at the start", strings.ReplaceAll(answers, " ·", ","), "136", "0x5705546ec6741f77")
			v.visits(nav.Blocks(), answers, "newest 50", "0x5705546")
			for i, b := range apitest.Blocks() {
				places := []nav.Place{nav.BlockAtHeight(b.Height), nav.BlockByIndexHash(b.IndexBlockHash)}
				if newest := i == 0 || apitest.Blocks()[i-1].BurnBlockHeight != b.BurnBlockHeight; newest {
					places = append(places, nav.BlockAtBurnHeight(b.BurnBlockHeight), nav.BlockAtBurnHash(b.BurnBlockHash))
				}
				v.block(b, places...)
			}
			v.burnBlocks()
			v.tokensAndNames()
			v.overlays()
			v.visits(nav.Home(), strings.ReplaceAll(answers, " ·", ","), "0x5705546ec6741f77")
		})
	}
}

// visitor looks at what a recorded version of the API answers.
type visitor struct {
	*program
	version string
}

func visitRecorded(t *testing.T, version string) visitor {
	t.Helper()
	server := httptest.NewServer(apitest.New(version))
	t.Cleanup(server.Close)
	now := time.Unix(1710344240, 0) // a few seconds after the last block
	return visitor{startWith(t, 160, 60, server.URL, Options{
		Network: "mainnet", Theme: "mono", Look: theme.Options{Plain: true}, Now: func() time.Time { return now },
	}), version}
}

func (v visitor) visits(place nav.Place, wants ...string) {
	v.t.Helper()
	v.run(v.m.visit(place))
	v.sees(place.String(), wants...)
}

func (v visitor) sees(where string, wants ...string) {
	v.t.Helper()
	view := v.frame()
	for _, want := range wants {
		if !strings.Contains(view, want) {
			v.t.Errorf("%s: %q is not on the screen:\n%s", where, want, view)
		}
	}
	for _, bad := range []string{"Not found", "not found", "retired", "disabled", "OFFLINE"} {
		if strings.Contains(view, bad) {
			v.t.Errorf("%s: %q is on the screen:\n%s", where, bad, view)
		}
	}
}

// block opens a block by each of its places.
func (v visitor) block(b apitest.Block, places ...nav.Place) {
	v.t.Helper()
	count := fmt.Sprintf("Transactions %d", len(b.Txs))
	wants := []string{fmt.Sprintf("Block %d", b.Height), b.Hash, b.IndexBlockHash, b.ParentBlockHash, b.BurnBlockHash, b.MinerTxID, count}
	txs := b.Txs[:min(6, len(b.Txs))] // as many as there is room for
	if v.version == apitest.Sunset {
		wants = append(wants, "microblocks   unknown: not reported by this API", "ids           unknown: not in the list; enter reads them")
		if b.Height == 1 {
			wants[6] = "Transactions 5" // v2 counts other ones of the first block
		}
	} else {
		wants = append(wants, txs...)
	}
	for _, place := range places {
		v.visits(place, wants...)
	}
	if v.version == apitest.Sunset {
		v.does("read them")
		v.sees("the transactions of "+places[0].String(), txs...)
	}
}

// does goes down in the detail to the row on which enter does something, and does it.
func (v visitor) does(something string) {
	v.t.Helper()
	for range 40 {
		if strings.Contains(v.frame(), "enter "+something) {
			v.press(enter)
			return
		}
		v.press(letter('j'))
	}
	v.t.Errorf("nothing here does %q:\n%s", something, v.frame())
}

// burnBlocks opens the list of burn blocks and each of them.
func (v visitor) burnBlocks() {
	v.t.Helper()
	v.visits(nav.BurnBlocks(), "newest 136", "no Stacks block")
	v.visits(nav.LatestBurnBlock(), "Burn block 136")
	of := map[int64][]apitest.Block{}
	for _, b := range apitest.Blocks() {
		of[b.BurnBlockHeight] = append(of[b.BurnBlockHeight], b)
	}
	for height, blocks := range of {
		wants, txs := []string{fmt.Sprintf("Burn block %d", height), blocks[0].Hash, blocks[0].IndexBlockHash}, 0
		for _, b := range blocks {
			wants, txs = append(wants, b.Hash[:14], fmt.Sprintf("  %d ", b.Height)), txs+len(b.Txs)
		}
		if blocks[0].Height > 1 {
			wants = append(wants, fmt.Sprintf("  %d tx", txs))
		}
		v.visits(nav.BurnBlockAtHeight(height), wants...)
		v.visits(nav.BurnBlockAtHash(blocks[0].BurnBlockHash), wants...)
	}
}

func (v visitor) tokensAndNames() {
	v.t.Helper()
	v.visits(nav.FT(apitest.Contract, ""), "HELLO", apitest.Contract+"::ft-token", "http://test.com/uri.json")
	v.visits(nav.NFT(apitest.Contract, "1", ""), "hello-world  #1", "prop4", "strength")
	v.visits(nav.Tokens(), "2 to pick from")
	v.m.env.Tick = func(_ time.Duration, send func(time.Time) tea.Msg) tea.Cmd { // typing has rested
		return func() tea.Msg { return send(v.m.options.Now()) }
	}
	v.press(letter('/'))
	v.typed("lower")
	v.sees("the search of tokens", "1 found on this API", "SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR")
	v.press(escape, escape)
	v.visits(nav.Names(""), "twohundred", "名前")
	v.visits(nav.Names("id"), "zumminer_crux.id", "BNS v1 names (SP000000000000000000002Q6VF78.bns); the API does not know BNS v2.")
	v.press(letter('a'))
	v.sees("all names", "12 names, all of them")
	v.visits(nav.Listed(nav.KindRequests, ""), "Requests", "/v1/namespaces/id/names", "name=lower")
}

// overlays opens what lies over a block: its raw JSON, and "go to" with the hashes that
// lead to it.
func (v visitor) overlays() {
	v.t.Helper()
	newest := apitest.Blocks()[0]
	v.visits(nav.BlockAtHeight(newest.Height))
	v.press(letter('J'))
	if v.version == apitest.Sunset {
		v.sees("the raw JSON", `"tx_count": 3`, newest.IndexBlockHash)
	} else {
		v.sees("the raw JSON", `"microblocks_streamed"`, newest.Txs[0])
	}
	v.press(escape)
	for _, hash := range []string{newest.Hash, newest.IndexBlockHash} {
		v.run(v.m.visit(nav.BurnBlocks()))
		v.press(keyNamed(v.t, "ctrl+g"))
		v.typed(hash)
		v.press(enter)
		v.sees("go to "+hash, "Block 50", newest.MinerTxID)
	}
}
