package find

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

type list struct {
	bytes   []byte
	offsets []uint32
}

func (l list) Bytes() []byte     { return l.bytes }
func (l list) Offsets() []uint32 { return l.offsets }

func of(names ...string) list {
	var l list
	for _, n := range names {
		l.bytes = append(l.bytes, n...)
		l.offsets = append(l.offsets, uint32(len(l.bytes)))
	}
	return l
}

func found(t *testing.T, names []string, query string) []string {
	t.Helper()
	hits, err := Search(context.Background(), of(names...), query)
	if err != nil {
		t.Fatal(err)
	}
	got := []string{}
	for i, index := range hits.Indexes {
		got = append(got, fmt.Sprintf("%s %d", names[index], hits.Rank(i)))
	}
	return got
}

func TestSearch(t *testing.T) {
	names := []string{"asato.btc", "btc-king.btc", "my-sato.btc", "sato.btc", "SATOshi.btc", "x9sato.btc", "zz.btc", "asatosato_sato.btc"}
	for query, want := range map[string][]string{
		"sato":     {"sato.btc 0", "SATOshi.btc 0", "my-sato.btc 1", "x9sato.btc 1", "asatosato_sato.btc 1", "asato.btc 2"},
		"SATO":     {"sato.btc 0", "SATOshi.btc 0", "my-sato.btc 1", "x9sato.btc 1", "asatosato_sato.btc 1", "asato.btc 2"},
		"btc":      {"btc-king.btc 0"},
		"king.btc": {"btc-king.btc 1"},
		"btcmy":    {},
		"zz.btca":  {},
		"nothing":  {},
	} {
		if diff := cmp.Diff(want, found(t, names, query)); diff != "" {
			t.Errorf("%q: %s", query, diff)
		}
	}
	if n := len(found(t, names, "")); n != len(names) {
		t.Errorf("no query finds %d of %d", n, len(names))
	}
	if n := len(found(t, nil, "a")); n != 0 {
		t.Errorf("an empty list has %d hits", n)
	}
}

func TestACancelledSearchSaysSo(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Search(ctx, of("a.btc"), "a"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// naive is the same search by the letter of its description.
func naive(names []string, query string) []string {
	var by [ranks][]string
	query = strings.ToLower(query)
	for _, n := range names {
		label := strings.ToLower(n)
		if !strings.Contains(query, ".") {
			label = label[:max(strings.LastIndexByte(label, '.'), 0)]
		}
		rank, ok := Inside, false
		for at := 0; at+len(query) <= len(label); at++ {
			if label[at:at+len(query)] != query {
				continue
			}
			ok = true
			if at == 0 {
				rank = Prefix
			} else if rank == Inside && startsWord([]byte(label), at) {
				rank = WordStart
			}
		}
		if ok {
			by[rank] = append(by[rank], fmt.Sprintf("%s %d", n, rank))
		}
	}
	return append(append(append([]string{}, by[0]...), by[1]...), by[2]...)
}

func TestSearchAgreesWithTheLetter(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		labels := rapid.SliceOfN(rapid.StringMatching(`[aAb1-]{1,8}`), 0, 50).Draw(rt, "labels")
		names := make([]string, len(labels))
		for i, l := range labels {
			names[i] = l + ".ab"
		}
		query := rapid.StringMatching(`[aAb1.-]{1,3}`).Draw(rt, "query")
		if diff := cmp.Diff(naive(names, query), found(t, names, query)); diff != "" {
			rt.Fatalf("%q in %v: %s", query, names, diff)
		}
	})
}

func TestHighlight(t *testing.T) {
	for _, c := range []struct {
		name, query, want string
	}{
		{"asato_sato.btc", "sato", "sato"},
		{"Sato.btc", "sA", "Sa"},
		{"king.btc", "btc", ""},
		{"king.btc", "g.b", "g.b"},
		{"king.btc", "", ""},
	} {
		from, to := Highlight(c.name, c.query)
		if got := c.name[from:to]; got != c.want {
			t.Errorf("%q in %q: got %q, want %q", c.query, c.name, got, c.want)
		}
	}
	if from, _ := Highlight("asato_sato.btc", "sato"); from != 6 {
		t.Errorf("the word is highlighted first, got place %d", from)
	}
}

func BenchmarkSearch(b *testing.B) {
	const n = 500_000
	var l list
	for i := range n {
		l.bytes = fmt.Appendf(l.bytes, "%c%dsato%x.btc", 'a'+i%26, i, i*7919)
		l.offsets = append(l.offsets, uint32(len(l.bytes)))
	}
	b.Run("touch every byte", func(b *testing.B) {
		for b.Loop() {
			sum := 0
			for _, c := range l.bytes {
				sum += int(c)
			}
			_ = sum
		}
	})
	for _, query := range []string{"s", "sa", "sato", "sato1f", "zqx"} {
		b.Run(query, func(b *testing.B) {
			for b.Loop() {
				if _, err := Search(context.Background(), l, query); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
