//go:build clarity

package mockserver

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"

	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// changesItsMind is a signer whose calls of pox-5 are rolled back.
const changesItsMind = takesEveryone + `
(define-private (takes-key (me <signer>) (key (buff 33)))
  (as-contract? () (try! (contract-call? 'ST000000000000000000002AMW42H.pox-5 register-signer me key))))
(define-public (registers-and-fails (me <signer>) (key (buff 33)))
  (begin (try! (takes-key me key)) (if (is-eq key 0x00) (ok true) (err u7))))
(define-public (register-not (me <signer>) (key (buff 33)))
  (match (registers-and-fails me key) yes (ok true) no (ok false)))
`

// onPoX sends a call of pox-5 and mines it.
func (d *troupe) onPoX(i int, result, function string, args ...clarity.Value) string {
	d.Helper()
	id := d.send(i, stxtx.ContractCall{Contract: principalOf(d, "ST000000000000000000002AMW42H.pox-5"), Function: function, Args: args})
	mine(d.T, d.s, 1)
	if m := d.ended(id); !strings.HasPrefix(m.Result.Repr, result) {
		d.Fatalf("%s: %s %s, want %s", function, m.Result.Repr, d.errorOf(m), result)
	}
	return id
}

// grants lets a signer register the key of somebody.
func (d *troupe) grants(signer clarity.Principal, auth uint64, name string) (key clarity.Buffer, id string) {
	d.Helper()
	pox := principalOf(d, "ST000000000000000000002AMW42H.pox-5")
	hash, err := hex.DecodeString(strings.TrimPrefix(d.readsOf(pox, "get-signer-grant-message-hash", signer, clarity.NewUInt(auth)), "0x"))
	if err != nil {
		d.Fatal(err)
	}
	key = someone(name).key.PubKey().SerializeCompressed()
	signature := ecdsa.SignCompact(someone(name).key, hash, true)
	granted := clarity.Buffer(append(bytes.Clone(signature[1:]), signature[0]-31))
	return key, d.onPoX(0, "(ok true)", "grant-signer-key", key, signer, clarity.NewUInt(auth), granted)
}

// rows returns what a list of staking has, each as a text, and its total.
func (d *troupe) rows(path string, row func(any) string) string {
	d.Helper()
	body := answerTo(d, d.s, "/extended/v3/staking/"+path)
	all := fmt.Sprint(body["total"])
	for _, one := range body["results"].([]any) {
		all += " " + row(one)
	}
	return all
}

func (d *troupe) signers() string {
	d.Helper()
	return d.rows("signers", func(v any) string { return textOf(v, "signer") + "=" + textOf(v, "signer_key") })
}

func (d *troupe) stakersOf(signer clarity.Principal) string {
	d.Helper()
	return d.rows("signers/"+signer.String()+"/stakers", func(v any) string { return textOf(v, "staker") + "=" + fmt.Sprint(valueAt(v, "types")) })
}

// The lists of staking have what pox-5 did in the virtual machine, and nothing that was rolled back.
func TestTheListsOfStakingHaveWhatRan(t *testing.T) {
	cfg := realEngine()
	cfg.State = filepath.Join(t.TempDir(), "state")
	d := newTroupe(t, cfg)
	one, two := d.contract("one"), d.contract("two")
	staker := d.who(1)
	d.does(d.deploys("one", takesEveryone), "(ok true)")
	d.does(d.deploys("two", changesItsMind), "(ok true)")
	d.wants(d.signers()+d.stakersOf(one)+d.rows("bonds", nil), "000")
	noCycle := get(d.s, "/extended/v3/staking/cycles/current/signers")
	d.wants(fmt.Sprint(noCycle.Code, noCycle.Body), `404 {"statusCode":404,"error":"Not Found","message":"No PoX cycles found"}`)

	first, granted := d.grants(one, 1, "alice") // whose account is that of the key, and may revoke it
	d.control("snapshot", `{"name":"granted"}`)
	registered := d.calls(0, "one", "register", one, first)
	d.does(registered, "(ok { signer-key: "+clarity.Repr(first)+", signer: '"+one.String()+" })")
	d.wants(d.signers(), "1 "+one.String()+"="+clarity.Repr(first))
	height := valueAt(answerTo(t, d.s, "/extended/v1/tx/0x"+registered), "block_height")
	if body := answerTo(t, d.s, "/extended/v3/staking/signers/"+one.String()); textOf(body, "transaction", "tx_id") != "0x"+registered || valueAt(body, "transaction", "block", "height") != height {
		t.Errorf("%v, registered in block %v by %s", body, height, registered)
	}
	key, _ := d.grants(two, 2, "the second key")
	d.does(d.calls(0, "two", "register-not", two, key), "(ok false)")
	d.wants(d.signers(), "1 "+one.String()+"="+clarity.Repr(first))
	d.does(d.calls(0, "two", "register", two, key), "(ok { signer-key: "+clarity.Repr(key)+", signer: '"+two.String()+" })")
	d.wants(d.signers(), "2 "+one.String()+"="+clarity.Repr(first)+" "+two.String()+"="+clarity.Repr(key))

	burn := clarity.NewUInt(uint64(d.burn()))
	d.onPoX(1, "(ok", "stake", two, clarity.NewUInt(200_000e6), clarity.NewUInt(2), burn, clarity.None{})
	d.onPoX(1, "(err u19)", "stake", one, clarity.NewUInt(1_000e6), clarity.NewUInt(2), burn, clarity.None{})
	d.wants(d.stakersOf(two), "1 "+staker.String()+"=[stx]")
	d.onPoX(1, "(ok", "stake-update", one, two, clarity.NewUInt(1), clarity.NewUInt(100_000e6), clarity.None{})
	d.wants(d.stakersOf(one)+d.stakersOf(two), "1 "+staker.String()+"=[stx]0")
	d.wants(locksAgree(t, d.s, staker.String()).String(), "300000000000")
	if got := answerTo(t, d.s, "/extended/v3/principals/"+staker.String()+"/staking"); textOf(got, "stx", "rewards", "btc", "accrued") != "0" || valueAt(got, "bonds", "count") != 0. {
		t.Errorf("what nobody pays is earned: %v", got)
	}
	d.onPoX(0, "(err u1)", "setup-bond", clarity.NewUInt(3), clarity.NewUInt(300), clarity.NewUInt(250_000), clarity.NewUInt(1_000), clarity.Buffer{1}, d.who(0), clarity.List{})
	d.wants(d.rows("bonds", nil), "0")

	d.control("clock", `{"advance":"167h"}`) // into the prepare phase of the first cycle, from burn block 1,000 on
	later, another := d.grants(one, 3, "the key after it")
	d.does(d.calls(0, "one", "register", one, later), "(ok { signer-key: "+clarity.Repr(later)+", signer: '"+one.String()+" })")
	d.wants(d.signers(), "2 "+one.String()+"="+clarity.Repr(later)+" "+two.String()+"="+clarity.Repr(key))
	if got := d.burn(); got < 1_000 || got >= 1_050 {
		t.Fatalf("burn block %d is in no prepare phase", got)
	}
	d.control("clock", `{"advance":"8h"}`) // into the next cycle
	d.signsTheCycle(one, first, later, granted, another)
	d.s.Close()
	again, _ := newServer(t, cfg)
	before := d.signers() + d.stakersOf(one)
	d.s = again
	d.wants(d.signers()+d.stakersOf(one), before)
	d.signsTheCycle(one, first, later, granted, another)
	d.onPoX(0, "(ok", "revoke-signer-grant", one, first)
	if manager := valueAt(answerTo(t, d.s, "/extended/v3/staking/cycles/current/signers"), "results", 0, "signer_managers", 0); textOf(manager, "granted_keys", 0, "signer_key") != clarity.Repr(later) || valueAt(manager, "grant_active") != false {
		t.Errorf("%v", manager)
	}

	d.onPoX(1, "(ok", "unstake", one)
	d.wants(d.stakersOf(one), "1 "+staker.String()+"=[stx]")
	d.control("clock", fmt.Sprintf(`{"advance":"%dm"}`, 10*(2_624-d.burn()))) // half of the cycle later, but for a block
	d.wants(fmt.Sprintf("%d %s %v", d.burn(), d.stakersOf(one), locksAgree(t, d.s, staker.String())), "2624 1 "+staker.String()+"=[stx] 300000000000")
	d.control("clock", `{"advance":"10m"}`)
	d.wants(fmt.Sprintf("%d %s %v", d.burn(), d.stakersOf(one), locksAgree(t, d.s, staker.String())), "2625 0 0")
	d.control("revert", `{"to":"granted"}`)
	d.wants(d.signers(), "0")
}

func (d *troupe) burn() int64 {
	return int64(valueAt(answerTo(d, d.s, "/v2/pox"), "current_burnchain_block_height").(float64))
}

// signsTheCycle wants a signer with all that is staked to sign the cycle, in every route, and to have
// another key in the next.
func (d *troupe) signsTheCycle(signer clarity.Principal, key, next clarity.Buffer, grants ...string) {
	d.Helper()
	body := answerTo(d, d.s, "/extended/v3/staking/cycles/current/signers")
	manager := valueAt(body, "results", 0, "signer_managers", 0)
	if body["total"] != 1. || textOf(body, "results", 0, "signing_key") != clarity.Repr(key) || textOf(body, "results", 0, "staked_stx", "amount") != "300000000000" ||
		valueAt(body, "results", 0, "weight", "amount") != 2. || textOf(manager, "signer_manager") != signer.String() || valueAt(manager, "grant_active") != true ||
		textOf(manager, "pending_key_update", "signer_key") != clarity.Repr(next) || valueAt(manager, "pending_key_update", "effective_cycle") != 2. {
		d.Errorf("%v", body)
	}
	for i, auth := range []string{"1", "3"} {
		if textOf(manager, "granted_keys", i, "tx_id") != "0x"+grants[i] || textOf(manager, "granted_keys", i, "auth_id") != auth {
			d.Errorf("grant %d: %v", i, manager)
		}
	}
	pox := read[map[string]any](d.T, call(d.s, http.MethodGet, "/v2/pox", "X-Mock-Network", "testnet"))
	if valueAt(pox, "current_cycle", "id") != 1. || valueAt(pox, "current_cycle", "stacked_ustx") != 300_000e6 || valueAt(pox, "next_cycle", "stacked_ustx") != 300_000e6 {
		d.Errorf("%v %v", pox["current_cycle"], pox["next_cycle"])
	}
	if v2 := read[map[string]any](d.T, call(d.s, http.MethodGet, "/extended/v2/pox/cycles/1/signers", "X-Mock-Network", "testnet")); v2["total"] != 1. || textOf(v2, "results", 0, "stacked_amount") != "300000000000" {
		d.Errorf("%v", v2)
	}
}
