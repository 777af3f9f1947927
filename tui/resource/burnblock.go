package resource

import (
	"cmp"
	"slices"
	"time"

	"chainscope/tui/nav"
	"chainscope/tui/text"
)

// BurnBlock is a burn block in a list, with what is known of its Stacks blocks.
type BurnBlock struct {
	Height int64
	Hash   string
	Time   time.Time
	// Blocks and Transactions count its Stacks blocks and what is in them.
	Blocks, Transactions Value
	// Empty reports that it is known to have no Stacks block.
	Empty bool
	// Before is the time when the burn block before it was mined, the zero time where that is not
	// known.
	Before time.Time
	// Stacks are its Stacks blocks that are loaded, the highest first.
	Stacks []Block
}

// BurnBlocks describes burn blocks.
func BurnBlocks() Kind[BurnBlock] {
	return Kind[BurnBlock]{Name: "burn block", Fields: BurnBlock.fields, Columns: []Column[BurnBlock]{
		{Name: "height", Field: "burn_block_height", Head: "BURN BLOCK", Title: "BURN HEIGHT", Type: Number, Least: 10, Most: 10, Keep: 9, Style: Numeral, Value: func(b BurnBlock) Value { return NumberOf(b.Height) }},
		{Name: "hash", Field: "burn_block_hash", Title: "BURN HASH", Type: Hash, Value: func(b BurnBlock) Value { return TextOf(b.Hash) }},
		{Name: "blocks", Field: "stacks_block_count", Head: "BLOCKS", Title: "STACKS BLOCKS", Type: Number, Least: 6, Most: 7, Keep: 8, Value: func(b BurnBlock) Value { return b.Blocks }},
		{Name: "txs", Field: "total_tx_count", Head: "TXS", Type: Number, Least: 6, Most: 6, Keep: 7, Value: func(b BurnBlock) Value { return b.Transactions }},
		{Name: "age", Field: "time", Head: "AGE", Title: "TIME (UTC)", Type: Moment, Tail: true, Value: func(b BurnBlock) Value { return MomentOf(b.Time) }},
	}}
}

// fields returns what is known of a burn block, and its Stacks blocks as links.
func (b BurnBlock) fields() []Field {
	fields := []Field{
		{Section: "Burn block " + text.Count(b.Height)},
		{Label: "height", Type: Number, Value: NumberOf(b.Height), To: nav.BurnBlockAtHeight(b.Height).Link(), Key: "n"},
	}
	if b.Empty {
		return append(fields, Field{Label: "blocks", Value: TextOf("no Stacks block in this burn block"), Mark: Remark})
	}
	fields = append(fields,
		Field{Label: "hash", Type: Hash, Value: TextOf(b.Hash), To: nav.BurnBlockAtHash(b.Hash).Link(), Key: "h"},
		Field{Label: "time", Type: Moment, Value: MomentOf(b.Time)},
	)
	if !b.Before.IsZero() && !b.Before.After(b.Time) {
		fields = append(fields, Field{Label: "interval", Value: TextOf(text.Duration(b.Time.Sub(b.Before))), Note: "since previous burn block"})
	}
	counted := Field{Label: "transactions", Type: Number, Value: b.Transactions}
	if b.Transactions.AtLeast {
		counted.Note = "in the " + text.Plural(len(b.Stacks), "loaded block")
	}
	fields = append(append(fields, Field{Label: "blocks", Type: Number, Value: b.Blocks}, counted), b.tenures()...)
	fields = append(fields, Field{Section: "Stacks blocks"})
	for _, one := range b.Stacks {
		n, _ := one.Transactions()
		fields = append(fields, Field{Label: text.Count(one.Height), Type: Hash, Value: TextOf(one.Hash), To: nav.BlockAtHeight(one.Height).Link(), Note: text.Plural(int(max(0, n)), "tx")})
	}
	return fields
}

// tenures returns the known tenures of the loaded blocks, the highest first.
func (b BurnBlock) tenures() []Field {
	seen := map[int64]bool{}
	var heights []int64
	for _, one := range b.Stacks {
		if t := one.TenureHeight; t != nil && !seen[*t] {
			seen[*t], heights = true, append(heights, *t)
		}
	}
	slices.SortFunc(heights, func(a, b int64) int { return cmp.Compare(b, a) })
	var fields []Field
	for _, t := range heights {
		fields = append(fields, Field{Label: "tenure", Type: Number, Value: NumberOf(t)})
	}
	return fields
}
