package fault

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestWhatIsDecidedAboutARequest(t *testing.T) {
	const ms = time.Millisecond
	notFound := Rule{Rate: 1, Status: 404}
	cases := []struct {
		name   string
		o      Options
		before int // requests before it
		prefer []string
		want   Plan // Draw left out
	}{
		{"nothing", Options{}, 0, nil, Plan{}},
		{"the latency", Options{Latency: 5 * ms}, 0, nil, Plan{Delay: 5 * ms}},
		{
			"slow, on top of latency and rule",
			Options{Latency: 5 * ms, Scenario: Slow, Rules: []Rule{{Rate: 1, Delay: 7 * ms}}},
			0, nil,
			Plan{Delay: 2012 * ms, Cause: "a rule"},
		},
		{"slow", Options{Scenario: Slow}, 0, nil, Plan{Delay: 2 * time.Second, Cause: "scenario slow"}},
		{"Prefer: delay", Options{}, 0, []string{"delay=3"}, Plan{Delay: 3 * ms, Cause: "the Prefer header", Applied: "delay=3"}},
		{"down", Options{Scenario: Down}, 0, nil, Plan{Kind: Reset, Cause: "scenario down"}},
		{"the tenth under limited", Options{Scenario: Limited}, 9, nil, Plan{}},
		{"the eleventh under limited", Options{Scenario: Limited}, 10, nil, Plan{Status: 429, RetryAfter: two(), Cause: "scenario limited"}},
		{"a rule's status before the scenario", Options{Scenario: Down, Rules: []Rule{notFound}}, 0, nil, Plan{Status: 404, Cause: "a rule"}},
		{"a rule's damage before the scenario", Options{Scenario: Limited, Rules: []Rule{{Rate: 1, Fault: Truncate}}}, 10, nil, Plan{Kind: Truncate, Cause: "a rule"}},
		{"the scenario where a rule only delays", Options{Scenario: Down, Rules: []Rule{{Rate: 1, Delay: ms}}}, 0, nil, Plan{Delay: ms, Kind: Reset, Cause: "scenario down"}},
		{"the first rule of two", Options{Rules: []Rule{notFound, {Rate: 1, Fault: Type}}}, 0, nil, Plan{Status: 404, Cause: "a rule"}},
		{
			"a status and a damage",
			Options{Rules: []Rule{{Rate: 1, Status: 500, Fault: Type, RetryAfter: two()}}},
			0, nil,
			Plan{Status: 500, Kind: Type, RetryAfter: two(), Cause: "a rule"},
		},
		{"Prefer: code", Options{}, 0, []string{"code=503"}, Plan{Status: 503, Cause: "the Prefer header", Applied: "code=503"}},
		{
			"Prefer: everything",
			Options{},
			0,
			[]string{`Code = "503" ; delay=800`, "fault=truncate"},
			Plan{Status: 503, Delay: 800 * ms, Kind: Truncate, Cause: "the Prefer header", Applied: "code=503, delay=800, fault=truncate"},
		},
		{
			"Prefer: the first of each",
			Options{},
			0,
			[]string{"code=503,code=404", "delay=1,delay=2,fault=type,fault=reset"},
			Plan{Status: 503, Delay: ms, Kind: Type, Cause: "the Prefer header", Applied: "code=503, delay=1, fault=type"},
		},
		{"Prefer: what is not understood", Options{}, 0, []string{"respond-async, code=200, code=x, delay=-1, delay=soon, fault=explode, fault=, wait"}, Plan{}},
		{
			"Prefer: delay alone leaves the rule's status",
			Options{Rules: []Rule{notFound}},
			0,
			[]string{"delay=3"},
			Plan{Status: 404, Delay: 3 * ms, Cause: "a rule", Applied: "delay=3"},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			e := New(c.o)
			for range c.before {
				e.Decide("GET", "/x", nil, start)
			}
			got := e.Decide("GET", "/x", c.prefer, start)
			got.Draw = 0
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			if nothing := cmp.Equal(c.want, Plan{}); got.Nothing() != nothing {
				t.Errorf("Nothing reports %v", !nothing)
			}
		})
	}
}

func TestAnEngineWithoutAScenarioIsHealthy(t *testing.T) {
	if got := New(Options{}).Scenario(); got != Healthy {
		t.Errorf("got %q", got)
	}
}

func TestRandomBitsBelongToARequest(t *testing.T) {
	seen := map[uint64]bool{}
	for seed := range uint64(3) {
		e, again := New(Options{Seed: seed}), New(Options{Seed: seed})
		for range 50 {
			bits := e.Decide("GET", "/", nil, start).Draw
			if other := again.Decide("GET", "/", nil, start).Draw; other != bits {
				t.Fatalf("seed %d: %#x and %#x for one request", seed, bits, other)
			}
			seen[bits] = true
		}
	}
	if len(seen) != 150 {
		t.Errorf("%d different draws for 150 requests", len(seen))
	}
}

func TestALimitOpensAgainAfterTheSecondsItNamed(t *testing.T) {
	e := New(Options{Scenario: Limited})
	run(e, 11)
	if got := e.Decide("GET", "/x", nil, start.Add(1999*time.Millisecond)).Status; got != 429 {
		t.Errorf("1.999 s later: %d", got)
	}
	if got := e.Decide("GET", "/x", nil, start.Add(2*time.Second)).Status; got != 0 {
		t.Errorf("2 s later: %d", got)
	}
}

func TestStatusesThatAreErrors(t *testing.T) {
	for status, want := range map[string]bool{"399": false, "400": true, "599": true, "600": false} {
		if _, err := ParseRule("status=" + status); (err == nil) != want {
			t.Errorf("status=%s: %v", status, err)
		}
	}
}

func TestDelays(t *testing.T) {
	for text, want := range map[string]time.Duration{"0": 0, "1": time.Millisecond, "0s": 0, "1.5s": 1500 * time.Millisecond, "2147483647": 2147483647 * time.Millisecond} {
		if got, err := parseDelay(text); got != want || err != nil {
			t.Errorf("%s: %v %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "-1", "-1ns", "soon", "1 s", "2147483648"} {
		if got, err := parseDelay(text); err == nil || got != 0 {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}

func TestWhereStarsAre(t *testing.T) {
	for _, c := range []struct {
		pattern, path string
		want          bool
	}{
		{"/a*b*c", "/abc", true},
		{"/a*b*c", "/aXc", false},
		{"/a*b*c", "/ab", false},
		{"/a**c", "/ac", true},
		{"/*b*b", "/b", false},
		{"/*b*b", "/bb", true},
		{"*", "", true},
	} {
		if got := globMatch(c.pattern, c.path); got != c.want {
			t.Errorf("%q on %q: %v", c.pattern, c.path, got)
		}
	}
}

func TestHowABodyIsDamaged(t *testing.T) {
	for body, want := range map[string]string{"": "", "1": "", "{}": "{", "abc": "a", "abcdef": "abc"} {
		if got := string(Cut([]byte(body))); got != want {
			t.Errorf("%q cut to %q, want %q", body, got, want)
		}
	}
	for _, c := range []struct {
		body string
		bits uint64
		want string
	}{
		{`{"a":1}`, 0, `{"a":{"mock":"wrong type"}}`},
		{`{"a":"x"}`, 0, `{"a":{"mock":"wrong type"}}`},
		{`{"a":[1]}`, 0, `{"a":"wrong type"}`},
		{`{"a":{"b":1}}`, 0, `{"a":"wrong type"}`},
		{`{"a":1, "b":[2]}`, 1, `{"a":1, "b":"wrong type"}`},
		{`["x","y"]`, 1, `[{"mock":"wrong type"},"y"]`},
		{`{"total":1,"results":[{"x":1,"y":2},{"x":3}]}`, 1, `{"total":1,"results":[{"x":1,"y":{"mock":"wrong type"}},{"x":3}]}`},
		{`{"results":[]}`, 0, `{"results":"wrong type"}`},
		{`{}`, 0, `[]`},
		{`[]`, 0, `{}`},
		{`"[1]"`, 0, `"[1]"`},
		{`12`, 0, `12`},
		{`{"a":1`, 0, `{"a":{"mock":"wrong type"}`},
		{`{"a":}`, 0, `[]`},
	} {
		if got := string(Retype([]byte(c.body), c.bits)); got != c.want {
			t.Errorf("%s with %d became %s, want %s", c.body, c.bits, got, c.want)
		}
	}
}

func TestAnEngineThatIsRestoredDecidesAsItDid(t *testing.T) {
	rule := Rule{Rate: 0.5, Status: 500, Times: 20}
	for _, s := range []Scenario{Healthy, Flaky, Corrupt, Limited} {
		e := New(Options{Seed: 3, Scenario: s, Rules: []Rule{rule}})
		run(e, 7)
		state := e.State()
		want := run(e, 60)
		e.SetScenario(Down)
		e.Restore(state, 0)
		if got := run(e, 60); got != want || e.Scenario() != s {
			t.Errorf("%s: %s, want %s", e.Scenario(), got, want)
		}
	}
	e := New(Options{Scenario: Limited})
	run(e, 11)
	closed := e.State()
	e.Restore(closed, time.Hour)
	for after, want := range map[time.Duration]int{time.Hour + 1999*time.Millisecond: 429, time.Hour + 2*time.Second: 0} {
		e.Restore(closed, time.Hour)
		if got := e.Decide("GET", "/x", nil, start.Add(after)).Status; got != want {
			t.Errorf("%v after the limit: %d, want %d", after, got, want)
		}
	}
	e = New(Options{Scenario: Limited})
	run(e, 5)
	e.Restore(e.State(), time.Hour)
	for range 5 {
		e.Decide("GET", "/x", nil, start.Add(time.Hour))
	}
	if got := e.Decide("GET", "/x", nil, start.Add(time.Hour)).Status; got != 429 {
		t.Errorf("five requests before the way back and six after: %d", got)
	}
}
