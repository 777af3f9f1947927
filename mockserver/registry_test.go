package mockserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"chainscope/wallet/clarity"
	"chainscope/wallet/facts"
	"chainscope/wallet/keys"
	"chainscope/wallet/stxtx"
)

// tester returns an account of the test mnemonic.
func tester(t testing.TB, account uint32) person {
	t.Helper()
	key, err := keys.NewTestRing().Stacks(account)
	if err != nil {
		t.Fatal(err)
	}
	return person{key.Secp256k1()}
}

// reads calls a read-only function and returns its answer as text.
func reads(t testing.TB, s *Server, contract, function string, args ...clarity.Value) string {
	t.Helper()
	list := []string{}
	for _, arg := range args {
		list = append(list, hexOf(t, arg))
	}
	requested, err := json.Marshal(map[string]any{"sender": "SP000000000000000000002Q6VF78", "arguments": list})
	if err != nil {
		t.Fatal(err)
	}
	answer := read[struct {
		Okay          bool
		Result, Cause string
	}](t, post(s, "/v2/contracts/call-read/"+strings.Replace(contract, ".", "/", 1)+"/"+function, "application/json", requested))
	if !answer.Okay {
		return answer.Cause
	}
	v, err := clarity.DecodeHex(answer.Result)
	if err != nil {
		t.Fatal(err)
	}
	return clarity.Repr(v)
}

func principalOf(t testing.TB, text string) clarity.Principal {
	t.Helper()
	p, err := clarity.ParsePrincipal(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func buff(text string) clarity.Value { return clarity.Buffer(text) }

func TestTheRegistryHasTheNamesOfTheCatalogue(t *testing.T) {
	s, _ := newServer(t, Config{Seed: 4})
	for _, at := range []string{facts.BNS2(false), facts.BNS2(true)} {
		answer := func(function string, args ...clarity.Value) string { return reads(t, s, at, function, args...) }
		mainnet := strings.HasPrefix(at, "SP")
		alice := tester(t, 0).address(mainnet)
		for name, owner := range map[string]string{"alice": alice, "muneeb": tester(t, 1).address(mainnet), "satoshi": tester(t, 2).address(mainnet)} {
			id := strings.TrimSuffix(strings.TrimPrefix(answer("get-id-from-bns", buff(name), buff("btc")), "(some u"), ")")
			n := clarity.NewUInt(number(t, id))
			full := fmt.Sprintf("{ name: 0x%x, namespace: 0x%x }", name, "btc")
			for function, want := range map[string]string{
				answer("get-bns-from-id", n):                                   "(some " + full + ")",
				answer("get-owner", n):                                         "(ok (some '" + owner + "))",
				answer("get-owner-name", buff(name), buff("btc")):              "(ok (some '" + owner + "))",
				answer("get-primary-name", principalOf(t, owner)):              "(some u" + id + ")",
				answer("get-primary", principalOf(t, owner)):                   "(ok (some " + full + "))",
				answer("get-bns-info", buff(name), buff("btc"))[:len("(some")]: "(some",
			} {
				if function != want {
					t.Errorf("%s of %s: got %s, want %s", name, at, function, want)
				}
			}
			if info := answer("get-bns-info", buff(name), buff("btc")); !strings.Contains(info, "owner: '"+owner+",") {
				t.Errorf("about %s: %s", name, info)
			}
		}
		for function, want := range map[string]string{
			answer("get-id-from-bns", buff("nobody-has-this"), buff("btc")):        "none",
			answer("get-id-from-bns", buff("alice"), buff("nowhere")):              "none",
			answer("get-bns-info", buff("nobody-has-this"), buff("btc")):           "none",
			answer("get-owner-name", buff("nobody-has-this"), buff("btc")):         "(err u106)",
			answer("get-bns-from-id", clarity.NewUInt(0)):                          "none",
			answer("get-owner", clarity.NewUInt(1<<40)):                            "(ok none)",
			answer("get-primary", principalOf(t, someone("nobody").address(true))): "(err u131)",
			answer("get-owner"):                     "Unchecked(IncorrectArgumentCount(1, 0))",
			answer("get-owner", clarity.Bool(true)): "Unchecked(TypeValueError(UIntType, Bool(true)))",
			answer("register-name"):                 `Unchecked(UndefinedFunction("register-name"))`,
			answer("transfer", clarity.NewUInt(1), principalOf(t, alice), principalOf(t, alice)): "NotReadOnly",
		} {
			if function != want {
				t.Errorf("%s: got %s, want %s", at, function, want)
			}
		}
		// Every name that endpoint 7 lists has an owner of its own, who holds it.
		for _, space := range []string{"btc", "app", "stx"} {
			list := read[[]string](t, get(s, "/v1/namespaces/"+space+"/names?page=1"))
			seen := map[string]bool{}
			for _, name := range list[:20] {
				label, _, _ := strings.Cut(name, ".")
				owner := strings.TrimSuffix(strings.TrimPrefix(answer("get-owner-name", buff(label), buff(space)), "(ok (some '"), "))")
				if seen[owner] {
					t.Fatalf("%s: %s has another name already", name, owner)
				}
				seen[owner] = true
				if primary := answer("get-primary", principalOf(t, owner)); primary != fmt.Sprintf("(ok (some { name: 0x%x, namespace: 0x%x }))", label, space) {
					t.Errorf("the primary name of %s's owner is %s", name, primary)
				}
				holdings := get(s, "/extended/v1/tokens/nft/holdings?principal="+owner).Body.String()
				id := answer("get-id-from-bns", buff(label), buff(space))
				if !strings.Contains(holdings, at+"::BNS-V2") || !strings.Contains(holdings, `"repr":"`+id[len("(some "):len(id)-1]+`"`) {
					t.Errorf("%s: the owner of %s has %s", name, id, holdings)
				}
			}
		}
	}
	if w := get(s, "/v2/contracts/interface/SP2QEZ06AGJ3RKJPBV14SY1V5BBFNAW33D96YPGZF/BNS-V2"); w.Code != 200 || !strings.Contains(w.Body.String(), `"name":"get-primary","access":"read_only","args":[{"name":"owner","type":"principal"}]`) {
		t.Errorf("its interface: %d %s", w.Code, w.Body)
	}
	if w := get(s, "/v2/contracts/source/SP2QEZ06AGJ3RKJPBV14SY1V5BBFNAW33D96YPGZF/BNS-V2?proof=0"); w.Code != 200 || !strings.Contains(w.Body.String(), "define-non-fungible-token BNS-V2") {
		t.Errorf("its source: %d %s", w.Code, w.Body)
	}
	if w := get(s, "/extended/v1/contract/"+facts.BNS2(false)); w.Code != 200 {
		t.Errorf("its record: %d %s", w.Code, w.Body)
	}
	if got := reads(t, s, someone("bob").address(true)+".BNS-V2", "get-last-token-id"); !strings.Contains(got, "NoSuchContract") {
		t.Errorf("another contract of its name: %s", got)
	}
}

func number(t testing.TB, text string) (n uint64) {
	t.Helper()
	if _, err := fmt.Sscan(text, &n); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return n
}

func TestANameIsTransferred(t *testing.T) {
	s, _ := newServer(t, Config{Seed: 4})
	d := &trade{T: t, s: s, people: [3]person{tester(t, 0), someone("bob"), tester(t, 1)}}
	alice, bob, carol := d.who(0), d.who(1), d.who(2)
	answer := func(function string, args ...clarity.Value) string {
		return reads(t, s, facts.BNS2(false), function, args...)
	}
	id := clarity.NewUInt(number(t, strings.Trim(answer("get-id-from-bns", buff("alice"), buff("btc")), "(someu )")))
	other := clarity.NewUInt(number(t, strings.Trim(answer("get-id-from-bns", buff("satoshi"), buff("btc")), "(someu )")))
	sends := func(from int, id clarity.Value, owner, to clarity.Principal) *stxtx.Transaction {
		return d.call(from, facts.BNS2(false), "transfer", id, owner, to)
	}
	for name, tt := range map[string]struct {
		tx     *stxtx.Transaction
		result string
	}{
		"no such name":        {sends(0, clarity.NewUInt(1<<50), alice, bob), "(err u106)"},
		"to who has it":       {sends(0, id, alice, alice), "(err u114)"},
		"of somebody else":    {sends(0, other, alice, bob), "(err u102)"},
		"for its owner":       {sends(0, other, principalOf(t, tester(t, 2).address(true)), bob), "(err u102)"},
		"for somebody else":   {sends(0, id, bob, carol), "(err u102)"},
		"as primary, another": {d.call(0, facts.BNS2(false), "set-primary-name", other), "(err u102)"},
		"as primary, none":    {d.call(0, facts.BNS2(false), "set-primary-name", clarity.NewUInt(0)), "(err u106)"},
	} {
		tt.tx.Auth.Origin.Nonce = d.nonces[0]
		if m := d.mined(0, tt.tx); m.Status != "abort_by_response" || m.Result.Repr != tt.result || m.Count != 0 {
			t.Errorf("%s: %+v, want %s", name, m, tt.result)
		}
	}
	covered := sends(0, id, alice, bob)
	covered.PostConditionMode = stxtx.ModeDeny
	if m := d.mined(0, covered); m.Status != "abort_by_post_condition" || !strings.Contains(*m.Error, "BNS-V2") {
		t.Errorf("without a condition: %+v", m)
	}
	covered.Auth.Origin.Nonce = d.nonces[0]
	covered.PostConditions = []stxtx.PostCondition{{Asset: stxtx.AssetNFT, Condition: stxtx.NFTSent, Token: asset(t, facts.BNS2(false)+"::BNS-V2"), TokenID: id}}
	m := d.mined(0, covered)
	if m.Status != "success" || m.Count != 2 || m.Events[0]["event_type"] != "non_fungible_token_asset" || m.Events[1]["event_type"] != "smart_contract_log" {
		t.Fatalf("with one: %+v", m)
	}
	if w, err := json.Marshal(m.Events[1]); err != nil || !strings.Contains(string(w), `transfer-name`) {
		t.Errorf("printed: %s", w)
	}
	state := func() string {
		return strings.Join([]string{answer("get-owner", id), answer("get-primary-name", alice), answer("get-primary-name", bob), answer("get-primary-name", carol)}, " ")
	}
	if want := fmt.Sprintf("(ok (some '%s)) none (some %s) ", bob, clarity.Repr(id)); !strings.HasPrefix(state(), want) {
		t.Errorf("bob has it: %s, want %s", state(), want)
	}
	if got := get(s, "/extended/v1/tokens/nft/holdings?principal="+bob.String()).Body.String(); !strings.Contains(got, `"total":1`) || !strings.Contains(got, d.last) {
		t.Errorf("bob holds %s", got)
	}
	// To somebody who has a name: the primary one stays.
	carols := answer("get-primary-name", carol)
	if m := d.mined(1, sends(1, id, bob, carol)); m.Status != "success" {
		t.Fatalf("%+v", m)
	}
	if want := fmt.Sprintf("(ok (some '%s)) none none %s", carol, carols); state() != want {
		t.Errorf("carol has it: %s, want %s", state(), want)
	}
	if m := d.mined(2, d.call(2, facts.BNS2(false), "set-primary-name", id)); m.Status != "success" || answer("get-primary-name", carol) != "(some "+clarity.Repr(id)+")" {
		t.Errorf("as primary: %+v, %s", m, answer("get-primary-name", carol))
	}
	if w := send(s, "POST", "/mock/v1/reorg", `{"depth":3}`); w.Code != http.StatusOK {
		t.Fatal(w.Body)
	}
	if want := fmt.Sprintf("(ok (some '%s)) (some %s) none %s", alice, clarity.Repr(id), carols); state() != want {
		t.Errorf("after a reorganisation: %s, want %s", state(), want)
	}
}
