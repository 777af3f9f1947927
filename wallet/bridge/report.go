package bridge

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"strings"
)

// Report describes how a bridge was used so far, for a file that outlives it.
type Report struct {
	Verdict
	Calls []ReportedCall `json:"calls"`
	rules []ruleView
}

// ReportedCall is a call with what the wallet says of it.
type ReportedCall struct {
	NumberedCall
	Account
}

// String says in words what the wallet says of the call.
func (c ReportedCall) String() string {
	words := fmt.Sprintf("call %d: %s of %s", c.N, c.Method, c.Origin)
	for _, more := range []string{c.By, c.TxID, c.Status} {
		if more != "" {
			words += "; " + more
		}
	}
	return words
}

// Report returns the verdict and the calls; the zero value without control.
func (s *Server) Report() Report {
	c := s.options.Control
	if c == nil {
		return Report{}
	}
	calls, _ := s.log.after(context.Background(), 0, 0)
	report := Report{Verdict: c.Script.Verdict(), Calls: []ReportedCall{}, rules: c.Script.list()}
	for _, call := range calls {
		report.Calls = append(report.Calls, ReportedCall{call, call.account})
	}
	return report
}

// JSON writes the report as one object.
func (r Report) JSON() ([]byte, error) { return json.MarshalIndent(r, "", "  ") }

type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Cases    []junitCase `xml:"testcase"`
	Output   string      `xml:"system-out,omitempty"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Failure *junitFailure `xml:"failure"`
	Output  string        `xml:"system-out,omitempty"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// JUnit writes the report as a test suite: a case for each rule, and one for
// each unexpected call, each with what the wallet says of its calls.
func (r Report) JUnit() ([]byte, error) {
	suite := junitSuite{Name: "chainscope bridge"}
	missing := map[int]Missing{}
	for _, m := range r.Missing {
		missing[m.Rule] = m
	}
	for _, rule := range r.rules {
		c := junitCase{Class: "rules", Name: fmt.Sprintf("rule %d: %s", rule.Rule, rule.Expect), Output: r.output(func(call ReportedCall) bool {
			return call.Rule != nil && *call.Rule == rule.Rule
		})}
		if m, failed := missing[rule.Rule]; failed {
			c.Failure = failure(m.String())
		}
		suite.Cases = append(suite.Cases, c)
	}
	for _, u := range r.Unexpected {
		suite.Cases = append(suite.Cases, junitCase{
			Class: "calls", Name: fmt.Sprintf("call %d: %s of %s", u.Call, u.Method, u.Origin), Failure: failure(u.String()),
			Output: r.output(func(call ReportedCall) bool { return call.N == u.Call }),
		})
	}
	suite.Output = r.output(func(call ReportedCall) bool { return call.Rule == nil && !call.Unexpected })
	suite.Tests, suite.Failures = len(suite.Cases), len(r.Missing)+len(r.Unexpected)
	text, err := xml.MarshalIndent(suite, "", "  ")
	return append([]byte(xml.Header), append(text, '\n')...), err
}

// output says in words, a line each, what the wallet says of some calls.
func (r Report) output(of func(ReportedCall) bool) string {
	var lines []string
	for _, c := range r.Calls {
		if of(c) {
			lines = append(lines, oneLine(c.String()))
			for l := range strings.Lines(c.Called) {
				lines = append(lines, "  "+l[:len(l)-len(strings.TrimLeft(l, " "))]+oneLine(l))
			}
		}
	}
	return strings.Join(lines, "\n")
}

func oneLine(s string) string {
	return strings.Join(strings.Fields(strings.ToValidUTF8(s, "�")), " ")
}

func failure(words string) *junitFailure {
	words = strings.ToValidUTF8(words, "�")
	return &junitFailure{Message: words, Text: words}
}
