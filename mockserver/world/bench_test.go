package world

import (
	"fmt"
	"runtime"
	"testing"
)

// BenchmarkNewWorld makes worlds that take the place of others.
func BenchmarkNewWorld(b *testing.B) {
	root, _ := newTestWorld(b, frozen)
	all := root.Worlds()
	b.ReportAllocs()
	for i := range b.N {
		if _, err := all.Get(fmt.Sprint(i)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSnapshotAndRevert goes back over a mined transfer.
func BenchmarkSnapshotAndRevert(b *testing.B) {
	w, _ := newTestWorld(b, frozen)
	for n := range uint64(500) {
		who := signerOf(fmt.Sprint(n % 100))
		mustSubmit(b, w, who.pays(b, n/100, 1, signerOf("bob")))
	}
	must(b)(w.Mine(1))
	b.Run("snapshot", func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			if _, _, err := w.Snapshot("s"); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("revert", func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			must(b)(w.Revert("s"))
		}
	})
	raw := signerOf("alice").pays(b, 0, 1, signerOf("bob"))
	b.Run("submit, mine and revert", func(b *testing.B) {
		for range b.N {
			mustSubmit(b, w, raw)
			must(b)(w.Mine(1))
			must(b)(w.Revert("s"))
		}
	})
}

// BenchmarkMemoryOfWorlds holds 1,000 worlds in each of which a transfer was
// mined and five snapshots taken.
func BenchmarkMemoryOfWorlds(b *testing.B) {
	root, _ := newTestWorld(b, frozen)
	raw := signerOf("alice").pays(b, 0, 1, signerOf("bob"))
	for range b.N {
		b.ReportMetric(heapOf(func() any {
			all := root.Worlds()
			for i := range 1_000 {
				w, _ := all.Get(fmt.Sprint(i))
				w.Requests.Add(Request{Path: "/extended/v1/block"})
				mustSubmit(b, w, raw)
				for range 5 {
					w.Snapshot("")
				}
				must(b)(w.Mine(1))
				w.State()
			}
			return all
		})/(1<<20), "MiB/1000worlds")
	}
}

// heapOf returns the bytes of heap that what f returns keeps alive.
func heapOf(f func() any) float64 {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	kept := f()
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(kept)
	return float64(after.HeapAlloc) - float64(before.HeapAlloc)
}
