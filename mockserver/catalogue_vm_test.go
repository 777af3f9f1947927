//go:build clarity

package mockserver

import (
	"fmt"
	"math/big"
	"testing"
	"time"

	"chainscope/mockserver/history"
	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

const (
	rehearsalToken = "ST355K6K7CD8HGWKR67E5PZ9CP18274XGZ7NB44PK.rehearsal-token"
	rehearsalPass  = "ST355K6K7CD8HGWKR67E5PZ9CP18274XGZ7NB44PK.rehearsal-pass"
)

// tellerSource holds tokens of the catalogue, and reports what it sees of them.
const tellerSource = `
(use-trait ft 'ST1NXBK3K5YYMD6FD41MVNP3JS1GABZ8TRVX023PT.sip-010-trait-ft-standard.sip-010-trait)
(use-trait nft 'ST1NXBK3K5YYMD6FD41MVNP3JS1GABZ8TRVX023PT.nft-trait.nft-trait)
(define-read-only (of (who principal)) (unwrap-panic (contract-call? '` + rehearsalToken + ` get-balance who)))
(define-read-only (supply) (unwrap-panic (contract-call? '` + rehearsalToken + ` get-total-supply)))
(define-read-only (owner (id uint)) (unwrap-panic (contract-call? '` + rehearsalPass + ` get-owner id)))
(define-public (put (token <ft>) (amount uint))
  (contract-call? token transfer amount tx-sender current-contract none))
(define-public (take (token <ft>) (amount uint))
  (let ((who tx-sender))
    (as-contract? ((with-all-assets-unsafe)) (try! (contract-call? token transfer amount tx-sender who (some 0x6d))))))
(define-public (lend (pass <nft>) (id uint))
  (contract-call? pass transfer id tx-sender current-contract))
(define-public (about (token <ft>))
  (ok (list (try! (contract-call? token get-decimals)) (try! (contract-call? token get-total-supply)))))
(define-public (named (token <ft>))
  (ok {name: (try! (contract-call? token get-name)), symbol: (try! (contract-call? token get-symbol)), uri: (try! (contract-call? token get-token-uri))}))
`

func idOf(t testing.TB, text string) clarity.Principal {
	t.Helper()
	p, err := clarity.ParsePrincipal(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// tokensOf returns what the API says of somebody's rehearsal tokens.
func (d *troupe) tokensOf(p clarity.Principal) string {
	d.Helper()
	body := read[struct {
		FT map[string]struct{ Balance string } `json:"fungible_tokens"`
	}](d.T, get(d.s, "/extended/v1/address/"+p.String()+"/balances"))
	n := body.FT[rehearsalToken+"::rehearsal"].Balance
	if n == "" {
		n = "0"
	}
	return "u" + n
}

// A contract that runs sees of tokens of the catalogue what the API shows, whoever moves them.
func TestTheVirtualMachineHasTheTokensOfTheCatalogue(t *testing.T) {
	d := newTroupe(t, realEngine())
	token, pass := idOf(t, rehearsalToken), idOf(t, rehearsalPass)
	people := append(history.Accounts(false)[:2:2], d.who(0), d.who(1), d.contract("teller"), clarity.Principal{Address: token.Address})
	agree := func() {
		t.Helper()
		for _, p := range people {
			d.wants(d.reads("teller", "of", p), d.tokensOf(p))
			d.wants("(ok "+d.reads("teller", "of", p)+")", d.readsOf(token, "get-balance", p))
		}
		d.wants("(ok "+d.reads("teller", "supply")+")", d.readsOf(token, "get-total-supply"))
		for id := range uint64(12) {
			d.wants("(ok "+d.reads("teller", "owner", clarity.NewUInt(id))+")", d.readsOf(pass, "get-owner", clarity.NewUInt(id)))
		}
	}
	give := func(i int, n string) {
		t.Helper()
		d.control("accounts", fmt.Sprintf(`{"address":%q,"tokens":{"%s::rehearsal":%q}}`, d.who(i), rehearsalToken, n))
	}
	began := time.Now()
	d.does(d.deploys("teller", tellerSource), "(ok true)")
	t.Logf("the deploy, with all that it needs: %v", time.Since(began))
	agree()
	d.wants(d.reads("teller", "of", people[0]), "u5000000000")
	d.does(d.calls(0, "teller", "about", token), "(ok (list u6 u1000000000000))")
	d.does(d.calls(0, "teller", "named", token), `(ok { name: "Rehearsal Token", symbol: "TRY", uri: none })`)
	give(0, "1000")
	give(1, "340282366920938463463")
	agree()
	d.wants(d.reads("teller", "of", d.who(1)), "u340282366920938463463")
	give(1, "7")
	agree()
	// In a contract, and by itself.
	put := d.does(d.calls(0, "teller", "put", token, clarity.NewUInt(400)), "(ok true)")
	if len(put.Events) != 1 || put.Events[0]["event_type"] != "fungible_token_asset" {
		t.Errorf("the events are %v", put.Events)
	}
	agree()
	transfer := func(i int, n uint64, from, to clarity.Principal) string {
		return d.send(i, stxtx.ContractCall{Contract: token, Function: "transfer", Args: []clarity.Value{clarity.NewUInt(n), from, to, clarity.None{}}})
	}
	d.does(transfer(0, 50, d.who(0), d.who(1)), "(ok true)")
	d.does(d.calls(1, "teller", "take", token, clarity.NewUInt(100)), "(ok true)")
	agree()
	d.wants(d.tokensOf(d.who(1)), "u157")
	for want, id := range map[string]string{
		"(err u1)": transfer(0, 551, d.who(0), d.who(1)), "(err u2)": transfer(0, 1, d.who(0), d.who(0)),
		"(err u3)": transfer(0, 0, d.who(0), d.who(1)), "(err u4)": transfer(0, 1, d.who(1), d.who(0)),
	} {
		mine(t, d.s, 1)
		d.wants(d.ended(id).Result.Repr, want)
	}
	aborted := d.send(0, stxtx.ContractCall{Contract: d.contract("teller"), Function: "put", Args: []clarity.Value{token, clarity.NewUInt(5)}},
		stxtx.PostCondition{Asset: stxtx.AssetFT, Token: stxtx.Asset{Contract: token, Name: "rehearsal"}, Condition: stxtx.SentLess, Amount: 5})
	mine(t, d.s, 1)
	d.wants(d.ended(aborted).Status, "abort_by_post_condition")
	agree()
	// A canned call moves them too, and goes back.
	d.control("snapshot", `{"name":"here"}`)
	d.control("contracts", fmt.Sprintf(`{"contract":"%s.mint","calls":{"go":{"result":"(ok true)","moves":[{"asset":"%s::rehearsal","to":"sender","amount":"u9"},{"asset":"%s::pass","to":"sender","id":"u11"}]}}}`, d.who(0), rehearsalToken, rehearsalPass))
	d.does(d.calls(0, "mint", "go"), "(ok true)")
	agree()
	d.wants(d.reads("teller", "owner", clarity.NewUInt(11)), "(some '"+d.who(0).String()+")")
	d.does(d.calls(0, "teller", "lend", pass, clarity.NewUInt(11)), "(ok true)")
	agree()
	d.control("reorg", `{"depth":2}`)
	agree()
	d.wants(d.reads("teller", "owner", clarity.NewUInt(11)), "none")
	mine(t, d.s, 1)
	agree()
	d.control("revert", `{"to":"here"}`)
	agree()
	d.control("reset", "{}")
	d.nonces = [2]uint64{}
	d.does(d.deploys("teller", tellerSource), "(ok true)")
	agree()
	if d.s.world.State().Ledger(token).Supply(stxtx.Asset{Contract: token, Name: "rehearsal"}).Cmp(big.NewInt(1_000_000_000_000)) != 0 {
		t.Error("the supply is another after a reset")
	}
}
