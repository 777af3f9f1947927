package ledger

import (
	"math"
	"math/big"

	"chainscope/wallet/c32"
	"chainscope/wallet/clarity"
	"chainscope/wallet/facts"
	"chainscope/wallet/outcome"
	"chainscope/wallet/stxtx"
)

// Tx is a transaction that the ledger accepted. It never changes.
type Tx struct {
	*stxtx.Transaction
	ID   [32]byte
	Size int // bytes
	// Impersonated are the addresses that sent or sponsored it without a signature of theirs.
	Impersonated []c32.Address
	ReceivedMS   int64 // Unix milliseconds
	// ReceivedAfter is the newest block at that time, or when a block that had carried it
	// was replaced.
	ReceivedAfter int64
	// Height is the block that carries it or will, 0 while it waits for a nonce.
	Height int64
	// Dropped is the reason why it left the mempool without a block, "" if it did not.
	Dropped Drop
	// ReplacedBy is set where a transaction with a higher fee took its place.
	ReplacedBy *[32]byte
	// Result is the response of the transaction, nil until a block has it.
	Result clarity.Value
	// Moved and Prints are what it did in its block; nothing if it was aborted.
	Moved  []outcome.Move
	Prints []Print
	// Locks are the STX that it locked.
	Locks []Lock
	// Violation is the reason why post-conditions aborted it, nil for none.
	Violation *outcome.Violation
	// Error holds what a node says of why it was aborted, "" for nothing.
	Error string
	// Unread says why no block could carry it when it was its turn: what of a live chain could not be
	// read. It waits in the mempool.
	Unread string
	// Cost holds what it cost to run, nil where nothing ran it.
	Cost *facts.Cost
	// Trace is the text of what it called, "" where no virtual machine ran it.
	Trace string

	before        []Set    // what was there before it set something
	locked        replaced // what was locked before
	ran           bool     // in a virtual machine
	origin, payer party
	place         uint64 // orders transactions as they came, and those of a block
}

func newTx(decoded *stxtx.Transaction, id [32]byte, size int) *Tx {
	t := &Tx{Transaction: decoded, ID: id, Size: size, origin: party{hash160: decoded.Auth.Origin.Signer}}
	t.payer = t.origin
	if s := decoded.Auth.Sponsor; s != nil {
		t.payer = party{hash160: s.Signer}
	}
	return t
}

// Fee returns what the transaction pays, in micro-STX.
func (t *Tx) Fee() uint64 { return t.paying().Fee }

func (t *Tx) paying() *stxtx.SpendingCondition {
	if t.Auth.Sponsor != nil {
		return t.Auth.Sponsor
	}
	return &t.Auth.Origin
}

func (t *Tx) originNonce() uint64 { return t.Auth.Origin.Nonce }
func (t *Tx) payerNonce() uint64  { return t.paying().Nonce }

// transfers returns the movement of a transfer of STX, nil for other transactions.
func (t *Tx) transfers() []outcome.Move {
	p, ok := t.Payload.(stxtx.TokenTransfer)
	if !ok {
		return nil
	}
	from := t.Principal()
	return []outcome.Move{{Amount: new(big.Int).SetUint64(p.Amount), From: &from, To: &p.Recipient, Memo: p.Memo[:]}}
}

// violate compares what a call or a deploy moves with its post-conditions. A node does so
// whatever was answered, an error too.
func (t *Tx) violate(moves []outcome.Move) {
	if _, ok := t.Payload.(stxtx.TokenTransfer); ok {
		return // they have no meaning there
	}
	if t.Violation = outcome.Check(t.Principal(), t.PostConditionMode, t.PostConditions, outcome.NewSent(moves)); t.Violation != nil {
		t.Error = t.Violation.Reason
	}
}

// deploys returns the contract that the transaction makes, if it does.
func (t *Tx) deploys() (party, bool) {
	p, ok := t.Payload.(stxtx.SmartContract)
	return party{t.origin.hash160, p.Name}, ok
}

// spends returns what the transaction takes from an account.
func (t *Tx) spends(p party) uint64 {
	var sum uint64
	if t.payer == p {
		sum = t.Fee()
	}
	if transfer, ok := t.Payload.(stxtx.TokenTransfer); ok && t.origin == p {
		if sum += transfer.Amount; sum < transfer.Amount {
			return math.MaxUint64
		}
	}
	return sum
}

// Aborted reports whether the transaction is in a block and has failed there:
// its fee is paid, and nothing else has happened.
func (t *Tx) Aborted() bool {
	_, failed := t.Result.(clarity.Err)
	return failed || t.Violation != nil
}

// Touches reports whether the transaction is one of a principal: its origin,
// its payer, the recipient of its transfer, or the contract that it calls or
// deploys.
func (t *Tx) Touches(p clarity.Principal) bool {
	of := partyOf(p)
	if of == t.origin || of == t.payer {
		return true
	}
	switch payload := t.Payload.(type) {
	case stxtx.TokenTransfer:
		return of == partyOf(payload.Recipient)
	case stxtx.ContractCall:
		return of == partyOf(payload.Contract)
	}
	name, ok := t.deploys()
	return ok && of == name
}

// NonceOf returns the nonce of a principal that the transaction uses, if it uses one.
func (t *Tx) NonceOf(p clarity.Principal) (uint64, bool) {
	switch partyOf(p) {
	case t.origin:
		return t.originNonce(), true
	case t.payer:
		return t.payerNonce(), true
	}
	return 0, false
}

// Principal returns the origin's address on the network of the transaction.
func (t *Tx) Principal() clarity.Principal {
	return clarity.Principal{Address: t.Auth.Origin.Address(t.Mainnet())}
}

// Spends returns the micro-STX that the transaction takes from a principal, its fee
// included, and what it brings: what a transfer that waits will move, and what one in a
// block has moved.
func (t *Tx) Spends(p clarity.Principal) (spent, received uint64) {
	of, moves := partyOf(p), t.Moved
	if t.Result == nil {
		moves = t.transfers()
	}
	for _, m := range moves {
		if m.Asset != (stxtx.Asset{}) {
			continue
		}
		if m.To != nil && partyOf(*m.To) == of {
			received += m.Amount.Uint64()
		}
		if m.From != nil && partyOf(*m.From) == of {
			spent += m.Amount.Uint64()
		}
	}
	if t.payer == of {
		spent += t.Fee()
	}
	return spent, received
}

// Mined returns a transaction that no ledger was sent: a block has it with an id
// of its own, and it succeeded.
func Mined(tx *stxtx.Transaction, id [32]byte, height int64) *Tx {
	size := 0
	if raw, err := tx.Encode(); err == nil {
		size = len(raw)
	}
	t := newTx(tx, id, size)
	t.Height, t.Result, t.Moved = height, clarity.OK{Value: clarity.Bool(true)}, t.transfers()
	return t
}

// RanWithoutCost reports that a virtual machine ran it that does not say what it cost: it failed at
// run time.
func (t *Tx) RanWithoutCost() bool { return t.ran && t.Cost == nil }

// Ran reports that a virtual machine ran it.
func (t *Tx) Ran() bool { return t.ran }
