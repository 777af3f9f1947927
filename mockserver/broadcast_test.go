package mockserver

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"
	"github.com/google/go-cmp/cmp"

	"chainscope/wallet/c32"
	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// person is somebody with a key.
type person struct{ key *secp256k1.PrivateKey }

func someone(name string) person {
	seed := sha256.Sum256([]byte(name))
	return person{secp256k1.PrivKeyFromBytes(seed[:])}
}

func (p person) hash160() [20]byte { return stxtx.Hash160(p.key.PubKey().SerializeCompressed()) }

func (p person) address(mainnet bool) string {
	c := stxtx.SpendingCondition{Signer: p.hash160()}
	return c.Address(mainnet).String()
}

func (p person) sign(hash [32]byte) (s stxtx.Signature) {
	compact := ecdsa.SignCompact(p.key, hash[:], true)
	s[0] = compact[0] - 31
	copy(s[1:], compact[1:])
	return s
}

func (p person) condition(nonce, fee uint64) stxtx.SpendingCondition {
	return stxtx.SpendingCondition{Signer: p.hash160(), Nonce: nonce, Fee: fee}
}

// mainnetTx is a transaction of p that is not signed yet.
func (p person) mainnetTx(nonce, fee uint64, payload stxtx.Payload) *stxtx.Transaction {
	return &stxtx.Transaction{
		Version: stxtx.VersionMainnet, ChainID: stxtx.ChainIDMainnet,
		Auth:       stxtx.Auth{Type: stxtx.AuthStandard, Origin: p.condition(nonce, fee)},
		AnchorMode: stxtx.AnchorAny, PostConditionMode: stxtx.ModeDeny, Payload: payload,
	}
}

func (p person) testnetTx(nonce, fee uint64, payload stxtx.Payload) *stxtx.Transaction {
	t := p.mainnetTx(nonce, fee, payload)
	t.Version, t.ChainID = stxtx.VersionTestnet, stxtx.ChainIDTestnet
	return t
}

func to(t testing.TB, principal string, amount uint64) stxtx.TokenTransfer {
	t.Helper()
	p, err := clarity.ParsePrincipal(principal)
	if err != nil {
		t.Fatal(err)
	}
	return stxtx.TokenTransfer{Recipient: p, Amount: amount}
}

func encoded(t testing.TB, tx *stxtx.Transaction) []byte {
	t.Helper()
	raw, err := tx.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// signed is the bytes of tx with the signature of p.
func (p person) signed(t testing.TB, tx *stxtx.Transaction) []byte {
	t.Helper()
	if err := tx.SignOrigin(p.sign); err != nil {
		t.Fatal(err)
	}
	return encoded(t, tx)
}

// post sends a body as a loopback client does.
func post(s http.Handler, target, contentType string, body []byte) *httptest.ResponseRecorder {
	r := httptest.NewRequest("POST", target, bytes.NewReader(body))
	r.Host, r.RemoteAddr = "127.0.0.1:3999", "127.0.0.1:40000"
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

func broadcastRaw(s http.Handler, raw []byte) *httptest.ResponseRecorder {
	return post(s, "/v2/transactions", "application/octet-stream", raw)
}

// accepted posts a transaction that must be taken, and gives its id.
func accepted(t testing.TB, s http.Handler, raw []byte) string {
	t.Helper()
	w := broadcastRaw(s, raw)
	if want := `"` + stxtx.ID(raw) + `"`; w.Code != 200 || w.Body.String() != want {
		t.Fatalf("%d %s, want 200 %s", w.Code, w.Body, want)
	}
	return stxtx.ID(raw)
}

// refused posts a transaction that must be rejected, and gives the reason and
// its data.
func refused(t testing.TB, s http.Handler, raw []byte) (reason, data string) {
	t.Helper()
	w := broadcastRaw(s, raw)
	var body struct {
		Error, Reason, TxID string
		ReasonData          json.RawMessage `json:"reason_data"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil || w.Code != 400 || body.Error != "transaction rejected" || body.TxID != stxtx.ID(raw) {
		t.Fatalf("%d %s is no rejection: %v", w.Code, w.Body, err)
	}
	return body.Reason, string(body.ReasonData)
}

func mine(t testing.TB, s http.Handler, blocks int) {
	t.Helper()
	w := post(s, "/mock/v1/mine", "application/json", fmt.Appendf(nil, `{"blocks":%d}`, blocks))
	if w.Code != 200 {
		t.Fatalf("mine: %d %s", w.Code, w.Body)
	}
}

type blockTxs struct {
	Height     int64    `json:"height"`
	Hash       string   `json:"hash"`
	BurnHeight int64    `json:"burn_block_height"`
	BurnHash   string   `json:"burn_block_hash"`
	TxCount    int      `json:"tx_count"`
	Txs        []string `json:"txs"`
}

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

	tx = read[map[string]any](t, get(s, "/extended/v1/tx/"+strings.TrimPrefix(id, "0x")))
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
		{alice.address(true), start - 1_500_300, 1},
		{bob.address(false), start + 1_500_000, 0},
		{bob.address(true), start + 1_500_000, 0},
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
		"octets":                    {"application/octet-stream", string(raw)},
		"octets of curl":            {"application/x-www-form-urlencoded", string(raw)},
		"octets without a type":     {"", string(raw)},
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
		"too much":         {"application/octet-stream", strings.Repeat("x", maxBroadcastBody+1), 413, "larger than"},
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
		"a nonce that a block has on the other network": {
			before: [][]byte{alice.signed(t, alice.mainnetTx(0, 300, transfer(1)))}, mined: true,
			raw: alice.signed(t, alice.testnetTx(0, 900, to(t, bob.address(false), 1))), reason: "BadNonce", data: `"expected":1,"actual":0,"principal":"` + alice.address(false),
		},
		"the same transaction after its block": {
			before: [][]byte{alice.signed(t, alice.mainnetTx(0, 300, transfer(1)))}, mined: true,
			raw: alice.signed(t, alice.mainnetTx(0, 300, transfer(1))), reason: "BadNonce", data: `"expected":1`,
		},
		"a nonce too far ahead": {raw: alice.signed(t, alice.mainnetTx(27, 300, transfer(1))), reason: "BadNonce", data: `"expected":0,"actual":27`},
		"a sponsor's nonce too far ahead": {
			raw: sponsored(func(tx *stxtx.Transaction) { tx.Auth.Sponsor.Nonce = 99 }), reason: "BadNonce",
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
	if diff := cmp.Diff(want, read[map[string]any](t, get(s, "/extended/v1/address/"+alice.address(false)+"/nonces"))); diff != "" {
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
	if diff := cmp.Diff(want, read[map[string]any](t, get(s, "/extended/v1/address/"+alice.address(false)+"/nonces"))); diff != "" {
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
	tx := read[map[string]any](t, get(s, "/extended/v1/tx/"+stxtx.ID(low)))
	if tx["tx_status"] != "dropped_replace_by_fee" || tx["replaced_by_tx_id"] != "0x"+stxtx.ID(high) {
		t.Errorf("the replaced one: %v", tx)
	}
	mine(t, s, 1)
	block := read[struct{ Results []blockTxs }](t, get(s, "/extended/v1/block?limit=1")).Results[0]
	if diff := cmp.Diff([]string{"0x" + stxtx.ID(next), "0x" + stxtx.ID(high)}, block.Txs[:2]); diff != "" || slices.Contains(block.Txs, "0x"+stxtx.ID(low)) {
		t.Errorf("the block: -want +got\n%s", diff)
	}
}

func TestASponsorPaysTheFeeAndCountsItsNonce(t *testing.T) {
	s, _ := newServer(t, Config{})
	alice, bob, carol := someone("alice"), someone("bob"), someone("carol")
	tx := alice.mainnetTx(0, 0, to(t, bob.address(true), 10))
	tx.Auth.Type = stxtx.AuthSponsored
	c := carol.condition(0, 777)
	tx.Auth.Sponsor = &c
	if err := tx.SignOrigin(alice.sign); err != nil {
		t.Fatal(err)
	}
	if err := tx.SignSponsor(carol.sign); err != nil {
		t.Fatal(err)
	}
	id := accepted(t, s, encoded(t, tx))
	mine(t, s, 1)
	body := read[map[string]any](t, get(s, "/extended/v1/tx/"+id))
	if body["tx_status"] != "success" || body["sponsored"] != true || body["sponsor_address"] != carol.address(true) || body["fee_rate"] != "777" {
		t.Errorf("%v", body)
	}
	type account struct {
		Balance string
		Nonce   uint64
	}
	for who, want := range map[string]account{
		alice.address(true): {fmt.Sprintf("0x%032x", 1_000_000_000_000-10), 1},
		carol.address(true): {fmt.Sprintf("0x%032x", 1_000_000_000_000-777), 1},
		bob.address(true):   {fmt.Sprintf("0x%032x", 1_000_000_000_000+10), 0},
	} {
		if got := read[account](t, get(s, "/v2/accounts/"+who)); got != want {
			t.Errorf("%s: %+v, want %+v", who, got, want)
		}
	}
}

func TestResetForgetsWhatWasBroadcast(t *testing.T) {
	s, _ := newServer(t, Config{})
	alice := someone("alice")
	raw := alice.signed(t, alice.mainnetTx(0, 300, stxtx.SmartContract{Name: "c", Code: "(ok 1)"}))
	id := accepted(t, s, raw)
	mine(t, s, 1)
	if w := post(s, "/mock/v1/reset", "", nil); w.Code != 200 {
		t.Fatalf("reset: %d %s", w.Code, w.Body)
	}
	if w := get(s, "/extended/v1/tx/"+id); w.Code != 404 {
		t.Errorf("the transaction: %d %s", w.Code, w.Body)
	}
	if a := read[struct{ Nonce int }](t, get(s, "/v2/accounts/"+alice.address(true))); a.Nonce != 0 {
		t.Errorf("nonce %d", a.Nonce)
	}
	accepted(t, s, raw)
}

func TestContractsAndPostConditionsShowAsTheAPIShowsThem(t *testing.T) {
	s, _ := newServer(t, Config{})
	alice := someone("alice")
	contract, err := clarity.ParseContract(alice.address(true) + ".token")
	if err != nil {
		t.Fatal(err)
	}
	asset := stxtx.Asset{Contract: contract, Name: "coin"}
	tx := alice.mainnetTx(0, 2000, stxtx.ContractCall{Contract: contract, Function: "mint", Args: []clarity.Value{clarity.NewUInt(5), clarity.Bool(true)}})
	tx.PostConditions = []stxtx.PostCondition{
		{Asset: stxtx.AssetSTX, Condition: stxtx.SentLessOrEqual, Amount: 9},
		{Asset: stxtx.AssetFT, Principal: &contract, Condition: stxtx.SentEqual, Amount: 3, Token: asset},
		{Asset: stxtx.AssetNFT, Principal: &clarity.Principal{Address: contract.Address}, Condition: stxtx.NFTNotSent, Token: asset, TokenID: clarity.NewUInt(1)},
	}
	id := accepted(t, s, alice.signed(t, tx))
	got := read[map[string]any](t, get(s, "/extended/v1/tx/"+id))
	coin := map[string]any{"asset_name": "coin", "contract_address": alice.address(true), "contract_name": "token"}
	want := map[string]any{
		"tx_type": "contract_call", "post_condition_mode": "deny", "anchor_mode": "any",
		"contract_call": map[string]any{
			"contract_id": contract.String(), "function_name": "mint", "function_signature": "(define-public (mint (arg0 uint) (arg1 bool)))",
			"function_args": []any{
				map[string]any{"hex": "0x0100000000000000000000000000000005", "repr": "u5", "name": "arg0", "type": "uint"},
				map[string]any{"hex": "0x03", "repr": "true", "name": "arg1", "type": "bool"},
			},
		},
		"post_conditions": []any{
			map[string]any{"type": "stx", "condition_code": "sent_less_than_or_equal_to", "amount": "9", "principal": map[string]any{"type_id": "principal_origin"}},
			map[string]any{"type": "fungible", "condition_code": "sent_equal_to", "amount": "3", "asset": coin, "principal": map[string]any{
				"type_id": "principal_contract", "address": alice.address(true), "contract_name": "token",
			}},
			map[string]any{
				"type": "non_fungible", "condition_code": "not_sent", "asset": coin,
				"asset_value": map[string]any{"hex": "0x0100000000000000000000000000000001", "repr": "u1"},
				"principal":   map[string]any{"type_id": "principal_standard", "address": alice.address(true)},
			},
		},
	}
	for key, value := range want {
		if diff := cmp.Diff(value, got[key]); diff != "" {
			t.Errorf("%s: -want +got\n%s", key, diff)
		}
	}
	deploy := accepted(t, s, alice.signed(t, alice.mainnetTx(1, 2000, stxtx.SmartContract{Name: "token", Code: "(ok u1)", ClarityVersion: 4})))
	mine(t, s, 1)
	body := read[map[string]any](t, get(s, "/extended/v1/tx/"+deploy))
	if diff := cmp.Diff(map[string]any{"clarity_version": 4.0, "contract_id": contract.String(), "source_code": "(ok u1)"}, body["smart_contract"]); diff != "" || body["tx_type"] != "smart_contract" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestEveryFeeThatIsEstimatedIsTaken(t *testing.T) {
	s, _ := newServer(t, Config{})
	if rate := read[uint64](t, get(s, "/v2/fees/transfer")); rate == 0 {
		t.Error("no fee for a byte")
	}
	alice := someone("alice")
	nonce := uint64(0)
	for name, payload := range map[string]stxtx.Payload{
		"transfer": to(t, someone("bob").address(true), 1),
		"deploy":   stxtx.SmartContract{Name: "c", Code: strings.Repeat("(print 1)", 900)},
		"call":     stxtx.ContractCall{Contract: clarity.Principal{Address: c32.Address{Version: c32.MainnetP2PKH}, Contract: "c"}, Function: "f", Args: []clarity.Value{clarity.NewUInt(1)}},
	} {
		tx := alice.mainnetTx(nonce, 0, payload)
		raw := encoded(t, tx)
		body := fmt.Sprintf(`{"transaction_payload":%q,"estimated_len":%d}`, hex.EncodeToString(raw[bytesOverPayload:]), len(raw))
		w := post(s, "/v2/fees/transaction", "application/json", []byte(body))
		var answer struct {
			Estimations []struct {
				Fee  uint64
				Rate float64 `json:"fee_rate"`
			}
		}
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || w.Code != 200 || len(answer.Estimations) != 3 {
			t.Fatalf("%s: %d %s", name, w.Code, w.Body)
		}
		last := uint64(0)
		for _, e := range answer.Estimations {
			if e.Fee <= last || e.Rate <= 0 {
				t.Errorf("%s: fees %v", name, answer.Estimations)
			}
			last = e.Fee
		}
		accepted(t, s, alice.signed(t, alice.mainnetTx(nonce, answer.Estimations[0].Fee, payload)))
		nonce++
	}
	for name, c := range map[string]struct{ body, says string }{
		"no JSON":           {"x", "must be JSON"},
		"no payload":        {"{}", "transaction_payload"},
		"no digits":         {`{"transaction_payload":"zz"}`, "hexadecimal"},
		"half a payload":    {`{"transaction_payload":"0005"}`, "byte"},
		"an absurd length":  {`{"transaction_payload":"` + strings.Repeat("00", 32) + `","estimated_len":99999999999}`, ""},
		"a negative length": {`{"transaction_payload":"00","estimated_len":-1}`, "must be JSON"},
		"a payload of 9":    {`{"transaction_payload":"09"}`, "payload type"},
	} {
		if w := post(s, "/v2/fees/transaction", "application/json", []byte(c.body)); w.Code != 400 || !strings.Contains(w.Body.String(), c.says) {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
}

func TestQuestionsThatNameNothingAreRefused(t *testing.T) {
	s, _ := newServer(t, Config{})
	for target, status := range map[string]int{
		"/v2/accounts/hello":                                   400,
		"/v2/accounts/SP000000000000000000002Q6VF79":           400,
		"/extended/v1/address/x/nonces":                        400,
		"/extended/v1/tx/0x12":                                 400,
		"/extended/v1/tx/" + strings.Repeat("ab", 32):          404,
		"/v2/accounts/SP000000000000000000002Q6VF78.pox/extra": 404,
	} {
		if w := get(s, target); w.Code != status {
			t.Errorf("%s: %d %s, want %d", target, w.Code, w.Body, status)
		}
	}
}

func TestFaultsApplyToTheRoutesOfANode(t *testing.T) {
	s, _ := newServer(t, Config{})
	alice := someone("alice")
	raw := alice.signed(t, alice.mainnetTx(0, 300, to(t, someone("bob").address(true), 1)))
	r := httptest.NewRequest("POST", "/v2/transactions", bytes.NewReader(raw))
	r.Host, r.RemoteAddr = "127.0.0.1:3999", "127.0.0.1:40000"
	r.Header.Set("Prefer", "code=503")
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	if w.Code != 503 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := get(s, "/extended/v1/tx/"+stxtx.ID(raw)); w.Code != 404 {
		t.Errorf("what was answered 503 was taken all the same: %s", w.Body)
	}
	if w := get(s, "/v2/fees/transfer", "Prefer", "code=429"); w.Code != 429 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestAServerThatReplaysTakesNoTransactions(t *testing.T) {
	dir := "testdata/tape-epoch3"
	if _, err := os.Stat(dir); err != nil {
		t.Fatal(err)
	}
	s, _ := newServer(t, Config{Replay: dir})
	alice := someone("alice")
	w := broadcastRaw(s, alice.signed(t, alice.mainnetTx(0, 300, to(t, someone("bob").address(true), 1))))
	if w.Code != 410 || !strings.Contains(decodeMessage(t, w), "takes no transactions") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestAServerBeforeALiveAPITakesNoTransactionsAndPostsNothing(t *testing.T) {
	asked := 0
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { asked++ }))
	t.Cleanup(upstream.Close)
	s, _ := newServer(t, Config{Upstream: upstream.URL, Record: t.TempDir()})
	for _, path := range []string{"/v2/transactions", "/v2/fees/transaction"} {
		w := post(s, path, "application/octet-stream", []byte{0})
		if w.Code != 410 || !strings.Contains(decodeMessage(t, w), "nothing was sent") {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	if asked != 0 {
		t.Errorf("the upstream was asked %d times", asked)
	}
}
