package chain

import "testing"

// FuzzParseHash reads anything as a hash: what is read is written back, and is
// looked up without a fault.
func FuzzParseHash(f *testing.F) {
	c := mustNew(f, paces[0])
	v := c.view(anchorMS, RateHealthy)
	f.Add(c.burnHash(v.burn, 0).String())
	f.Add(c.burnHash(7, ForkLost).String())
	f.Add(c.blockHash(v.tip, 0, 0, 0).String())
	f.Add(genesisParent.String())
	f.Fuzz(func(t *testing.T, s string) {
		h, ok := ParseHash(s)
		if !ok {
			return
		}
		if again, ok := ParseHash(h.String()); !ok || again != h {
			t.Fatalf("%q is read as %s, and that as %s", s, h, again)
		}
		if burn, ok := v.BurnByHash(h); ok {
			if b := v.Best(&burn); b.BurnHash != h {
				t.Fatalf("burn hash %s gives a block of %s", h, b.BurnHash)
			}
		}
		if b, ok := v.BlockByHash(h); ok && b.Hash != h && b.Index != h {
			t.Fatalf("hash %s gives block %s", h, b.Hash)
		}
	})
}
