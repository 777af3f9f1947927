package contracts

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
	"chainscope/tui/resource"
	"chainscope/tui/screen"
	"chainscope/tui/text"
	"chainscope/wallet/clarity"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

const book = "SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.book"

// server has one contract.
type server struct {
	source, face string
	// result is the literal that every call and every read answers with; cause in its place
	// says why a call fails.
	result, cause string
	gone          bool     // it has the contract and nothing in it
	asked         []string // method, path and body
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.asked = append(s.asked, strings.TrimSpace(r.Method+" "+r.URL.Path+" "+string(body)))
	w.Header().Set("Content-Type", "application/json")
	switch {
	case strings.HasPrefix(r.URL.Path, "/extended/v1/contract/"):
		_ = json.NewEncoder(w).Encode(map[string]any{"contract_id": book, "tx_id": "0x00", "block_height": 5, "source_code": s.source, "abi": s.face})
	case s.gone:
		w.WriteHeader(http.StatusBadRequest)
	case s.cause != "":
		_ = json.NewEncoder(w).Encode(map[string]any{"okay": false, "cause": s.cause})
	default:
		v, err := clarity.ParseLiteral(s.result)
		if err != nil {
			panic(err)
		}
		digits, _ := clarity.EncodeHex(v)
		_ = json.NewEncoder(w).Encode(map[string]any{"okay": true, "result": "0x" + digits, "data": "0x" + digits})
	}
}

// last returns what was asked last.
func (s *server) last() string { return s.asked[len(s.asked)-1] }

// visitor is before a part of the contract.
type visitor struct {
	*uitest.Driver
	of *server
}

func visit(t testing.TB, s *server, at nav.Place) *visitor {
	t.Helper()
	d := uitest.NewDriver(t, uitest.Client(t, s))
	d.Screen = New(d.Env, uitest.Theme(t, "dark"), func(string) (resource.Contract, bool) { return resource.Contract{}, false })
	d.Screen.SetSize(100, 40)
	d.Open(at)
	return &visitor{d, s}
}

const uintArg = `{"name":"n","type":"uint128"}`

func readOnlyWith(args string) string {
	return `{"functions":[{"name":"f","access":"read_only","args":[` + args + `],"outputs":{"type":{"response":{"ok":"uint128","error":"none"}}}}]}`
}

func TestAFunctionIsCalledFromItsRow(t *testing.T) {
	v := visit(t, &server{face: readOnlyWith(`{"name":"who","type":"principal"}`), result: "(ok u5)"}, nav.Function(book, "f"))
	v.Sees("f  of SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.book", "read-only f returns (response uint none)", "who", "principal", "[ Call ]")
	v.Type("SP1")
	v.Press("ctrl+y")
	v.Sees("✗ who: SP1 is not a principal; write 'SP")
	if len(v.of.asked) != 1 {
		t.Errorf("a wrong argument was sent: %v", v.of.asked)
	}
	v.Press("ctrl+u")
	v.Type("SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR")
	v.Press("tab", "tab", "enter")
	v.Sees("Result", "(ok u5)", "no fee", "of 'SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR")
	const want = `POST /v2/contracts/call-read/SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR/book/f {"sender":"SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR","arguments":["0x0516`
	if !strings.HasPrefix(v.of.last(), want) || len(v.of.asked) != 2 {
		t.Errorf("asked %v", v.of.asked)
	}
	if copies := v.Screen.Subject().Copies; copies[0].Text != "(ok u5)" {
		t.Errorf("%+v", copies)
	}
	v.of.result = "(err u404)"
	v.Do(v.Screen.Refresh())
	v.Settle()
	v.Sees("(err u404)", "Before", "(ok u5)")
}

// What takes no arguments is read with one key: to go there asks.
func TestAVariableIsReadAtOnce(t *testing.T) {
	face := `{"variables":[{"name":"last","access":"variable","type":"uint128"},{"name":"MOST","access":"constant","type":"uint128"}]}`
	for name, path := range map[string]string{"last": "GET /v2/data_var/", "MOST": "GET /v2/constant_val/"} {
		v := visit(t, &server{face: face, result: "u7"}, nav.Kept(book, name))
		v.Sees("Result", "u7")
		if !strings.HasPrefix(v.of.last(), path) || v.Screen.Typing() {
			t.Errorf("%s: asked %v", name, v.of.asked)
		}
	}
}

func TestAMapIsReadByItsKey(t *testing.T) {
	v := visit(t, &server{face: `{"maps":[{"name":"notes","key":"uint128","value":"bool"}]}`, result: "(some true)"}, nav.Kept(book, "notes"))
	v.Sees("map notes returns (optional bool)", "key")
	v.Type("3")
	v.Press("ctrl+y")
	v.Sees("(some true)")
	if want := `POST /v2/map_entry/SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR/book/notes "0x0100000000000000000000000000000003"`; v.of.last() != want {
		t.Errorf("asked %s", v.of.last())
	}
}

// nested is an argument of every kind that has parts.
const nested = `{"name":"order","type":{"tuple":[
	{"name":"amounts","type":{"list":{"type":"uint128","length":2}}},
	{"name":"memo","type":{"optional":{"buffer":{"length":4}}}},
	{"name":"live","type":"bool"},
	{"name":"answer","type":{"response":{"ok":"uint128","error":{"string-ascii":{"length":5}}}}}]}}`

// sent returns what the last call was sent with.
func (v *visitor) sent() string {
	v.Helper()
	var body struct{ Arguments []string }
	_, raw, _ := strings.Cut(v.of.last(), "/f ")
	if err := json.Unmarshal([]byte(raw), &body); err != nil {
		v.Fatalf("%s: %v", v.of.last(), err)
	}
	var all []string
	for _, digits := range body.Arguments {
		value, err := clarity.DecodeHex(digits)
		if err != nil {
			v.Fatal(err)
		}
		all = append(all, clarity.Repr(value))
	}
	return strings.Join(all, " ")
}

// Each type has a field of its own, and a literal stands for all of its parts.
func TestEachTypeHasAField(t *testing.T) {
	v := visit(t, &server{face: readOnlyWith(nested), result: "u1"}, nav.Function(book, "f"))
	v.Press("tab", "ctrl+n")
	v.Type("5")
	v.Press("ctrl+n")
	v.Type("u6")
	v.Sees("item 1", "item 2")
	v.Press("ctrl+n")
	v.Sees("nothing can be added here") // two at most
	v.Press("tab", "tab", "t", "tab", "right", "tab")
	v.Type("no")
	v.Press("ctrl+y")
	if want := `{ amounts: (list u5 u6), answer: (err "no"), live: true, memo: none }`; v.sent() != want {
		t.Errorf("sent %s", v.sent())
	}
	for range 12 {
		v.Press("shift+tab")
	}
	v.Press("ctrl+r") // the second item, or a field that cannot go: nothing is lost
	v.Press("home")
	for range 12 {
		v.Press("up")
	}
}

func TestALiteralReplacesItsParts(t *testing.T) {
	v := visit(t, &server{face: readOnlyWith(nested), result: "u1"}, nav.Function(book, "f"))
	v.Type(`{ amounts: (list 1), memo: (some 0x00), live: false, answer: (ok 9) }`)
	v.SeesNot("amounts  ")
	v.Press("ctrl+y")
	if want := `{ amounts: (list u1), answer: (ok u9), live: false, memo: (some 0x00) }`; v.sent() != want {
		t.Errorf("sent %s", v.sent())
	}
}

func TestWhatIsWrongIsGoneTo(t *testing.T) {
	v := visit(t, &server{face: readOnlyWith(nested), result: "u1"}, nav.Function(book, "f"))
	v.Press("ctrl+y")
	v.Sees("✗ live: missing", "< not chosen >")
}

// A call that changes the chain is a request of the wallet.
func TestAPublicFunctionIsARequestOfTheWallet(t *testing.T) {
	face := strings.Replace(readOnlyWith(uintArg), "read_only", "public", 1)
	v := visit(t, &server{face: face}, nav.Function(book, "f"))
	v.Sees("[ Make a request of the wallet ]")
	v.Type("5")
	var sent tea.Msg
	v.Env.Send = func(msg tea.Msg) { sent = msg }
	v.Screen.Key(uitest.Key("ctrl+y"))
	msg, ok := sent.(screen.RequestWalletMsg)
	if want := `{"contract":"` + book + `","functionName":"f","functionArgs":["0100000000000000000000000000000005"]}`; !ok || msg.Method != "stx_callContract" || string(msg.Params) != want {
		t.Errorf("%+v", msg)
	}
	if len(v.of.asked) != 1 {
		t.Errorf("asked %v", v.of.asked)
	}
}

func TestACallThatFailsSaysWhy(t *testing.T) {
	v := visit(t, &server{face: readOnlyWith(""), cause: "Runtime(DivisionByZero)"}, nav.Function(book, "f"))
	v.Sees("✗ f ended with an error: Runtime(DivisionByZero)")
	for name, want := range map[string]string{"g": "the contract has nothing called g", "secret": "private"} {
		face := `{"functions":[{"name":"secret","access":"private","args":[]}]}`
		visit(t, &server{face: face}, nav.Function(book, name)).Sees(want)
	}
	visit(t, &server{face: "[]"}, nav.Function(book, "f")).Sees("no JSON object")
}

// What was filled in and what came of it is there again after a way to somewhere else.
func TestTheFormIsKept(t *testing.T) {
	v := visit(t, &server{face: readOnlyWith(uintArg), result: "u1"}, nav.Function(book, "f"))
	v.Type("42")
	v.Press("ctrl+y")
	state := v.Screen.State()
	v.Open(nav.Source(book))
	v.Back(nav.Function(book, "f"), state)
	v.Sees("42", "Result", "u1")
	if calls := strings.Count(strings.Join(v.of.asked, "\n"), "POST"); calls != 1 {
		t.Errorf("called %d times", calls)
	}
}

// What was typed for a function is there again when it is opened from the contract, too.
func TestAFormThatWasLeftKeepsWhatWasTyped(t *testing.T) {
	v := visit(t, &server{face: readOnlyWith(uintArg), result: "u1"}, nav.Function(book, "f"))
	v.Type("42")
	v.Open(nav.Source(book))
	v.Open(nav.Function(book, "f"))
	v.Sees("42")
	v.SeesNot("Result")
	v.Press("ctrl+y")
	v.Sees("Result", "of u42")
}

// The mouse goes to what it points at, above the result too, and a second click on the button sends.
func TestAClickChoosesAnInput(t *testing.T) {
	v := visit(t, &server{face: readOnlyWith(nested), result: "u1"}, nav.Function(book, "f"))
	v.click("live")
	v.Press("t")
	v.click("+ item")
	v.click("+ item") // the cursor is on it
	v.Type("7")
	v.click("err")
	if v.click("answer"); !strings.Contains(v.Frame(), "< ok >") {
		t.Errorf("the answer is not chosen:\n%s", v.Frame())
	}
	v.Press("tab")
	v.Type("1")
	v.click("[ Call ]")
	if len(v.of.asked) != 1 {
		t.Fatalf("the first click sends: %v", v.of.asked)
	}
	v.click("[ Call ]")
	v.Sees("Result", "u1")
	if want := `{ amounts: (list u7), answer: (ok u1), live: true, memo: none }`; v.sent() != want {
		t.Errorf("sent %s", v.sent())
	}
	v.click("memo")
	v.Sees("▸   memo")
}

// click clicks on the first cell of a text, and does nothing where there is none.
func (v *visitor) click(words string) {
	for y, line := range strings.Split(ansi.Strip(v.Frame()), "\n") {
		if before, _, found := strings.Cut(line, words); found {
			v.Do(v.Screen.(screen.Clicker).Click(ansi.StringWidth(before), y))
			v.Settle()
			return
		}
	}
}

// A label of the user's own is typed where a principal is wanted: its address takes its place.
func TestALabelIsTypedWhereAPrincipalIsWanted(t *testing.T) {
	v := visit(t, &server{face: readOnlyWith(`{"name":"who","type":"principal"},{"name":"memo","type":{"string-ascii":{"length":9}}}`), result: "u1"}, nav.Function(book, "f"))
	v.Env.Labelled = func(label string) string {
		return map[string]string{"cold": "SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR"}[label]
	}
	v.Type("@warm")
	v.Press("ctrl+y")
	v.Sees("no address has this label, or several have it")
	if len(v.of.asked) != 1 {
		t.Errorf("a label was sent: %v", v.of.asked)
	}
	v.Press("ctrl+u")
	v.Type("@cold")
	v.Sees("tab: SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR")
	v.Press("tab", "tab")
	v.Type("@cold")
	v.SeesNot("tab: SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR") // a text may begin so
	v.Press("enter", "ctrl+y")
	if want := `'SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR "@cold"`; v.sent() != want {
		t.Errorf("sent %s", v.sent())
	}
}

// The bytes of a buffer and a literal can come from a file.
func TestAnArgumentComesFromAFile(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"bytes": "\x00\xff", "literal": "{ amounts: (list 1), memo: none,\n  live: true, answer: (ok 9) }\n", "binary": "\xff\xfe"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	v := visit(t, &server{face: readOnlyWith(`{"name":"b","type":{"buffer":{"length":4}}},` + nested), result: "u1"}, nav.Function(book, "f"))
	v.Type("@" + filepath.Join(dir, "bytes"))
	v.Press("enter")
	v.Sees("0x00ff")
	v.click("order")
	v.Type("@" + filepath.Join(dir, "binary"))
	v.Press("enter")
	v.Sees("the file is no UTF-8")
	v.Press("ctrl+u")
	v.Type("@" + filepath.Join(dir, "literal"))
	v.Press("enter", "ctrl+y")
	if want := `0x00ff { amounts: (list u1), answer: (ok u9), live: true, memo: none }`; v.sent() != want {
		t.Errorf("sent %s", v.sent())
	}
}

// A call that failed and was left is made again when one comes back, with its arguments.
func TestACallThatFailedIsMadeAgainWhenOneComesBack(t *testing.T) {
	v := visit(t, &server{face: readOnlyWith(uintArg), result: "u1", gone: true}, nav.Function(book, "f"))
	v.Type("42")
	v.Press("ctrl+y")
	v.SeesNot("Result")
	state := v.Screen.State()
	v.Open(nav.Source(book))
	v.of.gone = false
	v.Back(nav.Function(book, "f"), state)
	v.Sees("42", "Result", "u1", "of u42")
}

// hostile returns contracts that a chain or a server may have.
func hostile() map[string]*server {
	const evil = `\u001b[2J\u202e\u200b\u0007`
	deep := strings.Repeat(`{"tuple":[{"name":"a`+evil+`","type":`, 31) + `"uint128"` + strings.Repeat("}]}", 31)
	value := strings.Repeat("{ a: ", 31) + "u1" + strings.Repeat(" }", 31)
	wide := strings.TrimSuffix(strings.Repeat(`{"name":"`+strings.Repeat("w", 100)+`","type":"bool"},`, 20_000), ",")
	return map[string]*server{
		"a source of 100 kB":      {source: strings.Repeat("(define-private (f (a uint)) (f (f a))) ;; \x1b[31m\u202e\n", 2200), face: readOnlyWith(""), result: "u1"},
		"a list of 65,000":        {face: readOnlyWith(""), result: "(list" + strings.Repeat(" true", 65_000) + ")"},
		"a tuple nested 32 deep":  {face: readOnlyWith(`{"name":"n","type":` + deep + `}`), result: value},
		"a tuple of 20,000":       {face: readOnlyWith(`{"name":"n","type":{"tuple":[` + wide + `]}}`), result: "u1"},
		"20,000 arguments":        {face: readOnlyWith(wide), result: "u1"},
		"names that are obeyed":   {face: readOnlyWith(`{"name":"` + evil + `","type":"` + evil + `"},{"name":"b","type":{"` + evil + `":1}}`), result: `u"\u{202e}\u{1b}[2J"`},
		"a text of a megabyte":    {face: readOnlyWith(""), result: `"` + strings.Repeat("x", 1_000_000) + `"`},
		"an error that is obeyed": {face: readOnlyWith(""), cause: "\x1b[2J\u202e" + strings.Repeat("long ", 20_000)},
		"no interface":            {source: "(ok 1)", result: "u1"},
	}
}

var styles = regexp.MustCompile("\x1b\\[[0-9;]*m")

// Whatever a contract is and answers: it is drawn, never wider than the window, and nothing
// of it is obeyed.
func TestHostileContracts(t *testing.T) {
	uitest.NotRaced(t)
	for name, s := range hostile() {
		t.Run(name, func(t *testing.T) {
			for _, at := range []nav.Place{nav.Function(book, "f"), nav.Source(book), nav.Kept(book, "f")} {
				v := visit(t, s, at)
				v.Press("ctrl+y")
				v.look()
				for _, k := range []string{"end", "pgdown", "ctrl+d", "tab", "down", "ctrl+n", "enter", "j", "G"} {
					if cmd, took := v.Screen.Key(uitest.Key(k)); took {
						v.Do(cmd)
						v.Settle()
					}
					v.look()
				}
				if at.Part == nav.PartFunction {
					v.FitsEverySize()
				}
			}
		})
	}
}

// A long result scrolls from its first line to its last and back, one line by each key.
func TestALongResultScrolls(t *testing.T) {
	v := visit(t, &server{face: readOnlyWith(""), result: "(list" + strings.Repeat(" true", 500) + ")"}, nav.Function(book, "f"))
	press := func(keys ...string) string {
		v.Press(keys...)
		v.Settle()
		return v.Frame()
	}
	press("ctrl+y")
	first := press("g")
	for _, keys := range [][2]string{{"j", "k"}, {"ctrl+d", "ctrl+u"}, {"G", "g"}} {
		if press(keys[0]) == first {
			t.Errorf("%s does not scroll:\n%s", keys[0], first)
		}
		if got := press(keys[1]); got != first {
			t.Errorf("%s does not undo %s:\n%s", keys[1], keys[0], got)
		}
	}
	if end := press("G"); press("ctrl+d", "j") != end || press("k") == end {
		t.Errorf("beyond the end, or stuck there:\n%s", end)
	}
}

// BenchmarkHostileContracts draws a frame of each: goal 50 ms.
func BenchmarkHostileContracts(b *testing.B) {
	for name, s := range hostile() {
		b.Run(name, func(b *testing.B) {
			v := visit(b, s, nav.Function(book, "f"))
			for b.Loop() {
				v.Screen.View(v.Clock)
			}
		})
	}
}

// look fails when a frame has what a terminal would obey.
func (v *visitor) look() {
	v.Helper()
	for _, line := range v.Screen.View(v.Clock) {
		if plain := styles.ReplaceAllString(line, ""); text.Line(plain) != plain {
			v.Errorf("%q is obeyed", plain)
		}
	}
}

// A key that is pressed is on the screen within a frame, whatever there is to fill in.
func TestKeysAreQuick(t *testing.T) {
	v := visit(t, hostile()["a tuple of 20,000"], nav.Function(book, "f"))
	best := time.Hour
	for range 5 {
		began := time.Now()
		v.Screen.Key(tea.KeyMsg{Type: tea.KeyDown})
		best = min(best, time.Since(began))
	}
	if best > 16*time.Millisecond {
		t.Errorf("a key takes %v", best)
	}
}

// What a form makes of any text is nothing, or a value of the type.
func FuzzInput(f *testing.F) {
	f.Add(nested, "5", uint8(3))
	f.Add(uintArg, "u5", uint8(0))
	f.Fuzz(func(t *testing.T, arg, typed string, downs uint8) {
		face := readOnlyWith(arg)
		if !json.Valid([]byte(face)) {
			return
		}
		v := visit(t, &server{face: face, result: "u1"}, nav.Function(book, "f"))
		for range downs % 16 {
			v.Screen.Key(tea.KeyMsg{Type: tea.KeyDown})
		}
		v.Screen.Key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(typed)})
		v.Screen.Key(uitest.Key("ctrl+n"))
		for _, line := range v.Screen.View(v.Clock) {
			if ansi.StringWidth(line) > 100 {
				t.Errorf("%q is too wide", line)
			}
		}
		p := v.Screen.(*Screen).page.(*callPage)
		for _, in := range p.inputs {
			value, err := in.value()
			if err != nil {
				continue
			}
			if _, err := in.of.Convert(value); err != nil {
				t.Errorf("%s is no %s: %v", clarity.Repr(value), in.of, err)
			}
		}
	})
}

func TestValuesAreLaidOut(t *testing.T) {
	for literal, want := range map[string]string{
		"(ok u5)": "(ok u5)",
		`{ a: "` + strings.Repeat("x", 40) + `", b: { c: (some "` + strings.Repeat("y", 60) + `") } }`: fmt.Sprintf("{\n  a: %q,\n  b: {\n    c: (some %q)\n  }\n}", strings.Repeat("x", 40), strings.Repeat("y", 60)),
		"(ok (list" + strings.Repeat(" u1234567890", 6) + "))":                                         "(ok (list\n" + strings.Repeat("  u1234567890\n", 6) + "))",
	} {
		v, err := clarity.ParseLiteral(literal)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(layout(v), "\n"); got != want {
			t.Errorf("%s is laid out as\n%s\nnot\n%s", literal, got, want)
		}
	}
}

// One more item of a list of tuples is typed at once: its first entry has the cursor.
func TestAnItemIsTypedWhereItBegins(t *testing.T) {
	items := `{"name":"items","type":{"list":{"length":3,"type":{"tuple":[{"name":"at","type":{"tuple":[{"name":"x","type":"uint128"}]}},{"name":"tag","type":{"string-ascii":{"length":5}}}]}}}}`
	v := visit(t, &server{face: readOnlyWith(items), result: "u1"}, nav.Function(book, "f"))
	v.Press("ctrl+n")
	v.Type("5")
	v.Press("tab")
	v.Type("a")
	v.Press("ctrl+y")
	if want := `(list { at: { x: u5 }, tag: "a" })`; v.sent() != want {
		t.Errorf("sent %s", v.sent())
	}
}

// Beside a literal stands its type, unless the value does not say it.
func TestWhatAValueDoesNotContainIsNotSaid(t *testing.T) {
	v := visit(t, &server{face: readOnlyWith(nested + `,{"name":"using","type":"trait_reference"}`), result: "u1"}, nav.Function(book, "f"))
	v.Press("up", "up", "up")
	v.Sees("a contract that has the trait")
	v.Press("up", "up")
	v.Type("(ok u9)")
	v.SeesNot("UnknownType")
	v.Press("up", "up")
	v.Type("(ok u9)")
	v.Sees("(ok u9) is (response uint ?)")
}
