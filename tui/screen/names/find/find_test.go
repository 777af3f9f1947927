package find

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// list is a Text in parts of at most most names, 1,000 when 0.
type list struct {
	parts []struct {
		text  []byte
		ends  []uint32
		upper bool
	}
	most, count int
}

func (l *list) Len() int   { return l.count }
func (l *list) Parts() int { return len(l.parts) }
func (l *list) Part(i int) (text []byte, ends []uint32, upper bool) {
	p := &l.parts[i]
	return p.text, p.ends, p.upper
}

func (l *list) add(name string) {
	if l.count == 0 || len(l.parts[len(l.parts)-1].ends) == cmp.Or(l.most, 1000) {
		l.parts = slices.Grow(l.parts, 1)[:len(l.parts)+1]
	}
	p := &l.parts[len(l.parts)-1]
	p.text = append(p.text, name...)
	p.ends = append(p.ends, uint32(len(p.text)))
	p.upper = p.upper || strings.ToLower(name) != name
	l.count++
}

func of(most int, names ...string) *list {
	l := &list{most: most}
	for _, n := range names {
		l.add(n)
	}
	return l
}

// found searches names in parts of at most most, and writes what it finds with
// its ranks.
func found(t interface{ Fatal(args ...any) }, most int, names []string, query string) []string {
	hits, err := Search(context.Background(), of(most, names...), query)
	if err != nil {
		t.Fatal(err)
	}
	got := []string{}
	for i := range hits.Len() {
		got = append(got, fmt.Sprintf("%s %d", names[hits.At(i)], hits.Rank(i)))
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
		if diff := gocmp.Diff(want, found(t, 3, names, query)); diff != "" {
			t.Errorf("%q: %s", query, diff)
		}
	}
	if n := len(found(t, 3, names, "")); n != len(names) {
		t.Errorf("no query finds %d of %d", n, len(names))
	}
	if n := len(found(t, 3, nil, "a")); n != 0 {
		t.Errorf("an empty list has %d hits", n)
	}
}

func TestACancelledSearchSaysSo(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Search(ctx, of(3, "a.btc"), "a"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// naive returns the same search by the letter of its description.
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
		labels := rapid.SliceOfN(rapid.StringMatching(`[aAb1-]{0,8}`), 0, 50).Draw(rt, "labels")
		names := make([]string, len(labels))
		for i, l := range labels {
			names[i] = l + ".ab"
		}
		most := rapid.IntRange(1, 60).Draw(rt, "names a part")
		query := rapid.StringMatching(`[aAb1.-]{1,3}`).Draw(rt, "query")
		if diff := gocmp.Diff(naive(names, query), found(rt, most, names, query)); diff != "" {
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

// brokenList panics when it is searched.
type brokenList struct{ *list }

func (l brokenList) Part(int) ([]byte, []uint32, bool) { panic("broken part") }

func TestAPanicOfASearchReachesItsCaller(t *testing.T) {
	names := make([]string, 8)
	for i := range names {
		names[i] = fmt.Sprintf("name%d.btc", i)
	}
	for range 50 {
		func() {
			defer func() {
				if p := recover(); p != "broken part" {
					t.Fatalf("recovered %v", p)
				}
			}()
			_, _ = search(context.Background(), brokenList{of(1, names...)}, "name", 4)
		}()
	}
}
