package mockserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/google/go-cmp/cmp"

	"chainscope/mockserver/api"
	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// tokenSource is a contract with a bit of everything.
const tokenSource = `;; a token and a counter
(impl-trait 'SP000000000000000000002Q6VF78.traits.sip-010)
(define-constant ERR-OWNER (err u401))
(define-constant limit u21)
(define-constant owner tx-sender)
(define-fungible-token gold u1000)
(define-non-fungible-token deed uint)
(define-data-var count uint u7)
(define-map notes { by: principal, n: uint } (string-ascii 20))
(define-private (twice (n uint)) (* n u2))
(define-read-only (get-count) (ok (var-get count)))
(define-read-only (note (by principal) (n uint)) (map-get? notes { by: by, n: n }))
(define-public (add (by uint))
  (begin
    (asserts! (is-eq tx-sender owner) ERR-OWNER)
    (var-set count (+ (var-get count) (twice by)))
    (ok (var-get count))))
(define-public (peek) (ok { count: (var-get count), who: tx-sender }))
(define-public (transfer (amount uint) (from principal) (to principal) (memo (optional (buff 34))))
  (ft-transfer? gold amount from to))
`

// village is a server on which alice deployed a token, moved it, and has a
// transfer to bob in the mempool.
type village struct {
	first, firstHash   string // the block of the deploy
	s                  *Server
	alice, bob         person
	token              clarity.Principal
	deploy, moved      string // in blocks
	paid, failed, late string // in blocks, the call failed there, in the mempool
}

func newVillage(t testing.TB, change ...func(*Config)) *village {
	t.Helper()
	c := newClock()
	cfg := Config{Now: c.Now, Sleep: c.Sleep, Freeze: &c.at}
	for _, f := range change {
		f(&cfg)
	}
	s, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	v := &village{s: s, alice: someone("alice"), bob: someone("bob")}
	v.token, err = clarity.ParseContract(v.alice.address(false) + ".token")
	if err != nil {
		t.Fatal(err)
	}
	from, _ := clarity.ParsePrincipal(v.alice.address(false))
	to, _ := clarity.ParsePrincipal(v.bob.address(false))
	w := post(s, "/mock/v1/contracts", "application/json", fmt.Appendf(nil, `{"contract":%q,"reads":{"get-count":{"args":[],"result":"(ok u9)"}},
		"calls":{"add":{"args":["u99"],"result":"(err u401)"}},"maps":{"notes":{"key":"{ by: '%s, n: u1 }","value":"\"hello\""}}}`, v.token, from))
	if w.Code != 200 {
		t.Fatalf("contracts: %d %s", w.Code, w.Body)
	}
	send := func(nonce uint64, p stxtx.Payload) string {
		return "0x" + accepted(t, s, v.alice.signed(t, v.alice.testnetTx(nonce, 3000, p)))
	}
	call := func(name string, args ...clarity.Value) stxtx.ContractCall {
		return stxtx.ContractCall{Contract: v.token, Function: name, Args: args}
	}
	v.deploy = send(0, stxtx.SmartContract{Name: "token", Code: tokenSource, ClarityVersion: 3})
	mine(t, s, 1)
	view := s.world.State().View
	v.first, v.firstHash = fmt.Sprint(view.Tip()), view.TipIndex().String()
	moves := v.alice.testnetTx(1, 3000, call("transfer", clarity.NewUInt(5), from, to, clarity.None{}))
	moves.PostConditions = []stxtx.PostCondition{{Asset: stxtx.AssetFT, Principal: &from, Condition: stxtx.SentEqual, Amount: 5, Token: stxtx.Asset{Contract: v.token, Name: "gold"}}}
	v.moved = "0x" + accepted(t, s, v.alice.signed(t, moves))
	v.paid = send(2, stxtx.TokenTransfer{Recipient: to, Amount: 1000})
	v.failed = send(3, call("add", clarity.NewUInt(99)))
	mine(t, s, 1)
	v.late = send(4, stxtx.TokenTransfer{Recipient: to, Amount: 70})
	return v
}

func TestTheRoutesOfAnAccountAgree(t *testing.T) {
	v := newVillage(t)
	alice, bob := v.alice.address(false), v.bob.address(false)
	gold := v.token.String() + "::gold"

	read := func(target string, into any) {
		t.Helper()
		w := get(v.s, target)
		if err := json.Unmarshal(w.Body.Bytes(), into); err != nil || w.Code != 200 {
			t.Fatalf("%s: %d %s", target, w.Code, w.Body)
		}
	}
	var balances map[string]map[string]any
	read("/extended/v1/address/"+alice+"/balances", &balances)
	for key, want := range map[string]string{
		"balance": "999999987000", "total_sent": "1000", "total_received": "1000000000000", "total_fees_sent": "12000",
		"estimated_balance": "999999983930", "pending_balance_inbound": "0", "pending_balance_outbound": "3070",
	} {
		if balances["stx"][key] != want {
			t.Errorf("alice's %s is %v, want %s", key, balances["stx"][key], want)
		}
	}
	read("/extended/v1/address/"+bob+"/balances", &balances)
	if diff := cmp.Diff(map[string]any{gold: map[string]any{"balance": "5", "total_sent": "0", "total_received": "5"}}, balances["fungible_tokens"]); diff != "" {
		t.Errorf("bob's tokens: -want +got\n%s", diff)
	}
	if got := balances["stx"]["pending_balance_inbound"]; got != "70" {
		t.Errorf("bob waits for %v micro-STX, want 70", got)
	}
	if balances["stx"]["balance"] != "1000000001000" {
		t.Errorf("bob has %v", balances["stx"]["balance"])
	}

	ids := func(target string) []string {
		t.Helper()
		var list struct {
			Total   int
			Results []struct {
				ID string `json:"tx_id"`
				Tx struct {
					ID string `json:"tx_id"`
				} `json:"tx"`
			}
		}
		read(target, &list)
		out := []string{fmt.Sprint(list.Total)}
		for _, r := range list.Results {
			out = append(out, r.ID+r.Tx.ID)
		}
		return out
	}
	for target, want := range map[string][]string{
		"/extended/v1/address/" + alice + "/transactions":                                                {"4", v.failed, v.paid, v.moved, v.deploy},
		"/extended/v1/address/" + bob + "/transactions":                                                  {"2", v.paid, v.moved},
		"/extended/v1/address/" + bob + "/transactions?limit=1&offset=1":                                 {"2", v.moved},
		"/extended/v1/address/" + bob + "/transactions?offset=9":                                         {"0"},
		"/extended/v1/address/" + bob + "/transactions_with_transfers":                                   {"2", v.paid, v.moved},
		"/extended/v2/addresses/" + bob + "/transactions":                                                {"2", v.paid, v.moved},
		"/extended/v1/address/" + bob + "/mempool":                                                       {"1", v.late},
		"/extended/v1/address/" + v.bob.address(true) + "/mempool":                                       {"0"},
		"/extended/v1/address/" + v.alice.address(true) + "/transactions":                                {"0"},
		"/extended/v1/tx?limit=2":                                                                        {"1409", v.failed, v.paid},
		"/extended/v1/tx?type=smart_contract&contract_id=" + v.token.String():                            {"0"},
		"/extended/v1/tx?type=contract_call&type=smart_contract&limit=3&contract_id=" + v.token.String(): {"2", v.failed, v.moved},
		"/extended/v1/tx/mempool?offset=1":                                                               {"0"}, // past the end
		"/extended/v1/tx?limit=1&offset=1409":                                                            {"1409"},
		"/extended/v1/address/" + alice + "/transactions?until_block=" + v.first:                         {"1", v.deploy},
		"/extended/v1/address/" + alice + "/transactions?until_block=" + v.firstHash:                     {"1", v.deploy},
		"/extended/v1/address/" + alice + "/transactions?height=" + v.first:                              {"1", v.deploy},
		"/extended/v1/address/" + bob + "/transactions_with_transfers?height=" + v.first:                 {"0"},
		"/extended/v1/address/" + bob + "/stx_inbound?until_block=" + v.first:                            {"0"},
		"/extended/v1/address/" + bob + "/assets?until_block=99999999999999999999999":                    {"2", v.paid, v.moved},
		"/extended/v2/addresses/" + bob + "/transactions?limit=0":                                        {"2"},
		"/extended/v2/addresses/" + bob + "/transactions?offset=2":                                       {"0"},
		"/extended/v2/addresses/" + bob + "/transactions/" + v.moved + "/events?offset=1":                {"0"},
		"/extended/v1/tx/mempool":                                                                        {"1", v.late},
		"/extended/v1/tx/mempool?sender_address=" + bob:                                                  {"0"},
		"/extended/v1/tx/mempool?recipient_address=" + bob:                                               {"1", v.late},
		"/extended/v1/tx/mempool?address=" + alice:                                                       {"1", v.late},
		"/extended/v1/address/" + v.token.String() + "/transactions":                                     {"3", v.failed, v.moved, v.deploy},
		"/extended/v1/address/" + alice + "/transactions_with_transfers?limit=1":                         {"4", v.failed},
	} {
		if got := ids(target); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", target, got, want)
		}
	}

	// As of the block of the deploy, nothing waits and nothing had moved; the fee was paid.
	then := answerTo(t, v.s, "/extended/v1/address/"+alice+"/balances?until_block="+v.first)
	wantThen := map[string]any{
		"balance": "999999997000", "total_sent": "0", "total_received": "1000000000000", "total_fees_sent": "3000", "total_miner_rewards_received": "0",
		"locked": "0", "lock_tx_id": "", "lock_height": 0.0, "burnchain_lock_height": 0.0, "burnchain_unlock_height": 0.0,
	}
	if diff := cmp.Diff(map[string]any{"stx": wantThen, "fungible_tokens": map[string]any{}, "non_fungible_tokens": map[string]any{}}, then); diff != "" {
		t.Errorf("then: -want +got\n%s", diff)
	}
	if diff := cmp.Diff(wantThen, answerTo(t, v.s, "/extended/v1/address/"+alice+"/stx?until_block="+v.firstHash)); diff != "" {
		t.Errorf("then: -want +got\n%s", diff)
	}
	if bobs := answerTo(t, v.s, "/extended/v1/address/"+bob+"/balances?until_block="+v.first); len(bobs["fungible_tokens"].(map[string]any)) != 0 {
		t.Errorf("then bob had %v", bobs)
	}

	var one map[string]any
	read("/extended/v1/address/"+alice+"/"+v.paid[2:]+"/with_transfers", &one)
	if one["stx_sent"] != "4000" || one["stx_received"] != "0" {
		t.Errorf("alice sent %v and received %v, want 4000 with the fee and 0", one["stx_sent"], one["stx_received"])
	}
	want := []any{map[string]any{"amount": "1000", "sender": alice, "recipient": bob}}
	if diff := cmp.Diff(want, one["stx_transfers"]); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	read("/extended/v2/addresses/"+bob+"/transactions/"+v.moved+"/events", &one)
	want = []any{map[string]any{"type": "ft", "event_index": 0.0, "data": map[string]any{
		"type": "transfer", "asset_identifier": gold, "amount": "5", "sender": alice, "recipient": bob,
	}}}
	if diff := cmp.Diff(want, one["results"]); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestSeveralTransactionsAndTheirBytes(t *testing.T) {
	v := newVillage(t)
	unknown := "0x" + strings.Repeat("ab", 32)
	w := get(v.s, "/extended/v1/tx/multiple?tx_id="+v.paid+","+unknown+"&tx_id="+v.late)
	var found map[string]struct {
		Found  bool
		Result struct {
			ID     string `json:"tx_id"`
			Status string `json:"tx_status"`
		}
	}
	if err := json.Unmarshal(w.Body.Bytes(), &found); err != nil || len(found) != 3 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if got := found[v.paid]; !got.Found || got.Result.Status != "success" {
		t.Errorf("the mined one: %+v", got)
	}
	if got := found[v.late]; !got.Found || got.Result.Status != "pending" {
		t.Errorf("the pending one: %+v", got)
	}
	if got := found[unknown]; got.Found || got.Result.ID != unknown {
		t.Errorf("the unknown one: %+v", got)
	}
	for _, id := range []string{v.paid, v.late} {
		raw := read[map[string]string](t, get(v.s, "/extended/v1/tx/"+id+"/raw"))["raw_tx"]
		tx, err := stxtx.DecodeHex(strings.TrimPrefix(raw, "0x"))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := tx.TxID(); err != nil || with0x(got[:]) != id {
			t.Errorf("the bytes of %s have the id %x", id, got)
		}
	}
	if w := get(v.s, "/extended/v1/tx/"+strings.TrimPrefix(v.paid, "0x")); w.Code != 302 || w.Header().Get("Location") != "/extended/v1/tx/"+v.paid {
		t.Errorf("without 0x: %d %v", w.Code, w.Header())
	}
}

func TestReadOnlyCallsAnswerAsANodeDoes(t *testing.T) {
	v := newVillage(t)
	const known = "SP000000000000000000002Q6VF78"
	request := func(contract, function, body string) *httptest.ResponseRecorder {
		return post(v.s, "/v2/contracts/call-read/"+strings.Replace(contract, ".", "/", 1)+"/"+function, "application/json", []byte(body))
	}
	args := func(hex ...string) string {
		list, err := json.Marshal(append([]string{}, hex...))
		if err != nil {
			t.Fatal(err)
		}
		return `{"sender":"` + v.alice.address(false) + `","arguments":` + string(list) + `}`
	}
	const one = "0x0100000000000000000000000000000001"
	token := v.token.String()
	post(v.s, "/mock/v1/contracts", "application/json", []byte(`{"contract":"`+known+`.canned","reads":{"f":{"args":["1"],"result":"u1"}}}`))
	for _, c := range []struct{ contract, function, body, want string }{
		{known + ".canned", "f", args(one), `{"okay":false,"cause":"Unchecked(TypeValueError(IntType, UInt(1)))"}`},
		{token, "get-count", args(), `{"okay":true,"result":"0x070100000000000000000000000000000009"}`},
		{token, "get-count", args(one), `{"okay":false,"cause":"Unchecked(IncorrectArgumentCount(0, 1))"}`},
		{token, "note", args(one, one), `{"okay":false,"cause":"Unchecked(TypeValueError(PrincipalType, UInt(1)))"}`},
		{token, "twice", args(one), `{"okay":false,"cause":"Unchecked(NoSuchPublicFunction(\"` + token + `\", \"twice\"))"}`},
		{token, "nope%3F", args(), `{"okay":false,"cause":"Unchecked(UndefinedFunction(\"nope?\"))"}`},
		{token, "add", args(one), `{"okay":false,"cause":"NotReadOnly"}`},
		{token, "peek", args(), `{"okay":false,"cause":"mock: no answer for ` + token + `::peek with these arguments; add one to --contracts"}`},
		{known + ".nope", "f", args(), `{"okay":false,"cause":"Unchecked(NoSuchContract(\"` + known + `.nope\"))"}`},
		{known + ".pox-4", "get-stacker-info", args(one), `{"okay":true,"result":"0x09"}`},
	} {
		if w := request(c.contract, c.function, c.body); w.Code != 200 || w.Body.String() != c.want {
			t.Errorf("%s %s: %d %s, want %s", c.contract, c.function, w.Code, w.Body, c.want)
		}
	}
	for body, says := range map[string]string{
		"":                              "Failed to parse JSON body",
		"{}":                            `it needs "sender" and "arguments"`,
		args("zz"):                      "Failed to deserialize argument value",
		args("0x01"):                    "Failed to deserialize argument value",
		`{"sender":1,"arguments":[]}`:   "Failed to parse JSON body",
		`{"sender":"x","arguments":[]}`: "Failed to parse sender principal",
		`{"sender":"` + v.alice.address(false) + `","sponsor":"x","arguments":[]}`:              "Failed to parse sponsor principal",
		`{"sender":"` + v.alice.address(false) + `","arguments":["` + one + `"],"sponsor":"y"}`: "Failed to parse sponsor principal",
	} {
		if w := request(token, "get-count", body); w.Code != 400 || !strings.HasPrefix(w.Body.String(), says) && !strings.Contains(w.Body.String(), says) ||
			!strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
			t.Errorf("%s: %d %s, want it to say %s", body, w.Code, w.Body, says)
		}
	}
	if w := post(v.s, "/v2/contracts/call-read/"+known+"/nope/f", "text/plain", []byte(args())); w.Code != 400 {
		t.Errorf("another type: %d %s", w.Code, w.Body)
	}
	if w := request(token, "get-count?tip="+strings.Repeat("0", 64), args()); w.Code != 404 || w.Body.String() != "Chain tip not found" {
		t.Errorf("another tip: %d %s", w.Code, w.Body)
	}
	if w := request(token, "get-count?tip=latest", args()); w.Code != 200 {
		t.Errorf("the latest tip: %d %s", w.Code, w.Body)
	}
}

func TestAContractIsServedBack(t *testing.T) {
	v := newVillage(t)
	path := strings.Replace(v.token.String(), ".", "/", 1)
	source := read[map[string]any](t, get(v.s, "/v2/contracts/source/"+path+"?proof=0"))
	if source["source"] != tokenSource || len(source) != 2 {
		t.Errorf("source: %v", source)
	}
	if _, ok := read[map[string]any](t, get(v.s, "/v2/contracts/source/"+path))["proof"]; !ok {
		t.Error("no proof")
	}
	face := get(v.s, "/v2/contracts/interface/"+path).Body.String()
	extended := read[map[string]any](t, get(v.s, "/extended/v1/contract/"+v.token.String()))
	if extended["abi"] != face || extended["tx_id"] != v.deploy || extended["clarity_version"] != 3.0 || !strings.Contains(face, `"clarity_version":"Clarity3"`) {
		t.Errorf("%v\n%s", extended, face)
	}
	for target, want := range map[string]string{
		"/v2/data_var/" + path + "/count?proof=0":                              `{"data":"0x0100000000000000000000000000000007"}`,
		"/v2/constant_val/" + path + "/limit?proof=0":                          `{"data":"0x0100000000000000000000000000000015"}`,
		"/v2/constant_val/" + path + "/ERR-OWNER?proof=0":                      `{"data":"0x080100000000000000000000000000000191"}`,
		"/v2/constant_val/" + path + "/count":                                  "Constant not found",
		"/v2/data_var/" + path + "/nope":                                       "Data var not found",
		"/v2/traits/" + path + "/SP000000000000000000002Q6VF78/traits/sip-010": `{"is_implemented":true}`,
		"/v2/traits/" + path + "/SP000000000000000000002Q6VF78/traits/sip-009": `{"is_implemented":false}`,
		"/v2/contracts/interface/SP000000000000000000002Q6VF78/nope":           "No contract interface data found",
		"/v2/contracts/source/SP000000000000000000002Q6VF78/nope":              "No contract source data found",
	} {
		if got := get(v.s, target).Body.String(); got != want {
			t.Errorf("%s: %s, want %s", target, got, want)
		}
	}
	entry := func(key clarity.Value) string {
		encoded, err := clarity.EncodeHex(key)
		if err != nil {
			t.Fatal(err)
		}
		return post(v.s, "/v2/map_entry/"+path+"/notes?proof=0", "application/json", []byte(`"0x`+encoded+`"`)).Body.String()
	}
	by, _ := clarity.ParsePrincipal(v.alice.address(false))
	key := func(n uint64) clarity.Value {
		return clarity.Tuple{Fields: []clarity.Field{{Name: "by", Value: by}, {Name: "n", Value: clarity.NewUInt(n)}}}
	}
	if got := entry(key(1)); got != `{"data":"0x0a0d0000000568656c6c6f"}` {
		t.Errorf("the entry that was given: %s", got)
	}
	if got := entry(key(2)); got != `{"data":"0x09"}` {
		t.Errorf("another entry: %s", got)
	}
}

func TestTheNodeReportsItsNetwork(t *testing.T) {
	v := newVillage(t)
	info := read[map[string]any](t, get(v.s, "/v2/info"))
	pox := read[map[string]any](t, get(v.s, "/v2/pox"))
	if info["burn_block_height"] != pox["current_burnchain_block_height"] || pox["contract_id"] != "SP000000000000000000002Q6VF78.pox-5" || info["network_id"] != 1.0 {
		t.Errorf("%v\n%v", info, pox)
	}
	info = read[map[string]any](t, get(v.s, "/v2/info", networkHeader, "testnet"))
	pox = read[map[string]any](t, get(v.s, "/v2/pox", networkHeader, "testnet"))
	if info["network_id"] != 2147483648.0 || pox["contract_id"] != "ST000000000000000000002AMW42H.pox-5" || pox["reward_cycle_length"] != 1050.0 {
		t.Errorf("%v\n%v", info, pox)
	}
}

func TestRoutesOfAccountsHaveAValidatorThatFollowsTheMempool(t *testing.T) {
	v := newVillage(t)
	target := "/extended/v1/address/" + v.alice.address(false) + "/balances"
	tag := get(v.s, target).Header().Get("Etag")
	if w := get(v.s, target, "If-None-Match", tag); w.Code != http.StatusNotModified {
		t.Errorf("the same: %d", w.Code)
	}
	accepted(t, v.s, v.alice.signed(t, v.alice.testnetTx(5, 300, to(t, v.bob.address(false), 1))))
	if w := get(v.s, target, "If-None-Match", tag); w.Code != 200 {
		t.Errorf("after another transaction: %d", w.Code)
	}
}

// backendRequests sends a request to every route of accounts, transactions and contracts, with
// what is there and what is not.
func (v *village) requests() (out []string) {
	alice, bob := v.alice.address(false), v.bob.address(false)
	unknown := "0x" + strings.Repeat("ab", 32)
	path := strings.Replace(v.token.String(), ".", "/", 1)
	for _, p := range []string{alice, bob, v.alice.address(true), v.token.String(), "x", "SP000000000000000000002Q6VF79"} {
		for _, tail := range []string{"balances", "stx", "nonces", "transactions", "transactions_with_transfers", "mempool", "assets", "transactions?limit=51", "assets?offset=-1"} {
			out = append(out, "/extended/v1/address/"+p+"/"+tail)
		}
		for _, tail := range []string{"balances/stx", "balances/stx?include_mempool=true", "balances/stx?include_mempool=1", "balances/ft", "balances/ft/" + v.token.String() + "::gold", "transactions"} {
			out = append(out, "/extended/v2/addresses/"+p+"/"+tail)
		}
		for _, id := range []string{v.paid, v.moved, v.late, unknown, "0x12"} {
			out = append(out, "/extended/v1/address/"+p+"/"+id+"/with_transfers", "/extended/v2/addresses/"+p+"/transactions/"+id+"/events")
		}
		out = append(out, "/extended/v1/tokens/nft/holdings?principal="+p, "/v2/accounts/"+p)
	}
	for _, id := range []string{v.deploy, v.moved, v.paid, v.failed, v.late, unknown, "0x12", strings.TrimPrefix(v.paid, "0x")} {
		out = append(out, "/extended/v1/tx/"+id, "/extended/v1/tx/"+id+"/raw", "/extended/v1/tx/multiple?tx_id="+id)
	}
	for _, c := range []string{path, "SP000000000000000000002Q6VF78/nope", "x/y"} {
		out = append(out, "/v2/contracts/interface/"+c, "/v2/contracts/source/"+c, "/v2/contracts/source/"+c+"?proof=0", "/v2/data_var/"+c+"/count", "/v2/data_var/"+c+"/count?tip=00",
			"/v2/constant_val/"+c+"/limit", "/v2/traits/"+c+"/SP000000000000000000002Q6VF78/traits/sip-010", "/extended/v1/contract/"+strings.Replace(c, "/", ".", 1))
	}
	return append(out, "/extended/v1/tx", "/extended/v1/tx?limit=x", "/extended/v1/tx?type=x", "/extended/v1/tx/mempool", "/extended/v1/tx/mempool?address=x", "/extended/v1/tx/mempool/stats",
		"/extended/v2/mempool/fees", "/extended/v1/tx/multiple", "/v2/info", "/v2/pox", "/v2/fees/transfer", "/extended/v1/tokens/nft/holdings",
		"/extended/v1/info/network_block_times", "/extended/v1/info/network_block_time/mainnet", "/extended/v1/info/network_block_time/x")
}

func TestTheBackendAgreesWithItsDocument(t *testing.T) {
	v := newVillage(t)
	openapi3filter.RegisterBodyDecoder("text/plain", openapi3filter.FileBodyDecoder)
	own := []schema{loadSchema(t, "our own", api.Contract())}
	for _, target := range v.requests() {
		for _, prefer := range []string{"", "code=429", "code=503"} {
			w := get(v.s, target, "Prefer", prefer)
			if strings.HasPrefix(w.Body.String(), `{"message":"Route `) {
				t.Errorf("%s: no route", target)
				continue
			}
			if agrees(t, own, target, w) == 0 {
				t.Errorf("%s is not in the document", target)
			}
		}
	}
}
