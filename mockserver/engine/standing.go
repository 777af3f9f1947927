package engine

import (
	"errors"
	"fmt"
	"math/big"
	"slices"

	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
	"chainscope/wallet/outcome"
	"chainscope/wallet/stxtx"
)

// Predeployed is a contract that is in a session from the start: one that the mock plays itself
// where nothing runs. Its function mock-settle gets what moves its tokens outside of the
// virtual machine.
type Predeployed struct {
	ID     clarity.Principal
	Source string
}

// FirstBlock is the first block that may hold anything else.
const FirstBlock = 10

const (
	keeper    = "ST000000000000000000002AMW42H" // nobody has its key
	settle    = "mock-settle"
	mostMoves = 100 // that it takes
	// predeployedClarity is the version of Clarity that the texts are written in.
	predeployedClarity = 4
)

// Predeployed returns a contract that is in the session from the start.
func (s *Session) Predeployed(id clarity.Principal) (Requirement, bool) {
	for _, c := range s.predeployed {
		if c.ID == id {
			return Requirement{Source: c.Source, Clarity: predeployedClarity, Predeployed: true}, true
		}
	}
	return Requirement{}, false
}

// found deploys the standing contracts into a new session: a block each, of those that begin no burn
// block, as long as there are any below FirstBlock; the others share the last one.
func (s *Session) found() error {
	for _, c := range s.predeployed {
		next := s.height + 1
		if _, begins := s.heights.Tenure(s.height); next == begins {
			next++
		}
		if next < FirstBlock {
			s.mine(next)
		}
		var r result
		if err := s.request(openTime, "deploy", map[string]any{"contract": c.ID.String(), "source": c.Source, "clarity": predeployedClarity, "coverage": false}, &r); err != nil {
			return err
		}
		if !r.Kept {
			return fmt.Errorf("%s cannot be deployed in the virtual machine: %v %s", c.ID, r.Failure, r.Result)
		}
		s.steps = r.At
		here := s.clone()
		s.marks[0].first, s.marks[0].last = here, here
	}
	return nil
}

// settleTokens repeats in the session what moved tokens outside of the virtual machine. If the
// session did something that the ledger does not have, it goes back first.
func (s *Session) settleTokens(l *ledger.Ledger) error {
	moves, follows := l.Outside().Since(s.outside)
	if !follows {
		height := s.height
		if err := s.rollBack(len(s.marks)-1, 0); err != nil { // right after the point
			return err
		}
		s.mine(height)
		if moves, follows = l.Outside().Since(s.outside); !follows {
			return errors.New("the tokens of the ledger do not come after those of the virtual machine")
		}
	}
	for len(moves) > 0 {
		n := 1
		for n < len(moves) && n < mostMoves && moves[n].Asset == moves[0].Asset {
			n++
		}
		if err := s.settleMoves(moves[:n]); err != nil {
			return err
		}
		moves = moves[n:]
	}
	s.outside = l.Outside()
	return nil
}

// settleMoves does movements of one asset.
func (s *Session) settleMoves(moves []outcome.Move) error {
	asset := moves[0].Asset
	if !slices.ContainsFunc(s.predeployed, func(c Predeployed) bool { return c.ID == asset.Contract }) {
		s.mint(asset, moves)
		return nil
	}
	list := make(clarity.List, len(moves))
	for i, m := range moves {
		list[i] = clarity.Tuple{Fields: []clarity.Field{{Name: "amount", Value: numberOf(m)}, {Name: "from", Value: optional(m.From)}, {Name: "to", Value: optional(m.To)}}}
	}
	args, err := encoded([]clarity.Value{list})
	if err != nil {
		return err
	}
	var r result
	err = s.request(openTime, "call", map[string]any{"contract": asset.Contract.String(), "function": settle, "args": args, "sender": keeper}, &r)
	if err == nil && !r.Kept {
		err = fmt.Errorf("what moved %s cannot be settled in the virtual machine: %v %s", asset, r.Failure, r.Result)
	}
	s.steps = r.At
	return err
}

// mint mints tokens of a contract that runs. Every other movement of them is made by the contract
// itself.
func (s *Session) mint(asset stxtx.Asset, moves []outcome.Move) {
	if _, runs := s.marks[len(s.marks)-1].point.Contract(asset.Contract); !runs {
		return
	}
	var tokens [][3]string
	for _, m := range moves {
		if m.From == nil && m.Token == nil && m.Amount.Sign() > 0 {
			tokens = append(tokens, [3]string{asset.String(), m.To.String(), m.Amount.String()})
		}
	}
	if len(tokens) > 0 {
		s.prepare("balances", map[string]any{"tokens": tokens})
	}
}

// numberOf returns the amount that is moved, or the number of the token.
func numberOf(m outcome.Move) clarity.UInt {
	if n, unique := m.Token.(clarity.UInt); unique {
		return n
	}
	if m.Amount == nil {
		return clarity.UInt{N: new(big.Int)}
	}
	return clarity.UInt{N: m.Amount}
}

func optional(p *clarity.Principal) clarity.Value {
	if p == nil {
		return clarity.None{}
	}
	return clarity.Some{Value: *p}
}
