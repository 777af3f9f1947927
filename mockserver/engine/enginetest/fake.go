// Package enginetest is for tests: a program with the protocol of package engine and
// runs no Clarity. Every contract that is deployed to it has the same functions:
//
//	(add (n uint))                 adds to the variable total, prints n, answers total
//	(pay (n uint) (to principal))  sends STX of the sender
//	(lock (n uint) (until uint))   locks STX of the sender, as pox-4 does
//	(no)                           answers (err u7)
//	(fail)                         fails at run time
//	(transfer (n uint) (from principal) (to principal) (memo (optional (buff 34))))
//	                               sends tokens of the contract, of those that it has by
//	                               mock-settle or were given to somebody
//	(total), (when), (has (who principal))   read-only: the variable, heights, a balance
//	(holds (token principal) (who principal))   read-only: the balance of a token
//	(late)                         read-only: the variable, after 1.3 s
//	(die), (hang), (mute), (rubbish), (flood), (chatter)   what goes wrong with a process
//
// On a fork each call and read of it first reads the source of its contract on the live chain. It takes a millisecond for 1,000 blocks, and says that its memory has a byte for each block
// that was ever requested. A source that has the word broken in it is refused, one with the
// word unplaced-name with a place, and one that ends in ;; lacks CONTRACT. Every contract is
// built in, with a token called sbtc-token. It gives nobody 13 micro-STX. The plan of a project is its file
// plan.yaml.
package enginetest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"chainscope/wallet/clarity"
)

// word is the argument by which a test binary knows that it is to be the program.
const word = "chainscope-fake-engine"

// Command returns the command of the program: the test binary itself, whose TestMain calls
// ServeIfRequested.
func Command() []string { return []string{os.Args[0], word} }

// ServeIfRequested is the program where the process was started as it, and returns otherwise.
func ServeIfRequested() {
	if len(os.Args) > 1 && os.Args[1] == word {
		serve()
		os.Exit(0)
	}
}

// request is a line that requests something.
type request struct {
	ID         int64       `json:"id"`
	Do         string      `json:"do"`
	Folder     string      `json:"folder"`
	Session    string      `json:"session"`
	At         int         `json:"at"`
	Blocks     [][2]int64  `json:"blocks"`
	Mint       [][2]string `json:"mint"`
	Burn       [][2]string `json:"burn"`
	Tokens     [][3]string `json:"tokens"`
	Coverage   *bool       `json:"coverage"`
	Contract   string      `json:"contract"`
	Source     string      `json:"source"`
	Function   string      `json:"function"`
	Args       []string    `json:"args"`
	Sender     string      `json:"sender"`
	Name       string      `json:"name"`
	Key        string      `json:"key"`
	Principals []string    `json:"principals"`
	Epoch      string      `json:"epoch"`
	GenesisAt  int64       `json:"genesis"`
	Fork       *forkPoint  `json:"fork"`
}

// session holds what happened in it, from which it is made again.
type session struct {
	steps []request

	opened       request
	stacks, burn int64
	balances     map[string]*big.Int
	totals       map[string]*big.Int // by contract
	assets       map[string]string   // that contracts issue
	silent       map[string]bool     // contracts of which it is of no interest what was reached
}

// made is the number of blocks that were requested in all sessions.
var made int64

func newSession(opened request) *session {
	stacks, burn := int64(1), int64(1)
	if f := opened.Fork; f != nil {
		stacks, burn = f.Height, f.Burn
	}
	return &session{opened: opened, stacks: stacks, burn: burn, balances: map[string]*big.Int{}, totals: map[string]*big.Int{}, assets: map[string]string{}, silent: map[string]bool{}}
}

func serve() {
	sessions := map[string]*session{}
	out := bufio.NewWriter(os.Stdout)
	report := func(v any) {
		text, err := json.Marshal(v)
		if err != nil {
			panic(err)
		}
		fmt.Fprintf(out, "%s\n", text)
		_ = out.Flush()
	}
	report(map[string]any{"chainscope-clarity": 1, "vm": "fake", "forks": true})
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 16<<20)
	wanted := &questions{lines: lines}
	for {
		line, more := wanted.next()
		if !more {
			return
		}
		var r request
		if err := json.Unmarshal(line, &r); err != nil {
			report(map[string]any{"id": nil, "error": refusal(err.Error())})
			continue
		}
		if answer, is := withoutSession(r, sessions); is {
			report(answer)
			continue
		}
		if r.Do == "open" {
			s := newSession(r)
			sessions[r.Session] = s
			report(map[string]any{"id": r.ID, "ok": map[string]any{"at": 0, "stacks": s.stacks, "burn": s.burn}})
			continue
		}
		s, known := sessions[r.Session]
		if known && s.opened.Fork != nil && (r.Do == "call" || r.Do == "read") && !wanted.reads(report, s.opened.Fork, r) {
			continue
		}
		if !known {
			report(map[string]any{"id": r.ID, "error": refusal("there is no session " + r.Session)})
			continue
		}
		if len(r.Mint) > 0 && r.Mint[0][1] == "13" {
			report(map[string]any{"id": r.ID, "error": refusal("13 micro-STX bring no luck")})
			continue
		}
		report(map[string]any{"id": r.ID, "ok": s.answer(r)})
	}
}

// withoutSession answers what is of no session, and reports whether that was requested.
func withoutSession(r request, sessions map[string]*session) (answer map[string]any, is bool) {
	ok := map[string]any{}
	switch r.Do {
	case "plan":
		text, err := os.ReadFile(filepath.Join(r.Folder, "plan.yaml"))
		if err != nil {
			return map[string]any{"id": r.ID, "error": refusal(err.Error())}, true
		}
		ok["plan"] = string(text)
	case "builtin":
		ok["source"] = "(define-fungible-token sbtc-token)"
	case "coverage":
		ok["lcov"] = reached(sessions)
	case "status":
		ok["sessions"], ok["awake"], ok["memory"] = len(sessions), 1, made
	default:
		return nil, false
	}
	return map[string]any{"id": r.ID, "ok": ok}, true
}

// reached says of every contract that line 1 was reached, and line 2 if something was added to
// its total.
func reached(sessions map[string]*session) string {
	text := ""
	for _, s := range sessions {
		for id, total := range s.totals {
			if s.silent[id] {
				continue
			}
			_, name, _ := strings.Cut(id, ".")
			text += fmt.Sprintf("SF:%s\nFN:1,add\nFNDA:%d,add\nDA:1,1\nDA:2,%d\nDA:10,0\nBRDA:2,0,1,%d\nend_of_record\n", name, total.Sign(), total.Sign(), total.Sign())
		}
	}
	return text
}

func refusal(message string) map[string]any {
	return map[string]any{"kind": "request", "message": message}
}

func (s *session) answer(r request) any {
	switch r.Do {
	case "back":
		kept := s.steps[:r.At]
		*s = *newSession(s.opened)
		for _, step := range kept {
			s.do(step)
			s.steps = append(s.steps, step)
		}
		return map[string]any{"at": len(s.steps)}
	case "variable":
		total, known := s.totals[r.Contract]
		if !known || r.Name != "total" {
			return map[string]any{"value": nil}
		}
		return map[string]any{"value": uintHex(total)}
	case "map":
		return map[string]any{"value": nil}
	case "holds":
		held := []string{}
		for _, p := range r.Principals {
			held = append(held, s.balance(p).String())
		}
		return map[string]any{"balances": held}
	case "close":
		return map[string]any{}
	}
	before := s.stacks
	out := s.do(r)
	made += s.stacks - before
	time.Sleep(time.Duration(s.stacks-before) * time.Microsecond)
	if r.Do == "read" {
		return out
	}
	if out["kept"] == true {
		s.steps = append(s.steps, r)
	}
	out["at"] = len(s.steps)
	return out
}

// do does one thing.
func (s *session) do(r request) map[string]any {
	switch r.Do {
	case "mine":
		for _, b := range r.Blocks {
			s.burn += b[0]
			s.stacks += b[0] + b[1]
		}
	case "balances":
		for _, m := range r.Mint {
			s.add(m[0], amountOf(m[1]))
		}
		for _, b := range r.Burn {
			s.add(b[0], new(big.Int).Neg(amountOf(b[1])))
		}
		for _, t := range r.Tokens {
			contract, _, _ := strings.Cut(t[0], "::")
			s.add(contract+" "+t[1], amountOf(t[2]))
		}
	case "deploy":
		for word, says := range refusals {
			if strings.Contains(r.Source, word) {
				return map[string]any{"kept": false, "failure": map[string]any{"message": says}}
			}
		}
		if strings.Contains(r.Source, "unplaced-name") {
			return map[string]any{"kept": false, "failure": map[string]any{"message": "use of unresolved function 'unplaced-name'", "line": 2, "column": 3}}
		}
		if strings.Contains(r.Source, "broken") {
			return map[string]any{"kept": false, "failure": map[string]any{"message": "use of unresolved function 'broken'"}}
		}
		if _, id, ok := strings.Cut(r.Source, ";; lacks "); ok {
			return map[string]any{"kept": false, "failure": map[string]any{"message": "use of unresolved contract '" + id + "'"}}
		}
		s.totals[r.Contract] = new(big.Int)
		s.silent[r.Contract] = r.Coverage != nil && !*r.Coverage
		if found := issues.FindStringSubmatch(r.Source); found != nil {
			s.assets[r.Contract] = found[1]
		}
		return map[string]any{"kept": true, "result": "0x03", "events": []any{}, "cost": cost, "interface": json.RawMessage(faceOf(s.assets[r.Contract]))}
	default:
		return s.call(r)
	}
	return map[string]any{"kept": true}
}

func (s *session) add(who string, amount *big.Int) {
	s.balances[who] = new(big.Int).Add(s.balance(who), amount)
}

func (s *session) balance(who string) *big.Int {
	if b := s.balances[who]; b != nil {
		return b
	}
	return new(big.Int)
}

var cost = map[string]uint64{"read_count": 3, "read_length": 30, "runtime": 300, "write_count": 1, "write_length": 10}

func (s *session) call(r request) map[string]any {
	answer := func(result string, events ...any) map[string]any {
		if events == nil {
			events = []any{}
		}
		return map[string]any{"kept": !strings.HasPrefix(result, "0x08"), "result": result, "events": events, "cost": cost}
	}
	event := func(kind string, data map[string]any) any { return map[string]any{"event": kind, "data": data} }
	switch r.Function {
	case "add":
		n := uintOf(r.Args[0])
		s.totals[r.Contract] = new(big.Int).Add(s.totals[r.Contract], n)
		return answer("0x07"+uintHex(s.totals[r.Contract])[2:], event("print_event", map[string]any{"contract_identifier": r.Contract, "topic": "print", "raw_value": r.Args[0]}))
	case "pay":
		to, err := clarity.DecodeHex(r.Args[1])
		n := uintOf(r.Args[0])
		if err != nil || s.balance(r.Sender).Cmp(n) < 0 {
			return answer("0x08" + uintHex(big.NewInt(1))[2:])
		}
		s.add(r.Sender, new(big.Int).Neg(n))
		s.add(to.(clarity.Principal).String(), n)
		return answer("0x0703", event("stx_transfer_event", map[string]any{"amount": n.String(), "sender": r.Sender, "recipient": to.(clarity.Principal).String(), "memo": ""}))
	case "lock":
		return answer("0x0703", event("stx_lock_event", map[string]any{"contract_identifier": "ST000000000000000000002AMW42H.pox-4", "locked_address": r.Sender, "locked_amount": uintOf(r.Args[0]).String(), "unlock_height": uintOf(r.Args[1]).String()}))
	case "mock-settle":
		s.settle(r)
		return answer("0x0703")
	case "transfer":
		n, from, to := uintOf(r.Args[0]), principalOf(r.Args[1]), principalOf(r.Args[2])
		if s.balance(r.Contract+" "+from).Cmp(n) < 0 {
			return answer("0x08" + uintHex(big.NewInt(1))[2:])
		}
		s.add(r.Contract+" "+from, new(big.Int).Neg(n))
		s.add(r.Contract+" "+to, n)
		return answer("0x0703", event("ft_transfer_event", map[string]any{"asset_identifier": r.Contract + "::" + s.assets[r.Contract], "amount": n.String(), "sender": from, "recipient": to}))
	case "holds":
		return answer(uintHex(s.balance(principalOf(r.Args[0]) + " " + principalOf(r.Args[1]))))
	case "no":
		return answer("0x08" + uintHex(big.NewInt(7))[2:])
	case "total":
		return answer(uintHex(s.totals[r.Contract]))
	case "late":
		time.Sleep(1300 * time.Millisecond)
		return answer(uintHex(s.totals[r.Contract]))
	case "when":
		v := clarity.List{clarity.NewUInt(uint64(s.stacks)), clarity.NewUInt(uint64(s.burn))}
		text, _ := clarity.EncodeHex(v)
		return answer("0x" + text)
	case "has":
		return answer(uintHex(s.balance(principalOf(r.Args[0]))))
	}
	goWrong(r.Function)
	return map[string]any{"kept": false, "failure": map[string]any{
		"message": "Runtime error", "error": "ArithmeticUnderflow", "contract": "c", "line": 3, "column": 9,
		"expression": "( - u0 u1 )", "stack": []string{r.Contract + ":" + r.Function, "_native_:native_sub"},
	}}
}

// goWrong does what goes wrong with a process, for the functions that are called so.
func goWrong(how string) {
	switch how {
	case "die":
		fmt.Fprintln(os.Stderr, "the machine is on fire")
		os.Exit(9)
	case "hang":
		time.Sleep(time.Hour)
	case "mute":
		_ = os.Stdout.Close()
		time.Sleep(time.Hour)
	case "rubbish":
		fmt.Println("Segmentation fault")
	case "flood":
		write(strings.Repeat("a", 1<<20))
	case "chatter":
		write(`{"id":1,"ok":{}}` + "\n")
	}
}

// settle does what moved tokens elsewhere.
func (s *session) settle(r request) {
	v, err := clarity.DecodeHex(r.Args[0])
	if err != nil || r.Sender != "ST000000000000000000002AMW42H" {
		panic("mock-settle of " + r.Sender)
	}
	for _, move := range v.(clarity.List) {
		fields := move.(clarity.Tuple).Fields // amount, from, to
		n := fields[0].Value.(clarity.UInt).N
		if from, ok := fields[1].Value.(clarity.Some); ok {
			s.add(r.Contract+" "+from.Value.(clarity.Principal).String(), new(big.Int).Neg(n))
		}
		if to, ok := fields[2].Value.(clarity.Some); ok {
			s.add(r.Contract+" "+to.Value.(clarity.Principal).String(), n)
		}
	}
}

func principalOf(hex string) string {
	v, err := clarity.DecodeHex(hex)
	if err != nil {
		panic(err)
	}
	return v.(clarity.Principal).String()
}

// write writes something without end.
func write(part string) {
	for {
		if _, err := os.Stdout.WriteString(part); err != nil {
			os.Exit(1)
		}
	}
}

func amountOf(text string) *big.Int {
	n, ok := new(big.Int).SetString(text, 10)
	if !ok {
		panic("no amount: " + text)
	}
	return n
}

func uintOf(hex string) *big.Int {
	v, err := clarity.DecodeHex(hex)
	if err != nil {
		panic(err)
	}
	return v.(clarity.UInt).N
}

func uintHex(n *big.Int) string {
	text, err := clarity.EncodeHex(clarity.UInt{N: n})
	if err != nil {
		panic(err)
	}
	return "0x" + text
}

// issues finds the token that a source issues.
var issues = regexp.MustCompile(`define-fungible-token ([a-z-]+)`)

// faceOf returns the interface of a contract that issues an asset, "" for none.
func faceOf(asset string) string {
	if asset == "" {
		return face
	}
	return strings.Replace(face, `"fungible_tokens":[]`, fmt.Sprintf(`"fungible_tokens":[{"name":%q}]`, asset), 1)
}

// face is the interface of every contract.
var face = func() string {
	function := func(name, access, result string, args ...string) string {
		list := make([]string, len(args))
		for i, of := range args {
			list[i] = fmt.Sprintf(`{"name":"a%d","type":%q}`, i, of)
		}
		return fmt.Sprintf(`{"name":%q,"access":%q,"args":[%s],"outputs":{"type":%s}}`, name, access, strings.Join(list, ","), result)
	}
	response := `{"response":{"ok":"uint128","error":"uint128"}}`
	all := []string{
		function("add", "public", response, "uint128"), function("pay", "public", response, "uint128", "principal"), function("lock", "public", response, "uint128", "uint128"), function("no", "public", response),
		function("total", "read_only", `"uint128"`), function("when", "read_only", `{"list":{"type":"uint128","length":2}}`), function("has", "read_only", `"uint128"`, "principal"),
		function("holds", "read_only", `"uint128"`, "principal", "principal"),
	}
	for _, name := range []string{"fail", "die", "hang", "mute", "rubbish", "flood", "chatter"} {
		all = append(all, function(name, "public", response))
	}
	return `{"functions":[` + strings.Join(all, ",") + `],"variables":[{"name":"total","type":"uint128","access":"variable"}],"maps":[],"fungible_tokens":[],"non_fungible_tokens":[],"epoch":"Epoch33","clarity_version":"Clarity4"}`
}()

// refusals hold what the machine says of contracts with a word, without a place.
var refusals = map[string]string{
	".traits.nope":  "use of undeclared trait <nope>",
	".traits.yes":   "invalid signature for method 'other' regarding trait's specification <yes>",
	"(at-block ":    "(at-block ...) is not available in this epoch",
	"ant slice?":    `Runtime Error: Runtime error while interpreting ST1.c: RuntimeCheck(NameAlreadyUsed("slice?"))`,
	"(try! (err u1": "Runtime Error: Runtime error while interpreting ST1.c: EarlyReturn(UnwrapFailed(Response(ResponseData { committed: false, data: UInt(1) })))",
	"(/ u1 u0)":     `Runtime Error: Runtime error while interpreting ST1.c: Runtime(DivisionByZero, Some([FunctionIdentifier { identifier: "_native_:native_div" }]))`,
}
