package mockserver

import (
	"bytes"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// step is a request of a suite.
type step struct{ method, target, body string }

// suite returns what a client of a mock does: it reads, broadcasts, mines, goes back.
func suite(t testing.TB) (all []step) {
	t.Helper()
	alice, bob := someone("alice"), someone("bob")
	contract, err := clarity.ParsePrincipal("SP000000000000000000002Q6VF78.counter")
	if err != nil {
		t.Fatal(err)
	}
	broadcast := func(raw []byte) { all = append(all, step{"POST", "/v2/transactions", string(raw)}) }
	control := func(route, body string) { all = append(all, step{"POST", "/mock/v1/" + route, body}) }
	look := func() {
		for _, target := range []string{
			"/extended/v1/block?limit=30", "/extended/v1/block?limit=3&offset=77777", "/extended/v2/burn-blocks/latest/blocks", "/extended/v1/block/by_burn_block_height/930400",
			"/extended/v1/block/by_burn_block_hash/00", "/v1/namespaces/btc/names?page=7", "/v1/namespaces/nope/names", "/metadata/v1/ft/" + deployer + ".ft-full",
			"/metadata/v1/ft/" + deployer + ".ft-pending", "/metadata/v1/nft/" + deployer + ".nft/1", "/pictures/full.png", "/v2/accounts/" + alice.address(true),
			"/v2/accounts/" + bob.address(false), "/extended/v1/address/" + alice.address(true) + "/nonces", "/v2/fees/transfer", "/openapi.json", "/nope?x=<y>", "/", "",
			"/mock/v1/catalog", "/mock/v1/scenario", "/mock/v1/nope", "/mock/v1/requests?after=999999",
		} {
			all = append(all, step{"GET", target, ""}, step{"HEAD", target, ""})
		}
	}
	look()
	raws := [][]byte{
		alice.signed(t, alice.mainnetTx(0, 300, to(t, bob.address(true), 5))),
		alice.signed(t, alice.mainnetTx(1, 3000, stxtx.ContractCall{Contract: contract, Function: "increment", Args: []clarity.Value{clarity.NewUInt(2)}})),
		alice.signed(t, alice.testnetTx(0, 300, to(t, bob.address(false), 5))),
		alice.signed(t, alice.mainnetTx(60, 300, to(t, bob.address(true), 5))), // refused
		{1, 2, 3},
	}
	control("snapshot", `{"name":"start"}`)
	control("contracts", counterEntry)
	for round := range 2 {
		for _, raw := range raws {
			broadcast(raw)
			all = append(all, step{"GET", "/extended/v1/tx/0x" + stxtx.ID(raw), ""})
		}
		look()
		control("mine", `{"blocks":2}`)
		control("snapshot", "")
		look()
		control("reorg", `{"depth":2}`)
		control("clock", `{"advance":"25h"}`)
		control("accounts", `{"address":"`+bob.address(true)+`","balance":"7","nonce":3}`)
		all = append(all, step{"PUT", "/mock/v1/scenario", `{"scenario":"corrupt"}`})
		look()
		control("revert", fmt.Sprintf(`{"to":%q}`, []string{"start", "nope"}[round]))
		look()
	}
	control("reset", "")
	look()
	return all
}

// play sends the requests to the server and writes down everything that came back, as a server of
// its own would have sent it.
func play(s *Server, host, base string, steps []step) string {
	var out bytes.Buffer
	for _, one := range steps {
		r := httptest.NewRequest(one.method, "http://127.0.0.1:3999"+base+one.target, strings.NewReader(one.body))
		r.RequestURI = base + one.target
		if r.RequestURI == "" {
			r.RequestURI = "/"
		}
		r.Host, r.RemoteAddr = host, "127.0.0.1:1"
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		var names []string
		for name := range w.Header() {
			names = append(names, name)
		}
		slices.Sort(names)
		fmt.Fprintf(&out, "%s %s\n%d\n", one.method, one.target, w.Code)
		for _, name := range names {
			fmt.Fprintf(&out, "%s: %q\n", name, w.Header()[name])
		}
		out.Write(w.Body.Bytes())
		out.WriteByte('\n')
	}
	text := strings.ReplaceAll(out.String(), "http://"+host+base, "http://ITSELF")
	return strings.ReplaceAll(text, `["`+base+"/", `["/`) // Location
}

func TestAWorldAnswersByteForByteAsAServerOfItsOwn(t *testing.T) {
	frozen := newClock().at
	cfg := Config{Seed: 7, Freeze: &frozen}
	alone, _ := newServer(t, cfg)
	steps := suite(t)
	// Both are called by URLs of one length, since some answers hold them.
	want := play(alone, "[0000:00:0:0:0:0:0:1]:3999", "", steps)
	if n := strings.Count(want, "\n200\n"); n < 300 {
		t.Fatalf("the suite has %d answers with 200", n)
	}
	cfg.Worlds = true
	many, _ := newServer(t, cfg)
	var group sync.WaitGroup
	worlds := 16
	if testing.Short() { // with the race detector
		worlds = 3
	}
	got := make([]string, worlds)
	for i := range got {
		group.Go(func() { got[i] = play(many, "127.0.0.1:3999", fmt.Sprintf("/w/worker-%d", 10+i), steps) })
	}
	group.Wait()
	for i := range got {
		if got[i] == want {
			continue
		}
		a, b := strings.Split(want, "\n"), strings.Split(got[i], "\n")
		for n := range min(len(a), len(b)) {
			if a[n] != b[n] {
				t.Fatalf("world %d, line %d:\n%.300s\nalone:\n%.300s", i, n, b[n], a[n])
			}
		}
		t.Fatalf("world %d has %d lines, alone %d", i, len(b), len(a))
	}
	if after := get(many, "/mock/v1/catalog").Body.String(); !strings.Contains(after, `"tip":{"height":1000000,`) {
		t.Error("the server's own world has changed")
	}
}

func TestWorldsThatCannotBeEntered(t *testing.T) {
	s, _ := newServer(t, Config{Worlds: true})
	for _, target := range []string{"/w/", "/w//x", "/w/a%2Fb/x", "/w/../x", "/w/%zz/x", "/w/a%20b", "/w/" + strings.Repeat("x", 65), "/w/ü/x"} {
		r := httptest.NewRequest("GET", "http://127.0.0.1:3999/", nil)
		r.URL.Path, r.URL.RawPath = "", ""
		r.URL.Path = strings.NewReplacer("%2F", "/", "%20", " ").Replace(target)
		r.URL.RawPath = target
		r.RemoteAddr = "127.0.0.1:1"
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code != 400 || !strings.Contains(w.Body.String(), "such as worker-1") {
			t.Errorf("%s: %d %s", target, w.Code, w.Body)
		}
	}
	if len(s.worlds.List().Worlds) != 0 {
		t.Errorf("%d worlds were made", len(s.worlds.List().Worlds))
	}
	none, _ := newServer(t, Config{})
	if w := get(none, "/w/a/extended/v1/block"); w.Code != 404 || !strings.Contains(w.Body.String(), "--worlds") {
		t.Errorf("without worlds: %d %s", w.Code, w.Body)
	}
}

func TestManyWorldsAreBounded(t *testing.T) {
	s, _ := newServer(t, Config{Worlds: true})
	for i := range 5_000 {
		if w := get(s, fmt.Sprintf("/w/%d/v2/fees/transfer", i)); w.Code != 200 {
			t.Fatalf("world %d: %d", i, w.Code)
		}
	}
	if n := len(s.worlds.List().Worlds); n != 1024 {
		t.Errorf("%d worlds", n)
	}
}

func TestCannedCallsShowInTransactions(t *testing.T) {
	file := filepath.Join(t.TempDir(), "contracts.yaml")
	if err := os.WriteFile(file, []byte("- contract: SP000000000000000000002Q6VF78.counter\n  calls:\n    increment: [{args: [u2], result: (err u1)}, {result: (ok u6)}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, _ := newServer(t, Config{Contracts: file, Automine: true})
	alice := someone("alice")
	contract, _ := clarity.ParsePrincipal("SP000000000000000000002Q6VF78.counter")
	for nonce, want := range map[uint64]string{0: `"tx_status":"abort_by_response"`, 1: `"tx_status":"success"`} {
		raw := alice.signed(t, alice.mainnetTx(nonce, 3000, stxtx.ContractCall{Contract: contract, Function: "increment", Args: []clarity.Value{clarity.NewUInt(2 + nonce)}}))
		if nonce == 1 {
			defer func() {
				if body := get(s, "/extended/v1/tx/0x"+stxtx.ID(raw)).Body.String(); !strings.Contains(body, want) || !strings.Contains(body, `"tx_result":{"hex":"0x070100000000000000000000000000000006","repr":"(ok u6)"}`) {
					t.Errorf("%s", body)
				}
			}()
		}
		accepted(t, s, raw)
	}
	first := alice.signed(t, alice.mainnetTx(0, 3000, stxtx.ContractCall{Contract: contract, Function: "increment", Args: []clarity.Value{clarity.NewUInt(2)}}))
	if body := get(s, "/extended/v1/tx/0x"+stxtx.ID(first)).Body.String(); !strings.Contains(body, `"tx_status":"abort_by_response"`) || !strings.Contains(body, `"repr":"(err u1)"`) {
		t.Errorf("%s", body)
	}
}

func TestATokenInProgressGoesBackToTheSnapshot(t *testing.T) {
	s, wall := newServer(t, Config{})
	const token = "/metadata/v1/ft/" + deployer + ".ft-pending"
	send(s, "POST", "/mock/v1/snapshot", `{"name":"never requested"}`)
	for round := range 2 {
		if w := get(s, token); w.Code != 422 {
			t.Errorf("round %d: requested for the first time: %d", round, w.Code)
		}
		wall.Add(5 * time.Second)
		if w := get(s, token); w.Code != 200 {
			t.Errorf("round %d: after five seconds: %d", round, w.Code)
		}
		send(s, "POST", "/mock/v1/revert", `{"to":"never requested"}`)
	}
}

func TestFlagsOfAChainNeedAChain(t *testing.T) {
	for flag, cfg := range map[string]Config{"--worlds": {Worlds: true}, "--automine": {Automine: true}, "--contracts": {Contracts: "x"}, "--state": {State: "x"}} {
		cfg.Replay = "testdata/tape-epoch3"
		var bad *ConfigError
		if _, err := New(cfg); !errors.As(err, &bad) || bad.Flag != flag {
			t.Errorf("%s with --replay: %v", flag, err)
		}
	}
	for _, cfg := range []Config{{Contracts: "testdata/nope.yaml"}, {Contracts: "testdata/recorded/names.json"}} {
		var bad *ConfigError
		if _, err := New(cfg); !errors.As(err, &bad) || bad.Flag != "--contracts" {
			t.Errorf("%+v: %v", cfg.Contracts, err)
		}
	}
}
