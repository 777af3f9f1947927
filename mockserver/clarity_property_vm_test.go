//go:build clarity

package mockserver

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"chainscope/mockserver/history"
	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
	"chainscope/wallet/outcome"
	"chainscope/wallet/stxtx"
)

// directStep is a step of testdata/clarity/direct.mjs.
type directStep struct {
	Contract string   `json:"contract"`
	Source   string   `json:"source,omitempty"`
	Function string   `json:"function,omitempty"`
	Args     []string `json:"args,omitempty"`
	Sender   string   `json:"sender,omitempty"`
}

// directAnswer holds what the SDK answers to it.
type directAnswer struct {
	Result string   `json:"result"`
	Events []string `json:"events"`
}

// gamble is a course of random calls.
type gamble struct {
	*troupe
	r         *rand.Rand
	sent      []string // ids, in the order of their blocks and within them
	snapshots []gambleMark
	undone    int
	deployed  int // contracts that nobody calls
}

type gambleMark struct {
	sent   int
	nonces [2]uint64
}

// What a contract does through broadcast and block is what it does in the SDK alone, with
// aborted transactions, reverts and reorganizations in between.
func TestTheVirtualMachineDoesWhatTheSDKDoes(t *testing.T) {
	calls := 300
	if long {
		calls = 1_000
	}
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			g := &gamble{troupe: newTroupe(t, realEngine()), r: rand.New(rand.NewPCG(seed, 7))}
			for _, name := range []string{"token", "collection", "vault", "exchange"} {
				source, err := os.ReadFile("testdata/clarity/" + name + ".clar")
				if err != nil {
					t.Fatal(err)
				}
				g.sent = append(g.sent, g.deploys(name, string(source)))
				mine(t, g.s, 1)
			}
			g.endow()
			for range calls {
				g.step()
			}
			mine(t, g.s, 1)
			g.compare()
		})
	}
}

// endow gives people tokens of the catalogue, and a pass each.
func (g *gamble) endow() {
	g.Helper()
	for i := range g.people {
		g.control("accounts", fmt.Sprintf(`{"address":%q,"tokens":{"%s::rehearsal":"100"}}`, g.who(i), rehearsalToken))
	}
	g.control("contracts", fmt.Sprintf(`{"contract":"%s.gate","calls":{"enter":{"result":"(ok true)","moves":[{"asset":"%s::pass","to":"sender","id":"$1"}]}}}`, g.who(0), rehearsalPass))
	for i := range g.people {
		g.does(g.calls(i, "gate", "enter", clarity.NewUInt(uint64(11+i))), "(ok true)")
	}
	mine(g.T, g.s, 4) // no reorganization reaches these
}

// step does one thing at random: mostly a call, sometimes a deploy, a read or a
// forecast before it.
func (g *gamble) step() {
	g.Helper()
	switch n := g.r.IntN(100); {
	case n < 2:
		mine(g.T, g.s, 1)
		g.control("snapshot", `{}`)
		g.snapshots = append(g.snapshots, gambleMark{len(g.sent), g.nonces})
	case n < 4 && len(g.snapshots) > 0:
		last := g.snapshots[len(g.snapshots)-1]
		g.control("revert", "{}")
		g.undone += len(g.sent) - last.sent
		g.sent, g.nonces = g.sent[:last.sent], last.nonces
	case n < 6:
		mine(g.T, g.s, 1)
		g.control("reorg", fmt.Sprintf(`{"depth":%d}`, 1+g.r.IntN(3)))
		g.snapshots = nil // what they have is not canonical any more
	case n < 40:
		mine(g.T, g.s, 1)
	case n < 42: // into other burn blocks
		mine(g.T, g.s, 1+g.r.IntN(130))
	}
	switch g.r.IntN(12) {
	case 0, 1:
		g.readsOf(g.contract("token"), "get-balance", g.who(0))
	case 2:
		tx, i := g.transaction()
		if w := post(g.s, "/mock/v1/forecast", "application/octet-stream", g.people[i].signed(g.T, tx)); w.Code != 200 {
			g.Fatalf("%+v: %d %s", tx.Payload, w.Code, w.Body)
		}
	}
	tx, i := g.transaction()
	w := broadcastRaw(g.s, g.people[i].signed(g.T, tx))
	if w.Code == 400 && strings.Contains(w.Body.String(), "TooMuchChaining") {
		mine(g.T, g.s, 1)
		w = broadcastRaw(g.s, g.people[i].signed(g.T, tx))
	}
	if w.Code != 200 {
		g.Fatalf("%+v: %d %s", tx.Payload, w.Code, w.Body)
	}
	g.sent = append(g.sent, strings.Trim(strings.TrimSpace(w.Body.String()), `"`))
	g.nonces[i]++
}

// transaction returns a call or a deploy at random, and who sends it.
func (g *gamble) transaction() (tx *stxtx.Transaction, i int) {
	i = g.r.IntN(2)
	var payload stxtx.Payload
	if g.r.IntN(25) == 0 {
		g.deployed++
		i, payload = 0, stxtx.SmartContract{Name: fmt.Sprintf("idle-%d", g.deployed), Code: "(define-constant one u1) (print one)", ClarityVersion: 4}
	} else {
		payload = g.random()
	}
	tx = g.people[i].testnetTx(g.nonces[i], 30_000, payload)
	if tx.PostConditionMode = stxtx.ModeAllow; g.r.IntN(5) == 0 {
		tx.PostConditionMode = stxtx.ModeDeny
	}
	return tx, i
}

// random returns a call that may end in any way.
func (g *gamble) random() stxtx.ContractCall {
	contract, function, args := g.randomCall()
	id := g.contract(contract)
	if strings.Contains(contract, ".") {
		id = idOf(g.T, contract)
	}
	return stxtx.ContractCall{Contract: id, Function: function, Args: args}
}

func (g *gamble) randomCall() (contract, function string, args []clarity.Value) {
	n := clarity.NewUInt(uint64(g.r.IntN(20)))
	who := func() clarity.Value { return g.who(g.r.IntN(2)) }
	pass := clarity.NewUInt(uint64(10 + g.r.IntN(4)))
	switch g.r.IntN(16) {
	case 0:
		return "token", "mint", []clarity.Value{n}
	case 1:
		return "token", "burn", []clarity.Value{n}
	case 2:
		return "token", "transfer", []clarity.Value{n, who(), who(), clarity.None{}}
	case 3:
		return "token", "transfer", []clarity.Value{n, who(), who(), clarity.Some{Value: clarity.Buffer("memo")}}
	case 4:
		return "collection", "draw", []clarity.Value{clarity.ASCII("a stamp")}
	case 5:
		return "collection", "transfer", []clarity.Value{n, who(), who()}
	case 6:
		return "collection", "tear", []clarity.Value{n}
	case 7:
		return "vault", "put", []clarity.Value{n}
	case 8:
		return "vault", "take", []clarity.Value{n}
	case 9:
		return "vault", "swap", []clarity.Value{n}
	case 10:
		return rehearsalToken, "transfer", []clarity.Value{n, who(), who(), []clarity.Value{clarity.None{}, clarity.Some{Value: clarity.Buffer("memo")}}[g.r.IntN(2)]}
	case 11:
		return rehearsalPass, "transfer", []clarity.Value{pass, who(), who()}
	case 12:
		return "exchange", "buy", []clarity.Value{n}
	case 13:
		return "exchange", "pay-out", []clarity.Value{idOf(g.T, rehearsalToken), n}
	case 14:
		return "exchange", "pawn", []clarity.Value{idOf(g.T, rehearsalPass), pass}
	}
	if g.r.IntN(2) == 0 {
		return "vault", "share", []clarity.Value{n, clarity.NewUInt(uint64(g.r.IntN(2)))}
	}
	return "vault", "list-of", []clarity.Value{clarity.List{clarity.Some{Value: n}, []clarity.Value{clarity.None{}, clarity.Some{Value: n}}[g.r.IntN(2)]}}
}

// compare repeats what the chain holds in the SDK alone.
func (g *gamble) compare() {
	g.Helper()
	state := g.s.world.State()
	var all []*ledger.Tx
	aborted, failed := 0, 0
	for _, tx := range state.AllMined() {
		if tx.Mainnet() || !slices.Contains(g.sent, fmt.Sprintf("%x", tx.ID)) {
			continue
		}
		if tx.Violation != nil {
			aborted++
			continue // it changed nothing
		}
		if tx.Aborted() {
			failed++
		}
		all = append(all, tx)
	}
	place := func(tx *ledger.Tx) int {
		return read[struct {
			Index int `json:"tx_index"`
		}](g.T, get(g.s, fmt.Sprintf("/extended/v1/tx/0x%x", tx.ID))).Index
	}
	slices.SortStableFunc(all, func(a, b *ledger.Tx) int {
		if a.Height != b.Height {
			return cmp.Compare(a.Height, b.Height)
		}
		return cmp.Compare(place(a), place(b))
	})
	if len(all)+aborted != len(g.sent) {
		g.Errorf("%d of %d transactions are in blocks", len(all)+aborted, len(g.sent))
	}
	g.Logf("%d in blocks, %d of them failed, %d aborted by post-conditions, %d reverted", len(all), failed, aborted, g.undone)
	want := g.direct(all)
	for i, q := range g.reads() {
		v, err := clarity.DecodeHex(want[len(all)+i].Result)
		if err != nil {
			g.Fatal(err)
		}
		arg, err := clarity.DecodeHex(q.Args[0])
		if err != nil {
			g.Fatal(err)
		}
		id, err := clarity.ParseContract(q.Contract)
		if err != nil {
			g.Fatal(err)
		}
		g.wants(g.readsOf(id, q.Function, arg), clarity.Repr(v))
	}
	for i, tx := range all {
		got := directAnswer{Result: "deployed", Events: happenedIn(tx)}
		if tx.Aborted() {
			got.Result = "refused"
		}
		if _, isCall := tx.Payload.(stxtx.ContractCall); isCall {
			text, err := clarity.EncodeHex(tx.Result)
			if err != nil {
				g.Fatal(err)
			}
			got.Result = "0x" + text
		}
		if got.Result != want[i].Result || !slices.Equal(got.Events, want[i].Events) {
			g.Fatalf("transaction %d, %+v:\n%+v\nand the SDK has\n%+v\n%s", i, tx.Payload, got, want[i], tx.Error)
		}
	}
}

// reads are read-only calls that show what a course has left.
func (g *gamble) reads() (all []directStep) {
	g.Helper()
	request := func(name, function string, arg clarity.Value) {
		text, err := clarity.EncodeHex(arg)
		if err != nil {
			g.Fatal(err)
		}
		all = append(all, directStep{Contract: g.contract(name).String(), Function: function, Args: []string{text}, Sender: g.who(1).String()})
	}
	for i := range g.people {
		request("token", "get-balance", g.who(i))
		request("vault", "of", g.who(i))
		request("exchange", "of", g.who(i))
	}
	request("exchange", "of", g.contract("exchange"))
	for id := range uint64(16) {
		request("exchange", "owner", clarity.NewUInt(id))
	}
	for id := range uint64(30) {
		request("collection", "get-owner", clarity.NewUInt(id))
		request("collection", "about", clarity.NewUInt(id))
	}
	return all
}

// direct runs transactions in the SDK alone.
func (g *gamble) direct(all []*ledger.Tx) (answers []directAnswer) {
	g.Helper()
	var requested struct {
		Accounts []string     `json:"accounts"`
		Steps    []directStep `json:"steps"`
		Reads    []directStep `json:"reads"`
	}
	requested.Reads = g.reads()
	requested.Steps = g.standing()
	requested.Accounts = []string{g.who(0).String(), g.who(1).String()}
	for _, tx := range all {
		switch p := tx.Payload.(type) {
		case stxtx.SmartContract:
			requested.Steps = append(requested.Steps, directStep{Contract: g.contract(p.Name).String(), Source: p.Code})
		case stxtx.ContractCall:
			step := directStep{Contract: p.Contract.String(), Function: p.Function, Sender: tx.Principal().String(), Args: []string{}}
			for _, arg := range p.Args {
				text, err := clarity.EncodeHex(arg)
				if err != nil {
					g.Fatal(err)
				}
				step.Args = append(step.Args, text)
			}
			requested.Steps = append(requested.Steps, step)
		}
	}
	text, err := json.Marshal(requested)
	if err != nil {
		g.Fatal(err)
	}
	cmd := exec.Command("node", "testdata/clarity/direct.mjs")
	cmd.Stdin, cmd.Stderr = bytes.NewReader(text), os.Stderr
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &answers)
	}
	if err != nil || len(answers) != len(requested.Steps)+len(requested.Reads) {
		g.Fatalf("the SDK alone: %v: %d answers, %.300s", err, len(answers), out)
	}
	return answers[len(requested.Steps)-len(all):]
}

// standing deploys the contracts of the catalogue in the SDK, as the API reports their sources, with
// what people begin with and have by endow.
func (g *gamble) standing() (steps []directStep) {
	g.Helper()
	people := append(history.Accounts(false), g.who(0), g.who(1))
	tokens, passes, left := "", "", 1_000_000_000_200
	for i, p := range people {
		n := 5_000_000_000
		if i >= 10 {
			n = 100
		}
		left -= n
		tokens += fmt.Sprintf("(ft-mint? rehearsal u%d '%s)\n", n, p)
		passes += fmt.Sprintf("(nft-mint? pass u%d '%s)\n", i+1, p)
	}
	for _, id := range []string{"ST1NXBK3K5YYMD6FD41MVNP3JS1GABZ8TRVX023PT.sip-010-trait-ft-standard", "ST1NXBK3K5YYMD6FD41MVNP3JS1GABZ8TRVX023PT.nft-trait", rehearsalToken, rehearsalPass} {
		source := read[struct{ Source string }](g.T, get(g.s, "/v2/contracts/source/"+strings.Replace(id, ".", "/", 1)+"?proof=0")).Source
		deployer, _, _ := strings.Cut(id, ".")
		source = strings.Replace(source, "(ft-mint? rehearsal u1000000000000 '", fmt.Sprintf("%s(ft-mint? rehearsal u%d '", tokens, left), 1)
		source = strings.Replace(source, "(nft-mint? pass u1 '"+deployer+")", passes, 1)
		steps = append(steps, directStep{Contract: id, Source: source})
	}
	return steps
}

// happenedIn returns what happened in a transaction, as direct.mjs writes it.
func happenedIn(tx *ledger.Tx) []string {
	out := []string{}
	prints := tx.Prints
	printed := func(moved int) {
		for ; len(prints) > 0 && prints[0].After <= moved; prints = prints[1:] {
			text, _ := clarity.EncodeHex(prints[0].Value)
			out = append(out, fmt.Sprintf("print %s 0x%s", prints[0].Contract, text))
		}
	}
	for i, m := range tx.Moved {
		printed(i)
		out = append(out, moveWords(m))
	}
	printed(len(tx.Moved))
	return out
}

func moveWords(m outcome.Move) string {
	kind, asset, from, to := "transfer", "STX", "-", "-"
	if m.From == nil {
		kind = "mint"
	} else {
		from = m.From.String()
	}
	if m.To == nil {
		kind = "burn"
	} else {
		to = m.To.String()
	}
	if m.Asset != (stxtx.Asset{}) {
		asset = m.Asset.String()
	}
	var what string
	if m.Token != nil {
		text, _ := clarity.EncodeHex(m.Token)
		what = "0x" + text
	} else {
		what = m.Amount.String()
	}
	return fmt.Sprintf("%s %s %s %s %s", kind, asset, what, from, to)
}
