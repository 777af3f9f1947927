package names

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"testing"
)

func catalogue(t testing.TB, seed uint64, btc int64) *Catalogue {
	t.Helper()
	c, err := New(seed, btc)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func btc(t testing.TB, seed uint64, count int64) *Namespace {
	t.Helper()
	n, ok := catalogue(t, seed, count).Namespace("btc")
	if !ok {
		t.Fatal("no namespace btc")
	}
	return n
}

var wellFormed = regexp.MustCompile(`^[a-z0-9_]+\.btc$`)

func TestNamesAscendAndAreFoundAgain(t *testing.T) {
	for _, count := range []int64{1, 99, 100, 1022, 1023, 1024, 5_000, 250_000, 500_000} {
		t.Run(fmt.Sprintf("%d names", count), func(t *testing.T) {
			t.Parallel()
			n := btc(t, uint64(count), count)
			for _, unanchored := range []bool{false, true} {
				var last, name []byte
				for i := range n.Count(unanchored) {
					name = n.AppendName(name[:0], i, unanchored)
					if bytes.Compare(last, name) >= 0 {
						t.Fatalf("name %d is %s, after %s", i, name, last)
					}
					last = append(last[:0], name...)
					if i%97 != 0 {
						continue
					}
					if !wellFormed.Match(name) {
						t.Fatalf("name %d is %q", i, name)
					}
					if got, ok := n.Index(string(name), unanchored); !ok || got != i {
						t.Fatalf("%s is found at %d, %v, not at %d", name, got, ok, i)
					}
				}
			}
		})
	}
}

func TestEveryFullGroupHidesOneNameFromTheAnchoredList(t *testing.T) {
	const count = 50_000
	n := btc(t, 3, count)
	if n.Count(false) != count || n.Count(true) != count+count/1023 {
		t.Fatalf("%d names, %d with unanchored ones", n.Count(false), n.Count(true))
	}
	places := map[int64]bool{}
	hidden := int64(0)
	var name []byte
	for i := range n.Count(true) {
		name = n.AppendName(name[:0], i, true)
		if _, ok := n.Index(string(name), false); !ok {
			if i/group != hidden {
				t.Fatalf("hidden name %d is at %d", hidden, i)
			}
			places[i%group] = true
			hidden++
		}
	}
	if hidden != count/1023 || len(places) < 40 {
		t.Errorf("%d hidden names at %d places", hidden, len(places))
	}
}

func TestPagesAreTheListCutIntoHundreds(t *testing.T) {
	n := btc(t, 1, 1_250)
	for _, unanchored := range []bool{false, true} {
		at := int64(0)
		for start := int64(0); start < n.Count(unanchored); start += PageSize {
			for _, name := range n.Page(start, unanchored) {
				if want := string(n.AppendName(nil, at, unanchored)); name != want {
					t.Fatalf("name %d on its page is %s, want %s", at, name, want)
				}
				at++
			}
		}
		if at != n.Count(unanchored) {
			t.Errorf("the pages hold %d names of %d", at, n.Count(unanchored))
		}
	}
	if got := n.Page(n.Count(false), false); got == nil || len(got) != 0 { // nil would be null in JSON
		t.Errorf("past the end: %s", got)
	}
}

func TestNamespacesAreOrderedAndOneIsEmpty(t *testing.T) {
	c := catalogue(t, 1, DefaultCount)
	empty, last := 0, ""
	for _, n := range c.All() {
		if n.Name() <= last {
			t.Errorf("%s after %s", n.Name(), last)
		}
		last = n.Name()
		if n.Count(true) == 0 {
			empty++
		}
		if got, ok := c.Namespace(n.Name()); !ok || got != n {
			t.Errorf("%s is not found", n.Name())
		}
	}
	if empty != 1 {
		t.Errorf("%d empty namespaces", empty)
	}
	for _, unknown := range []string{"", "BTC", "nope", "btc "} {
		if _, ok := c.Namespace(unknown); ok {
			t.Errorf("namespace %q is known", unknown)
		}
	}
	if a, b := btc(t, 1, 1000), btc(t, 2, 1000); slices.Equal(a.Page(0, false), b.Page(0, false)) {
		t.Error("two seeds give the same names")
	}
}

func TestNamesThatEverybodyTypesAreInEveryBTC(t *testing.T) {
	// One name of 1,024 is hidden: enough seeds for some to hide one of these.
	for count, seeds := range map[int64]uint64{group: 2_000, DefaultCount: 20, MaxCount(): 20} {
		for seed := range seeds {
			n := btc(t, seed, count)
			for _, name := range []string{"alice.btc", "muneeb.btc", "satoshi.btc"} {
				for _, unanchored := range []bool{false, true} {
					i, ok := n.Index(name, unanchored)
					if !ok {
						t.Errorf("seed %d, %d names: no %s (unanchored %v)", seed, count, name, unanchored)
						continue
					}
					for _, j := range []int64{i - 1, i + 1} {
						beside := string(n.AppendName(nil, j, unanchored))
						if (beside < name) != (j < i) {
							t.Errorf("seed %d, %d names: %s at %d beside %s at %d", seed, count, beside, j, name, i)
						}
					}
				}
			}
		}
	}
}

func TestForeignNamesAreNotFound(t *testing.T) {
	n := btc(t, 1, 10_000)
	for _, name := range []string{"", "a", "zzzzz.btc", "!.btc", string(n.AppendName(nil, 5, false)) + "x"} {
		if i, ok := n.Index(name, true); ok {
			t.Errorf("%q is found at %d", name, i)
		}
	}
}

func TestCountsThatCannotBeGeneratedAreRefused(t *testing.T) {
	for _, count := range []int64{-1, MaxCount() + 1, 1 << 60} {
		if _, err := New(1, count); err == nil {
			t.Errorf("%d names are accepted", count)
		}
	}
	n := btc(t, 1, MaxCount())
	end := n.Count(true)
	for i := end - 3000; i < end-1; i++ {
		if bytes.Compare(n.AppendName(nil, i, true), n.AppendName(nil, i+1, true)) >= 0 {
			t.Fatalf("names %d and %d do not ascend", i, i+1)
		}
	}
}

func TestTheNamesOfASeedArePinned(t *testing.T) {
	n := btc(t, 1, DefaultCount)
	for i, want := range map[int64]string{0: "00a20.btc", 125_000: "fricla13.btc", 249_999: "yefadev.btc"} {
		if got := string(n.AppendName(nil, i, false)); got != want {
			t.Errorf("name %d is %s, want %s", i, got, want)
		}
	}
}

func BenchmarkPage(b *testing.B) {
	n := btc(b, 1, DefaultCount)
	b.ReportAllocs()
	for i := range b.N {
		n.Page(int64(i%2500)*100, false)
	}
}
