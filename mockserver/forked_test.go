package mockserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chainscope/mockserver/fork/forktest"
	"chainscope/wallet/clarity"
)

// onFork returns a configuration of a fork of a node, with the program of package enginetest.
func onFork(node *forktest.Node) Config {
	cfg := fakeEngine()
	height := int64(forktest.Height)
	cfg.Fork, cfg.ForkHeight, cfg.Impersonate = node.URL, &height, []string{forktest.Holder}
	cfg.forkPatience = 300 * time.Millisecond
	return cfg
}

// holds returns a transfer of the holder of the live chain, whose key nobody here has.
func holds(t *testing.T, nonce, amount uint64, recipient string) []byte {
	t.Helper()
	p, err := clarity.ParsePrincipal(forktest.Holder)
	if err != nil {
		t.Fatal(err)
	}
	tx := someone("alice").mainnetTx(nonce, 1_000, to(t, recipient, amount))
	tx.Auth.Origin.Signer = p.Address.Hash160
	return encoded(t, tx)
}

// answered returns what the server answers to a GET.
func answered(t *testing.T, s *Server, target string, status int) (body map[string]any, header http.Header) {
	t.Helper()
	w := get(s, target)
	if w.Code != status {
		t.Fatalf("%s: %d %s, want %d", target, w.Code, w.Body, status)
	}
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
		t.Fatalf("%s: %v in %s", target, err, w.Body)
	}
	return body, w.Header()
}

// setBlock lets the node have a block as the API's v2 answers it.
func setBlock(node *forktest.Node, height int64) string {
	text := fmt.Sprintf(`{"canonical":true,"height":%d,"hash":"0x%064x","index_block_hash":"0x%064x","block_time":%d,"tx_count":3,"only":"upstream"}`, height, height, height+1, 1_766_000_000+(height-forktest.Height)*5)
	node.Set(fmt.Sprintf("/extended/v2/blocks/%d", height), 200, text)
	return text
}

// At the start the chain is at the block of the fork; a mined block has it as its parent, and what is below is
// the live chain's own, byte for byte, and marked.
func TestAForkGoesOnFromTheLiveChain(t *testing.T) {
	node := forktest.New(t)
	s, _ := newServer(t, onFork(node))
	info, _ := answered(t, s, "/v2/info", 200)
	if info["stacks_tip_height"] != 8_700_000.0 || info["burn_block_height"] != 961_000.0 || info["network_id"] != 1.0 {
		t.Errorf("/v2/info: %v", info)
	}
	control(t, s, "/mock/v1/mine", `{"blocks":2}`)
	first, header := answered(t, s, "/extended/v2/blocks/8700001", 200)
	if first["parent_index_block_hash"] != forktest.IndexHash || header.Get("X-Mock-Forwarded") != "" {
		t.Errorf("the first own block: %v", first)
	}
	want := setBlock(node, 8_699_990)
	for range 2 {
		w := get(s, "/extended/v2/blocks/8699990")
		if w.Code != 200 || w.Body.String() != want || w.Header().Get("X-Mock-Forwarded") != node.URL {
			t.Fatalf("a block below: %d %s %v", w.Code, w.Body, w.Header())
		}
	}
	n := 0
	for _, path := range node.Requests() {
		if path == "/extended/v2/blocks/8699990" {
			n++
		}
	}
	if n != 1 {
		t.Errorf("the block below was requested %d times", n)
	}
	// What the live chain has above the height does not exist here, whatever it is called by.
	setBlock(node, 8_700_003)
	above := fmt.Sprintf("0x%064x", 8_700_004)
	node.Set("/extended/v2/blocks/"+above, 200, `{"height":8700003,"index_block_hash":"`+above+`"}`)
	for _, which := range []string{"8700003", "8700004", above} {
		if body, header := answered(t, s, "/extended/v2/blocks/"+which, 404); header.Get("X-Mock-Forwarded") != "" {
			t.Errorf("block %s: %v %v", which, body, header)
		}
	}
	fork, _ := answered(t, s, "/mock/v1/fork", 200)
	if fork["api"] != node.URL || fork["network"] != "mainnet" || fork["height"] != 8_700_000.0 || fork["index_block_hash"] != forktest.IndexHash || fork["reads"].(float64) < 4 {
		t.Errorf("/mock/v1/fork: %v", fork)
	}
	plain, _ := newServer(t, Config{})
	answered(t, plain, "/mock/v1/fork", 404)
}

// control posts a command to the control interface.
func control(t *testing.T, s *Server, target, body string) map[string]any {
	t.Helper()
	w := post(s, target, "application/json", []byte(body))
	var answer map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || w.Code != 200 {
		t.Fatalf("%s: %d %s", target, w.Code, w.Body)
	}
	return answer
}

// A list shows own rows first and goes on below with those of the live chain that are not above the height,
// and its total counts both.
func TestListsOfAForkGoOnBelow(t *testing.T) {
	node := forktest.New(t)
	s, _ := newServer(t, onFork(node))
	control(t, s, "/mock/v1/mine", `{"blocks":3}`)
	rows := func(from, n int64) string {
		var all []string
		for h := from; h > from-n; h-- {
			all = append(all, fmt.Sprintf(`{"height":%d,"hash":"0x%064x","block_time":1}`, h, h))
		}
		return "[" + strings.Join(all, ",") + "]"
	}
	heights := func(body map[string]any) string {
		var all []string
		for _, row := range body["results"].([]any) {
			all = append(all, fmt.Sprint(int64(row.(map[string]any)["height"].(float64))))
		}
		return strings.Join(all, " ")
	}
	node.Set("/extended/v2/blocks?cursor="+forktest.IndexHash+"&limit=2&offset=0", 200, `{"limit":2,"offset":0,"total":8705001,"next_cursor":null,"prev_cursor":"0x1","cursor":"`+forktest.IndexHash+`","results":`+rows(8_700_000, 2)+`}`)
	body, header := answered(t, s, "/extended/v2/blocks?limit=5", 200)
	if got := heights(body); got != "8700003 8700002 8700001 8700000 8699999" || body["total"] != 8_700_004.0 || header.Get("X-Mock-Forwarded") != node.URL {
		t.Errorf("blocks of v2: %s, total %v, %v", got, body["total"], header)
	}
	// v1 has no cursor: its rows above the height are skipped.
	node.Set("/extended/v1/block?limit=1&offset=0", 200, `{"limit":1,"offset":0,"total":8705001,"results":`+rows(8_705_000, 1)+`}`)
	node.Set("/extended/v1/block?limit=1&offset=5000", 200, `{"limit":1,"offset":5000,"total":8705001,"results":`+rows(8_700_000, 1)+`}`)
	if body, _ = answered(t, s, "/extended/v1/block?limit=4", 200); heights(body) != "8700003 8700002 8700001 8700000" || body["total"] != 8_700_004.0 {
		t.Errorf("blocks of v1: %s, total %v", heights(body), body["total"])
	}
	node.Set("/extended/v1/block?limit=2&offset=0", 200, `{"limit":2,"offset":0,"total":8705001,"results":`+rows(8_705_000, 2)+`}`)
	node.Set("/extended/v1/block?limit=2&offset=5000", 200, `{"limit":2,"offset":5000,"total":8705001,"results":`+rows(8_700_000, 2)+`}`)
	node.Set("/extended/v1/block?limit=2&offset=5002", 200, `{"limit":2,"offset":5002,"total":8705001,"results":`+rows(8_699_998, 2)+`}`)
	if body, _ = answered(t, s, "/extended/v1/block?limit=2&offset=5", 200); heights(body) != "8699998 8699997" || body["total"] != 8_700_004.0 || body["offset"] != 5.0 {
		t.Errorf("a later page of v1: %s, total %v", heights(body), body["total"])
	}
	// While the live chain grows, all rows move down: by as many as its total grew.
	node.Set("/extended/v1/block?limit=2&offset=5007", 200, `{"limit":2,"offset":5007,"total":8705004,"results":`+rows(8_699_996, 2)+`}`)
	node.Set("/extended/v1/block?limit=2&offset=5004", 200, `{"limit":2,"offset":5004,"total":8705004,"results":`+rows(8_699_999, 2)+`}`)
	if body, _ = answered(t, s, "/extended/v1/block?limit=2&offset=7", 200); heights(body) != "8699996 8699995" || body["total"] != 8_700_004.0 {
		t.Errorf("a page of v1 when the chain has grown: %s, total %v", heights(body), body["total"])
	}
	// The total of burn blocks is that of the Stacks blocks, and no number of rows.
	control(t, s, "/mock/v1/clock", `{"advance":"11m"}`)
	burns := strings.ReplaceAll(rows(961_000, 2), "height", "burn_block_height")
	node.Set("/extended/v2/burn-blocks?limit=1&offset=0", 200, `{"limit":1,"offset":0,"total":8705001,"results":`+strings.ReplaceAll(rows(961_040, 1), "height", "burn_block_height")+`}`)
	node.Set("/extended/v2/burn-blocks?limit=1&offset=40", 200, `{"limit":1,"offset":40,"total":8705001,"results":`+strings.ReplaceAll(rows(961_000, 1), "height", "burn_block_height")+`}`)
	body, _ = answered(t, s, "/extended/v2/burn-blocks?limit=2", 200)
	if first := body["results"].([]any)[1].(map[string]any); first["burn_block_height"] != 961_000.0 || body["total"] != 8_700_070.0 {
		t.Errorf("burn blocks: %v, total %v", first, body["total"])
	}
	node.Set("/extended/v2/burn-blocks?limit=2&offset=0", 200, `{"limit":2,"offset":0,"total":8705001,"results":`+burns+`}`)
	node.Set("/extended/v2/burn-blocks?limit=2&offset=1", 200, `{"limit":2,"offset":1,"total":8705001,"results":`+strings.ReplaceAll(rows(960_999, 2), "height", "burn_block_height")+`}`)
	body, _ = answered(t, s, "/extended/v2/burn-blocks?limit=2&offset=2", 200)
	if first := body["results"].([]any)[0].(map[string]any); first["burn_block_height"] != 960_999.0 {
		t.Errorf("more burn blocks: %v", body)
	}
	// Own rows alone need nothing of what is below but their number; what cannot be read is no empty list.
	node.Fail(func(_ int, path string) forktest.Fault {
		if strings.Contains(path, "/extended/v1/tx") {
			return forktest.Reset
		}
		return forktest.None
	})
	failed, _ := answered(t, s, "/extended/v1/tx?limit=5", 503)
	if text := fmt.Sprint(failed["message"]); !strings.Contains(text, "could not be read: /extended/v1/tx") {
		t.Errorf("a list that could not be read: %v", failed)
	}
}

// Accounts have what they have on the live chain, and what is changed here; a nonce goes on from there.
func TestAccountsOfAForkHaveWhatTheyHadOnTheLiveChain(t *testing.T) {
	node := forktest.New(t)
	cfg := onFork(node)
	cfg.Automine = true
	s, _ := newServer(t, cfg)
	const before = 0x0754d4c0
	account := func() (balance uint64, nonce float64) {
		body, _ := answered(t, s, "/v2/accounts/"+forktest.Holder+"?proof=0", 200)
		if _, err := fmt.Sscanf(body["balance"].(string), "0x%x", &balance); err != nil {
			t.Fatal(err)
		}
		return balance, body["nonce"].(float64)
	}
	if balance, nonce := account(); balance != before || nonce != 17 {
		t.Fatalf("at first: %d, nonce %v", balance, nonce)
	}
	other := someone("bob").address(true)
	node.Set("/v2/accounts/"+other+"?proof=0&tip="+forktest.IndexHash[2:], 200, `{"balance":"0x05","locked":"0x00","unlock_height":0,"nonce":0}`)
	if reason, _ := refused(t, s, holds(t, 16, 1_000, other)); reason != "BadNonce" {
		t.Errorf("with a nonce that was used there: %s", reason)
	}
	accepted(t, s, holds(t, 17, 1_000, other))
	if balance, nonce := account(); balance != before-2_000 || nonce != 18 {
		t.Errorf("after the transfer: %d, nonce %v", balance, nonce)
	}
	if body, _ := answered(t, s, "/extended/v1/address/"+other+"/stx", 200); body["balance"] != "1005" {
		t.Errorf("the recipient: %v", body)
	}
	if info, _ := answered(t, s, "/v2/info", 200); info["stacks_tip_height"] != 8_700_001.0 {
		t.Errorf("the tip after it: %v", info["stacks_tip_height"])
	}
	// An account that cannot be read is unknown: no balance of 0, and nothing is taken.
	stranger := someone("carol").address(true)
	node.Fail(func(int, string) forktest.Fault { return forktest.Reset })
	answered(t, s, "/v2/accounts/"+stranger+"?proof=0", 503)
	if w := broadcastRaw(s, holds(t, 18, 1, stranger)); w.Code != 503 || !strings.Contains(w.Body.String(), "the account "+stranger) {
		t.Errorf("a transfer to it: %d %s", w.Code, w.Body)
	}
	if _, nonce := account(); nonce != 18 {
		t.Error("the transfer was taken")
	}
}

// A transaction of the live chain is found if it is not above the height; it is in no block otherwise.
func TestTransactionsOfTheLiveChain(t *testing.T) {
	node := forktest.New(t)
	s, _ := newServer(t, onFork(node))
	id := func(n int) string { return fmt.Sprintf("0x%064x", n) }
	for n, place := range map[int]string{1: `"block_height":8699000,`, 2: `"block_height":8700001,`, 3: ``} {
		node.Set("/extended/v1/tx/"+id(n), 200, fmt.Sprintf(`{"tx_id":%q,%s"tx_status":"success"}`, id(n), place))
	}
	if body, header := answered(t, s, "/extended/v1/tx/"+id(1), 200); body["tx_id"] != id(1) || header.Get("X-Mock-Forwarded") == "" {
		t.Errorf("below: %v", body)
	}
	for _, n := range []int{2, 3} {
		answered(t, s, "/extended/v1/tx/"+id(n), 404)
	}
	node.Set("/extended/v1/tx/multiple?tx_id="+id(1), 200, fmt.Sprintf(`{%q:{"found":true,"result":{"tx_id":%q,"block_height":8699000}}}`, id(1), id(1)))
	body, _ := answered(t, s, "/extended/v1/tx/multiple?tx_id="+id(1), 200)
	if one := body[id(1)].(map[string]any); one["found"] != true {
		t.Errorf("several: %v", body)
	}
}

// Only what reads goes out, and the mock's own things never do.
func TestNothingIsSentToTheLiveChain(t *testing.T) {
	node := forktest.New(t)
	s, _ := newServer(t, onFork(node))
	before := len(node.Requests())
	for _, c := range []struct{ method, target string }{
		{"POST", "/extended/v1/faucets/stx"},
		{"POST", "/v2/transactions"},
		{"DELETE", "/extended/v2/blocks/8699990"},
		{"PUT", "/v1/names/x.btc"},
		{"GET", "/extended/v1/tx/mempool"},
		{"GET", "/extended/v2/mempool/fees"},
		{"GET", "/extended"},
		{"POST", "/v1/names"},
	} {
		call(s, c.method, c.target)
	}
	if sent := node.Requests()[before:]; len(sent) > 0 {
		t.Errorf("sent to the live chain: %v", sent)
	}
}

// Snapshots, worlds and the state file keep what was done above the block.
func TestAForkIsKept(t *testing.T) {
	node := forktest.New(t)
	cfg := onFork(node)
	node.Set("/v2/accounts/"+someone("bob").address(true)+"?proof=0&tip="+forktest.IndexHash[2:], 200, `{"balance":"0x05","locked":"0x00","unlock_height":0,"nonce":0}`)
	cfg.Worlds, cfg.Automine, cfg.State, cfg.ForkCache = true, true, filepath.Join(t.TempDir(), "state"), t.TempDir()
	nonceIn := func(s *Server, prefix string) any {
		body, _ := answered(t, s, prefix+"/v2/accounts/"+forktest.Holder+"?proof=0", 200)
		return body["nonce"]
	}
	s, err := New(withClock(cfg, newClock()))
	if err != nil {
		t.Fatal(err)
	}
	control(t, s, "/mock/v1/snapshot", `{"name":"start"}`)
	accepted(t, s, holds(t, 17, 1_000, someone("bob").address(true)))
	if nonceIn(s, "") != 18.0 || nonceIn(s, "/w/other") != 17.0 {
		t.Errorf("nonces %v and %v", nonceIn(s, ""), nonceIn(s, "/w/other"))
	}
	control(t, s, "/mock/v1/revert", `{"to":"start"}`)
	if nonceIn(s, "") != 17.0 {
		t.Errorf("after the revert: %v", nonceIn(s, ""))
	}
	accepted(t, s, holds(t, 17, 2_000, someone("bob").address(true)))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	node.Close() // what it needs is kept
	cfg.ForkOffline = true
	again, err := New(withClock(cfg, newClock()))
	if err != nil {
		t.Fatal(err)
	}
	if nonceIn(again, "") != 18.0 {
		t.Errorf("from the state file: %v", nonceIn(again, ""))
	}
	_ = again.Close()
	cfg.Fork, cfg.ForkHeight, cfg.ForkCache, cfg.ForkOffline = "", nil, "", false
	if _, err := New(withClock(cfg, newClock())); err == nil || !strings.Contains(err.Error(), "holds a fork of mainnet at height 8700000") {
		t.Errorf("without --fork: %v", err)
	}
}

func TestForksThatCannotBe(t *testing.T) {
	node := forktest.New(t)
	high := int64(9_000_000)
	for _, c := range []struct {
		change func(*Config)
		want   string
	}{
		{func(c *Config) { c.Fork = "ftp://x" }, `--fork: "ftp://x" is no http or https URL`},
		{func(c *Config) { c.Upstream, c.Freeze, c.Clarity, c.Impersonate = node.URL, nil, false, nil }, "--fork: cannot be used with --upstream"},
		{func(c *Config) { c.Replay = t.TempDir() }, "--fork: cannot be used with --replay"},
		{func(c *Config) { c.ForkHeight = &high }, "--fork-height: the height 9000000 is beyond the tip of the chain, which is 8705000"},
		{func(c *Config) { c.Fork = "" }, "--fork-height: needs --fork"},
		{func(c *Config) { c.ForkOffline, c.ForkCache = true, t.TempDir() }, "--fork-offline: could not be read: the block 8700000"},
		{func(c *Config) { c.ClarityEngine = "/no/such/program" }, "--fork: "},
	} {
		cfg := onFork(node)
		c.change(&cfg)
		s, err := New(cfg)
		if err == nil {
			_ = s.Close()
		}
		if _, is := errors.AsType[*ConfigError](err); !is || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q, want %q", err, c.want)
		}
	}
}

// While its clock runs, the chain of a fork grows by the interval from the time of the start.
func TestAForkGrowsFromItsStart(t *testing.T) {
	cfg := onFork(forktest.New(t))
	cfg.Freeze = nil
	s, c := newServer(t, cfg)
	tip := func() any {
		body, _ := answered(t, s, "/v2/info", 200)
		return body["stacks_tip_height"]
	}
	if tip() != 8_700_000.0 {
		t.Fatalf("at the start: %v", tip())
	}
	c.Add(25 * time.Second)
	if tip() != 8_700_002.0 {
		t.Errorf("after 25 s: %v", tip())
	}
}
