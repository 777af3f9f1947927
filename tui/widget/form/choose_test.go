package form

import (
	"testing"

	"chainscope/tui/internal/uitest"
)

// Arrows go round, letters to the next option that begins with them; a key that means
// nothing here is left to the form.
func TestAKeyChoosesAnOption(t *testing.T) {
	options := []string{"", "true", "false", "Far"}
	for _, c := range []struct {
		now    int
		key    string
		to     int
		chosen bool
	}{
		{0, "right", 1, true},
		{3, "right", 0, true},
		{0, "left", 3, true},
		{-1, "right", 0, true},
		{-1, "left", 3, true},
		{1, "space", 2, true},
		{0, "f", 2, true},
		{2, "f", 3, true},
		{3, "f", 2, true},
		{1, "t", 1, true},
		{1, "x", 1, true},
		{-1, "x", -1, true},
		{2, "backspace", 0, true},
		{1, "enter", 1, false},
	} {
		if to, chosen := choose(options, c.now, uitest.Key(c.key)); to != c.to || chosen != c.chosen {
			t.Errorf("%s at %d goes to %d, %t; want %d, %t", c.key, c.now, to, chosen, c.to, c.chosen)
		}
	}
	if _, chosen := choose(nil, 0, uitest.Key("right")); chosen {
		t.Error("something is chosen of nothing")
	}
}
