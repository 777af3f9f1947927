package mockserver

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"chainscope/wallet/c32"
	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

func TestATransferIsPendingAndThenInTheNextBlockOnEveryEndpoint(t *testing.T) {
	s, _ := newServer(t, Config{})
	alice, bob := someone("alice"), someone("bob")
	raw := alice.signed(t, alice.testnetTx(0, 300, to(t, bob.address(false), 1_500_000)))
	id := "0x" + accepted(t, s, raw)

	tx := read[map[string]any](t, get(s, "/extended/v1/tx/"+id))
	if tx["tx_status"] != "pending" || tx["tx_type"] != "token_transfer" || tx["sender_address"] != alice.address(false) || tx["fee_rate"] != "300" {
		t.Errorf("before the block: %v", tx)
	}
	before := read[catalogBody](t, get(s, "/mock/v1/catalog")).Tip
	mine(t, s, 1)

	blocks := read[struct{ Results []blockTxs }](t, get(s, "/extended/v1/block?limit=1")).Results
	if blocks[0].Height != before.Height+1 || blocks[0].Txs[0] != id {
		t.Fatalf("the newest block is %d with %v", blocks[0].Height, blocks[0].Txs)
	}
	for _, path := range []string{
		fmt.Sprintf("/extended/v1/block/by_burn_block_height/%d", blocks[0].BurnHeight),
		"/extended/v1/block/by_burn_block_hash/" + blocks[0].BurnHash,
	} {
		if b := read[blockTxs](t, get(s, path)); b.Height != blocks[0].Height || !slices.Contains(b.Txs, id) {
			t.Errorf("%s: block %d with %v", path, b.Height, b.Txs)
		}
	}
	listed := read[struct{ Results []blockTxs }](t, get(s, fmt.Sprintf("/extended/v2/burn-blocks/%d/blocks", blocks[0].BurnHeight))).Results
	if listed[0].Height != blocks[0].Height || listed[0].TxCount != len(blocks[0].Txs) {
		t.Errorf("endpoint 3: block %d counts %d transactions, the others %d", listed[0].Height, listed[0].TxCount, len(blocks[0].Txs))
	}

	tx = read[map[string]any](t, get(s, "/extended/v1/tx/"+id))
	if tx["tx_status"] != "success" || tx["block_hash"] != blocks[0].Hash || tx["block_height"] != float64(blocks[0].Height) {
		t.Errorf("after the block: %v", tx)
	}
	if index := int(tx["tx_index"].(float64)); blocks[0].Txs[len(blocks[0].Txs)-1-index] != id {
		t.Errorf("tx_index %d is not where the block has it", index)
	}
	if _, mempool := tx["receipt_time"]; mempool {
		t.Error("a mined transaction still has its receipt time")
	}

	const start = 1_000_000_000_000
	for _, c := range []struct {
		who     string
		balance uint64
		nonce   uint64
	}{
		{alice.address(false), start - 1_500_300, 1},
		{alice.address(true), start, 0}, // the other network
		{bob.address(false), start + 1_500_000, 0},
		{bob.address(true), start, 0},
		{someone("carol").address(true), start, 0},
		{alice.address(true) + ".vault", 0, 0},
	} {
		want := map[string]any{"balance": fmt.Sprintf("0x%032x", c.balance), "locked": "0x" + strings.Repeat("0", 32), "unlock_height": 0.0, "nonce": float64(c.nonce)}
		if diff := cmp.Diff(want, read[map[string]any](t, get(s, "/v2/accounts/"+c.who+"?proof=0"))); diff != "" {
			t.Errorf("%s: -want +got\n%s", c.who, diff)
		}
	}
}

func TestABroadcastIsTakenInEveryFormThatANodeTakes(t *testing.T) {
	alice := someone("alice")
	raw := alice.signed(t, alice.mainnetTx(0, 300, to(t, someone("bob").address(true), 5)))
	digits := hex.EncodeToString(raw)
	for name, c := range map[string]struct{ contentType, body string }{
		"bytes":                     {"application/octet-stream", string(raw)},
		"bytes of curl":             {"application/x-www-form-urlencoded", string(raw)},
		"bytes without a type":      {"", string(raw)},
		"JSON":                      {"application/json", `{"tx":"` + digits + `"}`},
		"JSON with a charset":       {"application/json; charset=utf-8", `{"tx":"` + digits + `"}`},
		"JSON with 0x":              {"application/json", `{"tx":"0x` + digits + `"}`},
		"JSON with an attachment":   {"application/json", `{"tx":"` + digits + `","attachment":"00ff"}`},
		"JSON with attachment null": {"application/json", `{"tx":"` + digits + `","attachment":null}`},
		"JSON without a type":       {"", ` {"tx":"` + digits + `"}`},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := newServer(t, Config{})
			w := post(s, "/v2/transactions", c.contentType, []byte(c.body))
			if w.Code != 200 || w.Body.String() != `"`+stxtx.ID(raw)+`"` || w.Header().Get("Content-Type") != jsonType {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		})
	}
}

func TestABodyThatHoldsNoTransactionIsRefusedWithWhatWouldBeRight(t *testing.T) {
	s, _ := newServer(t, Config{})
	for name, c := range map[string]struct {
		contentType, body string
		status            int
		says              string
	}{
		"nothing":          {"application/octet-stream", "", 400, "body is empty"},
		"no JSON":          {"application/json", "hello", 400, `{"tx":`},
		"no tx":            {"application/json", `{"txid":"00"}`, 400, `no "tx"`},
		"odd digits":       {"application/json", `{"tx":"123"}`, 400, "body/tx"},
		"no digits":        {"application/json", `{"tx":"zz"}`, 400, "body/tx"},
		"a bad attachment": {"application/json", `{"tx":"00","attachment":"zz"}`, 400, "body/attachment"},
		"too much":         {"application/octet-stream", strings.Repeat("x", 2*stxtx.MaxBytes+1<<20+1), 413, "larger than"},
	} {
		t.Run(name, func(t *testing.T) {
			w := post(s, "/v2/transactions", c.contentType, []byte(c.body))
			if w.Code != c.status || !strings.Contains(decodeMessage(t, w), c.says) {
				t.Errorf("%d %s, want %d with %q", w.Code, w.Body, c.status, c.says)
			}
		})
	}
}

func decodeMessage(t testing.TB, w *httptest.ResponseRecorder) string {
	t.Helper()
	var body struct{ Message string }
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
		t.Fatalf("%v in %s", err, w.Body)
	}
	return body.Message
}

func TestANodesChecksRejectWithItsReasons(t *testing.T) {
	alice, bob, carol := someone("alice"), someone("bob"), someone("carol")
	transfer := func(n uint64) stxtx.TokenTransfer { return to(t, bob.address(true), n) }
	flip := func(raw []byte, at int) []byte { raw[at] ^= 1; return raw }
	sponsored := func(change func(*stxtx.Transaction)) []byte {
		tx := alice.mainnetTx(0, 0, transfer(1))
		tx.Auth.Type = stxtx.AuthSponsored
		c := carol.condition(0, 500)
		tx.Auth.Sponsor = &c
		change(tx)
		if err := tx.SignOrigin(alice.sign); err != nil {
			t.Fatal(err)
		}
		if err := tx.SignSponsor(carol.sign); err != nil {
			t.Fatal(err)
		}
		return encoded(t, tx)
	}
	const million = 1_000_000_000_000
	cases := map[string]struct {
		before [][]byte // accepted first
		mined  bool     // and in a block
		raw    []byte
		reason string
		data   string // contained in reason_data; "" is absent
	}{
		"bytes that are no transaction": {raw: []byte{1, 2, 3}, reason: "Deserialization", data: "byte"},
		"a byte too many":               {raw: append(alice.signed(t, alice.mainnetTx(0, 300, transfer(1))), 0), reason: "Deserialization", data: "byte"},
		"a byte too few": {raw: func() []byte {
			r := alice.signed(t, alice.mainnetTx(0, 300, transfer(1)))
			return r[:len(r)-1]
		}(), reason: "Deserialization", data: "memo"},
		"no signature":                {raw: encoded(t, alice.mainnetTx(0, 300, transfer(1))), reason: "SignatureValidation", data: "not signed"},
		"the signature of another":    {raw: bob.signed(t, alice.mainnetTx(0, 300, transfer(1))), reason: "SignatureValidation", data: "not that of the signer"},
		"a flipped bit of the amount": {raw: flip(alice.signed(t, alice.mainnetTx(0, 300, transfer(1))), 146), reason: "SignatureValidation", data: "signer"},
		"a mainnet version with the testnet's chain id": {raw: func() []byte {
			tx := alice.mainnetTx(0, 300, transfer(1))
			tx.ChainID = stxtx.ChainIDTestnet
			return alice.signed(t, tx)
		}(), reason: "SignatureValidation", data: "chain"},
		"a sponsor that has not signed": {raw: func() []byte {
			tx := alice.mainnetTx(0, 0, transfer(1))
			tx.Auth.Type, tx.Auth.Sponsor = stxtx.AuthSponsored, stxtx.Unsponsored()
			return alice.signed(t, tx)
		}(), reason: "SignatureValidation", data: "sponsor"},
		"no fee":               {raw: alice.signed(t, alice.mainnetTx(0, 0, transfer(1))), reason: "FeeTooLow", data: `{"expected":180,"actual":0}`},
		"a fee below a byte's": {raw: alice.signed(t, alice.mainnetTx(0, 179, transfer(1))), reason: "FeeTooLow", data: `{"expected":180,"actual":179}`},
		"a nonce that a block has": {
			before: [][]byte{alice.signed(t, alice.mainnetTx(0, 300, transfer(1)))}, mined: true,
			raw: alice.signed(t, alice.mainnetTx(0, 900, transfer(2))), reason: "BadNonce",
			data: `{"expected":1,"actual":0,"principal":"` + alice.address(true) + `","is_origin":true}`,
		},
		"a nonce that a block of testnet has": {
			before: [][]byte{alice.signed(t, alice.testnetTx(0, 300, to(t, bob.address(false), 1)))}, mined: true,
			raw: alice.signed(t, alice.testnetTx(0, 900, to(t, bob.address(false), 1))), reason: "BadNonce", data: `"expected":1,"actual":0,"principal":"` + alice.address(false),
		},
		"the same transaction after its block": {
			before: [][]byte{alice.signed(t, alice.mainnetTx(0, 300, transfer(1)))}, mined: true,
			raw: alice.signed(t, alice.mainnetTx(0, 300, transfer(1))), reason: "BadNonce", data: `"expected":1`,
		},
		"a nonce too far ahead": {raw: alice.signed(t, alice.mainnetTx(27, 300, transfer(1))), reason: "TooMuchChaining", data: `"expected":26,"actual":27`},
		"a sponsor's nonce too far ahead": {
			raw: sponsored(func(tx *stxtx.Transaction) { tx.Auth.Sponsor.Nonce = 99 }), reason: "TooMuchChaining",
			data: `"actual":99,"principal":"` + carol.address(true) + `","is_origin":false`,
		},
		"a nonce of the mempool with the same fee": {
			before: [][]byte{alice.signed(t, alice.mainnetTx(0, 300, transfer(1)))},
			raw:    alice.signed(t, alice.mainnetTx(0, 300, transfer(2))), reason: "ConflictingNonceInMempool",
		},
		"more than the account has": {
			raw: alice.signed(t, alice.mainnetTx(0, 300, transfer(million-299))), reason: "NotEnoughFunds",
			data: fmt.Sprintf(`{"expected":"0x%032x","actual":"0x%032x"}`, uint64(million+1), uint64(million)),
		},
		"more than what is pending leaves": {
			before: [][]byte{alice.signed(t, alice.mainnetTx(0, 300, transfer(million-1000)))},
			raw:    alice.signed(t, alice.mainnetTx(1, 300, transfer(401))), reason: "NotEnoughFunds", data: fmt.Sprintf(`"actual":"0x%032x"`, 700),
		},
		"a fee that a sponsor does not have": {raw: sponsored(func(tx *stxtx.Transaction) { tx.Auth.Sponsor.Fee = million + 1 }), reason: "NotEnoughFunds", data: "0x"},
		"nothing to transfer":                {raw: alice.signed(t, alice.mainnetTx(0, 300, transfer(0))), reason: "TransferAmountMustBePositive"},
		"a testnet recipient on mainnet":     {raw: alice.signed(t, alice.mainnetTx(0, 300, to(t, bob.address(false), 1))), reason: "BadAddressVersionByte"},
		"a mainnet contract on testnet": {raw: alice.signed(t, alice.testnetTx(0, 300, stxtx.ContractCall{
			Contract: clarity.Principal{Address: c32.Address{Version: c32.MainnetP2PKH}, Contract: "c"}, Function: "f",
		})), reason: "BadAddressVersionByte"},
		"a contract that is there": {
			before: [][]byte{alice.signed(t, alice.mainnetTx(0, 300, stxtx.SmartContract{Name: "c", Code: "1"}))},
			raw:    alice.signed(t, alice.mainnetTx(1, 300, stxtx.SmartContract{Name: "c", Code: "2", ClarityVersion: 3})),
			reason: "ContractAlreadyExists", data: alice.address(true) + ".c",
		},
		"a source with Windows line ends": {
			raw: alice.signed(t, alice.mainnetTx(0, 300, stxtx.SmartContract{Name: "c", Code: "(ok 1)\r\n", ClarityVersion: 6})), reason: "Deserialization", data: "line 1, column 7 has a carriage return",
		},
		"a source with an accent": {
			raw: alice.signed(t, alice.mainnetTx(0, 300, stxtx.SmartContract{Name: "c", Code: "(ok 1)\n;; é"})), reason: "Deserialization", data: "line 2, column 4 has U+00E9",
		},
		"a Clarity to come": {
			raw: alice.signed(t, alice.mainnetTx(0, 300, stxtx.SmartContract{Name: "c", Code: "(ok 1)", ClarityVersion: 7})), reason: "SignatureValidation", data: "Clarity 7 can not be used in epoch 4.0, which takes 1 to 6",
		},
		"a coinbase":        {raw: alice.signed(t, alice.mainnetTx(0, 900, stxtx.Coinbase{})), reason: "NoCoinbaseViaMempool"},
		"a tenure change":   {raw: alice.signed(t, alice.mainnetTx(0, 900, stxtx.TenureChange{})), reason: "NoTenureChangeViaMempool"},
		"poison microblock": {raw: alice.signed(t, alice.mainnetTx(0, 900, stxtx.PoisonMicroblock{})), reason: "PoisonMicroblockIsInvalid"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s, _ := newServer(t, Config{})
			for _, raw := range c.before {
				accepted(t, s, raw)
			}
			if c.mined {
				mine(t, s, 1)
			}
			before := read[map[string]any](t, get(s, "/extended/v1/address/"+alice.address(true)+"/nonces"))
			reason, data := refused(t, s, c.raw)
			if reason != c.reason || !strings.Contains(data, c.data) || (c.data == "") != (data == "") {
				t.Errorf("%s %s, want %s %s", reason, data, c.reason, c.data)
			}
			if after := read[map[string]any](t, get(s, "/extended/v1/address/"+alice.address(true)+"/nonces")); !cmp.Equal(before, after) {
				t.Errorf("a rejection changed the account: %v", cmp.Diff(before, after))
			}
			mine(t, s, 1)
			for _, b := range read[struct{ Results []blockTxs }](t, get(s, "/extended/v1/block?limit=3")).Results {
				if !c.mined && slices.Contains(b.Txs, "0x"+stxtx.ID(c.raw)) {
					t.Errorf("block %d has what was rejected", b.Height)
				}
			}
		})
	}
}

func TestALaterNonceWaitsForTheOnesBefore(t *testing.T) {
	s, _ := newServer(t, Config{})
	alice, bob := someone("alice"), someone("bob")
	var ids [4]string
	send := func(nonce uint64) {
		ids[nonce] = "0x" + accepted(t, s, alice.signed(t, alice.mainnetTx(nonce, 300, to(t, bob.address(true), 1+nonce))))
	}
	status := func() (all [4]string) {
		for i, id := range ids {
			if id != "" {
				all[i] = read[struct {
					Status string `json:"tx_status"`
				}](t, get(s, "/extended/v1/tx/"+id)).Status
			}
		}
		return all
	}
	send(3)
	send(1)
	mine(t, s, 2)
	if got := status(); got != [4]string{"", "pending", "", "pending"} {
		t.Fatalf("with a gap at 0: %v", got)
	}
	want := map[string]any{
		"last_mempool_tx_nonce": 3.0, "last_executed_tx_nonce": nil, "possible_next_nonce": 4.0,
		"detected_missing_nonces": []any{2.0, 0.0}, "detected_mempool_nonces": []any{1.0},
	}
	if diff := cmp.Diff(want, read[map[string]any](t, get(s, "/extended/v1/address/"+alice.address(true)+"/nonces"))); diff != "" {
		t.Errorf("nonces: -want +got\n%s", diff)
	}
	send(0)
	mine(t, s, 1)
	if got := status(); got != [4]string{"success", "success", "", "pending"} {
		t.Fatalf("with a gap at 2: %v", got)
	}
	send(2)
	mine(t, s, 1)
	if got := status(); got != [4]string{"success", "success", "success", "success"} {
		t.Fatalf("without a gap: %v", got)
	}
	blocks := read[struct{ Results []blockTxs }](t, get(s, "/extended/v1/block?limit=2")).Results
	if diff := cmp.Diff([][]string{{ids[3], ids[2]}, {ids[1], ids[0]}}, [][]string{blocks[0].Txs[:2], blocks[1].Txs[:2]}); diff != "" {
		t.Errorf("newest first: -want +got\n%s", diff)
	}
	want = map[string]any{
		"last_mempool_tx_nonce": nil, "last_executed_tx_nonce": 3.0, "possible_next_nonce": 4.0,
		"detected_missing_nonces": []any{}, "detected_mempool_nonces": []any{},
	}
	if diff := cmp.Diff(want, read[map[string]any](t, get(s, "/extended/v1/address/"+alice.address(true)+"/nonces"))); diff != "" {
		t.Errorf("nonces: -want +got\n%s", diff)
	}
}

func TestAHigherFeeTakesThePlaceInTheMempool(t *testing.T) {
	s, _ := newServer(t, Config{})
	alice, bob := someone("alice"), someone("bob")
	low := alice.signed(t, alice.mainnetTx(0, 300, to(t, bob.address(true), 1)))
	next := alice.signed(t, alice.mainnetTx(1, 300, to(t, bob.address(true), 2)))
	high := alice.signed(t, alice.mainnetTx(0, 301, to(t, bob.address(true), 3)))
	for _, raw := range [][]byte{low, next, low, high, high} { // again is accepted and changes nothing
		accepted(t, s, raw)
	}
	tx := read[map[string]any](t, get(s, "/extended/v1/tx/0x"+stxtx.ID(low)))
	if tx["tx_status"] != "dropped_replace_by_fee" || tx["replaced_by_tx_id"] != "0x"+stxtx.ID(high) {
		t.Errorf("the replaced one: %v", tx)
	}
	mine(t, s, 1)
	block := read[struct{ Results []blockTxs }](t, get(s, "/extended/v1/block?limit=1")).Results[0]
	if diff := cmp.Diff([]string{"0x" + stxtx.ID(next), "0x" + stxtx.ID(high)}, block.Txs[:2]); diff != "" || slices.Contains(block.Txs, "0x"+stxtx.ID(low)) {
		t.Errorf("the block: -want +got\n%s", diff)
	}
}
