package bridge

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"chainscope/wallet/document"
)

// Control lets a test runner play the user: it gives rules, reads calls and
// the verdict, and switches account and network. It is for a bridge without a
// person, on this machine, and never for a web page.
type Control struct {
	Script     *Script
	SetAccount func(account uint32) error
	SetNetwork func(name string) error
	Reset      func() // forgets what pages were granted
	State      func() ControlState
	Mock       *url.URL // the mock whose control is reached too; nil for none
	Snapshots  Snapshots
	Changed    func() // rules or calls have changed; may be nil
}

// ControlState holds what a test runner can learn of a bridge beside its calls.
type ControlState struct {
	Wallet  string `json:"wallet"` // chainscope, leather or xverse
	Account uint32 `json:"account"`
	Network string `json:"network"`
	Address string `json:"address"` // the Stacks address of the account, "" while the keys are locked
	API     string `json:"api"`     // base URL of the wallet's API, "" for none
}

// Snapshots learns what is done to the world of the mock, so that the wallet
// goes back with it.
type Snapshots interface {
	Snapshot(name string)
	Revert(to string)
	ForgetSnapshots()
}

// Bounds of the control routes.
const (
	maxControlBody = 4 << 20
	maxWait        = time.Minute
)

// ControlPrefix is the path of the control routes, MockPrefix that of the
// mock's.
const (
	ControlPrefix = "/.chainscope/control/"
	MockPrefix    = "/.chainscope/mock/"
)

// controlError is the body of a refusal.
type controlError struct {
	Error   string `json:"error"` // the text of the status
	Message string `json:"message"`
}

func refuseControl(w http.ResponseWriter, status int, format string, args ...any) {
	writeJSON(w, status, controlError{http.StatusText(status), fmt.Sprintf(format, args...)})
}

func writeJSON(w http.ResponseWriter, status int, value any) {
	body, err := json.Marshal(value)
	if err != nil {
		http.Error(w, "the answer cannot be written", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n')) // the caller may have gone
}

// controlRoutes adds the control routes to the server's.
func (s *Server) controlRoutes() {
	for _, route := range []struct {
		method, name string
		handle       http.HandlerFunc
	}{
		{http.MethodPost, "rules", s.postRules},
		{http.MethodGet, "rules", s.getRules},
		{http.MethodGet, "calls", s.getCalls},
		{http.MethodGet, "verdict", s.getVerdict},
		{http.MethodPost, "reset", s.postReset},
		{http.MethodPost, "account", s.postAccount},
		{http.MethodPost, "network", s.postNetwork},
		{http.MethodPost, "emit", s.postEmit},
		{http.MethodGet, "state", s.getState},
		{http.MethodGet, "openapi.json", s.getControlOpenAPI},
	} {
		s.control.HandleFunc(route.method+" "+ControlPrefix+route.name, route.handle)
	}
	s.control.HandleFunc(ControlPrefix, func(w http.ResponseWriter, r *http.Request) {
		if allowed := s.methodsOf(r); len(allowed) > 0 {
			w.Header().Set("Allow", strings.Join(allowed, ", "))
			refuseControl(w, http.StatusMethodNotAllowed, "%s takes %s", r.URL.Path, strings.Join(allowed, " or "))
			return
		}
		refuseControl(w, http.StatusNotFound, "there is no route %s; %sopenapi.json lists them", r.URL.Path, ControlPrefix)
	})
	if c := s.options.Control; c != nil && c.Mock != nil {
		s.control.Handle(MockPrefix, mockProxy(c.Mock, c.Snapshots))
	}
	s.mux.HandleFunc(ControlPrefix, s.guarded)
	s.mux.HandleFunc(MockPrefix, s.guarded)
}

// methodsOf lists the methods that the path of a request takes.
func (s *Server) methodsOf(r *http.Request) []string {
	var list []string
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		other := &http.Request{Method: method, URL: r.URL, Host: r.Host}
		if _, pattern := s.control.Handler(other); pattern != ControlPrefix {
			list = append(list, method)
		}
	}
	return list
}

// guarded refuses everybody but programs on this machine: a browser says in
// Origin or in Sec-Fetch-Site that a request is a page's.
func (s *Server) guarded(w http.ResponseWriter, r *http.Request) {
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = r.Host
	}
	remote, _, err := net.SplitHostPort(r.RemoteAddr)
	_, origin := r.Header["Origin"]
	_, fetch := r.Header["Sec-Fetch-Site"]
	switch {
	case origin || fetch:
		refuseControl(w, http.StatusForbidden, "the control routes take no request of a web page; call them from the test runner, without an Origin header")
	case !isLoopbackName(strings.Trim(host, "[]")) || err != nil || !net.ParseIP(remote).IsLoopback():
		refuseControl(w, http.StatusForbidden, "the control routes answer programs on this machine only, as 127.0.0.1 or localhost")
	case s.options.Control == nil:
		refuseControl(w, http.StatusForbidden, "a person answers at this bridge; start it with --script, --approve=always or --approve=never to control it")
	default:
		s.control.ServeHTTP(w, r)
	}
}

// readControl reads the body of a control request. Example is a right one.
func readControl(w http.ResponseWriter, r *http.Request, into any, example string) bool {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxControlBody))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		refuseControl(w, http.StatusRequestEntityTooLarge, "the body has more than %d bytes", maxControlBody)
		return false
	case err != nil:
		refuseControl(w, http.StatusBadRequest, "the body cannot be read: %v", err)
		return false
	}
	err = document.JSON(body, into)
	if wrong, is := errors.AsType[*json.UnmarshalTypeError](err); is {
		err = fmt.Errorf("%s cannot be %s", strings.TrimPrefix(wrong.Field, "."), wrong.Value)
	}
	if err != nil {
		refuseControl(w, http.StatusBadRequest, "the body must be JSON such as %s: %v", example, err)
		return false
	}
	return true
}

func (s *Server) changed() {
	if c := s.options.Control; c != nil && c.Changed != nil {
		c.Changed()
	}
}

// rulesAnswer lists the rules.
type rulesAnswer struct {
	Rules []ruleView `json:"rules"`
}

func (s *Server) getRules(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, rulesAnswer{s.options.Control.Script.list()})
}

func (s *Server) postRules(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxControlBody))
	if err != nil {
		refuseControl(w, http.StatusRequestEntityTooLarge, "the rules have more than %d bytes", maxControlBody)
		return
	}
	if !json.Valid(body) || !bytes.HasPrefix(bytes.TrimSpace(body), []byte("[")) {
		refuseControl(w, http.StatusBadRequest, `the body must be a JSON list of rules such as [{"expect":"getAddresses","answer":"approve"}]`)
		return
	}
	more, err := ParseScript(body) // JSON is YAML
	if err == nil {
		replace := r.URL.Query().Get("replace")
		if !slices.Contains([]string{"", "0", "1"}, replace) {
			err = fmt.Errorf("replace must be 1 or 0, not %q", replace)
		} else {
			err = s.options.Control.Script.add(more, replace == "1")
		}
	}
	if err != nil {
		refuseControl(w, http.StatusBadRequest, "%v", err)
		return
	}
	s.changed()
	s.getRules(w, r)
}

// callsAnswer lists calls; Next is the `after` of the next question.
type callsAnswer struct {
	Calls []NumberedCall `json:"calls"`
	Next  uint64         `json:"next"`
}

func (s *Server) getCalls(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	var after uint64
	var wait time.Duration
	var err error
	if text := query.Get("after"); text != "" {
		if after, err = strconv.ParseUint(text, 10, 64); err != nil {
			refuseControl(w, http.StatusBadRequest, "after must be the number of a call, such as after=7, not %.40q", text)
			return
		}
	}
	if text := query.Get("wait"); text != "" {
		if wait, err = time.ParseDuration(text); err != nil || wait < 0 || wait > maxWait {
			refuseControl(w, http.StatusBadRequest, "wait must be a duration from 0s to %s, such as wait=5s, not %.40q", maxWait, text)
			return
		}
	}
	calls, next := s.log.after(r.Context(), after, wait)
	writeJSON(w, http.StatusOK, callsAnswer{calls, next})
}

func (s *Server) getVerdict(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, s.options.Control.Script.Verdict())
}

func (s *Server) postReset(w http.ResponseWriter, _ *http.Request) {
	c := s.options.Control
	_ = c.Script.add(&Script{}, true) // no rules are never too many
	s.log.reset()
	s.reported.forget()
	c.Reset()
	s.changed()
	writeJSON(w, http.StatusOK, c.Script.Verdict())
}

func (s *Server) postAccount(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Account *uint32 `json:"account"`
	}
	postSetting(w, r, &body, &body.Account, "account", `{"account":2}`, s.options.Control.SetAccount)
}

func (s *Server) postNetwork(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Network *string `json:"network"`
	}
	postSetting(w, r, &body, &body.Network, "network", `{"network":"testnet"}`, s.options.Control.SetNetwork)
}

// postSetting reads a request, whose one member is value, sets it and answers with it.
// Example is a right one.
func postSetting[T any](w http.ResponseWriter, r *http.Request, body any, value **T, name, example string, set func(T) error) {
	if !readControl(w, r, body, example) {
		return
	}
	if *value == nil {
		refuseControl(w, http.StatusBadRequest, "%s is missing; send %s", name, example)
		return
	}
	if err := set(**value); err != nil {
		refuseControl(w, http.StatusBadRequest, "%v", err)
		return
	}
	writeJSON(w, http.StatusOK, body)
}

func (s *Server) postEmit(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Event  string          `json:"event"`
		Data   json.RawMessage `json:"data,omitempty"`
		Origin string          `json:"origin,omitempty"` // "" is every page that listens
	}
	if !readControl(w, r, &body, `{"event":"stx_accountChange","data":{}}`) {
		return
	}
	if !slices.Contains(events, body.Event) {
		refuseControl(w, http.StatusBadRequest, "event must be one of %s, not %.40q", strings.Join(events, ", "), body.Event)
		return
	}
	if len(body.Data) == 0 {
		body.Data = json.RawMessage(`{}`)
	}
	if body.Origin == "" {
		s.Publish(body.Event, body.Data)
	} else if _, err := ParseOrigin(body.Origin); err != nil {
		refuseControl(w, http.StatusBadRequest, "origin: %v", err)
		return
	} else {
		s.PublishTo(body.Origin, body.Event, body.Data)
	}
	writeJSON(w, http.StatusOK, body)
}

func (s *Server) getState(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, s.options.Control.State())
}

func (s *Server) getControlOpenAPI(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, asset("assets/control.openapi.json"))
}
