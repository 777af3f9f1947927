package apiclient

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Detach returns a copy that holds memory of its own. The texts of a decoded answer
// are parts of its body: one block that is kept would keep the thirty that came with
// it.
func (b *Block) Detach() Block {
	o := *b
	texts := []*string{&o.Hash, &o.BlockTimeISO, &o.IndexBlockHash, &o.ParentBlockHash, &o.ParentIndexBlockHash, &o.BurnBlockTimeISO, &o.BurnBlockHash, &o.MinerTxID, &o.ParentMicroblockHash}
	for _, list := range []*[]string{&o.Txs, &o.MicroblocksAccepted, &o.MicroblocksStreamed} {
		*list = slices.Clone(*list)
		for i := range *list {
			texts = append(texts, &(*list)[i])
		}
	}
	detachTexts(texts)
	o.TenureHeight, o.TxCount = detachNumber(o.TenureHeight), detachNumber(o.TxCount)
	o.MicroblockTxCount = detachKeys(o.MicroblockTxCount, func(n int64) int64 { return n })
	o.Extra = detachKeys(o.Extra, slices.Clone[json.RawMessage])
	return o
}

// Detach is Block.Detach for a block of the listing of a burn block.
func (b *ListedBlock) Detach() ListedBlock {
	o := *b
	detachTexts([]*string{&o.Hash, &o.BlockTimeISO, &o.IndexBlockHash, &o.ParentBlockHash, &o.ParentIndexBlockHash, &o.BurnBlockTimeISO, &o.BurnBlockHash, &o.MinerTxID})
	o.TenureHeight = detachNumber(o.TenureHeight)
	o.Extra = detachKeys(o.Extra, slices.Clone[json.RawMessage])
	return o
}

// detachTexts makes texts parts of one new string.
func detachTexts(texts []*string) {
	n := 0
	for _, t := range texts {
		n += len(*t)
	}
	var b strings.Builder
	b.Grow(n)
	for _, t := range texts {
		b.WriteString(*t)
	}
	all := b.String()
	for _, t := range texts {
		*t, all = all[:len(*t)], all[len(*t):]
	}
}

func detachNumber(n *int64) *int64 {
	if n == nil {
		return nil
	}
	own := *n
	return &own
}

func detachKeys[V any](m map[string]V, value func(V) V) map[string]V {
	if m == nil {
		return nil
	}
	own := make(map[string]V, len(m))
	for k, v := range maps.All(m) {
		own[strings.Clone(k)] = value(v)
	}
	return own
}
