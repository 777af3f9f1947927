package term

import (
	"io"
	"testing"
)

// keysOf hands out one key at a time, as the terminal's parser does.
type keysOf []string

func (k *keysOf) Read(p []byte) (int, error) {
	if len(*k) == 0 {
		return 0, io.EOF
	}
	n := copy(p, (*k)[0])
	*k = (*k)[1:]
	return n, nil
}

// What is not shown cannot be looked at: a key that writes nothing must not be in a
// passphrase, and one that takes back takes a whole letter.
func TestAPassphraseHasTheLettersThatWereTyped(t *testing.T) {
	for name, c := range map[string]struct {
		keys keysOf
		want string
	}{
		"arrows write nothing":               {keysOf{"a", "\x1b[D", "\x1b[A", "\x1bOC", "b", "\r"}, "ab"},
		"backspace of a letter of two bytes": {keysOf{"a", "é", "\x7f", "b", "\r"}, "ab"},
		"backspace of a letter of four":      {keysOf{"🦋", "\b", "b", "\n"}, "b"},
		"backspace of nothing":               {keysOf{"\x7f", "\x7f", "b", "\r"}, "b"},
		"ctrl+u":                             {keysOf{"a", "b", "\x15", "c", "\r"}, "c"},
		"a tab and ctrl+a write nothing":     {keysOf{"a", "\t", "\x01", "\r"}, "a"},
		"ctrl+d ends it":                     {keysOf{"a", "\x04"}, "a"},
	} {
		var l secretLine
		if err := l.read(&c.keys); err != nil || string(l.typed) != c.want {
			t.Errorf("%s: %q, want %q (%v)", name, l.typed, c.want, err)
		}
	}
}
