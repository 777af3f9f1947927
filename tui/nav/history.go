package nav

// maxHistory limits how many places a History keeps.
const maxHistory = 200

// Entry is a visited place with the view state it was left in (cursor,
// scroll, filter: whatever the screens put there).
type Entry[V any] struct {
	Place Place
	View  V
}

// History is the trail of visited places, with a position in it, as in a web
// browser. The zero value is empty and ready. It is not safe for concurrent
// use.
type History[V any] struct {
	entries []Entry[V]
	at      int
}

// Visit goes to a place: what lay ahead is dropped and the place becomes the
// newest entry, with a zero view state. Visiting the current place changes
// nothing, and reports false.
func (h *History[V]) Visit(p Place) bool {
	if len(h.entries) > 0 {
		if h.entries[h.at].Place == p {
			return false
		}
		clear(h.entries[h.at+1:])
		h.entries = h.entries[:h.at+1]
	}
	if len(h.entries) >= maxHistory {
		drop := len(h.entries) - maxHistory + 1
		kept := copy(h.entries, h.entries[drop:])
		clear(h.entries[kept:])
		h.entries = h.entries[:kept]
	}
	h.entries = append(h.entries, Entry[V]{Place: p})
	h.at = len(h.entries) - 1
	return true
}

// Replace changes the place of the current entry and keeps its view state,
// for a more precise description of the same place.
func (h *History[V]) Replace(p Place) {
	if len(h.entries) == 0 {
		h.Visit(p)
		return
	}
	h.entries[h.at].Place = p
}

// Current returns the current entry, and false if there is none.
func (h *History[V]) Current() (Entry[V], bool) {
	if len(h.entries) == 0 {
		return Entry[V]{}, false
	}
	return h.entries[h.at], true
}

// Save stores the view state of the current entry.
func (h *History[V]) Save(view V) {
	if len(h.entries) > 0 {
		h.entries[h.at].View = view
	}
}

// CanBack reports whether Back goes anywhere.
func (h *History[V]) CanBack() bool { return h.at > 0 }

// CanForward reports whether Forward goes anywhere.
func (h *History[V]) CanForward() bool { return h.at+1 < len(h.entries) }

// Back steps to the entry before and returns it; false when there is none.
func (h *History[V]) Back() (Entry[V], bool) { return h.step(-1) }

// Forward steps to the entry after and returns it; false when there is none.
func (h *History[V]) Forward() (Entry[V], bool) { return h.step(+1) }

func (h *History[V]) step(by int) (Entry[V], bool) {
	to := h.at + by
	if to < 0 || to >= len(h.entries) {
		return Entry[V]{}, false
	}
	h.at = to
	return h.entries[to], true
}

// Trail returns the entries from the oldest to the newest and the index of
// the current one (-1 when empty). The slice is the caller's.
func (h *History[V]) Trail() ([]Entry[V], int) {
	if len(h.entries) == 0 {
		return nil, -1
	}
	return append([]Entry[V](nil), h.entries...), h.at
}
