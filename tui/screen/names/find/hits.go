package find

import "slices"

// Rank describes where in a name the query occurs; a lower one is the better hit.
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
// A hit costs two bytes.
type Hits struct {
	Count [ranks]int // how many of each rank

	all   int // when not 0, every one of this many names is a hit
	parts []part
	// runs are the hits of one rank in one part, in the order of the hits.
	runs []run
}

// part holds what was found in a part of the list: places in it, by rank.
type part struct {
	names []uint16
	count [ranks]int
}

// run is a stretch of hits.
type run struct {
	from  int // the first one's place among all hits
	base  int // what is added to its places in the part
	names []uint16
}

func everything(n int) Hits {
	h := Hits{all: n}
	h.Count[Prefix] = n
	return h
}

// add makes the runs once all parts are searched.
func (h *Hits) add(text Text) {
	bases, base := make([]int, len(h.parts)), 0
	for i := range h.parts {
		bases[i] = base
		_, ends, _ := text.Part(i)
		base += len(ends)
	}
	var used [ranks]int
	place := 0
	for rank := range h.Count {
		for i := range h.parts {
			p := &h.parts[i]
			n := p.count[rank]
			if n == 0 {
				continue
			}
			before := 0
			for better := range rank {
				before += p.count[better]
			}
			h.runs = append(h.runs, run{from: place, base: bases[i], names: p.names[before : before+n]})
			place += n
			used[rank] += n
		}
	}
	h.Count, h.parts = used, nil
}

// Len returns the number of hits.
func (h *Hits) Len() int {
	return h.Count[Prefix] + h.Count[WordStart] + h.Count[Inside]
}

// At returns the place of hit i in the list.
func (h *Hits) At(i int) int {
	if h.all > 0 {
		return i
	}
	at, exact := slices.BinarySearchFunc(h.runs, i, func(r run, i int) int { return r.from - i })
	if !exact {
		at--
	}
	r := &h.runs[at]
	return r.base + int(r.names[i-r.from])
}

// Rank returns the rank of hit i.
func (h *Hits) Rank(i int) Rank {
	switch {
	case i < h.Count[Prefix]:
		return Prefix
	case i < h.Count[Prefix]+h.Count[WordStart]:
		return WordStart
	}
	return Inside
}
