package check

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Difference says where two servers, or a server and a recording, do not answer a route
// alike: in how they serve it, or in the fields and types of their answers. Values are
// not compared, since chains differ.
type Difference struct {
	Route string `json:"route"`
	// Request is the request to the first of the two.
	Request string `json:"request,omitempty"`
	Where   string `json:"where,omitempty"`
	Here    string `json:"here"`
	There   string `json:"there"`
}

// Compare returns where the answers of two sides differ.
func (k *Checker) Compare(here, there []Answer) []Difference {
	all := []Difference{}
	states := func(answers []Answer) map[string]State {
		m := map[string]State{}
		for _, r := range k.Judge(answers).Routes {
			m[r.Route] = r.State
		}
		return m
	}
	stateHere, stateThere := states(here), states(there)
	for _, op := range k.contract.operations {
		h, t := stateHere[op.path], stateThere[op.path]
		if h == NotRecorded || t == NotRecorded {
			continue
		}
		if h != t {
			all = append(all, Difference{Route: op.path, Here: string(h), There: string(t)})
		}
		for _, why := range []purpose{valid, faulty} {
			a, b := pick(here, op.path, why), pick(there, op.path, why)
			if a != nil && b != nil && !a.retired() && !b.retired() {
				all = append(all, differences(op.path, *a, *b)...)
			}
		}
	}
	return all
}

// pick returns the first answer of a route to a request of one purpose, nil if there
// is none.
func pick(answers []Answer, route string, why purpose) *Answer {
	i := slices.IndexFunc(answers, func(a Answer) bool { return a.route == route && a.purpose == why && !a.notRecorded() })
	if i < 0 {
		return nil
	}
	return &answers[i]
}

// differences returns where two answers have another status or shape.
func differences(route string, a, b Answer) (all []Difference) {
	add := func(where, here, there string) {
		all = append(all, Difference{Route: route, Request: a.Target, Where: where, Here: here, There: there})
	}
	if a.Status != b.Status && (a.aboutSubject() || b.aboutSubject()) {
		return nil // one of the chains does not have it
	}
	if a.Status != b.Status {
		add("", fmt.Sprintf("status %d", a.Status), fmt.Sprintf("status %d", b.Status))
		return all
	}
	here, there := a.shape(), b.shape()
	names := maps.Clone(here)
	maps.Copy(names, there)
	for _, where := range slices.Sorted(maps.Keys(names)) {
		if here[where] != there[where] && !underEmpty(where, here, there) {
			add(where, cmp.Or(here[where], "absent"), cmp.Or(there[where], "absent"))
		}
	}
	return all
}

// underEmpty reports whether a path leads into a list that has no element on one side,
// so that nothing is known of it there.
func underEmpty(where string, here, there map[string]string) bool {
	for i := range len(where) + 1 {
		list := where[:i]
		if strings.HasSuffix(list, "[]") && (here[list] == "" || there[list] == "") {
			return true
		}
	}
	return false
}

// shape returns the types at each path of an answer, such as "integer" for
// results[].height. A body that is not JSON has none.
func (a Answer) shape() map[string]string {
	kinds := map[string]map[string]bool{}
	var walk func(value any, where string)
	walk = func(value any, where string) {
		if kinds[where] == nil {
			kinds[where] = map[string]bool{}
		}
		kinds[where][typeOf(value)] = true
		switch v := value.(type) {
		case map[string]any:
			for name, inner := range v {
				if strings.HasPrefix(name, "0x") {
					name = "*" // a map from hashes
				}
				walk(inner, strings.TrimPrefix(where+"."+name, "."))
			}
		case []any:
			for _, inner := range v {
				walk(inner, where+"[]")
			}
		}
	}
	if value, err := a.decode(); err == nil {
		walk(value, "")
	}
	shape := map[string]string{}
	for where, set := range kinds {
		shape[where] = strings.Join(slices.Sorted(maps.Keys(set)), " or ")
	}
	return shape
}
