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

// Rebind gives bindings other keys, by name. It changes nothing when a name is
// unknown, a binding would have no key, or two bindings that are alive at the
// same time would share one.
func (m *Map) Rebind(keys map[string][]string) error {
	next := *m
	names := make([]string, 0, len(keys))
	for name := range keys {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		b, ok := next.Find(name)
		if !ok {
			return fmt.Errorf("keys: %q is no binding; help (?) lists them, such as %q", name, "global.raw-json")
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

// exclusive scopes take all keys while they are on, so that they may use those
// of the global scope.
var exclusive = map[string]bool{"json": true}

// Conflict returns an error when a key has two meanings in one scope, or in a
// scope and the global one.
func (m *Map) Conflict() error {
	sections := m.Sections()
	global := map[string]string{}
	for _, s := range sections {
		taken := map[string]string{}
		for _, e := range s.Entries {
			for _, k := range e.Binding.Keys() {
				other, double := taken[k]
				if !double && s.Scope != "global" && !exclusive[s.Scope] {
					other, double = global[k]
				}
				if double {
					return fmt.Errorf("keys: %q is bound to %s and to %s", k, other, e.Name)
				}
				taken[k] = e.Name
			}
		}
		if s.Scope == "global" {
			global = taken
		}
	}
	return nil
}

// Markdown returns the table of all keys for the README.
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
