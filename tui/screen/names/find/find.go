// Package find searches hundreds of thousands of names while the user types.
// It scans one contiguous text, so that a search over 250,000 names costs less
// than a frame. It must not import bubbletea or apiclient.
package find

import (
	"bytes"
	"context"
	"runtime"
	"slices"
	"sync"
)

// Text is a list of names kept in one buffer, as apiclient.NameList is: name i
// begins where the one before ends, and ends at Offsets()[i].
type Text interface {
	Bytes() []byte
	Offsets() []uint32
}

// Rank says where in a name the query stands; a lower one is the better hit.
type Rank uint8

// The ranks, best first.
const (
	Prefix Rank = iota
	WordStart
	Inside
	ranks
)

// Hits are the names that hold the query: those that begin with it first, then
// those with a word that does, then all others; each in the order of the list.
type Hits struct {
	Indexes []uint32
	Count   [ranks]int // how many of each rank
}

// Rank returns the rank of the hit at position i of Indexes.
func (h Hits) Rank(i int) Rank {
	switch {
	case i < h.Count[Prefix]:
		return Prefix
	case i < h.Count[Prefix]+h.Count[WordStart]:
		return WordStart
	}
	return Inside
}

// chunk is how many names are scanned between two looks at the context.
const chunk = 8192

// Search finds the names that hold the query in any case of ASCII letters. The
// suffix that all names share (".btc") is searched only when the query has a
// dot, or every name would hold a "b". It ends early with the context's error.
func Search(ctx context.Context, text Text, query string) (Hits, error) {
	all, offsets := text.Bytes(), text.Offsets()
	needle := lower([]byte(query))
	if len(needle) == 0 {
		return everything(len(offsets)), nil
	}
	s := scan{text: all, offsets: offsets, needle: needle, whole: bytes.IndexByte(needle, '.') >= 0}
	workers := min(runtime.GOMAXPROCS(0), 8, len(offsets)/chunk+1)
	parts := make([][ranks][]uint32, workers)
	var group sync.WaitGroup
	for w := range workers {
		first, last := len(offsets)*w/workers, len(offsets)*(w+1)/workers
		group.Go(func() {
			for from := first; from < last && ctx.Err() == nil; from += chunk {
				s.find(from, min(from+chunk, last), &parts[w])
			}
		})
	}
	group.Wait()
	if err := ctx.Err(); err != nil {
		return Hits{}, err
	}
	return join(parts), nil
}

func everything(n int) Hits {
	h := Hits{Indexes: make([]uint32, n)}
	for i := range h.Indexes {
		h.Indexes[i] = uint32(i)
	}
	h.Count[Prefix] = n
	return h
}

func join(parts [][ranks][]uint32) Hits {
	var h Hits
	for rank := range h.Count {
		for _, part := range parts {
			h.Count[rank] += len(part[rank])
		}
	}
	h.Indexes = make([]uint32, 0, h.Count[Prefix]+h.Count[WordStart]+h.Count[Inside])
	for rank := range h.Count {
		for _, part := range parts {
			h.Indexes = append(h.Indexes, part[rank]...)
		}
	}
	return h
}

type scan struct {
	text    []byte
	offsets []uint32
	needle  []byte // lower case
	whole   bool   // search the namespace too
}

func (s *scan) bounds(i int) (start, end int) {
	if i > 0 {
		start = int(s.offsets[i-1])
	}
	return start, int(s.offsets[i])
}

// find scans names first to last-1 as one text and looks up the name of each
// place where the needle stands, which costs far less than a call for each name.
func (s *scan) find(first, last int, out *[ranks][]uint32) {
	start, _ := s.bounds(first)
	_, end := s.bounds(last - 1)
	text := s.text[start:end]
	if hasUpper(text) {
		text = lower(text)
	}
	name := first
	for at := 0; ; {
		i := bytes.Index(text[at:], s.needle)
		if i < 0 {
			return
		}
		at += i
		name = s.nameAt(start+at, name, last)
		from, to := s.bounds(name)
		rank, ok := s.rank(text[from-start:to-start], at-(from-start))
		if ok {
			out[rank] = append(out[rank], uint32(name))
		}
		if ok || start+at >= to {
			at = to - start
			name++
			if name == last {
				return
			}
			continue
		}
		at++
	}
}

// nameAt is the name that holds the byte at a place; it looks near the last one
// first, for hits come in order and often close together.
func (s *scan) nameAt(place, near, last int) int {
	for i := near; i < min(near+8, last); i++ {
		if _, end := s.bounds(i); place < end {
			return i
		}
	}
	i, _ := slices.BinarySearch(s.offsets[near:last], uint32(place)+1)
	return near + i
}

// rank tells how well a name holds the needle, first found at a place. A place
// that reaches into the next name, or into the namespace, is no hit.
func (s *scan) rank(name []byte, at int) (Rank, bool) {
	label := name
	if !s.whole {
		if dot := bytes.LastIndexByte(name, '.'); dot >= 0 {
			label = name[:dot]
		}
	}
	if at+len(s.needle) > len(label) {
		return 0, false
	}
	if at == 0 {
		return Prefix, true
	}
	for {
		if startsWord(label, at) {
			return WordStart, true
		}
		next := bytes.Index(label[at+1:], s.needle)
		if next < 0 {
			return Inside, true
		}
		at += 1 + next
	}
}

// startsWord tells whether a word begins at a place: after a separator, or
// where digits turn into letters or letters into digits.
func startsWord(label []byte, at int) bool {
	before, here := label[at-1], label[at]
	return before == '-' || before == '_' || before == '.' || digit(before) != digit(here)
}

func digit(b byte) bool { return '0' <= b && b <= '9' }

func hasUpper(text []byte) bool {
	for _, b := range text {
		if 'A' <= b && b <= 'Z' {
			return true
		}
	}
	return false
}

func lower(text []byte) []byte {
	out := make([]byte, len(text))
	for i, b := range text {
		if 'A' <= b && b <= 'Z' {
			b += 'a' - 'A'
		}
		out[i] = b
	}
	return out
}

// Highlight returns where in a name the query stands, as Search ranked it; from
// equals to when it does not.
func Highlight(name, query string) (from, to int) {
	needle := lower([]byte(query))
	label := lower([]byte(name))
	if len(needle) == 0 {
		return 0, 0
	}
	if dot := bytes.LastIndexByte(label, '.'); dot >= 0 && bytes.IndexByte(needle, '.') < 0 {
		label = label[:dot]
	}
	first := bytes.Index(label, needle)
	if first < 0 {
		return 0, 0
	}
	best := first
	for at := first; at >= 0; {
		if at == 0 || startsWord(label, at) {
			best = at
			break
		}
		next := bytes.Index(label[at+1:], needle)
		if next < 0 {
			break
		}
		at += 1 + next
	}
	return best, best + len(needle)
}
