// Package names is the mock's name system: namespaces whose names are
// generated in order by index. Nothing is stored for a name; the first and the
// last of millions cost the same, and a name is found again by a binary search
// over the generator.
//
// The package must not import the HTTP layer or anything of the terminal, and
// does no I/O.
package names

import (
	"cmp"
	"fmt"
	"sort"
	"strings"

	"chainscope/mockserver/splitmix"
)

// DefaultCount is the number of names of the namespace btc unless another is
// requested.
const DefaultCount = 250_000

// PageSize is the number of names on one page of the contract.
const PageSize = 100

// group is the number of names among which one is in unconfirmed microblocks only.
const group = 1024

// Namespace is one namespace. It is immutable and safe for concurrent use.
type Namespace struct {
	name   string
	suffix string // "." and the name
	count  int64  // names in anchored blocks
	step   uint64 // points of the grid for each name, hidden ones included
	place  splitmix.Key
	hidden splitmix.Key
	known  []knownName // by index
}

// Catalogue holds the namespaces.
type Catalogue struct {
	spaces []*Namespace
}

// MaxCount returns the highest number of names that a namespace can have.
func MaxCount() int64 { return points / group * (group - 1) }

// New makes the namespaces of a seed, btc with count names. The error says
// what count would be right.
func New(seed uint64, btc int64) (*Catalogue, error) {
	if btc < 0 || btc > MaxCount() {
		return nil, fmt.Errorf("%d names cannot be generated, only up to %d", btc, MaxCount())
	}
	c := &Catalogue{}
	for i, s := range []struct {
		name  string
		count int64
	}{
		{"app", 137},
		{"blockstack", 1},
		{"btc", btc},
		{"graphite", 0},
		{"helloworld", 100},
		{"id", 38_214},
		{"podcast", 2_600},
		{"stx", 12_345},
	} {
		c.spaces = append(c.spaces, newNamespace(seed, uint64(i), s.name, s.count))
	}
	return c, nil
}

func newNamespace(seed, number uint64, name string, count int64) *Namespace {
	n := &Namespace{
		name: name, suffix: "." + name, count: count,
		place: splitmix.NewKey(seed, 1_000+2*number), hidden: splitmix.NewKey(seed, 1_001+2*number),
	}
	if count > 0 {
		n.step = uint64(points / n.Count(true))
	}
	if name == "btc" && count >= group {
		n.addKnown(wellKnown...)
	}
	return n
}

// All lists the namespaces by name.
func (c *Catalogue) All() []*Namespace { return c.spaces }

// Namespace finds a namespace; the case matters.
func (c *Catalogue) Namespace(name string) (*Namespace, bool) {
	for _, n := range c.spaces {
		if n.name == name {
			return n, true
		}
	}
	return nil, false
}

// Name returns the name of the namespace itself.
func (n *Namespace) Name() string { return n.name }

// Count returns the number of names, with or without those that only unconfirmed
// microblocks hold.
func (n *Namespace) Count(unanchored bool) int64 {
	if unanchored {
		return n.count + n.count/(group-1)
	}
	return n.count
}

// position returns the place of an anchored name among all names.
func (n *Namespace) position(i int64) int64 {
	g, place := i/(group-1), i%(group-1)
	if place >= n.hiddenPlace(g) {
		place++
	}
	return g*group + place
}

// hiddenPlace returns the place in a full group of the one name that is only in
// microblocks. The last group is not full and has none.
func (n *Namespace) hiddenPlace(g int64) int64 {
	if (g+1)*(group-1) > n.count {
		return group
	}
	return int64(splitmix.Below(n.hidden.At(uint64(g)), group))
}

// AppendName writes name i, counted from 0 in byte order, with its namespace.
// i must be below Count of the same unanchored.
func (n *Namespace) AppendName(dst []byte, i int64, unanchored bool) []byte {
	if !unanchored {
		i = n.position(i)
	}
	for _, k := range n.known {
		if k.index == i {
			dst = append(dst, k.label...)
			return append(dst, n.suffix...)
		}
	}
	p := uint64(i)*n.step + splitmix.Below(n.place.At(uint64(i)), n.step)
	dst = appendPoint(dst, p)
	return append(dst, n.suffix...)
}

// Index finds the place of a fully qualified name; where there is no such name, of the
// first one above it in byte order.
func (n *Namespace) Index(name string, unanchored bool) (int64, bool) {
	var buf []byte
	i, found := sort.Find(int(n.Count(unanchored)), func(i int) int {
		buf = n.AppendName(buf[:0], int64(i), unanchored)
		return strings.Compare(name, string(buf))
	})
	return int64(i), found
}

// Page lists up to PageSize names of all namespaces in byte order from an index on.
func (c *Catalogue) Page(start int64, unanchored bool) (all []string) {
	next := make([]int64, len(c.spaces)) // of each namespace, how many names are before the page
	for _, n := range c.spaces {
		rank := func(name string) (before int64) {
			for i, other := range c.spaces {
				next[i], _ = other.Index(name, unanchored)
				before += next[i]
			}
			return before
		}
		i, found := sort.Find(int(n.Count(unanchored)), func(i int) int {
			return cmp.Compare(start, rank(string(n.AppendName(nil, int64(i), unanchored))))
		})
		if found {
			rank(string(n.AppendName(nil, int64(i), unanchored)))
			break
		}
		clear(next)
	}
	for len(all) < PageSize {
		best, first := -1, ""
		for i, n := range c.spaces {
			if next[i] == n.Count(unanchored) {
				continue
			}
			if name := string(n.AppendName(nil, next[i], unanchored)); best < 0 || name < first {
				best, first = i, name
			}
		}
		if best < 0 {
			break
		}
		all, next[best] = append(all, first), next[best]+1
	}
	return all
}

// Count returns the number of names of all namespaces.
func (c *Catalogue) Count(unanchored bool) (n int64) {
	for _, space := range c.spaces {
		n += space.Count(unanchored)
	}
	return n
}

// Page lists up to PageSize names from index start on.
func (n *Namespace) Page(start int64, unanchored bool) []string {
	page := make([]string, 0, PageSize)
	for i := start; i < min(start+PageSize, n.Count(unanchored)); i++ {
		page = append(page, string(n.AppendName(nil, i, unanchored)))
	}
	return page
}
