package bridge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"go.yaml.in/yaml/v3"

	"chainscope/wallet/clarity"
	"chainscope/wallet/document"
)

// maxRules bounds the rules of a script.
const maxRules = 10_000

// Script answers calls from a list of rules, for tests without the user. Each
// call is answered by the first rule that fits it and has times left; a call
// that none fits is rejected and remembered.
type Script struct {
	mu         sync.Mutex
	rules      []*rule
	unexpected []Unexpected
}

type rule struct {
	number int // counted from 1 in its script
	line   int // in the text that it was read from
	expect string
	with   any // nil when the rule names no params
	origin string
	answer ScriptAnswer
	times  int // how often it may answer; any when negative
	used   int
	source map[string]any // as it was given
}

// unlimited is the `times: any` of a rule.
const unlimited = -1

// AnswerKind describes what a rule answers with.
type AnswerKind int

// A call is approved or rejected as the user would, or answered in place of the
// wallet.
const (
	ScriptReject AnswerKind = iota
	ScriptApprove
	ScriptResult
	ScriptError
)

// ScriptAnswer is the answer of a rule. Delay comes first, whatever follows.
type ScriptAnswer struct {
	Rule    int // the number of the rule, counted from 1
	Kind    AnswerKind
	Delay   time.Duration
	Result  json.RawMessage
	Code    int
	Message string
}

// SyntaxError describes where a script is wrong, and what would be right.
type SyntaxError struct {
	Line    int
	Problem string
}

func (e *SyntaxError) Error() string {
	if e.Line == 0 {
		return "script: " + e.Problem
	}
	return fmt.Sprintf("script, line %d: %s", e.Line, e.Problem)
}

// ParseScript reads the YAML of `--script`: a list of rules with the keys
// expect, with, origin, answer and times. Its error is a *SyntaxError.
func ParseScript(data []byte) (*Script, error) {
	list, err := document.YAML(data)
	if err != nil {
		return nil, &SyntaxError{Problem: err.Error()}
	}
	if list == nil || list.Kind == yaml.ScalarNode && list.Tag == "!!null" {
		return &Script{}, nil
	}
	if list.Kind != yaml.SequenceNode {
		return nil, &SyntaxError{list.Line, "a list of rules is wanted: - expect: METHOD"}
	}
	s := &Script{}
	for _, node := range list.Content {
		r, err := parseRule(node)
		if err != nil {
			return nil, err
		}
		if source, err := document.Value(node, plain); err == nil {
			r.source, _ = source.(map[string]any)
		}
		r.number = len(s.rules) + 1
		if s.rules = append(s.rules, r); len(s.rules) > maxRules {
			return nil, &SyntaxError{r.line, fmt.Sprintf("there are more than %d rules", maxRules)}
		}
	}
	return s, nil
}

func parseRule(node *yaml.Node) (*rule, error) {
	r := &rule{line: node.Line, times: 1, answer: ScriptAnswer{Kind: ScriptApprove}}
	answered := false
	err := eachKey(node, func(key string, value *yaml.Node) error {
		switch key {
		case "expect":
			if value.Kind != yaml.ScalarNode || value.Value == "" {
				return &SyntaxError{value.Line, `expect: a method name or "*" is wanted`}
			}
			r.expect = value.Value
		case "with":
			with, err := document.Value(value, plain)
			if err != nil {
				return err
			}
			if _, ok := with.(map[string]any); !ok {
				return &SyntaxError{value.Line, "with: a mapping of params is wanted"}
			}
			r.with = with
		case "origin":
			origin, err := ParseOrigin(value.Value)
			if err != nil {
				return &SyntaxError{value.Line, "origin: " + err.Error()}
			}
			r.origin = origin
		case "answer":
			answer, err := parseAnswer(value)
			if err != nil {
				return err
			}
			r.answer, answered = answer, true
		case "times":
			return parseTimes(value, r)
		default:
			return &SyntaxError{value.Line, fmt.Sprintf("unknown key %q; a rule has expect, with, origin, answer and times", key)}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if r.expect == "" {
		return nil, &SyntaxError{node.Line, `a rule needs expect: a method name or "*"`}
	}
	if !answered {
		return nil, &SyntaxError{node.Line, "a rule needs answer: approve, reject, {result: …}, {error: …} or {delay: 2s, then: …}"}
	}
	return r, nil
}

func parseTimes(value *yaml.Node, r *rule) error {
	if value.Value == "any" {
		r.times = unlimited
		return nil
	}
	if err := value.Decode(&r.times); err != nil || r.times < 1 {
		return &SyntaxError{value.Line, fmt.Sprintf("times: a number from 1, or any, is wanted, not %q", value.Value)}
	}
	return nil
}

func parseAnswer(node *yaml.Node) (ScriptAnswer, error) {
	wrong := &SyntaxError{node.Line, "answer: approve, reject, {result: …}, {error: {code: …, message: …}} or {delay: 2s, then: …} is wanted"}
	if node.Kind == yaml.ScalarNode {
		switch node.Value {
		case "approve":
			return ScriptAnswer{Kind: ScriptApprove}, nil
		case "reject":
			return ScriptAnswer{Kind: ScriptReject}, nil
		}
		return ScriptAnswer{}, wrong
	}
	fields := map[string]*yaml.Node{}
	if err := eachKey(node, func(key string, value *yaml.Node) error { fields[key] = value; return nil }); err != nil {
		return ScriptAnswer{}, wrong
	}
	switch {
	case len(fields) == 1 && fields["result"] != nil:
		value, err := document.Value(fields["result"], plain)
		if err != nil {
			return ScriptAnswer{}, err
		}
		result, err := json.Marshal(value)
		if err != nil {
			return ScriptAnswer{}, &SyntaxError{node.Line, "result: " + err.Error()}
		}
		return ScriptAnswer{Kind: ScriptResult, Result: result}, nil
	case len(fields) == 1 && fields["error"] != nil:
		return parseError(fields["error"])
	case len(fields) == 2 && fields["delay"] != nil && fields["then"] != nil:
		delay, err := time.ParseDuration(fields["delay"].Value)
		if err != nil || delay < 0 {
			return ScriptAnswer{}, &SyntaxError{fields["delay"].Line, fmt.Sprintf("delay: a duration such as 2s or 300ms is wanted, not %q", fields["delay"].Value)}
		}
		answer, err := parseAnswer(fields["then"])
		answer.Delay += delay
		return answer, err
	}
	return ScriptAnswer{}, wrong
}

func parseError(node *yaml.Node) (ScriptAnswer, error) {
	answer := ScriptAnswer{Kind: ScriptError}
	coded := false
	err := eachKey(node, func(key string, value *yaml.Node) error {
		switch key {
		case "code":
			coded = true
			if value.Decode(&answer.Code) != nil {
				return &SyntaxError{value.Line, "code: a whole number is wanted"}
			}
		case "message":
			answer.Message = value.Value
		default:
			return &SyntaxError{value.Line, fmt.Sprintf("unknown key %q; an error has code and message", key)}
		}
		return nil
	})
	if err == nil && !coded {
		err = &SyntaxError{node.Line, "an error needs code: a whole number"}
	}
	return answer, err
}

// eachKey visits the fields of a mapping.
func eachKey(node *yaml.Node, visit func(key string, value *yaml.Node) error) error {
	fields, ok := document.Fields(node)
	if !ok {
		return &SyntaxError{node.Line, "a mapping is wanted"}
	}
	for _, f := range fields {
		if err := visit(f.Name, f.Value); err != nil {
			return err
		}
	}
	return nil
}

// plain returns a scalar as the value that JSON has; whole numbers keep all digits.
func plain(node *yaml.Node) (any, error) {
	switch node.Tag {
	case "!!null":
		return nil, nil
	case "!!bool", "!!int", "!!float":
		// A whole number beyond 64 bits is a float to YAML and would lose digits.
		if text := strings.ReplaceAll(node.Value, "_", ""); node.Tag != "!!bool" {
			if _, ok := whole(text); ok {
				return json.Number(text), nil
			}
		}
		var value any
		err := node.Decode(&value)
		return value, err
	}
	return node.Value, nil
}

// Match finds the answer for a call: that of the first rule that fits it and
// has times left, which then counts as used. It reports false when there is
// none.
func (s *Script) Match(call Call) (ScriptAnswer, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.rules {
		if r.left() && len(r.mismatches(call)) == 0 {
			r.used++
			answer := r.answer
			answer.Rule = r.number
			return answer, true
		}
	}
	return ScriptAnswer{}, false
}

// left reports whether the rule may answer another call.
func (r *rule) left() bool { return r.times == unlimited || r.used < r.times }

// mismatches lists why a call does not fit the rule, nothing when it does.
func (r *rule) mismatches(call Call) []string {
	var list []string
	if r.expect != "*" && r.expect != call.Method {
		list = append(list, fmt.Sprintf("method: want %s, got %s", r.expect, shorten(json.RawMessage(call.Method))))
	}
	if r.origin != "" && r.origin != call.Origin {
		list = append(list, fmt.Sprintf("origin: want %s, got %s", r.origin, call.Origin))
	}
	if r.with != nil {
		list = append(list, mismatches("", r.with, decoded(call.Params))...)
	}
	return list
}

func decoded(params json.RawMessage) any {
	decoder := json.NewDecoder(bytes.NewReader(params))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil {
		return nil
	}
	return value
}

const shownParams = 200

func shorten(params json.RawMessage) string {
	if len(params) == 0 {
		return "no params"
	}
	return clarity.Brief(strings.ToValidUTF8(string(params), "�"), shownParams)
}
