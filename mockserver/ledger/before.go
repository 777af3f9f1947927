package ledger

import (
	"math/big"

	"chainscope/wallet/clarity"
)

// Before finds the transaction in which an account took part before the ledger knew of it, nil
// for none. There is at most one.
type Before func(hash160 [20]byte) *Tx

// Origin returns what an account, or a contract, has on a live chain that the ledger continues: micro-STX,
// those that are locked among them, and the nonce of its next transaction.
type Origin func(hash160 [20]byte, contract string) (balance, nonce uint64)

// SetOrigin lets every account begin with what it has on a live chain.
func (l *Ledger) SetOrigin(o Origin) { l.origin = o }

// Beginning returns the micro-STX with which an account of a live chain began, 0 where the ledger does
// not continue one: a virtual machine on that chain knows them.
func (l *Ledger) Beginning(p clarity.Principal) uint64 {
	if l.origin == nil {
		return 0
	}
	return l.beginning(partyOf(p)).balance
}

// SetBefore lets accounts begin with what they did before.
func (l *Ledger) SetBefore(b Before) { l.before = b }

// beginning returns what an account has that no block and no user of the ledger changed.
func (l *Ledger) beginning(p party) account {
	if l.origin != nil {
		balance, nonce := l.origin(p.hash160, p.contract)
		return account{balance: balance, nonce: nonce}
	}
	if p.contract != "" {
		return account{}
	}
	if a, stakes := l.staker(p); stakes {
		return a
	}
	a := account{balance: startBalance}
	if l.before == nil {
		return a
	}
	t := l.before(p.hash160)
	if t == nil {
		return a
	}
	is := t.Principal() // on the network of the transaction
	is.Address.Hash160 = p.hash160
	if nonce, signs := t.NonceOf(is); signs {
		a.nonce = nonce + 1
	}
	if t.payer == p {
		a.fees = t.Fee()
	}
	spent, received := t.Spends(is)
	a.sent, a.balance = spent-a.fees, a.balance+received-spent
	return a
}

// deployed finds the transaction that deployed a contract before.
func (l *Ledger) deployed(p clarity.Principal) (*Tx, bool) {
	if l.before == nil || p.Contract == "" {
		return nil, false
	}
	t := l.before(p.Address.Hash160)
	if t == nil || t.Aborted() {
		return nil, false
	}
	name, deploys := t.deploys()
	return t, deploys && name == partyOf(p)
}

// minted returns the non-fungible token, named after its owner, that a principal was given
// before, nil for none.
func (l *Ledger) minted(p clarity.Principal) *Holding {
	if l.before == nil || p.Contract != "" {
		return nil
	}
	t := l.before(p.Address.Hash160)
	if t == nil || t.Mainnet() == p.Address.Testnet() {
		return nil
	}
	for _, m := range t.Moved {
		if m.From == nil && m.Token == p {
			return &Holding{Asset: m.Asset, Sent: new(big.Int), Received: big.NewInt(1), Unique: true, Tokens: []Owned{{m.Token, t, partyOf(p)}}}
		}
	}
	return nil
}
