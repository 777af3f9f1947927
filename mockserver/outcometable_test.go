package mockserver

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// made are transactions that stacks.js made: testdata/outcomes/make.mjs.
type made struct {
	Accounts     map[string]string
	Transactions map[string]string // hexadecimal digits by row
}

func readMade(t testing.TB) (m made) {
	t.Helper()
	text, err := os.ReadFile("testdata/outcomes/transactions.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// end describes how a transaction ends: refused at the door for a reason, or with a status and a
// result in its block, where says is a part of what the node says of it.
type end struct{ refused, status, result, says string }

const (
	succeeds  = "success"
	condition = "abort_by_post_condition"
	response  = "abort_by_response"
)

// endings describe how the rows end, by name. ALICE, DESK and the like stand for what they are.
var endings = map[string]end{
	"door: no such contract":               {refused: "NoSuchContract"},
	"door: a contract that waits":          {refused: "NoSuchContract"},
	"door: no such function":               {refused: "NoSuchPublicFunction"},
	"door: a read-only function":           {refused: "NoSuchPublicFunction"},
	"door: a private function":             {refused: "NoSuchPublicFunction"},
	"door: too few arguments":              {refused: `BadFunctionArgument {"message":`},
	"door: too many arguments":             {refused: `BadFunctionArgument {"message":`},
	"door: arguments of another type":      {refused: `BadFunctionArgument {"message":`},
	"door: a contract that is there":       {refused: `ContractAlreadyExists {"contract_identifier":"ALICE.own"}`},
	"door: to oneself":                     {refused: `TransferRecipientCannotEqualSender {"recipient":"ALICE"}`},
	"door: nothing":                        {refused: "TransferAmountMustBePositive"},
	"door: more than the balance":          {refused: `NotEnoughFunds {"expected":`},
	"door: more than the fee leaves":       {refused: `NotEnoughFunds {"expected":`},
	"door: all that the fee leaves":        {"", succeeds, "(ok true)", ""},
	"door: a transfer with conditions":     {refused: `ServerFailureOther {"message":"Invalid Stacks transaction: TokenTransfer`},
	"door: what is right":                  {"", succeeds, "(ok true)", ""},
	"stx: uncovered in deny mode":          {"", condition, "(ok true)", "Fungible asset STX was moved by ALICE but not checked"},
	"stx: uncovered in originator mode":    {"", condition, "(ok true)", "Fungible asset STX was moved by ALICE but not checked"},
	"stx: uncovered in allow mode":         {"", succeeds, "(ok true)", ""},
	"stx: of the origin by its address":    {"", succeeds, "(ok true)", ""},
	"stx: of another":                      {"", condition, "(ok true)", "failure on STX owned by BOB: 5 SentEq 0"},
	"stx: nothing sent":                    {"", condition, "(ok true)", "failure on STX owned by ALICE: 5 SentEq 0"},
	"stx: the first that fails":            {"", condition, "(ok true)", "failure on fungible asset DESK::coin owned by ALICE: 1 SentEq 0"},
	"stx: burned is sent":                  {"", succeeds, "(ok true)", ""},
	"stx: burned and uncovered":            {"", condition, "(ok true)", "Fungible asset STX was moved by ALICE but not checked"},
	"stx: of a contract":                   {"", succeeds, "(ok true)", ""},
	"ft: uncovered in deny mode":           {"", condition, "(ok true)", "Fungible asset DESK::coin was moved by ALICE but not checked"},
	"ft: uncovered in originator mode":     {"", condition, "(ok true)", "Fungible asset DESK::coin was moved by ALICE but not checked"},
	"ft: another asset of the contract":    {"", condition, "(ok true)", "Fungible asset DESK::coin was moved by ALICE but not checked"},
	"ft: minted is not sent":               {"", succeeds, "(ok true)", ""},
	"ft: covered whatever the amount":      {"", succeeds, "(ok true)", ""},
	"nft: sent holds":                      {"", succeeds, "(ok true)", ""},
	"nft: sent breaks":                     {"", condition, "(ok true)", "failure on non-fungible asset DESK::stamp owned by ALICE: u1 Sent (sent 0 value(s))"},
	"nft: not-sent holds":                  {"", succeeds, "(ok true)", ""},
	"nft: not-sent breaks":                 {"", condition, "(ok true)", "failure on non-fungible asset DESK::stamp owned by ALICE: u1 NotSent (sent 1 value(s))"},
	"nft: maybe-sent holds where it goes":  {"", succeeds, "(ok true)", ""},
	"nft: maybe-sent holds where it stays": {"", succeeds, "(ok true)", ""},
	"nft: no condition on the asset":       {"", condition, "(ok true)", "No checks for non-fungible asset DESK::stamp moved by ALICE"},
	"nft: no condition in originator mode": {"", condition, "(ok true)", "No checks for non-fungible asset DESK::stamp moved by ALICE"},
	"nft: covered one by one":              {"", condition, "(ok true)", "Non-fungible asset DESK::stamp value u2 was moved by ALICE but not checked"},
	"nft: both covered":                    {"", succeeds, "(ok true)", ""},
	"staking: nothing locked holds":        {"", succeeds, "(ok true)", ""},
	"staking: nothing locked breaks":       {"", condition, "(ok true)", "failure on staked STX owned by ALICE: 0 SentGt 0"},
	"pox: will-not-perform holds":          {"", succeeds, "(ok true)", ""},
	"pox: may-perform holds":               {"", succeeds, "(ok true)", ""},
	"pox: will-perform breaks":             {"", condition, "(ok true)", "failure on PoX actions of ALICE: WillPerform (0 performed)"},
	"deploy: its conditions are checked":   {"", condition, "(ok true)", "failure on STX owned by ALICE: 1 SentEq 0"},
	"deploy: nothing is sent":              {"", succeeds, "(ok true)", ""},
	"deploy: no Clarity":                   {"", response, "(err none)", "2:13: unexpected ')'; nothing that it would close is open"},
	"deploy: a name twice":                 {"", response, "(err none)", "2:18: 'a' is defined twice"},
	"response: before any condition":       {"", condition, "(err u401)", "failure on STX owned by ALICE: 99 SentEq 0"},
	"response: more than the balance":      {"", response, "(err u1)", ""},
	"sip-010: a transfer":                  {"", succeeds, "(ok true)", ""},
	"sip-010: more than the balance":       {"", response, "(err u1)", ""},
	"sip-010: to oneself":                  {"", response, "(err u2)", ""},
	"sip-010: nothing":                     {"", response, "(err u3)", ""},
	"sip-010: another's":                   {"", response, "(err u4)", ""},
	"sip-009: not the sender's":            {"", response, "(err u1)", ""},
	"sip-009: to oneself":                  {"", response, "(err u2)", ""},
	"sip-009: no such token":               {"", response, "(err u3)", ""},
	"sip-009: another's":                   {"", response, "(err u4)", ""},

	"stx: of another covers nothing of the sender":     {"", condition, "(ok true)", "Fungible asset STX was moved by ALICE but not checked"},
	"ft: of another covers nothing of the sender":      {"", condition, "(ok true)", "Fungible asset DESK::coin was moved by ALICE but not checked"},
	"nft: of another covers nothing of the sender":     {"", condition, "(ok true)", "No checks for non-fungible asset DESK::stamp moved by ALICE"},
	"stx: of a contract, uncovered in deny mode":       {"", condition, "(ok true)", "Fungible asset STX was moved by DESK but not checked"},
	"stx: of a contract, uncovered in originator mode": {"", succeeds, "(ok true)", ""},
	"sponsored: the sponsor pays for an abort":         {"", condition, "(ok true)", "Fungible asset STX was moved by ALICE but not checked"},
}

// The rows of the comparisons are of 5 that alice sends.
func init() {
	for code, broken := range map[string]string{"eq": "4 SentEq 5", "gt": "5 SentGt 5", "gte": "6 SentGe 5", "lt": "5 SentLt 5", "lte": "4 SentLe 5"} {
		endings["stx: "+code+" holds"] = end{"", succeeds, "(ok true)", ""}
		endings["ft: "+code+" holds"] = end{"", succeeds, "(ok true)", ""}
		endings["stx: "+code+" breaks"] = end{"", condition, "(ok true)", "failure on STX owned by ALICE: " + broken}
		endings["stx: "+code+" breaks in allow mode"] = endings["stx: "+code+" breaks"]
		endings["ft: "+code+" breaks"] = end{"", condition, "(ok true)", "failure on fungible asset DESK::coin owned by ALICE: " + broken}
	}
}

// tableWorld returns a server with what the rows need: a contract of alice, one that is described,
// one that waits, tokens of alice and a ticket of bob.
func tableWorld(t *testing.T, m made) *Server {
	t.Helper()
	s, _ := newServer(t, Config{})
	control := func(path, body string) {
		t.Helper()
		if w := post(s, "/mock/v1/"+path, "application/json", []byte(body)); w.Code != 200 {
			t.Fatalf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	desk := m.Accounts["carol"] + ".desk"
	stx := func(from, to, amount string) string {
		return fmt.Sprintf(`{"asset":"STX",%s%s"amount":%q}`, from, to, amount)
	}
	stamp := func(id string) string {
		return fmt.Sprintf(`{"asset":"%s::stamp","from":"sender","to":"contract","id":%q}`, desk, id)
	}
	call := func(moves ...string) string {
		return `{"result":"(ok true)","moves":[` + strings.Join(moves, ",") + `]}`
	}
	coin := func(from string) string { return fmt.Sprintf(`{"asset":"%s::coin",%s"amount":"$1"}`, desk, from) }
	control("contracts", fmt.Sprintf(`{"contract":%q,"calls":{"nothing":{"result":"(ok true)"},"fails":{"result":"(err u401)","moves":[%s]},
		"pay":%s,"pay-out":%s,"burn":%s,"send":%s,"mint":%s,"give":%s,"give-two":%s}}`, desk,
		stx(`"from":"sender",`, `"to":"contract",`, "u5"),
		call(stx(`"from":"sender",`, `"to":"contract",`, "$1")), call(stx(`"from":"contract",`, `"to":"sender",`, "$1")), call(stx(`"from":"sender",`, "", "$1")),
		call(coin(`"from":"sender","to":"contract",`)), call(coin(`"to":"sender",`)), call(stamp("$1")), call(stamp("u1"), stamp("u2"))))
	control("accounts", fmt.Sprintf(`{"address":%q,"balance":"1000"}`, desk))
	control("accounts", fmt.Sprintf(`{"address":%q,"tokens":{%q:"1000"}}`, m.Accounts["alice"], usda))
	// Only what is there can be sent: coins and stamps of the desk for alice.
	control("accounts", fmt.Sprintf(`{"address":%q,"tokens":{"%s::coin":"1000"}}`, m.Accounts["alice"], desk))
	minted := func(id string) string {
		return fmt.Sprintf(`{"asset":"%s::stamp","to":%q,"id":%q}`, desk, m.Accounts["alice"], id)
	}
	control("contracts", fmt.Sprintf(`{"contract":%q,"calls":{"stock":%s}}`, desk, call(minted("u1"), minted("u2"))))
	contract, err := clarity.ParseContract(desk)
	if err != nil {
		t.Fatal(err)
	}
	clerk := someone("clerk")
	stock := clerk.mainnetTx(0, 3000, stxtx.ContractCall{Contract: contract, Function: "stock"})
	if status, body := postHex(t, s, hex.EncodeToString(clerk.signed(t, stock))); status != 200 {
		t.Fatalf("stock: %d %s", status, body)
	}
	for i, row := range []string{"setup", "door: the deploy that waits"} {
		if status, body := postHex(t, s, m.Transactions[row]); status != 200 {
			t.Fatalf("%s: %d %s", row, status, body)
		}
		if i == 0 {
			mine(t, s, 1)
		}
	}
	return s
}

func postHex(t *testing.T, s *Server, digits string) (int, string) {
	t.Helper()
	raw, err := hex.DecodeString(digits)
	if err != nil {
		t.Fatal(err)
	}
	w := post(s, "/v2/transactions", "application/octet-stream", raw)
	return w.Code, w.Body.String()
}

// leaves returns what each account has after a row: micro-STX and nonce.
func leaves(s *Server, address string) (balance, nonce uint64) {
	var body struct {
		Balance string
		Nonce   uint64
	}
	_ = json.Unmarshal(get(s, "/v2/accounts/"+address+"?proof=0").Body.Bytes(), &body)
	_, _ = fmt.Sscanf(body.Balance, "0x%x", &balance)
	return balance, body.Nonce
}

// How a node decides, row by row: every transaction is one that stacks.js made and signed.
func TestTransactionsEndAsOnTheChain(t *testing.T) {
	notRaced(t)
	m := readMade(t)
	names := strings.NewReplacer("ALICE", m.Accounts["alice"], "BOB", m.Accounts["bob"], "DESK", m.Accounts["carol"]+".desk")
	rows := 0
	for name := range m.Transactions {
		if name != "setup" && name != "door: the deploy that waits" {
			rows++
		}
	}
	if rows != len(endings) {
		t.Errorf("%d transactions, %d rows", rows, len(endings))
	}
	for name, want := range endings {
		t.Run(name, func(t *testing.T) {
			s := tableWorld(t, m)
			payer, fee := m.Accounts["alice"], uint64(3000)
			if strings.HasPrefix(name, "sponsored") {
				mine(t, s, 1) // bob's own nonce is used
				payer, fee = m.Accounts["bob"], 4000
			}
			balance, _ := leaves(s, payer)
			_, nonce := leaves(s, m.Accounts["alice"])
			status, body := postHex(t, s, m.Transactions[name])
			if want.refused != "" {
				var got struct {
					Reason string
					Data   json.RawMessage `json:"reason_data"`
				}
				_ = json.Unmarshal([]byte(body), &got)
				if all := strings.TrimSpace(got.Reason + " " + string(got.Data)); status != 400 || !strings.HasPrefix(all, names.Replace(want.refused)) {
					t.Errorf("%d %s, want %s", status, body, want.refused)
				}
				return
			}
			if status != 200 {
				t.Fatalf("%d %s", status, body)
			}
			mine(t, s, 1)
			var tx struct {
				Status string                `json:"tx_status"`
				Result struct{ Repr string } `json:"tx_result"`
				Error  string                `json:"vm_error"`
				Count  int                   `json:"event_count"`
			}
			id := strings.Trim(strings.TrimSpace(body), `"`)
			if err := json.Unmarshal(get(s, "/extended/v1/tx/0x"+id).Body.Bytes(), &tx); err != nil {
				t.Fatal(err)
			}
			if tx.Status != want.status || tx.Result.Repr != want.result || !strings.HasSuffix(tx.Error, names.Replace(want.says)) || (tx.Error == "") != (want.says == "") {
				t.Errorf("it ends as %+v, want %+v", tx, want)
			}
			if want.status == succeeds {
				return
			}
			after, _ := leaves(s, payer)
			if _, now := leaves(s, m.Accounts["alice"]); tx.Count != 0 || now != nonce+1 || balance-after != fee {
				t.Errorf("it leaves %d events, nonce %d after %d, and %d micro-STX after %d", tx.Count, now, nonce, after, balance)
			}
		})
	}
}

// A transaction that lies ends, and is described in words. What took the square of its conditions
// would take minutes here; how long it takes is for the benchmarks of wallet/outcome.
func TestATransactionThatLiesEnds(t *testing.T) {
	notRaced(t)
	d := newTrade(t, Config{AnyContract: true})
	fund := d.call(0, d.people[1].address(true)+".f", "go").Payload.(stxtx.ContractCall).Contract
	var same, other []stxtx.PostCondition
	for i := range uint64(65_535) {
		same = append(same, stxtx.PostCondition{Asset: stxtx.AssetSTX, Condition: stxtx.SentLessOrEqual, Amount: math.MaxUint64 - i})
	}
	for i := range uint64(40_000) {
		token := stxtx.Asset{Contract: fund, Name: fmt.Sprintf("a%d", i)}
		other = append(other, stxtx.PostCondition{Asset: stxtx.AssetFT, Condition: stxtx.SentEqual, Amount: math.MaxUint64 - i, Token: token})
	}
	for name, tt := range map[string]struct {
		given  []stxtx.PostCondition
		status string
	}{
		"the most conditions":    {same, "success"},
		"assets that nobody has": {other, "abort_by_post_condition"},
	} {
		tx := d.call(0, fund.String(), "go")
		tx.Auth.Origin.Fee, tx.PostConditions = 3_000_000, tt.given
		if m := d.mined(0, tx); m.Status != tt.status {
			t.Errorf("%s: %s %v", name, m.Status, m.Error)
		}
		if w := get(d.s, "/mock/v1/tx/"+d.last+"/why"); w.Code != 200 {
			t.Errorf("%s: why: %d", name, w.Code)
		}
	}
}
