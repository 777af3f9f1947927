package engine

import (
	iradix "github.com/hashicorp/go-immutable-radix/v2"

	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
	"chainscope/wallet/clarity/abi"
)

// Point holds what happened on a chain up to some transaction: a deploy or a call, after what
// happened before it. It never changes. A nil Point is a chain on which nothing happened.
type Point struct {
	before *Point
	depth  int   // how many points there are up to this one
	height int64 // of the block that has it
	step   step
	// balances is the ledger just before the step ran, its fee paid.
	balances  ledger.Ledger
	contracts *iradix.Tree[*Contract] // deployed up to here
}

// Contract is a contract that runs.
type Contract struct {
	ID        clarity.Principal
	Interface abi.Interface
}

// Contract finds a contract that was deployed.
func (p *Point) Contract(id clarity.Principal) (*Contract, bool) {
	if p == nil {
		return nil, false
	}
	return p.contracts.Get([]byte(id.String()))
}

// Count returns how many contracts run.
func (p *Point) Count() int {
	if p == nil {
		return 0
	}
	return p.contracts.Len()
}

// Before returns the newest point that is in a block below a height.
func (p *Point) Before(height int64) *Point {
	for p != nil && p.height >= height {
		p = p.before
	}
	return p
}

// Depth returns how many deploys and calls happened.
func (p *Point) Depth() int {
	if p == nil {
		return 0
	}
	return p.depth
}

// next returns the point after p, to which a step leads.
func (p *Point) next(height int64, s step, l *ledger.Ledger, made *Contract) *Point {
	n := &Point{before: p, depth: p.Depth() + 1, height: height, step: s, balances: *l}
	if p != nil {
		n.contracts = p.contracts
	} else {
		n.contracts = iradix.New[*Contract]()
	}
	if made != nil {
		n.contracts, _, _ = n.contracts.Insert([]byte(made.ID.String()), made)
	}
	return n
}
