package state

// Recent puts a value at the front of a list of the most recently used, removes
// its older copies and keeps a limited number of values. The list is left as it is.
func Recent[T any](list []T, newest T, same func(a, b T) bool, most int) []T {
	kept := []T{newest}
	for _, v := range list {
		if len(kept) < most && !same(v, newest) {
			kept = append(kept, v)
		}
	}
	return kept
}
