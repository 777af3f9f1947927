package mockserver

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/crowd"
	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
	"chainscope/wallet/outcome"
	"chainscope/wallet/stxtx"
)

// txsOf returns the transactions of a block.
func txsOf(s *Server, height int64) (all []*ledger.Tx) {
	state := s.world.State()
	b, _ := state.View.Block(height)
	for _, id := range state.View.TxIDs(&b) {
		if tx, known := state.Transaction(id.Bytes()); known {
			all = append(all, tx)
		}
	}
	return all
}

// strangersOf returns the transactions of blocks of both eras, of which nobody sent one.
func strangersOf(s *Server) (all []*ledger.Tx) {
	for _, first := range []int64{1, 139_900, 140_001, chain.AnchorHeight - 700} {
		for height := first; height < first+200; height++ {
			all = append(all, txsOf(s, height)...)
		}
	}
	return all
}

// shownTx is a transaction as v1 shows it, as far as the tests of strangers read it.
type shownTx struct {
	ID         string    `json:"tx_id"`
	Type       string    `json:"tx_type"`
	Status     string    `json:"tx_status"`
	Fee        string    `json:"fee_rate"`
	Sponsored  bool      `json:"sponsored"`
	EventCount int       `json:"event_count"`
	Events     []any     `json:"events"`
	VMError    *string   `json:"vm_error"`
	Call       *struct{} `json:"contract_call"`
	Transfer   *struct{} `json:"token_transfer"`
}

// everyOf returns all rows of a list of v1.
func everyOf[T any](t *testing.T, s *Server, list string) (all []T) {
	t.Helper()
	for {
		page := read[struct{ Results []T }](t, fetch(t, s, fmt.Sprintf("%slimit=50&offset=%d", list, len(all)))).Results
		if len(page) == 0 {
			return all
		}
		all = append(all, page...)
	}
}

// What strangers did ends as wallet/outcome says, with a reason that can be named.
func TestStrangersEndAsTheirConditionsSay(t *testing.T) {
	notRaced(t)
	s := anchored(t)
	kinds, whys, failed, sponsored, calls := map[string]int{}, map[string]bool{}, 0, 0, 0
	all := strangersOf(s)
	for _, tx := range all {
		body := read[shownTx](t, fetch(t, s, "/extended/v1/tx/"+with0x(tx.ID[:])+"?event_limit=100"))
		kinds[body.Type]++
		if body.Sponsored {
			sponsored++
		}
		if body.Call != nil {
			calls++
		}
		violation := outcome.Check(tx.Principal(), tx.PostConditionMode, tx.PostConditions, outcome.NewSent(tx.Moved))
		if _, err := clarity.EncodeHex(tx.Result); err != nil || body.EventCount != len(body.Events) {
			t.Fatalf("%s: %v %+v", body.ID, err, body)
		}
		if body.Status == "success" {
			if body.Transfer == nil && violation != nil || body.VMError != nil {
				t.Fatalf("%s succeeded, but %+v", body.ID, violation)
			}
			continue
		}
		failed++
		why := read[outcome.Why](t, fetch(t, s, "/mock/v1/tx/"+body.ID+"/why"))
		whys[why.Constant] = true
		if body.EventCount > 0 || len(tx.Moved) > 0 || !why.Failed() || body.Fee == "0" {
			t.Fatalf("%s failed and did something: %+v", body.ID, body)
		}
		switch {
		case tx.Violation != nil && (tx.Error != tx.Violation.Reason || why.Fix == "" || why.Certainty != "fact"):
			t.Fatalf("%s: %+v", body.ID, why)
		case tx.Violation == nil && tx.Error == "" && why.Constant == "" && !strings.Contains(why.Sentence, ": "):
			t.Fatalf("nobody can tell why %s failed: %+v", body.ID, why)
		case tx.Violation == nil && body.Call != nil && tx.Error != "" && (why.Line == 0 || !strings.Contains(why.Sentence, "ArithmeticUnderflow")):
			t.Fatalf("%s failed at run time: %+v", body.ID, why)
		}
	}
	if len(all) < 3_000 || failed < len(all)/40 || failed > len(all)/10 || calls < len(all)/2 || sponsored < len(all)/40 {
		t.Errorf("of %d transactions %d failed, %d are calls, %d are sponsored: %v", len(all), failed, calls, sponsored, kinds)
	}
	for _, kind := range []string{"token_transfer", "contract_call", "smart_contract", "coinbase", "tenure_change"} {
		if kinds[kind] < 10 {
			t.Errorf("%d are %s", kinds[kind], kind)
		}
	}
	for _, constant := range []string{"ERR-NOT-SENDER", "ERR-NOT-AUTHORIZED", "ERR-HASH-MALFORMED", "ERR-DUES-TOO-LOW", "ERR-NO-TEXT", "ERR-NO-NAME"} {
		if !whys[constant] {
			t.Errorf("none failed with %s", constant)
		}
	}
}

// Every route says of a stranger what its one transaction did.
func TestWhatAStrangerHasAddsUp(t *testing.T) {
	notRaced(t)
	s := anchored(t, version("9"))
	seen := map[string]int{}
	for _, tx := range strangersOf(s) {
		if tx.PostConditionMode == stxtx.ModeAllow {
			continue // a known account had it
		}
		kind := fmt.Sprintf("%T %v", tx.Payload, tx.Aborted())
		if call, ok := tx.Payload.(stxtx.ContractCall); ok {
			kind = fmt.Sprintf("%s %s", call.Function, clarity.Repr(tx.Result))
		}
		if sponsored := tx.Auth.Sponsor != nil; seen[kind+fmt.Sprint(sponsored)] > 2 {
			continue
		} else {
			seen[kind+fmt.Sprint(sponsored)]++
		}
		accounts := map[clarity.Principal]bool{tx.Principal(): true}
		if tx.Auth.Sponsor != nil {
			accounts[clarity.Principal{Address: tx.Auth.Sponsor.Address(true)}] = true
		}
		for _, m := range tx.Moved {
			if m.To != nil {
				accounts[*m.To] = true
			}
		}
		for p := range accounts {
			checkStranger(t, s, tx, p)
		}
		if deploy, ok := tx.Payload.(stxtx.SmartContract); ok {
			checkDeploy(t, s, tx, deploy)
		}
	}
	if len(seen) < 20 {
		t.Errorf("only these were seen: %v", seen)
	}
}

func checkStranger(t *testing.T, s *Server, tx *ledger.Tx, p clarity.Principal) {
	t.Helper()
	id, address := with0x(tx.ID[:]), p.String()
	balance, next := big.NewInt(1_000_000_000_000), uint64(0)
	for _, m := range tx.Moved {
		if m.From != nil && *m.From == p && m.Token == nil {
			balance.Sub(balance, m.Amount)
		}
		if m.To != nil && *m.To == p && m.Token == nil {
			balance.Add(balance, m.Amount)
		}
	}
	nonce, signs := tx.NonceOf(p)
	if signs {
		next = nonce + 1
	}
	if sponsor := tx.Auth.Sponsor; sponsor == nil && tx.Principal() == p || sponsor != nil && sponsor.Address(true) == p.Address {
		balance.Sub(balance, new(big.Int).SetUint64(tx.Fee()))
	}
	account := read[shownAccount](t, fetch(t, s, "/v2/accounts/"+address+"?proof=0"))
	if account.Nonce != next || account.Balance != ledger.Hex128(balance.Uint64()) {
		t.Errorf("%s of %s: the account is %+v, its transaction %s leaves it nonce %d and %s micro-STX", address, id, account, id, next, balance)
	}
	if got := read[shownNonces](t, fetch(t, s, "/extended/v1/address/"+address+"/nonces")).Next; got != next {
		t.Errorf("%s: the next nonce is %d, want %d", address, got, next)
	}
	for _, route := range []string{
		"/extended/v1/address/%s/balances", "/extended/v1/address/%s/stx", "/extended/v2/addresses/%s/balances/stx", "/extended/v3/principals/%s/balances/stx",
	} {
		if got := fetch(t, s, fmt.Sprintf(route, address)).Body.String(); !strings.Contains(got, `"balance":"`+balance.String()+`"`) {
			t.Errorf(route+": %s, want %s", address, got, balance)
		}
	}
	status := "success"
	if tx.Violation != nil {
		status = "abort_by_post_condition"
	} else if tx.Aborted() {
		status = "abort_by_response"
	}
	for _, route := range []string{"/extended/v1/address/%s/transactions", "/extended/v2/addresses/%s/transactions", "/extended/v3/principals/%s/transactions"} {
		got := fetch(t, s, fmt.Sprintf(route, address)).Body.String()
		if !strings.Contains(got, `"total":1,`) || !strings.Contains(got, id) || !strings.Contains(got, `"`+status+`"`) {
			t.Errorf(route+": %s, want %s", address, got, id)
		}
	}
	if got := fetch(t, s, "/extended/v1/search/"+address).Body.String(); !strings.Contains(got, `"found":true`) {
		t.Errorf("search of %s: %s", address, got)
	}
	holds := strings.Contains(fetch(t, s, "/extended/v1/tokens/nft/holdings?principal="+address).Body.String(), id)
	is := reads(t, s, crowd.ClubID, "is-member", p) == "true"
	if call, ok := tx.Payload.(stxtx.ContractCall); holds != is || is != (ok && call.Function == "join" && !tx.Aborted() && tx.Principal() == p) {
		t.Errorf("%s is a member: %v, and has a card: %v, after %s", address, is, holds, id)
	}
}

func checkDeploy(t *testing.T, s *Server, tx *ledger.Tx, deploy stxtx.SmartContract) {
	t.Helper()
	address := tx.Principal().String()
	want := 200
	if tx.Aborted() {
		want = 404
	}
	for _, route := range []string{"/v2/contracts/source/" + address + "/" + deploy.Name, "/v2/contracts/interface/" + address + "/" + deploy.Name, "/extended/v1/contract/" + address + "." + deploy.Name} {
		if w := get(s, route); w.Code != want || want == 200 && strings.Contains(route, "source") && !strings.Contains(w.Body.String(), `"publish_height":`+fmt.Sprint(tx.Height)) {
			t.Errorf("%s: %d %s, want %d", route, w.Code, w.Body, want)
		}
	}
}

// The newest calls of a contract are those of the newest transactions, in all its lists.
func TestAContractListsTheNewestCallsOfStrangers(t *testing.T) {
	notRaced(t)
	s := anchored(t, version("9"))
	for _, id := range []string{crowd.SendManyID, crowd.GuestbookID, "SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.usda-token"} {
		state, contract := s.world.State(), principalOf(t, id)
		var want, got []string
		prints := 0
		for _, row := range everyOf[shownTx](t, s, "/extended/v1/tx?") {
			hash, _ := chain.ParseHash(row.ID)
			tx, _ := state.Transaction(hash.Bytes())
			if call, ok := tx.Payload.(stxtx.ContractCall); ok && call.Contract == contract {
				want = append(want, row.ID)
				prints += len(tx.Prints)
			}
		}
		for _, row := range everyOf[shownTx](t, s, "/extended/v1/address/"+id+"/transactions?") {
			got = append(got, row.ID)
		}
		if len(want) < 3 || !slices.Equal(got, want) {
			t.Errorf("%s lists %d transactions, want %d: %v, want %v", id, len(got), len(want), got, want)
		}
		if logs := everyOf[any](t, s, "/extended/v1/contract/"+id+"/events?"); len(logs) != prints {
			t.Errorf("%s printed %d times, want %d", id, len(logs), prints)
		}
		list := "/extended/v1/address/" + id + "/transactions"
		tag := fetch(t, s, list).Header().Get("ETag")
		if again := get(s, list, "If-None-Match", tag); again.Code != 304 {
			t.Errorf("%s with its validator %s: %d", list, tag, again.Code)
		}
		mine(t, s, 1)
		if again := get(s, list, "If-None-Match", tag); again.Code != 200 {
			t.Errorf("%s after a block: %d", list, again.Code)
		}
	}
}
