package mockserver

import "chainscope/mockserver/world"

// page is how the API gives a part of a list.
type page struct {
	Limit   int `json:"limit"`
	Offset  int `json:"offset"`
	Total   int `json:"total"`
	Results any `json:"results"`
}

// window is the part of a list that is asked for.
type window struct{ limit, offset int }

// window reads limit and offset; on false it has answered 400. A limit of 0 is
// the default one, as for the blocks of version 1.
func (x *exchange) window(fallback, most int) (window, bool) {
	limit, ok := x.queryInteger("limit", between(0, float64(most)), float64(fallback))
	if !ok {
		return window{}, false
	}
	offset, ok := x.queryInteger("offset", atLeast(0), 0)
	if !ok {
		return window{}, false
	}
	if limit == 0 {
		limit = float64(fallback)
	}
	return window{int(limit), int(min(offset, 1<<40))}, true
}

// pageOf shows the part of a list that a window asks for. Behind the end of the
// list its total is 0, as the real service has it.
func pageOf[T, B any](w window, all []T, show func(T) B) page {
	total := len(all)
	if w.offset >= total {
		return page{w.limit, w.offset, 0, []B{}}
	}
	part := all[w.offset:min(total, w.offset+w.limit)]
	results := make([]B, len(part))
	for i, one := range part {
		results[i] = show(one)
	}
	return page{w.limit, w.offset, total, results}
}

// ledgerCached sets the validator of routes that tell of accounts and of the
// mempool: the tip and the number of the last change. It reports true when it
// answered 304.
func (x *exchange) ledgerCached(s *world.State) bool {
	var tag [96]byte
	text := s.View.AppendTipTag(tag[:0])
	text = append(text[:len(text)-1], '-')
	return x.cached(string(append(text, decimal(s.Revision())+`"`...)))
}
