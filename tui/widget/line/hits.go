package line

import "slices"

// Hits are the lines of a text that have what is searched for, from the first to the last.
type Hits []int

// From returns the first hit at or after a line, or the first of all; false where there is
// none.
func (h Hits) From(at int) (int, bool) {
	for _, hit := range h {
		if hit >= at {
			return hit, true
		}
	}
	if len(h) == 0 {
		return 0, false
	}
	return h[0], true
}

// Next returns the hit after a line, or before it for a step of -1, round the ends; false
// where there is none.
func (h Hits) Next(at, step int) (int, bool) {
	if len(h) == 0 {
		return 0, false
	}
	next, here := slices.BinarySearch(h, at)
	if step < 0 {
		next--
	} else if here {
		next++
	}
	return h[(next+len(h))%len(h)], true
}
