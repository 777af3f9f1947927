package chain

import (
	"math/rand/v2"
	"testing"
)

func BenchmarkView(b *testing.B) {
	c := mustNew(b, paces[0])
	b.ReportAllocs()
	for i := range b.N {
		v := c.view(anchorMS+int64(i), RateHealthy)
		_ = v
	}
}

// BenchmarkBlock finds any of a million blocks.
func BenchmarkBlock(b *testing.B) {
	c := mustNew(b, paces[0])
	v := c.view(anchorMS, RateHealthy)
	r := rand.New(rand.NewPCG(1, 1))
	var heights, burns [1024]int64
	var hashes, index [1024]Hash
	for i := range heights {
		heights[i] = 1 + r.Int64N(v.tip-1000)
		block, _ := v.Block(heights[i])
		burns[i], hashes[i], index[i] = block.BurnHeight, block.BurnHash, block.Index
	}
	for _, bench := range []struct {
		name string
		find func(i int) Block
	}{
		{"by height", func(i int) Block { x, _ := v.Block(heights[i]); return x }},
		{"by index block hash", func(i int) Block { x, _ := v.BlockByHash(index[i]); return x }},
		{"by burn height", func(i int) Block { x, _ := v.BurnByHeight(burns[i]); return v.Best(&x) }},
		{"by burn hash", func(i int) Block { x, _ := v.BurnByHash(hashes[i]); return v.Best(&x) }},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for i := range b.N {
				bench.find(i & 1023)
			}
		})
	}
}

func BenchmarkPage(b *testing.B) {
	c := mustNew(b, paces[0])
	history := NewHistory()
	for _, bench := range []struct {
		name   string
		offset func(i int) int64
	}{
		{"newest", func(int) int64 { return 0 }},
		{"near the tip", func(i int) int64 { return int64(i*37) % 900 }},
		{"at random offsets", func(i int) int64 { return int64(uint64(i) * 0x9e3779b97f4a7c15 % 990_000) }},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for i := range b.N {
				v := c.View(anchorMS, RateHealthy, history)
				v.Blocks(v.All().Page(30, bench.offset(i)))
			}
		})
	}
}

// BenchmarkBurnPage lists the blocks of a burn block.
func BenchmarkBurnPage(b *testing.B) {
	c, history := mustNew(b, paces[0]), NewHistory()
	for _, bench := range []struct {
		name string
		back func(i int) int64
	}{
		{"near the tip", func(i int) int64 { return int64(i*37) % 900 }},
		{"at random heights", func(i int) int64 { return int64(uint64(i) * 0x9e3779b97f4a7c15 % 800_000) }},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for i := range b.N {
				v := c.View(anchorMS, RateHealthy, history)
				burn, _ := v.tenure(v.c.burnOf(v.Tip() - bench.back(i)))
				v.Blocks(burn.Page(30, 0))
			}
		})
	}
}
