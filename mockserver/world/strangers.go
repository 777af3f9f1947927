package world

import (
	"iter"
	"sync"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/crowd"
	"chainscope/mockserver/history"
	"chainscope/mockserver/ledger"
	"chainscope/wallet/c32"
	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// strangers are those whose transactions the chain has from the beginning: of each there is
// only an id. What one does is decided as for any other, over what everybody began with: whatever
// is done to a world later, it stays what it was.
type strangers struct {
	chain *chain.Chain
	crowd *crowd.Crowd
	past  *history.History
	begin *content

	mu   sync.Mutex
	made map[chain.Hash]*ledger.Tx // those that were made up last, of those that begin no tenure
}

// maxMade limits how many are kept. A list of the newest looks at some thousand.
const maxMade = 2_000

// newStrangers lets the accounts of a beginning have what they have as strangers.
func newStrangers(shared *Options, begin *content) *strangers {
	before := *begin
	s := &strangers{chain: shared.Chain, past: shared.Past, begin: &before}
	s.crowd = crowd.New(shared.Chain, func(id clarity.Principal) bool {
		_, there := before.builtin(id)
		return there
	})
	if shared.Fork == nil {
		begin.ledgers[mainnet].SetBefore(s.of)
	}
	return s
}

// of finds the transaction that an account takes part in, nil for none. Where it begins a
// tenure, it is any that moves nothing.
func (s *strangers) of(hash160 [20]byte) *ledger.Tx {
	id, height, ok := s.chain.TxOf(hash160)
	if !ok || s.isPast(id) {
		return nil
	}
	if change, coinbase := s.chain.Begins(id); change || coinbase {
		return s.settled(id, s.begins(id, stxtx.Coinbase{}), height)
	}
	return s.ordinary(id, height)
}

// ordinary returns a transaction that begins no tenure, at the height that it belongs to.
func (s *strangers) ordinary(id chain.Hash, height int64) *ledger.Tx {
	s.mu.Lock()
	defer s.mu.Unlock()
	if tx := s.made[id]; tx != nil && tx.Height == height {
		return tx
	}
	if s.made == nil || len(s.made) >= maxMade {
		s.made = map[chain.Hash]*ledger.Tx{}
	}
	s.made[id] = s.settled(id, s.crowd.Transaction(id), height)
	return s.made[id]
}

// isPast reports whether a transaction is one that known accounts had.
func (s *strangers) isPast(id chain.Hash) bool {
	if s.past == nil {
		return false
	}
	_, is := s.past.Lookup(id.Bytes(), 1<<62)
	return is
}

// settled returns a transaction as a block has it. Nobody signed it, so its bytes have another id.
func (s *strangers) settled(id chain.Hash, tx *stxtx.Transaction, height int64) *ledger.Tx {
	l := s.begin.ledgers[mainnet]
	return l.Carry(tx, id.Bytes(), height, s.begin.effect)
}

// begins returns a transaction that a block begins with. It costs nothing.
func (s *strangers) begins(id chain.Hash, payload stxtx.Payload) *stxtx.Transaction {
	return &stxtx.Transaction{
		Version: stxtx.VersionMainnet, ChainID: stxtx.ChainIDMainnet, AnchorMode: stxtx.AnchorOnChain, PostConditionMode: stxtx.ModeDeny,
		Auth: stxtx.Auth{Type: stxtx.AuthStandard, Origin: s.crowd.Sender(id)}, Payload: payload,
	}
}

// stranger returns a transaction of the chain itself that a block has.
func (s State) stranger(id chain.Hash) (*ledger.Tx, bool) {
	place, ok := s.View.Place(id)
	if !ok {
		return nil, false
	}
	all, height := s.strangers, place.Block.Height
	change, coinbase := place.Begins(&s.View)
	if !change && !coinbase {
		return all.ordinary(id, height), true
	}
	var payload stxtx.Payload = s.tenureChange(&place.Block, all.chain.Account(id, 1))
	if coinbase {
		payload = coinbaseOf(id.Bytes(), all.chain.Account(id, 1), place.Own == 1)
	}
	return all.settled(id, all.begins(id, payload), height), true
}

// coinbaseOf pays the miner; those of tenures prove that a lottery was won, and pay another
// address of the miner.
func coinbaseOf(id [32]byte, pays [20]byte, ofTenure bool) stxtx.Coinbase {
	if !ofTenure {
		return stxtx.Coinbase{}
	}
	var proof [80]byte
	for at := 0; at < len(proof); at += len(id) {
		copy(proof[at:], id[:])
	}
	to := clarity.Principal{Address: c32.Address{Version: c32.MainnetP2PKH, Hash160: pays}}
	return stxtx.Coinbase{Recipient: &to, VRFProof: &proof}
}

// tenureChange returns what the first block of a tenure begins with. The consensus hashes
// are made up of the hashes of the burn blocks.
func (s State) tenureChange(b *chain.Block, key [20]byte) stxtx.TenureChange {
	p := stxtx.TenureChange{PreviousTenureEnd: b.ParentIndex.Bytes(), PublicKeyHash: key}
	consensus := func(burn chain.Hash) (hash [20]byte) {
		raw := burn.Bytes()
		copy(hash[:], raw[12:]) // its begin is zeros
		return hash
	}
	p.TenureConsensusHash = consensus(b.BurnHash)
	p.BurnViewConsensusHash = p.TenureConsensusHash
	if parent, ok := s.View.Block(b.Height - 1); ok {
		p.PrevTenureConsensusHash = consensus(parent.BurnHash)
		p.PreviousTenureBlocks = uint32(max(1, s.View.Tenure(parent.Tenure).Len()))
	}
	return p
}

// Joined returns the height of the block in which a stranger takes part.
func (s State) Joined(hash160 [20]byte) (height int64, ok bool) {
	_, height, ok = s.strangers.chain.TxOf(hash160)
	return height, ok
}

// newestWalked is the number of newest transactions that are read one by one.
const newestWalked = 1_000

// Newest returns the newest blocks, which have some thousand transactions together.
func (s State) Newest() iter.Seq[*chain.Block] {
	return func(yield func(*chain.Block) bool) {
		walked := 0
		for height := s.View.Tip(); height > 0 && walked < newestWalked; height-- {
			b, ok := s.View.Block(height)
			if !ok || !yield(&b) {
				return
			}
			walked += b.TxCount
		}
	}
}

// Busy reports whether strangers call a contract, so that every block may have a call of it.
func (s State) Busy(p clarity.Principal) bool { return s.strangers.crowd.Busy(p) }

// strangersOf lists the transactions of strangers that concern a principal: that of an account,
// and the newest calls of a contract.
func (s State) strangersOf(p clarity.Principal) (all []*ledger.Tx) {
	if networkOf(p) != mainnet {
		return nil
	}
	add := func(id chain.Hash) {
		if _, known := s.sent(id.Bytes()); known {
			return // it is listed already
		}
		if tx, ok := s.stranger(id); ok {
			all = append(all, tx)
		}
	}
	if id, _, ok := s.strangers.chain.TxOf(p.Address.Hash160); ok {
		add(id)
	}
	if !s.Busy(p) {
		return all
	}
	for b := range s.Newest() {
		for i := range b.TxCount {
			if id := s.View.TxID(b, i); s.strangers.crowd.Calls(id, p) {
				add(id)
			}
		}
	}
	return all
}
