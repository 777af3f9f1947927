package apiclient

import (
	"encoding/json"
	"maps"
	"slices"

	"chainscope/apiclient/internal/jsoncursor"
)

var (
	blockV3Decoder      = newDecoder(requireObject(decodeBlockV3))
	blocksV3Decoder     = newDecoder(requireObject(listOf(decodeBlockV3)))
	burnBlocksV3Decoder = newDecoder(requireObject(listOf(decodeBurnBlockV3)))
)

// reading is a value that is being read leniently: a T, the fields of REST that it
// has, and the fields that nobody knows.
type reading[T any] struct {
	value *T
	has   map[string]bool
	extra *map[string]json.RawMessage
}

// lenientFields read the fields of a T under any of their names.
type lenientFields[T any] map[string]func(string, *reading[T])

// decode reads an object into r. A value of an unexpected type is kept as it came
// and leaves its field unknown.
func (t lenientFields[T]) decode(c *jsoncursor.Cursor, r *reading[T]) {
	if !c.Object() {
		return
	}
	for {
		key, ok := c.Key()
		if !ok {
			return
		}
		raw := c.Skip()
		if c.Err() != nil {
			return
		}
		if read := t[key]; read != nil {
			read(raw, r)
		} else {
			r.keep(key, raw)
		}
	}
}

// keep keeps a field that nobody knows.
func (r *reading[T]) keep(key, raw string) {
	if *r.extra == nil {
		*r.extra = map[string]json.RawMessage{}
	}
	(*r.extra)[key] = json.RawMessage(raw)
}

// known reads the field that REST calls name, unless it is null or "", or was read
// under another name.
//
//go:noinline
func known[T any](name string, table fieldTable[T]) func(string, *reading[T]) {
	i := table.find(name, 0)
	read := table[i].read
	return func(raw string, r *reading[T]) {
		if raw == "null" || raw == `""` || r.has[name] {
			return
		}
		try := *r.value
		c := jsoncursor.New(raw)
		read(c, &try)
		if c.End() != nil {
			r.keep(name, raw)
			return
		}
		*r.value, r.has[name] = try, true
	}
}

// renamed returns how to read the fields of a table under their own names, and under
// other ones.
func renamed[T any](table fieldTable[T], names map[string]string) lenientFields[T] {
	f := lenientFields[T]{}
	for _, field := range table {
		f[field.key] = known(field.key, table)
	}
	for name, key := range names {
		f[name] = known(key, table)
	}
	return f
}

// inside reads an object whose fields stand for those of the object around it.
//
//go:noinline
func inside[T any](name string, fields lenientFields[T]) func(string, *reading[T]) {
	return func(raw string, r *reading[T]) {
		c := jsoncursor.New(raw)
		if !c.Here('{') {
			r.keep(name, raw)
			return
		}
		fields.decode(c, r)
	}
}

// blockFieldsV3 are the fields of a block under their names in v2 and v3. The names
// of v3's routes of blocks are not published: these are the words that its other
// routes use for the same things.
var blockFieldsV3 = func() lenientFields[Block] {
	f := renamed(blockFields, map[string]string{
		"block_height": "height", "block_hash": "hash", "time": "block_time", "time_iso": "block_time_iso",
		"index_hash": "index_block_hash", "parent_hash": "parent_block_hash",
		"parent_index_hash": "parent_index_block_hash", "parent_index_block_hash": "parent_index_block_hash",
		"miner_tx_id": "miner_txid", "transaction_count": "tx_count",
	})
	bitcoin := lenientFields[Block]{}
	for name, key := range map[string]string{"height": "burn_block_height", "hash": "burn_block_hash", "time": "burn_block_time", "time_iso": "burn_block_time_iso"} {
		bitcoin[name] = known(key, blockFields)
	}
	f["bitcoin_block"] = inside("bitcoin_block", bitcoin)
	f["burn_block"] = inside("burn_block", bitcoin)
	parent := lenientFields[Block]{"hash": known("parent_block_hash", blockFields), "index_hash": known("parent_index_block_hash", blockFields)}
	f["parent"] = inside("parent", parent)
	f["parent_block"] = inside("parent_block", parent)
	cost := lenientFields[Block]{}
	for _, name := range []string{"read_count", "read_length", "runtime", "write_count", "write_length"} {
		cost[name] = known("execution_cost_"+name, blockFields)
	}
	f["execution_cost"] = inside("execution_cost", cost)
	whole := maps.Clone(f)
	whole["block"] = inside("block", f)
	return whole
}()

// decodeBlockV3 reads a block of v3. It fails only on one without height and hashes.
// A record that does not say whether it is canonical is taken for canonical, since
// the routes of v3 serve the canonical chain; Lacks tells.
func decodeBlockV3(c *jsoncursor.Cursor, b *Block) {
	at := c.Offset()
	*b = Block{Canonical: true, ParentMicroblockSequence: -1}
	r := &reading[Block]{b, map[string]bool{}, &b.Extra}
	blockFieldsV3.decode(c, r)
	if c.Err() == nil && !r.has["height"] && !r.has["hash"] && !r.has["index_block_hash"] {
		c.Fail(at, "the block has neither a height nor a hash")
	}
	b.Lacks = lacking(blockFields, r.has)
}

// lacking returns the fields of a table that were not read.
func lacking[T any](table fieldTable[T], has map[string]bool) Lacks {
	out := Lacks{}
	for _, f := range table {
		if !has[f.key] {
			out[f.key] = true
		}
	}
	return out
}

var burnBlockFieldsV3 = func() lenientFields[BurnBlock] {
	f := renamed(burnBlockFields, map[string]string{
		"height": "burn_block_height", "hash": "burn_block_hash", "time": "burn_block_time", "time_iso": "burn_block_time_iso",
		"block_height": "burn_block_height", "block_hash": "burn_block_hash", "block_time": "burn_block_time",
		"tx_count": "total_tx_count", "transaction_count": "total_tx_count", "block_count": "stacks_block_count", "stacks_blocks_count": "stacks_block_count",
	})
	whole := maps.Clone(f)
	whole["bitcoin_block"] = inside("bitcoin_block", f)
	return whole
}()

// decodeBurnBlockV3 reads a burn block of v3. It fails only on one without height and
// hash.
func decodeBurnBlockV3(c *jsoncursor.Cursor, b *BurnBlock) {
	at := c.Offset()
	r := &reading[BurnBlock]{b, map[string]bool{}, &b.Extra}
	burnBlockFieldsV3.decode(c, r)
	if c.Err() == nil && !r.has["burn_block_height"] && !r.has["burn_block_hash"] {
		c.Fail(at, "the burn block has neither a height nor a hash")
	}
	if b.Blocks == nil && b.StacksBlocks != nil {
		n := int64(len(b.StacksBlocks))
		b.Blocks, r.has["stacks_block_count"] = &n, true
	}
	b.Lacks = lacking(slices.Clone(burnBlockFields), r.has)
}
