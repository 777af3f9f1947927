package fault

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Kind is a way to damage an answer.
type Kind string

const (
	// None leaves the answer whole.
	None Kind = ""
	// Truncate cuts the body in the middle; headers fit the shorter body.
	Truncate Kind = "truncate"
	// Type gives one field of the body a JSON type that the contract forbids.
	Type Kind = "type"
	// ContentType says text/html over an unchanged body.
	ContentType Kind = "content-type"
	// Reset closes the connection with a TCP reset and answers nothing. Of a pushed
	// event it closes the connection in its place.
	Reset Kind = "reset"
	// Drop keeps a pushed event back for ever.
	Drop Kind = "drop"
	// Double sends a pushed event twice.
	Double Kind = "double"
	// Reorder sends a pushed event after the next one.
	Reorder Kind = "reorder"
)

// kinds lists what the key fault may be set to in a rule about requests.
func kinds() []Kind { return []Kind{Truncate, Type, ContentType, Reset} }

// eventKinds lists what the key fault may be set to in a rule about pushed events.
func eventKinds() []Kind { return []Kind{Drop, Double, Reorder, Reset} }

// Rule is one --fault: which requests it takes and what happens to them.
type Rule struct {
	// Path is a glob over the request's path, where * stands for any text,
	// slashes included. "" takes every path.
	Path string
	// Event is a glob over the names of pushed events. A rule that has one is about
	// these and not about requests.
	Event string
	// Method takes only this method, "" every one.
	Method string
	// Rate is the share of the matching requests that are hit, above 0 to 1.
	Rate float64
	// Times ends the rule after this many hits; 0 never.
	Times int
	// Status answers with this error status, 0 leaves the status.
	Status int
	// Delay waits before the answer.
	Delay time.Duration
	// RetryAfter is sent in seconds with Status, nil sends none.
	RetryAfter *int
	// Fault damages the answer.
	Fault Kind
}

const ruleExample = "such as status=503,rate=0.1,path=/v1/*"

// ParseRule reads "key=value,key=value" with the keys path, method, event, rate,
// times, status, delay (milliseconds, or a duration such as 2s), retry_after
// (seconds) and fault.
func ParseRule(text string) (Rule, error) {
	rule := Rule{Rate: 1}
	seen := map[string]bool{}
	for field := range strings.SplitSeq(text, ",") {
		key, value, found := strings.Cut(strings.TrimSpace(field), "=")
		if !found {
			return Rule{}, fmt.Errorf("%q is no key=value; write a rule %s", field, ruleExample)
		}
		if seen[key] {
			return Rule{}, fmt.Errorf("%s is given twice", key)
		}
		seen[key] = true
		if err := rule.set(key, value); err != nil {
			return Rule{}, err
		}
	}
	return rule, rule.Check()
}

func (r *Rule) set(key, value string) (err error) {
	switch key {
	case "path":
		r.Path = value
	case "event":
		r.Event = value
	case "method":
		r.Method = strings.ToUpper(value)
	case "rate":
		if r.Rate, err = strconv.ParseFloat(value, 64); err != nil {
			return fmt.Errorf("rate=%q is no number; give a share above 0 up to 1, such as 0.1", value)
		}
	case "times":
		if r.Times, err = strconv.Atoi(value); err != nil || r.Times < 1 {
			return fmt.Errorf("times=%q is no count; give 1 or more", value)
		}
	case "status":
		if r.Status, err = strconv.Atoi(value); err != nil {
			return fmt.Errorf("status=%q is no number; give an error status from 400 to 599", value)
		}
	case "delay":
		if r.Delay, err = parseDelay(value); err != nil {
			return fmt.Errorf("delay=%q: %w", value, err)
		}
	case "retry_after":
		seconds, err := strconv.Atoi(value)
		if err != nil || seconds < 0 {
			return fmt.Errorf("retry_after=%q is no number of seconds; give 0 or more", value)
		}
		r.RetryAfter = &seconds
	case "fault":
		r.Fault = Kind(value)
	default:
		return fmt.Errorf("unknown key %q; the keys are path, method, event, rate, times, status, delay, retry_after, fault", key)
	}
	return nil
}

// Check returns an error that says what in the rule is impossible.
func (r Rule) Check() error {
	switch {
	case math.IsNaN(r.Rate) || r.Rate <= 0 || r.Rate > 1:
		return fmt.Errorf("rate=%v is out of range; give a share above 0 up to 1", r.Rate)
	case r.Times < 0:
		return fmt.Errorf("times=%d is negative; give 1 or more", r.Times)
	case r.Status != 0 && !errorStatus(r.Status):
		return fmt.Errorf("status=%d is no error status; give one from 400 to 599", r.Status)
	case r.Delay < 0:
		return fmt.Errorf("delay=%v is negative", r.Delay)
	case r.Path != "" && r.Path[0] != '/' && r.Path[0] != '*':
		return fmt.Errorf("path=%q matches nothing; begin it with / or *", r.Path)
	case r.Event != "" && (r.Path != "" || r.Method != "" || r.Status != 0 || r.RetryAfter != nil):
		return fmt.Errorf("a rule about an event takes rate, times, delay and fault, such as event=block,fault=drop,rate=0.1")
	case r.Event != "" && r.Fault != None && !slices.Contains(eventKinds(), r.Fault):
		return fmt.Errorf("fault=%q is unknown for an event; give drop, double, reorder or reset", string(r.Fault))
	case r.Event == "" && r.Fault != None && !slices.Contains(kinds(), r.Fault):
		if slices.Contains(eventKinds(), r.Fault) {
			return fmt.Errorf("fault=%s needs the event that it is about, such as event=block or event=*", r.Fault)
		}
		return fmt.Errorf("fault=%q is unknown; give truncate, type, content-type or reset", string(r.Fault))
	case r.Status == 0 && r.Delay == 0 && r.Fault == None:
		return fmt.Errorf("the rule does nothing; add status, delay or fault")
	case r.RetryAfter != nil && r.Status == 0:
		return fmt.Errorf("retry_after needs a status, such as status=429")
	}
	return nil
}

func errorStatus(status int) bool { return status >= 400 && status <= 599 }

// parseDelay takes whole milliseconds or a duration with its unit.
func parseDelay(s string) (time.Duration, error) {
	if ms, err := strconv.ParseUint(s, 10, 31); err == nil {
		return time.Duration(ms) * time.Millisecond, nil
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("no delay; give milliseconds or a duration, such as 800 or 2s")
	}
	return d, nil
}

// matches reports whether the rule applies to this request.
func (r *Rule) matches(method, path string) bool {
	if r.Event != "" || r.Method != "" && r.Method != method {
		return false
	}
	return r.Path == "" || globMatch(r.Path, path)
}

// globMatch matches with * as any text. It looks for the pieces between the
// stars from left to right, which is enough where * is the only wildcard.
func globMatch(pattern, s string) bool {
	piece, rest, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == s
	}
	s, ok := strings.CutPrefix(s, piece)
	if !ok {
		return false
	}
	for {
		if piece, rest, star = strings.Cut(rest, "*"); !star {
			return strings.HasSuffix(s, piece)
		}
		at := strings.Index(s, piece)
		if at < 0 {
			return false
		}
		s = s[at+len(piece):]
	}
}
