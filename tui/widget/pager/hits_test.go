package pager

import "testing"

func TestHitsAreFoundRoundTheEnds(t *testing.T) {
	h := hits{3, 7, 9}
	for _, tt := range []struct {
		at, from, next, before int
	}{{0, 3, 3, 9}, {3, 3, 7, 9}, {5, 7, 7, 3}, {9, 9, 3, 7}, {10, 3, 3, 9}} {
		from, _ := h.from(tt.at)
		next, _ := h.next(tt.at, 1)
		before, _ := h.next(tt.at, -1)
		if from != tt.from || next != tt.next || before != tt.before {
			t.Errorf("line %d: from it %d, next %d, before %d; want %d, %d, %d", tt.at, from, next, before, tt.from, tt.next, tt.before)
		}
	}
	if _, any := (hits{}).from(1); any {
		t.Error("there is a hit where there is none")
	}
	if _, any := (hits{}).next(1, 1); any {
		t.Error("there is a next hit where there is none")
	}
}
