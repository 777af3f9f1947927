package apiclient

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestANameListGivesBackWhatWasAdded(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.SampledFrom([]int{0, 1, 100, 1<<partBits - 1, 1 << partBits, 1<<partBits + 1, 20_000}).Draw(rt, "names")
		name := func(i int) string { return strings.Repeat("é", i%5) + fmt.Sprint(i*i) }
		var list NameList
		var early *NameList
		at := rapid.IntRange(0, n).Draw(rt, "snapshot at")
		for i := range n {
			if i == at {
				early = list.Snapshot()
			}
			if !list.Append(name(i)) {
				rt.Fatal("no room")
			}
		}
		list.Compact()
		if early == nil {
			early = list.Snapshot()
		}
		if early.Len() != at || list.Len() != n {
			rt.Fatalf("%d and %d names, want %d and %d", early.Len(), list.Len(), at, n)
		}
		size := 0
		for i := range n {
			if got := list.At(i); got != name(i) {
				rt.Fatalf("name %d is %q, want %q", i, got, name(i))
			}
			if i < at && string(early.Name(i)) != name(i) {
				rt.Fatalf("name %d of the snapshot is %q", i, early.Name(i))
			}
			size += len(name(i))
		}
		parted := 0
		for i := range list.Parts() {
			text, ends, upper := list.Part(i)
			if upper || int(ends[len(ends)-1]) != len(text) {
				rt.Fatalf("part %d: upper %t, ends at %d of %d", i, upper, ends[len(ends)-1], len(text))
			}
			parted += len(ends)
		}
		if parted != n || list.Size() != int64(size) {
			rt.Fatalf("%d names in parts, %d bytes; want %d, %d", parted, list.Size(), n, size)
		}
	})
}

func TestAPartReportsUpperCase(t *testing.T) {
	var list NameList
	list.Append("alice.btc")
	if _, _, upper := list.Part(0); upper {
		t.Error("lower case taken for upper")
	}
	list.Append("Bob.btc")
	if _, _, upper := list.Part(0); !upper {
		t.Error("upper case not seen")
	}
}

func TestCompactingReleasesWhatIsUnused(t *testing.T) {
	var list NameList
	for i := range 1000 {
		list.Append(fmt.Sprint("name", i, ".btc"))
	}
	tight := int(list.Size()) + 4*list.Len()
	if list.Weight() <= tight {
		t.Fatalf("%d names of %d bytes weigh %d before", list.Len(), list.Size(), list.Weight())
	}
	list.Compact()
	if list.Weight() != tight {
		t.Errorf("they weigh %d, want %d", list.Weight(), tight)
	}
	text, _, _ := list.Part(0)
	list.Compact()
	if again, _, _ := list.Part(0); &again[0] != &text[0] {
		t.Error("a list that fits was copied")
	}
}
