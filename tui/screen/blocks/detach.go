package blocks

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// detachFromPage makes a record hold memory of its own. The texts of a decoded page are
// parts of the page's body: one block that stays would keep the thirty that came
// with it.
func (r *record) detachFromPage() *record {
	o := *r
	text := []*string{&o.Hash, &o.BlockTimeISO, &o.IndexBlockHash, &o.ParentBlockHash, &o.ParentIndexBlockHash, &o.BurnBlockTimeISO, &o.BurnBlockHash, &o.MinerTxID, &o.ParentMicroblockHash}
	for _, list := range []*[]string{&o.Txs, &o.MicroblocksAccepted, &o.MicroblocksStreamed} {
		*list = slices.Clone(*list)
		for i := range *list {
			text = append(text, &(*list)[i])
		}
	}
	copyAll(text)
	if o.TenureHeight != nil {
		height := *o.TenureHeight
		o.TenureHeight = &height
	}
	if o.TxCount != nil {
		n := *o.TxCount
		o.TxCount = &n
	}
	o.MicroblockTxCount = cloneKeys(o.MicroblockTxCount, func(n int64) int64 { return n })
	o.Extra = cloneKeys(o.Extra, func(raw json.RawMessage) json.RawMessage { return slices.Clone(raw) })
	o.raw = slices.Clone(o.raw)
	return &o
}

// copyAll makes texts parts of one new string.
func copyAll(texts []*string) {
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

func cloneKeys[V any](m map[string]V, value func(V) V) map[string]V {
	if m == nil {
		return nil
	}
	own := make(map[string]V, len(m))
	for k, v := range maps.All(m) {
		own[strings.Clone(k)] = value(v)
	}
	return own
}
