package outcome

import (
	"bytes"
	"cmp"
	"maps"
	"math/big"
	"slices"

	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// Move is an asset that a transaction moved. From is nil for a mint, To for a burn. The
// fee is none.
type Move struct {
	Asset stxtx.Asset // the zero Asset is STX
	// Amount is in the smallest unit, micro-STX for STX; nil for a non-fungible token.
	Amount *big.Int
	Token  clarity.Value // of a non-fungible token, else nil
	From   *clarity.Principal
	To     *clarity.Principal
	Memo   []byte // of a transfer of STX
}

// Sent holds what each principal sent by a transaction, burned units with it. What was minted
// nobody sent.
type Sent struct {
	principals []clarity.Principal // in the order in which they sent something
	sending    map[clarity.Principal]bool
	stx        map[clarity.Principal]*big.Int
	fungible   map[owned]*big.Int
	tokens     map[owned]*tokens
	assets     map[clarity.Principal][]stxtx.Asset // other than STX, in their order
	// Locked are micro-STX that a principal locked for stacking, Stacking the changes of its
	// stacking that locked nothing.
	Locked   map[clarity.Principal]*big.Int
	Stacking map[clarity.Principal]int
}

// owned is an asset of a principal.
type owned struct {
	principal clarity.Principal
	asset     stxtx.Asset
}

// tokens are the non-fungible ones of an asset that a principal sent. They are found by
// their consensus bytes: a transaction may move and name tens of thousands.
type tokens struct {
	values []clarity.Value // in the order in which they were sent
	keys   []string        // of values
	known  map[string]bool // keys
}

// tokenKey appends what two values have in common only where they are one.
func tokenKey(to []byte, token clarity.Value) []byte {
	encoded, err := clarity.Append(to, token)
	if err != nil {
		return append(to, clarity.Repr(token)...) // only what was decoded is sent
	}
	return encoded
}

// NewSent sums up what was sent.
func NewSent(moves []Move) *Sent {
	s := &Sent{
		sending: map[clarity.Principal]bool{}, stx: map[clarity.Principal]*big.Int{},
		fungible: map[owned]*big.Int{}, tokens: map[owned]*tokens{}, assets: map[clarity.Principal][]stxtx.Asset{},
		Locked: map[clarity.Principal]*big.Int{}, Stacking: map[clarity.Principal]int{},
	}
	for _, m := range moves {
		if m.From != nil {
			s.add(*m.From, m)
		}
	}
	return s
}

func (s *Sent) add(from clarity.Principal, m Move) {
	key := owned{from, m.Asset}
	switch {
	case m.Asset == (stxtx.Asset{}):
		increase(s.stx, from, m.Amount)
	case m.Token != nil:
		s.note(key)
		s.tokens[key] = s.tokens[key].with(m.Token)
	default:
		s.note(key)
		increase(s.fungible, key, m.Amount)
	}
	s.sends(from)
}

// note keeps the order of the assets that a principal sent.
func (s *Sent) note(key owned) {
	if s.fungible[key] == nil && s.tokens[key] == nil {
		s.assets[key.principal] = append(s.assets[key.principal], key.asset)
	}
}

func (t *tokens) with(token clarity.Value) *tokens {
	if t == nil {
		t = &tokens{known: map[string]bool{}}
	}
	key := string(tokenKey(nil, token))
	t.values, t.keys, t.known[key] = append(t.values, token), append(t.keys, key), true
	return t
}

// sends keeps the order of the principals.
func (s *Sent) sends(p clarity.Principal) {
	if !s.sending[p] {
		s.sending[p] = true
		s.principals = append(s.principals, p)
	}
}

// senders returns all who sent, locked or stacked something.
func (s *Sent) senders() []clarity.Principal {
	all := slices.Clone(s.principals)
	all = append(all, slices.SortedFunc(maps.Keys(s.Locked), byBytes)...)
	return append(all, slices.SortedFunc(maps.Keys(s.Stacking), byBytes)...)
}

func byBytes(a, b clarity.Principal) int {
	return cmp.Or(cmp.Compare(a.Address.Version, b.Address.Version), bytes.Compare(a.Address.Hash160[:], b.Address.Hash160[:]), cmp.Compare(a.Contract, b.Contract))
}

// amount returns what was sent of an asset that has amounts, or locked.
func (s *Sent) amount(kind stxtx.AssetType, key owned) *big.Int {
	switch kind {
	case stxtx.AssetFT:
		return of(s.fungible, key)
	case stxtx.AssetStaking:
		return of(s.Locked, key.principal)
	}
	return of(s.stx, key.principal)
}

func increase[K comparable](sums map[K]*big.Int, key K, by *big.Int) {
	if sums[key] == nil {
		sums[key] = new(big.Int)
	}
	sums[key].Add(sums[key], by)
}

// of returns a sum, 0 for none.
func of[K comparable](sums map[K]*big.Int, key K) *big.Int {
	if n := sums[key]; n != nil {
		return n
	}
	return new(big.Int)
}
