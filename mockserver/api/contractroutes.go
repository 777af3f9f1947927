package api

import (
	"cmp"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/contracts"
	"chainscope/mockserver/internal/plainjson"
	"chainscope/mockserver/ledger"
	"chainscope/mockserver/world"
	"chainscope/wallet/clarity"
	"chainscope/wallet/clarity/abi"
	"chainscope/wallet/facts"
	"chainscope/wallet/stxtx"
)

// contract holds what the mock has of a contract.
type contract struct {
	id      clarity.Principal
	book    contracts.Book
	source  *contracts.Source // nil if its text is not known
	played  world.Builtin     // nil for one that the mock does not play itself
	ledger  *ledger.Ledger
	text    string
	height  int64 // of the block that has it; 1 where the text was given
	txid    string
	running *world.Running // where it runs, else nil
	failed  error          // of the last read, where something of a live chain could not be read
	// clarity is the version that it was deployed with, 0 where none was named.
	clarity byte
}

// contractOf finds a contract that a block has, or that answers were given for.
func contractOf(s world.State, id clarity.Principal) (c contract, known bool) {
	c = contract{id: id, book: s.Contracts(), height: 1, ledger: s.Ledger(id)}
	if deployed, ok := s.Deployed(id); ok {
		payload := deployed.Payload.(stxtx.SmartContract)
		c.text, c.height, c.txid, c.clarity = payload.Code, deployed.Height, with0x(deployed.ID[:]), payload.ClarityVersion
	} else if text, ok := c.book.Source(id); ok {
		c.text, c.txid = text, madeUpID("deploy "+id.String())
	} else if played, ok := s.Builtin(id); ok {
		c.played, c.text, c.txid = played, played.Source(), madeUpID("deploy "+id.String())
	} else if text, running, ok := s.Boot(id); ok {
		c.text, c.txid, c.running = text, madeUpID("deploy "+id.String()), running
	} else {
		return c, c.book.Has(id, "")
	}
	c.source = s.Read(id, c.text, c.clarity)
	if running, ok := s.Running(id); ok {
		c.running, c.source = running, c.source.WithInterface(running.Interface)
	}
	return c, true
}

// contractParam reads an address and a name.
func (x *Exchange) contractParam(at int) clarity.Principal {
	id, err := clarity.ParseContract(x.param(at) + "." + x.param(at+1))
	if err != nil {
		x.text(http.StatusBadRequest, "Invalid contract: "+err.Error())
	}
	return id
}

// MaxReadBody bounds the arguments of a read-only call, in bytes.
const MaxReadBody = 4 << 20

// readOnlyBody is the answer of a read-only call: Result or Cause.
type readOnlyBody struct {
	Okay   bool   `json:"okay"`
	Result string `json:"result,omitempty"`
	Cause  string `json:"cause,omitempty"`
}

func serveReadOnly(x *Exchange) {
	id := x.contractParam(0)
	args, sender := x.readArguments()
	state := x.state()
	if x.checkTip(&state); x.answered {
		return
	}
	c, known := contractOf(state, id)
	value, cause := c.read(known, x.param(2), args, sender)
	if x.isUnread(c.failed) && x.unread(c.failed) {
		return
	}
	if cause != "" {
		if !known || cause == c.noAnswer(x.param(2)) || c.source == nil && cause == undefined(x.param(2)) {
			x.lacks(contracts.LackingRead(id, x.param(2), args))
		}
		x.Value(http.StatusOK, readOnlyBody{Cause: cause})
		return
	}
	encoded, err := clarity.EncodeHex(value)
	if err != nil {
		x.text(http.StatusInternalServerError, err.Error())
		return
	}
	x.Value(http.StatusOK, readOnlyBody{Okay: true, Result: "0x" + encoded})
}

// readArguments reads the body of a read-only call.
func (x *Exchange) readArguments() (args []clarity.Value, sender clarity.Principal) {
	refuse := func(text string) ([]clarity.Value, clarity.Principal) {
		x.text(http.StatusBadRequest, text)
		return nil, sender
	}
	if kind, _, err := mime.ParseMediaType(x.R.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return refuse("Invalid Http request: expected a body of the type application/json")
	}
	body, ok := x.Body(MaxReadBody)
	if !ok {
		return nil, sender
	}
	var request struct {
		Sender    *string   `json:"sender"`
		Sponsor   *string   `json:"sponsor"`
		Arguments *[]string `json:"arguments"`
	}
	if err := json.Unmarshal(body, &request); err != nil {
		return refuse("Failed to parse JSON body: " + err.Error())
	}
	if request.Sender == nil || request.Arguments == nil {
		return refuse(`Failed to parse JSON body: it needs "sender" and "arguments"`)
	}
	sender, err := clarity.ParsePrincipal(*request.Sender)
	if err != nil {
		return refuse("Failed to parse sender principal: " + err.Error())
	}
	if request.Sponsor != nil {
		if _, err := clarity.ParsePrincipal(*request.Sponsor); err != nil {
			return refuse("Failed to parse sponsor principal: " + err.Error())
		}
	}
	args = []clarity.Value{}
	for i, text := range *request.Arguments {
		v, err := clarity.DecodeHex(text)
		if err != nil {
			return refuse(fmt.Sprintf("Failed to deserialize argument value %d: %v", i, err))
		}
		args = append(args, v)
	}
	return args, sender
}

// read answers a read-only call, or says why there is no answer in the words of
// a node. A canned answer stands for what the function does: what a node checks
// before it runs one, the number and types of the arguments, comes first.
func (c *contract) read(known bool, function string, args []clarity.Value, sender clarity.Principal) (clarity.Value, string) {
	var f *abi.Function
	declared := false
	if c.source != nil {
		if f, declared = c.source.Function(function); declared {
			if f.Access == abi.Private {
				return nil, fmt.Sprintf("Unchecked(NoSuchPublicFunction(%q, %q))", c.id, function)
			}
			if cause := contracts.CheckArguments(f, args); cause != "" {
				return nil, cause
			}
		}
	}
	if c.running != nil && declared && !c.source.Writes(function) {
		return c.run(f, args, sender)
	}
	if v, ok := c.book.Read(c.id, function, args); ok {
		return v, ""
	}
	if c.played != nil {
		if v, ok := c.played.Read(c.ledger, function, args); ok {
			return v, ""
		}
	}
	if v, ok := stackingAnswer(c.id, function); ok && !known {
		return v, ""
	}
	switch {
	case !known:
		return nil, fmt.Sprintf("Unchecked(NoSuchContract(%q))", c.id)
	case declared && c.source.Writes(function):
		return nil, "NotReadOnly"
	case declared:
		return nil, c.noAnswer(function)
	case c.source != nil, !c.book.Has(c.id, function):
		return nil, undefined(function)
	}
	if cause := c.book.CheckArguments(c.id, function, args); cause != "" {
		return nil, cause
	}
	return nil, c.noAnswer(function)
}

// run calls a function of a contract that runs.
func (c *contract) run(f *abi.Function, args []clarity.Value, sender clarity.Principal) (clarity.Value, string) {
	v, failure, err := c.running.Read(f, args, sender)
	switch {
	case err != nil:
		c.failed = err
		return nil, "mock: " + err.Error()
	case failure != nil:
		return nil, failure.Cause()
	}
	return v, ""
}

func undefined(function string) string {
	return fmt.Sprintf("Unchecked(UndefinedFunction(%q))", function)
}

// noAnswer returns the cause where a node would run the function.
func (c *contract) noAnswer(function string) string {
	return fmt.Sprintf("mock: no answer for %s::%s with these arguments; add one to --contracts", c.id, function)
}

// stackingAnswer returns what the contract that /v2/pox names answers about anybody:
// nobody stacks or delegates on a mock chain; what accounts stake with pox-5 is another map.
func stackingAnswer(id clarity.Principal, function string) (clarity.Value, bool) {
	if id.Address.Hash160 != [20]byte{} || !strings.HasPrefix(id.Contract, "pox") {
		return nil, false
	}
	switch function {
	case "get-stacker-info", "get-delegation-info", "get-check-delegation":
		return clarity.None{}, true
	}
	return nil, false
}

func serveInterface(x *Exchange) {
	id := x.contractParam(0)
	c, known := contractOf(x.state(), id)
	if !known {
		x.lacks(contracts.LackingSource(id))
		x.text(http.StatusNotFound, "No contract interface data found")
		return
	}
	x.Value(http.StatusOK, c.face(x.Service.Epoch))
}

// face returns the interface of a contract: that of its text, or what the canned
// answers tell. Where it names neither epoch nor version of Clarity, they are those of the
// epoch that is played.
func (c *contract) face(played facts.Epoch) (of abi.Interface) {
	of = c.book.Interface(c.id)
	if c.source != nil {
		of = c.source.Interface
	}
	of.Epoch = cmp.Or(of.Epoch, played.ID)
	of.ClarityVersion = cmp.Or(of.ClarityVersion, "Clarity"+strconv.Itoa(int(played.Clarity)))
	return of
}

// proof returns an empty proof where one is requested: the mock keeps no state trie.
func (x *Exchange) proof() object {
	if x.proofRequested() {
		return object{{"proof", "0x"}}
	}
	return nil
}

// proofRequested reports whether a node would add a proof.
func (x *Exchange) proofRequested() bool {
	proof, given := QueryValue(x.R.URL.RawQuery, "proof")
	return given == 0 || proof != "0"
}

func serveSource(x *Exchange) {
	id := x.contractParam(0)
	c, _ := contractOf(x.state(), id)
	if c.source == nil {
		x.lacks(contracts.LackingSource(id))
		x.text(http.StatusNotFound, "No contract source data found")
		return
	}
	x.object(append(x.proof(), object{{"publish_height", c.height}, {"source", c.text}}...))
}

// serveMapEntry answers none for whatever it does not know, as a node does.
func serveMapEntry(x *Exchange) {
	id := x.contractParam(0)
	body, ok := x.Body(MaxReadBody)
	if !ok {
		return
	}
	var text string
	if err := json.Unmarshal(body, &text); err != nil {
		x.text(http.StatusBadRequest, `Failed to parse the body: it must be a key in hexadecimal as a JSON string, such as "0x0100000000000000000000000000000001"`)
		return
	}
	key, err := clarity.DecodeHex(text)
	if err != nil {
		x.text(http.StatusBadRequest, "Failed to deserialize the key: "+err.Error())
		return
	}
	state := x.state()
	if x.checkTip(&state); x.answered {
		return
	}
	if running, ok := state.Running(id); ok {
		x.ran(running.MapEntry(x.param(2), key))
		return
	}
	var held clarity.Value = clarity.None{}
	if v, known := state.Ledger(id).Held(id, x.param(2), key); known {
		held = clarity.Some{Value: v}
	} else if v, known := state.Contracts().MapEntry(id, x.param(2), key); known {
		held = clarity.Some{Value: v}
	} else if c, _ := contractOf(state, id); c.source == nil && !c.book.Maps(id, x.param(2)) {
		x.lacks(contracts.LackingEntry(id, x.param(2), key))
	}
	x.data(held)
}

// ran answers with a value of a contract that runs.
func (x *Exchange) ran(v clarity.Value, err error) {
	if x.isUnread(err) && x.unread(err) {
		return
	}
	if err != nil {
		x.text(http.StatusInternalServerError, err.Error())
		return
	}
	x.data(v)
}

// data answers with a value.
func (x *Exchange) data(v clarity.Value) {
	encoded, err := clarity.EncodeHex(v)
	if err != nil {
		x.text(http.StatusInternalServerError, err.Error())
		return
	}
	x.object(append(object{{"data", "0x" + encoded}}, x.proof()...))
}

func serveDataVar(x *Exchange)  { x.serveValue(abi.Mutable, "Data var not found") }
func serveConstant(x *Exchange) { x.serveValue(abi.Constant, "Constant not found") }

// serveValue answers the value that was given, or the first one of the source.
func (x *Exchange) serveValue(access abi.Access, missing string) {
	id := x.contractParam(0)
	state := x.state()
	if x.checkTip(&state); x.answered {
		return
	}
	name := x.param(2)
	if running, ok := state.Running(id); ok && access == abi.Mutable {
		v, err := running.Variable(name)
		if v == nil && err == nil {
			x.text(http.StatusNotFound, missing)
			return
		}
		x.ran(v, err)
		return
	}
	if v, ok := state.Ledger(id).Held(id, name, nil); ok && access == abi.Mutable {
		x.data(v)
		return
	}
	if v, ok := state.Contracts().Value(id, name, access); ok {
		x.data(v)
		return
	}
	c, _ := contractOf(state, id)
	if c.source != nil {
		if v, ok := c.source.Value(name, access); ok {
			x.data(v)
			return
		}
	}
	if c.source == nil || hasVariable(&c.source.Interface, name, access) {
		x.lacks(contracts.LackingValue(id, name, access))
	}
	x.text(http.StatusNotFound, missing)
}

func serveTrait(x *Exchange) {
	id, trait := x.contractParam(0), x.contractParam(2)
	c, _ := contractOf(x.state(), id)
	if c.source == nil {
		x.text(http.StatusNotFound, "No contract analysis found or trait definition not found")
		return
	}
	x.Value(http.StatusOK, struct {
		Implemented bool `json:"is_implemented"`
	}{c.source.Implements(trait.String() + "." + x.param(4))})
}

// extendedContractBody is the API's view of a contract; ABI is the interface as
// a JSON text.
type extendedContractBody struct {
	TxID           string `json:"tx_id"`
	Canonical      bool   `json:"canonical"`
	ContractID     string `json:"contract_id"`
	BlockHeight    int64  `json:"block_height"`
	ClarityVersion *int   `json:"clarity_version"`
	Source         string `json:"source_code"`
	ABI            string `json:"abi"`
}

func serveContract(x *Exchange) {
	id, err := clarity.ParseContract(x.param(0))
	if x.done() {
		return
	}
	c, _ := contractOf(x.transactions().State, id)
	if err != nil || c.source == nil {
		if err == nil {
			x.lacks(contracts.LackingSource(id))
		}
		x.Thrown(http.StatusNotFound, "", "cannot find contract by ID")
		return
	}
	x.Value(http.StatusOK, c.record(x.Service.Epoch))
}

// record returns a contract whose text is known, as the API reports it.
func (c contract) record(played facts.Epoch) extendedContractBody {
	body := extendedContractBody{c.txid, true, c.id.String(), c.height, nil, c.text, string(plainjson.Encode(c.face(played)))}
	if c.clarity != 0 {
		version := int(c.clarity)
		body.ClarityVersion = &version
	}
	return body
}

// text answers as a node does where it has no JSON.
func (x *Exchange) text(status int, text string) {
	if x.answered {
		return
	}
	x.answered = true
	h := x.W.Header()
	h["Content-Type"] = []string{"text/plain; charset=utf-8"}
	h["Cache-Control"] = noStoreHeader
	h["Content-Length"] = []string{strconv.Itoa(len(text))}
	x.W.WriteHeader(status)
	_, _ = x.W.Write([]byte(text)) // the client may have gone; the error has no use
}

// hasVariable reports whether there is a variable or a constant of a name.
func hasVariable(i *abi.Interface, name string, access abi.Access) bool {
	v, there := i.Variable(name)
	return there && v.Access == access
}

// checkTip checks the query's tip, which may name any block of the chain.
func (x *Exchange) checkTip(s *world.State) {
	tip, given := QueryValue(x.R.URL.RawQuery, "tip")
	if given == 0 || tip == "" || tip == "latest" {
		return
	}
	if hash, ok := chain.ParseHash(tip); ok {
		if _, ok := s.View.BlockByHash(hash); ok {
			return
		}
	}
	x.text(http.StatusNotFound, "Chain tip not found")
}
