package service

import (
	"encoding/json"
	"fmt"
	"time"

	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/provider"
	"chainscope/wallet/signer"
	"chainscope/wallet/stxtx"
)

// CallKind describes what kind of call it was.
type CallKind string

// The kinds: a request through the library, one past it (requestRaw), its
// connect and disconnect, a call of a page, and a repair.
const (
	KindRequest    CallKind = "request"
	KindRaw        CallKind = "raw"
	KindConnect    CallKind = "connect"
	KindDisconnect CallKind = "disconnect"
	KindPage       CallKind = "page"
	KindRepair     CallKind = "repair" // its method is a [signer.RepairKind]
)

// Choice holds what was decided about a call.
type Choice string

// The choices; none when nobody was asked, as for bad params.
const (
	Approved         Choice = "approved"
	RejectedByPerson Choice = "rejected"
	ApprovedAtOnce   Choice = "approved by the wallet's behaviour"
	RejectedAtOnce   Choice = "rejected by the wallet's behaviour"
	ByScript         Choice = "answered by the script"
	WithdrawnChoice  Choice = "withdrawn"
	OriginRefused    Choice = "refused by the bridge" // its origin, or for lack of room
)

// The parts of a transaction that [Call.Edits] names.
const (
	editedFee        = "fee"
	editedNonce      = "nonce"
	editedConditions = "post-conditions"
)

// Call is one line of the timeline. It holds no secrets: gaia keys in results
// are written as "[secret]". Everything of a page in it is untrusted.
type Call struct {
	// ID counts from 1, or from what the timeline held at the start. Two
	// chainscopes at once may use the same.
	ID   uint64    `json:"id"`
	Time time.Time `json:"time"`
	Requester
	Kind   CallKind        `json:"kind"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	// Options are the request options by the library's names.
	Options map[string]json.RawMessage `json:"options,omitempty"`

	// Wallet is the mock wallet that received it, and Received what it received;
	// both are absent when none did.
	Wallet   provider.Personality `json:"wallet,omitempty"`
	Received *Received            `json:"received,omitempty"`
	// Ignored names params that the wallet dropped, as its model does; untrusted.
	Ignored []string `json:"ignored,omitempty"`
	Account uint32   `json:"account"`
	// Keys name the keys that the wallet had; the zero value for not known.
	Keys    KeyName `json:"keys,omitzero"`
	Persona Persona `json:"persona,omitempty"` // "" is [Rich]
	API     string  `json:"api,omitempty"`     // the name of the API that the wallet had, "" for none
	Network string  `json:"network"`           // the request's own, else the active one

	Decision Choice `json:"decision,omitempty"`
	// Edits name what the user changed before the approval: fee, nonce, post-conditions.
	Edits []string `json:"edits,omitempty"`
	// Fee in micro-STX, and Nonce, of a Stacks transaction that was signed; "" for none.
	Fee   string `json:"fee,omitempty"`
	Nonce string `json:"nonce,omitempty"`
	// Unsigned is the transaction that the user edited and did not sign, in hexadecimal digits.
	Unsigned string `json:"unsigned,omitempty"`

	Result json.RawMessage `json:"result,omitempty"`
	Error  *jsonrpc.Error  `json:"error,omitempty"`
	// Exception is a JavaScript exception that the library lets through.
	Exception string `json:"exception,omitempty"`

	// TxID is the id of a signed Stacks transaction. NotSent says why it was not
	// sent; it is "" when the mock chain accepted it.
	TxID    string `json:"txid,omitempty"`
	NotSent string `json:"notSent,omitempty"`
	// Unanswered says that it was sent and that no answer came: whether the chain has it shows
	// when it is looked up.
	Unanswered bool `json:"unanswered,omitempty"`

	// Cut names the fields that were too long to be kept on disk.
	Cut      []string      `json:"cut,omitempty"`
	Duration time.Duration `json:"-"` // written as duration_ms
	Done     bool          `json:"-"` // false while it is under way
}

// Received is a request as it reached the wallet.
type Received struct {
	Method string          `json:"method"`
	Params json.RawMessage `json:"params,omitempty"`
}

// Key identifies the call in a timeline that several processes write.
func (c Call) Key() string { return fmt.Sprintf("%d-%d", c.Time.UnixNano(), c.ID) }

// Sent returns the request as it reached the wallet, or as it was requested when
// it reached none.
func (c Call) Sent() Received {
	if c.Received != nil {
		return *c.Received
	}
	return Received{c.Method, c.Params}
}

// Transaction returns the Stacks transaction that the call signed, or that was edited and not signed;
// nil for none.
func (c Call) Transaction() *stxtx.Transaction {
	var of struct{ Transaction string }
	if json.Unmarshal(c.Result, &of) != nil || of.Transaction == "" {
		if c.Error == nil || json.Unmarshal(c.Error.Data, &of) != nil || of.Transaction == "" {
			of.Transaction = c.Unsigned
		}
	}
	tx, err := stxtx.DecodeHex(of.Transaction)
	if err != nil {
		return nil
	}
	return tx
}

// edit returns what the user changed of the call.
func (c Call) edit() (e signer.Edit) {
	tx := c.Transaction()
	if tx == nil {
		return e
	}
	for _, part := range c.Edits {
		switch part {
		case editedFee:
			e.Fee = &tx.Auth.Origin.Fee
		case editedNonce:
			e.Nonce = &tx.Auth.Origin.Nonce
		case editedConditions:
			e.Conditions = &signer.PostConditions{Mode: tx.PostConditionMode, List: tx.PostConditions}
		}
	}
	return e
}

// Changed reports whether the wallet received something other than was requested.
func (c Call) Changed() bool {
	return c.Received != nil && (c.Received.Method != c.Method || !sameJSON(c.Received.Params, c.Params))
}

func sameJSON(a, b json.RawMessage) bool {
	var x, y any
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return string(a) == string(b)
	}
	i, _ := json.Marshal(x)
	j, _ := json.Marshal(y)
	return string(i) == string(j)
}

// line is a Call as it is written.
type line struct {
	callFields
	Duration float64 `json:"duration_ms"`
}

type callFields Call

// MarshalJSON writes the call as a line of the timeline; its duration in
// milliseconds.
func (c Call) MarshalJSON() ([]byte, error) {
	return json.Marshal(line{callFields(c), float64(c.Duration.Microseconds()) / 1000})
}

// UnmarshalJSON reads a line of the timeline.
func (c *Call) UnmarshalJSON(text []byte) error {
	var l line
	if err := json.Unmarshal(text, &l); err != nil {
		return err
	}
	*c = Call(l.callFields)
	c.Duration = time.Duration(l.Duration * float64(time.Millisecond))
	c.Done = true
	return nil
}
