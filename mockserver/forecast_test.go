package mockserver

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// foretold is a forecast as a client reads it.
type foretold struct {
	Admitted                         bool
	Status, Sentence, Certainty, Fix string
	Reason                           string
	Data                             json.RawMessage `json:"reason_data"`
	Result                           struct{ Repr string }
	Moves                            []struct{ Asset, From, To, Amount, ID, Words string }
	Conditions                       []struct {
		Condition, Sent string
		Holds           bool
	} `json:"post_conditions"`
	Exact *struct {
		Mode       string
		Conditions []string
	}
}

func foretell(t testing.TB, s *Server, raw []byte) foretold {
	t.Helper()
	w := post(s, "/mock/v1/forecast", "application/json", fmt.Appendf(nil, `{"tx":"0x%x"}`, raw))
	if w.Code != 200 {
		t.Fatalf("a forecast: %d %s", w.Code, w.Body)
	}
	return read[foretold](t, w)
}

// unsigned returns a transaction without its signatures.
func unsigned(t testing.TB, digits string) []byte {
	t.Helper()
	tx, err := stxtx.DecodeHex(digits)
	if err != nil {
		t.Fatal(err)
	}
	tx.Auth.Origin.Signature = stxtx.Signature{}
	if tx.Auth.Sponsor != nil {
		tx.Auth.Sponsor.Signature = stxtx.Signature{}
	}
	return encoded(t, tx)
}

// seen returns everything that a server reports of who takes part in the table.
func seen(s *Server, m made) string {
	all := get(s, "/extended/v1/tx/mempool").Body.String() + get(s, "/extended/v1/block?limit=2").Body.String()
	for _, who := range []string{"alice", "bob", "carol"} {
		for _, p := range []string{m.Accounts[who], m.Accounts[who] + ".desk"} {
			all += get(s, "/v2/accounts/"+p+"?proof=0").Body.String() + get(s, "/extended/v1/address/"+p+"/balances").Body.String()
		}
	}
	return all
}

// A forecast of each row of the table is how it then ends, signed or not, and changes nothing.
func TestAForecastIsWhatThenHappens(t *testing.T) {
	notRaced(t)
	m := readMade(t)
	names := strings.NewReplacer("ALICE", m.Accounts["alice"], "BOB", m.Accounts["bob"], "DESK", m.Accounts["carol"]+".desk")
	for name, want := range endings {
		t.Run(name, func(t *testing.T) {
			s := tableWorld(t, m)
			if strings.HasPrefix(name, "sponsored") {
				mine(t, s, 1)
			}
			before := seen(s, m)
			signed, err := hex.DecodeString(m.Transactions[name])
			if err != nil {
				t.Fatal(err)
			}
			f := foretell(t, s, signed)
			if draft := foretell(t, s, unsigned(t, m.Transactions[name])); !reflect.DeepEqual(f, draft) {
				t.Errorf("unsigned it would be %+v, signed %+v", draft, f)
			}
			if after := seen(s, m); after != before {
				t.Error("the forecast changed what the server shows")
			}
			if w := get(s, "/mock/v1/tx/"+stxtx.ID(signed)+"/why"); w.Code != 404 {
				t.Error("what was not sent is remembered as refused")
			}
			if want.refused != "" {
				if all := strings.TrimSpace(f.Reason + " " + string(f.Data)); f.Admitted || f.Status != "rejected" || !strings.HasPrefix(all, names.Replace(want.refused)) {
					t.Errorf("it would be %+v, want %s", f, want.refused)
				}
				return
			}
			if !f.Admitted || f.Status != want.status || f.Result.Repr != want.result {
				t.Errorf("it would be %+v, want %+v", f, want)
			}
			broken := 0
			for _, c := range f.Conditions {
				if !c.Holds {
					broken++
				}
			}
			if uncovered := strings.Contains(want.says, "No checks") || strings.Contains(want.says, "not checked"); (broken > 0) != (want.status == condition && !uncovered) {
				t.Errorf("%d conditions break: %+v", broken, f.Conditions)
			}
			if f.Exact == nil {
				if !strings.HasPrefix(want.result, "(err ") && !strings.HasPrefix(name, "door: ") { // none would help a call that fails
					t.Errorf("no exact conditions: %+v", f)
				}
				return
			}
			tx, _ := stxtx.Decode(signed)
			tx.PostConditionMode, tx.PostConditions = stxtx.ModeDeny, nil
			for _, digits := range f.Exact.Conditions {
				c, err := stxtx.DecodePostConditionHex(digits)
				if err != nil {
					t.Fatal(err)
				}
				tx.PostConditions = append(tx.PostConditions, c)
			}
			tx.Auth.Origin.Signature = stxtx.Signature{}
			tx.Auth.Origin.Fee = 30_000
			if tx.Auth.Sponsor != nil {
				tx.Auth.Sponsor.Signature = stxtx.Signature{}
			}
			if f := foretell(t, s, encoded(t, tx)); f.Status != succeeds {
				t.Errorf("with its exact conditions it would be %+v", f)
			}
			if len(tx.PostConditions) == 0 {
				return
			}
			tx.PostConditions = tx.PostConditions[1:]
			if f := foretell(t, s, encoded(t, tx)); f.Status != condition {
				t.Errorf("without one of them it would be %+v", f)
			}
		})
	}
}

func TestAForecastSaysWhatWouldMove(t *testing.T) {
	d := newTrade(t, Config{})
	tx := d.sends(0, 1, 250)
	tx.PostConditions = []stxtx.PostCondition{{Asset: stxtx.AssetFT, Condition: stxtx.SentLess, Amount: 250, Token: asset(t, usda)}}
	f := foretell(t, d.s, encoded(t, tx))
	alice, bob := d.who(0).String(), d.who(1).String()
	if len(f.Moves) != 1 || f.Moves[0].Asset != usda || f.Moves[0].From != alice || f.Moves[0].To != bob || f.Moves[0].Amount != "250" ||
		f.Moves[0].Words != "0.00025 USDA from "+alice+" to "+bob {
		t.Errorf("it would move %+v", f.Moves)
	}
	if len(f.Conditions) != 1 || f.Conditions[0].Holds || f.Conditions[0].Sent != "0.00025 USDA" || f.Conditions[0].Condition != alice+" sends less than 0.00025 USDA" {
		t.Errorf("its conditions: %+v", f.Conditions)
	}
	if f.Certainty != "fact" || !strings.HasPrefix(f.Sentence, "It would fail: "+alice+" sent 0.00025 USDA, but") {
		t.Errorf("%s: %s", f.Certainty, f.Sentence)
	}
	// What waits goes first: it would leave too little.
	d.post(0, d.sends(0, 1, 900))
	d.nonces[0]++
	if f := foretell(t, d.s, encoded(t, d.sends(0, 1, 250))); f.Status != response || f.Result.Repr != "(err u1)" || len(f.Moves) != 0 {
		t.Errorf("after one that waits: %+v", f)
	}
	d.nonces[0]++
	if f := foretell(t, d.s, encoded(t, d.sends(0, 1, 250))); !f.Admitted || f.Status != "pending" || !strings.Contains(f.Sentence, "It waits for nonce 1 of "+alice) {
		t.Errorf("with a gap: %+v", f)
	}
}

func TestAForecastSaysHowSureItIs(t *testing.T) {
	d := newTrade(t, Config{AnyContract: true})
	said := d.people[1].address(true) + ".said"
	if w := post(d.s, "/mock/v1/contracts", "application/json", fmt.Appendf(nil, `{"contract":%q,"calls":{"go":{"result":"(ok u5)"}}}`, said)); w.Code != 200 {
		t.Fatal(w.Body)
	}
	deploy := func(text string) *stxtx.Transaction {
		return d.people[0].mainnetTx(0, 3000, stxtx.SmartContract{Name: "own", Code: text, ClarityVersion: 3})
	}
	for name, tt := range map[string]struct {
		tx   *stxtx.Transaction
		want string
	}{
		"a transfer":             {d.people[0].mainnetTx(0, 3000, to(t, d.who(1).String(), 5)), "fact success"},
		"a token":                {d.sends(0, 1, 5), "fact success"},
		"what was written down":  {d.call(0, said, "go"), "likely success"},
		"what nobody described":  {d.call(0, d.people[1].address(true)+".none", "go"), "unknown success"},
		"what may be a contract": {deploy("(define-public (go) (ok u5))"), "likely success"},
		"what is no contract":    {deploy("(define-public"), "fact abort_by_response"},
		"what is refused":        {d.call(0, strings.Split(usda, "::")[0], "none"), "fact rejected"},
	} {
		f := foretell(t, d.s, encoded(t, tt.tx))
		if got := f.Certainty + " " + f.Status; got != tt.want {
			t.Errorf("%s: %s, want %s: %s", name, got, tt.want, f.Sentence)
		}
		if cannot := strings.Contains(f.Sentence, "The mock cannot know what go of "); cannot != (f.Certainty == "unknown") || cannot && f.Exact != nil {
			t.Errorf("%s: %s, %+v", name, f.Sentence, f.Exact)
		}
	}
}

// A draft may lack signatures; a wrong one is refused.
func TestAForecastChecksTheSignaturesThatAreThere(t *testing.T) {
	d := newTrade(t, Config{})
	raw := d.people[1].signed(t, d.sends(0, 1, 5)) // signed by somebody else
	if f := foretell(t, d.s, raw); f.Admitted || f.Reason != "SignatureValidation" {
		t.Errorf("%+v", f)
	}
	sponsored := d.sends(0, 1, 5)
	sponsored.PostConditionMode = stxtx.ModeAllow
	sponsored.Auth.Type, sponsored.Auth.Sponsor = stxtx.AuthSponsored, stxtx.Unsponsored()
	sponsored.Auth.Origin.Fee = 0
	if f := foretell(t, d.s, d.people[0].signed(t, sponsored)); f.Status != succeeds {
		t.Errorf("without a sponsor yet: %+v", f)
	}
	if f := foretell(t, d.s, d.people[1].signed(t, sponsored)); f.Reason != "SignatureValidation" {
		t.Errorf("signed by somebody else, without a sponsor yet: %+v", f)
	}
	if w := post(d.s, "/mock/v1/forecast", "application/json", []byte(`{"transaction":"00"}`)); w.Code != 400 || !strings.Contains(w.Body.String(), `no \"tx\"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// A forecast of a contract that runs is rolled back in the virtual machine.
func TestAForecastOfAContractThatRuns(t *testing.T) {
	d := newTroupe(t, fakeEngine())
	d.does(d.deploys("c", ""), "(ok true)")
	d.does(d.calls(1, "c", "add", clarity.NewUInt(5)), "(ok u5)")
	draft := func(function string, args ...clarity.Value) foretold {
		tx := d.people[0].testnetTx(d.nonces[0], 30_000, stxtx.ContractCall{Contract: d.contract("c"), Function: function, Args: args})
		return foretell(t, d.s, encoded(t, tx))
	}
	for range 2 {
		if f := draft("add", clarity.NewUInt(2)); f.Status != succeeds || f.Result.Repr != "(ok u7)" || f.Certainty != "fact" {
			t.Fatalf("%+v", f)
		}
		d.wants(d.reads("c", "total"), "u5")
	}
	before := d.balance(d.who(1))
	f := draft("pay", clarity.NewUInt(500), d.who(1))
	if f.Status != condition || len(f.Moves) != 1 || f.Moves[0].Amount != "500" || f.Exact == nil || len(f.Exact.Conditions) != 1 {
		t.Errorf("a payment that nothing covers: %+v", f)
	}
	if f := draft("fail"); f.Status != response || !strings.Contains(f.Sentence, "ArithmeticUnderflow") {
		t.Errorf("an error at run time: %+v", f)
	}
	d.wants(d.balance(d.who(1)), before)
	d.wants(d.reads("c", "has", d.who(1)), before)
	d.does(d.calls(0, "c", "add", clarity.NewUInt(2)), "(ok u7)")
}
