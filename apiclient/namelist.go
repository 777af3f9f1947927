package apiclient

import "math"

// NameList holds many names in one buffer, in the order they were added. It
// costs the names' bytes and four bytes a name.
type NameList struct {
	buf []byte
	// ends holds the byte each name ends at.
	ends []uint32
}

// Len is the number of names.
func (l *NameList) Len() int { return len(l.ends) }

// At is name i, from 0, as a string of its own.
func (l *NameList) At(i int) string { return string(l.Name(i)) }

// Name is name i as a part of the buffer, which must not be changed.
func (l *NameList) Name(i int) []byte {
	end := l.ends[i]
	return l.buf[l.start(i):end:end]
}

func (l *NameList) start(i int) uint32 {
	if i == 0 {
		return 0
	}
	return l.ends[i-1]
}

// Bytes is the buffer, all names without anything between them.
func (l *NameList) Bytes() []byte { return l.buf }

// Offsets are the bytes of the buffer at which the names end: name i is
// Bytes()[Offsets()[i-1]:Offsets()[i]], the first from 0.
func (l *NameList) Offsets() []uint32 { return l.ends }

// Append adds a name; false when the list would outgrow 4 GiB.
func (l *NameList) Append(name string) bool {
	if uint64(len(l.buf))+uint64(len(name)) > math.MaxUint32 {
		return false
	}
	l.buf = append(l.buf, name...)
	l.ends = append(l.ends, uint32(len(l.buf)))
	return true
}

// Snapshot is a list with the same names that shares no growth with l: names that
// are added to l later are not in it. It costs no copy, for names are never
// changed, so that a list can be read while l grows.
func (l *NameList) Snapshot() *NameList {
	return &NameList{buf: l.buf[:len(l.buf):len(l.buf)], ends: l.ends[:len(l.ends):len(l.ends)]}
}

// Compact gives back what the buffers have grown too far. Readers of a Snapshot
// are not disturbed.
func (l *NameList) Compact() {
	if cap(l.buf) > len(l.buf)+len(l.buf)/32 {
		l.buf = append(make([]byte, 0, len(l.buf)), l.buf...)
	}
	if cap(l.ends) > len(l.ends)+len(l.ends)/32 {
		l.ends = append(make([]uint32, 0, len(l.ends)), l.ends...)
	}
}
