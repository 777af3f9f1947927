package fault

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"chainscope/mockserver/splitmix"
)

// Plan holds what happens to one request. The zero Plan changes nothing.
type Plan struct {
	Delay      time.Duration // waited first
	Status     int           // error status that stands for the answer, 0 for the answer itself
	RetryAfter *int          // seconds, with Status
	Kind       Kind          // damage to the answer
	Cause      string        // what requested it: "scenario flaky", "a rule", "the Prefer header"
	Applied    string        // value of Preference-Applied, "" for none
	Draw       uint64        // random bits that belong to this request
}

// Nothing reports whether the request is answered as usual.
func (p *Plan) Nothing() bool {
	return p.Delay == 0 && p.Status == 0 && p.Kind == None && p.Applied == ""
}

// Options of an Engine. They must not change while one uses them.
type Options struct {
	Seed     uint64
	Rules    []Rule
	Scenario Scenario // "" is Healthy
	Latency  time.Duration
}

// Engine decides the faults of a server. It is safe for concurrent use.
type Engine struct {
	seed    uint64
	latency time.Duration
	rules   []Rule

	scenario atomic.Pointer[Scenario] // changed under mu

	mu       sync.Mutex
	requests uint64
	hits     []int // by rule
	limit    limiter
}

// New makes an Engine; the rules must have passed Check.
func New(o Options) *Engine {
	if o.Scenario == "" {
		o.Scenario = Healthy
	}
	e := &Engine{seed: o.Seed, latency: o.Latency, rules: o.Rules}
	if len(o.Rules) > 0 {
		e.hits = make([]int, len(o.Rules))
	}
	e.scenario.Store(&o.Scenario)
	return e
}

// State holds what an Engine counts and where it is. It never changes.
type State struct {
	Scenario Scenario
	requests uint64
	hits     []int
	limit    limiter
}

// State returns what to give to Restore to come back to this state.
func (e *Engine) State() State {
	e.mu.Lock()
	defer e.mu.Unlock()
	return State{e.Scenario(), e.requests, slices.Clone(e.hits), e.limit}
}

// Restore goes back to a state of so long ago: the same requests from there on
// see the same faults.
func (e *Engine) Restore(s State, ago time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.scenario.Store(&s.Scenario)
	e.requests, e.hits, e.limit = s.requests, slices.Clone(s.hits), s.limit.later(ago)
}

// Scenario returns the scenario that holds now.
func (e *Engine) Scenario() Scenario {
	return *e.scenario.Load()
}

// SetScenario switches the scenario and restarts the count of the limited one.
func (e *Engine) SetScenario(s Scenario) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.scenario.Store(&s)
	e.limit = limiter{}
}

// Decide counts the request and says what happens to it. prefer holds the
// values of its Prefer header.
func (e *Engine) Decide(method, path string, prefer []string, now time.Time) Plan {
	e.mu.Lock()
	defer e.mu.Unlock()
	number := e.requests
	e.requests++
	plan := Plan{Delay: e.latency, Draw: e.draw(0, number)}
	e.applyRules(&plan, method, path, number)
	e.applyScenario(&plan, now)
	if len(prefer) > 0 {
		applyPrefer(&plan, parsePrefer(prefer))
	}
	return plan
}

// DecideEvent counts a pushed event and says what happens to it: Delay and Kind of
// the Plan, which is Drop, Double, Reorder, Reset or None.
func (e *Engine) DecideEvent(event string) Plan {
	e.mu.Lock()
	defer e.mu.Unlock()
	number := e.requests
	e.requests++
	var plan Plan
	for i := range e.rules {
		r := &e.rules[i]
		if r.Event == "" || !globMatch(r.Event, event) || !e.hit(i, number) {
			continue
		}
		plan.Delay += r.Delay
		if plan.Kind == None {
			plan.Kind = r.Fault
		}
	}
	return plan
}

// hit counts and reports whether rule i takes a request or event that it matches.
// The caller must hold e.mu.
func (e *Engine) hit(i int, number uint64) bool {
	r := &e.rules[i]
	if r.Times > 0 && e.hits[i] >= r.Times || share(e.draw(uint64(i)+1, number)) >= r.Rate {
		return false
	}
	e.hits[i]++
	return true
}

// applyRules adds up delays; the first rule that says so sets the status and the damage.
func (e *Engine) applyRules(plan *Plan, method, path string, number uint64) {
	for i := range e.rules {
		r := &e.rules[i]
		if !r.matches(method, path) || !e.hit(i, number) {
			continue
		}
		plan.Delay += r.Delay
		if plan.Status == 0 && plan.Kind == None {
			plan.Status, plan.RetryAfter, plan.Kind, plan.Cause = r.Status, r.RetryAfter, r.Fault, "a rule"
		}
	}
}

// applyScenario never undoes what a rule decided.
func (e *Engine) applyScenario(plan *Plan, now time.Time) {
	var status int
	var kind Kind
	var retryAfter *int
	luck := e.draw(math.MaxUint64, e.requests)
	scenario := e.Scenario()
	switch scenario {
	case Slow:
		plan.Delay += slowDelay
		plan.Cause = cmp.Or(plan.Cause, "scenario "+string(scenario))
	case Flaky:
		if share(luck) < 0.2 {
			if luck&1 == 0 {
				status = 503
			} else {
				kind = Reset
			}
		}
	case Limited:
		if !e.limit.allow(now) {
			seconds := limitRetryAfter
			status, retryAfter = 429, &seconds
		}
	case Down:
		kind = Reset
	case Corrupt:
		if share(luck) < 1.0/3 {
			if luck&1 == 0 {
				kind = Truncate
			} else {
				kind = Type
			}
		}
	}
	if plan.Status == 0 && plan.Kind == None && (status != 0 || kind != None) {
		plan.Status, plan.Kind, plan.RetryAfter, plan.Cause = status, kind, retryAfter, "scenario "+string(scenario)
	}
}

// applyPrefer lets the request itself decide over everything else.
func applyPrefer(plan *Plan, p preference) {
	plan.Delay += p.delay
	if p.status != 0 || p.kind != None {
		plan.Status, plan.Kind, plan.RetryAfter, plan.Cause = p.status, p.kind, nil, "the Prefer header"
	}
	if p.delay > 0 {
		plan.Cause = cmp.Or(plan.Cause, "the Prefer header")
	}
	plan.Applied = strings.Join(p.words, ", ")
}

// draw returns 64 random bits for request number of a stream: stream 0 is the
// request's own, stream i+1 is that of rule i, the last is the scenario's.
func (e *Engine) draw(stream, number uint64) uint64 {
	return splitmix.Key(splitmix.Mix(e.seed ^ splitmix.Mix(stream))).At(number)
}

// share maps bits to [0, 1); the lowest bit is left for another choice.
func share(bits uint64) float64 { return float64(bits>>11) / (1 << 53) }
