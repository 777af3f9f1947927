package measure

import (
	"fmt"
	"testing"
)

const clientPackage = "./apiclient"

// A namespace of 200 pages, each answered after 20 ms, read by 8 workers.
func BenchmarkC1DelayedPages(b *testing.B) {
	got := goBench(b, clientPackage, "^BenchmarkDelayed")
	ours, floor := got["BenchmarkDelayedNames"], got["BenchmarkDelayedDiscard"]
	took := ours["x-ideal"]
	report(b, figure{
		ID: "C1", What: "200 pages of names at 20 ms, 8 workers, in order", Goal: "≤ 1.15 × pages × delay / workers",
		Ours: msText(ours["ns/op"] / 1e6), Peer: "500.00 ms ideal", Reference: msText(floor["ns/op"]/1e6) + " net/http, pages known",
		Ratio: ratio(took), Met: took <= 1.15,
	})
	report(b, figure{
		ID: "C1", What: "pages in flight, seen by the server", Goal: "≤ 8", Ours: fmt.Sprintf("%.0f", ours["at-once"]),
		Met: ours["at-once"] <= 8,
	})
	first := ours["answers-to-first"]
	report(b, figure{
		ID: "C1", What: "first page handed on", Goal: "after one answer, not two (< 1.5 × 20 ms)", Ours: msText(first * 20), Peer: "20.00 ms ideal",
		Ratio: ratio(first), Met: first < 1.5,
	})
}

// What a page of 100 names costs on loopback, with 8 workers.
func BenchmarkC2C3Page(b *testing.B) {
	got := goBench(b, clientPackage, "^BenchmarkPage$")
	ours, peer, floor := got["BenchmarkPage/chainscope"], got["BenchmarkPage/json"], got["BenchmarkPage/discard"]
	share := ours["cpu-us/page"] / peer["cpu-us/page"]
	report(b, figure{
		ID: "C2", What: "CPU a page of 100 names on loopback, 8 workers", Goal: "≤ 1.25 × net/http with encoding/json",
		Ours: at(ours["cpu-us/page"], "µs"), Peer: at(peer["cpu-us/page"], "µs net/http with encoding/json"),
		Reference: at(floor["cpu-us/page"], "µs net/http, nothing decoded"), Ratio: ratio(share), Met: share <= 1.25,
	})
	report(b, figure{
		ID: "C3", What: "allocations a page of 100 names", Goal: "≤ 202, better ≤ 120",
		Ours: at(ours["allocs/page"], ""), Peer: at(peer["allocs/page"], "net/http with encoding/json"),
		Reference: at(floor["allocs/page"], "net/http, nothing decoded"), Ratio: ratio(ours["allocs/page"] / peer["allocs/page"]), Met: ours["allocs/page"] <= 202,
	})
}

// A page of 30 recorded blocks, decoded with every field it has.
func BenchmarkC4Decode(b *testing.B) {
	got := goBench(b, clientPackage, "^BenchmarkDecodePage$")
	ours, peer := got["BenchmarkDecodePage/own"]["ns/op"]/1e3, got["BenchmarkDecodePage/encoding/json"]["ns/op"]/1e3
	report(b, figure{
		ID: "C4", What: "a page of 30 blocks decoded", Goal: "≤ 0.4 × encoding/json",
		Ours: at(ours, "µs"), Peer: at(peer, "µs encoding/json"), Ratio: ratio(ours / peer), Met: ours <= 0.4*peer,
	})
}

// 500,000 names as the client holds them.
func BenchmarkC5Names(b *testing.B) {
	got := goBench(b, clientPackage, "^BenchmarkAllNames$")["BenchmarkAllNames"]
	report(b, figure{
		ID: "C5", What: "500,000 names held", Goal: "≤ 22 bytes a name", Ours: at(got["B/name"], "bytes a name"), Met: got["B/name"] <= 22,
	})
	report(b, figure{
		ID: "C5", What: "the heap after loading them", Goal: "≤ 33 bytes a name", Ours: at(got["heap-B/name"], "bytes a name"), Met: got["heap-B/name"] <= 33,
	})
}
