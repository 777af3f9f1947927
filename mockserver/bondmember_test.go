package mockserver

import (
	"encoding/hex"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"

	"chainscope/wallet/clarity"
)

// known returns one of the first two accounts of the public test mnemonic.
func known(i int) person {
	secret, _ := hex.DecodeString([]string{"47382d0211f3bbb11812b5e60b696a93d7ad0a91cdeb2162f7d69d4adef48b5d", "789db648a1d9d181f1e7d3f05ed0aa939db9c7e5cbe12e35cf6e38547497026a"}[i])
	return person{secp256k1.PrivKeyFromBytes(secret)}
}

// Who is on the list of a bond registers with sBTC and STX: both are gone from what can be spent, every
// list has the registration, and what pox-5 refuses is refused with its code.
func TestOneRegistersForABond(t *testing.T) {
	s := anchored(t, today)
	p, second := known(0), known(1)
	who, other := principalOf(t, p.address(true)), someone("somebody else")
	n := clarity.NewUInt
	const v3, satsHeld, token = "/extended/v3/", 60_000_000, "SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4.sbtc-token::sbtc-token"
	for _, address := range []string{who.String(), second.address(true), other.address(true)} {
		body := fmt.Sprintf(`{"address":%q,"balance":"900000000000000","tokens":{%q:"%d"}}`, address, token, satsHeld)
		if w := post(s, "/mock/v1/accounts", "application/json", []byte(body)); w.Code != 200 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
	}
	var open, active map[string]any
	for _, b := range walked(t, s, v3+"staking/bonds") { // the newest first
		switch b := b.(map[string]any); {
		case textOf(b, "status") == "upcoming" && open == nil:
			open = b
		case textOf(b, "status") == "active" && active == nil:
			active = b
		}
	}
	index, first := uint64(valueAt(open, "index").(float64)), valueAt(open, "schedule", "activation", "pox_cycle").(float64)
	path := fmt.Sprintf("%sstaking/bonds/%d", v3, index)
	if got := textOf(answerTo(t, s, path+"/allowlist/"+who.String()), "max_sats"); got != "50000000" {
		t.Fatalf("it may have %s", got)
	}
	signers := answerTo(t, s, v3+"staking/signers")
	signer, next := principalOf(t, textOf(signers, "results", 0, "signer")), principalOf(t, textOf(signers, "results", 1, "signer"))
	const sats = 10_000_000
	ratio, least := uint64(valueAt(open, "parameters", "stx_value_ratio").(float64)), uint64(valueAt(open, "parameters", "minimum_stx_ratio").(float64))
	stx := ratio * sats / 100 * least / 10_000
	nonces := map[person]uint64{p: answerNonce(t, s, who.String()), second: answerNonce(t, s, second.address(true))}
	burn := func() uint64 {
		return uint64(valueAt(answerTo(t, s, "/v2/pox"), "current_burnchain_block_height").(float64))
	}
	send := func(by person, function string, args ...clarity.Value) string {
		t.Helper()
		id := accepted(t, s, by.signed(t, poxCall(by, nonces[by], function, args...)))
		nonces[by]++
		mine(t, s, 1)
		return textOf(answerTo(t, s, v3+"transactions/0x"+id+"?include=result"), "result", "repr") + " 0x" + id
	}
	register := func(by person, bond, stx, sats uint64, signer clarity.Principal) string {
		t.Helper()
		return send(by, "register-for-bond", n(bond), signer, n(stx), clarity.Err{Value: n(sats)}, clarity.None{})
	}
	refuses := func(got, code string) {
		t.Helper()
		if !strings.HasPrefix(got, "(err "+code+")") {
			t.Errorf("%s, want %s", got, code)
		}
	}
	before := answerTo(t, s, path)
	nobody := clarity.Principal{Address: signer.Address, Contract: "nobody"}
	refuses(register(p, index, stx, 0, signer), "u3")
	refuses(register(p, index, stx, satsHeld+1, signer), "u1")
	refuses(register(p, 999, stx, sats, signer), "u7")
	refuses(register(other, index, stx, sats, signer), "u11")
	refuses(register(p, index, stx-1, sats, signer), "u8")
	refuses(register(p, uint64(valueAt(active, "index").(float64)), 800_000_000e6, sats, signer), "u43")
	refuses(register(p, index, stx, sats, nobody), "u23")
	refuses(register(p, index, 900_000_001e6, sats, signer), "none")
	refuses(register(p, index, stx*6, 50_000_001, signer), "u10")
	if got := send(second, "stake", signer, n(1_000e6), n(1), n(burn()), clarity.None{}); !strings.HasPrefix(got, "(ok ") {
		t.Errorf("the second account stakes: %s", got)
	}
	refuses(register(second, index, stx, sats, signer), "u19")
	onBitcoin := clarity.OK{Value: clarity.Tuple{Fields: []clarity.Field{{Name: "outputs", Value: clarity.List{}}, {Name: "unlock-bytes", Value: clarity.Buffer{1}}}}}
	refuses(send(p, "register-for-bond", n(index), signer, n(stx), onBitcoin, clarity.None{}), "u40")
	refuses(send(p, "update-bond-registration", next, signer, clarity.None{}), "u34")
	refuses(send(p, "unstake-sbtc", signer, n(1)), "u34")
	if after := answerTo(t, s, path); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("after what was refused the bond is %v, before %v", after, before)
	}

	got := register(p, index, stx, sats, signer)
	result, id, _ := strings.Cut(got, " 0x")
	if want := fmt.Sprintf("(ok { amount-ustx: u%d, bond-index: u%d, first-reward-cycle: u%.0f, ", stx, index, first); !strings.HasPrefix(result, want) {
		t.Fatalf("%s, want %s", result, want)
	}
	unlock := valueAt(open, "schedule", "unlock", "bitcoin_height").(float64)
	events := answerTo(t, s, v3+"transactions/0x"+id+"/events")
	if textOf(events, "results", 0, "ft_asset", "amount") != fmt.Sprint(sats) || textOf(events, "results", 0, "ft_asset", "recipient") != "SP000000000000000000002Q6VF78.pox-5" ||
		textOf(events, "results", 1, "stx_lock", "amount") != fmt.Sprint(stx) || valueAt(events, "results", 1, "stx_lock", "unlock_bitcoin_height") != unlock {
		t.Errorf("its events are %v", events)
	}
	is := func(want uint64, signer clarity.Principal) {
		t.Helper()
		whole := answerTo(t, s, path+"/registrations/"+who.String())
		amounts := map[string]any{"btc": fmt.Sprint(want), "stx": fmt.Sprint(stx)}
		if textOf(whole, "signer") != signer.String() || textOf(whole, "type") != "l2" || fmt.Sprint(valueAt(whole, "balances")) != fmt.Sprint(amounts) || textOf(whole, "l2_lockup", "tx_id") != "0x"+id {
			t.Errorf("the registration is %v", whole)
		}
		position := answerTo(t, s, v3+"principals/"+who.String()+"/staking/bonds")
		if fmt.Sprint(valueAt(position, "results", 0, "locked")) != fmt.Sprint(amounts) || textOf(position, "results", 0, "enrollment", "tx_id") != "0x"+id {
			t.Errorf("the position is %v", position)
		}
		body := answerTo(t, s, path)
		btc := new(big.Int).Sub(amountOf(t, body, "balances", "locked", "btc"), amountOf(t, before, "balances", "locked", "btc"))
		more := new(big.Int).Sub(amountOf(t, body, "balances", "locked", "stx"), amountOf(t, before, "balances", "locked", "stx"))
		if btc.Uint64() != want || more.Uint64() != stx || valueAt(body, "registrations", "registered_count").(float64)-valueAt(before, "registrations", "registered_count").(float64) != 1 {
			t.Errorf("the bond is %v, before %v", body, before)
		}
		balance := answerTo(t, s, v3+"principals/"+who.String()+"/balances/ft/"+token)
		if textOf(balance, "balance") != fmt.Sprint(satsHeld-want) {
			t.Errorf("it holds %v", balance)
		}
		for _, row := range walked(t, s, v3+"staking/signers/"+signer.String()+"/stakers") {
			if textOf(row, "staker") == who.String() {
				return
			}
		}
		t.Errorf("%s does not have the staker", signer)
	}
	is(sats, signer)
	stxBalance := answerTo(t, s, v3+"principals/"+who.String()+"/balances/stx")
	if textOf(stxBalance, "locked", "amount") != fmt.Sprint(stx) || textOf(stxBalance, "locked", "lock_tx_id") != "0x"+id || valueAt(stxBalance, "locked", "burn_unlock_height") != unlock {
		t.Errorf("its lock is %v", stxBalance)
	}
	if node := answerTo(t, s, "/v2/accounts/"+who.String()); node["locked"] != fmt.Sprintf("0x%032x", stx) || node["unlock_height"] != unlock {
		t.Errorf("a node says %v", node)
	}
	if reason, _ := refused(t, s, p.signed(t, p.mainnetTx(nonces[p], 1_000, to(t, other.address(true), 900_000_000e6-stx)))); reason != "NotEnoughFunds" {
		t.Errorf("a transfer of what is locked: %s", reason)
	}
	refuses(register(p, index, stx, sats, signer), "u9")
	refuses(send(p, "stake", signer, n(1), n(1), n(burn()), clarity.None{}), "u19")
	refuses(send(p, "update-bond-registration", next, next, clarity.None{}), "u36")
	refuses(send(p, "update-bond-registration", signer, signer, clarity.None{}), "u44")
	refuses(send(p, "update-bond-registration", nobody, signer, clarity.None{}), "u23")
	if got := send(p, "update-bond-registration", next, signer, clarity.None{}); !strings.HasPrefix(got, "(ok true)") {
		t.Errorf("another signer: %s", got)
	}
	is(sats, next)
	refuses(send(p, "unstake-sbtc", next, n(sats+1)), "u37")
	refuses(send(p, "unstake-sbtc", signer, n(1)), "u36")
	if got := send(p, "unstake-sbtc", next, n(4_000_000)); !strings.HasPrefix(got, "(ok { new-amount-sats: u6000000, ") {
		t.Errorf("sBTC back: %s", got)
	}
	is(6_000_000, next)

	// With its last cycle it is no membership any more; what it locks is unlocked half a cycle later.
	until := func(burnBlock float64) {
		t.Helper()
		for left := burnBlock - float64(burn()); left > 0; left = burnBlock - float64(burn()) {
			if w := post(s, "/mock/v1/clock", "application/json", []byte(fmt.Sprintf(`{"advance":"%dm"}`, max(10, 10*int64(left-3))))); w.Code != 200 {
				t.Fatalf("%d %s", w.Code, w.Body)
			}
		}
	}
	cycle := func() float64 { return valueAt(answerTo(t, s, "/v2/pox"), "reward_cycle_id").(float64) }
	status := func() string { return textOf(answerTo(t, s, path), "status") }
	lock := func() any {
		return valueAt(answerTo(t, s, v3+"principals/"+who.String()+"/balances/stx"), "locked")
	}
	until(unlock - 1_050 - 20)
	if cycle() != first+11 || status() != "active" {
		t.Errorf("in its last cycle, %.0f, the bond is %s", cycle(), status())
	}
	refuses(register(p, index+6, stx*10, sats, next), "u9")
	until(unlock - 1_050)
	if cycle() != first+12 || status() != "active" || lock() == nil {
		t.Errorf("in cycle %.0f the bond is %s with the lock %v", cycle(), status(), lock())
	}
	refuses(send(p, "update-bond-registration", signer, next, clarity.None{}), "u34")
	if got := send(p, "unstake-sbtc", next, n(5_000_000)); !strings.HasPrefix(got, "(ok { new-amount-sats: u1000000, ") {
		t.Errorf("sBTC back at the end: %s", got)
	}
	until(unlock - 20)
	if status() != "active" || lock() == nil {
		t.Errorf("before the end at %.0f the bond is %s with the lock %v", unlock, status(), lock())
	}
	until(unlock)
	if status() != "unlocked" || lock() != nil {
		t.Errorf("at %d, after the end at %.0f, the bond is %s with the lock %v", burn(), unlock, status(), lock())
	}
}

func answerNonce(t testing.TB, s *Server, who string) uint64 {
	t.Helper()
	return uint64(valueAt(answerTo(t, s, "/v2/accounts/"+who), "nonce").(float64))
}
