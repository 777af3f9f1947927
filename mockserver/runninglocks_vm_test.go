//go:build clarity

package mockserver

import (
	"bytes"
	"encoding/hex"
	"math/big"
	"strings"
	"testing"

	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"

	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// takesEveryone is a signer of pox-5 that registers itself, and a contract that stakes what it has.
const takesEveryone = `
(use-trait signer 'ST000000000000000000002AMW42H.pox-5.signer-manager-trait)
(define-public (validate-stake! (staker principal) (first uint) (cycles uint) (amount uint) (sats uint) (bond bool) (data (optional (buff 500)))) (ok true))
(define-public (checkpoint-staker (staker principal) (first uint) (cycles uint) (bond bool)) (ok true))
(define-public (register (me <signer>) (key (buff 33)))
  (as-contract? () (try! (contract-call? 'ST000000000000000000002AMW42H.pox-5 register-signer me key))))
(define-public (stake (with <signer>) (amount uint))
  (as-contract? ((with-stacking amount)) (try! (contract-call? 'ST000000000000000000002AMW42H.pox-5 stake with amount u2 burn-block-height none))))
(define-read-only (locked (who principal)) (get locked (stx-account who)))
`

// pox-5 itself stakes: what an account and a contract lock in the virtual machine is what every route
// reports, until it is unlocked there too.
func TestWhoStakesInTheVirtualMachineHasItLocked(t *testing.T) {
	d := newTroupe(t, realEngine())
	pox := principalOf(t, "ST000000000000000000002AMW42H.pox-5")
	signer := d.contract("signer")
	d.does(d.deploys("signer", takesEveryone), "(ok true)")
	key := someone("a signer's key").key
	public := clarity.Buffer(key.PubKey().SerializeCompressed())
	hash, err := hex.DecodeString(strings.TrimPrefix(d.readsOf(pox, "get-signer-grant-message-hash", signer, clarity.NewUInt(1)), "0x"))
	if err != nil {
		t.Fatal(err)
	}
	signature := ecdsa.SignCompact(key, hash, true)
	granted := clarity.Buffer(append(bytes.Clone(signature[1:]), signature[0]-31))
	on := func(i int, function string, args ...clarity.Value) act {
		t.Helper()
		id := d.send(i, stxtx.ContractCall{Contract: pox, Function: function, Args: args})
		mine(t, d.s, 1)
		m := d.ended(id)
		if m.Status != "success" {
			t.Fatalf("%s: %s %s", function, m.Result.Repr, d.errorOf(m))
		}
		return m
	}
	on(0, "grant-signer-key", public, signer, clarity.NewUInt(1), granted)
	d.does(d.calls(0, "signer", "register", signer, public), "(ok { signer-key: "+clarity.Repr(public)+", signer: '"+signer.String()+" })")
	burn := uint64(valueAt(answerTo(t, d.s, "/v2/pox"), "current_burnchain_block_height").(float64))
	staked := on(1, "stake", signer, clarity.NewUInt(100_000e6), clarity.NewUInt(2), clarity.NewUInt(burn), clarity.None{})
	who := d.who(1).String()
	if got := locksAgree(t, d.s, who); got.Cmp(big.NewInt(100_000e6)) != 0 || !strings.Contains(staked.Result.Repr, "unlock-burn-height: u3675") {
		t.Errorf("%v are locked, and the call answered %s", got, staked.Result.Repr)
	}
	v3 := answerTo(t, d.s, "/extended/v3/principals/"+who+"/balances/stx")
	if valueAt(v3, "locked", "pox_version") != 5. || valueAt(v3, "locked", "burn_unlock_height") != 3_675. {
		t.Errorf("%v", v3["locked"])
	}
	d.wants(d.reads("signer", "locked", d.who(1)), "u100000000000")

	d.control("accounts", `{"address":"`+signer.String()+`","balance":"70000000000"}`)
	call := d.calls(1, "signer", "stake", signer, clarity.NewUInt(60_000e6))
	mine(t, d.s, 1)
	if m := d.ended(call); m.Status != "success" || locksAgree(t, d.s, signer.String()).Cmp(big.NewInt(60_000e6)) != 0 {
		t.Errorf("a contract that stakes: %s %s, %v", m.Result.Repr, d.errorOf(m), m.Events)
	}

	d.control("clock", `{"advance":"612h"}`) // past burn block 3,675
	if got := locksAgree(t, d.s, who); got.Sign() != 0 {
		t.Errorf("%v are locked when it is over", got)
	}
	d.wants(d.reads("signer", "locked", d.who(1)), "u0")
}

func (d *troupe) errorOf(m act) string {
	if m.Error == nil {
		return ""
	}
	return *m.Error
}
