package ledger

import (
	"math/big"
	"slices"

	"chainscope/wallet/clarity"
	"chainscope/wallet/outcome"
	"chainscope/wallet/stxtx"
)

// Holding holds what a principal has of a token, and what it sent and received since the
// beginning.
type Holding struct {
	Asset          stxtx.Asset
	Sent, Received *big.Int // in the smallest unit; tokens that are no units count as 1 each
	// Unique says that the tokens are non-fungible. Tokens are those that it has, in the
	// order of their bytes.
	Unique bool
	Tokens []Owned
}

// Before returns what a principal had of a token before a transaction that a block has. Which of them,
// it does not know.
func (h *Holding) Before(t *Tx, p clarity.Principal) *Holding {
	was := *h
	for _, m := range t.Moved {
		if m.Asset != h.Asset {
			continue
		}
		n := m.Amount
		if h.Unique {
			n = big.NewInt(1)
		}
		if m.From != nil && *m.From == p {
			was.Sent = new(big.Int).Sub(was.Sent, n)
		}
		if m.To != nil && *m.To == p {
			was.Received = new(big.Int).Sub(was.Received, n)
		}
	}
	return &was
}

// Balance returns what the principal has. It is never negative.
func (h *Holding) Balance() *big.Int {
	left := new(big.Int).Sub(h.Received, h.Sent)
	if left.Sign() < 0 {
		return new(big.Int) // of a token whose beginning the ledger does not know
	}
	return left
}

// Owned is a non-fungible token that a principal has.
type Owned struct {
	Token clarity.Value // nil for one that was burned
	Tx    *Tx           // that brought it, nil if it was there at the beginning

	owner party
}

// assetKey begins the keys of an asset.
func assetKey(a stxtx.Asset) []byte { return append([]byte(a.String()), 0) }

// ofParty returns the key of what a principal has of an asset; of all assets for the zero one.
func ofParty(p party, a stxtx.Asset) []byte {
	key := append(p.key(), 0)
	if a == (stxtx.Asset{}) {
		return key
	}
	return append(key, assetKey(a)...)
}

// tokenKey returns the key of a non-fungible token.
func tokenKey(a stxtx.Asset, token clarity.Value) []byte {
	encoded, err := clarity.Encode(token)
	if err != nil {
		encoded = []byte(clarity.Repr(token)) // only what was decoded is sent
	}
	return append(assetKey(a), encoded...)
}

// Grant lets a principal have tokens before anything was sent: an amount, or a non-fungible
// token.
func (l *Ledger) Grant(p clarity.Principal, asset stxtx.Asset, amount *big.Int, token clarity.Value) {
	l.addOutside(outcome.Move{Asset: asset, Amount: amount, Token: token, To: &p})
}

// SetTokens gives a principal another amount of a fungible token: what is missing is minted,
// what is too much is burned.
func (l *Ledger) SetTokens(p clarity.Principal, asset stxtx.Asset, n *big.Int) {
	more := new(big.Int).Sub(n, l.Balance(p, asset))
	if m := (outcome.Move{Asset: asset, Amount: more, To: &p}); more.Sign() >= 0 {
		l.addOutside(m)
		return
	}
	l.addOutside(outcome.Move{Asset: asset, Amount: more.Neg(more), From: &p})
}

// Holdings lists what a principal has or had of tokens, by asset.
func (l *Ledger) Holdings(p clarity.Principal) []*Holding {
	var all []*Holding
	of := partyOf(p)
	l.holdings.Root().WalkPrefix(ofParty(of, stxtx.Asset{}), func(_ []byte, h *Holding) bool {
		one := *h
		l.tokens.Root().WalkPrefix(assetKey(h.Asset), func(_ []byte, owned *Owned) bool {
			if owned.owner == of && owned.Token != nil {
				one.Tokens = append(one.Tokens, *owned)
			}
			return false
		})
		all = append(all, &one)
		return false
	})
	if begun := l.untouched(p); begun != nil {
		i := slices.IndexFunc(all, func(h *Holding) bool { return h.Asset == begun.Asset })
		if i < 0 {
			return append(all, begun)
		}
		all[i].Received = new(big.Int).Add(all[i].Received, begun.Received)
		all[i].Tokens = append(all[i].Tokens, begun.Tokens...)
	}
	return all
}

// Balance returns what a principal has of a fungible token.
func (l *Ledger) Balance(p clarity.Principal, asset stxtx.Asset) *big.Int {
	if h, ok := l.holdings.Get(ofParty(partyOf(p), asset)); ok {
		return h.Balance()
	}
	return new(big.Int)
}

// Owns reports whether a principal has a non-fungible token; there reports whether anybody
// has it.
func (l *Ledger) Owns(p clarity.Principal, asset stxtx.Asset, token clarity.Value) (owns, there bool) {
	owned, there := l.owned(asset, token)
	return there && owned.owner == partyOf(p), there
}

// Owner returns who has a non-fungible token, on the network of the asset's contract.
func (l *Ledger) Owner(asset stxtx.Asset, token clarity.Value) (clarity.Principal, bool) {
	owned, there := l.owned(asset, token)
	if !there {
		return clarity.Principal{}, false
	}
	p := clarity.Principal{Address: asset.Contract.Address, Contract: owned.owner.contract}
	p.Address.Hash160 = owned.owner.hash160
	return p, true
}

// Supply returns how much of a fungible token there is: what was given and minted, less what was
// burned. It is nil for an asset that nobody was given and nobody minted.
func (l *Ledger) Supply(asset stxtx.Asset) *big.Int {
	if n, backed := l.supplies.Get(assetKey(asset)); backed {
		return n
	}
	return nil
}

// settle moves what a transaction moves. It reports false, and moves nothing, where
// somebody has not enough, unless that was checked.
func (l *Ledger) settle(t *Tx, does Effect) bool {
	before := *l
	for _, m := range does.Moves {
		if !does.Ran && !l.has(m) && (!does.Supposed || l.known(m.Asset)) {
			*l = before
			return false
		}
		l.add(m, t)
		if !does.Ran {
			l.note(m)
		}
	}
	return true
}

// known reports whether anybody was given an asset, or anything of it was minted.
func (l *Ledger) known(a stxtx.Asset) bool { return a == (stxtx.Asset{}) || l.Supply(a) != nil }

// has reports whether what is moved is there; a non-fungible token that is minted must not be.
func (l *Ledger) has(m outcome.Move) bool {
	switch {
	case m.From == nil && m.Token != nil:
		_, there := l.owned(m.Asset, m.Token)
		return !there
	case m.From == nil:
		return true
	case m.Asset == (stxtx.Asset{}):
		return m.Amount.IsUint64() && m.Amount.Uint64() <= l.spendable(partyOf(*m.From))
	case m.Token != nil:
		owns, _ := l.Owns(*m.From, m.Asset, m.Token)
		return owns
	}
	return m.Amount.Cmp(l.Balance(*m.From, m.Asset)) <= 0
}

// addOutside moves a token that no transaction moves.
func (l *Ledger) addOutside(m outcome.Move) {
	l.add(m, nil)
	l.note(m)
}

// add moves an asset; t brings it, nil for the beginning.
func (l *Ledger) add(m outcome.Move, t *Tx) {
	if m.Asset == (stxtx.Asset{}) {
		l.moveSTX(m)
		return
	}
	if m.From != nil && m.Token != nil {
		l.begin(m)
	}
	n := units(m)
	l.tally(m, n)
	l.supply(m, n)
	l.own(m, m.To, t)
}

// supply counts what is minted and burned.
func (l *Ledger) supply(m outcome.Move, n *big.Int) {
	supply := l.Supply(m.Asset)
	switch {
	case m.From == nil && supply == nil:
		supply = n
	case m.From == nil:
		supply = new(big.Int).Add(supply, n)
	case m.To == nil && supply != nil:
		supply = new(big.Int).Sub(supply, n)
	default:
		return
	}
	l.supplies, _, _ = l.supplies.Insert(assetKey(m.Asset), supply)
}

// count changes what a principal has of a token.
func (l *Ledger) count(p party, asset stxtx.Asset, change func(*Holding)) {
	key := ofParty(p, asset)
	h := Holding{Asset: asset, Sent: new(big.Int), Received: new(big.Int)}
	if known, ok := l.holdings.Get(key); ok {
		h = *known
	}
	change(&h)
	l.holdings, _, _ = l.holdings.Insert(key, &h)
}

// moveSTX moves micro-STX that are there.
func (l *Ledger) moveSTX(m outcome.Move) {
	n := m.Amount.Uint64()
	if m.From != nil {
		sender := l.at(partyOf(*m.From))
		sender.balance -= min(sender.balance, n)
		sender.sent += n
		l.set(partyOf(*m.From), sender)
	}
	if m.To != nil {
		recipient := l.at(partyOf(*m.To))
		recipient.balance += n
		l.set(partyOf(*m.To), recipient)
	}
}

// undo reverts what a transaction moved, the last first.
func (l *Ledger) undo(moves []outcome.Move) {
	for _, m := range slices.Backward(moves) {
		if m.Asset == (stxtx.Asset{}) {
			l.returnSTX(m)
			continue
		}
		n := units(m)
		l.tally(m, new(big.Int).Neg(n))
		l.supply(outcome.Move{Asset: m.Asset, From: m.To, To: m.From}, n)
		l.own(m, m.From, nil)
	}
}

// returnSTX undoes a movement of STX. An account that was set by hand in between does not
// fall below zero.
func (l *Ledger) returnSTX(m outcome.Move) {
	n := m.Amount.Uint64()
	if m.To != nil {
		recipient := l.at(partyOf(*m.To))
		recipient.balance -= min(recipient.balance, n)
		l.set(partyOf(*m.To), recipient)
	}
	if m.From != nil {
		sender := l.at(partyOf(*m.From))
		sender.balance += n
		sender.sent -= min(sender.sent, n)
		l.set(partyOf(*m.From), sender)
	}
}

// units returns how much moves of a token, 1 of a non-fungible one.
func units(m outcome.Move) *big.Int {
	if m.Token != nil {
		return big.NewInt(1)
	}
	return m.Amount
}

// tally adds to what the sender has sent and the recipient has received.
func (l *Ledger) tally(m outcome.Move, n *big.Int) {
	if m.From != nil {
		l.count(partyOf(*m.From), m.Asset, func(h *Holding) { h.Sent, h.Unique = new(big.Int).Add(h.Sent, n), m.Token != nil })
	}
	if m.To != nil {
		l.count(partyOf(*m.To), m.Asset, func(h *Holding) { h.Received, h.Unique = new(big.Int).Add(h.Received, n), m.Token != nil })
	}
}

// own sets the owner of a non-fungible token, nil for none; t brought it.
func (l *Ledger) own(m outcome.Move, p *clarity.Principal, t *Tx) {
	if m.Token == nil {
		return
	}
	owned := &Owned{}
	if p != nil {
		owned = &Owned{m.Token, t, partyOf(*p)}
	}
	l.tokens, _, _ = l.tokens.Insert(tokenKey(m.Asset, m.Token), owned)
}
