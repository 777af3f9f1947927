package chain

import (
	"cmp"
	"slices"
)

// Landmark is a height that shows something.
type Landmark struct {
	Height     int64  `json:"height"`
	BurnHeight int64  `json:"burn_height"`
	What       string `json:"what"`
}

// searchBack bounds how far below a start a landmark is looked for.
const searchBack = 20_000

// Landmarks returns heights worth looking at, newest first: one of each kind of
// block and burn block that this view has. For "void", a burn block without any
// Stacks block, Height is the newest before it.
func (v *View) Landmarks() []Landmark {
	all := []Landmark{{v.tip, v.TipBurnHeight(), "tip"}}
	add := func(h int64, what string) {
		if h >= 1 && h <= v.tip {
			all = append(all, Landmark{h, v.c.burnOf(h) + v.c.base, what})
		}
	}
	if base, forked := v.Base(); forked {
		return append(all, Landmark{base.Height, base.BurnHeight, "forked"})
	}
	// may is a cheap condition without which is cannot hold.
	find := func(from int64, what string, may func(h int64) bool, is func(*Block) bool) {
		var s setting
		var b Block
		for h := from; h > max(0, from-searchBack); h-- {
			if !may(h) {
				continue
			}
			if v.canonical(&b, h, &s); is(&b) {
				add(h, what)
				return
			}
		}
	}
	settled := min(v.tip, v.first) - 1
	find(settled, "full", func(h int64) bool { return h >= v.history.first || v.c.draw(drawTxs, h)%256 == 255 }, func(b *Block) bool { return b.TxCount >= fullTxs })
	find(settled, "single", func(h int64) bool { return v.c.draw(drawTxs, h)%8 == 0 }, func(b *Block) bool { return b.TxCount == 1 })
	for j, want := v.burn-1, 3; want > 0 && j > max(0, v.burn-1_000); j-- {
		burn, known := v.BurnByHeight(j + v.c.base)
		switch {
		case !known && want&1 != 0:
			all = append(all, Landmark{v.c.firstHeight(j) - 1, j + v.c.base, "void"})
			want &^= 1
		case known && burn.Len() == 0 && want&2 != 0:
			all = append(all, Landmark{burn.best, j + v.c.base, "orphan"})
			want &^= 2
		}
	}
	for j := v.burn - 1; j > max(v.c.olderBurns, v.burn-1_000); j-- {
		if !v.c.void(j) && v.c.firstHeight(j) == v.c.lastHeight(j) {
			add(v.c.firstHeight(j), "short_tenure")
			break
		}
	}
	for j := v.burn - 1; j > max(0, v.burn-1_000); j-- {
		if !v.c.void(j) && v.c.loses(j, v.rate) {
			add(v.c.firstHeight(j), "replaced")
			break
		}
	}
	add(AnchorHeight, "anchor")
	if v.c.older > 0 {
		add(v.c.older+1, "newer_era")
	}
	find(min(settled, v.c.older), "microblocks", func(h int64) bool { return v.c.streamed(h) > 0 }, func(b *Block) bool { return b.accepted > 0 && b.streamed > 0 })
	add(1, "first")
	all = append(all, Landmark{0, 0, "genesis"})
	slices.SortStableFunc(all, func(a, b Landmark) int { return cmp.Compare(b.BurnHeight, a.BurnHeight) })
	return all
}
