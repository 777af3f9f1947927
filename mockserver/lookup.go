package mockserver

import (
	"chainscope/mockserver/chain"
	"chainscope/mockserver/ledger"
	"chainscope/wallet/c32"
	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// find returns a transaction that was sent to this process or that a known account
// had before, else one of the chain itself.
func (t *transactions) find(id chain.Hash) (*ledger.Tx, bool) {
	if tx, known := t.Transaction(id.Bytes()); known {
		return tx, true
	}
	if place, ok := t.View.Place(id); ok {
		return t.invented(id, &place), true
	}
	return nil, false
}

// invented is a transaction of the chain itself, of which there is only an id: what
// else it has follows from that. Nobody signed it, so its bytes have another id.
func (t *transactions) invented(id chain.Hash, place *chain.Place) *ledger.Tx {
	raw := id.Bytes()
	account := func(from int) (hash160 [20]byte) {
		copy(hash160[:], raw[from:])
		return hash160
	}
	origin := stxtx.SpendingCondition{Signer: account(0), Nonce: id[0] % 1_000}
	tx := &stxtx.Transaction{
		Version: stxtx.VersionMainnet, ChainID: stxtx.ChainIDMainnet,
		AnchorMode: stxtx.AnchorOnChain, PostConditionMode: stxtx.ModeDeny,
	}
	switch change, coinbase := place.Begins(&t.View); {
	case change:
		tx.Payload = t.tenureChange(&place.Block, account(12))
	case coinbase:
		tx.Payload = coinbaseOf(raw, account(12), place.Own == 1)
	default:
		origin.Fee, tx.AnchorMode = 180+id[1]%2_000, stxtx.AnchorAny
		to := c32.Address{Version: c32.MainnetP2PKH, Hash160: account(12)}
		tx.Payload = stxtx.TokenTransfer{Recipient: clarity.Principal{Address: to}, Amount: 1 + id[2]%1_000_000_000}
	}
	tx.Auth = stxtx.Auth{Type: stxtx.AuthStandard, Origin: origin}
	return ledger.Mined(tx, raw, place.Block.Height)
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

// tenureChange is what the first block of a tenure begins with. The consensus hashes
// are made up of the hashes of the burn blocks.
func (t *transactions) tenureChange(b *chain.Block, key [20]byte) stxtx.TenureChange {
	p := stxtx.TenureChange{PreviousTenureEnd: b.ParentIndex.Bytes(), PublicKeyHash: key}
	consensus := func(burn chain.Hash) (hash [20]byte) {
		raw := burn.Bytes()
		copy(hash[:], raw[12:]) // its begin is zeros
		return hash
	}
	p.TenureConsensusHash = consensus(b.BurnHash)
	p.BurnViewConsensusHash = p.TenureConsensusHash
	if parent, ok := t.View.Block(b.Height - 1); ok {
		p.PrevTenureConsensusHash = consensus(parent.BurnHash)
		p.PreviousTenureBlocks = uint32(max(1, t.View.Tenure(parent.Tenure).Len()))
	}
	return p
}
