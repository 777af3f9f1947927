package apiclient

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
)

// Contract holds what the API has of a contract that is on the chain.
type Contract struct {
	ID          string `json:"contract_id"`
	TxID        string `json:"tx_id"` // that deployed it, "" where it is not known
	Canonical   *bool  `json:"canonical"`
	BlockHeight int64  `json:"block_height"`
	// ClarityVersion is the version that it was deployed with, nil where none was named.
	ClarityVersion *int64 `json:"clarity_version"`
	Source         string `json:"source_code"`
	// ABI is its interface as it came: an object, or its JSON text in a string.
	ABI   json.RawMessage            `json:"abi"`
	Extra map[string]json.RawMessage `json:",embed"`
}

// MarshalJSON writes a contract under the names of the API.
func (c Contract) MarshalJSON() ([]byte, error) {
	type plain Contract
	return knownFields((*plain)(&c), nil, &c.Extra)
}

// Interface returns the JSON of the contract's interface, nil where it is not known.
func (c *Contract) Interface() []byte {
	raw := c.ABI
	var text string
	if len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, &text) == nil {
		raw = json.RawMessage(text)
	}
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	return raw
}

// contractOp is the question for a contract.
const contractOp = "contract"

var contractRoute = route{1, "/extended/v1/contract/{contract_id}"}

// ContractURL returns the address that answers with a contract, "" where the server has none.
func (c *Client) ContractURL(principal string) string { return c.urlOf(principal, contractRoute) }

// Contract reads a contract: its source and its interface. One that no block has is
// NotFound. Where the API has no such route, both are requested from the node behind it.
func (c *Client) Contract(ctx context.Context, principal string) (Answer[Contract], error) {
	if err := CheckPrincipal(principal); err != nil {
		return Answer[Contract]{}, invalid(contractOp, err)
	}
	return firstServed(ctx, c, contractOp,
		by(c, contractRoute, principal, "", decode[Contract]),
		form[Contract]{route{2, "/v2/contracts/interface/{contract}"}, func(ctx context.Context, op string) (Answer[Contract], error) {
			return c.contractOfNode(ctx, op, principal)
		}})
}

// contractOfNode reads a contract by the routes of a node.
func (c *Client) contractOfNode(ctx context.Context, op, principal string) (Answer[Contract], error) {
	path := strings.Replace(principal, ".", "/", 1)
	type source struct {
		Text   string `json:"source"`
		Height int64  `json:"publish_height"`
	}
	whole := Answer[Contract]{Value: Contract{ID: principal}}
	face, err := get(ctx, c, op, "/v2/contracts/interface/"+path, decode[json.RawMessage])
	if err != nil {
		return whole, err
	}
	text, err := get(ctx, c, op, "/v2/contracts/source/"+path+"?proof=0", decode[source])
	if err != nil {
		return whole, err
	}
	whole.Value.ABI, whole.Value.Source, whole.Value.BlockHeight = face.Value, text.Value.Text, text.Value.Height
	whole.ExchangeID, whole.FetchedAt = text.ExchangeID, text.FetchedAt
	whole.Raw, err = json.Marshal(whole.Value)
	return whole, err
}

// ReadOnlyResult holds what a read-only call came to: a result, or why there is none.
type ReadOnlyResult struct {
	Okay bool `json:"okay"`
	// Result is the value in hex with 0x, Cause the node's own words.
	Result string                     `json:"result"`
	Cause  string                     `json:"cause"`
	Extra  map[string]json.RawMessage `json:",embed"`
}

// StateValue is a value that a contract keeps.
type StateValue struct {
	// Data is the value in hex with 0x; an entry of a map is an optional.
	Data  string                     `json:"data"`
	Extra map[string]json.RawMessage `json:",embed"`
}

// CallReadOnly calls a read-only function as sender, "" for the address of the contract.
// Arguments are values in hex with 0x. That the function fails is a result, not an error.
func (c *Client) CallReadOnly(ctx context.Context, contract, function, sender string, args []string) (Answer[ReadOnlyResult], error) {
	const op = "read-only call"
	if sender == "" {
		sender, _, _ = strings.Cut(contract, ".")
	}
	err := errors.Join(CheckPrincipal(contract), CheckName(function), CheckAccount(sender))
	for _, arg := range args {
		err = errors.Join(err, validHex(arg))
	}
	if err != nil {
		return Answer[ReadOnlyResult]{}, invalid(op, err)
	}
	if args == nil {
		args = []string{}
	}
	body, err := json.Marshal(struct {
		Sender    string   `json:"sender"`
		Arguments []string `json:"arguments"`
	}{sender, args})
	if err != nil {
		return Answer[ReadOnlyResult]{}, invalid(op, err)
	}
	return fetch(ctx, c, request[ReadOnlyResult]{op: op, path: inContract("/v2/contracts/call-read/", contract, function), body: body, decode: decode[ReadOnlyResult]})
}

// DataVar reads a data variable of a contract. One that it does not have is NotFound.
func (c *Client) DataVar(ctx context.Context, contract, name string) (Answer[StateValue], error) {
	return c.stateValue(ctx, "data variable", "/v2/data_var/", contract, name)
}

// Constant reads a constant of a contract. One that it does not have is NotFound.
func (c *Client) Constant(ctx context.Context, contract, name string) (Answer[StateValue], error) {
	return c.stateValue(ctx, "constant", "/v2/constant_val/", contract, name)
}

func (c *Client) stateValue(ctx context.Context, op, under, contract, name string) (Answer[StateValue], error) {
	if err := errors.Join(CheckPrincipal(contract), CheckName(name)); err != nil {
		return Answer[StateValue]{}, invalid(op, err)
	}
	return get(ctx, c, op, inContract(under, contract, name)+"?proof=0", decode[StateValue])
}

// MapEntry reads an entry of a map of a contract. The key is a value in hex with 0x. The
// answer is none for an entry that is not there, and for a map that is not.
func (c *Client) MapEntry(ctx context.Context, contract, name, key string) (Answer[StateValue], error) {
	const op = "map entry"
	if err := errors.Join(CheckPrincipal(contract), CheckName(name), validHex(key)); err != nil {
		return Answer[StateValue]{}, invalid(op, err)
	}
	return fetch(ctx, c, request[StateValue]{op: op, path: inContract("/v2/map_entry/", contract, name) + "?proof=0", body: []byte(`"` + key + `"`), decode: decode[StateValue]})
}

// inContract returns the path of something that a contract has, by a route of a node.
func inContract(under, contract, name string) string {
	return under + strings.Replace(contract, ".", "/", 1) + "/" + escapeSegment(name)
}

// methodOf returns how a request with a body is sent.
func methodOf(body []byte) string {
	if body == nil {
		return http.MethodGet
	}
	return http.MethodPost
}
