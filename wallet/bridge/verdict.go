package bridge

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// maxUnexpected bounds how many unexpected calls are remembered.
const maxUnexpected = 1000

// Verdict describes how a script has been played so far.
type Verdict struct {
	OK         bool         `json:"ok"`
	Missing    []Missing    `json:"missing"`
	Unexpected []Unexpected `json:"unexpected"`
}

// Missing is a rule whose calls did not all come.
type Missing struct {
	Rule   int      `json:"rule"` // counted from 1
	Line   int      `json:"-"`    // in the script
	Expect string   `json:"expect"`
	Came   int      `json:"came"`
	Times  int      `json:"times"`
	Near   *Nearest `json:"nearest"` // the unexpected call that fitted best, nil for none
}

// Unexpected is a call that no rule fitted.
type Unexpected struct {
	Call   uint64          `json:"n"` // the number of the call
	Origin string          `json:"origin"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params,omitempty"`
	Near   *Nearest        `json:"nearest"` // the rule that fitted best, nil for none
	call   Call
}

// Nearest is the other side that fitted best, and what did not fit.
type Nearest struct {
	Rule int      `json:"rule,omitempty"` // of an unexpected call
	Line int      `json:"line,omitempty"` // of that rule in the script
	Call uint64   `json:"n,omitempty"`    // of a missing one
	Why  []string `json:"why"`
}

// Unexpected remembers a call that no rule fitted, and returns it with the rule
// that comes nearest.
func (s *Script) Unexpected(call Call) Unexpected {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := Unexpected{Origin: call.Origin, Method: call.Method, Params: call.Params, Near: s.nearest(call), call: call}
	if len(s.unexpected) < maxUnexpected {
		s.unexpected = append(s.unexpected, u)
	}
	return u
}

// numberUnexpected gives an unexpected call the number that it is listed under.
func (s *Script) numberUnexpected(id, n uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := slices.IndexFunc(s.unexpected, func(u Unexpected) bool { return u.call.ID == id }); i >= 0 {
		s.unexpected[i].Call = n
	}
}

// nearest finds the rule that has the fewest mismatches, first among those of the
// call's very method, then among those of any. A rule without times left has one
// more. The caller must hold s.mu.
func (s *Script) nearest(call Call) *Nearest {
	for _, expect := range []string{call.Method, "*"} {
		var best *Nearest
		for _, r := range s.rules {
			if r.expect != expect {
				continue
			}
			why := append([]string{}, r.mismatches(call)...)
			if !r.left() {
				why = append(why, fmt.Sprintf("times: it answered %d of %d already", r.used, r.times))
			}
			if best == nil || len(why) < len(best.Why) {
				best = &Nearest{Rule: r.number, Line: r.line, Why: why}
			}
		}
		if best != nil {
			return best
		}
	}
	return nil
}

// Len returns how many rules there are.
func (s *Script) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.rules)
}

// Verdict returns how the script has been played so far.
func (s *Script) Verdict() Verdict {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := Verdict{Missing: []Missing{}, Unexpected: append([]Unexpected{}, s.unexpected...)}
	for _, r := range s.rules {
		if r.times == unlimited || !r.left() {
			continue
		}
		m := Missing{Rule: r.number, Line: r.line, Expect: r.expect, Came: r.used, Times: r.times}
		for _, u := range s.unexpected {
			why := r.mismatches(u.call)
			if len(why) > 0 && (r.expect == "*" || r.expect == u.Method) && (m.Near == nil || len(why) < len(m.Near.Why)) {
				m.Near = &Nearest{Call: u.Call, Why: why}
			}
		}
		v.Missing = append(v.Missing, m)
	}
	v.OK = len(v.Missing) == 0 && len(v.Unexpected) == 0
	return v
}

// String says in words what was expected.
func (m Missing) String() string {
	happened := "it was never called"
	if m.Came > 0 {
		happened = "it was called too few times"
	}
	text := fmt.Sprintf("expected %s but %s (script line %d, %d of %d)", m.Expect, happened, m.Line, m.Came, m.Times)
	if m.Near != nil && len(m.Near.Why) > 0 {
		text += fmt.Sprintf("; nearest was call %d: %s", m.Near.Call, strings.Join(m.Near.Why, "; "))
	}
	return text
}

// String says in words what came.
func (u Unexpected) String() string {
	text := fmt.Sprintf("unexpected call: %s from %s with %s", u.Method, u.Origin, shorten(u.Params))
	if u.Near != nil {
		text += fmt.Sprintf("; nearest is the rule of line %d: %s", u.Near.Line, strings.Join(u.Near.Why, "; "))
	}
	return text
}

// Lines says in words, a line each, what did not come and what came unexpected;
// none when the script was played to its end.
func (v Verdict) Lines() []string {
	var lines []string
	for _, m := range v.Missing {
		lines = append(lines, m.String())
	}
	for _, u := range v.Unexpected {
		lines = append(lines, u.String())
	}
	return lines
}

// add appends the rules of another script, or puts them in place of the own
// ones.
func (s *Script) add(more *Script, replace bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if replace {
		s.rules, s.unexpected = nil, nil
	}
	if len(s.rules)+len(more.rules) > maxRules {
		return fmt.Errorf("there would be more than %d rules", maxRules)
	}
	for _, r := range more.rules {
		r.number = len(s.rules) + 1
		s.rules = append(s.rules, r)
	}
	return nil
}

// ruleView is a rule as the control routes list it.
type ruleView struct {
	Rule   int    `json:"rule"`
	Expect string `json:"expect"`
	With   any    `json:"with,omitempty"`
	Origin string `json:"origin,omitempty"`
	Answer any    `json:"answer"`
	Times  any    `json:"times"` // a number, or "any"
	Came   int    `json:"came"`
}

// list returns the rules as the control routes list them.
func (s *Script) list() []ruleView {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]ruleView, len(s.rules))
	for i, r := range s.rules {
		list[i] = ruleView{Rule: r.number, Expect: r.expect, With: r.with, Origin: r.origin, Answer: r.source["answer"], Times: r.times, Came: r.used}
		if r.times == unlimited {
			list[i].Times = "any"
		}
	}
	return list
}
