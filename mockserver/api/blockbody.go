package api

import (
	"time"

	"chainscope/mockserver/chain"
	"chainscope/wallet/facts"
)

// The bodies of blocks in versions 1 and 2 of the API. The third has its own in blocks_v3.go.

// headBody holds the fields that a block begins with in every list.
func headBody(b *chain.Block) object {
	return object{
		{"canonical", b.Canonical},
		{"height", b.Height},
		{"hash", b.Hash},
		{"block_time", unixTime(b.TimeMS)},
		{"block_time_iso", isoTime(b.TimeMS)},
		{"tenure_height", b.Tenure},
		{"index_block_hash", b.Index},
		{"parent_block_hash", b.Parent},
	}
}

// burnFields returns those of the burn block of a block.
func burnFields(b *chain.Block) object {
	return object{
		{"burn_block_time", unixTime(b.BurnTimeMS)},
		{"burn_block_time_iso", isoTime(b.BurnTimeMS)},
		{"burn_block_hash", b.BurnHash},
		{"burn_block_height", b.BurnHeight},
	}
}

func costFields(c *facts.Cost) object {
	return object{
		{"execution_cost_read_count", c.ReadCount},
		{"execution_cost_read_length", c.ReadLength},
		{"execution_cost_runtime", c.Runtime},
		{"execution_cost_write_count", c.WriteCount},
		{"execution_cost_write_length", c.WriteLength},
	}
}

// recordBody returns a block as endpoints 4, 5 and 6 give it.
func recordBody(v *chain.View, b *chain.Block) object {
	accepted, streamed := v.Microblocks(b)
	parent, counts := "", map[string]int{}
	for _, m := range accepted {
		counts[m.Hash.String()] = m.Txs
	}
	if len(accepted) > 0 {
		parent = accepted[0].Hash.String()
	}
	o := append(headBody(b), burnFields(b)...)
	o = append(append(o, field{"miner_txid", b.Miner}), costFields(&b.Cost)...)
	return append(o,
		field{"txs", hashTexts(v.TxIDs(b))},
		field{"parent_microblock_hash", parent},
		field{"parent_microblock_sequence", len(accepted) - 1},
		field{"microblocks_accepted", microblockHashes(accepted)},
		field{"microblocks_streamed", microblockHashes(streamed)},
		field{"microblock_tx_count", counts},
	)
}

func hashTexts(hashes []chain.Hash) []string {
	return each(hashes, chain.Hash.String)
}

func microblockHashes(stream []chain.Microblock) []string {
	return each(stream, func(m chain.Microblock) string { return m.Hash.String() })
}

// listedBody returns a block as endpoint 3 and version 2 give it.
func listedBody(b *chain.Block) object {
	o := append(headBody(b), field{"parent_index_block_hash", b.ParentIndex})
	o = append(append(o, burnFields(b)...), field{"miner_txid", b.Miner}, field{"tx_count", b.TxCount})
	return append(o, costFields(&b.Cost)...)
}

// listedBodies returns the canonical blocks of a span, the newest first.
func listedBodies(v *chain.View, in chain.Span) []object {
	return each(v.Blocks(in), func(b chain.Block) object { return listedBody(&b) })
}

// burnBody returns a burn block that has a canonical block.
func burnBody(v *chain.View, burn *chain.Burn) object {
	blocks := v.Blocks(burn.Span)
	oldest := &blocks[len(blocks)-1]
	hashes, txs := make([]chain.Hash, len(blocks)), 0
	for i := range blocks {
		hashes[i] = blocks[i].Hash
		txs += blocks[i].TxCount
	}
	elapsed := unixTime(blocks[0].TimeMS) - unixTime(oldest.TimeMS)
	return append(burnFields(oldest),
		field{"stacks_blocks", hashTexts(hashes)},
		field{"avg_block_time", elapsed / max(1, burn.Len()-1)},
		field{"total_tx_count", txs},
	)
}

// unixTime returns whole Unix seconds, rounded down.
func unixTime(ms int64) int64 { return time.UnixMilli(ms).Unix() }
