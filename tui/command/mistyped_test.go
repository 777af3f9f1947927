package command

import (
	"slices"
	"testing"
)

func TestOnlyWhatCannotBeATextLosesItsBlanks(t *testing.T) {
	const id = "0xf473b04ba075ef2446c4a4cd190a69528474596eb69e3b744fc103353c9e6767"
	for _, c := range []struct{ typed, taken []string }{
		{[]string{"tx", " " + id + "\n"}, []string{"tx", id}},
		{[]string{"names", " muneeb.btc "}, []string{"names", "muneeb.btc"}},
		{[]string{"wallet", "verify", "--message", " 42"}, []string{"wallet", "verify", "--message", " 42"}},
		{[]string{"call", "SP000000000000000000002Q6VF78.notes", "add", " 42"}, []string{"call", "SP000000000000000000002Q6VF78.notes", "add", " 42"}},
		{[]string{" two words "}, []string{" two words "}},
	} {
		if got := withoutBlanks(c.typed); !slices.Equal(got, c.taken) {
			t.Errorf("%q is taken for %q, want %q", c.typed, got, c.taken)
		}
	}
}
