package tui

import (
	"cmp"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"chainscope/apiclient/apitest"
	"chainscope/tui/nav"
	"chainscope/tui/widget/detail"
)

// TestEverythingThatGoToReadsIsALink walks all fields of all details: what "go to" knows
// leads there, but for the name of what is shown.
func TestEverythingThatGoToReadsIsALink(t *testing.T) {
	s := walker{startWallet(t, "mainnet", 160, 60).program}
	s.sees(nav.Blocks(), nav.BlockAtHeight(1_004_310), nav.BlockAtBurnHeight(930_466), nav.LatestBurnBlock(), nav.BurnBlockAtHeight(930_466),
		nav.FT(usdaToken, ""), nav.NFT("SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.harbor-lights", "1", ""), nav.Names("id"), nav.Listed(nav.KindNamespaces, "btc"), nav.Listed(nav.KindBonds, "1"), nav.Name("muneeb.btc"), nav.Decoded("16EMaNw3pkn3v6f2BgnSSs53zAKH4Q8YJg"),
		nav.Contract(usdaToken), nav.Account("SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J"), nav.Account(usdaToken), nav.TransactionsOf("SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J"))
	for _, version := range []string{apitest.Version9, apitest.Sunset} {
		server := httptest.NewServer(apitest.Transactions(version))
		t.Cleanup(server.Close)
		p := walker{startWith(t, 160, 60, server.URL, plainOptions("mainnet"))}
		for _, e := range apitest.Exchanges(apitest.Version9) {
			if id, isOne := strings.CutPrefix(e.Path, "/extended/v1/tx/"); isOne && len(id) == 66 && e.Status == 200 {
				p.sees(nav.Transaction(id))
			}
		}
	}
}

// ownNames are the labels of what names the thing itself. The transaction of a miner is one
// of Bitcoin, which has no place here.
var ownNames = map[nav.Kind][]string{
	nav.KindBlocks: {"height", "hash", "miner tx"}, nav.KindBurnBlocks: {"height", "hash", "miner tx"}, nav.KindNamespaces: {"name"},
}

type walker struct {
	*program
}

func (w walker) sees(places ...nav.Place) {
	w.t.Helper()
	for _, place := range places {
		w.run(w.m.visit(place))
		id, rows := w.detail()
		if len(rows) == 0 {
			w.t.Errorf("%s has no detail:\n%s", place, w.frame())
		}
		for _, row := range rows {
			words := cmp.Or(row.Copy, row.Value)
			own := words == id || slices.Contains(ownNames[place.Kind.Tab()], row.Label)
			if row.Heading || row.To != nil || row.Do != nil || row.URL != "" || own {
				continue
			}
			if reading, knows := known(row.Label, words); knows {
				w.t.Errorf("%s: %q is %q, a %s, and no link", place, row.Label, words, reading.Name)
			}
		}
	}
}

// detail returns what is shown of the thing under the cursor.
func (w walker) detail() (string, []detail.Row) {
	type described interface {
		Describe() (string, []detail.Row)
	}
	if of, ok := w.m.currentScreen().(described); ok {
		return of.Describe()
	}
	return "", nil
}

// known reports whether a value is something that "go to" knows for sure. A number is a
// height only where that is said.
func known(label, words string) (nav.Reading, bool) {
	for _, r := range nav.Recognise(words, nav.RecogniseContext{}) {
		isNumber := strings.Trim(words, "0123456789") == ""
		saysHeight := strings.Contains(label, "height") || slices.Contains([]string{"block", "burn block"}, label)
		if r.OK() && !r.Guess && (!isNumber || saysHeight) {
			return r, true
		}
	}
	return nav.Reading{}, false
}
