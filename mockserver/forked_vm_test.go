//go:build clarity

package mockserver

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/engine"
	"chainscope/mockserver/fork/forktest"
	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// withCosts lets a node have the contracts by which costs are counted, as every live chain has them.
func withCosts(t *testing.T, node *forktest.Node, command string) {
	t.Helper()
	e := engine.New(engine.Options{Command: strings.Fields(command), Genesis: 1_700_000_000, Epoch: "4.0"})
	defer e.Close()
	c, err := chain.New(chainParams(Config{born: 1_700_000_600_000}))
	if err != nil {
		t.Fatal(err)
	}
	s, all := e.NewSession(c, nil), map[string]string{}
	for _, name := range []string{"cost-voting", "costs-4", "costs-5"} {
		if all[name], err = s.Builtin("SP000000000000000000002Q6VF78." + name); err != nil {
			t.Fatal(err)
		}
	}
	node.SetCosts(all)
}

// byHolder returns a call of the holder on the live chain.
func (d *troupe) byHolder(nonce uint64, contract, function string, args ...clarity.Value) *stxtx.Transaction {
	d.Helper()
	tx := someone("alice").mainnetTx(nonce, 1_000, stxtx.ContractCall{Contract: live(d.T, contract), Function: function, Args: args})
	tx.PostConditionMode = stxtx.ModeAllow
	tx.Auth.Origin.Signer = live(d.T, "").Address.Hash160
	return tx
}

// live returns a contract of the live chain, the holder for "".
func live(t *testing.T, name string) clarity.Principal {
	t.Helper()
	text := forktest.Holder
	if name != "" {
		text = forktest.Deployer + "." + name
	}
	p, err := clarity.ParsePrincipal(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Contracts of the live chain run on its state and leave theirs here; what a call could not read leaves it in
// the mempool, with the reason, until it can be read.
func TestContractsOfTheLiveChainRun(t *testing.T) {
	node := forktest.New(t)
	cfg := onFork(node)
	cfg.ClarityEngine, cfg.Automine = "node engine/chainscope-clarity/chainscope-clarity.js", true
	withCosts(t, node, cfg.ClarityEngine)
	d := newTroupe(t, cfg)
	count := func() string {
		w := post(d.s, "/v2/contracts/call-read/"+forktest.Deployer+"/tally/get-count", "application/json", fmt.Appendf(nil, `{"sender":%q,"arguments":[]}`, forktest.Holder))
		if w.Code != 200 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		return w.Body.String()
	}
	if got := count(); !strings.Contains(got, "0x010000000000000000000000000000000c") { // u12
		t.Fatalf("at first: %s", got)
	}
	accepted(t, d.s, encoded(t, d.byHolder(17, "tally", "add", clarity.NewUInt(5))))
	if got := count(); !strings.Contains(got, "0x0100000000000000000000000000000011") { // u17
		t.Errorf("after the call: %s", got)
	}
	// desk was not read yet; its source is, and then nothing more.
	n := 0
	node.Fail(func(_ int, path string) forktest.Fault {
		if n++; strings.Contains(path, "contract-src") {
			return forktest.None
		}
		return forktest.Reset
	})
	id := accepted(t, d.s, encoded(t, d.byHolder(18, "desk", "bump", clarity.NewUInt(4))))
	if n < 2 {
		t.Fatalf("%d requests failed", n)
	}
	body, _ := answered(t, d.s, "/extended/v1/tx/0x"+id, 200)
	why, _ := answered(t, d.s, "/mock/v1/tx/0x"+id+"/why", 200)
	if body["tx_status"] != "pending" || !strings.Contains(fmt.Sprint(why["sentence"]), "could not be read: ") {
		t.Errorf("unread: %v, %v", body["tx_status"], why)
	}
	w := post(d.s, "/v2/contracts/call-read/"+forktest.Deployer+"/desk/seen", "application/json", fmt.Appendf(nil, `{"sender":%q,"arguments":[]}`, forktest.Holder))
	if w.Code != 503 || !strings.Contains(w.Body.String(), "could not be read: ") {
		t.Errorf("a read of it: %d %s", w.Code, w.Body)
	}
	node.Fail(nil) // it goes on by itself
	for end := time.Now().Add(30 * time.Second); body["tx_status"] == "pending" && time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		body, _ = answered(t, d.s, "/extended/v1/tx/0x"+id, 200)
	}
	if body["tx_status"] != "success" {
		t.Errorf("when it can be read: %v", body)
	}
	if got := count(); !strings.Contains(got, "0x0100000000000000000000000000000013") { // u19
		t.Errorf("in the end: %s", got)
	}
}

// Post-conditions on tokens of the live chain hold as on it: what breaks one leaves the live state as it was.
func TestPostConditionsOnTokensOfTheLiveChain(t *testing.T) {
	node := forktest.New(t)
	cfg := onFork(node)
	cfg.ClarityEngine, cfg.Automine = "node engine/chainscope-clarity/chainscope-clarity.js", true
	withCosts(t, node, cfg.ClarityEngine)
	d := newTroupe(t, cfg)
	holder, to := live(t, ""), live(t, "coin")
	to.Contract = ""
	silver := func(is stxtx.ConditionCode, amount uint64) stxtx.PostCondition {
		return stxtx.PostCondition{Asset: stxtx.AssetFT, Principal: &holder, Token: stxtx.Asset{Contract: live(t, "coin"), Name: "silver"}, Condition: is, Amount: amount}
	}
	medal := func(is stxtx.ConditionCode) stxtx.PostCondition {
		return stxtx.PostCondition{Asset: stxtx.AssetNFT, Principal: &holder, Token: stxtx.Asset{Contract: live(t, "badge"), Name: "medal"}, TokenID: clarity.NewUInt(7), Condition: is}
	}
	reads := func(contract, function, argument string) string {
		w := post(d.s, "/v2/contracts/call-read/"+forktest.Deployer+"/"+contract+"/"+function, "application/json", fmt.Appendf(nil, `{"sender":%q,"arguments":[%q]}`, forktest.Holder, argument))
		if w.Code != 200 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		return w.Body.String()
	}
	hex := func(v clarity.Value) string {
		text, err := clarity.EncodeHex(v)
		if err != nil {
			t.Fatal(err)
		}
		return "0x" + text
	}
	has := func() string { return reads("coin", "get-balance", hex(holder)) }
	owns := func() string { return reads("badge", "get-owner", hex(clarity.NewUInt(7))) }
	silvers, medals := "transfer of silver", "transfer of a medal"
	left := 800 // units of silver of the holder on the live chain
	for i, row := range []struct {
		what       string
		mode       stxtx.PostConditionMode
		conditions []stxtx.PostCondition
		status     string
	}{
		{silvers, stxtx.ModeDeny, nil, "abort_by_post_condition"},
		{silvers, stxtx.ModeDeny, []stxtx.PostCondition{silver(stxtx.SentLess, 50)}, "abort_by_post_condition"},
		{silvers, stxtx.ModeAllow, []stxtx.PostCondition{silver(stxtx.SentGreater, 50)}, "abort_by_post_condition"},
		{silvers, stxtx.ModeDeny, []stxtx.PostCondition{silver(stxtx.SentEqual, 50)}, "success"},
		{medals, stxtx.ModeDeny, []stxtx.PostCondition{silver(stxtx.SentEqual, 0)}, "abort_by_post_condition"},
		{medals, stxtx.ModeAllow, []stxtx.PostCondition{medal(stxtx.NFTNotSent)}, "abort_by_post_condition"},
		{medals, stxtx.ModeDeny, []stxtx.PostCondition{medal(stxtx.NFTSent)}, "success"},
	} {
		nonce := uint64(17 + i)
		tx := d.byHolder(nonce, "coin", "transfer", clarity.NewUInt(50), holder, to, clarity.None{})
		if row.what == medals {
			tx = d.byHolder(nonce, "badge", "transfer", clarity.NewUInt(7), holder, to)
		}
		tx.PostConditionMode, tx.PostConditions = row.mode, row.conditions
		id := accepted(t, d.s, encoded(t, tx))
		body, _ := answered(t, d.s, "/extended/v1/tx/0x"+id, 200)
		if body["tx_status"] != row.status {
			t.Errorf("%d, %s: %v %v, want %s", i, row.what, body["tx_status"], body["vm_error"], row.status)
		}
		owner := holder
		if row.status == "success" && row.what == silvers {
			left -= 50
		} else if row.status == "success" {
			owner = to
		}
		if got, want := has(), fmt.Sprintf("0x0701%032x", left); !strings.Contains(got, want) {
			t.Errorf("%d, %s: the holder has %s, want %s", i, row.what, got, want)
		}
		if got, want := owns(), "0x070a"+hex(owner)[2:]; !strings.Contains(got, want) {
			t.Errorf("%d, %s: the medal belongs to %s, want %s", i, row.what, got, want)
		}
	}
	// What is listed of both: who has the token on the live chain has one row with what is left, who has it
	// here alone has a row of the mock's.
	asset := forktest.Deployer + ".coin::silver"
	row := func(balance string) string { return `{"token":"` + asset + `","balance":"` + balance + `"}` }
	for i, c := range []struct {
		who        clarity.Principal
		live, want string
	}{{holder, row("800"), "750"}, {to, row("30"), "80"}, {to, "", "50"}} {
		who, live, want := c.who, c.live, c.want
		total := min(len(live), 1)
		path := fmt.Sprintf("/extended/v2/addresses/%s/balances/ft?limit=%d", who, 50+i) // which is read once
		for _, target := range []string{path, path + "&offset=0"} {
			node.Set(target, 200, fmt.Sprintf(`{"limit":%d,"offset":0,"total":%d,"results":[%s]}`, 50+i, total, live))
		}
		body, _ := answered(t, d.s, path, 200)
		if got := fmt.Sprint(body["total"], " ", body["results"]); got != "1 [map[balance:"+want+" token:"+asset+"]]" {
			t.Errorf("tokens of %s: %s", who, got)
		}
	}
}

// A contract of a project calls one of the live chain, which it requires.
func TestTheVirtualMachineRunsAProjectOnAFork(t *testing.T) {
	node := forktest.New(t)
	cfg := onFork(node)
	cfg.ClarityEngine, cfg.Automine, cfg.Impersonate = "node engine/chainscope-clarity/chainscope-clarity.js", true, []string{"all"}
	withCosts(t, node, cfg.ClarityEngine)
	cfg.Project = forkedProject(t, forktest.Deployer+".tally", "(define-public (twice (n uint)) (begin (try! (contract-call? '"+forktest.Deployer+".tally add n)) (contract-call? '"+forktest.Deployer+".tally add n)))\n(define-read-only (has) (stx-get-balance contract-caller))")
	node.Set("/v2/accounts/SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J?proof=0&tip="+forktest.IndexHash[2:], 200, `{"balance":"0x05","locked":"0x00","unlock_height":0,"nonce":0}`)
	d := newTroupe(t, cfg)
	var deployer string
	for _, line := range d.s.world.State().AllMined() {
		deployer = line.Principal().String()
	}
	read := func(id, function string) string {
		w := post(d.s, "/v2/contracts/call-read/"+id+"/"+function, "application/json", fmt.Appendf(nil, `{"sender":%q,"arguments":[]}`, deployer))
		if w.Code != 200 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		return w.Body.String()
	}
	if got := read(deployer+"/c", "has"); !strings.HasPrefix(deployer, "SP") || !strings.Contains(got, "0x010000000000000000000000012a05f200") {
		t.Errorf("%s has %s", deployer, got)
	}
	p, err := clarity.ParsePrincipal(deployer)
	if err != nil {
		t.Fatal(err)
	}
	id := p
	id.Contract = "c"
	tx := someone("alice").mainnetTx(1, 1_000, stxtx.ContractCall{Contract: id, Function: "twice", Args: []clarity.Value{clarity.NewUInt(5)}})
	tx.PostConditionMode, tx.Auth.Origin.Signer = stxtx.ModeAllow, p.Address.Hash160
	accepted(t, d.s, encoded(t, tx))
	if got := read(forktest.Deployer+"/tally", "get-count"); !strings.Contains(got, "0x0100000000000000000000000000000016") { // u22
		t.Errorf("the live contract holds %s", got)
	}
}

// What is reached in a contract of a project is noted on a fork too.
func TestTheVirtualMachineNotesCoverageOnAFork(t *testing.T) {
	node := forktest.New(t)
	cfg := onFork(node)
	cfg.ClarityEngine, cfg.Automine, cfg.Impersonate = "node engine/chainscope-clarity/chainscope-clarity.js", true, []string{"all"}
	cfg.Coverage = t.TempDir() + "/lcov.info"
	withCosts(t, node, cfg.ClarityEngine)
	d := newTroupe(t, cfg)
	holder := forktest.Holder
	p, err := clarity.ParsePrincipal(holder)
	if err != nil {
		t.Fatal(err)
	}
	deploy := someone("alice").mainnetTx(17, 1_000, stxtx.SmartContract{Name: "own", ClarityVersion: 3, Code: "(define-public (go (n uint))\n (begin\n  (try! (contract-call? '" + forktest.Deployer + ".tally add n))\n  (ok true)))\n(define-public (not-called)\n (ok false))"})
	deploy.PostConditionMode, deploy.Auth.Origin.Signer = stxtx.ModeAllow, p.Address.Hash160
	accepted(t, d.s, encoded(t, deploy))
	id := p
	id.Contract = "own"
	call := someone("alice").mainnetTx(18, 1_000, stxtx.ContractCall{Contract: id, Function: "go", Args: []clarity.Value{clarity.NewUInt(5)}})
	call.PostConditionMode, call.Auth.Origin.Signer = stxtx.ModeAllow, p.Address.Hash160
	sent := accepted(t, d.s, encoded(t, call))
	if body, _ := answered(t, d.s, "/extended/v1/tx/0x"+sent, 200); body["tx_status"] != "success" {
		t.Fatalf("%v", body)
	}
	d.s.writeCoverage()
	text, err := os.ReadFile(cfg.Coverage)
	if err != nil {
		t.Fatal(err)
	}
	got := string(text)
	for _, line := range []string{"FNDA:1,go", "DA:3,1", "DA:6,0"} {
		if !strings.Contains(got, line+"\n") {
			t.Errorf("%s is not in\n%s", line, got)
		}
	}
}
