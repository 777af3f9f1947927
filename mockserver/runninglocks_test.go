package mockserver

import (
	"fmt"
	"math/big"
	"net/http"
	"strings"
	"testing"

	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// What a contract that runs locks is locked in every route, cannot be spent, goes with what is taken
// back, and ends with its burn block.
func TestWhatAContractThatRunsLocksIsLocked(t *testing.T) {
	d := newTroupe(t, fakeEngine())
	who := d.who(1).String()
	burn := func() uint64 {
		return uint64(valueAt(answerTo(t, d.s, "/v2/pox"), "current_burnchain_block_height").(float64))
	}
	locked := func(want int64) {
		t.Helper()
		if got := locksAgree(t, d.s, who); got.Cmp(big.NewInt(want)) != 0 {
			t.Errorf("%v are locked, want %d", got, want)
		}
	}
	d.does(d.deploys("pool", "(ok)"), "(ok true)")
	locked(0)
	until := burn() + 3
	d.control("snapshot", `{"name":"before"}`)
	first := d.calls(1, "pool", "lock", clarity.NewUInt(600_000e6), clarity.NewUInt(until))
	m := d.does(first, "(ok true)")
	event, _ := m.Events[0]["stx_lock_event"].(map[string]any)
	if len(m.Events) != 1 || event["locked_address"] != who || event["locked_amount"] != "600000000000" || event["unlock_height"] != float64(until) {
		t.Errorf("its events are %v", m.Events)
	}
	height := valueAt(answerTo(t, d.s, "/extended/v1/tx/0x"+first), "block_height").(float64)
	locked(600_000e6)
	v3 := answerTo(t, d.s, "/extended/v3/principals/"+who+"/balances/stx")
	if textOf(v3, "locked", "lock_tx_id") != "0x"+first || valueAt(v3, "locked", "pox_version") != 4. || valueAt(v3, "locked", "stacks_lock_height") != height || valueAt(v3, "locked", "burn_unlock_height") != float64(until) {
		t.Errorf("its lock is %v", v3["locked"])
	}
	if got := valueAt(answerTo(t, d.s, "/extended/v3/principals/"+who+"/staking"), "stx", "locked"); got != "0" {
		t.Errorf("what pox-4 locked is staked by pox-5: %v", got)
	}
	spend := func() []byte {
		return d.people[1].signed(t, d.people[1].testnetTx(d.nonces[1], 1_000, to(t, d.people[0].address(false), 400_000e6)))
	}
	if reason, _ := refused(t, d.s, spend()); reason != "NotEnoughFunds" {
		t.Errorf("a transfer of what is locked: %s", reason)
	}
	d.does(d.calls(1, "pool", "lock", clarity.NewUInt(700_000e6), clarity.NewUInt(until)), "(ok true)")
	locked(700_000e6)
	then := fmt.Sprintf("/extended/v1/address/%s/stx?until_block=%.0f", who, height)
	if body := answerTo(t, d.s, then); body["locked"] != "600000000000" || body["lock_tx_id"] != "0x"+first {
		t.Errorf("as of the first lock: %v", body)
	}
	if body := answerTo(t, d.s, strings.Replace(then, fmt.Sprint(height), fmt.Sprint(height-1), 1)); body["locked"] != "0" {
		t.Errorf("before the first lock: %v", body)
	}
	for burn() < until-1 {
		mine(t, d.s, 1)
	}
	locked(700_000e6)
	for burn() < until {
		mine(t, d.s, 1)
	}
	locked(0)
	spent := accepted(t, d.s, spend())
	mine(t, d.s, 1)
	d.wants(d.ended(spent).Status, "success")
	d.control("revert", `{"to":"before"}`)
	locked(0)
	d.nonces[1] = 0
	d.does(d.calls(1, "pool", "lock", clarity.NewUInt(5), clarity.NewUInt(until)), "(ok true)")
	locked(5)
	tip := valueAt(answerTo(t, d.s, "/v2/info"), "stacks_tip_height").(float64)
	d.does(d.calls(1, "pool", "lock", clarity.NewUInt(6), clarity.NewUInt(until)), "(ok true)")
	locked(6)
	d.control("accounts", `{"address":"`+who+`","balance":"900000000000"}`)
	d.control("clock", fmt.Sprintf(`{"set":%q}`, textOf(answerTo(t, d.s, fmt.Sprintf("/extended/v2/blocks/%.0f", tip)), "block_time_iso"))) // the call waits again
	locked(5)
}

// The contracts with which STX are locked take transactions; what is no function of them is refused.
func TestTheContractsOfStackingRun(t *testing.T) {
	d := newTroupe(t, fakeEngine())
	id := principalOf(t, "ST000000000000000000002AMW42H.pox-5")
	tx := d.people[0].testnetTx(0, 30_000, stxtx.ContractCall{Contract: id, Function: "stack-everything"})
	if w := post(d.s, "/v2/transactions", "application/octet-stream", d.people[0].signed(t, tx)); w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "NoSuchPublicFunction") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
