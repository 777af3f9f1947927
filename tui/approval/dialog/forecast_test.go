package dialog

import (
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"chainscope/tui/remote"
	"chainscope/wallet/node"
	"chainscope/wallet/outcome"
	"chainscope/wallet/stxtx"
)

// call returns the request to call a contract, which has one post-condition.
func call(t testing.TB) request {
	t.Helper()
	for _, r := range requests(t) {
		if r.method == "stx_callContract" {
			return r
		}
	}
	t.Fatal("there is none")
	return request{}
}

// foresee asks about a request whose mock is asked for a forecast.
func (d *user) foresee(r request) remote.Key {
	d.t.Helper()
	d.SetStakes(MockOnly)
	a := d.ask(r)
	_, key, ok := d.Foresee(d.t.Context(), a.ID, d.now)
	if !ok {
		d.t.Fatal("nothing is to be foreseen")
	}
	return key
}

// lend returns a forecast of a call that would lend tokens.
func lend(t testing.TB) *node.Forecast {
	t.Helper()
	us, other := first(t), second(t, "mainnet")
	sent := exactly(t, us.stx, 2_000_000)
	return &node.Forecast{
		Status: "success", Sentence: "It would succeed.", Certainty: "fact", Result: "(ok u7)",
		Moves:      []string{"2 STX from " + us.stx + " to " + us.stx + ".counter", "receipt u7 minted to " + us.stx, "5 units of coin from " + us.stx + ".counter to " + other.stx},
		Conditions: []outcome.Finding{{Condition: us.stx + " sends at most 1 STX", Sent: "1 STX", Holds: true}},
		Exact:      sent, HasExact: true,
	}
}

func exactly(t testing.TB, address string, micro uint64) []stxtx.PostCondition {
	t.Helper()
	var c stxtx.PostCondition
	if err := c.UnmarshalJSON([]byte(`{"type":"stx-postcondition","address":"` + address + `","condition":"eq","amount":"` + strconv.FormatUint(micro, 10) + `"}`)); err != nil {
		t.Fatal(err)
	}
	return []stxtx.PostCondition{c}
}

// breaks returns the same where its post-condition does not hold.
func breaks(t testing.TB) *node.Forecast {
	f, us := lend(t), first(t)
	f.Status, f.Sentence = "abort_by_post_condition", "It would fail: "+us.stx+" sent 2 STX, but a post-condition wants at most 1 STX."
	f.Fix = "require instead that " + us.stx + " sends exactly 2 STX, or send what it requires"
	f.Conditions[0].Sent, f.Conditions[0].Holds = "2 STX", false
	return f
}

func TestTheForecastIsBelowThePostConditions(t *testing.T) {
	d := open(t, mono, "mono", 120, 60)
	key := d.foresee(call(t))
	if s := d.screen(); !strings.Contains(s, "waiting for the mock") || strings.Contains(s, "exact conditions") {
		t.Errorf("while it is asked for:\n%s", s)
	}
	d.Foreseen(1, key, breaks(t), nil, d.now)
	s := d.screen()
	for _, want := range []string{"would fail", "would not hold: 2 STX", "what helps", "It would fail: ", "p exact conditions"} {
		if !strings.Contains(s, want) {
			t.Errorf("no %q in\n%s", want, s)
		}
	}
	if strings.Index(s, "must send at most") > strings.Index(s, "It would fail") || strings.Index(s, "From") < strings.Index(s, "It would fail") {
		t.Errorf("it stands elsewhere:\n%s", s)
	}
}

func TestAForecastThatChangesWhatIsReadMakesKeysWait(t *testing.T) {
	d := open(t, mono, "mono", 120, 60)
	key := d.foresee(call(t))
	d.wait(2 * time.Second)
	d.Foreseen(1, key, lend(t), nil, d.now)
	if a := d.press("a"); a.Kind != None {
		t.Error("it is approved in the instant in which the forecast comes")
	}
	d.wait(2 * time.Second)
	if a := d.press("a"); !a.Decision.Approved {
		t.Error("it cannot be approved")
	}
}

// What came while the rest was read has to be read before it is approved.
func TestALateForecastIsReadBeforeAnApproval(t *testing.T) {
	d := open(t, mono, "mono", 80, 24)
	key := d.foresee(call(t))
	d.wait(2 * time.Second)
	d.press("end")
	d.press("home")
	d.press("end")
	for range 5 {
		d.press("pgup")
	}
	for range 5 {
		d.press("pgdown")
	}
	if s := d.screen(); !strings.Contains(s, "a approve") {
		t.Fatalf("it is not read:\n%s", s)
	}
	d.Foreseen(1, key, breaks(t), nil, d.now)
	d.wait(2 * time.Second)
	if s := d.screen(); !strings.Contains(s, "a read on") || !strings.Contains(s, "would fail") {
		t.Errorf("it counts as read:\n%s", s)
	}
}

func TestExactConditionsAreWrittenByOneKey(t *testing.T) {
	d := open(t, mono, "mono", 120, 60)
	key := d.foresee(call(t))
	d.wait(2 * time.Second)
	if a := d.press("p"); a.Kind != None {
		t.Fatalf("without a forecast p is %+v", a)
	}
	d.Foreseen(1, key, lend(t), nil, d.now)
	d.wait(2 * time.Second)
	a := d.press("p")
	c := a.Decision.Edit.Conditions
	if a.Kind != Decided || a.Decision.Approved || c == nil || c.Mode != stxtx.ModeDeny || len(c.List) != 1 || c.List[0].Amount != 2_000_000 {
		t.Fatalf("p is %+v", a)
	}
	// The changed transaction is another question; it has them already.
	again := asked(t, call(t))
	again.ID, again.Round = 2, 2
	again.Description.Transaction.PostConditions, again.Description.Transaction.PostConditionMode = c.List, "deny"
	d.Ask(again, d.now)
	_, key, _ = d.Foresee(t.Context(), 2, d.now)
	d.Foreseen(2, key, lend(t), nil, d.now)
	d.wait(2 * time.Second)
	if a := d.press("p"); a.Kind != None || strings.Contains(d.screen(), "exact conditions") {
		t.Errorf("they are offered again:\n%s", d.screen())
	}
}

func TestWhatIsNoForecast(t *testing.T) {
	d := open(t, mono, "mono", 120, 60)
	key := d.foresee(call(t))
	old := key
	_, key, _ = d.Foresee(t.Context(), 1, d.now)
	d.Foreseen(1, old, breaks(t), nil, d.now)
	if s := d.screen(); strings.Contains(s, "would fail") {
		t.Errorf("an answer that is not awaited is shown:\n%s", s)
	}
	d.Foreseen(1, key, nil, errors.New("the mock \x1b[31mdied"), d.now)
	if s := strings.Join(d.View(d.now), "\n"); !strings.Contains(s, "there is none: the mock") || strings.Contains(s, "\x1b[31m") {
		t.Errorf("a failure:\n%s", s)
	}
	d = open(t, mono, "mono", 120, 60)
	a := d.ask(call(t))
	if _, _, ok := d.Foresee(t.Context(), a.ID, d.now); ok {
		t.Error("a forecast is asked for where the API is no mock")
	}
	d.SetStakes(MockOnly)
	a = asked(t, requests(t)[0])
	a.ID = 7
	d.Ask(a, d.now)
	if _, _, ok := d.Foresee(t.Context(), 7, d.now); ok {
		t.Error("a forecast is asked for of what is no transaction")
	}
}

func TestAForecastIsNotTrusted(t *testing.T) {
	d := open(t, mono, "mono", 120, 60)
	key := d.foresee(call(t))
	f := lend(t)
	evil := "pay \x1b[31mred\x1b[0m \u202emoc\u202c zero\u200bwidth\x07\nsecond"
	f.Sentence, f.Fix, f.Result, f.Moves, f.Conditions = evil, evil, evil, []string{evil}, []outcome.Finding{{Condition: evil, Sent: evil}}
	f.Certainty = "unknown"
	d.Foreseen(1, key, f, nil, d.now)
	s := strings.Join(d.View(d.now), "\n")
	for _, bad := range []string{"\x1b[31m", "\u202e", "\u200b", "\x07"} {
		if strings.Contains(s, bad) {
			t.Errorf("%q is drawn", bad)
		}
	}
	if !strings.Contains(s, "the mock cannot know") {
		t.Errorf("that it is invented is not said:\n%s", s)
	}
}

// The forecast counts the calls that there would be; a key shows them, and they need not be read to approve.
func TestTheForecastHasTheCallsBehindAKey(t *testing.T) {
	d := open(t, mono, "mono", 120, 60)
	key := d.foresee(call(t))
	f := lend(t)
	f.Calls, f.Root = 2, &node.Call{Contract: "ST1.desk", Function: "lend", Arguments: []string{"u7"}, Result: "(ok u7)", Calls: []node.Call{
		{Contract: "ST2.coin", Function: "transfer", Arguments: []string{"u5", "\"a\x1b[31m\""}, Result: "(ok true)"},
		{Contract: "ST1.desk", Function: "note", Error: "DivisionByZero"},
	}}
	d.wait(5 * time.Second)
	d.press(keyRaw) // the raw parts are looked at before it is there, and left
	d.press("shift+tab")
	d.Foreseen(1, key, f, nil, d.now)
	if s := d.screen(); !strings.Contains(s, "calls     2 within it") || !strings.Contains(s, "r shows them") || strings.Contains(s, "coin.transfer") {
		t.Errorf("it shows\n%s", s)
	}
	d.wait(5 * time.Second)
	d.press(keyRaw)
	s := d.screen()
	for _, want := range []string{"raw: what it would call", "desk.lend(u7)  (ok u7)\n", `  coin.transfer(u5, "a\x1b[31m")  (ok true)`, "  desk.note()  failed"} {
		if !strings.Contains(trimmed(s), want) {
			t.Errorf("%q is missing in\n%s", want, s)
		}
	}
}

// trimmed returns a screen without blanks and the frame at the ends of its lines.
func trimmed(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " │|")
	}
	return strings.Join(lines, "\n")
}

// On a live network a key says first what a forecast costs, then makes it, with how far it is, and ends it. Neither
// approval nor rejection waits for it.
func TestAForecastOnALiveNetworkIsMadeWhenItsCostWasSeen(t *testing.T) {
	for _, stakes := range []Stakes{RealCoins, TestKeys} {
		d := open(t, mono, "mono", 120, 60)
		d.SetStakes(stakes)
		a := d.ask(call(t))
		d.wait(2 * time.Second)
		if got := d.press("f"); got.Kind != None || strings.Contains(d.screen(), "forecast") {
			t.Fatalf("without a fork f is %+v:\n%s", got, d.screen())
		}
		far := "37 values of mainnet read, 2 waiting for the quota\nthe balance"
		d.SetOnFork(func() string { return far })
		if got := d.press("f"); got.Kind != CostRequested || got.ID != a.ID {
			t.Fatalf("f is %+v", got)
		}
		if _, _, ok := d.Foresee(t.Context(), a.ID, d.now); ok {
			t.Fatal("it is made before its cost was seen")
		}
		d.Costs(a.ID, "", errors.New("no \x1b[31mprogram"), d.now)
		d.wait(2 * time.Second)
		if s := d.screen(); !strings.Contains(s, "there can be none: no ") || strings.Contains(s, "\x1b[31m") {
			t.Errorf("what is missing:\n%s", s)
		}
		if got := d.press("f"); got.Kind != CostRequested {
			t.Errorf("where something is missing f is %+v", got)
		}
		d.Costs(a.ID, "It reads some 100 values, 2 minutes.", nil, d.now)
		if got := d.press("a"); got.Kind != None {
			t.Error("it is approved in the instant in which the cost comes")
		}
		d.wait(2 * time.Second)
		if s := d.screen(); !strings.Contains(s, "some 100 values, 2 minutes. f runs it") || !strings.Contains(s, "f runs the forecast") {
			t.Errorf("the cost:\n%s", s)
		}
		if got := d.press("f"); got.Kind != ForecastRequested || got.ID != a.ID {
			t.Fatalf("f is %+v", got)
		}
		ctx, _, ok := d.Foresee(t.Context(), a.ID, d.now)
		if s := d.screen(); !ok || !strings.Contains(s, "37 values of mainnet read, 2 waiting for the quota") || !strings.Contains(s, "f ends the forecast") {
			t.Errorf("while it is made:\n%s", s)
		}
		d.wait(2 * time.Second)
		if d.press("f"); ctx.Err() == nil {
			t.Error("f does not end it")
		}
		_, key, _ := d.Foresee(t.Context(), a.ID, d.now)
		d.Foreseen(a.ID, key, nil, errors.New("could not be read: the balance of X"), d.now)
		if s := d.screen(); !strings.Contains(s, "there is none: could not be read: the balance of X") {
			t.Errorf("what could not be read:\n%s", s)
		}
		_, key, _ = d.Foresee(t.Context(), a.ID, d.now)
		d.Foreseen(a.ID, key, breaks(t), nil, d.now)
		if s := d.screen(); !strings.Contains(s, "would not hold: 2 STX") || !strings.Contains(s, "p exact conditions") {
			t.Errorf("the forecast:\n%s", s)
		}
		ctx, _, _ = d.Foresee(t.Context(), a.ID, d.now) // once more, and it is approved meanwhile
		d.wait(2 * time.Second)
		if got := d.press("a"); !got.Decision.Approved || ctx.Err() == nil {
			t.Errorf("while it is made a is %+v, and it goes on: %v", got, ctx.Err() == nil)
		}
	}
}
