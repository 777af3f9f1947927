package nav

// listed are the kinds of place that are a list, or one thing of it by its id: what one is
// called, the tab that it belongs to, and what is wrong with an id. The word for such a place
// is that of its kind.
var listed = map[Kind]struct {
	thing string
	tab   Kind
	check func(id string) error
}{
	KindNamespaces: {"namespace", KindNames, checkNamespace},
	KindName:       {"name", KindNames, CheckFullName},
}

// Listed is a list, or one thing of it; "" is the list.
func Listed(of Kind, id string) Place { return Place{Kind: of, ID: id} }

// listedCommand is Command of a list, and of what has no command of its own.
func (p Place) listedCommand() (args []string, exact bool) {
	if _, ok := listed[p.Kind]; !ok {
		return []string{"blocks"}, p.Kind == KindBlocks
	}
	if p.ID != "" {
		return []string{string(p.Kind), p.ID}, true
	}
	return []string{string(p.Kind)}, true
}
