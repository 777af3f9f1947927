// Package check finds out what a server serves of the contract and where its answers
// differ. The rules are the contract's own document, an OpenAPI description: which
// routes there are, what they take and what they answer. This package only sends the
// requests that follow from it and compares. It must not import tui, wallet or
// mockserver.
package check

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
)

// Severity says how much a difference matters.
type Severity string

// The severities.
const (
	// Error is a difference that breaks a client that keeps to the contract.
	Error Severity = "error"
	// Warning is one that a careful client survives.
	Warning Severity = "warning"
)

// State describes how a route is served.
type State string

// The states of a route; NotRecorded is one that a recording does not have.
const (
	Served      State = "served"
	Deprecated  State = "deprecated"
	Gone        State = "gone"
	Different   State = "different"
	NotRecorded State = "not recorded"
)

// Finding is one difference.
type Finding struct {
	Severity Severity `json:"severity"`
	// Request is the path that was requested, such as /extended/v1/block?limit=2.
	Request string `json:"request,omitempty"`
	// Where is the path in the answer, such as results[].height; "" for the answer
	// itself.
	Where string `json:"where,omitempty"`
	What  string `json:"what"`
}

// Route holds what was found out about one route of the contract.
type Route struct {
	Route string `json:"route"`
	State State  `json:"state"`
	// Status is that of the first answer.
	Status int `json:"status,omitempty"`
	// ReadBy is the route that answers the same question, where this one is gone.
	ReadBy   string    `json:"read_by,omitempty"`
	Findings []Finding `json:"findings"`
}

// Report holds what was found out about a server.
type Report struct {
	// Version is the server's own text of it, "" when it sends none.
	Version string  `json:"version,omitempty"`
	Routes  []Route `json:"routes"`
}

// Failed returns how many routes are not served as the contract says.
func (r Report) Failed() (n int) {
	for _, route := range r.Routes {
		if route.State == Gone || route.State == Different {
			n++
		}
	}
	return n
}

// purpose is the reason why a request was sent.
type purpose string

const (
	// valid requests keep to the contract.
	valid purpose = "valid"
	// faulty ones do not, and must be refused.
	faulty purpose = "faulty"
	// explicit ones give a parameter its default, and must be answered as without it.
	explicit purpose = "explicit"
)

// Answer holds what came for one request.
type Answer struct {
	// Target is the path and query of the request.
	Target string
	Status int
	Header http.Header
	Body   []byte

	route   string
	purpose purpose
}

// notRecorded reports whether a server that replays a recording has no answer.
func (a Answer) notRecorded() bool { return a.Header.Get("X-Mock-Tape") == "not recorded" }

// refusal returns what the body of a refusal says; the page of a gateway says nothing.
func (a Answer) refusal() (body struct{ Error, Message string }) {
	_ = json.Unmarshal(a.Body, &body)
	return body
}

// unknownRoute reports whether a server says that it does not know the route.
func (a Answer) unknownRoute() bool {
	complains := a.refusal().Message
	return a.Status == http.StatusNotFound && strings.HasPrefix(complains, "Route ") && strings.HasSuffix(complains, " not found")
}

// reason returns what a refusal says of its cause, after a colon; "" when it says nothing.
func (a Answer) reason() string {
	complains := a.refusal()
	if words := cmp.Or(complains.Message, complains.Error); words != "" {
		return ": " + words
	}
	return ""
}

// retired reports whether a server has switched the route off or never had it.
func (a Answer) retired() bool { return a.Status == http.StatusGone || a.unknownRoute() }

// aboutSubject reports whether a server refuses what was requested, which its chain does
// not have, rather than how it was requested.
func (a Answer) aboutSubject() bool {
	switch complains := a.refusal().Error; a.Status {
	case http.StatusBadRequest:
		return complains != "" && complains != http.StatusText(http.StatusBadRequest)
	case http.StatusNotFound, http.StatusUnprocessableEntity:
		return !a.unknownRoute()
	}
	return false
}

// judge compares answers with the contract.
func (c *contract) judge(answers []Answer) Report {
	var r Report
	for _, a := range answers {
		if version := a.Header.Get("X-API-Version"); version != "" && r.Version == "" {
			r.Version = version
		}
	}
	for _, op := range c.operations {
		r.Routes = append(r.Routes, c.judgeRoute(op, answers))
	}
	return r
}

func (c *contract) judgeRoute(op operation, answers []Answer) Route {
	route := Route{Route: op.path, State: NotRecorded, Findings: []Finding{}}
	var first Answer
	for _, a := range answers {
		if a.route != op.path || a.notRecorded() {
			continue
		}
		if route.State == NotRecorded {
			first, route.State, route.Status = a, Served, a.Status
			if a.Header.Get("Warning") != "" {
				route.State = Deprecated
			}
		}
		if a.retired() {
			return route.gone(a)
		}
		for _, f := range c.judgeAnswer(op, a, first) {
			f.Request = a.Target
			route.Findings = append(route.Findings, f)
		}
	}
	if slices.ContainsFunc(route.Findings, func(f Finding) bool { return f.Severity == Error }) {
		route.State = Different
	}
	return route
}

// gone returns the route as one that a server has retired or does not know.
func (r Route) gone(a Answer) Route {
	what := "the server does not know this route"
	if a.Status == http.StatusGone {
		what = "the server has retired this route"
	}
	r.State, r.Findings = Gone, []Finding{{Severity: Error, Request: a.Target, What: fmt.Sprintf("%s (status %d)", what, a.Status)}}
	return r
}

// judgeAnswer compares one answer with what the contract says of the request. First
// is the answer to the valid request.
func (c *contract) judgeAnswer(op operation, a, first Answer) []Finding {
	refused := a.Status >= 400
	switch {
	case a.purpose == faulty && !refused:
		return broken("is answered with status %d, the contract refuses it", a.Status)
	case a.purpose != faulty && refused && (a.Status >= 500 || !a.aboutSubject() || !strings.Contains(op.path, "{")):
		return broken("is refused with status %d%s", a.Status, a.reason())
	}
	s, known := op.answers(a.Status)
	if !known {
		return broken("has status %d, which the contract does not have", a.Status)
	}
	value, err := a.decode()
	if err != nil {
		return broken("%v", err)
	}
	compare := comparison{schemas: c.schemas}
	compare.value(s, value, "")
	if refused {
		// Its status says what a client needs.
		for i := range compare.findings {
			compare.findings[i].Severity = Warning
		}
	}
	if a.purpose == explicit && a.Status == first.Status && !bytes.Equal(a.Body, first.Body) {
		compare.add(Warning, "", "is not answered as without the parameter, which is its default in the contract")
	}
	return compare.findings
}

// broken returns the one finding of an answer that cannot be compared further.
func broken(format string, args ...any) []Finding {
	return []Finding{{Severity: Error, What: fmt.Sprintf(format, args...)}}
}

// decode returns the value of a JSON body.
func (a Answer) decode() (any, error) {
	kind, _, err := mime.ParseMediaType(a.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" {
		return nil, fmt.Errorf("has the content type %q, the contract says application/json", a.Header.Get("Content-Type"))
	}
	d := json.NewDecoder(bytes.NewReader(a.Body))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		return nil, errors.New("has a body that is not JSON")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("has something after its JSON value")
	}
	return value, nil
}
