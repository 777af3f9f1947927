package apiclient

import (
	"slices"

	"chainscope/apiclient/internal/jsoncursor"
)

var (
	blockDecoder      = newDecoder(requireObject(decodeBlock))
	blocksDecoder     = newDecoder(requireObject(listOf(decodeBlock)))
	burnBlocksDecoder = newDecoder(requireObject(listOf(decodeListedBlock)))
)

var blockFields = slices.Concat(fieldTable[Block]{
	{"canonical", func(c *jsoncursor.Cursor, b *Block) { b.Canonical = c.Bool() }},
	{"height", func(c *jsoncursor.Cursor, b *Block) { b.Height = count(c) }},
	{"hash", func(c *jsoncursor.Cursor, b *Block) { b.Hash = c.String() }},
	{"block_time", func(c *jsoncursor.Cursor, b *Block) { b.BlockTime = count(c) }},
	{"block_time_iso", func(c *jsoncursor.Cursor, b *Block) { b.BlockTimeISO = c.String() }},
	{"tenure_height", func(c *jsoncursor.Cursor, b *Block) { b.TenureHeight = tenure(c) }},
	{"index_block_hash", func(c *jsoncursor.Cursor, b *Block) { b.IndexBlockHash = c.String() }},
	{"parent_block_hash", func(c *jsoncursor.Cursor, b *Block) { b.ParentBlockHash = c.String() }},
	{"burn_block_time", func(c *jsoncursor.Cursor, b *Block) { b.BurnBlockTime = count(c) }},
	{"burn_block_time_iso", func(c *jsoncursor.Cursor, b *Block) { b.BurnBlockTimeISO = c.String() }},
	{"burn_block_hash", func(c *jsoncursor.Cursor, b *Block) { b.BurnBlockHash = c.String() }},
	{"burn_block_height", func(c *jsoncursor.Cursor, b *Block) { b.BurnBlockHeight = count(c) }},
	{"miner_txid", func(c *jsoncursor.Cursor, b *Block) { b.MinerTxID = c.String() }},
}, costFields(func(b *Block) *ExecutionCost { return &b.ExecutionCost }), fieldTable[Block]{
	{"txs", func(c *jsoncursor.Cursor, b *Block) { b.Txs = texts(c) }},
	{"tx_count", func(c *jsoncursor.Cursor, b *Block) { b.TxCount = knownCount(c) }},
	{"parent_index_block_hash", func(c *jsoncursor.Cursor, b *Block) { b.ParentIndexBlockHash = c.String() }},
	{"parent_microblock_hash", func(c *jsoncursor.Cursor, b *Block) { b.ParentMicroblockHash = c.String() }},
	{"parent_microblock_sequence", func(c *jsoncursor.Cursor, b *Block) { b.ParentMicroblockSequence = sequence(c) }},
	{"microblocks_accepted", func(c *jsoncursor.Cursor, b *Block) { b.MicroblocksAccepted = texts(c) }},
	{"microblocks_streamed", func(c *jsoncursor.Cursor, b *Block) { b.MicroblocksStreamed = texts(c) }},
	{"microblock_tx_count", func(c *jsoncursor.Cursor, b *Block) { b.MicroblockTxCount = counts(c) }},
})

func decodeBlock(c *jsoncursor.Cursor, b *Block) {
	b.ParentMicroblockSequence = -1
	blockFields.decode(c, b, &b.Extra)
}

var listedBlockFields = slices.Concat(fieldTable[ListedBlock]{
	{"canonical", func(c *jsoncursor.Cursor, b *ListedBlock) { b.Canonical = c.Bool() }},
	{"height", func(c *jsoncursor.Cursor, b *ListedBlock) { b.Height = count(c) }},
	{"hash", func(c *jsoncursor.Cursor, b *ListedBlock) { b.Hash = c.String() }},
	{"block_time", func(c *jsoncursor.Cursor, b *ListedBlock) { b.BlockTime = count(c) }},
	{"block_time_iso", func(c *jsoncursor.Cursor, b *ListedBlock) { b.BlockTimeISO = c.String() }},
	{"tenure_height", func(c *jsoncursor.Cursor, b *ListedBlock) { b.TenureHeight = tenure(c) }},
	{"index_block_hash", func(c *jsoncursor.Cursor, b *ListedBlock) { b.IndexBlockHash = c.String() }},
	{"parent_block_hash", func(c *jsoncursor.Cursor, b *ListedBlock) { b.ParentBlockHash = c.String() }},
	{"parent_index_block_hash", func(c *jsoncursor.Cursor, b *ListedBlock) { b.ParentIndexBlockHash = c.String() }},
	{"burn_block_time", func(c *jsoncursor.Cursor, b *ListedBlock) { b.BurnBlockTime = count(c) }},
	{"burn_block_time_iso", func(c *jsoncursor.Cursor, b *ListedBlock) { b.BurnBlockTimeISO = c.String() }},
	{"burn_block_hash", func(c *jsoncursor.Cursor, b *ListedBlock) { b.BurnBlockHash = c.String() }},
	{"burn_block_height", func(c *jsoncursor.Cursor, b *ListedBlock) { b.BurnBlockHeight = count(c) }},
	{"miner_txid", func(c *jsoncursor.Cursor, b *ListedBlock) { b.MinerTxID = c.String() }},
	{"tx_count", func(c *jsoncursor.Cursor, b *ListedBlock) { b.TxCount = count(c) }},
}, costFields(func(b *ListedBlock) *ExecutionCost { return &b.ExecutionCost }))

func decodeListedBlock(c *jsoncursor.Cursor, b *ListedBlock) {
	listedBlockFields.decode(c, b, &b.Extra)
}

// costFields returns the fields of an execution cost that is part of a T.
func costFields[T any](cost func(*T) *ExecutionCost) fieldTable[T] {
	return fieldTable[T]{
		{"execution_cost_read_count", func(c *jsoncursor.Cursor, v *T) { cost(v).ReadCount = count(c) }},
		{"execution_cost_read_length", func(c *jsoncursor.Cursor, v *T) { cost(v).ReadLength = count(c) }},
		{"execution_cost_runtime", func(c *jsoncursor.Cursor, v *T) { cost(v).Runtime = count(c) }},
		{"execution_cost_write_count", func(c *jsoncursor.Cursor, v *T) { cost(v).WriteCount = count(c) }},
		{"execution_cost_write_length", func(c *jsoncursor.Cursor, v *T) { cost(v).WriteLength = count(c) }},
	}
}

// knownCount reads a number that cannot be negative; null and "" are nil.
func knownCount(c *jsoncursor.Cursor) *int64 {
	n, known := numberBetween(c, 0)
	if !known {
		return nil
	}
	return &n
}

// sequence reads a microblock's sequence number, -1 when there is none.
func sequence(c *jsoncursor.Cursor) int64 {
	if n, known := numberBetween(c, -1); known {
		return n
	}
	return -1
}

// counts reads an object of counts.
func counts(c *jsoncursor.Cursor) map[string]int64 {
	out := map[string]int64{}
	if !c.Object() {
		return out
	}
	for {
		key, ok := c.Key()
		if !ok {
			return out
		}
		out[key] = count(c)
	}
}

// listOf makes the decoder of a list of blocks out of one of a row.
func listOf[T any](row func(*jsoncursor.Cursor, *T)) func(*jsoncursor.Cursor, *BlockList[T]) {
	return listFrom(0, row)
}

// listFrom is listOf for a list whose offset may be as low as least.
//
//go:noinline
func listFrom[T any](least int64, row func(*jsoncursor.Cursor, *T)) func(*jsoncursor.Cursor, *BlockList[T]) {
	row = requireObject(row)
	table := fieldTable[BlockList[T]]{
		{"limit", func(c *jsoncursor.Cursor, l *BlockList[T]) { l.Limit = count(c) }},
		{"offset", func(c *jsoncursor.Cursor, l *BlockList[T]) { l.Offset, _ = numberBetween(c, least) }},
		{"total", func(c *jsoncursor.Cursor, l *BlockList[T]) { l.Total = count(c) }},
		{"results", func(c *jsoncursor.Cursor, l *BlockList[T]) {
			l.Results = make([]T, 0, maxLimit)
			if !c.Array() {
				return
			}
			for c.Item() {
				var zero T
				l.Results = append(l.Results, zero)
				row(c, &l.Results[len(l.Results)-1])
			}
		}},
	}
	return func(c *jsoncursor.Cursor, l *BlockList[T]) {
		table.decode(c, l, &l.Extra)
		if l.Results == nil && c.Err() == nil {
			c.Fail(c.Offset(), "the list has no field results")
		}
	}
}
