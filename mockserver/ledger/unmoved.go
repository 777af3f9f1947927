package ledger

import (
	"math/big"

	"chainscope/wallet/clarity"
	"chainscope/wallet/outcome"
	"chainscope/wallet/stxtx"
)

// Unmoved finds the owners of non-fungible tokens that nothing has moved yet, where they are too
// many to be kept. An account has one of them at most.
type Unmoved interface {
	Owner(asset stxtx.Asset, token clarity.Value) (clarity.Principal, bool)
	Token(p clarity.Principal) (stxtx.Asset, clarity.Value, bool)
}

// SetUnmoved lets the ledger begin with tokens that it does not keep.
func (l *Ledger) SetUnmoved(u Unmoved) { l.unmoved = u }

// Moved reports whether a non-fungible token was given, or moved since.
func (l *Ledger) Moved(asset stxtx.Asset, token clarity.Value) bool {
	_, moved := l.tokens.Get(tokenKey(asset, token))
	return moved
}

// owned finds who has a non-fungible token.
func (l *Ledger) owned(asset stxtx.Asset, token clarity.Value) (*Owned, bool) {
	if o, moved := l.tokens.Get(tokenKey(asset, token)); moved {
		return o, o.Token != nil
	}
	if p, known := token.(clarity.Principal); known && p.Contract == "" {
		if h := l.minted(p); h != nil && h.Asset == asset && h.Tokens[0].Token == token {
			return &h.Tokens[0], true
		}
	}
	if l.unmoved == nil {
		return nil, false
	}
	p, there := l.unmoved.Owner(asset, token)
	return &Owned{Token: token, owner: partyOf(p)}, there
}

// untouched returns what a principal has had from the beginning and the ledger does not
// keep, nil for nothing.
func (l *Ledger) untouched(p clarity.Principal) *Holding {
	if h := l.minted(p); h != nil && !l.Moved(h.Asset, h.Tokens[0].Token) {
		return h
	}
	if l.unmoved == nil {
		return nil
	}
	asset, token, ok := l.unmoved.Token(p)
	if !ok || l.Moved(asset, token) {
		return nil
	}
	return &Holding{Asset: asset, Sent: new(big.Int), Received: big.NewInt(1), Unique: true, Tokens: []Owned{{Token: token}}}
}

// begin counts a token of the beginning as received when it is first sent.
func (l *Ledger) begin(m outcome.Move) {
	if begun := l.untouched(*m.From); begun != nil && begun.Asset == m.Asset && !l.Moved(m.Asset, m.Token) {
		l.count(partyOf(*m.From), m.Asset, func(h *Holding) { h.Received, h.Unique = new(big.Int).Add(h.Received, begun.Received), true })
	}
}
