package fault

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func two() *int { n := 2; return &n }

func TestParseRule(t *testing.T) {
	cases := []struct {
		text string
		want Rule
	}{
		{"status=503", Rule{Rate: 1, Status: 503}},
		{"status=503,rate=0.1,path=/v1/*", Rule{Rate: 0.1, Status: 503, Path: "/v1/*"}},
		{"method=get, status=429, retry_after=2, times=3", Rule{Rate: 1, Method: "GET", Status: 429, RetryAfter: two(), Times: 3}},
		{"delay=800", Rule{Rate: 1, Delay: 800 * time.Millisecond}},
		{"delay=2s,fault=truncate", Rule{Rate: 1, Delay: 2 * time.Second, Fault: Truncate}},
		{"fault=content-type,path=*", Rule{Rate: 1, Fault: ContentType, Path: "*"}},
		{"fault=type,status=404", Rule{Rate: 1, Fault: Type, Status: 404}},
		{"fault=reset", Rule{Rate: 1, Fault: Reset}},
	}
	for _, c := range cases {
		got, err := ParseRule(c.text)
		if err != nil || cmp.Diff(c.want, got) != "" {
			t.Errorf("%s: %v %s", c.text, err, cmp.Diff(c.want, got))
		}
	}
}

func TestRulesThatAreRefusedSayWhy(t *testing.T) {
	for text, says := range map[string]string{
		"":                         "key=value",
		"status":                   "key=value",
		"rate=0.5":                 "add status, delay or fault",
		"status=200":               "400 to 599",
		"status=x":                 "400 to 599",
		"status=600":               "400 to 599",
		"status=503,rate=0":        "above 0 up to 1",
		"status=503,rate=1.1":      "above 0 up to 1",
		"status=503,rate=NaN":      "above 0 up to 1",
		"status=503,rate=x":        "above 0 up to 1",
		"status=503,times=0":       "1 or more",
		"status=503,times=-1":      "1 or more",
		"status=503,status=500":    "twice",
		"delay=-5":                 "milliseconds",
		"delay=-5s":                "milliseconds",
		"delay=soon":               "milliseconds",
		"fault=explode":            "truncate, type, content-type or reset",
		"retry_after=2,delay=1":    "needs a status",
		"status=429,retry_after=x": "seconds",
		"status=503,path=v1":       "begin it with / or *",
		"status=503,colour=red":    "the keys are path",
	} {
		if _, err := ParseRule(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: got %v, want it to say %q", text, err, says)
		}
	}
}

func TestPathsOfRules(t *testing.T) {
	cases := []struct {
		pattern, path string
		want          bool
	}{
		{"", "/x", true},
		{"*", "/x", true},
		{"/v1/*", "/v1/namespaces/btc/names", true},
		{"/v1/*", "/v1", false},
		{"/v1/*", "/metadata/v1/x", false},
		{"*/names", "/v1/namespaces/btc/names", true},
		{"*/names", "/names/x", false},
		{"/a*b*c", "/aXbYc", true},
		{"/a*b*c", "/aXcYb", false},
		{"/a*a", "/a", false},
		{"/a*a", "/aa", true},
		{"/exact", "/exact", true},
		{"/exact", "/exact/", false},
	}
	for _, c := range cases {
		r := Rule{Path: c.pattern}
		if got := r.matches("GET", c.path); got != c.want {
			t.Errorf("%q on %q: %v", c.pattern, c.path, got)
		}
	}
	post := Rule{Method: "POST"}
	if post.matches("GET", "/") || !post.matches("POST", "/") {
		t.Error("the method is not looked at")
	}
}

// run sends n requests and writes what happened as one letter each.
func run(e *Engine, n int) string {
	var out strings.Builder
	for range n {
		p := e.Decide("GET", "/x", nil, start)
		switch {
		case p.Status != 0:
			out.WriteByte('s')
		case p.Kind != None:
			out.WriteByte(p.Kind[0])
		default:
			out.WriteByte('.')
		}
	}
	return out.String()
}

func TestTheSameSeedGivesTheSameFaults(t *testing.T) {
	for _, s := range []Scenario{Flaky, Corrupt} {
		a, b := run(New(Options{Seed: 1, Scenario: s}), 500), run(New(Options{Seed: 1, Scenario: s}), 500)
		if a != b {
			t.Errorf("%s: two engines with one seed differ", s)
		}
		if a == run(New(Options{Seed: 2, Scenario: s}), 500) {
			t.Errorf("%s: another seed gives the same", s)
		}
	}
}

func TestSharesOfScenariosAndRules(t *testing.T) {
	const n = 20_000
	near := func(name string, got int, want float64) {
		t.Helper()
		if share := float64(got) / n; math.Abs(share-want) > 0.015 {
			t.Errorf("%s: %.3f, want %.3f", name, share, want)
		}
	}
	flaky := run(New(Options{Scenario: Flaky}), n)
	near("flaky 503", strings.Count(flaky, "s"), 0.1)
	near("flaky reset", strings.Count(flaky, "r"), 0.1)
	corrupt := run(New(Options{Scenario: Corrupt}), n)
	near("corrupt", n-strings.Count(corrupt, "."), 1.0/3)
	near("corrupt truncated or type", strings.Count(corrupt, "t"), 1.0/3)
	near("rule", strings.Count(run(New(Options{Rules: []Rule{{Rate: 0.1, Status: 500}}}), n), "s"), 0.1)
	for _, s := range []Scenario{Healthy, Reorg} {
		if got := run(New(Options{Scenario: s}), 1000); strings.Trim(got, ".") != "" {
			t.Errorf("%s has faults", s)
		}
	}
}

func TestTimesEndsARule(t *testing.T) {
	e := New(Options{Rules: []Rule{{Rate: 1, Status: 503, Times: 2}, {Rate: 1, Status: 500, Times: 1}}})
	var got []int
	for range 4 {
		got = append(got, e.Decide("GET", "/", nil, start).Status)
	}
	// The second rule hits with the first and is spent, but the first decides.
	if want := []int{503, 503, 0, 0}; cmp.Diff(want, got) != "" {
		t.Error(cmp.Diff(want, got))
	}
}

func TestPreferBeatsRulesAndScenario(t *testing.T) {
	e := New(Options{Scenario: Down, Latency: time.Millisecond, Rules: []Rule{{Rate: 1, Status: 429, RetryAfter: two()}}})
	p := e.Decide("GET", "/", []string{"code=503", "delay=10"}, start)
	if p.Status != 503 || p.Kind != None || p.RetryAfter != nil || p.Delay != 11*time.Millisecond || p.Cause != "the Prefer header" {
		t.Errorf("got %+v", p)
	}
}

func TestSwitchingTheScenarioStartsTheLimitAfresh(t *testing.T) {
	e := New(Options{Scenario: Limited})
	if got := run(e, 12); got != "..........ss" {
		t.Errorf("got %s", got)
	}
	e.SetScenario(Limited)
	if got := run(e, 11); got != "..........s" {
		t.Errorf("after the switch %s", got)
	}
}

func TestLimitCountsAnyTenSeconds(t *testing.T) {
	var l limiter
	now := start
	for range 40 { // one a second is allowed for ever
		if !l.allow(now) {
			t.Fatalf("refused after %v", now.Sub(start))
		}
		now = now.Add(time.Second)
	}
	now = now.Add(-time.Millisecond)
	if l.allow(now) {
		t.Error("eleven in less than ten seconds")
	}
}

func TestDamagedBodies(t *testing.T) {
	for _, body := range []string{`{}`, `[]`, `{"a":1}`, `["x.btc","y.btc"]`, `{"limit":1,"offset":0,"total":9,"results":[{"height":5,"txs":[],"hash":"0x","canonical":true}]}`, `{"limit":1,"results":[]}`} {
		if cut := Cut([]byte(body)); json.Valid(cut) || !strings.HasPrefix(body, string(cut)) {
			t.Errorf("%s cut to %s", body, cut)
		}
		seen := map[string]bool{}
		for bits := range uint64(12) {
			got := Retype([]byte(body), bits)
			if !json.Valid(got) || string(got) == body {
				t.Errorf("%s became %s", body, got)
			}
			seen[string(got)] = true
		}
		if strings.Contains(body, "height") && len(seen) != 4 {
			t.Errorf("%d fields are damaged, want every one of the row", len(seen))
		}
	}
	if got := Retype([]byte("plain"), 0); string(got) != "plain" {
		t.Errorf("no JSON became %s", got)
	}
}

func TestScenarioNames(t *testing.T) {
	for _, s := range Scenarios() {
		if got, err := ParseScenario(string(s)); got != s || err != nil {
			t.Errorf("%s: %v %v", s, got, err)
		}
	}
	if s, err := ParseScenario(""); s != Healthy || err != nil {
		t.Errorf("no name: %v %v", s, err)
	}
	if _, err := ParseScenario("Slow"); err == nil || !strings.Contains(err.Error(), "healthy, slow") {
		t.Errorf("another case: %v", err)
	}
}

func FuzzParseRule(f *testing.F) {
	for _, s := range []string{"status=503,rate=0.1,path=/v1/*", "fault=type", "delay=1h,times=1", ",,=", "rate=NaN,status=500"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r, err := ParseRule(s)
		if err != nil {
			return
		}
		if err := r.Check(); err != nil {
			t.Errorf("%q was taken and fails its check: %v", s, err)
		}
		New(Options{Rules: []Rule{r}}).Decide("GET", "/v1/x", []string{s}, start)
	})
}

func FuzzRetype(f *testing.F) {
	f.Add([]byte(`{"results":[{"a":1}]}`), uint64(1))
	f.Add([]byte(`{"results":[[]]}`), uint64(0))
	f.Add([]byte(`[1,2]`), uint64(7))
	f.Fuzz(func(t *testing.T, body []byte, bits uint64) {
		before := bytes.Clone(body)
		got := Retype(body, bits)
		if !bytes.Equal(before, body) {
			t.Error("the body itself was changed")
		}
		if json.Valid(body) && !json.Valid(got) {
			t.Errorf("%q became %q", body, got)
		}
		if json.Valid(body) && json.Valid(Cut(body)) && (body[0] == '{' || body[0] == '[') {
			t.Errorf("%q cut is whole", body)
		}
	})
}

func BenchmarkDecideHealthy(b *testing.B) {
	e := New(Options{})
	for b.Loop() {
		if p := e.Decide("GET", "/extended/v1/block", nil, start); !p.Nothing() {
			b.Fatal(fmt.Sprint(p))
		}
	}
}

// BenchmarkDecide decides about a path that no rule takes.
func BenchmarkDecide(b *testing.B) {
	none := New(Options{})
	rules := New(Options{Rules: []Rule{
		{Path: "/metadata/*", Delay: time.Second, Rate: 1},
		{Path: "/v1/*", Status: 404, Rate: 0.5},
		{Path: "/extended/v2/*", Status: 429, Rate: 1},
		{Path: "/metadata/v1/nft/*", Fault: Truncate, Rate: 1},
	}})
	for name, e := range map[string]*Engine{"without rules": none, "with four rules": rules} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				if plan := e.Decide("GET", "/extended/v1/block", nil, start); !plan.Nothing() {
					b.Fatal("a fault")
				}
			}
		})
	}
}
