package wire

import "testing"

func TestATextIsCutAtTheEndOfACharacter(t *testing.T) {
	for _, c := range []struct {
		text, want string
		most       int
	}{{"abc", "abc", 3}, {"abcd", "abc…", 3}, {"aéb", "a…", 2}, {"aéb", "aé…", 3}, {"é", "…", 1}} {
		if got := Cut(c.text, c.most); got != c.want {
			t.Errorf("%q cut to %d bytes is %q, want %q", c.text, c.most, got, c.want)
		}
	}
}
