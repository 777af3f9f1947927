package engine

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"

	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
	"chainscope/wallet/clarity/abi"
	"chainscope/wallet/facts"
	"chainscope/wallet/outcome"
	"chainscope/wallet/stxtx"
)

// result holds what a step did, as the program answers it.
type result struct {
	At        int             `json:"at"`
	Kept      bool            `json:"kept"`
	Result    string          `json:"result"`
	Events    []event         `json:"events"`
	Cost      *facts.Cost     `json:"cost"`
	Interface json.RawMessage `json:"interface"`
	Failure   *Failure        `json:"failure"`
	Trace     string          `json:"trace"` // of a call
}

type event struct {
	Event string `json:"event"`
	Data  struct {
		Asset        string          `json:"asset_identifier"`
		Contract     string          `json:"contract_identifier"`
		Sender       string          `json:"sender"`
		Recipient    string          `json:"recipient"`
		Amount       json.RawMessage `json:"amount"` // a number or its digits
		Raw          string          `json:"raw_value"`
		Memo         string          `json:"memo"`
		Locked       string          `json:"locked_address"`
		LockedAmount json.RawMessage `json:"locked_amount"`
		Unlock       json.RawMessage `json:"unlock_height"`
	} `json:"data"`
}

// Failure is the reason why the virtual machine ended a call, or refused a contract.
type Failure struct {
	Message    string   `json:"message"`
	Error      string   `json:"error"` // such as ArithmeticUnderflow
	Contract   string   `json:"contract"`
	Line       int      `json:"line"`
	Column     int      `json:"column"`
	Expression string   `json:"expression"`
	Stack      []string `json:"stack"`
}

// runtimeError matches the name of an error in a contract that is deployed, and the name in the
// contract that it is about.
var runtimeError = pattern(`^Runtime .*?interpreting \S+: (\w+)\((\w+)(?:\("([^"]*)"\))?`)

// String returns what a node says of the failure, and where it happened.
func (f *Failure) String() string {
	if f.Error == "" {
		switch m := runtimeError().FindStringSubmatch(f.Message); {
		case m == nil:
		case m[2] == "NameAlreadyUsed":
			return fmt.Sprintf("defining '%s' conflicts with previous value", m[3])
		default:
			return m[1] + "(" + m[2] + ")"
		}
		return f.Message
	}
	text := f.Error
	if f.Line > 0 {
		text += fmt.Sprintf(" at %s:%d:%d", f.Contract, f.Line, f.Column)
	}
	if f.Expression != "" {
		text += " in " + f.Expression
	}
	if len(f.Stack) > 0 {
		text += "; stack: " + strings.Join(f.Stack, ", ")
	}
	return text
}

// Cause returns the failure as a node names it where it answers a read-only call.
func (f *Failure) Cause() string {
	if _, cause, ok := strings.Cut(f.Message, "Runtime error while interpreting "); ok {
		if _, cause, ok = strings.Cut(cause, ": "); ok {
			return cause
		}
	}
	return f.Message
}

// effect returns what a step does to a ledger.
func (r *result) effect() (ledger.Effect, error) {
	does := ledger.Effect{Cost: r.Cost, Trace: r.Trace, Moves: []outcome.Move{}}
	if r.Failure != nil {
		does.Result, does.Error = clarity.Err{Value: clarity.None{}}, r.Failure.String()
		return does, nil
	}
	v, err := clarity.DecodeHex(r.Result)
	if err != nil {
		return does, fmt.Errorf("the result: %w", err)
	}
	switch v.(type) {
	case clarity.OK, clarity.Err:
		does.Result = v
	}
	for i := range r.Events {
		if err := r.Events[i].add(&does); err != nil {
			return does, fmt.Errorf("event %d, %s: %w", i, r.Events[i].Event, err)
		}
	}
	return does, nil
}

// lock adds what is locked by an event to what a step does.
func (e *event) lock(does *ledger.Effect) error {
	id, err := clarity.ParseContract(e.Data.Contract)
	if err != nil {
		return err
	}
	of, err := clarity.ParsePrincipal(e.Data.Locked)
	if err != nil {
		return err
	}
	amount, err := number(e.Data.LockedAmount)
	if err != nil {
		return err
	}
	unlock, err := number(e.Data.Unlock)
	does.Locks = append(does.Locks, ledger.Lock{Amount: amount.Uint64(), Unlock: unlock.Int64(), Of: of, Contract: id.Contract})
	return err
}

// add adds an event to what a step does.
func (e *event) add(does *ledger.Effect) error {
	kind, what, _ := strings.Cut(e.Event, "_")
	if kind == "print" {
		id, err := clarity.ParseContract(e.Data.Contract)
		if err != nil {
			return err
		}
		v, err := clarity.DecodeHex(e.Data.Raw)
		does.Prints = append(does.Prints, ledger.Print{Contract: id, Value: v, After: len(does.Moves)})
		return err
	}
	if e.Event == "stx_lock_event" {
		return e.lock(does)
	}
	var m outcome.Move
	var err error
	if kind != "stx" {
		if m.Asset, err = stxtx.ParseAsset(e.Data.Asset); err != nil {
			return err
		}
	}
	if kind == "nft" {
		m.Token, err = clarity.DecodeHex(e.Data.Raw)
	} else {
		m.Amount, err = number(e.Data.Amount)
		m.Memo, _ = hex.DecodeString(strings.TrimPrefix(e.Data.Memo, "0x")) // "" for most
	}
	if err == nil && what != "mint_event" {
		m.From, err = party(e.Data.Sender)
	}
	if err == nil && what != "burn_event" {
		m.To, err = party(e.Data.Recipient)
	}
	does.Moves = append(does.Moves, m)
	return err
}

func number(raw json.RawMessage) (*big.Int, error) {
	text := strings.Trim(string(raw), `"`)
	n, ok := new(big.Int).SetString(text, 10)
	if !ok || n.Sign() < 0 {
		return new(big.Int), fmt.Errorf("%q is no amount", text)
	}
	return n, nil
}

func party(text string) (*clarity.Principal, error) {
	p, err := clarity.ParsePrincipal(text)
	return &p, err
}

// deployed returns the contract that a deploy made.
func (r *result) deployed(id clarity.Principal) (*Contract, error) {
	face, err := abi.Parse(r.Interface)
	return &Contract{ID: id, Interface: face}, err
}
