package bridgetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"chainscope/wallet/bridge"
)

// Expectation is a rule that is not complete yet; Approve, Reject, Answer or Fail completes it.
type Expectation struct {
	kit   *Kit
	rule  map[string]any
	delay time.Duration
}

// Expect expects a call of a method, "*" for any, whose params have at least what
// with says; nil is any params.
func (k *Kit) Expect(method string, with map[string]any) *Expectation {
	rule := map[string]any{"expect": method}
	if with != nil {
		rule["with"] = with
	}
	return &Expectation{kit: k, rule: rule}
}

// Times makes the rule fit n calls instead of one.
func (e *Expectation) Times(n int) *Expectation {
	e.rule["times"] = n
	return e
}

// AnyTimes makes the rule fit any number of calls, none included.
func (e *Expectation) AnyTimes() *Expectation {
	e.rule["times"] = "any"
	return e
}

// From makes the rule fit only calls from the pages of an origin.
func (e *Expectation) From(origin string) *Expectation {
	e.rule["origin"] = origin
	return e
}

// After waits before it answers.
func (e *Expectation) After(d time.Duration) *Expectation {
	e.delay = d
	return e
}

// Approve lets the wallet check, sign and answer as a real one.
func (e *Expectation) Approve() { e.answer("approve") }

// Reject says no as the user would.
func (e *Expectation) Reject() { e.answer("reject") }

// Answer answers with a result in place of the wallet.
func (e *Expectation) Answer(result any) { e.answer(map[string]any{"result": result}) }

// Fail answers with an error in place of the wallet.
func (e *Expectation) Fail(code int, message string) {
	e.answer(map[string]any{"error": map[string]any{"code": code, "message": message}})
}

// answer hands the rule to the bridge. A rule that it refuses is reported by Verdict.
func (e *Expectation) answer(answer any) {
	e.rule["answer"] = answer
	if e.delay > 0 {
		e.rule["answer"] = map[string]any{"delay": e.delay.String(), "then": answer}
	}
	if err := e.kit.control(context.Background(), http.MethodPost, "rules", []any{e.rule}, nil); err != nil {
		e.kit.mu.Lock()
		defer e.kit.mu.Unlock()
		e.kit.failed = append(e.kit.failed, fmt.Errorf("Expect(%v): %w", e.rule["expect"], err))
	}
}

// Verdict returns an error that says what was expected and did not come and what
// came unexpected: with the params, what the approval would have shown, and where
// they differ.
func (k *Kit) Verdict() error {
	report := k.wallet.BridgeReport()
	calls := map[uint64]bridge.NumberedCall{}
	for _, c := range report.Calls {
		calls[c.N] = c.NumberedCall
	}
	var lines []string
	named := map[uint64]bool{}
	for _, m := range report.Missing {
		lines = append(lines, fmt.Sprintf("expected, and did not come: %s (%d of %d came)", m.Expect, m.Came, m.Times))
		if m.Near != nil {
			named[m.Near.Call] = true
			lines = append(lines, came(calls[m.Near.Call], m.Near.Why)...)
		}
	}
	for _, u := range report.Unexpected {
		if named[u.Call] {
			continue
		}
		lines = append(lines, "came unexpected: "+quoted(u.Method))
		var why []string
		if u.Near != nil {
			why = u.Near.Why
		}
		lines = append(lines, came(calls[u.Call], why)...)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	failed := append([]error{}, k.failed...)
	if len(lines) > 0 {
		failed = append(failed, errors.New(strings.Join(lines, "\n")))
	}
	return errors.Join(failed...)
}

// came describes a call, one fact on each line.
func came(c bridge.NumberedCall, why []string) []string {
	lines := []string{fmt.Sprintf("  came      call %d of %s: %s", c.N, quoted(c.Origin), quoted(string(c.Params)))}
	var shown map[string]any
	if json.Unmarshal(c.Shown, &shown) == nil && shown != nil {
		delete(shown, "account")
		delete(shown, "network")
		if transaction, ok := shown["transaction"].(map[string]any); ok {
			delete(transaction, "unsigned") // long, and said by the rest
		}
		if text, err := json.Marshal(shown); err == nil {
			lines = append(lines, "  approval  "+quoted(string(text)))
		}
	}
	for _, w := range why {
		lines = append(lines, "  differs   "+quoted(w))
	}
	return lines
}

// quoted escapes characters that do not print: the text comes from a page.
func quoted(text string) string {
	var b strings.Builder
	for _, r := range text {
		if q := fmt.Sprintf("%+q", string(r)); r < ' ' || r > '~' {
			b.WriteString(q[1 : len(q)-1])
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
