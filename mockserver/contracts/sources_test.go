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
	long := strings.Repeat(";", maxSourceText/20)
	for n := range 50 {
		all.Read(id, text(n)+long, 3)
		kept := 0
		for of := range all.read {
			kept += len(of.text)
		}
		if kept > maxSourceText || kept != all.size {
			t.Fatalf("%d bytes of texts are kept, and %d counted", kept, all.size)
		}
	}
	if len(all.read) < 2 {
		t.Errorf("of long texts %d are kept", len(all.read))
	}
}
