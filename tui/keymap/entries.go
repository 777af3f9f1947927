package keymap

import (
	"cmp"
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

// Listed returns all keys of a binding, those first that hints show.
func Listed(b key.Binding) []string {
	names := map[string]string{" ": "space", "up": "↑", "down": "↓", "pgdown": "pgdn"}
	all := strings.Fields(b.Help().Key)
	for _, k := range b.Keys() {
		if name := cmp.Or(names[k], k); !slices.Contains(all, name) && !slices.Contains(all, k) {
			all = append(all, name)
		}
	}
	return all
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
		if s.Scope == "" {
			continue // no bindings
		}
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

// Problem is the reason why bindings cannot have the keys given to them.
type Problem struct {
	// Bindings are the names of those it is about.
	Bindings []string
	reason   string
}

func (p *Problem) Error() string { return "keys: " + p.reason }

// Rebind gives bindings other keys, by name. It changes nothing when a name is
// unknown, a binding would have no key or a key that does not exist, or two bindings that
// work at the same time would share one. The error is a *Problem.
func (m *Map) Rebind(keys map[string][]string) error {
	if len(keys) == 0 {
		return nil // the usual start: looking for conflicts takes half a millisecond
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
			return &Problem{[]string{name}, fmt.Sprintf("%q is not a binding; help (?) lists them, such as %q", name, "global.raw-json")}
		}
		if len(keys[name]) == 0 {
			return &Problem{[]string{name}, name + " needs at least one key"}
		}
		var plain []string
		for _, k := range keys[name] {
			k, err := Key(k)
			if err != nil {
				return &Problem{[]string{name}, fmt.Sprintf("%s: %v", name, err)}
			}
			plain = append(plain, k)
		}
		b.SetKeys(plain...)
		b.SetHelp(strings.Join(keys[name], " "), b.Help().Desc)
	}
	if err := next.Conflict(); err != nil {
		return err
	}
	*m = next
	return nil
}

// together lists the scopes whose keys work at the same time, the global scope
// left out: what the places of the explorer answer when requested their scopes.
// A scope that is in no other line works alone or with the global one.
var together = [][]string{
	{"home"},
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
	{"list", "transactions"},
	{"detail", "transactions"},
	{"list", "accounts"},
	{"detail", "accounts"},
	{"list", "contracts"},
	{"detail", "contracts"},
	{"form"},
}

// Together reports whether scopes work at the same time.
func Together(scopes []string) bool {
	return slices.ContainsFunc(together, func(group []string) bool {
		return !slices.ContainsFunc(scopes, func(s string) bool { return !slices.Contains(group, s) })
	})
}

// exclusive lists scopes that take all keys while they are active, so that they may use keys
// of the global scope.
var exclusive = []string{"json"}

// apart are bindings of scopes that work at the same time which never do so
// themselves: the list of tokens has no pages, and a source is no list.
var apart = [][2]string{{"list.next-page", "tokens.next-id"}, {"list.prev-page", "tokens.prev-id"}, {"list.filter", "contracts.search"}}

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
					return &Problem{[]string{other, e.Name}, fmt.Sprintf("%q is bound to both %s and %s, which work at the same time", k, other, e.Name)}
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
	for _, s := range append(m.Sections(), Fixed()...) {
		for _, e := range s.Entries {
			h, name := e.Binding.Help(), "fixed"
			var keys []string
			for _, k := range Listed(*e.Binding) {
				keys = append(keys, "`"+k+"`")
			}
			if e.Name != "" {
				name = "`" + e.Name + "`"
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", s.Title, strings.Join(keys, " "), h.Desc, name)
		}
	}
	return b.String()
}
