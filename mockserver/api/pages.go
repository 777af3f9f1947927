package api

import (
	"cmp"
	"slices"

	"chainscope/mockserver/chain"
)

// window is the part of a list that is requested.
type window struct{ limit, offset int }

// window reads limit and offset. A limit of 0 is the default one, as for the blocks of
// version 1.
func (x *Exchange) window() window { return x.windowNamed("limit", "offset") }

func (x *Exchange) windowNamed(limitName, offsetName string) window {
	l, o := x.parameter(limitName), x.parameter(offsetName)
	limit := x.queryInteger(limitName, l.bounds, l.fallback)
	offset := x.queryInteger(offsetName, o.bounds, o.fallback)
	return window{int(cmp.Or(limit, l.fallback)), int(min(offset, 1<<40))}
}

// cut returns the part of a list that a window requests.
func cut[T any](w window, all []T) []T {
	first := max(0, min(w.offset, len(all)))
	return all[first:min(len(all), first+w.limit)]
}

// of returns the heights that a window requests, counted from the newest.
func (w window) of(all chain.Span) chain.Span { return all.Page(int64(w.limit), int64(w.offset)) }

// part shows the part of a list that a window requests.
func part[T, B any](w window, all []T, show func(T) B) []B {
	return each(cut(w, all), show)
}

// each returns what show makes of every row.
func each[T, B any](rows []T, show func(T) B) []B {
	shown := make([]B, len(rows))
	for i := range rows {
		shown[i] = show(rows[i])
	}
	return shown
}

// pageOf returns part in its envelope.
func pageOf[T, B any](w window, all []T, show func(T) B) object {
	return totalled(w, len(all), part(w, all, show))
}

// totalled returns a page whose total is 0 where it is empty, as in the real service.
func totalled[B any](w window, total int, results []B) object {
	if len(results) == 0 {
		total = 0
	}
	return w.page(total, results)
}

// pageFrom answers with pageOf and the cursors that version 9 added. The query may name a cursor: the
// page is counted from the first row that start finds of it. Prev leads to the older entries; a nil
// cursor is null. A page of no rows that could have some keeps the total.
func pageFrom[T, B any](x *Exchange, w window, all []T, start func(cursor string) int, key func(T) string, show func(T) B) {
	if x.Service.Generation < api9 {
		x.object(pageOf(w, all, show))
		return
	}
	from := w
	if cursor, given := QueryValue(x.R.URL.RawQuery, "cursor"); given > 0 {
		from.offset += start(cursor)
	}
	at := func(i int, shown bool) *string {
		if i < 0 || i >= len(all) || from.offset >= len(all) || !shown {
			return nil
		}
		text := key(all[i])
		return &text
	}
	body := pageOf(from, all, show)
	body[1].value = w.offset
	if w.limit == 0 && from.offset < len(all) {
		body[2].value = len(all)
	}
	x.object(slices.Insert(body, 3,
		field{"next_cursor", at(from.offset-w.limit, w.limit > 0)}, field{"prev_cursor", at(from.offset+w.limit, true)}, field{"cursor", at(from.offset, w.limit > 0)}))
}

// asIs returns what needs no conversion.
func asIs[T any](one T) T { return one }

// page returns how v1 and v2 give a part of a list.
func (w window) page(total int, results any) object {
	return object{{"limit", w.limit}, {"offset", w.offset}, {"total", total}, {"results", results}}
}
