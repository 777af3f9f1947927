package names

// knownName is a name that people type first, in the place of the generated
// name that would be next to it. The order of the list stays.
type knownName struct {
	index int64 // among all names, those of microblocks included
	label string
}

// addKnown puts labels into the namespace, each at the first generated name
// that is not below it, or at the one before where microblocks hide that.
func (n *Namespace) addKnown(labels ...string) {
	for _, label := range labels {
		i, _ := n.Index(label+n.suffix, true)
		if i == n.Count(true) || n.isHidden(i) {
			i--
		}
		n.known = append(n.known, knownName{index: i, label: label})
	}
}

// isHidden reports whether only unconfirmed microblocks have the name at i.
func (n *Namespace) isHidden(i int64) bool {
	return i%group == n.hiddenPlace(i/group)
}
