package listing

import "slices"

// join puts a first page before what was loaded; where they do not meet, in its place. What is
// read just now stays, and is requested again where it changes by having left the list, as a
// transaction that waited does.
func (s *Screen[T]) join(p Page[T]) {
	var reads *Row[T]
	at, _ := s.List.Cursor()
	if r := s.current(); r != nil && s.InDetail {
		copied := *r
		reads = &copied
	}
	before := len(s.loaded.Rows)
	s.fromCache(p.Rows)
	above := s.joined(p)
	if reads != nil && s.find(s.of.ID(reads.Of)) < 0 {
		if !s.settled(reads.Of) {
			reads.whole, s.wanted = false, ""
		}
		s.loaded.Rows = slices.Insert(s.loaded.Rows, min(at, len(s.loaded.Rows)), *reads)
	}
	s.Joined(s.Arrange)
	if s.List.Place().Top == 0 || s.Arranged() || before == 0 {
		above = -s.above
	}
	s.above += above
}

// joined returns how many rows came before those that were loaded.
func (s *Screen[T]) joined(p Page[T]) (above int) {
	news := s.unknown(p.Rows)
	known := map[string]Row[T]{}
	for _, r := range s.loaded.Rows {
		known[s.of.ID(r.Of)] = r
	}
	last := -1
	if n := len(p.Rows); n > 0 {
		last = s.find(s.of.ID(p.Rows[n-1].Of))
	}
	if len(news) == len(p.Rows) || last < 0 {
		p.Rows = slices.Clone(p.Rows)
		s.loaded = p
		return len(news)
	}
	all := slices.Clone(p.Rows)
	in := map[string]bool{}
	for i, r := range all {
		id := s.of.ID(r.Of)
		in[id] = true
		if old, there := known[id]; there && old.whole {
			if s.of.Known != nil {
				old.Of = s.of.Known(r.Of, old.Of)
			}
			all[i] = old
		}
	}
	if p.Next == "" { // it is the whole list: the others have left it
		last = len(s.loaded.Rows) - 1
	}
	for _, r := range s.loaded.Rows[last+1:] {
		if !in[s.of.ID(r.Of)] {
			all = append(all, r)
		}
	}
	fell := p.Total < s.loaded.Total
	s.loaded.Rows, s.loaded.Total, s.loaded.Where, s.loaded.Left = all, p.Total, p.Where, p.Left
	if fell && s.loaded.Next != "" {
		s.loaded.Next = p.Next // where rows have left it, those below have moved up past the end of what was read
	} else if s.loaded.Next == "" && (p.Total == 0 || int64(len(all)) < p.Total) { // else all are loaded
		s.loaded.Next = p.Next
	}
	return len(news)
}

// cacheOwn keeps what was read of the rows of a list of this program's own, which names its rows alone.
func (s *Screen[T]) cacheOwn() {
	if s.pace() != Never {
		return
	}
	if s.cache == nil {
		s.cache = map[string]Row[T]{}
	}
	for _, r := range s.loaded.Rows {
		if r.whole {
			s.cache[s.of.ID(r.Of)] = r
		}
	}
}

// fromCache puts what was read before in the place of rows.
func (s *Screen[T]) fromCache(rows []Row[T]) {
	for i, r := range rows {
		if old, is := s.cache[s.of.ID(r.Of)]; is {
			if rows[i] = old; s.of.Known != nil {
				rows[i].Of = s.of.Known(r.Of, old.Of)
			}
		}
	}
}

// unknown returns the rows that are not loaded.
func (s *Screen[T]) unknown(rows []Row[T]) []Row[T] {
	return slices.DeleteFunc(slices.Clone(rows), func(r Row[T]) bool { return s.find(s.of.ID(r.Of)) >= 0 })
}

func (s *Screen[T]) find(id string) int {
	return slices.IndexFunc(s.loaded.Rows, func(r Row[T]) bool { return s.of.ID(r.Of) == id })
}

// put keeps all of a thing in the place of what the list had of it.
func (s *Screen[T]) put(r Row[T]) {
	if at := s.find(s.of.ID(r.Of)); at >= 0 {
		if s.of.Known != nil {
			r.Of = s.of.Known(s.loaded.Rows[at].Of, r.Of)
		}
		s.loaded.Rows[at] = r
	} else {
		s.loaded = Page[T]{Rows: []Row[T]{r}, Total: 1}
	}
	s.Arrange()
}
