package resource

import (
	"encoding/json"
	"maps"
	"slices"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/text"
)

// fields returns all values of a block except its transactions and microblocks, which are lists
// of their own.
func (b Block) fields() []Field {
	hash := Plain
	state := Field{Label: "state", Value: TextOf("canonical"), Mark: Good}
	if b.Orphaned {
		hash = Struck
		state = Field{Label: "state", Value: TextOf("orphaned"), Mark: Bad, Note: "another block is at this height"}
	}
	shows := func(f Field, name string) Field {
		f.Unreported = b.Lacks[name] && !f.Value.Known()
		return f
	}
	parent := Field{Label: "parent", Type: Hash, Value: TextOf(b.ParentBlockHash), Key: "p"}
	if b.Height > 0 {
		parent.To = nav.BlockAtHeight(b.Height - 1).Link()
	}
	fields := append(make([]Field, 0, 32),
		Field{Section: "Block " + text.Count(b.Height)},
		Field{Label: "height", Type: Number, Value: NumberOf(b.Height), Key: "n"},
		state,
		Field{Label: "hash", Type: Hash, Value: TextOf(b.Hash), Mark: hash, Key: "h"},
		Field{Label: "index hash", Type: Hash, Value: TextOf(b.IndexBlockHash), Mark: hash, Key: "i"},
		shows(parent, "parent_block_hash"),
	)
	if above := shows(Field{Label: "parent index", Type: Hash, Value: TextOf(b.ParentIndexBlockHash), To: parent.To}, "parent_index_block_hash"); above.Unreported || above.Value.Known() {
		fields = append(fields, above)
	}
	fields = append(fields,
		Field{Label: "time", Type: Moment, Value: SecondsOf(b.BlockTime), Exact: b.BlockTimeISO},
		Field{Label: "tenure", Type: Number, Value: NumberAt(b.TenureHeight)},
	)
	if n, known := b.Transactions(); known && b.Txs == nil {
		fields = append(fields, Field{Label: "transactions", Type: Number, Value: NumberOf(n)})
	}
	fields = append(fields,
		Field{Label: "burn block", Type: Number, Value: NumberOf(b.BurnBlockHeight), To: nav.BurnBlockAtHeight(b.BurnBlockHeight).Link()},
		Field{Label: "burn hash", Type: Hash, Value: TextOf(b.BurnBlockHash), To: nav.BurnBlockAtHash(b.BurnBlockHash).Link(), Key: "b"},
		Field{Label: "burn time", Type: Moment, Value: SecondsOf(b.BurnBlockTime), Exact: b.BurnBlockTimeISO},
		shows(Field{Label: "miner tx", Type: Hash, Value: TextOf(b.MinerTxID), Key: "m"}, "miner_txid"),
	)
	return append(append(fields, costFields(b.ExecutionCost, b.Lacks.Cost())...), extraFields(b.Extra)...)
}

// costFields returns the execution cost as shares of the limits of a block.
func costFields(cost apiclient.ExecutionCost, unreported bool) []Field {
	of := "share of "
	if GreatestCost(cost) < 0.01 {
		of = "less than 1 % of " // five empty bars would say no more
	}
	fields := append(make([]Field, 0, 6), Field{Section: "Execution cost (" + of + "mainnet limit)"})
	if unreported {
		return append(fields, Field{Label: "cost", Unreported: true})
	}
	for _, d := range CostDimensions(cost) {
		fields = append(fields, Field{Label: d.Name, Type: Number, Value: NumberOf(d.Used)})
		if of == "share of " {
			fields[len(fields)-1].Limit = d.Limit
		}
	}
	return fields
}

// OtherFields is the heading of the fields that the API's description does not name. They come
// last.
const OtherFields = "Other fields"

// extraFields returns the fields that the API's description does not name.
func extraFields(extra map[string]json.RawMessage) []Field {
	if len(extra) == 0 {
		return nil
	}
	fields := []Field{{Section: OtherFields}}
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		fields = append(fields, Field{Label: name, Value: TextOf(string(extra[name]))})
	}
	return fields
}
