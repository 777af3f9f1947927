package mockpanel

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"chainscope/mockserver"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/mockclient"
	"chainscope/tui/theme"
	"chainscope/wallet/keys"
	"chainscope/wallet/signer"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// follower notes what the wallet was called with.
type follower struct{ notified []string }

func (f *follower) Snapshot(name string) { f.notified = append(f.notified, "snapshot "+name) }
func (f *follower) Revert(to string)     { f.notified = append(f.notified, "revert "+to) }
func (f *follower) Redo()                { f.notified = append(f.notified, "redo") }
func (f *follower) ForgetSnapshots()     { f.notified = append(f.notified, "reset") }

// person is at a panel over a world of a mock server.
type person struct {
	*testing.T
	panel  *Panel
	wallet *follower
	world  string // base URL of the mock's world
}

func open(t *testing.T) person {
	t.Helper()
	midnight := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	mock, err := mockserver.New(mockserver.Config{Freeze: &midnight, Worlds: true})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(mock)
	t.Cleanup(server.Close)
	th, err := theme.New("mono", theme.Options{Plain: true})
	if err != nil {
		t.Fatal(err)
	}
	wallet := &follower{}
	world := server.URL + "/w/mine"
	panel, ask := New(t.Context(), th, mockclient.New(world, nil), wallet)
	panel.SetSize(80, 24)
	p := person{t, panel, wallet, world}
	p.run(ask)
	return p
}

func (p person) run(cmd tea.Cmd) {
	for cmd != nil {
		cmd = p.panel.Update(cmd())
	}
}

func (p person) press(keys string) string {
	p.Helper()
	for _, k := range keys {
		cmd, _ := p.panel.Key(uitest.Key(string(k)))
		p.run(cmd)
	}
	lines := p.panel.View(time.Time{})
	if len(lines) > p.panel.height {
		p.Errorf("%d lines", len(lines))
	}
	return strings.Join(lines, "\n")
}

// tip returns the newest block that the panel shows.
func (p person) tip() mockclient.Tip {
	state, _ := p.panel.mockState.Get()
	return state.course.Tip
}

// What was read before a change may come after what was read since: the newer one is shown.
func TestAnOlderStateOfTheMockIsNotShown(t *testing.T) {
	p := open(t)
	before := p.panel.fetch()()
	cmd, _ := p.panel.Key(uitest.Key("m"))
	p.run(cmd)
	p.run(func() tea.Msg { return before })
	if shown := p.press(""); !strings.Contains(shown, "tip 1,000,001") {
		t.Errorf("after a mined block the panel shows\n%s", shown)
	}
	another, _ := New(t.Context(), p.panel.theme, p.panel.mock, nil)
	read := another.fetch() // the second reading, as the one before was
	another.Update(before)
	if _, ok := another.mockState.Get(); ok {
		t.Error("a panel shows what another one has read")
	}
	if another.Update(read()); another.mockState.Err() != nil {
		t.Error(another.mockState.Err())
	}
}

func TestThePanelGoesBackAndForward(t *testing.T) {
	p := open(t)
	for _, step := range []struct{ keys, want string }{
		{"", "tip 1,000,000  clock stopped at 2026-01-01 00:00:00"},
		{"", "no snapshot yet ─ now"},
		{"u", "there is no snapshot to go back to"},
		{"s", "● 1"},
		{"m", "○ 1 ─ now"},
		{"ms", "○ 1 ─ ● 2"},
		{"", "tip 1,000,002"},
		{"n", "○ 1 ─ ○ 2 ─ now"},
		{"u", "○ 1 ─ ● 2  (1 to redo)"},
		{"u", "● 1  (2 to redo)"},
		{"", "tip 1,000,000"},
		{"r", "○ 1 ─ ● 2  (1 to redo)"},
		{"r", "○ 1 ─ ○ 2 ─ now"},
		{"", "tip 1,000,012"},
		{"r", "nothing was undone since the last change"},
		{"o", "tip 1,000,012"},
		{"uh", "at 2026-01-01 01:00:"},
		{"f", "the clock runs"},
		{"f", "clock stopped"},
		{"x", "no snapshot yet"},
	} {
		if shown := p.press(step.keys); !strings.Contains(shown, step.want) {
			t.Errorf("after %q no %q in\n%s", step.keys, step.want, shown)
		}
	}
	want := "snapshot 1, snapshot 2, revert 2, revert 1, redo, redo, revert 2, reset"
	if got := strings.Join(p.wallet.notified, ", "); got != want {
		t.Errorf("the wallet was notified %s", got)
	}
}

func TestTheLineOfTheTipDropsWhatDoesNotFitWhole(t *testing.T) {
	course := &mockclient.Course{Clock: "2026-01-01T01:00:20.123Z", Contracts: 12}
	course.Tip.Height = 1_000_362
	for width, want := range map[int]string{
		90: "tip 1,000,362  the clock runs at 2026-01-01 01:00:20  12 canned answers",
		72: "tip 1,000,362  the clock runs at 2026-01-01 01:00:20  12 canned answers",
		60: "tip 1,000,362  the clock runs at 2026-01-01 01:00:20",
		34: "tip 1,000,362  12 canned answers",
		20: "tip 1,000,362",
	} {
		if got := ansi.Strip(tipLine(uitest.Theme(t, "mono"), course, width)); got != want {
			t.Errorf("in %d cells: %q, want %q", width, got, want)
		}
	}
}

func TestThePanelShowsContractsThatRun(t *testing.T) {
	shown := func(r mockclient.Runs) string {
		return ansi.Strip(strings.Join(runLines(uitest.Theme(t, "mono"), &r), "\n"))
	}
	got := shown(mockclient.Runs{Contracts: 3, Last: "add of counter", Runtime: 12_345, Failed: "subtract of counter: ArithmeticUnderflow at counter:18:20\x1b[2J"})
	if want := "3 contracts that run; the last, add of counter, cost 12,345 of runtime\nfailed: subtract of counter: ArithmeticUnderflow at counter:18:20"; !strings.HasPrefix(got, want) || strings.Contains(got, "\x1b") {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := shown(mockclient.Runs{Contracts: 1, Memory: 312_000_000, Sessions: 12, Awake: 4}), "1 contract that runs\nvirtual machine: 312 MB of memory, 4 of 12 sessions awake"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := shown(mockclient.Runs{Contracts: 1}); got != "1 contract that runs" {
		t.Errorf("%q", got)
	}
}

func TestThePanelShowsHowFarAForkIsRead(t *testing.T) {
	for _, c := range []struct {
		fork mockclient.Fork
		want string
	}{
		{mockclient.Fork{Progress: "1 value of mainnet read"}, "1 value of mainnet read"},
		{mockclient.Fork{Progress: "37 values of mainnet read, 2 waiting for the quota", Reading: "the nonce of SP1\x1b[2J"}, "37 values of mainnet read, 2 waiting for the quota; reading the nonce of SP1"},
	} {
		if got := forkLine(&c.fork); !strings.HasPrefix(got, c.want) || strings.Contains(got, "\x1b") {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestALongLineOfSnapshotsShowsTheNewest(t *testing.T) {
	p := open(t)
	shown := p.press(strings.Repeat("ms", 30))
	if !strings.Contains(shown, "… ─ ○") || !strings.Contains(shown, "─ ● 30") {
		t.Errorf("%s", shown)
	}
	p.panel.SetSize(30, 9)
	if lines := p.panel.View(time.Time{}); len(lines) > 9 || strings.Contains(strings.Join(lines, ""), "tip") {
		t.Errorf("in a small window:\n%s", strings.Join(lines, "\n"))
	}
}

// answer gives the mock answers of a contract.
func (p person) answer(entry string) {
	p.Helper()
	r, err := http.Post(p.world+"/mock/v1/contracts", "application/json", strings.NewReader(entry))
	if err != nil {
		p.Fatal(err)
	}
	defer r.Body.Close()
	if r.StatusCode != http.StatusOK {
		p.Fatal(r.Status)
	}
}

func TestThePanelListsWhatContractsAnswer(t *testing.T) {
	p := open(t)
	if shown := p.press("c"); !strings.Contains(shown, "none: --contracts FILE") {
		t.Errorf("%s", shown)
	}
	p.answer(`{"contract":"SP000000000000000000002Q6VF78.counter",
		"reads":{"get-count":{"args":[],"result":"(ok u5)"},"get-name":{"result":"u\"\\u{202e}\\u{1b}[31mred\""}},
		"calls":{"add":[{"args":["u2","true"],"result":"(err u1)"}]},
		"maps":{"held":{"key":"u7","value":"{a: u1}"}},"vars":{"owner":"'SP000000000000000000002Q6VF78"}}`)
	p.answer(`{"contract":"SP000000000000000000002Q6VF78.long","reads":{"text":{"result":"\"` + strings.Repeat("x", 3000) + `\""}}}`)
	p.run(p.panel.fetch())
	shown := p.press("c")
	for _, want := range []string{
		"Canned answers  6", "SP000…6VF78.counter::get-count()  (ok u5)", "::get-name(…)", "::add(u2 true)  (err u1)", "::held(u7)  { a: u1 }",
		"::owner  'SP000000000000000000002Q6VF78", "read-only of SP000000000000000000002Q6VF78.counter", "get-count() answers (ok u5)",
	} {
		if !strings.Contains(shown, want) {
			t.Errorf("no %q in\n%s", want, shown)
		}
	}
	if strings.ContainsAny(shown, "\u202e\x1b") {
		t.Errorf("a character of an answer acts: %q", shown)
	}
	if shown := p.press("held"); !strings.Contains(shown, "map of SP0") || strings.Contains(shown, "get-count") {
		t.Errorf("searched:\n%s", shown)
	}
	for _, size := range [][2]int{{30, 9}, {80, 10}, {200, 60}} {
		p.panel.SetSize(size[0], size[1])
		if lines := p.panel.View(time.Time{}); len(lines) > size[1] {
			t.Errorf("%v: %d lines", size, len(lines))
		}
	}
	p.panel.SetSize(80, 24)
	for range 2 { // what was typed, and the list
		p.panel.Key(tea.KeyMsg{Type: tea.KeyEsc})
	}
	if shown := p.press(""); !strings.Contains(shown, "Mock server") {
		t.Errorf("not back:\n%s", shown)
	}
}

func TestAClickInTheCannedAnswersDoesNothingToTheMock(t *testing.T) {
	p := open(t)
	p.answer(`{"contract":"SP000000000000000000002Q6VF78.counter",
		"reads":{"get-count":{"args":[],"result":"(ok u5)"},"get-name":{"result":"u1"}}}`)
	p.run(p.panel.fetch())
	lines := strings.Split(p.press("c"), "\n")
	tip := p.tip()
	for y, line := range lines {
		cmd, _ := p.panel.Click(8, y)
		p.run(cmd)
		if strings.Contains(line, "::get-name") && !strings.Contains(p.press(""), "get-name(…) answers u1") {
			t.Errorf("the answer that was clicked is not shown:\n%s", p.press(""))
		}
	}
	p.run(p.panel.fetch())
	if shown := p.press(""); !strings.Contains(shown, "Canned answers") || p.tip() != tip {
		t.Errorf("the tip was %v and is %v:\n%s", tip, p.tip(), shown)
	}
}

func TestOnlyTheScenarioThatIsOnIsMarked(t *testing.T) {
	p := open(t)
	p.panel.SetSize(80, 60)
	for i, name := range []string{"healthy", "slow", "flaky", "limited", "down", "corrupt", "reorg"} {
		if shown := p.press(fmt.Sprint(i + 1)); strings.Count(shown, "(on)") != 1 || !strings.Contains(shown, name+"  (on)") {
			t.Errorf("%s:\n%s", name, shown)
		}
	}
}

func TestOfVeryManyAnswersThePanelShowsTheFirst(t *testing.T) {
	p := open(t)
	var all []string
	for i := range 400 {
		all = append(all, fmt.Sprintf(`{"args":["u%d"],"result":"u1"}`, i))
	}
	p.answer(`{"contract":"SP000000000000000000002Q6VF78.many","reads":{"f":[` + strings.Join(all, ",") + `]}}`)
	p.run(p.panel.fetch())
	if shown := p.press("c"); !strings.Contains(shown, "Canned answers  200 of 400") {
		t.Errorf("%s", shown)
	}
}

func TestThePanelShowsTheTrafficAndTheScenario(t *testing.T) {
	p := open(t)
	for i, fault := range []string{"", "", "code=503", ""} {
		r, err := http.NewRequest(http.MethodGet, fmt.Sprintf("%s/extended/v1/block?limit=%d", p.world, i+1), nil)
		if err != nil {
			t.Fatal(err)
		}
		if fault != "" {
			r.Header.Set("Prefer", fault)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
	}
	p.run(p.panel.fetch())
	shown := p.press("3")
	if want := "1 healthy  2 slow  3 flaky (on)  4 limited  5 down  6 corrupt  7 reorg"; !strings.Contains(shown, want) {
		t.Errorf("no %q in a small window:\n%s", want, shown)
	}
	p.panel.SetSize(80, 40)
	shown = p.press("3")
	for _, want := range []string{" 200 GET /extended/v1/block?limit=2", " 503 GET /extended/v1/block?limit=3  the Prefer header", " 200 GET /extended/v1/block?limit=4", "flaky  (on)"} {
		if !strings.Contains(shown, want) {
			t.Errorf("no %q in\n%s", want, shown)
		}
	}
	if strings.Contains(shown, "limit=1") || strings.Contains(shown, "healthy  (on)") {
		t.Errorf("too much is shown:\n%s", shown)
	}
}

// What a page asks of contracts that nobody has described is where the user looks, with what
// would let it be answered.
func TestThePanelSaysWhatIsNotDescribed(t *testing.T) {
	p := open(t)
	if shown := p.press(""); strings.Contains(shown, "in vain") {
		t.Errorf("no requests yet: %s", shown)
	}
	for _, name := range []string{"pledge-of", "get-goal"} {
		answer, err := http.Post(p.world+"/v2/contracts/call-read/SP000000000000000000002Q6VF78/fund/"+name, "application/json",
			strings.NewReader(`{"sender":"SP000000000000000000002Q6VF78","arguments":[]}`))
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
	}
	p.run(p.panel.fetch())
	shown := p.press("")
	for _, want := range []string{"not described: ", ".fund::get-goal and 1 more", "--mock-contracts", "--mock-any-contract"} {
		if !strings.Contains(shown, want) {
			t.Errorf("%q is missing in\n%s", want, shown)
		}
	}
}

// A route that the mock does not serve is named as well, without the flags that would not help.
func TestThePanelNamesARouteThatIsNotServed(t *testing.T) {
	p := open(t)
	answer, err := http.Get(p.world + "/extended/v1/pox4/events")
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	p.run(p.panel.fetch())
	shown := p.press("")
	if want := "not described: the route GET /extended/v1/{pox}/events "; !strings.Contains(shown, want) || strings.Contains(shown, "--mock-contracts") {
		t.Errorf("want %q, and no flags, in\n%s", want, shown)
	}
}

// How often the mock invented an answer and refused a transaction is where the user looks,
// with the last of each.
func TestThePanelCountsWhatIsInventedAndRefused(t *testing.T) {
	p := open(t)
	if shown := p.press(""); strings.Contains(shown, "invented") || strings.Contains(shown, "refused") {
		t.Errorf("nothing was sent yet: %s", shown)
	}
	broadcast := func(method, params string) {
		t.Helper()
		call, err := signer.Parse(method, json.RawMessage(params), signer.Env{Keys: keys.NewTestRing()})
		if err != nil {
			t.Fatal(err)
		}
		signed, err := call.Sign(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var tx struct{ Transaction string }
		if err := json.Unmarshal(signed, &tx); err != nil {
			t.Fatal(err)
		}
		answer, err := http.Post(p.world+"/v2/transactions", "application/json", strings.NewReader(`{"tx":"`+tx.Transaction+`"}`))
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
	}
	const call = `{"contract":"SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J.own","functionName":"go","functionArgs":[],"fee":"3000","nonce":"1"}`
	broadcast("stx_callContract", call)
	broadcast("stx_deployContract", `{"name":"own","clarityCode":"(define-public (go) (ok u1))","fee":"3000","nonce":"0"}`)
	p.press("m")
	broadcast("stx_callContract", call)
	broadcast("stx_callContract", strings.Replace(strings.Replace(call, `"go"`, `"none"`, 1), `"1"`, `"2"`, 1))
	p.run(p.panel.fetch())
	shown := p.press("")
	for _, want := range []string{"invented: 1, the last SPC5K…SH54J.own::go", "refused: 2, the last NoSuchPublicFunction SPC5K…SH54J.own::none"} {
		if !strings.Contains(shown, want) {
			t.Errorf("%q is missing in\n%s", want, shown)
		}
	}
}
