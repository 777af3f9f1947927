package mockserver

import (
	"cmp"
	"slices"
)

// page is how v1 and v2 give a part of a list.
type page struct {
	Limit  int `json:"limit"`
	Offset int `json:"offset"`
	Total  int `json:"total"`
	*cursorsV2
	Results any `json:"results"`
}

// cursorsV2 are the places of a page of v2: prev leads to the older entries. A nil cursor is
// null.
type cursorsV2 struct {
	Next     *string `json:"next_cursor"`
	Previous *string `json:"prev_cursor"`
	Current  *string `json:"cursor"`
}

// window is the part of a list that is asked for.
type window struct{ limit, offset int }

// window reads limit and offset. A limit of 0 is the default one, as for the blocks of
// version 1.
func (x *exchange) window(fallback, most int) window {
	return x.windowNamed("limit", "offset", fallback, most)
}

func (x *exchange) windowNamed(limitName, offsetName string, fallback, most int) window {
	limit := x.queryInteger(limitName, between(0, float64(most)), float64(fallback))
	offset := x.queryInteger(offsetName, atLeast(0), 0)
	return window{cmp.Or(int(limit), fallback), int(min(offset, 1<<40))}
}

// cut is the part of a list that a window asks for.
func cut[T any](w window, all []T) []T {
	first := min(w.offset, len(all))
	return all[first:min(len(all), first+w.limit)]
}

// part shows the part of a list that a window asks for.
func part[T, B any](w window, all []T, show func(T) B) []B {
	results := []B{}
	for _, one := range cut(w, all) {
		results = append(results, show(one))
	}
	return results
}

// pageOf is part in its envelope. Behind the end of the list its total is 0, as the real
// service has it.
func pageOf[T, B any](w window, all []T, show func(T) B) page {
	total := len(all)
	if w.offset >= total {
		total = 0
	}
	return page{Limit: w.limit, Offset: w.offset, Total: total, Results: part(w, all, show)}
}

// pageFrom is pageOf with the cursors that version 9 added, of which the query may name one:
// the page begins there. It reports false where nothing has the cursor.
func pageFrom[T, B any](x *exchange, w window, all []T, key func(T) string, show func(T) B) (page, bool) {
	if x.s.generation < api9 {
		return pageOf(w, all, show), true
	}
	from := w
	if cursor, given := queryValue(x.r.URL.RawQuery, "cursor"); given > 0 {
		at := slices.IndexFunc(all, func(one T) bool { return key(one) == cursor })
		if at < 0 {
			return page{}, false
		}
		from.offset += at
	}
	body := pageOf(from, all, show)
	body.Offset, body.cursorsV2 = w.offset, &cursorsV2{}
	at := func(i int) *string {
		if i < 0 || i >= len(all) {
			return nil
		}
		text := key(all[i])
		return &text
	}
	body.Current = at(from.offset)
	if body.Current != nil {
		body.Next, body.Previous = at(from.offset-w.limit), at(from.offset+w.limit)
	}
	return body, true
}

// asIs shows what is shown already.
func asIs[T any](one T) T { return one }
