//go:build clarity

package mockserver

import (
	"fmt"
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

// calledByHolder returns a call of the holder on the live chain.
func (d *troupe) calledByHolder(nonce uint64, contract, function string, args ...clarity.Value) []byte {
	d.Helper()
	p, err := clarity.ParsePrincipal(forktest.Holder)
	if err != nil {
		d.Fatal(err)
	}
	id, err := clarity.ParseContract(forktest.Deployer + "." + contract)
	if err != nil {
		d.Fatal(err)
	}
	tx := someone("alice").mainnetTx(nonce, 1_000, stxtx.ContractCall{Contract: id, Function: function, Args: args})
	tx.PostConditionMode = stxtx.ModeAllow
	tx.Auth.Origin.Signer = p.Address.Hash160
	return encoded(d.T, tx)
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
	accepted(t, d.s, d.calledByHolder(17, "tally", "add", clarity.NewUInt(5)))
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
	id := accepted(t, d.s, d.calledByHolder(18, "desk", "bump", clarity.NewUInt(4)))
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
