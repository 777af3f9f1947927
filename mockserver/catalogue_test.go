package mockserver

import (
	"fmt"
	"strings"
	"testing"

	"chainscope/wallet/clarity"
	"chainscope/wallet/facts"
	"chainscope/wallet/stxtx"
)

// What a contract sees of tokens of the catalogue, and of a contract that runs, is what the API
// returns, whatever moves them.
func TestATokenIsOneThing(t *testing.T) {
	d := newTroupe(t, fakeEngine())
	token := clarity.Principal{}
	for _, one := range d.s.service.Tokens().Fungibles() {
		if strings.HasPrefix(one.Principal, "ST") {
			token, _ = clarity.ParseContract(one.Principal)
		}
	}
	own := d.contract("c")
	request := func(contract, of clarity.Principal, n string) {
		t.Helper()
		asset := stxtx.Asset{Contract: contract, Name: map[bool]string{true: "coin", false: "rehearsal"}[contract == own]}
		d.wants(d.reads("c", "holds", contract, of), n)
		d.wants("u"+d.s.world.State().Ledger(of).Balance(of, asset).String(), n)
	}
	give := func(body string) string {
		t.Helper()
		return post(d.s, "/mock/v1/accounts", "application/json", fmt.Appendf(nil, `{"address":%q,"tokens":{%s}}`, d.who(0), body)).Body.String()
	}
	d.does(d.deploys("c", "(define-fungible-token coin)"), "(ok true)")
	request(token, d.who(0), "u0")
	give(fmt.Sprintf(`"%s::rehearsal":"340282366920938463463"`, token))
	request(token, d.who(0), "u340282366920938463463")
	give(fmt.Sprintf(`"%s::rehearsal":"90"`, token))
	request(token, d.who(0), "u90")
	d.control("snapshot", "{}")
	transfer := func(contract clarity.Principal, n uint64) string {
		return d.send(0, stxtx.ContractCall{Contract: contract, Function: "transfer", Args: []clarity.Value{clarity.NewUInt(n), d.who(0), d.who(1), clarity.None{}}})
	}
	d.does(transfer(token, 30), "(ok true)")
	request(token, d.who(0), "u60")
	request(token, d.who(1), "u30")
	refused := transfer(token, 61)
	mine(t, d.s, 1)
	d.wants(d.ended(refused).Result.Repr, "(err u1)")
	give(fmt.Sprintf(`"%s::coin":"7"`, own))
	request(own, d.who(0), "u7")
	tx := d.people[0].testnetTx(d.nonces[0], 30_000, stxtx.ContractCall{Contract: own, Function: "add", Args: []clarity.Value{clarity.NewUInt(3)}})
	accepted(t, d.s, d.people[0].signed(t, tx))
	mine(t, d.s, 1)
	request(own, d.who(0), "u7")
	d.control("reorg", `{"depth":3}`)
	request(token, d.who(0), "u90")
	request(own, d.who(0), "u7")
	d.control("revert", "{}")
	request(token, d.who(0), "u90")
	request(own, d.who(0), "u0")
	// What only the ledger has goes back too.
	give(fmt.Sprintf(`"%s::coin":"5","%s::rehearsal":"80"`, own, token))
	request(own, d.who(0), "u5")
	d.control("revert", "{}")
	request(own, d.who(0), "u0")
	request(token, d.who(0), "u90")
	d.control("contracts", fmt.Sprintf(`{"contract":"%s.mint","calls":{"go":{"result":"(ok true)","moves":[{"asset":"%s::rehearsal","from":"sender","amount":"u9"}]}}}`, d.who(0), token))
	d.nonces[0] = 1
	d.does(d.calls(0, "mint", "go"), "(ok true)")
	request(token, d.who(0), "u81")
	d.control("reorg", `{"depth":1}`)
	request(token, d.who(0), "u90")
	give(fmt.Sprintf(`"%s::coin":"9"`, own))
	for body, want := range map[string]string{
		fmt.Sprintf(`"%s::coin":"8"`, own):                     "can be given and not taken",
		fmt.Sprintf(`"%s::coin":"18446744073709551625"`, own):  "at most 18446744073709551615 can be given at once",
		fmt.Sprintf(`"%s::BNS-V2":"8"`, facts.BNS2(true)):      "has no fungible token",
		fmt.Sprintf(`"%s::dime":"8"`, own):                     "has no fungible token",
		fmt.Sprintf(`"%s::dime":"8"`, d.contract("elsewhere")): "no such contract runs on testnet; deploy it first",
	} {
		if got := give(body); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	}
	request(own, d.who(0), "u9")
}

// A deploy that names what does not run says what would be right.
func TestADeployThatLacksAContractSaysWhatWouldBeRight(t *testing.T) {
	d := newTroupe(t, fakeEngine())
	i := 0
	for lacks, want := range map[string]string{
		"SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE.sip-010-trait-ft-standard": "there it is ST1NXBK3K5YYMD6FD41MVNP3JS1GABZ8TRVX023PT.sip-010-trait-ft-standard",
		"SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.harbor-dollar":             "make it a requirement of a --project",
		facts.BNS2(false): "there it is " + facts.BNS2(true),
		"ST2QEZ06AGJ3RKJPBV14SY1V5BBFNAW33D9SZJQ0M.nothing": "nothing'",
	} {
		i++
		id := d.deploys(fmt.Sprintf("c%d", i), ";; lacks "+lacks)
		mine(t, d.s, 1)
		if m := d.ended(id); m.Status != "abort_by_response" || !strings.HasSuffix(*m.Error, want) && !strings.Contains(*m.Error, want+". ") {
			t.Errorf("%s: %s, want %s", lacks, *m.Error, want)
		}
	}
}

// A contract can be given STX where contracts run, and none can be taken: a refusal says so, and
// calls go on.
func TestAContractThatRunsIsNotMadePoorer(t *testing.T) {
	d := newTroupe(t, fakeEngine())
	d.does(d.deploys("counter", "(define-read-only (total) u0)"), "(ok true)")
	own := d.contract("counter")
	give := func(amount string) (int, string) {
		w := post(d.s, "/mock/v1/accounts", "application/json", []byte(fmt.Sprintf(`{"address":"%s","balance":"%s"}`, own, amount)))
		return w.Code, w.Body.String()
	}
	if code, text := give("1000"); code != 200 {
		t.Fatal(text)
	}
	if code, text := give("999"); code != 400 || !strings.Contains(text, "give at least 1000 micro-STX") {
		t.Errorf("%d %s", code, text)
	}
	d.does(d.calls(0, "counter", "add", clarity.NewUInt(1)), "(ok u1)")
	d.wants(d.balance(own), "u1000")
}
