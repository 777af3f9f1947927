package ledger

import (
	"bytes"
	"cmp"
	"math/big"
	"slices"

	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// Holder is an account that has some of a fungible token.
type Holder struct {
	Principal clarity.Principal // on the network of the token's contract
	Balance   *big.Int
}

// Holders lists the holders of a fungible token, the largest first.
func (l *Ledger) Holders(asset stxtx.Asset) (all []Holder) {
	l.holdings.Root().Walk(func(key []byte, h *Holding) bool {
		if h.Asset != asset || h.Unique || h.Balance().Sign() == 0 {
			return false
		}
		of, _, _ := bytes.Cut(key[20:], []byte{0})
		p := clarity.Principal{Address: asset.Contract.Address, Contract: string(of)}
		copy(p.Address.Hash160[:], key)
		all = append(all, Holder{p, h.Balance()})
		return false
	})
	slices.SortStableFunc(all, func(a, b Holder) int {
		return cmp.Or(b.Balance.Cmp(a.Balance), cmp.Compare(a.Principal.String(), b.Principal.String()))
	})
	return all
}
