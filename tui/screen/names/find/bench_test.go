package find

import (
	"bytes"
	"context"
	"sync"
	"testing"

	"chainscope/mockserver/names"
)

const many = 500_000

// mocked returns the mock's namespace btc with 500,000 names.
func mocked(b *testing.B) *list {
	b.Helper()
	all, err := names.New(1, many)
	if err != nil {
		b.Fatal(err)
	}
	btc, _ := all.Namespace("btc")
	l := &list{most: 8192}
	for i := range btc.Count(false) {
		l.add(string(btc.AppendName(nil, i, false)))
	}
	return l
}

// queries are typed letter by letter; the last finds nothing.
var queries = []string{"s", "sa", "sat", "sato", "zqx"}

// BenchmarkSearch is a search over 500,000 names, ranked.
func BenchmarkSearch(b *testing.B) {
	l := mocked(b)
	for _, query := range queries {
		b.Run(query, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Search(context.Background(), l, query); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkScan is what BenchmarkSearch is compared with: the least that finds
// the same names, in two goroutines, without ranks and cases. Each name ends
// with a line's end, so that a hit needs no look at where names begin.
func BenchmarkScan(b *testing.B) {
	lines := mocked(b).lines()
	middle := len(lines) / 2
	middle += bytes.IndexByte(lines[middle:], '\n') + 1
	halves := [2][]byte{lines[:middle], lines[middle:]}
	for _, query := range queries {
		b.Run(query, func(b *testing.B) {
			var hits [2][]uint32
			for b.Loop() {
				var group sync.WaitGroup
				for i := range halves {
					group.Go(func() { hits[i] = scanLines(halves[i], []byte(query), hits[i][:0]) })
				}
				group.Wait()
			}
			b.ReportMetric(float64(len(hits[0])+len(hits[1])), "hits")
		})
	}
}

// BenchmarkTouch reads every byte of 500,000 names once.
func BenchmarkTouch(b *testing.B) {
	l := mocked(b)
	for b.Loop() {
		for i := range l.parts {
			if bytes.IndexByte(l.parts[i].text, 0) >= 0 {
				b.Fatal("a zero byte")
			}
		}
	}
}

// lines returns the names, one a line.
func (l *list) lines() []byte {
	var out []byte
	for i := range l.parts {
		from := uint32(0)
		for _, end := range l.parts[i].ends {
			out = append(append(out, l.parts[i].text[from:end]...), '\n')
			from = end
		}
	}
	return out
}

func scanLines(text, needle []byte, hits []uint32) []uint32 {
	for at := 0; ; {
		i := bytes.Index(text[at:], needle)
		if i < 0 {
			return hits
		}
		at += i
		hits = append(hits, uint32(at))
		at += bytes.IndexByte(text[at:], '\n') + 1
	}
}
