package names

import "bytes"

// knownName is a name that people type first, in the place of the generated
// name that would stand next to it. The order of the list stays.
type knownName struct {
	index int64 // among all names, those of microblocks included
	label string
}

// addKnown puts labels into the namespace, each at the first generated name
// that is not below it, or at the one before where microblocks hide that.
func (n *Namespace) addKnown(labels ...string) {
	for _, label := range labels {
		name := []byte(label + n.suffix)
		i := n.firstNotBelow(name)
		if i == n.Count(true) || n.isHidden(i) {
			i--
		}
		n.known = append(n.known, knownName{index: i, label: label})
	}
}

// firstNotBelow returns the index of the first name that is not below want in
// byte order, and the number of all names when there is none.
func (n *Namespace) firstNotBelow(want []byte) int64 {
	var buf []byte
	low, high := int64(0), n.Count(true)
	for low < high {
		mid := low + (high-low)/2
		if buf = n.AppendName(buf[:0], mid, true); bytes.Compare(buf, want) < 0 {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// isHidden reports whether only unconfirmed microblocks have the name at i.
func (n *Namespace) isHidden(i int64) bool {
	return i%group == n.hiddenPlace(i/group)
}
