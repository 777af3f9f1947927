package resource

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Plural names a list of the kind, as the config and files do: "burn-blocks".
func (k Kind[T]) Plural() string {
	name := strings.ReplaceAll(k.Name, " ", "-")
	if stem, y := strings.CutSuffix(name, "y"); y {
		return stem + "ies"
	}
	return name + "s"
}

// widthsOf are the least and the most cells of a column that a list does not show by itself, by the
// type of its values.
var widthsOf = map[Type][2]int{Hash: {11, 66}, Principal: {11, 41}, Amount: {10, 20}, Number: {6, 12}, Share: {5, 6}, Moment: {10, 19}}

// With returns the kind for a list that shows columns of the user's own choice, by the names of the
// explorer or of files, in their order; without any, the kind as it is. The others are searched and
// exported as before.
func (k Kind[T]) With(names []string) Kind[T] {
	if len(names) == 0 {
		return k
	}
	var shown, others []Column[T]
	for at, name := range names {
		c, there := k.named(name)
		if !there || c.Hidden {
			continue // in this list all have the same
		}
		room, known := widthsOf[c.Type]
		if !known {
			room = [2]int{8, 40}
		}
		c.Blank = c.Blank || c.Head == "" // some have no such value
		c.Head = cmp.Or(c.Head, strings.ToUpper(c.Name))
		c.Least, c.Most, c.Keep = cmp.Or(c.Least, room[0]), cmp.Or(c.Most, room[1]), len(names)-at
		shown = append(shown, c)
	}
	for _, c := range k.Columns {
		if !slices.ContainsFunc(shown, func(of Column[T]) bool { return of.Name == c.Name }) {
			c.Head, c.Title, c.Tail = "", "", false
			others = append(others, c)
		}
	}
	k.Columns = append(shown, others...)
	return k
}

// named returns a column by its name in the explorer, else by that in files.
func (k Kind[T]) named(name string) (Column[T], bool) {
	at := slices.IndexFunc(k.Columns, func(c Column[T]) bool { return c.Name == name })
	if at < 0 {
		at = slices.IndexFunc(k.Columns, func(c Column[T]) bool { return c.exported() && c.file() == name })
	}
	if at < 0 {
		return Column[T]{}, false
	}
	return k.Columns[at], true
}

// lists returns the names of the columns of each list, by the name of the list: those of the
// explorer, and those of files.
func lists() (explorer, files map[string][]string) {
	explorer, files = map[string][]string{}, map[string][]string{}
	for _, kind := range []interface {
		Plural() string
		Names() []string
		Files() []string
	}{
		Blocks(), BurnBlocks(), Transactions(), Contracts(), Accounts(), Prints(), Holders(), TokenMoves(), Tokens(false),
		Namespaces(), Names(), RegisteredNames(), Signers(), Bonds(), Requests(), Calls(), Entries(),
	} {
		list := kind.Plural()
		explorer[list], files[list] = append(explorer[list], kind.Names()...), append(files[list], kind.Files()...)
	}
	return explorer, files
}

// CheckOwn returns what is wrong with columns of the user's own choice, and with those of which
// list; nil for nothing.
func CheckOwn(own map[string][]string) (list string, err error) {
	known, files := lists()
	for _, list := range slices.Sorted(maps.Keys(own)) {
		columns, there := known[list]
		names := own[list]
		switch {
		case !there:
			return list, fmt.Errorf("there is no list %q: want %s", list, strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		case len(names) == 0:
			return list, fmt.Errorf("%s: want the names of columns, one or more", list)
		}
		for i, name := range names {
			switch {
			case slices.Contains(names[:i], name):
				return list, fmt.Errorf("%s: column %q is there twice", list, name)
			case !slices.Contains(columns, name) && !slices.Contains(files[list], name):
				return list, fmt.Errorf("%s: there is no column %q; the columns are %s", list, name, strings.Join(columns, ", "))
			}
		}
	}
	return "", nil
}
