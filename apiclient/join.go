package apiclient

import (
	"cmp"
	"slices"
)

// JoinBlocks adds a page of blocks to those loaded before, the highest first.
// A block is the same when its index block hash is; the page's row is the
// newer word on it. A loaded block gives way to another one of the page at its
// height, which has replaced it on the chain. Neither argument is changed.
func JoinBlocks(loaded, page []Block) []Block {
	heights := make(map[int64]bool, len(page))
	hashes := make(map[string]bool, len(page))
	out := make([]Block, 0, len(loaded)+len(page))
	for _, b := range page {
		if b.IndexBlockHash != "" && hashes[b.IndexBlockHash] {
			continue
		}
		hashes[b.IndexBlockHash], heights[b.Height] = true, true
		out = append(out, b)
	}
	for _, b := range loaded {
		if !hashes[b.IndexBlockHash] && !heights[b.Height] {
			out = append(out, b)
		}
	}
	slices.SortStableFunc(out, func(a, b Block) int { return cmp.Compare(b.Height, a.Height) })
	return out
}
