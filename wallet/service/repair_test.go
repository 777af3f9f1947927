package service

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"chainscope/tui/state"
	"chainscope/wallet/internal/vectors"
	"chainscope/wallet/node"
	"chainscope/wallet/provider"
	"chainscope/wallet/signer"
	"chainscope/wallet/stxtx"
)

// chain is a mock with a few answers; whatever it does not have is not found.
type chain struct {
	answers map[string]string // by path
	posted  [][]byte
}

func (c *chain) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Mock-Seed", "1")
	answer, there := c.answers[r.URL.Path]
	switch {
	case r.URL.Path == "/mock/v1/catalog":
		fmt.Fprint(w, `{"seed":"1","tip":{"height":1,"burn_height":2},"ft":[],"nft":[],"namespaces":[],"heights":[]}`)
	case r.Method == http.MethodPost && r.URL.Path == "/v2/transactions":
		raw, _ := io.ReadAll(r.Body)
		c.posted = append(c.posted, raw)
		fmt.Fprintf(w, "%q", stxtx.ID(raw))
	case there:
		fmt.Fprint(w, answer)
	default:
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"error":"it is not here"}`)
	}
}

// repairing opens a wallet that approves everything, on a chain.
func repairing(t *testing.T, store Store, answers map[string]string) (*desk, *chain) {
	t.Helper()
	c := &chain{answers: answers}
	server := httptest.NewServer(c)
	t.Cleanup(server.Close)
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	n, err := node.New(node.Options{BaseURL: server.URL, Transport: transport})
	if err != nil {
		t.Fatal(err)
	}
	return open(t, Options{Store: store, Node: n, Behaviour: provider.Approves}), c
}

type stuck struct {
	Waiting, Unsponsored string
	Raised, Canceled     struct{ Transaction string }
	Sponsor              struct{ Transaction, TxID string }
}

// transfer returns the transfer of the mainnet account that is stuck with nonce 41 and a fee of 1200, and
// its id.
func transfer(t *testing.T) (of stuck, txid string) {
	t.Helper()
	of = vectors.Cases[stuck](t, "repairs.json")[0]
	tx, err := stxtx.DecodeHex(of.Waiting)
	if err != nil {
		t.Fatal(err)
	}
	id, err := tx.TxID()
	if err != nil {
		t.Fatal(err)
	}
	return of, fmt.Sprintf("%x", id)
}

// waitingAt answers as an API that has the transfer.
func waitingAt(of stuck, txid, status string) map[string]string {
	return map[string]string{
		"/extended/v1/tx/0x" + txid:          status,
		"/extended/v1/tx/0x" + txid + "/raw": `{"raw_tx":"0x` + of.Waiting + `"}`,
	}
}

func transactionIn(t *testing.T, o Outcome) string {
	t.Helper()
	var out struct{ Transaction string }
	if o.Err != nil || json.Unmarshal(o.Result, &out) != nil {
		t.Fatalf("%s, %v", o.Result, o.Err)
	}
	return out.Transaction
}

func TestARepairIsSentAndListedInTheTimeline(t *testing.T) {
	of, txid := transfer(t)
	d, c := repairing(t, nil, waitingAt(of, txid, `{"tx_status":"pending"}`))
	o := d.Repair(t.Context(), Repair{Kind: signer.Replace, TxID: "0x" + strings.ToUpper(txid), Fee: 5000})
	if got := transactionIn(t, o); got != of.Raised.Transaction || len(c.posted) != 1 || fmt.Sprintf("%x", c.posted[0]) != got {
		t.Errorf("%s, %d sent, want %s", got, len(c.posted), of.Raised.Transaction)
	}
	if d.Repair(t.Context(), Repair{Kind: signer.Cancel, TxID: txid}); len(c.posted) != 2 || fmt.Sprintf("%x", c.posted[1]) != of.Canceled.Transaction {
		t.Errorf("sent %x, want %s", c.posted, of.Canceled.Transaction)
	}
	call := d.Timeline()[1]
	if call.Kind != KindRepair || call.Method != "replace" || call.Network != "mainnet" || call.Fee != "5000" || call.Nonce != "41" || call.TxID == "" || call.Decision != ApprovedAtOnce {
		t.Errorf("the timeline has %+v", call)
	}
	again := d.Replay(t.Context(), call)
	if got := transactionIn(t, again); got != of.Raised.Transaction {
		t.Errorf("made again: %s, want %s", got, of.Raised.Transaction)
	}
	// What was signed once is not prompted for any more.
	delete(c.answers, "/extended/v1/tx/0x"+txid+"/raw")
	c.answers["/extended/v1/tx/0x"+call.TxID] = `{"tx_status":"pending"}`
	if got := transactionIn(t, d.Repair(t.Context(), Repair{Kind: signer.Replace, TxID: call.TxID, Fee: 5001})); got == "" {
		t.Error("the wallet has no record of what it signed")
	}
}

func TestARepairIsApprovedLikeARequest(t *testing.T) {
	of, txid := transfer(t)
	d, c := repairing(t, nil, waitingAt(of, txid, `{"tx_status":"pending"}`))
	d.SetBehaviour(provider.PlayChainscope, provider.Rejects)
	if o := d.Repair(t.Context(), Repair{Kind: signer.Cancel, TxID: txid}); !strings.Contains(fmt.Sprint(o.Err), "rejected") || len(c.posted) != 0 {
		t.Errorf("%v, %d sent", o.Err, len(c.posted))
	}
	d.SetBehaviour(provider.PlayChainscope, provider.Locked)
	if o := d.Repair(t.Context(), Repair{Kind: signer.Cancel, TxID: txid}); !strings.Contains(fmt.Sprint(o.Err), "the wallet is locked") {
		t.Errorf("%v", o.Err)
	}
	d.SetBehaviour(provider.PlayChainscope, provider.Asks)
	out := make(chan Outcome, 1)
	go func() { out <- d.Repair(t.Context(), Repair{Kind: signer.Cancel, TxID: txid}) }()
	asked := await[ApprovalNeeded](d)
	if r := asked.Description.Repair; r == nil || r.TxID != txid || r.Fee != 1200 {
		t.Errorf("described as %+v", r)
	}
	d.Decide(asked.ID, signer.Decision{Approved: true})
	if got := transactionIn(t, <-out); got != of.Canceled.Transaction {
		t.Errorf("%s, want %s", got, of.Canceled.Transaction)
	}
}

func TestASponsoredTransactionIsSent(t *testing.T) {
	of, _ := transfer(t)
	d, c := repairing(t, nil, nil)
	if err := d.SetAccount(2); err != nil {
		t.Fatal(err)
	}
	o := d.Repair(t.Context(), Repair{Kind: signer.Sponsor, Transaction: of.Unsponsored, Fee: 3456})
	tx, err := stxtx.DecodeHex(transactionIn(t, o))
	if err != nil || tx.Verify() != nil || len(c.posted) != 1 || o.Call.TxID != stxtx.ID(c.posted[0]) {
		t.Errorf("%v, %v, %d sent, %s", err, tx.Verify(), len(c.posted), o.Call.TxID)
	}
}

func TestWhatIsInTheWayIsSaidBeforeAnybodyIsAsked(t *testing.T) {
	of, txid := transfer(t)
	for _, c := range []struct {
		status, words string
		unknown       bool
	}{
		{`{"tx_status":"success","block_height":77}`, "is in block 77 already", false},
		{`{"tx_status":"abort_by_response","block_height":78}`, "is in block 78 already", false},
		{`{"tx_status":"dropped_replace_by_fee","replaced_by_tx_id":"0xab"}`, "It was dropped: 0xab, which has the same nonce, took its place. What helps: nothing is to be sent again", false},
		{`{"tx_status":"pending"}`, "201 too low", false},
		{"", "the chain knows no transaction " + txid, true},
	} {
		answers := waitingAt(of, txid, c.status)
		if c.status == "" {
			clear(answers)
		}
		d, _ := repairing(t, nil, answers)
		o := d.Repair(t.Context(), Repair{Kind: signer.Replace, TxID: txid, Fee: 1000})
		var in *Obstacle
		if !errors.As(o.Err, &in) || in.Unknown != c.unknown || !strings.Contains(in.Text, c.words) || len(d.Timeline()) != 0 {
			t.Errorf("%s: %v (unknown %v), %d calls, want %q", c.status, o.Err, in != nil && in.Unknown, len(d.Timeline()), c.words)
		}
	}
	d := open(t, Options{Behaviour: provider.Approves})
	var in *Obstacle
	if o := d.Repair(t.Context(), Repair{Kind: signer.Cancel, TxID: txid}); !errors.As(o.Err, &in) || !in.Unknown {
		t.Errorf("without an API: %v", o.Err)
	}
	if o := d.Repair(t.Context(), Repair{Kind: signer.Sponsor, Transaction: of.Waiting, Fee: 500}); !errors.As(o.Err, &in) || !strings.Contains(in.Text, "not sponsored") {
		t.Errorf("%v", o.Err)
	}
}

// What was signed and never sent is no obstacle: the chain need not have it. What was sent and is not found is one.
func TestWhatWasNeverSentIsReplaced(t *testing.T) {
	d, c := repairing(t, nil, nil)
	send := func(more string) Call {
		o := d.Request(t.Context(), Request{
			Method: "stx_transferStx", Params: json.RawMessage(`{"recipient":"ST2JHG361ZXG51QTKY2NQCVBPPRRE2KZB1HR05NNC","amount":"7","fee":"300","nonce":"4","network":"testnet"` + more + `}`),
			Options: map[string]json.RawMessage{"provider": json.RawMessage(`"` + provider.ChainscopeID + `"`)},
		})
		if o.Err != nil {
			t.Fatal(o.Err)
		}
		return o.Call
	}
	kept := send(`,"broadcast":false`)
	o := d.Repair(t.Context(), Repair{Kind: signer.Replace, TxID: kept.TxID, Fee: 500})
	tx, err := stxtx.DecodeHex(transactionIn(t, o))
	if err != nil || tx.Auth.Origin.Fee != 500 || tx.Auth.Origin.Nonce != 4 || kept.Posted() || len(c.posted) != 1 {
		t.Errorf("%+v, %v, %d sent", tx, err, len(c.posted))
	}
	sent := send(`,"memo":"sent"`)
	var in *Obstacle
	if o := d.Repair(t.Context(), Repair{Kind: signer.Replace, TxID: sent.TxID, Fee: 500}); !errors.As(o.Err, &in) || !in.Unknown {
		t.Errorf("what was sent and is not known: %v", o.Err)
	}
}

func TestANonceIsCanceledByWhatHasIt(t *testing.T) {
	of, txid := transfer(t)
	answers := waitingAt(of, txid, `{"tx_status":"pending"}`)
	d, c := repairing(t, nil, answers)
	own := d.stacksAddress(0, "mainnet")
	account := "/extended/v1/address/" + own
	answers[account+"/nonces"] = `{"possible_next_nonce":42,"last_executed_tx_nonce":30,"detected_missing_nonces":[40,39]}`
	answers[account+"/mempool"] = `{"results":[{"tx_id":"0x` + txid + `","nonce":41,"sender_address":"` + own + `"}]}`
	cancel := func(nonce uint64) Outcome { return d.Repair(t.Context(), Repair{Kind: signer.Cancel, Nonce: &nonce}) }
	if got := transactionIn(t, cancel(41)); got != of.Canceled.Transaction {
		t.Errorf("%s, want %s", got, of.Canceled.Transaction)
	}
	tx, err := stxtx.DecodeHex(transactionIn(t, cancel(40)))
	if err != nil || tx.Auth.Origin.Nonce != 40 || tx.Payload.(stxtx.TokenTransfer).Amount != 1 || len(c.posted) != 2 {
		t.Errorf("%+v, %v, %d sent", tx, err, len(c.posted))
	}
	other, gap := d.stacksAddress(1, "mainnet"), uint64(1)
	answers["/extended/v1/address/"+other+"/nonces"] = `{"possible_next_nonce":3,"last_executed_tx_nonce":0,"detected_missing_nonces":[1]}`
	answers["/extended/v1/address/"+other+"/mempool"] = `{"results":[]}`
	tx, err = stxtx.DecodeHex(transactionIn(t, d.Repair(t.Context(), Repair{Kind: signer.Cancel, Nonce: &gap, Address: other})))
	if err != nil || tx.Auth.Origin.Nonce != 1 || tx.Auth.Origin.Address(true).String() != other {
		t.Errorf("the gap of another account is filled by %+v, %v", tx, err)
	}
	for nonce, words := range map[uint64]string{
		30: "nonce 30 of " + own + " was used already: the last one in a block is 30",
		42: "no transaction of " + own + " has nonce 42, and none waits for it: the next one is 42",
	} {
		if o := cancel(nonce); !strings.Contains(fmt.Sprint(o.Err), words) {
			t.Errorf("%v, want %q", o.Err, words)
		}
	}
}

func TestWhatWasSignedWithoutAChainIsSignedAgainFromTheRecord(t *testing.T) {
	dir, err := state.Open(state.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	first := open(t, Options{Store: dir, Behaviour: provider.Approves})
	to := first.stacksAddress(1, "mainnet")
	o := first.Request(t.Context(), Request{Method: "stx_transferStx", Params: json.RawMessage(`{"recipient":"` + to + `","amount":"5","fee":300,"nonce":2}`), Options: plainWallet})
	if o.Err != nil {
		t.Fatal(o.Err)
	}
	second := open(t, Options{Store: dir, Behaviour: provider.Approves})
	again := second.Repair(t.Context(), Repair{Kind: signer.Replace, TxID: o.Call.TxID, Fee: 301})
	tx, err := stxtx.DecodeHex(transactionIn(t, again))
	if err != nil || tx.Auth.Origin.Fee != 301 || tx.Auth.Origin.Nonce != 2 || again.Call.NotSent == "" {
		t.Errorf("%+v, %v, %q", tx, err, again.Call.NotSent)
	}
}
