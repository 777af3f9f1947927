package state_test

import (
	"slices"
	"testing"

	"chainscope/tui/state"
)

func TestTheMostRecentComesFirstAndOnce(t *testing.T) {
	equal := func(a, b string) bool { return a == b }
	old := []string{"a", "b", "c"}
	for _, c := range []struct {
		newest string
		most   int
		want   []string
	}{
		{"b", 5, []string{"b", "a", "c"}},
		{"d", 5, []string{"d", "a", "b", "c"}},
		{"d", 3, []string{"d", "a", "b"}},
		{"c", 2, []string{"c", "a"}},
	} {
		if got := state.Recent(old, c.newest, equal, c.most); !slices.Equal(got, c.want) {
			t.Errorf("%s, at most %d: %v, want %v", c.newest, c.most, got, c.want)
		}
	}
	if !slices.Equal(old, []string{"a", "b", "c"}) {
		t.Errorf("the list was changed: %v", old)
	}
}
