package dialog

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"chainscope/wallet/bitcoin"
	"chainscope/wallet/keys"
	"chainscope/wallet/provider"
	"chainscope/wallet/service"
	"chainscope/wallet/signer"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/psbt/v2"
	"github.com/btcsuite/btcd/wire/v2"
)

var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// addresses are those of the second account, on the main network.
type addresses struct{ stx, p2wpkh, p2tr string }

func second(t testing.TB, network string) addresses {
	t.Helper()
	n, _ := signer.NetworkNamed(network)
	entries, err := signer.Addresses(keys.NewTestRing(), 1, n)
	if err != nil {
		t.Fatal(err)
	}
	return addresses{p2wpkh: entries[0].Address, p2tr: entries[1].Address, stx: entries[2].Address}
}

func first(t testing.TB) addresses {
	t.Helper()
	n, _ := signer.NetworkNamed("mainnet")
	entries, err := signer.Addresses(keys.NewTestRing(), 0, n)
	if err != nil {
		t.Fatal(err)
	}
	return addresses{p2wpkh: entries[0].Address, p2tr: entries[1].Address, stx: entries[2].Address}
}

// request is a method with params, as a page sends them.
type request struct {
	method string
	params string
}

const counter = `;; Counts how often it was called.
(define-data-var counter uint u0)

(define-public (add (n uint))
  (begin
    (var-set counter (+ (var-get counter) n))
    (ok (var-get counter))))
`

// requests returns one of every method.
func requests(t testing.TB) []request {
	us, other := first(t), second(t, "mainnet")
	source, _ := json.Marshal(counter)
	unsigned := asked(t, request{"stx_transferStx", `{"recipient":"` + other.stx + `","amount":"7","fee":"300","nonce":"3"}`}).Description.Transaction.Unsigned
	list := []request{
		{"getAddresses", ``},
		{"sendTransfer", `{"recipients":[{"address":"` + other.p2wpkh + `","amount":"50000"},{"address":"` + other.p2tr + `","amount":"25000"}]}`},
		{"signPsbt", string(psbtParams(t, 2))},
		{"stx_callContract", `{"contract":"` + us.stx + `.counter","functionName":"add","functionArgs":["0x0100000000000000000000000000000005"],"fee":"400","nonce":"9",` +
			`"postConditions":[{"type":"stx-postcondition","address":"` + us.stx + `","condition":"lte","amount":"1000000"}]}`},
		{"stx_deployContract", `{"name":"counter","clarityCode":` + string(source) + `,"fee":"5000","nonce":"9"}`},
		{"stx_getAccounts", ``},
		{"stx_getAddresses", ``},
		{"stx_getNetworks", ``},
		{"stx_signMessage", `{"message":"Hello from the terminal\nsecond line"}`},
		{"stx_signStructuredMessage", `{"message":{"type":"tuple","value":{"action":{"type":"ascii","value":"vote"},"proposal":{"type":"uint","value":"42"}}},` +
			`"domain":{"type":"tuple","value":{"name":{"type":"ascii","value":"chainscope"},"version":{"type":"ascii","value":"1.0.0"},"chain-id":{"type":"uint","value":"1"}}}}`},
		{"stx_signTransaction", `{"transaction":"` + unsigned + `"}`},
		{"stx_transferSip10Ft", `{"recipient":"` + other.stx + `","asset":"` + us.stx + `.coin::coin","amount":"2500000","fee":"400","nonce":"9"}`},
		{"stx_transferSip9Nft", `{"recipient":"` + other.stx + `","asset":"` + us.stx + `.ticket::ticket","assetId":"0x010000000000000000000000000000002a","fee":"400","nonce":"9"}`},
		{"stx_transferStx", `{"recipient":"` + other.stx + `","amount":"1500000","memo":"rent","fee":"3000","nonce":"7"}`},
	}
	return list
}

// psbtParams asks to sign a PSBT that spends so many coins of ours.
func psbtParams(t testing.TB, inputs int) json.RawMessage {
	t.Helper()
	us, other := first(t), second(t, "mainnet")
	ours, err := bitcoin.Mainnet.ScriptOf(us.p2wpkh)
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := bitcoin.Mainnet.ScriptOf(other.p2tr)
	if err != nil {
		t.Fatal(err)
	}
	tx := wire.NewMsgTx(2)
	for i := range inputs {
		tx.AddTxIn(wire.NewTxIn(wire.NewOutPoint(&chainhash.Hash{byte(i), byte(i >> 8), 1}, uint32(i)), nil, nil))
	}
	tx.AddTxOut(wire.NewTxOut(int64(inputs)*9000, theirs))
	tx.AddTxOut(wire.NewTxOut(int64(inputs)*500, ours))
	p, err := psbt.NewFromUnsignedTx(tx)
	if err != nil {
		t.Fatal(err)
	}
	for i := range p.Inputs {
		p.Inputs[i].WitnessUtxo = wire.NewTxOut(10_000, ours)
	}
	var raw bytes.Buffer
	if err := p.Serialize(&raw); err != nil {
		t.Fatal(err)
	}
	return json.RawMessage(fmt.Sprintf(`{"psbt":%q}`, base64.StdEncoding.EncodeToString(raw.Bytes())))
}

// asked returns the question that a request leads to.
func asked(t testing.TB, r request) service.ApprovalNeeded {
	t.Helper()
	var params json.RawMessage
	if r.params != "" {
		params = json.RawMessage(r.params)
	}
	call, err := signer.Parse(r.method, params, signer.Env{Keys: keys.NewTestRing()})
	if err != nil {
		t.Fatalf("%s: %v", r.method, err)
	}
	if call, err = call.Prepare(t.Context()); err != nil {
		t.Fatalf("%s: %v", r.method, err)
	}
	return service.ApprovalNeeded{
		ID: 1, CallID: 1, Requester: service.Requester{Kind: service.FromPage, Origin: "http://localhost:3000"},
		Wallet: provider.PlayChainscope, Params: params, Description: call.Describe(), Round: 1, Arrived: noon,
	}
}

// longContract asks to deploy a contract of so many bytes.
func longContract(bytes int) request {
	var b strings.Builder
	for i := 0; b.Len() < bytes; i++ {
		fmt.Fprintf(&b, "(define-constant value-%d u%d) ;; one of many\n", i, i)
	}
	source, _ := json.Marshal(b.String()[:bytes])
	return request{"stx_deployContract", `{"name":"long","clarityCode":` + string(source) + `,"fee":"5000","nonce":"9"}`}
}
