package mockserver

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"chainscope/mockserver/contracts"
	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

const (
	usda   = "SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.usda-token::usda"
	lights = "SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.harbor-lights::light"
)

func asset(t testing.TB, id string) stxtx.Asset {
	t.Helper()
	a, err := stxtx.ParseAsset(id)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// trade is a server on which three people have STX and tokens.
type trade struct {
	*testing.T
	s      *Server
	people [3]person
	nonces [3]uint64
	last   string // the id of the last transaction
}

func newTrade(t *testing.T, cfg Config) *trade {
	t.Helper()
	s, _ := newServer(t, cfg)
	d := &trade{T: t, s: s, people: [3]person{someone("alice"), someone("bob"), someone("carol")}}
	for i := range d.people {
		body := fmt.Sprintf(`{"address":%q,"tokens":{%q:"1000"}}`, d.people[i].address(true), usda)
		if w := post(s, "/mock/v1/accounts", "application/json", []byte(body)); w.Code != 200 {
			t.Fatalf("tokens: %d %s", w.Code, w.Body)
		}
	}
	return d
}

func (d *trade) who(i int) clarity.Principal {
	p, err := clarity.ParsePrincipal(d.people[i].address(true))
	if err != nil {
		d.Fatal(err)
	}
	return p
}

// call returns a call by somebody, in allow mode.
func (d *trade) call(i int, contract, function string, args ...clarity.Value) *stxtx.Transaction {
	d.Helper()
	id, err := clarity.ParseContract(contract)
	if err != nil {
		d.Fatal(err)
	}
	tx := d.people[i].mainnetTx(d.nonces[i], 3000, stxtx.ContractCall{Contract: id, Function: function, Args: args})
	tx.PostConditionMode = stxtx.ModeAllow
	return tx
}

// sends returns a transfer of a token between two people.
func (d *trade) sends(from, to int, n uint64) *stxtx.Transaction {
	contract, _, _ := strings.Cut(usda, "::")
	return d.call(from, contract, "transfer", clarity.NewUInt(n), d.who(from), d.who(to), clarity.None{})
}

// post sends a transaction and returns the answer.
func (d *trade) post(i int, tx *stxtx.Transaction) (status int, body string) {
	d.Helper()
	w := post(d.s, "/v2/transactions", "application/octet-stream", d.people[i].signed(d.T, tx))
	return w.Code, w.Body.String()
}

// mined holds what a block made of a transaction.
type mined struct {
	Status string `json:"tx_status"`
	Result struct{ Repr string }
	Error  *string `json:"vm_error"`
	Events []map[string]any
	Count  int `json:"event_count"`
}

func (d *trade) mined(i int, tx *stxtx.Transaction) mined {
	d.Helper()
	status, body := d.post(i, tx)
	if status != 200 {
		d.Fatalf("it answers %d %s", status, body)
	}
	d.nonces[i]++
	d.last = strings.Trim(strings.TrimSpace(body), `"`)
	mine(d.T, d.s, 1)
	var m struct {
		mined
		Result struct{ Repr string } `json:"tx_result"`
	}
	w := get(d.s, "/extended/v1/tx/0x"+strings.Trim(body, `"`))
	if err := json.Unmarshal(w.Body.Bytes(), &m); err != nil {
		d.Fatalf("%v: %s", err, w.Body)
	}
	m.mined.Result = m.Result
	return m.mined
}

func (d *trade) has(i int) string {
	d.Helper()
	var body map[string]map[string]struct{ Balance string }
	w := get(d.s, "/extended/v1/address/"+d.people[i].address(true)+"/balances")
	_ = json.Unmarshal(w.Body.Bytes(), &body) // stx has numbers too
	return body["fungible_tokens"][usda].Balance
}

// What a node refuses before a block, with its reasons.
func TestWhatIsRefusedAtTheDoor(t *testing.T) {
	var reported []string
	d := newTrade(t, Config{Refused: func(contract, function, reason string) { reported = append(reported, contract+" "+function+" "+reason) }})
	contract, _, _ := strings.Cut(usda, "::")
	own := d.people[0].address(true) + ".own"
	deploy := d.people[0].mainnetTx(0, 3000, stxtx.SmartContract{Name: "own", Code: "(define-public (go (n uint)) (ok n))\n(define-private (hide) (ok u1))", ClarityVersion: 3})
	if status, body := d.post(0, deploy); status != 200 {
		t.Fatal(body)
	}
	d.nonces[0] = 1
	rejected := func(name string, tx *stxtx.Transaction, reason string) {
		t.Helper()
		status, body := d.post(0, tx)
		var got struct {
			Error, Reason, TxID string
			Data                json.RawMessage `json:"reason_data"`
		}
		defer func() {
			w := get(d.s, "/mock/v1/tx/"+got.TxID+"/why")
			if says := w.Body.String(); w.Code != 200 || !strings.Contains(says, `"status":"rejected"`) || strings.Contains(says, "?") || strings.Contains(says, "It was refused: ") != (got.Reason == "ServerFailureOther") {
				t.Errorf("%s: why: %d %s", name, w.Code, says)
			}
		}()
		if err := json.Unmarshal([]byte(body), &got); err != nil || status != 400 || got.Error != "transaction rejected" {
			t.Fatalf("%s: %d %s", name, status, body)
		}
		if all := strings.TrimSpace(got.Reason + " " + string(got.Data)); !strings.HasPrefix(all, reason) {
			t.Errorf("%s: %s, want %s", name, all, reason)
		}
	}
	rejected("what waits is not on the chain", d.call(0, own, "go", clarity.NewUInt(1)), "NoSuchContract")
	mine(t, d.s, 1)
	rejected("no such contract", d.call(0, d.people[1].address(true)+".none", "go"), "NoSuchContract")
	rejected("no such function", d.call(0, contract, "give"), "NoSuchPublicFunction")
	rejected("a read-only function", d.call(0, contract, "get-balance", d.who(0)), "NoSuchPublicFunction")
	rejected("a private function", d.call(0, own, "hide"), "NoSuchPublicFunction")
	rejected("too few arguments", d.call(0, own, "go"), `BadFunctionArgument {"message":`)
	rejected("arguments of another type", d.call(0, own, "go", clarity.Bool(true)), `BadFunctionArgument {"message":`)
	rejected("a contract that is there", d.people[0].mainnetTx(1, 3000, stxtx.SmartContract{Name: "own", Code: "(ok 1)", ClarityVersion: 3}), `ContractAlreadyExists {"contract_identifier":"`+own+`"}`)
	rejected("to oneself", d.people[0].mainnetTx(1, 3000, to(t, d.people[0].address(true), 5)), "TransferRecipientCannotEqualSender")
	rejected("nothing", d.people[0].mainnetTx(1, 3000, to(t, d.people[1].address(true), 0)), "TransferAmountMustBePositive")
	rejected("more than there is", d.people[0].mainnetTx(1, 3000, to(t, d.people[1].address(true), 1_000_000_000_000)), "NotEnoughFunds")
	if want := d.people[1].address(true) + ".none go NoSuchContract"; len(reported) != 5 || reported[1] != want {
		t.Errorf("the words are %q, want %q among five", reported, want)
	}
	conditioned := d.people[0].mainnetTx(1, 3000, to(t, d.people[1].address(true), 5))
	conditioned.PostConditions = []stxtx.PostCondition{{Asset: stxtx.AssetSTX, Condition: stxtx.SentEqual, Amount: 5}}
	rejected("a transfer with conditions", conditioned, `ServerFailureOther {"message":"Invalid Stacks transaction: TokenTransfer`)
	if m := d.mined(0, d.call(0, own, "go", clarity.NewUInt(1))); m.Status != "success" {
		t.Errorf("what is right ends as %+v", m)
	}
}

// What waits says for which nonce, and for nothing once it can go.
func TestWhatWaitsSaysForWhichNonce(t *testing.T) {
	d := newTrade(t, Config{})
	send := func(nonce uint64) (why string) {
		_, body := d.post(0, d.people[0].mainnetTx(nonce, 3000, to(t, d.people[1].address(true), 5)))
		return "/mock/v1/tx/" + strings.Trim(strings.TrimSpace(body), `"`) + "/why"
	}
	late := send(3)
	send(0)
	says := get(d.s, late).Body.String()
	if want := `"sentence":"It waits for nonce 1 of ` + d.who(0).String() + `, which no transaction has; its own is 3."`; !strings.Contains(says, want) || !strings.Contains(says, `"fix":"send a transaction with nonce 1"`) {
		t.Errorf("it says %s, want %s", says, want)
	}
	send(1)
	send(2)
	if says := get(d.s, late).Body.String(); !strings.Contains(says, `"sentence":"It waits for a block."`) {
		t.Errorf("without a gap it says %s", says)
	}
}

func TestAnyContractCanBeCalledIfConfigured(t *testing.T) {
	d := newTrade(t, Config{AnyContract: true})
	if m := d.mined(0, d.call(0, d.people[1].address(true)+".none", "go")); m.Status != "success" || m.Result.Repr != "(ok true)" {
		t.Errorf("%+v", m)
	}
	contract, _, _ := strings.Cut(usda, "::")
	for unknown, want := range map[string]string{d.people[1].address(true) + ".other": d.people[1].address(true) + ".other::go", contract: ""} {
		tx := d.call(0, unknown, "go")
		if unknown == contract {
			tx = d.sends(0, 1, 1)
		}
		w := post(d.s, "/v2/transactions", "application/octet-stream", d.people[0].signed(t, tx))
		if got := w.Header().Get("X-Mock-Invented"); w.Code != 200 || got != want {
			t.Errorf("%s: %d, invented %q, want %q", unknown, w.Code, got, want)
		}
		d.nonces[0]++
	}
	if status, body := d.post(0, d.call(0, contract, "give")); status != 400 || !strings.Contains(body, "NoSuchPublicFunction") {
		t.Errorf("a function that a known contract has not: %d %s", status, body)
	}
}

// A call that nobody described moves what its exact conditions name, if any contract can be
// called.
func TestAnInventedCallMovesWhatItsConditionsName(t *testing.T) {
	d := newTrade(t, Config{AnyContract: true})
	fund := d.call(0, d.people[1].address(true)+".fund", "pledge").Payload.(stxtx.ContractCall).Contract
	coin, light := asset(t, usda), stxtx.Asset{Contract: fund, Name: "badge"}
	given := []stxtx.PostCondition{
		{Asset: stxtx.AssetSTX, Condition: stxtx.SentEqual, Amount: 5_000_000},
		{Asset: stxtx.AssetFT, Condition: stxtx.SentEqual, Amount: 40, Token: coin},
		{Asset: stxtx.AssetNFT, Principal: &fund, Condition: stxtx.NFTSent, Token: light, TokenID: clarity.NewUInt(7)},
		{Asset: stxtx.AssetSTX, Principal: &fund, Condition: stxtx.SentEqual, Amount: 6_000_000},
	}
	before := d.s.world.State().Account(d.who(0)).Balance
	supply := func() *big.Int { s := d.s.world.State(); return s.Ledger(d.who(0)).Supply(coin) }
	had := supply()
	for _, mode := range []stxtx.PostConditionMode{stxtx.ModeDeny, stxtx.ModeAllow} {
		tx := d.call(0, fund.String(), "pledge")
		tx.PostConditionMode, tx.PostConditions = mode, given
		tx.PostConditions = append(tx.PostConditions, given[0]) // twice is not twice as much
		if m := d.mined(0, tx); m.Status != "success" || m.Result.Repr != "(ok true)" || len(m.Events) < 4 {
			t.Fatalf("%+v", m)
		}
	}
	state := d.s.world.State()
	l := state.Ledger(fund)
	if got := state.Account(d.who(0)).Balance - before; got != 2*(6_000_000-5_000_000-3000) || d.has(0) != "920" || l.Balance(fund, coin).Int64() != 80 {
		t.Errorf("%d micro-STX more, %s and %s coins", got, d.has(0), l.Balance(fund, coin))
	}
	if supply().Cmp(had) != 0 {
		t.Errorf("there are %s coins after %s", supply(), had)
	}
	if owner, ok := l.Owner(light, clarity.NewUInt(7)); !ok || owner != d.who(0) {
		t.Errorf("%v has the badge", owner)
	}
	tx := d.call(0, fund.String(), "pledge")
	tx.PostConditions = []stxtx.PostCondition{{Asset: stxtx.AssetFT, Condition: stxtx.SentEqual, Amount: 921, Token: coin}}
	if m := d.mined(0, tx); m.Status != "abort_by_post_condition" || m.Result.Repr != "(err u1)" || d.has(0) != "920" {
		t.Errorf("more than there is ends as %+v", m)
	}
	atMost := d.call(0, fund.String(), "pledge")
	atMost.PostConditions = []stxtx.PostCondition{{Asset: stxtx.AssetSTX, Condition: stxtx.SentLessOrEqual, Amount: 9}}
	if m := d.mined(0, atMost); m.Status != "success" || m.Count != 0 {
		t.Errorf("a condition that is not exact ends as %+v", m)
	}
}

// What a deployed contract answers is invented, as long as nobody has said it.
func TestTheAnswerOfADeployedContractIsCalledInvented(t *testing.T) {
	var log strings.Builder
	d := newTrade(t, Config{AccessLog: &log})
	own := d.people[0].address(true) + ".own"
	d.mined(0, d.people[0].mainnetTx(0, 3000, stxtx.SmartContract{Name: "own", Code: "(define-public (go) (err u5))", ClarityVersion: 3}))
	invented := func() string {
		t.Helper()
		w := post(d.s, "/v2/transactions", "application/octet-stream", d.people[0].signed(t, d.call(0, own, "go")))
		if w.Code != 200 {
			t.Fatal(w.Body)
		}
		d.nonces[0]++
		return w.Header().Get("X-Mock-Invented")
	}
	if got := invented(); got != own+"::go" || !strings.Contains(log.String(), own+"::go: it is not described; (ok true) is invented") {
		t.Errorf("invented is %q, and the log says %s", got, log.String())
	}
	entry := fmt.Sprintf(`{"contract":%q,"calls":{"go":{"result":"(err u5)"}}}`, own)
	if w := post(d.s, "/mock/v1/contracts", "application/json", []byte(entry)); w.Code != 200 {
		t.Fatal(w.Body)
	}
	if got := invented(); got != "" {
		t.Errorf("what was described is called invented: %q", got)
	}
}

// What is no contract is in its block and has failed there; its name stays free.
func TestADeployOfWhatIsNoContractFailsInItsBlock(t *testing.T) {
	d := newTrade(t, Config{})
	deploy := func(text string) mined {
		return d.mined(0, d.people[0].mainnetTx(d.nonces[0], 3000, stxtx.SmartContract{Name: "own", Code: text, ClarityVersion: 3}))
	}
	for text, says := range map[string]string{
		"This contract does nothing":                  "1:1: use of unresolved variable 'This'",
		"(define-public (go)\n  (ok true)))":          "2:13: unexpected ')'; nothing that it would close is open",
		"(define-public (go) (ok (begin true))":       "1:1: '(' is never closed; expected ')'",
		"(ok 1)\n(define-function (go) (ok true))":    "2:2: use of unresolved function 'define-function'",
		"(define-constant a 1)(define-map a int int)": "1:34: 'a' is defined twice",
		"(define-public (go n) (ok n))":               "1:20: a name with its type is expected here, such as (amount uint)",
	} {
		m := deploy(text)
		if m.Status != "abort_by_response" || m.Result.Repr != "(err none)" || m.Error == nil || *m.Error != says || m.Count != 0 {
			t.Errorf("%q ends as %+v, want %s", text, m, says)
		}
		if m.Error != nil {
			w := get(d.s, "/mock/v1/tx/"+d.last+"/why")
			if want := `"sentence":"The contract could not be deployed: ` + says + `."`; !strings.Contains(w.Body.String(), want) {
				t.Errorf("why: %s, want %s", w.Body, want)
			}
		}
		if w := get(d.s, "/v2/contracts/source/"+d.people[0].address(true)+"/own"); w.Code != 404 {
			t.Errorf("%q is there all the same: %d %s", text, w.Code, w.Body)
		}
	}
	if m := deploy("(define-public (go (n uint)) (ok n))"); m.Status != "success" {
		t.Errorf("a contract under the name ends as %+v", m)
	}
	catalogue := d.s.service.Tokens()
	for _, e := range append(catalogue.Fungibles(), catalogue.NonFungibles()...) {
		id, err := clarity.ParseContract(e.Principal)
		token, known := catalogue.Token(id)
		if m := contracts.Check(token.Source()); err != nil || !known || m != nil {
			t.Errorf("%s of the catalogue: %v %v", e.Principal, err, m)
		}
	}
}

// The tokens of the catalogue answer as their standards say.
func TestTokensAnswerAsTheirStandardsSay(t *testing.T) {
	d := newTrade(t, Config{})
	ticket, _, _ := strings.Cut(lights, "::")
	coin, _, _ := strings.Cut(usda, "::")
	one := clarity.NewUInt(1)
	for name, tt := range map[string]struct {
		tx     *stxtx.Transaction
		result string
	}{
		"more than the balance":   {d.sends(0, 1, 1001), "(err u1)"},
		"to oneself":              {d.sends(0, 0, 1), "(err u2)"},
		"nothing":                 {d.sends(0, 1, 0), "(err u3)"},
		"another's tokens":        {d.call(0, coin, "transfer", one, d.who(1), d.who(0), clarity.None{}), "(err u4)"},
		"a ticket of another":     {d.call(0, ticket, "transfer", clarity.NewUInt(2), d.who(0), d.who(1)), "(err u1)"},
		"a ticket to oneself":     {d.call(0, ticket, "transfer", one, d.who(0), d.who(0)), "(err u2)"},
		"a ticket that is none":   {d.call(0, ticket, "transfer", clarity.NewUInt(99), d.who(0), d.who(1)), "(err u3)"},
		"for the owner of tokens": {d.call(0, ticket, "transfer", one, d.who(1), d.who(0)), "(err u4)"},
	} {
		tx := tt.tx
		tx.Auth.Origin.Nonce = d.nonces[0]
		m := d.mined(0, tx)
		if m.Status != "abort_by_response" || m.Result.Repr != tt.result || m.Count != 0 || len(m.Events) != 0 {
			t.Errorf("%s: %+v, want %s", name, m, tt.result)
		}
	}
	sent := d.sends(0, 1, 400)
	sent.Payload = stxtx.ContractCall{Contract: asset(t, usda).Contract, Function: "transfer", Args: []clarity.Value{clarity.NewUInt(400), d.who(0), d.who(1), clarity.Some{Value: clarity.Buffer("rent")}}}
	m := d.mined(0, sent)
	if m.Status != "success" || m.Count != 2 || m.Events[1]["event_type"] != "smart_contract_log" || d.has(0) != "600" || d.has(1) != "1400" {
		t.Errorf("%+v, balances %s and %s", m, d.has(0), d.has(1))
	}
	w := post(d.s, "/v2/contracts/call-read/"+strings.ReplaceAll(coin, ".", "/")+"/get-balance", "application/json",
		fmt.Appendf(nil, `{"sender":%q,"arguments":["0x%s"]}`, d.people[0].address(true), hexOf(t, d.who(1))))
	if want := hexOf(t, clarity.OK{Value: clarity.NewUInt(1400)}); !strings.Contains(w.Body.String(), want) {
		t.Errorf("get-balance answers %s, want %s", w.Body, want)
	}
}

func hexOf(t testing.TB, v clarity.Value) string {
	t.Helper()
	raw, err := clarity.Encode(v)
	if err != nil {
		t.Fatal(err)
	}
	return hex.EncodeToString(raw)
}

// A transaction that its conditions abort pays its fee and uses its nonce, and nothing else
// has happened.
func TestAViolatedPostConditionAborts(t *testing.T) {
	for name, tt := range map[string]struct {
		mode  stxtx.PostConditionMode
		given []stxtx.PostCondition
		says  string
	}{
		"not covered":              {stxtx.ModeDeny, nil, "Post-condition check failure: Fungible asset " + usda + " was moved by "},
		"too much":                 {stxtx.ModeDeny, []stxtx.PostCondition{{Asset: stxtx.AssetFT, Condition: stxtx.SentLess, Amount: 7, Token: asset(t, usda)}}, ": 7 SentLt 7"},
		"too much, in allow mode":  {stxtx.ModeAllow, []stxtx.PostCondition{{Asset: stxtx.AssetSTX, Condition: stxtx.SentEqual, Amount: 1}}, ": 1 SentEq 0"},
		"of the origin, uncovered": {stxtx.ModeOriginator, nil, " was moved by "},
	} {
		t.Run(name, func(t *testing.T) {
			d := newTrade(t, Config{})
			tx := d.sends(0, 1, 7)
			tx.PostConditionMode, tx.PostConditions = tt.mode, tt.given
			before := d.s.world.State().Account(d.who(0))
			m := d.mined(0, tx)
			w := get(d.s, "/mock/v1/tx/"+d.last+"/why")
			if w.Code != 200 || !strings.Contains(w.Body.String(), `"status":"abort_by_post_condition","sentence":"`+d.who(0).String()+` sent `) || !strings.Contains(w.Body.String(), `"certainty":"fact"`) {
				t.Errorf("why: %d %s", w.Code, w.Body)
			}
			if m.Status != "abort_by_post_condition" || m.Result.Repr != "(ok true)" || m.Error == nil || !strings.Contains(*m.Error, tt.says) || m.Count != 0 {
				t.Errorf("it ends as %+v", m)
			}
			after := d.s.world.State().Account(d.who(0))
			if after.Nonce != before.Nonce+1 || before.Balance-after.Balance != 3000 || d.has(0) != "1000" || d.has(1) != "1000" {
				t.Errorf("it leaves %+v after %+v, and %s and %s", after, before, d.has(0), d.has(1))
			}
		})
	}
	d := newTrade(t, Config{})
	tx := d.sends(0, 1, 7)
	tx.PostConditionMode = stxtx.ModeDeny
	tx.PostConditions = []stxtx.PostCondition{{Asset: stxtx.AssetFT, Condition: stxtx.SentEqual, Amount: 7, Token: asset(t, usda)}}
	if m := d.mined(0, tx); m.Status != "success" || d.has(1) != "1007" {
		t.Errorf("what the condition allows ends as %+v", m)
	}
}

// Whatever is sent: what people have of a token adds up to its supply, through blocks that
// are replaced too.
func TestTokensAddUp(t *testing.T) {
	d := newTrade(t, Config{})
	r := rand.New(rand.NewPCG(3, 4))
	coin := asset(t, usda)
	l := func() (sum, supply *big.Int) {
		state := d.s.world.State()
		ledger := state.Ledger(d.who(0))
		sum = new(big.Int)
		for p := range everybody(d) {
			sum.Add(sum, ledger.Balance(p, coin))
		}
		return sum, ledger.Supply(coin)
	}
	begin, supply := l()
	ended := map[string]int{}
	for round := range 60 {
		i, j := r.IntN(3), r.IntN(3)
		tx := d.sends(i, j, uint64(r.IntN(900)))
		tx.PostConditionMode = stxtx.PostConditionMode(1 + r.IntN(3))
		if r.IntN(2) == 0 {
			tx.PostConditions = []stxtx.PostCondition{{Asset: stxtx.AssetFT, Condition: stxtx.ConditionCode(1 + r.IntN(5)), Amount: uint64(r.IntN(900)), Token: coin}}
		}
		ended[d.mined(i, tx).Status]++
		if sum, now := l(); sum.Cmp(begin) != 0 || now.Cmp(supply) != 0 {
			t.Fatalf("round %d: %s of %s, want %s of %s", round, sum, now, begin, supply)
		}
		if round%10 == 9 {
			had := [3]string{d.has(0), d.has(1), d.has(2)}
			if w := post(d.s, "/mock/v1/reorg", "application/json", []byte(`{"depth":3}`)); w.Code != 200 {
				t.Fatal(w.Body)
			}
			if sum, now := l(); sum.Cmp(begin) != 0 || now.Cmp(supply) != 0 {
				t.Fatalf("round %d, replaced: %s of %s", round, sum, now)
			}
			mine(t, d.s, 1)
			if has := [3]string{d.has(0), d.has(1), d.has(2)}; has != had {
				t.Fatalf("round %d: in other blocks the same transactions leave %v, want %v", round, has, had)
			}
		}
	}
	for _, status := range []string{"success", "abort_by_response", "abort_by_post_condition"} {
		if ended[status] < 5 {
			t.Errorf("only %d transactions end as %s: %v", ended[status], status, ended)
		}
	}
}

// everybody returns those who take part.
func everybody(d *trade) map[clarity.Principal]bool {
	return map[clarity.Principal]bool{d.who(0): true, d.who(1): true, d.who(2): true}
}

// A canned call moves what it says, under post-conditions, and is rolled back with its block.
func TestACannedCallMovesWhatItSays(t *testing.T) {
	d := newTrade(t, Config{})
	fund := d.people[2].address(true) + ".fund"
	entry := fmt.Sprintf(`{"contract":%q,"vars":{"raised":"u0"},"calls":{"pledge":{"result":"(ok $1)",
		"moves":[{"asset":"STX","from":"sender","to":"contract","amount":"$1"}],
		"prints":["{ event: \"pledge\", by: $sender }"],
		"sets":{"vars":{"raised":"$1"},"maps":[{"name":"pledges","key":"$sender","value":"$1"}]}}}}`, fund)
	if w := post(d.s, "/mock/v1/contracts", "application/json", []byte(entry)); w.Code != 200 {
		t.Fatal(w.Body)
	}
	stx := func(address string) string {
		var body map[string]any
		w := get(d.s, "/extended/v1/address/"+address+"/stx")
		_ = json.Unmarshal(w.Body.Bytes(), &body)
		return fmt.Sprint(body["balance"])
	}
	data := func(path, body string) string {
		w := get(d.s, path)
		if body != "" {
			w = post(d.s, path, "application/json", []byte(body))
		}
		return w.Body.String()
	}
	variable := "/v2/data_var/" + strings.ReplaceAll(fund, ".", "/") + "/raised?proof=0"
	entryOf := "/v2/map_entry/" + strings.ReplaceAll(fund, ".", "/") + "/pledges?proof=0"
	key := fmt.Sprintf(`"0x%s"`, hexOf(t, d.who(0)))
	tip := func() string { return fmt.Sprint(d.s.world.State().Tip().Height) }
	if w := post(d.s, "/mock/v1/snapshot", "application/json", []byte(`{"name":"before"}`)); w.Code != 200 {
		t.Fatal(w.Body, tip())
	}

	refused := d.call(0, fund, "pledge", clarity.NewUInt(5000))
	refused.PostConditionMode = stxtx.ModeDeny
	if m := d.mined(0, refused); m.Status != "abort_by_post_condition" || stx(fund) != "0" || !strings.Contains(data(variable, ""), hexOf(t, clarity.NewUInt(0))) {
		t.Errorf("without a condition: %+v, the fund has %s", m, stx(fund))
	}
	pledged := d.call(0, fund, "pledge", clarity.NewUInt(5000))
	pledged.PostConditionMode = stxtx.ModeDeny
	pledged.PostConditions = []stxtx.PostCondition{{Asset: stxtx.AssetSTX, Condition: stxtx.SentEqual, Amount: 5000}}
	if m := d.mined(0, pledged); m.Status != "success" || m.Result.Repr != "(ok u5000)" || m.Count != 2 || stx(fund) != "5000" {
		t.Errorf("%+v, the fund has %s", m, stx(fund))
	}
	if got := data(variable, ""); !strings.Contains(got, hexOf(t, clarity.NewUInt(5000))) {
		t.Errorf("the variable is %s", got)
	}
	if got := data(entryOf, key); !strings.Contains(got, hexOf(t, clarity.Some{Value: clarity.NewUInt(5000)})) {
		t.Errorf("the entry is %s", got)
	}
	if m := d.mined(0, d.call(0, fund, "pledge", clarity.UInt{N: new(big.Int).Lsh(big.NewInt(1), 80)})); m.Status != "abort_by_response" || m.Result.Repr != "(err u1)" {
		t.Errorf("more than there is: %+v", m)
	}
	if m := d.mined(0, d.call(0, fund, "pledge", clarity.Bool(true))); m.Status != "abort_by_response" || m.Error == nil || !strings.Contains(*m.Error, "true is no uint") {
		t.Errorf("what does not fit: %+v", m)
	}
	if w := post(d.s, "/mock/v1/reorg", "application/json", []byte(`{"depth":4}`)); w.Code != 200 {
		t.Fatal(w.Body)
	}
	if got := data(variable, ""); stx(fund) != "0" || !strings.Contains(got, hexOf(t, clarity.NewUInt(0))) || strings.Contains(data(entryOf, key), "0a01") {
		t.Errorf("rolled back, the fund has %s and the variable is %s", stx(fund), got)
	}
	mine(t, d.s, 1)
	if stx(fund) != "5000" || !strings.Contains(data(variable, ""), hexOf(t, clarity.NewUInt(5000))) {
		t.Errorf("in another block, the fund has %s", stx(fund))
	}
}
