package world

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/contracts"
	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
	"chainscope/wallet/document"
)

// Command names what can be done to a world. The name is that of the control route that
// takes it, and what a line of a state file says was done.
type Command string

// The commands. A broadcast has no control route.
const (
	Broadcast  Command = "broadcast"
	Mine       Command = "mine"
	MoveClock  Command = "clock"
	Reorg      Command = "reorg"
	SetAccount Command = "accounts"
	AddAnswers Command = "contracts"
	Mempool    Command = "mempool"
	Snapshot   Command = "snapshot"

	Impersonations Command = "impersonations"
)

// The bodies of commands, in a request and in a state file.
type (
	broadcastBody struct {
		Tx    string `json:"tx"`              // hexadecimal
		Mined bool   `json:"mined,omitempty"` // a block was mined for it
		// Impersonated are addresses whose signatures were not checked.
		Impersonated []string `json:"impersonated,omitempty"`
	}
	mineBody struct {
		Blocks *int64 `json:"blocks"`
	}
	reorgBody struct {
		Depth *int64 `json:"depth"`
	}
	nameBody struct {
		Name string `json:"name"`
	}
	clockBody struct {
		Advance *string `json:"advance,omitempty"`
		Set     *string `json:"set,omitempty"`
		Freeze  *bool   `json:"freeze,omitempty"`
	}
	mempoolBody struct {
		Drop   *string     `json:"drop,omitempty"` // an id, 64 hexadecimal digits
		Reason ledger.Drop `json:"reason,omitempty"`
		Hold   *bool       `json:"hold,omitempty"`
		Mined  bool        `json:"mined,omitempty"` // in a state file: a block was mined for what was held
	}
	accountBody struct {
		Address *string `json:"address"`
		Balance *amount `json:"balance,omitempty"`
		Nonce   *amount `json:"nonce,omitempty"`
		// Tokens are decimal amounts by asset.
		Tokens map[string]digits `json:"tokens,omitempty"`
	}
)

// Done is a world after a command.
type Done struct {
	State
	Name    string            // of the snapshot or of the contract
	Account clarity.Principal // that was set
}

// BodyError describes what is wrong with a field of a command's body, "" for all of it.
type BodyError struct{ Field, Problem string }

func (e *BodyError) Error() string { return cmp.Or(e.Field, "it") + " " + e.Problem }

// UnreadableError reports why a body is no JSON of its command.
type UnreadableError struct {
	Example string // that would be right
	Err     error
}

func (e *UnreadableError) Error() string { return e.Err.Error() }

// Unwrap returns the error of the decoder.
func (e *UnreadableError) Unwrap() error { return e.Err }

// command is a row of the table.
type command struct {
	example string
	empty   string // the body that an empty one stands for, "" for none
	// do reads the body and does what it says; again is true for a state file, which says
	// besides what followed from the command.
	do func(w *World, body []byte, again bool) (Done, error)
}

var commands = map[Command]command{
	Broadcast: {do: reading((*World).doBroadcast)},
	Mine:      {`{"blocks":1}`, `{"blocks":1}`, reading((*World).doMine)},
	MoveClock: {`{"advance":"3h"}, {"set":"2026-01-01T00:00:00Z"} or {"freeze":true}`, "", reading((*World).doClock)},
	Reorg:     {`{"depth":2}`, "", reading((*World).doReorg)},
	SetAccount: {
		`{"address":"SP000000000000000000002Q6VF78","balance":"5000000","nonce":0}`, "", reading((*World).doAccount),
	},
	AddAnswers:     {contracts.Example, "", reading((*World).doContract)},
	Mempool:        {`{"drop":"0x…","reason":"too_expensive"} or {"hold":true}`, "", reading((*World).doMempool)},
	Impersonations: {`{"addresses":["SP000000000000000000002Q6VF78"]}`, "", reading((*World).doImpersonate)},
	Snapshot: {`{"name":"start"}`, `{}`, reading(func(w *World, b nameBody, _ bool) (d Done, err error) {
		d.Name, d.State, err = w.Snapshot(b.Name)
		return d, err
	})},
}

// reading reads the body of a command before it is done.
func reading[B any](do func(*World, B, bool) (Done, error)) func(*World, []byte, bool) (Done, error) {
	return func(w *World, body []byte, again bool) (Done, error) {
		var b B
		if err := document.JSON(body, &b); err != nil {
			return Done{}, &UnreadableError{Err: err}
		}
		return do(w, b, again)
	}
}

// Do does what the body of a command says. What is wrong with the body is an
// *UnreadableError or a *BodyError.
func (w *World) Do(name Command, body []byte) (Done, error) {
	c := commands[name]
	if len(bytes.TrimSpace(body)) == 0 {
		body = []byte(c.empty)
	}
	done, err := c.do(w, body, false)
	switch wrong := err.(type) { //nolint:errorlint // as the row returned it
	case *UnreadableError:
		wrong.Example = c.example
	case *BodyError:
		if wrong.Field == "" {
			wrong.Problem += ", such as " + c.example
		}
	}
	return done, err
}

func (w *World) doBroadcast(b broadcastBody, _ bool) (Done, error) {
	raw, err := hex.DecodeString(b.Tx)
	if err != nil {
		return Done{}, err
	}
	accepted := impersonated{}.with(b.Impersonated)
	if _, rejection := w.submit(raw, b.Mined, accepted.has, func([32]byte) {}); rejection != nil {
		return Done{}, rejection
	}
	return Done{}, nil
}

func (w *World) doMine(b mineBody, _ bool) (d Done, err error) {
	if b.Blocks == nil || *b.Blocks < 1 || *b.Blocks > chain.MaxMine {
		return d, &BodyError{"blocks", `must be an integer from 1 to 1000000, such as {"blocks":1}`}
	}
	d.State, err = w.Mine(*b.Blocks)
	return d, err
}

// doClock does nothing in a state file that says no more than how far the clock is ahead.
func (w *World) doClock(b clockBody, again bool) (d Done, err error) {
	given := 0
	for _, one := range []bool{b.Advance != nil, b.Set != nil, b.Freeze != nil} {
		if one {
			given++
		}
	}
	switch {
	case given == 0 && again:
	case given != 1:
		err = &BodyError{"", "must have one of advance, set and freeze"}
	case b.Advance != nil:
		ahead, wrong := time.ParseDuration(*b.Advance)
		if wrong != nil || ahead < 0 {
			return d, &BodyError{"advance", fmt.Sprintf("must be a duration from 0 to 2562047h, such as 3h or 90s, not %q", *b.Advance)}
		}
		d.State, err = w.Advance(ahead)
	case b.Set != nil:
		to, wrong := time.Parse(time.RFC3339Nano, *b.Set)
		if wrong != nil {
			return d, &BodyError{"set", fmt.Sprintf("must be a time of RFC 3339, such as 2026-01-01T00:00:00Z, not %q", *b.Set)}
		}
		d.State, err = w.SetClock(to)
	default:
		d.State, err = w.FreezeClock(*b.Freeze)
	}
	return d, err
}

func (w *World) doReorg(b reorgBody, _ bool) (d Done, err error) {
	if b.Depth == nil {
		return d, &BodyError{"", `must have "depth", the number of blocks to replace`}
	}
	d.State, err = w.Reorg(*b.Depth)
	return d, err
}

func (w *World) doAccount(b accountBody, _ bool) (d Done, err error) {
	if b.Address == nil {
		return d, &BodyError{"", `must have "address"`}
	}
	if d.Account, err = clarity.ParsePrincipal(*b.Address); err != nil {
		return d, &BodyError{"address", fmt.Sprintf("%q: %v; give one such as SP000000000000000000002Q6VF78", *b.Address, err)}
	}
	d.State, err = w.SetAccount(d.Account, (*uint64)(b.Balance), (*uint64)(b.Nonce), b.Tokens)
	return d, err
}

func (w *World) doContract(raw json.RawMessage, _ bool) (d Done, err error) {
	entry, err := contracts.ParseJSON(raw)
	if err != nil {
		return d, &BodyError{"", "is " + err.Error()}
	}
	d.Name = entry.Contract
	d.State, err = w.AddContract(entry)
	return d, err
}

// dropReasons are the reasons for which a transaction can be dropped on demand, the usual
// one first. One that is replaced by fee is dropped by sending the other.
var dropReasons = []ledger.Drop{ledger.StaleGarbageCollect, ledger.TooExpensive, ledger.Problematic}

// doMempool drops a pending transaction, or holds or releases all of them.
func (w *World) doMempool(b mempoolBody, again bool) (d Done, err error) {
	mined := b.Mined
	if !again {
		mined = w.shared.Automine
	}
	switch {
	case (b.Drop == nil) == (b.Hold == nil):
		err = &BodyError{"", "must have either drop or hold"}
	case b.Mined && !again:
		err = &BodyError{"mined", "is for state files"}
	case b.Hold != nil && b.Reason != "":
		err = &BodyError{"reason", "belongs to drop"}
	case b.Hold != nil:
		d.State, err = w.hold(*b.Hold, mined)
	default:
		id, ok := chain.ParseHash(*b.Drop)
		if why := cmp.Or(b.Reason, dropReasons[0]); !ok {
			err = &BodyError{"drop", fmt.Sprintf("must be the id of a transaction, 64 hexadecimal digits with or without 0x, not %q", *b.Drop)}
		} else if !slices.Contains(dropReasons, why) {
			err = &BodyError{"reason", fmt.Sprintf("must be one of %q, not %q", dropReasons, why)}
		} else {
			d.State, err = w.Drop(id.Bytes(), why)
		}
	}
	return d, err
}

// amount is an integer that may be in a string too.
type amount uint64

// UnmarshalJSON reads a decimal number, with or without quotes.
func (a *amount) UnmarshalJSON(data []byte) error {
	text := string(data)
	if len(text) > 1 && text[0] == '"' {
		text = text[1 : len(text)-1]
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return fmt.Errorf("%s is no integer from 0 to %d", data, uint64(math.MaxUint64))
	}
	*a = amount(n)
	return nil
}

// digits is an integer of any size that may be in a string too.
type digits string

// UnmarshalJSON takes the text of a number, with or without quotes.
func (d *digits) UnmarshalJSON(data []byte) error {
	*d = digits(strings.Trim(string(data), `"`))
	return nil
}
