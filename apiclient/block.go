package apiclient

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Block is a block record of the single-block endpoints and of the list of
// recent blocks. Hashes are 0x and 64 hex digits. A field the server did not
// give has its zero value unless its comment says otherwise; Lacks reports which
// fields the route that answered does not have.
type Block struct {
	Canonical bool   `json:"canonical"`
	Height    int64  `json:"height"`
	Hash      string `json:"hash"`
	// BlockTime and BurnBlockTime are Unix times in whole seconds; the ISO
	// fields are the server's own text of them.
	BlockTime    int64  `json:"block_time"`
	BlockTimeISO string `json:"block_time_iso"`
	// TenureHeight is nil when it is not known (absent, null or -1).
	TenureHeight     *int64 `json:"tenure_height"`
	IndexBlockHash   string `json:"index_block_hash"`
	ParentBlockHash  string `json:"parent_block_hash"`
	BurnBlockTime    int64  `json:"burn_block_time"`
	BurnBlockTimeISO string `json:"burn_block_time_iso"`
	BurnBlockHash    string `json:"burn_block_hash"`
	BurnBlockHeight  int64  `json:"burn_block_height"`
	MinerTxID        string `json:"miner_txid"`
	ExecutionCost
	// Txs are transaction ids, the last of the block first; nil when they are not
	// known.
	Txs []string `json:"txs"`
	// ParentIndexBlockHash and TxCount are given by the routes of v2 and v3 only; ""
	// and nil when they are not known.
	ParentIndexBlockHash string `json:"parent_index_block_hash,omitempty"`
	TxCount              *int64 `json:"tx_count,omitempty"`
	// ParentMicroblockHash is "" and ParentMicroblockSequence -1 when no
	// microblock stream precedes the block.
	ParentMicroblockHash     string   `json:"parent_microblock_hash"`
	ParentMicroblockSequence int64    `json:"parent_microblock_sequence"`
	MicroblocksAccepted      []string `json:"microblocks_accepted"`
	MicroblocksStreamed      []string `json:"microblocks_streamed"`
	// MicroblockTxCount maps a microblock's hash to its number of transactions.
	MicroblockTxCount map[string]int64 `json:"microblock_tx_count"`
	// Lacks names the fields of REST that are not known, because the route that
	// answered does not have them. It is nil for a whole record.
	Lacks Lacks `json:"-"`
	// Extra holds the fields REST does not name, as they came.
	Extra map[string]json.RawMessage `json:",embed"`
}

// Lacks is a set of fields that are not known, by their names in REST, such as
// "txs". A field of it has no value, not even an empty one. It must not be changed.
type Lacks map[string]bool

// Cost reports whether it is not known what a block cost.
func (l Lacks) Cost() bool { return l["execution_cost_runtime"] }

// MarshalJSON writes what is known of a block, under the names of REST.
func (b Block) MarshalJSON() ([]byte, error) {
	type plain Block
	return knownFields((*plain)(&b), b.Lacks, &b.Extra)
}

// MarshalJSON writes what is known of a block, under the names of REST.
func (b ListedBlock) MarshalJSON() ([]byte, error) {
	type plain ListedBlock
	return knownFields((*plain)(&b), b.Lacks, &b.Extra)
}

// MarshalJSON writes what is known of a burn block, under the names of REST, with null
// for the rest.
func (b BurnBlock) MarshalJSON() ([]byte, error) {
	type plain BurnBlock
	b.Extra = nil
	return knownFields((*plain)(&b), nil, &b.Extra)
}

// MarshalJSON writes a page with what REST names of it.
func (l List[T]) MarshalJSON() ([]byte, error) {
	type plain List[T]
	l.Extra = nil
	return knownFields((*plain)(&l), nil, &l.Extra)
}

// knownFields writes a record without the fields that are not known, and with those that
// REST does not name behind the others: it takes them out of the record.
func knownFields(record any, lacks Lacks, extra *map[string]json.RawMessage) ([]byte, error) {
	unnamed := *extra
	*extra = nil
	raw, err := jsonv2.Marshal(record, jsonv2.FormatNilSliceAsNull(true), jsonv2.FormatNilMapAsNull(true), jsonv2.Deterministic(true))
	if err != nil || len(lacks)+len(unnamed) == 0 {
		return raw, err
	}
	out := []byte{'{'}
	add := func(name string, value []byte) {
		if len(out) > 1 {
			out = append(out, ',')
		}
		out, _ = jsontext.AppendQuote(out, name)
		out = append(append(out, ':'), value...)
	}
	d := jsontext.NewDecoder(bytes.NewReader(raw))
	_, _ = d.ReadToken() // {
	for d.PeekKind() == '"' {
		token, _ := d.ReadToken()
		name := token.String()
		if value, _ := d.ReadValue(); !lacks[name] {
			add(name, value)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(unnamed)) {
		add(name, unnamed[name])
	}
	return append(out, '}'), nil
}

// Transactions returns the number of a block's transactions, and whether it is
// known.
func (b *Block) Transactions() (n int64, known bool) {
	switch {
	case b.Txs != nil:
		return int64(len(b.Txs)), true
	case b.TxCount != nil:
		return *b.TxCount, true
	}
	return 0, false
}

// ExecutionCost holds what a block cost in the five dimensions of its limits.
type ExecutionCost struct {
	ReadCount   int64 `json:"execution_cost_read_count"`
	ReadLength  int64 `json:"execution_cost_read_length"`
	Runtime     int64 `json:"execution_cost_runtime"`
	WriteCount  int64 `json:"execution_cost_write_count"`
	WriteLength int64 `json:"execution_cost_write_length"`
}

// ListedBlock is a block record of the listing of one burn block. Fields it
// shares with Block mean the same.
type ListedBlock struct {
	Canonical            bool   `json:"canonical"`
	Height               int64  `json:"height"`
	Hash                 string `json:"hash"`
	BlockTime            int64  `json:"block_time"`
	BlockTimeISO         string `json:"block_time_iso"`
	TenureHeight         *int64 `json:"tenure_height"`
	IndexBlockHash       string `json:"index_block_hash"`
	ParentBlockHash      string `json:"parent_block_hash"`
	ParentIndexBlockHash string `json:"parent_index_block_hash"`
	BurnBlockTime        int64  `json:"burn_block_time"`
	BurnBlockTimeISO     string `json:"burn_block_time_iso"`
	BurnBlockHash        string `json:"burn_block_hash"`
	BurnBlockHeight      int64  `json:"burn_block_height"`
	MinerTxID            string `json:"miner_txid"`
	// TxCount is the number of transactions in the block.
	TxCount int64 `json:"tx_count"`
	ExecutionCost
	// Lacks means the same as in Block.
	Lacks Lacks                      `json:"-"`
	Extra map[string]json.RawMessage `json:",embed"`
}

// Block returns the block with all fields of a block; those that the list does not have are
// not known.
func (b ListedBlock) Block() Block {
	lacks := maps.Clone(b.Lacks)
	if lacks == nil {
		lacks = Lacks{}
	}
	lacks["txs"], lacks["microblocks_accepted"] = true, true
	return Block{
		Canonical: b.Canonical, Height: b.Height, Hash: b.Hash, BlockTime: b.BlockTime, BlockTimeISO: b.BlockTimeISO, TenureHeight: b.TenureHeight,
		IndexBlockHash: b.IndexBlockHash, ParentBlockHash: b.ParentBlockHash, ParentIndexBlockHash: b.ParentIndexBlockHash,
		BurnBlockTime: b.BurnBlockTime, BurnBlockTimeISO: b.BurnBlockTimeISO, BurnBlockHash: b.BurnBlockHash, BurnBlockHeight: b.BurnBlockHeight,
		MinerTxID: b.MinerTxID, TxCount: b.count(), ExecutionCost: b.ExecutionCost, ParentMicroblockSequence: -1, Lacks: lacks, Extra: b.Extra,
	}
}

func (b ListedBlock) count() *int64 {
	if b.Lacks["tx_count"] {
		return nil
	}
	return &b.TxCount
}

// List is a page of a list.
type List[T any] struct {
	// Limit and Offset are those the server used.
	Limit  int64 `json:"limit"`
	Offset int64 `json:"offset"`
	// Total counts all that there are, not those of the page. The burn-block
	// listing answers 0 for an offset past the end.
	Total   int64                      `json:"total"`
	Results []T                        `json:"results"`
	Extra   map[string]json.RawMessage `json:",embed"`
}

// Results returns the rows of a page as the server sent them, nil for those that it did not send.
func Results(page json.RawMessage, rows int) []json.RawMessage {
	var of struct {
		Results []json.RawMessage `json:"results"`
	}
	_ = json.Unmarshal(page, &of) // the client has read this text already
	return append(of.Results, make([]json.RawMessage, max(0, rows-len(of.Results)))...)
}
