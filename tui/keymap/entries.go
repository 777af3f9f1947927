package keymap

import (
	"fmt"
	"reflect"
	"slices"
	"sort"
	"strings"
	"unicode"

	"github.com/charmbracelet/bubbles/key"
)

// Entry is one binding with its name.
type Entry struct {
	Scope   string // "global"
	Name    string // "global.raw-json"
	Binding *key.Binding
}

// First returns the first key of a binding, as help shows it.
func First(b key.Binding) string {
	first, _, _ := strings.Cut(b.Help().Key, " ")
	return first
}

// Section is the bindings of one scope.
type Section struct {
	Scope, Title string
	Entries      []Entry
}

// Sections lists all bindings, scope by scope, in the order of the struct.
// Changing a binding through its entry changes the map.
func (m *Map) Sections() []Section {
	var all []Section
	v := reflect.ValueOf(m).Elem()
	for i := range v.NumField() {
		tag := v.Type().Field(i).Tag
		s := Section{Scope: tag.Get("scope"), Title: tag.Get("title")}
		group := v.Field(i)
		for j := range group.NumField() {
			s.Entries = append(s.Entries, Entry{
				Scope: s.Scope, Name: s.Scope + "." + dashed(group.Type().Field(j).Name),
				Binding: group.Field(j).Addr().Interface().(*key.Binding),
			})
		}
		all = append(all, s)
	}
	return all
}

// dashed writes RawJSON as raw-json.
func dashed(s string) string {
	var b strings.Builder
	runes := []rune(s)
	for i, r := range runes {
		if i > 0 && unicode.IsUpper(r) && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// Find returns the binding of that name.
func (m *Map) Find(name string) (*key.Binding, bool) {
	for _, s := range m.Sections() {
		for _, e := range s.Entries {
			if e.Name == name {
				return e.Binding, true
			}
		}
	}
	return nil, false
}

// BindingNames returns the names of all bindings.
func (m *Map) BindingNames() []string {
	var names []string
	for _, s := range m.Sections() {
		for _, e := range s.Entries {
			names = append(names, e.Name)
		}
	}
	return names
}

// Rebind gives bindings other keys, by name. It changes nothing when a name is
// unknown, a binding would have no key, or two bindings that work at the same
// time would share one.
func (m *Map) Rebind(keys map[string][]string) error {
	if len(keys) == 0 {
		return nil // as most start: to look for a conflict takes half a millisecond
	}
	next := *m
	names := make([]string, 0, len(keys))
	for name := range keys {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		b, ok := next.Find(name)
		if !ok {
			return fmt.Errorf("keys: %q is not a binding; help (?) lists them, such as %q", name, "global.raw-json")
		}
		if len(keys[name]) == 0 || slices.Contains(keys[name], "") {
			return fmt.Errorf("keys: %s needs at least one key, and none may be empty", name)
		}
		b.SetKeys(keys[name]...)
		b.SetHelp(strings.Join(keys[name], " "), b.Help().Desc)
	}
	if err := next.Conflict(); err != nil {
		return err
	}
	*m = next
	return nil
}

// together lists the scopes whose keys work at the same time, the global scope
// left out: what the places of the explorer answer when asked for their scopes.
// A scope that stands in no other line works alone or with the global one.
var together = [][]string{
	{"list", "home"},
	{"list", "blocks"},
	{"detail", "blocks"},
	{"list", "burn", "blocks"},
	{"detail", "burn", "blocks"},
	{"list", "tokens"},
	{"detail", "tokens"},
	{"list", "names"},
	{"detail", "names"},
	{"list", "wallet"},
	{"detail", "wallet"},
	{"form"},
}

// Together reports whether the map knows that scopes work at the same time.
func Together(scopes []string) bool {
	return slices.ContainsFunc(together, func(group []string) bool {
		return !slices.ContainsFunc(scopes, func(s string) bool { return !slices.Contains(group, s) })
	})
}

// exclusive scopes take all keys while they are on, so that they may use those
// of the global scope.
var exclusive = []string{"json"}

// apart are bindings of scopes that work at the same time which never do so
// themselves: the list of tokens has no pages.
var apart = [][2]string{{"list.next-page", "tokens.next-id"}, {"list.prev-page", "tokens.prev-id"}}

// Conflict returns an error that names both bindings when a key has two meanings
// at the same time.
func (m *Map) Conflict() error {
	for _, group := range together {
		if err := m.conflictIn(append([]string{"global"}, group...)); err != nil {
			return err
		}
	}
	for _, scope := range exclusive {
		if err := m.conflictIn([]string{scope}); err != nil {
			return err
		}
	}
	return nil
}

// conflictIn looks for a key that two bindings of some scopes share.
func (m *Map) conflictIn(scopes []string) error {
	taken := map[string]string{}
	for _, s := range m.Sections() {
		if !slices.Contains(scopes, s.Scope) {
			continue
		}
		for _, e := range s.Entries {
			for _, k := range e.Binding.Keys() {
				other, double := taken[k]
				if double && !slices.Contains(apart, [2]string{other, e.Name}) {
					return fmt.Errorf("keys: %q is bound to both %s and %s, which work at the same time", k, other, e.Name)
				}
				taken[k] = e.Name
			}
		}
	}
	return nil
}

// Markdown returns the table of all keys for docs/configuration.md.
func (m *Map) Markdown() string {
	var b strings.Builder
	b.WriteString("| Where | Key | Does | Name in the config |\n|---|---|---|---|\n")
	for _, s := range m.Sections() {
		for _, e := range s.Entries {
			h := e.Binding.Help()
			var keys []string
			for _, k := range strings.Fields(h.Key) {
				keys = append(keys, "`"+k+"`")
			}
			fmt.Fprintf(&b, "| %s | %s | %s | `%s` |\n", s.Title, strings.Join(keys, " "), h.Desc, e.Name)
		}
	}
	return b.String()
}
