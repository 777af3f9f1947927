package tui

import (
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"chainscope/mockserver"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
	"chainscope/tui/theme"
)

// Every path that the explorer asks for, and that can be copied from its log, can be gone to.
func TestGoToUnderstandsWhatTheExplorerAsksFor(t *testing.T) {
	uitest.NotRaced(t)
	seen := map[string]bool{}
	for _, version := range []string{"8", "9", "sunset", "v3"} {
		p := startOn(t, theme.Options{Plain: true}, "mono", 160, 60, mockserver.Config{Seed: 1, APIVersion: version, Now: func() time.Time { return noon }})
		for _, at := range append(everyPlace[:len(everyPlace):len(everyPlace)],
			nav.BlockAtBurnHeight(930_000), nav.BlockAtHeight(999_000), nav.TransactionsIn(nav.BlockAtHeight(999_000).Ref), nav.Mempool(),
			nav.TransactionsOf("SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J"), nav.WaitingOf("SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J"),
			nav.Account("SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J"), nav.Contract(usdaToken), nav.Prints(usdaToken), nav.FT(usdaToken, ""),
			nav.NFT("SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.harbor-lights", "1", ""), nav.Names("btc"),
			nav.Transaction("0xa3446c86aa2caa176d3eb98cd0445eeae1854ba76408c89909c0656d0d759dc8"),
			nav.Hash("0xa3446c86aa2caa176d3eb98cd0445eeae1854ba76408c89909c0656d0d759dc8")) {
			p.run(p.m.visit(at))
		}
		for _, e := range p.m.options.Client.Log().Snapshot() {
			u, err := url.Parse(e.URL)
			if err != nil || seen[u.RequestURI()] {
				continue
			}
			seen[u.RequestURI()] = true
			for _, copied := range []string{e.URL, u.RequestURI()} {
				if all := nav.Recognise(copied, nav.RecogniseContext{}); len(all) == 0 || !all[0].OK() {
					t.Errorf("%s %s leads nowhere: %+v", e.Method, copied, all)
				}
			}
		}
	}
	if len(seen) < 60 {
		t.Errorf("only %d paths were asked for: was every place visited?", len(seen))
	}
}

// What was typed and led to nothing has its other readings on the page of the failure, and in
// the box that opens there.
func TestAPageOfFailureOffersTheOtherReadings(t *testing.T) {
	p := start(t, theme.Options{Plain: true}, "mono", 120, 40)
	p.press(keyNamed(t, "ctrl+g"))
	p.write("85")
	p.press(enter)
	p.sees("Not found", "ctrl+g reads it otherwise:", "block height 85")
	p.press(keyNamed(t, "ctrl+g"))
	p.sees("85", "block height")
	p.press(keyNamed(t, "down"), enter)
	p.sees("Blocks › 85", "Block 85")
}

// What failed is typed in the box, and gives way to what is typed next.
func TestAnotherThingIsTypedOverWhatFailed(t *testing.T) {
	p := start(t, theme.Options{Plain: true}, "mono", 120, 40)
	for _, typed := range []string{"85", "namespaces"} {
		p.press(keyNamed(t, "ctrl+g"))
		p.write(typed)
		p.press(enter)
	}
	p.sees("Namespaces", "graphite")
}

// Opening "go to" at a live API asks nothing, nor does an address that is mistyped: its checksum
// is looked at here.
func TestGoToAsksForNothingThatIsKnown(t *testing.T) {
	mock, err := mockserver.New(mockserver.Config{Seed: 1, Now: func() time.Time { return noon }})
	if err != nil {
		t.Fatal(err)
	}
	defer mock.Close()
	server := httptest.NewServer(mock)
	defer server.Close()
	for typed, want := range map[string]string{
		"SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54K": "copy it once more",
		"SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J": "balance, nonces and tokens",
		"ec": "",
	} {
		p := startWith(t, 120, 40, server.URL, Options{Network: "mainnet", Theme: "mono", Look: theme.Options{Plain: true}, Now: func() time.Time { return noon }})
		before := len(p.m.options.Client.Log().Snapshot())
		p.press(keyNamed(t, "ctrl+g"))
		p.write(typed)
		p.sees(want)
		if asked := p.m.options.Client.Log().Snapshot()[before:]; len(asked) > 0 && typed != "ec" {
			t.Errorf("%q asked %s", typed, asked[0].URL)
		}
	}
}
