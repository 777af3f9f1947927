// Package find searches hundreds of thousands of names while the user types.
// It scans texts of many names each, so that a search over 500,000 names costs
// less than a frame. It must not import bubbletea or apiclient.
package find

import (
	"bytes"
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Text is a list of names kept in parts, as apiclient.NameList is. In a part, name
// i begins where the one before ends, and ends at ends[i]; upper reports that there
// are upper-case letters of ASCII. A part holds at most 65,536 names.
type Text interface {
	Len() int
	Parts() int
	Part(i int) (text []byte, ends []uint32, upper bool)
}

// Search finds the names that hold the query in any case of ASCII letters. The
// suffix that all names share (".btc") is searched only when the query has a
// dot, or every name would hold a "b". It ends early with the context's error.
func Search(ctx context.Context, text Text, query string) (Hits, error) {
	return search(ctx, text, query, min(runtime.GOMAXPROCS(0), 8))
}

// Here returns Search for few names, in the goroutine of its caller.
func Here(text Text, query string) Hits {
	hits, _ := search(context.Background(), text, query, 1) // which never ends early
	return hits
}

func search(ctx context.Context, text Text, query string, workers int) (Hits, error) {
	needle := lower(nil, []byte(query))
	if len(needle) == 0 {
		return everything(text.Len()), nil
	}
	hits := Hits{parts: make([]part, text.Parts())}
	whole := bytes.IndexByte(needle, '.') >= 0
	var next atomic.Int64
	var group sync.WaitGroup
	work := func() {
		s := scan{needle: needle, whole: whole}
		for ctx.Err() == nil {
			i := int(next.Add(1)) - 1
			if i >= len(hits.parts) {
				return
			}
			hits.parts[i] = s.search(text.Part(i))
		}
	}
	panics := make(chan any, workers)
	for range min(workers, len(hits.parts)) - 1 {
		group.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					panics <- p
				}
			}()
			work()
		})
	}
	work()
	group.Wait()
	select {
	case p := <-panics:
		panic(p) // where it ends the program in order
	default:
	}
	if err := ctx.Err(); err != nil {
		return Hits{}, err
	}
	hits.add(text)
	return hits, nil
}

// scan is the work of one goroutine.
type scan struct {
	needle []byte // lower case
	whole  bool   // search the namespace too

	lowered []byte // a part's text without upper case
	found   [ranks][]uint16
}

// search finds the hits of a part.
func (s *scan) search(text []byte, ends []uint32, upper bool) part {
	if upper {
		s.lowered = lower(s.lowered[:0], text)
		text = s.lowered
	}
	for rank := range s.found {
		s.found[rank] = s.found[rank][:0]
	}
	s.find(text, ends)
	p := part{}
	total := 0
	for rank, found := range s.found {
		p.count[rank] = len(found)
		total += len(found)
	}
	p.names = make([]uint16, 0, total)
	for _, found := range s.found {
		p.names = append(p.names, found...)
	}
	return p
}

// find scans all names as one text and looks up the name of each place where the
// needle occurs, which costs far less than a call for each name.
func (s *scan) find(text []byte, ends []uint32) {
	needle, name, start := s.needle, 0, 0
	for at := 0; ; {
		i := bytes.Index(text[at:], needle)
		if i < 0 {
			return
		}
		at += i
		if at >= int(ends[name]) {
			name = nameAt(ends, at, name)
			start = int(ends[name-1])
		}
		end := int(ends[name])
		label := text[start:end]
		if !s.whole {
			if dot := bytes.LastIndexByte(label, '.'); dot >= 0 {
				label = label[:dot]
			}
		}
		// A place that reaches into the namespace, or into the next name, is no
		// hit, and no later place in the name is one.
		if at-start+len(needle) <= len(label) {
			rank := s.rank(label, at-start)
			s.found[rank] = append(s.found[rank], uint16(name))
		}
		name++
		if name == len(ends) {
			return
		}
		at, start = end, end
	}
}

// nameAt returns the name that holds the byte at a place, which is after the name
// near. Names are about equally long, so it looks where the place would be then,
// and continues from there in steps that double.
func nameAt(ends []uint32, place, near int) int {
	mean := int(ends[len(ends)-1])/len(ends) + 1
	low := near // ends at or before the place
	high := min(near+1+(place-int(ends[near]))/mean, len(ends)-1)
	if int(ends[high]) <= place {
		low = high
		for step := 1; ; step *= 2 {
			high = min(low+step, len(ends)-1)
			if int(ends[high]) > place {
				break
			}
			low = high
		}
	} else {
		for step := 1; high-step > low; step *= 2 {
			if int(ends[high-step]) <= place {
				low = high - step
				break
			}
			high -= step
		}
	}
	for high-low > 1 {
		mid := low + (high-low)/2
		if int(ends[mid]) <= place {
			low = mid
		} else {
			high = mid
		}
	}
	return high
}

// rank returns how well a label holds the needle, first found at a place.
func (s *scan) rank(label []byte, at int) Rank {
	if at == 0 {
		return Prefix
	}
	for {
		if startsWord(label, at) {
			return WordStart
		}
		if len(label)-at-1 < len(s.needle) {
			return Inside
		}
		next := bytes.Index(label[at+1:], s.needle)
		if next < 0 {
			return Inside
		}
		at += 1 + next
	}
}

// startsWord reports whether a word begins at a place: after a separator, or
// where digits turn into letters or letters into digits.
func startsWord(label []byte, at int) bool {
	before, here := label[at-1], label[at]
	return before == '-' || before == '_' || before == '.' || digit(before) != digit(here)
}

func digit(b byte) bool { return '0' <= b && b <= '9' }

// lower appends a text in lower case.
func lower(to, text []byte) []byte {
	at := len(to)
	to = append(to, text...)
	for i, b := range to[at:] {
		if 'A' <= b && b <= 'Z' {
			to[at+i] = b + 'a' - 'A'
		}
	}
	return to
}

// Highlight returns where in a name the query occurs, as Search ranked it; from
// equals to when it does not.
func Highlight(name, query string) (from, to int) {
	needle := lower(nil, []byte(query))
	label := lower(nil, []byte(name))
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
