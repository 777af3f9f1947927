package apiclient

import (
	"math"
	"slices"
)

// NameList holds many names, in the order they were added. It costs the names'
// bytes and four bytes a name: the names lie in parts of 8,192, each one text, so
// that a list that grows copies no more than its last part.
type NameList struct {
	parts []namePart
	count int
	size  uint64 // bytes of all names
}

// partBits is the logarithm of how many names each part but the last holds.
const partBits = 13

type namePart struct {
	text []byte
	// ends holds the byte each name ends at.
	ends []uint32
	// upper reports whether there are upper-case letters of ASCII.
	upper bool
}

// Len returns the number of names.
func (l *NameList) Len() int { return l.count }

// Size returns the number of bytes of all names.
func (l *NameList) Size() int64 { return int64(l.size) }

// Weight returns the number of bytes that the list occupies.
func (l *NameList) Weight() int {
	n := 0
	for i := range l.parts {
		n += cap(l.parts[i].text) + 4*cap(l.parts[i].ends)
	}
	return n
}

// At returns name i, from 0, as a string of its own.
func (l *NameList) At(i int) string { return string(l.Name(i)) }

// Name returns name i as a part of the list's text, which must not be changed.
func (l *NameList) Name(i int) []byte {
	p, i := &l.parts[i>>partBits], i&(1<<partBits-1)
	start, end := uint32(0), p.ends[i]
	if i > 0 {
		start = p.ends[i-1]
	}
	return p.text[start:end:end]
}

// Parts returns the number of parts that hold the names, one after the other.
func (l *NameList) Parts() int { return len(l.parts) }

// Part returns a part of the list: its names without anything between them, the
// bytes at which they end, and whether there are upper-case letters of ASCII
// among them. The caller must not change them.
func (l *NameList) Part(i int) (text []byte, ends []uint32, upper bool) {
	p := &l.parts[i]
	return p.text, p.ends, p.upper
}

// Append adds a name. It returns false when the list would outgrow 4 GiB.
func (l *NameList) Append(name string) bool {
	if l.size+uint64(len(name)) > math.MaxUint32 {
		return false
	}
	if l.count == len(l.parts)<<partBits {
		l.grow()
	}
	p := &l.parts[len(l.parts)-1]
	p.text = append(p.text, name...)
	p.ends = append(p.ends, uint32(len(p.text)))
	p.upper = p.upper || hasUpper(name)
	l.size += uint64(len(name))
	l.count++
	return true
}

// grow adds a part with room for names about as long as those before.
func (l *NameList) grow() {
	var room int
	if n := len(l.parts); n > 0 {
		l.parts[n-1].compact()
		room = len(l.parts[n-1].text) + len(l.parts[n-1].text)/32
	}
	p := namePart{}
	if room > 0 {
		p.text, p.ends = make([]byte, 0, min(room, 1<<20)), make([]uint32, 0, 1<<partBits)
	}
	l.parts = append(l.parts, p)
}

// Snapshot returns a list with the names of l, without those that are added to l
// later, so that it can be read while l grows. It copies no name.
func (l *NameList) Snapshot() *NameList {
	s := &NameList{parts: slices.Clone(l.parts), count: l.count, size: l.size}
	for i := range s.parts {
		p := &s.parts[i]
		p.text, p.ends = slices.Clip(p.text), slices.Clip(p.ends)
	}
	return s
}

// Compact releases unused memory. Readers of a Snapshot are not disturbed.
func (l *NameList) Compact() {
	for i := range l.parts {
		l.parts[i].compact()
	}
}

func (p *namePart) compact() {
	if cap(p.text) > len(p.text)+len(p.text)/16 {
		p.text = append(make([]byte, 0, len(p.text)), p.text...)
	}
	if cap(p.ends) > len(p.ends)+len(p.ends)/16 {
		p.ends = append(make([]uint32, 0, len(p.ends)), p.ends...)
	}
}

func hasUpper(name string) bool {
	for i := range len(name) {
		if b := name[i]; 'A' <= b && b <= 'Z' {
			return true
		}
	}
	return false
}
