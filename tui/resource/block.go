package resource

import (
	"strings"

	"chainscope/apiclient"
	"chainscope/tui/text"
	"chainscope/tui/theme"
)

// Block is a Stacks block in a list.
type Block struct {
	*apiclient.Block
	// Orphaned reports that another block is at its height.
	Orphaned bool
}

// BlockOf returns a block as an API describes it. Some say of the first block of a chain that it is
// not canonical, and no other is in its place.
func BlockOf(b *apiclient.Block) Block {
	return Block{Block: b, Orphaned: !b.Canonical && b.Height > 0}
}

// State reports whether the block is of the chain.
func (b Block) State() string {
	if b.Orphaned {
		return "orphaned"
	}
	return "canonical"
}

// Weight returns the greatest share of the limits that the block's cost has, unknown where the
// route that answered does not say it.
func (b Block) Weight() Value {
	if b.Lacks.Cost() {
		return Value{}
	}
	return ShareOf(GreatestCost(b.ExecutionCost))
}

// Blocks describes Stacks blocks.
func Blocks() Kind[Block] {
	txs := func(b Block) Value {
		n, known := b.Transactions()
		return Value{known: known, number: n}
	}
	return Kind[Block]{Name: "block", Fields: Block.fields, Columns: []Column[Block]{
		{Name: "height", Field: "height", Head: "HEIGHT", Type: Number, Least: 10, Most: 10, Keep: 9, Style: Numeral, Value: func(b Block) Value { return NumberOf(b.Height) }},
		{Name: "hash", Field: "hash", Head: "BLOCK HASH", Type: Hash, Least: 13, Most: 66, Keep: 8, Value: func(b Block) Value { return TextOf(b.Hash) }, Draw: blockHash},
		{Name: "burn", Field: "burn_block_height", Head: "BURN", Title: "BURN HEIGHT", Type: Number, Least: 9, Most: 9, Keep: 6, Style: Muted, Value: func(b Block) Value { return NumberOf(b.BurnBlockHeight) }},
		{Name: "txs", Field: "tx_count", Head: "TXS", Type: Number, Least: 5, Most: 5, Keep: 7, Value: txs},
		{Name: "cost", Head: "COST", Type: Share, Least: 11, Most: 11, Keep: 5, Value: Block.Weight, Draw: blockCost},
		{Name: "age", Field: "time", Head: "AGE", Title: "TIME (UTC)", Type: Moment, Tail: true, Value: func(b Block) Value { return SecondsOf(b.BlockTime) }},
		{Name: "tenure", Field: "tenure_height", Type: Number, Value: func(b Block) Value { return NumberAt(b.TenureHeight) }},
		{Name: "state", Value: func(b Block) Value { return TextOf(b.State()) }},
		{Name: "index", Field: "index_block_hash", Type: Hash, Value: func(b Block) Value { return TextOf(b.IndexBlockHash) }},
		{Name: "parent", Field: "parent_block_hash", Type: Hash, Value: func(b Block) Value { return TextOf(b.ParentBlockHash) }},
		{Name: "parentindex", Field: "parent_index_block_hash", Type: Hash, Value: func(b Block) Value { return TextOf(b.ParentIndexBlockHash) }},
		{Name: "burnhash", Field: "burn_block_hash", Type: Hash, Value: func(b Block) Value { return TextOf(b.BurnBlockHash) }},
		{Name: "miner", Field: "miner_txid", Type: Hash, Value: func(b Block) Value { return TextOf(b.MinerTxID) }},
		costColumn("runtime", "execution_cost_runtime", func(c apiclient.ExecutionCost) int64 { return c.Runtime }),
		costColumn("reads", "execution_cost_read_count", func(c apiclient.ExecutionCost) int64 { return c.ReadCount }),
		costColumn("readlength", "execution_cost_read_length", func(c apiclient.ExecutionCost) int64 { return c.ReadLength }),
		costColumn("writes", "execution_cost_write_count", func(c apiclient.ExecutionCost) int64 { return c.WriteCount }),
		costColumn("writelength", "execution_cost_write_length", func(c apiclient.ExecutionCost) int64 { return c.WriteLength }),
		{Name: "transactions", Hidden: true, Value: func(b Block) Value { return TextOf(strings.Join(b.Txs, " ")) }},
	}}
}

// costColumn returns one dimension of what a block cost to execute.
func costColumn(name, field string, of func(apiclient.ExecutionCost) int64) Column[Block] {
	return Column[Block]{Name: name, Field: field, Type: Number, Value: func(b Block) Value {
		if b.Lacks.Cost() {
			return Value{}
		}
		return NumberOf(of(b.ExecutionCost))
	}}
}

func blockHash(b Block, width int, th *theme.Theme) string {
	style := th.Text
	if b.Orphaned {
		style = th.Struck
	}
	hash := text.MiddleWith(b.Hash, width, th.Glyphs.Ellipsis)
	return text.Fill(style.Render(hash), width)
}

// blockCost draws the greatest share as a bar and in percent. Of an orphaned block it says
// that instead.
func blockCost(b Block, width int, th *theme.Theme) string {
	if b.Orphaned {
		return text.Fill(th.Bad.Render(text.Truncate(th.Glyphs.Cross+" orphaned", width)), width)
	}
	v := b.Weight()
	if !v.Known() {
		return th.Text.Render(text.PadLeft("?", width))
	}
	bar := strings.ReplaceAll(CostBar(v.share, width-6, th), string(th.Glyphs.Chart.Empty), " ") // not a wall of shade
	return bar + th.Text.Render(text.PadLeft(text.Percent(v.share), 6))
}
