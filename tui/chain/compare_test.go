package chain

import (
	"fmt"
	"testing"

	"chainscope/apiclient"
)

// branch makes blocks of a branch of the chain, the highest first; branches share no hash.
func branch(name string, hi, lo int64) []*Block {
	var out []*Block
	for h := hi; h >= lo; h-- {
		out = append(out, &Block{Block: apiclient.Block{Canonical: true, Height: h, IndexBlockHash: fmt.Sprint(name, h), Hash: fmt.Sprint("hash ", name, h), ParentBlockHash: fmt.Sprint("hash ", name, h-1)}})
	}
	return out
}

func TestAPageSaysHowTheChainChanged(t *testing.T) {
	forked := append(branch("b", 9, 8), branch("a", 7, 5)...)
	forked[1].ParentBlockHash = "hash a7"
	alone := branch("b", 9, 9)
	for name, c := range map[string]struct {
		page []*Block
		want Compared
	}{
		"the same":                     {branch("a", 9, 5), Compared{}},
		"longer":                       {branch("a", 12, 8), Compared{}},
		"longer, on what was loaded":   {branch("a", 12, 10), Compared{}},
		"longer, and a gap":            {branch("a", 19, 15), Compared{Apart: true}},
		"two replaced":                 {forked, Compared{From: 8, Changed: true}},
		"one replaced, told by itself": {alone, Compared{From: 8, Changed: true}},
		"undone":                       {branch("a", 7, 5), Compared{Shorter: true, From: 8, Changed: true}},
		"undone far":                   {branch("a", 3, 2), Compared{Shorter: true, Other: true, Changed: true}},
		"another, lower":               {branch("c", 6, 3), Compared{Shorter: true, Other: true, Changed: true}},
		"another, as high":             {branch("c", 9, 5), Compared{Other: true, Changed: true}},
		"another, higher":              {branch("c", 12, 10), Compared{Other: true, Changed: true}},
	} {
		loaded := map[int64]*Block{}
		for _, b := range branch("a", 9, 5) {
			loaded[b.Height] = b
		}
		got := Compare(c.page, 9, true, func(h int64) *Block { return loaded[h] })
		if got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func TestAServerThatLagsBehindIsNoShorterChain(t *testing.T) {
	at := func(h int64) *Block {
		if h > 9 {
			return nil
		}
		return branch("a", h, h)[0]
	}
	if got := Compare(branch("a", 8, 5), 9, false, at); got != (Compared{}) {
		t.Errorf("%+v", got)
	}
	if got := Compare(branch("b", 8, 5), 9, false, at); !got.Other {
		t.Errorf("another chain: %+v", got)
	}
}
