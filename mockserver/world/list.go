package world

import (
	"cmp"
	"slices"

	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
)

// Deployed returns the transaction that deployed a contract, if a block has it.
func (s State) Deployed(id clarity.Principal) (*ledger.Tx, bool) {
	t, ok := s.ledgers[networkOf(id)].Contract(id)
	return t, ok && t.Result != nil
}

// Mined lists the transactions of the principal's network that blocks have, the newest block
// first: those of the chain itself only where they concern the principal.
func (s State) Mined(p clarity.Principal) []*ledger.Tx {
	return newestFirst(append(s.minedOn(networkOf(p)), s.strangersOf(p)...))
}

// AllMined lists the transactions of both networks that blocks have, the newest
// block first.
func (s State) AllMined() []*ledger.Tx {
	return newestFirst(append(s.minedOn(mainnet), s.minedOn(testnet)...))
}

func (s State) minedOn(network int) []*ledger.Tx {
	all := slices.Collect(s.ledgers[network].Mined())
	if s.past != nil {
		all = slices.AppendSeq(all, s.past.Before(network == mainnet, s.View.Tip()))
	}
	return newestFirst(all)
}

func newestFirst(all []*ledger.Tx) []*ledger.Tx {
	slices.SortStableFunc(all, func(a, b *ledger.Tx) int { return cmp.Compare(b.Height, a.Height) })
	return all
}

// Mempool lists the transactions of both networks that no block has, the newest
// first.
func (s State) Mempool() []*ledger.Tx {
	all := slices.Collect(s.ledgers[mainnet].Mempool())
	all = slices.AppendSeq(all, s.ledgers[testnet].Mempool())
	slices.SortFunc(all, func(a, b *ledger.Tx) int {
		return cmp.Or(cmp.Compare(b.ReceivedMS, a.ReceivedMS), cmp.Compare(b.Auth.Origin.Nonce, a.Auth.Origin.Nonce), slices.Compare(a.ID[:], b.ID[:]))
	})
	return all
}
