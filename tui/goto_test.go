package tui

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"chainscope/mockserver"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
	"chainscope/tui/theme"
)

// Every path that the explorer requests, and that can be copied from its log, can be gone to.
func TestGoToUnderstandsWhatTheExplorerRequests(t *testing.T) {
	t.Parallel()
	uitest.NotRaced(t)
	seen := map[string]bool{}
	for _, version := range []string{"8", "9", "sunset", "v3"} {
		p := startOn(t, theme.Options{Plain: true}, "mono", 160, 60, mockserver.Config{Seed: 1, APIVersion: version, Now: func() time.Time { return noon }})
		for _, at := range append(everyPlace[:len(everyPlace):len(everyPlace)], nav.Listed(nav.KindBonds, "1"),
			nav.BlockAtBurnHeight(930_000), nav.BlockAtHeight(999_000), nav.TransactionsIn(nav.BlockAtHeight(999_000).Ref), nav.Mempool(),
			nav.TransactionsOf("SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J"), nav.WaitingOf("SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J"),
			nav.Account("SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J"), nav.Contract(usdaToken), nav.Prints(usdaToken), nav.FT(usdaToken, ""),
			nav.NFT("SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.harbor-lights", "1", ""), nav.Names("btc"),
			nav.Transaction("0xa3446c86aa2caa176d3eb98cd0445eeae1854ba76408c89909c0656d0d759dc8"),
			nav.Hash("0xa3446c86aa2caa176d3eb98cd0445eeae1854ba76408c89909c0656d0d759dc8")) {
			p.run(p.m.visit(at))
		}
		for _, e := range p.m.options.Client.Log().Snapshot() { // the last that are kept
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

// Every route of the client, as its source has them, can be gone to.
func TestGoToUnderstandsEveryRouteOfTheClient(t *testing.T) {
	routes := clientRoutes(t)
	for _, path := range routes {
		if all := nav.Recognise(path+"?tx_id="+minedTxID+"&principal="+followedAccount+"&asset_identifier="+usdaToken+"::usda-token&value="+sampleTokenID, nav.RecogniseContext{}); len(all) == 0 || !all[0].OK() {
			t.Errorf("%s leads nowhere: %+v", path, all)
		}
	}
	if len(routes) < 55 {
		t.Errorf("only %d routes were found in the source of the client: %q", len(routes), routes)
	}
}

// samples hold what is in a path in place of a name in braces or of an expression that has a
// word in it, the first that fits.
var samples = []struct{ word, sample string }{
	{"Query(", ""},
	{"{contract_id}", usdaToken},
	{"{asset", usdaToken + "::usda-token"},
	{"value", sampleTokenID},
	{"name[len", "burn_block_height"},
	{"contract", strings.Replace(usdaToken, ".", "/", 1)},
	{"height", "930000"},
	{"hash", minedTxID},
	{"tx_id", minedTxID},
	{"{id}", minedTxID},
	{"principal", usdaToken},
	{"address", followedAccount},
	{"escaped", followedAccount},
	{"signer", usdaToken},
	{"(id)", usdaToken},
	{"path", strings.Replace(usdaToken, ".", "/", 1)},
	{"tokenID", "1"},
	{"index", "1"},
	{"namespace", "btc"},
	{"(name)", "muneeb.btc"},
	{"name", "by_burn_block_height"},
	{"id", minedTxID},
}

// sampleTokenID is the id of a token, 7, as a Clarity value.
const sampleTokenID = "0x0100000000000000000000000000000007"

func sampleOf(word string) string {
	for _, s := range samples {
		if strings.Contains(word, s.word) {
			return s.sample
		}
	}
	return "" // a query
}

// clientRoutes returns a path for each route in the source of the client.
func clientRoutes(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../apiclient/*.go")
	node, _ := filepath.Glob("../wallet/node/*.go")
	if err != nil || len(node) == 0 {
		t.Fatal(err)
	}
	paths := map[string]bool{}
	for _, name := range append(files, node...) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := parser.ParseFile(token.NewFileSet(), name, source, 0)
		if err != nil {
			t.Fatal(err)
		}
		word := func(n ast.Node) string { return string(source[n.Pos()-1 : n.End()-1]) }
		var path func(e ast.Expr) string
		path = func(e ast.Expr) string {
			switch e := e.(type) {
			case *ast.BasicLit:
				text, _ := strconv.Unquote(e.Value)
				return text
			case *ast.BinaryExpr:
				return path(e.X) + path(e.Y)
			}
			return sampleOf(word(e))
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr: // of a part of a contract, whose path has its name
				if f := word(n.Fun); f != "inContract" && f != "c.stateValue" {
					return !strings.HasPrefix(f, "strings.")
				}
				for _, a := range n.Args {
					if p := path(a); strings.HasPrefix(p, "/") {
						paths[p+strings.Replace(usdaToken, ".", "/", 1)+"/name"] = true
					}
				}
				return false
			case *ast.BinaryExpr, *ast.BasicLit:
				if p := path(n.(ast.Expr)); isPath.MatchString(p) {
					p, _, _ = strings.Cut(p, "?")
					for _, p := range []string{p, strings.ReplaceAll(p, "height", "hash")} {
						paths[inBraces.ReplaceAllStringFunc(p, sampleOf)] = true
					}
					return false
				}
			}
			return true
		})
	}
	return slices.Sorted(maps.Keys(paths))
}

// isPath describes how the paths of the services begin, inBraces what stands for a part of one.
var (
	isPath   = regexp.MustCompile(`^/(extended/|metadata/|v1/|v2/)\w`)
	inBraces = regexp.MustCompile(`\{\w+\}`)
)

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

// Opening "go to" at a live API requests nothing, nor does an address that is mistyped: its
// checksum is checked here. What is typed whole is requested once, when it is gone to.
func TestGoToRequestsNothingThatIsKnown(t *testing.T) {
	mock := uitest.Mock(t, mockserver.Config{Seed: 1, Now: func() time.Time { return noon }})
	server := httptest.NewServer(mock)
	defer server.Close()
	account := []string{"/extended/v1/address/" + someone + "/nonces", "/extended/v1/tokens/nft/holdings", "/extended/v2/addresses/" + someone + "/balances/ft", "/extended/v2/addresses/" + someone + "/balances/stx"}
	for typed, want := range map[string]struct {
		sees         string
		asks, enters []string
	}{
		"":                             {sees: "go to"},
		someone[:len(someone)-1] + "K": {sees: "copy it once more"},
		someone:                        {sees: "balance, nonces and tokens", enters: account},
		someone + ".pool":              {sees: "its source and functions", enters: []string{"/extended/v1/contract/" + someone + ".pool"}},
		"/extended/v2/addresses/" + someone + "/balances/stx": {sees: "account", enters: account},
		"ec": {sees: "name", enters: []string{"/v1/names/ec.btc", "/v2/contracts/call-read/" + strings.Replace(namesContract, ".", "/", 1) + "/get-bns-info"}},
	} {
		p := startWith(t, 120, 40, server.URL, plainOptions("mainnet"))
		requested := func(does func()) (paths []string) {
			before := len(p.m.options.Client.Log().Snapshot())
			does()
			for _, e := range p.m.options.Client.Log().Snapshot()[before:] {
				u, _ := url.Parse(e.URL)
				paths = append(paths, u.Path)
			}
			slices.Sort(paths)
			return paths
		}
		if got := requested(func() { p.press(keyNamed(t, "ctrl+g")) }); len(got) > 0 {
			t.Errorf("opening go to requests %q", got)
		}
		if got := requested(func() { p.write(typed) }); !slices.Equal(got, want.asks) {
			t.Errorf("typing %q requests %q, want %q", typed, got, want.asks)
		}
		p.sees(want.sees)
		if got := requested(func() { p.press(enter) }); !slices.Equal(got, want.enters) {
			t.Errorf("entering %q requests %q, want %q", typed, got, want.enters)
		}
	}
}
