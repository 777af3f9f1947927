package engine

import (
	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// State holds what a session is read for: a chain on which something happened, at a height,
// with the balances of its accounts.
type State struct {
	Point    *Point
	Height   int64
	Balances *ledger.Ledger
}

// Read calls a function without changing anything; what a public one changes is rolled back.
// failure says why it has no answer.
func (s *Session) Read(of State, call stxtx.ContractCall, sender clarity.Principal, public bool) (v clarity.Value, failure *Failure, err error) {
	do := step{do: "read", ContractCall: call, sender: sender}
	with, err := do.request(s.engine.opt.Epoch)
	if err != nil {
		return nil, nil, err
	}
	// The virtual machine accepts no contract as the sender; for a read its address does as well.
	if sender.Contract != "" {
		sender.Contract = ""
		with["sender"] = sender.String()
	}
	if public {
		with["public"] = true
	}
	s.mention(do)
	var r result
	err = s.soon(of.Point, of.Height, func() error {
		s.reach(of.Height)
		if err := s.settleTokens(of.Balances); err != nil {
			return err
		}
		if err := s.settle(of.Balances, do.principals); err != nil {
			return err
		}
		return s.request(s.engine.opt.CallTime, "read", with, &r)
	})
	if err != nil {
		return nil, nil, err // r is being written where it was given up
	}
	if r.Failure != nil {
		return nil, r.Failure, nil
	}
	v, err = clarity.DecodeHex(r.Result)
	return v, nil, err
}

// held is the answer of variable and map.
type held struct {
	Value *string `json:"value"`
}

// Variable reads a variable; nil if there is none.
func (s *Session) Variable(of State, contract clarity.Principal, name string) (clarity.Value, error) {
	return s.readState(of, "variable", map[string]any{"contract": contract.String(), "name": name})
}

// MapEntry reads an entry of a map as an optional; nil where nothing was ever set.
func (s *Session) MapEntry(of State, contract clarity.Principal, name string, key clarity.Value) (clarity.Value, error) {
	text, err := clarity.EncodeHex(key)
	if err != nil {
		return nil, err
	}
	return s.readState(of, "map", map[string]any{"contract": contract.String(), "name": name, "key": "0x" + text})
}

func (s *Session) readState(of State, what string, with map[string]any) (v clarity.Value, err error) {
	var h held
	err = s.soon(of.Point, of.Height, func() error {
		s.reach(of.Height)
		return s.request(s.engine.opt.CallTime, what, with, &h)
	})
	if err != nil || h.Value == nil {
		return nil, err
	}
	return clarity.DecodeHex(*h.Value)
}
