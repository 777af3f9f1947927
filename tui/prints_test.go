package tui

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chainscope/apiclient/apitest"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
	"chainscope/tui/query"
	"chainscope/tui/screen"
	"chainscope/tui/screen/listing"
	"chainscope/tui/theme"
	"chainscope/wallet/clarity"
)

const demoToken = "STAW66WC3G8WA5F28JVNG1NTRJ6H76E7EMHDBMBN.demo-token"

// From a contract to what it printed, and from there to the transaction, on every generation:
// one request for the page.
func TestAContractLeadsToWhatItPrinted(t *testing.T) {
	for _, version := range []string{apitest.Version8, apitest.Version9, apitest.Sunset} {
		server := httptest.NewServer(apitest.Transactions(version))
		t.Cleanup(server.Close)
		p := startWith(t, 120, 40, server.URL, plainOptions("testnet"))
		p.run(p.m.visit(nav.Contract(demoToken)))
		before := p.m.options.Client.Log().Len()
		keysOf(p, "p")
		if at := p.m.Place(); at != nav.Prints(demoToken) {
			t.Fatalf("%s: p goes to %s", version, at)
		}
		p.sees("Prints of ", "1 of 1", "WHAT", "PRINTED", "transfer", `{ amount: u2500, op: "trans`)
		requested := p.m.options.Client.Log().Len() - before
		if most := map[bool]int{true: 2, false: 1}[version == apitest.Sunset]; requested != most { // a route that is gone is requested once
			t.Errorf("%s: a page takes %d requests", version, requested)
		}
		keysOf(p, "enter")
		p.sees("tuple of 2", "amount", "u2500", "op")
		keysOf(p, "enter")
		if at := p.m.Place(); at != nav.Transaction("0xa11d1be9ff2319c1a17b324e8823d2b2225e39a25e33414884810e7a8b7e75e6") {
			t.Errorf("%s: a print leads to %s", version, at)
		}
		keysOf(p, "{")
		p.sees("Prints of ")
	}
}

// printing returns an API whose contract printed a lot.
func printing(t testing.TB, rows int, value func(i int) clarity.Value) *httptest.Server {
	t.Helper()
	all := make([]any, rows)
	for i := range all {
		digits, err := clarity.EncodeHex(value(i))
		if err != nil {
			t.Fatal(err)
		}
		all[i] = map[string]any{
			"tx_id": fmt.Sprintf("0x%064x", i), "event_index": i % 7, "event_type": "smart_contract_log",
			"contract_log": map[string]any{"contract_id": usdaToken, "topic": "print", "value": map[string]any{"hex": "0x" + digits, "repr": "a lie"}},
		}
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if !strings.HasSuffix(r.URL.Path, "/events") {
			w.WriteHeader(http.StatusNotFound)
			_, _ = w.Write([]byte(`{"error":"Not Found"}`))
			return
		}
		first := 0
		_, _ = fmt.Sscan(r.URL.Query().Get("offset"), &first)
		_ = json.NewEncoder(w).Encode(map[string]any{"limit": 50, "offset": first, "results": all[first:min(len(all), first+50)]})
	}))
	t.Cleanup(server.Close)
	return server
}

// What was printed is filtered by what happened and by its text, sorted, and exported whole;
// further pages come as one goes down.
func TestPrintsAreFilteredSortedAndExported(t *testing.T) {
	long := strings.Repeat("x", 5000)
	server := printing(t, 60, func(i int) clarity.Value {
		return clarity.Tuple{Fields: []clarity.Field{
			{Name: "event", Value: clarity.ASCII([]string{"mint", "burn", "transfer"}[i%3])}, {Name: "memo", Value: clarity.ASCII(fmt.Sprint("no-", i, long[:i*80]))},
		}}
	})
	p := startWith(t, 160, 40, server.URL, plainOptions("mainnet"))
	p.run(p.m.visit(nav.Prints(usdaToken)))
	p.sees("50 loaded, there may be more", `{ event: "mint", memo: "no-0`)
	keysOf(p, "G")
	p.sees("60 of 60")
	keysOf(p, "/")
	p.write("what:burn no-5")
	keysOf(p, "enter")
	p.sees("…00034", "…00037", "…0003a")
	if strings.Contains(p.frame(), `"mint"`) {
		t.Errorf("the filter lets too much through:\n%s", p.frame())
	}
	p.run(p.m.currentScreen().(screen.Tabular).SortBy(query.Order{Column: "event"}))
	if frame := p.frame(); strings.Index(frame, "…0003a") > strings.Index(frame, "…00034") {
		t.Errorf("it is not sorted by the number of the event:\n%s", frame)
	}
	keysOf(p, "e", "enter")
	files, err := filepath.Glob(filepath.Join(p.m.options.Exports, "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v:\n%s", files, err, p.frame())
	}
	raw, err := os.ReadFile(files[0])
	if err != nil || !strings.Contains(string(raw), long[:58*80]) || strings.Contains(string(raw), "a lie") {
		t.Errorf("%v: the file has not all of a print", err)
	}
}

// Prints are written by whoever deploys a contract.
func TestHostilePrintsAreDrawnWithinTheWindow(t *testing.T) {
	uitest.NotRaced(t)
	deep := clarity.Value(clarity.UTF8("evil \u202e \u200b"))
	for range clarity.MaxDepth - 1 {
		deep = clarity.Tuple{Fields: []clarity.Field{{Name: "in", Value: deep}}}
	}
	large := make(clarity.List, 65_000)
	for i := range large {
		large[i] = clarity.Bool(i%3 == 0)
	}
	values := []clarity.Value{
		deep, large, clarity.UTF8(evil), clarity.Tuple{Fields: []clarity.Field{{Name: "event", Value: clarity.UTF8(evil)}}}, clarity.Buffer(strings.Repeat("\x1b[2J", 50_000)),
	}
	server := printing(t, len(values), func(i int) clarity.Value { return values[i] })
	for _, size := range [][2]int{{80, 20}, {120, 36}, {200, 56}, {20, 5}} {
		d := showsTransactions(t, server.URL, size[0], size[1])
		th, err := theme.New("mono", theme.Options{Plain: true})
		if err != nil {
			t.Fatal(err)
		}
		d.Screen = listing.New(d.Env, th, Prints(d.Env.Client, d.Env.Keys))
		d.Screen.SetSize(size[0], size[1])
		d.Do(d.Screen.Open(nav.Prints(usdaToken), nil))
		d.Settle()
		for range values {
			drawsWithin(t, d, size, "enter", "j", "ctrl+d", "G", "g", "esc", "j")
		}
		began := time.Now()
		d.Screen.Key(uitest.Key("k"))
		d.Screen.View(d.Clock)
		if took := time.Since(began); took > 500*time.Millisecond {
			t.Errorf("a key and its frame at %v take %s", size, took)
		}
	}
}
