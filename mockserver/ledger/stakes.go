package ledger

import "chainscope/wallet/clarity"

// Stakes returns what is staked on the network of a ledger: what some accounts did before the ledger
// knew of them, and how much of an account is locked.
type Stakes interface {
	// Of returns what an account sent up to a height, the newest last, and the least that it
	// began with. It reports false for one that did nothing.
	Of(hash160 [20]byte, height int64) (sent []*Tx, balance uint64, stakes bool)
	// Locked returns how many micro-STX of an account are locked at a height.
	Locked(l *Ledger, hash160 [20]byte, height int64) uint64
}

// SetStakes lets accounts have staked, nil for none.
func (l *Ledger) SetStakes(s Stakes) { l.stakes = s }

// Height is the block that is being made, or as of which the ledger is read.
func (l *Ledger) Height() int64 { return l.height }

// SetHeight lets the ledger be read as of a block.
func (l *Ledger) SetHeight(height int64) { l.height = height }

// Spendable returns the micro-STX of a principal that are not locked.
func (l *Ledger) Spendable(p clarity.Principal) uint64 { return l.spendable(partyOf(p)) }

func (l *Ledger) spendable(p party) uint64 {
	has := l.at(p).balance
	if l.stakes == nil || p.contract != "" {
		return has
	}
	return has - min(has, l.stakes.Locked(l, p.hash160, l.height))
}

// staker returns the state of an account that staked before the ledger knew of it.
func (l *Ledger) staker(p party) (a account, stakes bool) {
	if l.stakes == nil {
		return a, false
	}
	sent, balance, stakes := l.stakes.Of(p.hash160, l.height)
	a.balance = max(startBalance, balance)
	for _, t := range sent {
		a.nonce = t.originNonce() + 1
		a.fees += t.Fee()
	}
	a.balance -= a.fees
	return a, stakes
}
