package mockserver

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"chainscope/wallet/c32"
	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

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
	body := read[map[string]any](t, get(s, "/extended/v1/tx/0x"+id))
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
	if w := get(s, "/extended/v1/tx/0x"+id); w.Code != 404 {
		t.Errorf("the transaction: %d %s", w.Code, w.Body)
	}
	if a := read[struct{ Nonce int }](t, get(s, "/v2/accounts/"+alice.address(true))); a.Nonce != 0 {
		t.Errorf("nonce %d", a.Nonce)
	}
	accepted(t, s, raw)
}

func TestContractsAndPostConditionsShowAsTheAPIShowsThem(t *testing.T) {
	s, _ := newServer(t, Config{AnyContract: true})
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
	got := read[map[string]any](t, get(s, "/extended/v1/tx/0x"+id))
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
	body := read[map[string]any](t, get(s, "/extended/v1/tx/0x"+deploy))
	if diff := cmp.Diff(map[string]any{"clarity_version": 4.0, "contract_id": contract.String(), "source_code": "(ok u1)"}, body["smart_contract"]); diff != "" || body["tx_type"] != "smart_contract" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestEveryFeeThatIsEstimatedIsTaken(t *testing.T) {
	s, _ := newServer(t, Config{AnyContract: true})
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
		body := fmt.Sprintf(`{"transaction_payload":%q,"estimated_len":%d}`, hex.EncodeToString(raw[115:]), len(raw))
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
		"/extended/v1/tx/0x" + strings.Repeat("ab", 32):        404,
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
	if w := get(s, "/extended/v1/tx/0x"+stxtx.ID(raw)); w.Code != 404 {
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
	requested := 0
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { requested++ }))
	t.Cleanup(upstream.Close)
	s, _ := newServer(t, Config{Upstream: upstream.URL, Record: t.TempDir()})
	w := post(s, "/v2/transactions", "application/octet-stream", []byte{0})
	if w.Code != 410 || !strings.Contains(decodeMessage(t, w), "nothing was sent") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if requested != 0 {
		t.Errorf("the upstream got a request %d times", requested)
	}
}
