// Package forktest is for Go tests: a node of a live chain, on paper, with the API beside it, and
// faults in what it answers.
package forktest

import (
	"crypto/sha512"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"chainscope/apiclient"
)

//go:embed testdata/node.json
var recorded []byte

//go:embed testdata/sdk.json
var said []byte

// The block, and who is there.
const (
	Height    = 8_700_000
	IndexHash = "0x00000000000000000000000000000000000000000000000000000000ac44c060"
	Holder    = "SP1G1W1Q0F94QRT4GQB7Y17V6NVAVFN8TWSNH9A6J"
	Deployer  = "SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7" // of tally, coin and desk
	boot      = "SP000000000000000000002Q6VF78"
)

// Fault names what is wrong with an answer.
type Fault string

// The faults, of which each must be noticed.
const (
	None      Fault = ""
	Limited   Fault = "429"
	Failing   Fault = "500"
	Away      Fault = "503"
	Reset     Fault = "reset"      // the connection is closed without an answer
	Cut       Fault = "cut"        // in the middle of the body
	Slow      Fault = "slow"       // no answer within the client's time
	Page      Fault = "page"       // a page of HTML with status 200
	NoPage    Fault = "no page"    // a page of HTML with status 404
	NoRoute   Fault = "no route"   // a gateway's 404
	NoTip     Fault = "no tip"     // the node does not know the block
	OtherJSON Fault = "other JSON" // of another form
)

// Faults are all of them.
var Faults = []Fault{Limited, Failing, Away, Reset, Cut, Slow, Page, NoPage, NoRoute, NoTip, OtherJSON}

// answer is one of the node's.
type answer struct {
	Status int             `json:"status"`
	Body   json.RawMessage `json:"body"`
}

// Step is a call, and what the official SDK answers.
type Step struct {
	Read, Call, Function string // the contract of a read or of a call
	Arguments            []string
	Sender, Result       string
	Events               []json.RawMessage
	Trace                string
}

// Node is safe for concurrent use.
type Node struct {
	*httptest.Server

	mu        sync.Mutex
	answers   map[string]answer
	requested []string
	fault     func(n int, path string) Fault
	since     int
}

// New starts a node that ends with the test.
func New(t testing.TB) *Node {
	t.Helper()
	n := &Node{fault: func(int, string) Fault { return None }}
	var all struct {
		Answers map[string]answer `json:"answers"`
	}
	if err := json.Unmarshal(recorded, &all); err != nil {
		t.Fatal(err)
	}
	n.answers = all.Answers
	n.Server = httptest.NewServer(n)
	t.Cleanup(n.Close)
	return n
}

// Said returns the steps that the official SDK has done on the node, in their order.
func Said(t testing.TB) (steps []Step) {
	t.Helper()
	if err := json.Unmarshal(said, &steps); err != nil {
		t.Fatal(err)
	}
	return steps
}

// Client returns a client of the node that is soon tired of waiting.
func (n *Node) Client(t testing.TB) *apiclient.Client {
	t.Helper()
	c, err := apiclient.New(apiclient.Options{BaseURL: n.URL, Timeout: 100 * time.Millisecond, Backoff: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// Set lets the node answer a path; body is JSON.
func (n *Node) Set(path string, status int, body string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.answers[path] = answer{status, json.RawMessage(body)}
}

// SetMetadata lets the node have something of a contract.
func (n *Node) SetMetadata(contract, key, data string) {
	text, _ := json.Marshal(map[string]string{"data": data})
	n.Set("/v2/clarity/metadata/"+strings.Replace(contract, ".", "/", 1)+"/"+key+"?tip="+IndexHash[2:], http.StatusOK, string(text))
}

// Value returns the path of a value of the state.
func Value(key string) string {
	h := sha512.Sum512_256([]byte(key))
	return "/v2/clarity/marf/" + hex.EncodeToString(h[:]) + "?tip=" + IndexHash[2:] + "&proof=false"
}

// SetCosts lets the node have the contracts by which costs are counted, by their names, as every
// live chain has them. Their sources are the virtual machine's own.
func (n *Node) SetCosts(sources map[string]string) {
	for name, source := range sources {
		id := fmt.Sprintf(`{"issuer":[22,[%s0]],"name":%q}`, strings.Repeat("0,", 19), name)
		variable := ""
		if name == "cost-voting" {
			variable = `"confirmed-proposal-count":{"value_type":"UIntType"}`
			n.SetMetadata(boot+"."+name, "vm-metadata::6::confirmed-proposal-count", `{"value_type":"UIntType"}`)
			n.Set(Value("vm::"+boot+"."+name+"::1::confirmed-proposal-count"), http.StatusOK, `{"data":"0100000000000000000000000000000000"}`)
		}
		n.SetMetadata(boot+"."+name, "vm-metadata::9::contract-size", fmt.Sprint(len(source)))
		n.SetMetadata(boot+"."+name, "vm-metadata::9::contract-data-size", "100")
		n.SetMetadata(boot+"."+name, "vm-metadata::9::contract-src", source)
		n.SetMetadata(boot+"."+name, "vm-metadata::9::contract", `{"contract_context":{"contract_identifier":`+id+`,"variables":{},"functions":{},"defined_traits":{},"implemented_traits":[],"persisted_names":[],"meta_data_map":{},"meta_data_var":{`+variable+`},"meta_nft":{},"meta_ft":{},"data_size":100,"clarity_version":"Clarity3","is_deploying":false}}`)
		n.SetMetadata(boot+"."+name, "analysis", `{"contract_identifier":`+id+`,"private_function_types":{},"variable_types":{},"public_function_types":{},"read_only_function_types":{},"map_types":{},"persisted_variable_types":{},"fungible_tokens":[],"non_fungible_tokens":{},"defined_traits":{},"implemented_traits":[],"contract_interface":null,"is_cost_contract_eligible":true,"epoch":"Epoch33","clarity_version":"Clarity3"}`)
	}
}

// Fail lets answers have faults: of each request from now on, n counts from 1. nil is none.
func (n *Node) Fail(fault func(n int, path string) Fault) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if fault == nil {
		fault = func(int, string) Fault { return None }
	}
	n.fault, n.since = fault, len(n.requested)
}

// Requests returns the paths that were requested.
func (n *Node) Requests() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return append([]string{}, n.requested...)
}

func (n *Node) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path, err := url.PathUnescape(r.URL.RequestURI())
	if err != nil || r.Method != http.MethodGet {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	n.mu.Lock()
	n.requested = append(n.requested, path)
	fault := n.fault(len(n.requested)-n.since, path)
	a, known := n.answers[path]
	n.mu.Unlock()
	if !known {
		a = answer{http.StatusNotFound, json.RawMessage(`{"error":"Data not found"}`)}
	}
	fault.serve(w, r, a)
}

// serve writes an answer with a fault.
func (f Fault) serve(w http.ResponseWriter, r *http.Request, a answer) {
	write := func(status int, kind, body string) {
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body)) // the client may be gone
	}
	const html, text, inJSON = "text/html", "text/plain", "application/json"
	switch f {
	case None:
		write(a.Status, inJSON, string(a.Body))
	case Limited:
		w.Header().Set("Retry-After", "0.02")
		write(http.StatusTooManyRequests, inJSON, `{"error":"Rate limit exceeded"}`)
	case Failing, Away:
		status := map[Fault]int{Failing: http.StatusInternalServerError, Away: http.StatusServiceUnavailable}[f]
		write(status, text, "something failed")
	case Reset:
		panic(http.ErrAbortHandler)
	case Cut:
		w.Header().Set("Content-Length", fmt.Sprint(len(a.Body)))
		write(http.StatusOK, inJSON, string(a.Body[:len(a.Body)/2]))
		panic(http.ErrAbortHandler)
	case Slow:
		<-r.Context().Done()
	case Page, NoPage:
		status := map[Fault]int{Page: http.StatusOK, NoPage: http.StatusNotFound}[f]
		write(status, html, "<html><body>Data not found</body></html>")
	case NoRoute:
		write(http.StatusNotFound, inJSON, `{"message":"Route GET:/ not found","error":"Not Found","statusCode":404}`)
	case NoTip:
		write(http.StatusNotFound, text, "Chain tip not found")
	case OtherJSON:
		write(http.StatusOK, inJSON, `{"unexpected":true}`)
	}
}
