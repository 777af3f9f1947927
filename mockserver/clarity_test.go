package mockserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/engine/enginetest"
	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// troupe is a server on which contracts run, and who uses it.
type troupe struct {
	*testing.T
	s      *Server
	people [2]person
	nonces [2]uint64
}

// fakeEngine returns a configuration with the program of package enginetest.
func fakeEngine() Config {
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	return Config{Seed: 1, Freeze: &at, Clarity: true, ClarityEngine: strings.Join(enginetest.Command(), " ")}
}

func newTroupe(t *testing.T, cfg Config) *troupe {
	t.Helper()
	s, _ := newServer(t, cfg)
	return &troupe{T: t, s: s, people: [2]person{someone("alice"), someone("bob")}}
}

func (d *troupe) who(i int) clarity.Principal {
	p, err := clarity.ParsePrincipal(d.people[i].address(false))
	if err != nil {
		d.Fatal(err)
	}
	return p
}

// contract returns a contract of the first person.
func (d *troupe) contract(name string) clarity.Principal {
	id := d.who(0)
	id.Contract = name
	return id
}

// send posts a transaction that is taken, and returns its id.
func (d *troupe) send(i int, payload stxtx.Payload, conditions ...stxtx.PostCondition) string {
	d.Helper()
	tx := d.people[i].testnetTx(d.nonces[i], 30_000, payload)
	tx.PostConditionMode, tx.PostConditions = stxtx.ModeAllow, conditions
	id := accepted(d.T, d.s, d.people[i].signed(d.T, tx))
	d.nonces[i]++
	return id
}

func (d *troupe) deploys(name, source string) string {
	d.Helper()
	return d.send(0, stxtx.SmartContract{Name: name, Code: source, ClarityVersion: 4})
}

func (d *troupe) calls(i int, name, function string, args ...clarity.Value) string {
	d.Helper()
	return d.send(i, stxtx.ContractCall{Contract: d.contract(name), Function: function, Args: args})
}

// act holds what a block made of a transaction.
type act struct {
	Status string                `json:"tx_status"`
	Result struct{ Repr string } `json:"tx_result"`
	Error  *string               `json:"vm_error"`
	Events []map[string]any
}

// ended returns what a block made of a transaction.
func (d *troupe) ended(id string) act {
	d.Helper()
	return read[act](d.T, get(d.s, "/extended/v1/tx/0x"+id))
}

// does mines what was sent and wants it to have succeeded.
func (d *troupe) does(id, result string) act {
	d.Helper()
	mine(d.T, d.s, 1)
	m := d.ended(id)
	if m.Status != "success" || m.Result.Repr != result {
		text := ""
		if m.Error != nil {
			text = *m.Error
		}
		d.Fatalf("%s %s %s, want success %s", m.Status, m.Result.Repr, text, result)
	}
	return m
}

// reads calls a read-only function; what is no value is the cause.
func (d *troupe) reads(name, function string, args ...clarity.Value) string {
	d.Helper()
	return d.readsOf(d.contract(name), function, args...)
}

func (d *troupe) readsOf(id clarity.Principal, function string, args ...clarity.Value) string {
	d.Helper()
	body := map[string]any{"sender": d.who(1).String(), "arguments": []string{}}
	for _, arg := range args {
		text, err := clarity.EncodeHex(arg)
		if err != nil {
			d.Fatal(err)
		}
		body["arguments"] = append(body["arguments"].([]string), "0x"+text)
	}
	text, err := json.Marshal(body)
	if err != nil {
		d.Fatal(err)
	}
	type answered struct {
		Okay          bool
		Result, Cause string
	}
	var answer answered
	// After a jump of weeks the machine may have blocks to catch up with for longer than a read waits.
	for until := time.Now().Add(time.Minute); ; {
		answer = read[answered](d.T, post(d.s, "/v2/contracts/call-read/"+id.Address.String()+"/"+id.Contract+"/"+function, "application/json", text))
		if !strings.HasSuffix(answer.Cause, "; try again") || time.Now().After(until) {
			break
		}
	}
	if !answer.Okay {
		return answer.Cause
	}
	v, err := clarity.DecodeHex(answer.Result)
	if err != nil {
		d.Fatal(err)
	}
	return clarity.Repr(v)
}

func (d *troupe) wants(got, want string) {
	d.Helper()
	if got != want {
		d.Errorf("got %s, want %s", got, want)
	}
}

// control posts to the control interface.
func (d *troupe) control(route, body string) {
	d.Helper()
	if w := post(d.s, "/mock/v1/"+route, "application/json", []byte(body)); w.Code != 200 {
		d.Fatalf("%s %s: %d %s", route, body, w.Code, w.Body)
	}
}

// balance returns what the API says of somebody's micro-STX.
func (d *troupe) balance(p clarity.Principal) string {
	d.Helper()
	account := read[struct{ Balance string }](d.T, get(d.s, "/v2/accounts/"+p.String()+"?proof=0"))
	var n uint64
	if _, err := fmt.Sscanf(account.Balance, "0x%x", &n); err != nil {
		d.Fatal(err)
	}
	return fmt.Sprintf("u%d", n)
}

func TestAContractRuns(t *testing.T) {
	d := newTroupe(t, fakeEngine())
	d.does(d.deploys("c", "(ok)"), "(ok true)")
	add := d.calls(1, "c", "add", clarity.NewUInt(5))
	id, _ := chain.ParseHash(add)
	state := d.s.world.State()
	if tx, known := state.Transaction(id.Bytes()); !known || state.Invents(tx) {
		t.Error("what a contract answers that runs is called invented")
	}
	m := d.does(add, "(ok u5)")
	if len(m.Events) != 1 || m.Events[0]["event_type"] != "smart_contract_log" {
		t.Errorf("its events are %v", m.Events)
	}
	d.does(d.calls(0, "c", "add", clarity.NewUInt(2)), "(ok u7)")
	d.wants(d.reads("c", "total"), "u7")
	d.wants(d.reads("c", "nothing"), `Unchecked(UndefinedFunction("nothing"))`)
	held := read[struct{ Data string }](t, get(d.s, "/v2/data_var/"+d.who(0).String()+"/c/total?proof=0"))
	d.wants(held.Data, "0x0100000000000000000000000000000007")
	if w := get(d.s, "/v2/data_var/"+d.who(0).String()+"/c/none?proof=0"); w.Code != 404 {
		t.Errorf("a variable that is not there: %d %s", w.Code, w.Body)
	}
	face := read[struct{ Functions []struct{ Name string } }](t, get(d.s, "/v2/contracts/interface/"+d.who(0).String()+"/c"))
	if len(face.Functions) != 15 {
		t.Errorf("its functions are %v", face.Functions)
	}
	mine(t, d.s, 1)
	failed := d.calls(1, "c", "fail")
	mine(t, d.s, 1)
	if m := d.ended(failed); m.Status != "abort_by_response" || m.Result.Repr != "(err none)" || !strings.Contains(*m.Error, "ArithmeticUnderflow at c:3:9 in ( - u0 u1 )") {
		t.Errorf("a call that fails: %+v", m)
	}
	cost := read[struct {
		Runtime int `json:"execution_cost_runtime"`
	}](t, get(d.s, "/extended/v1/tx/0x"+failed))
	if cost.Runtime == 300 {
		t.Error("a call that failed has the cost of one that ran")
	}
	runs := read[struct {
		Runs struct {
			Last, Failed                                string
			Contracts, Runtime, Sessions, Awake, Memory int
		}
	}](t, get(d.s, "/mock/v1/snapshot")).Runs
	if runs.Sessions != 1 || runs.Awake != 1 || runs.Memory == 0 {
		t.Errorf("the engine has %+v", runs)
	}
	if runs.Contracts != 1 || runs.Last != "add of c" || runs.Runtime != 300 || !strings.HasPrefix(runs.Failed, "fail of c: ArithmeticUnderflow at c:3:9") {
		t.Errorf("what ran is shown as %+v", runs)
	}
	bad := d.deploys("d", "(define-constant a (broken))")
	mine(t, d.s, 1)
	if m := d.ended(bad); m.Status != "abort_by_response" || *m.Error != "1:21: use of unresolved function 'broken'" {
		t.Errorf("a deploy that fails: %+v", m)
	}
	for function, args := range map[string][]clarity.Value{"total": nil, "nothing": nil, "add": {clarity.Bool(true)}} {
		tx := d.people[1].testnetTx(d.nonces[1], 3000, stxtx.ContractCall{Contract: d.contract("c"), Function: function, Args: args})
		reason, _ := refused(t, d.s, d.people[1].signed(t, tx))
		if want := map[bool]string{true: "BadFunctionArgument", false: "NoSuchPublicFunction"}[function == "add"]; reason != want {
			t.Errorf("%s: %s, want %s", function, reason, want)
		}
	}
}

// What contracts see of balances is what the API shows, whatever moves them.
func TestSTXIsOneThing(t *testing.T) {
	d := newTroupe(t, fakeEngine())
	agree := func() {
		t.Helper()
		for _, p := range []clarity.Principal{d.who(0), d.who(1), d.contract("c")} {
			d.wants(d.reads("c", "has", p), d.balance(p))
		}
	}
	d.does(d.deploys("c", ""), "(ok true)")
	agree()
	d.does(d.calls(0, "c", "pay", clarity.NewUInt(1000), d.who(1)), "(ok true)")
	agree()
	d.does(d.calls(1, "c", "pay", clarity.NewUInt(77), d.contract("c")), "(ok true)")
	agree()
	d.does(d.send(0, to(t, d.who(1).String(), 12345)), "(ok true)")
	agree()
	d.control("accounts", fmt.Sprintf(`{"address":%q,"balance":99}`, d.contract("c")))
	d.control("accounts", fmt.Sprintf(`{"address":%q,"balance":5000000}`, d.who(1)))
	agree()
	// Two of one block see each other, and the fee.
	one, two := d.calls(0, "c", "pay", clarity.NewUInt(9), d.who(1)), d.calls(1, "c", "add", clarity.NewUInt(1))
	d.does(one, "(ok true)")
	d.wants(d.ended(two).Result.Repr, "(ok u1)")
	agree()
	d.wants(d.balance(d.who(1)), "u4970009")
}

// What post-conditions abort is rolled back in the virtual machine too.
func TestPostConditionsTakeARunBack(t *testing.T) {
	d := newTroupe(t, fakeEngine())
	d.does(d.deploys("c", ""), "(ok true)")
	before := d.balance(d.who(1))
	id := d.send(0, stxtx.ContractCall{Contract: d.contract("c"), Function: "pay", Args: []clarity.Value{clarity.NewUInt(500), d.who(1)}},
		stxtx.PostCondition{Asset: stxtx.AssetSTX, Condition: stxtx.SentLess, Amount: 500})
	after := d.calls(0, "c", "add", clarity.NewUInt(1))
	mine(t, d.s, 1)
	m := d.ended(id)
	if m.Status != "abort_by_post_condition" || m.Result.Repr != "(ok true)" || len(m.Events) > 0 {
		t.Errorf("it ends as %+v", m)
	}
	d.wants(d.ended(after).Result.Repr, "(ok u1)")
	d.wants(d.balance(d.who(1)), before)
	d.wants(d.reads("c", "has", d.who(1)), before)
}

func TestContractsGoBack(t *testing.T) {
	d := newTroupe(t, fakeEngine())
	d.does(d.deploys("c", ""), "(ok true)")
	d.control("snapshot", `{"name":"start"}`)
	for i := range 5 {
		d.does(d.calls(1, "c", "add", clarity.NewUInt(10)), fmt.Sprintf("(ok u%d)", 10*(i+1)))
	}
	d.control("reorg", `{"depth":2}`)
	d.wants(d.reads("c", "total"), "u30")
	mine(t, d.s, 1)
	d.wants(d.reads("c", "total"), "u50")
	d.control("revert", `{"to":"start"}`)
	d.wants(d.reads("c", "total"), "u0")
	d.nonces[1] = 0
	d.does(d.calls(1, "c", "add", clarity.NewUInt(3)), "(ok u3)")
	d.control("reset", `{}`)
	d.wants(d.reads("c", "total"), `Unchecked(NoSuchContract("`+d.contract("c").String()+`"))`)
}

// A contract sees the heights that the API shows, and a burn block's own block is left to
// the virtual machine.
func TestContractsSeeTheHeightsOfTheChain(t *testing.T) {
	d := newTroupe(t, fakeEngine())
	d.does(d.deploys("c", ""), "(ok true)")
	tips := func() string {
		t.Helper()
		b := read[listBody](t, get(d.s, "/extended/v1/block?limit=1")).Results[0]
		return fmt.Sprintf("(list u%d u%d)", b.Height, b.BurnBlockHeight)
	}
	for range 130 {
		d.wants(d.reads("c", "when"), tips())
		id := d.calls(0, "c", "add", clarity.NewUInt(1))
		mine(t, d.s, 1)
		if m := d.ended(id); m.Status != "success" {
			t.Fatalf("it waits where a burn block comes: %+v", m)
		}
	}
	d.control("clock", `{"advance":"3h"}`)
	d.wants(d.reads("c", "when"), tips())
	d.wants(d.reads("c", "total"), "u130")
}

func TestContractsAreKeptInAStateFile(t *testing.T) {
	cfg := fakeEngine()
	cfg.State = filepath.Join(t.TempDir(), "state")
	d := newTroupe(t, cfg)
	d.does(d.deploys("c", ""), "(ok true)")
	d.does(d.calls(1, "c", "add", clarity.NewUInt(4)), "(ok u4)")
	if err := d.s.Close(); err != nil {
		t.Fatal(err)
	}
	without := cfg
	without.Clarity, without.ClarityEngine = false, ""
	var bad *ConfigError
	if _, err := New(without); !errors.As(err, &bad) || !strings.Contains(bad.Reason, "add --clarity") {
		t.Errorf("without --clarity: %v", err)
	}
	again := newTroupe(t, cfg)
	again.wants(again.reads("c", "total"), "u4")
	again.nonces = d.nonces
	again.does(again.calls(1, "c", "add", clarity.NewUInt(4)), "(ok u8)")
}

func TestWorldsHaveContractsOfTheirOwn(t *testing.T) {
	cfg := fakeEngine()
	cfg.Worlds = true
	d := newTroupe(t, cfg)
	raw := d.people[0].signed(t, d.people[0].testnetTx(0, 30_000, stxtx.SmartContract{Name: "c", ClarityVersion: 4}))
	for _, world := range []string{"/w/a", "/w/b"} {
		if w := post(d.s, world+"/v2/transactions", "application/octet-stream", raw); w.Code != 200 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
	}
	if w := post(d.s, "/w/a/mock/v1/mine", "application/json", []byte(`{"blocks":1}`)); w.Code != 200 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	total := "/v2/data_var/" + d.who(0).String() + "/c/total?proof=0"
	if a, b, own := get(d.s, "/w/a"+total).Code, get(d.s, "/w/b"+total).Code, get(d.s, total).Code; a != 200 || b != 404 || own != 404 {
		t.Errorf("the variable is there as %d %d %d", a, b, own)
	}
}

func TestAProjectIsDeployedFirst(t *testing.T) {
	dir := t.TempDir()
	alice := someone("alice").address(false)
	plan := "genesis:\n  wallets:\n  - {name: deployer, address: " + alice + ", balance: '77000000'}\nplan:\n  batches:\n"
	for i := range 70 { // across a burn block
		plan += fmt.Sprintf("  - transactions:\n    - {transaction-type: emulated-contract-publish, contract-name: c%d, emulated-sender: %s, path: c.clar}\n", i, alice)
	}
	plan += "    - {transaction-type: emulated-contract-call, contract-id: " + alice + ".c3, emulated-sender: " + alice + ", method: add, parameters: [u9]}\n"
	for name, text := range map[string]string{"Clarinet.toml": "", "plan.yaml": plan, "c.clar": "(ok)"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cfg := fakeEngine()
	cfg.Project = dir
	d := newTroupe(t, cfg)
	d.wants(d.balance(d.who(0)), "u77000000")
	d.wants(d.reads("c69", "total"), "u0")
	d.wants(d.reads("c3", "total"), "u9")
	d.nonces[0] = 71
	d.does(d.calls(0, "c3", "add", clarity.NewUInt(1)), "(ok u10)")
	d.control("reset", "{}")
	d.wants(d.reads("c3", "total"), "u9")
	source := read[struct {
		Source string
		Height int64 `json:"publish_height"`
	}](t, get(d.s, "/v2/contracts/source/"+alice+"/c0?proof=0"))
	if source.Source != "(ok)" || source.Height != 10 {
		t.Errorf("its source is %+v", source)
	}
	var bad *ConfigError
	for name, text := range map[string]string{
		"plan.yaml:1:5: the contract c: unexpected ':'":                "plan: {batches: [{transactions: [{transaction-type: emulated-contract-publish, contract-name: c, emulated-sender: " + alice + ", path: plan.yaml}]}]} # broken",
		"c.none: no such file":                                         "plan: {batches: [{transactions: [{transaction-type: emulated-contract-publish, contract-name: c, emulated-sender: " + alice + ", path: c.none}]}]}",
		"the deployment plan has a-dance, which chainscope does not":   "plan: {batches: [{transactions: [{transaction-type: a-dance, emulated-sender: " + alice + "}]}]}",
		"the deployment plan: yaml":                                    "\t",
		"Clarinet.toml: no such file or directory; give the folder of": "",
	} {
		if err := os.WriteFile(filepath.Join(dir, "plan.yaml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if text == "" {
			cfg.Project = t.TempDir()
		}
		if _, err := New(cfg); !errors.As(err, &bad) || !strings.HasPrefix(err.Error(), "--project: ") || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, want %s", err, name)
		}
		cfg.Project = dir
	}
}

// The chain of a project is testnet in what a node says of itself, and the network's own contracts
// answer reads and take no transactions.
func TestTheChainOfAProjectIsTestnet(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"Clarinet.toml": "", "plan.yaml": "plan: {}\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cfg := fakeEngine()
	cfg.Project = dir
	d := newTroupe(t, cfg)
	node := read[struct {
		Network int64 `json:"network_id"`
	}](t, get(d.s, "/v2/info"))
	pox := read[struct {
		Contract string `json:"contract_id"`
	}](t, get(d.s, "/v2/pox"))
	if node.Network != 0x80000000 || pox.Contract != "ST000000000000000000002AMW42H.pox-5" {
		t.Errorf("%+v, %+v", node, pox)
	}
	source := get(d.s, "/v2/contracts/source/ST000000000000000000002AMW42H/pox-4?proof=0")
	if source.Code != http.StatusOK || !strings.Contains(source.Body.String(), "define-fungible-token") {
		t.Errorf("the source of pox-4: %d %s", source.Code, source.Body)
	}
	id, err := clarity.ParseContract("ST000000000000000000002AMW42H.costs")
	if err != nil {
		t.Fatal(err)
	}
	tx := d.people[0].testnetTx(0, 30_000, stxtx.ContractCall{Contract: id, Function: "revoke"})
	w := post(d.s, "/v2/transactions", "application/octet-stream", d.people[0].signed(t, tx))
	if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "the network's own contracts answer reads alone here") {
		t.Errorf("a call of it: %d %s", w.Code, w.Body)
	}
}

// What was reached in contracts is added to a file when the server is closed.
func TestWhatWasReachedIsWritten(t *testing.T) {
	cfg := fakeEngine()
	cfg.Coverage = filepath.Join(t.TempDir(), "reached.lcov")
	for _, function := range []string{"no", "add"} {
		d := newTroupe(t, cfg)
		d.does(d.deploys("c", ""), "(ok true)")
		var args []clarity.Value
		if function == "add" {
			args = append(args, clarity.NewUInt(3))
		}
		d.calls(1, "c", function, args...)
		mine(t, d.s, 1)
		if err := d.s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(cfg.Coverage)
	if err != nil {
		t.Fatal(err)
	}
	d := troupe{T: t}
	d.wants(string(got), "TN:\nSF:c\nFN:1,add\nFNDA:1,add\nFNF:1\nFNH:1\nDA:1,2\nDA:2,1\nDA:10,0\nLF:3\nLH:2\nBRDA:2,0,1,1\nBRF:1\nBRH:1\nend_of_record\n")
}

func TestWhatDoesNotRunIsSaid(t *testing.T) {
	d := newTroupe(t, fakeEngine())
	tx := d.people[0].mainnetTx(0, 30_000, stxtx.SmartContract{Name: "c", ClarityVersion: 4})
	if reason, data := refused(t, d.s, d.people[0].signed(t, tx)); reason != "ServerFailureOther" || !strings.Contains(data, "deploy from an ST address") {
		t.Errorf("a deploy on mainnet: %s %s", reason, data)
	}
	var bad *ConfigError
	for name, cfg := range map[string]Config{
		"--clarity-engine: needs --clarity":                          {ClarityEngine: "x"},
		"--coverage: needs --clarity":                                {Coverage: "x"},
		"--clarity-engine: exec":                                     {Clarity: true, ClarityEngine: filepath.Join(t.TempDir(), "x")},
		"--clarity-engine: the Clarity engine began with":            {Clarity: true, ClarityEngine: "go version"},
		"--clarity: no chainscope-clarity in node_modules/.bin":      {Clarity: true},
		"--clarity: needs the mock chain; it cannot be used with --": {Clarity: true, Replay: t.TempDir()},
	} {
		t.Setenv("PATH", filepath.Dir(mustLook(t, "go")))
		if _, err := New(cfg); !errors.As(err, &bad) || !strings.HasPrefix(err.Error(), name) {
			t.Errorf("%v, want %s", err, name)
		}
	}
}

func mustLook(t *testing.T, program string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		t.Fatal(err)
	}
	return path
}
