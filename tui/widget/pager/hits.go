package pager

import "slices"

// hits are the lines of a text that have what is searched for, from the first to the last.
type hits []int

// from returns the first hit at or after a line, or the first of all; false where there is
// none.
func (h hits) from(at int) (int, bool) {
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

// next returns the hit after a line, or before it for a step of -1, round the ends; false
// where there is none.
func (h hits) next(at, step int) (int, bool) {
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
