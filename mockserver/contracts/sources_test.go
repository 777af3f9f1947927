package contracts

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"chainscope/wallet/clarity"
)

func TestATextIsReadOnce(t *testing.T) {
	id, err := clarity.ParseContract("SP000000000000000000002Q6VF78.c")
	if err != nil {
		t.Fatal(err)
	}
	var all Sources
	text := func(n int) string { return fmt.Sprintf("(define-read-only (f%d) u1)", n) }
	first := all.Read(id, text(0), 3)
	if first != all.Read(id, text(0), 3) || !reflect.DeepEqual(first, ReadSource(id, text(0), 3)) {
		t.Error("it is read again, or differently")
	}
	other := id
	other.Contract = "d"
	for _, s := range []*Source{all.Read(id, text(0), 4), all.Read(id, text(1), 3), all.Read(other, text(0), 3)} {
		if s == first {
			t.Error("another contract, text or version is the same")
		}
	}
	long := strings.Repeat(";", maxSourceText+1)
	if first, second := all.Read(id, long, 3), all.Read(id, long, 3); first == second {
		t.Error("a long text is kept")
	}
	for n := range 3 * maxSources {
		all.Read(id, text(n), 3)
	}
	if len(all.read) > maxSources {
		t.Errorf("%d texts are kept", len(all.read))
	}
}
