package keymap

import (
	"strings"
	"testing"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

func TestNoKeyHasTwoMeaningsAtOnce(t *testing.T) {
	if err := Default().Conflict(); err != nil {
		t.Error(err)
	}
}

func TestEveryBindingHasAKeyAndWords(t *testing.T) {
	names := map[string]bool{}
	for _, s := range Default().Sections() {
		if s.Scope == "" || s.Title == "" {
			t.Errorf("section %+v has no name", s)
		}
		for _, e := range s.Entries {
			if names[e.Name] {
				t.Errorf("%s is there twice", e.Name)
			}
			names[e.Name] = true
			if len(e.Binding.Keys()) == 0 || e.Binding.Help().Key == "" || e.Binding.Help().Desc == "" {
				t.Errorf("%s is not complete", e.Name)
			}
		}
	}
	for _, want := range []string{"global.raw-json", "global.go-to", "global.tab1", "list.half-down", "json.fold-all"} {
		if !names[want] {
			t.Errorf("no binding %s", want)
		}
	}
}

func TestKeysThatTerminalsAndMultiplexersTakeAreNotUsed(t *testing.T) {
	taken := map[string]bool{
		"ctrl+h": true, "ctrl+j": true, "ctrl+k": true, "ctrl+l": true, "ctrl+b": true, "ctrl+a": true,
		"ctrl+s": true, "ctrl+q": true, "ctrl+z": true, "ctrl+\\": true, "ctrl+i": true, "ctrl+m": true,
	}
	for _, s := range Default().Sections() {
		for _, e := range s.Entries {
			for _, k := range e.Binding.Keys() {
				if taken[k] {
					t.Errorf("%s uses %s", e.Name, k)
				}
			}
		}
	}
}

// A terminal sends a blank, which a config calls space.
func TestTheSpaceBarCanBeBound(t *testing.T) {
	m := Default()
	if err := m.Rebind(map[string][]string{"global.help": {"space"}}); err != nil {
		t.Fatal(err)
	}
	if b, _ := m.Find("global.help"); !key.Matches(tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}, *b) || b.Help().Key != "space" {
		t.Errorf("%q, help %q", b.Keys(), b.Help().Key)
	}
}

func TestRebind(t *testing.T) {
	for name, c := range map[string]struct {
		keys map[string][]string
		err  string
	}{
		"a binding gets other keys":          {map[string][]string{"global.help": {"f1", "ctrl+_"}}, ""},
		"two may swap":                       {map[string][]string{"global.theme": {"t"}, "global.time": {"T"}}, ""},
		"an unknown name is refused":         {map[string][]string{"global.nope": {"x"}}, `"global.nope" is not a binding`},
		"no key is refused":                  {map[string][]string{"global.help": {}}, "at least one key"},
		"a key of the same scope is refused": {map[string][]string{"global.help": {"q"}}, "bound to both"},
		"a global key in a list is refused":  {map[string][]string{"list.filter": {"y"}}, `"y" is bound to both global.copy and list.filter`},
		"a key of the list's place":          {map[string][]string{"list.filter": {"n"}}, `"n" is bound to both list.filter and blocks.show-new`},
		"a key of the detail's place":        {map[string][]string{"detail.follow": {"p"}}, `"p" is bound to both detail.follow and`},
		"the place's key in its list":        {map[string][]string{"blocks.show-new": {"/"}}, `"/" is bound to both list.filter and blocks.show-new`},
		"a form's key everywhere":            {map[string][]string{"form.send": {"ctrl+g"}}, `bound to both global.go-to and form.send`},
		"no such key":                        {map[string][]string{"global.help": {"foo+bar"}}, `global.help: there is no key "foo+bar"`},
		"no such key of a list":              {map[string][]string{"global.help": {"f1", ""}}, `there is no key ""`},
		"a key in capitals":                  {map[string][]string{"global.help": {"CTRL+L"}}, `there is no key "CTRL+L": write "ctrl+l"`},
		"two letters":                        {map[string][]string{"global.help": {"gg"}}, `there is no key "gg"`},
		"a letter of another script":         {map[string][]string{"global.help": {"ж"}}, ""},
		"with alt":                           {map[string][]string{"global.help": {"alt+x", "alt+enter"}}, ""},
		"places apart may share a key":       {map[string][]string{"names.all": {"v"}}, ""},
		"raw JSON takes all keys":            {map[string][]string{"json.copy": {"i"}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			m := Default()
			err := m.Rebind(c.keys)
			if c.err == "" {
				if err != nil {
					t.Fatal(err)
				}
				for n, want := range c.keys {
					b, _ := m.Find(n)
					if strings.Join(b.Keys(), " ") != strings.Join(want, " ") || b.Help().Key != strings.Join(want, " ") {
						t.Errorf("%s has %v, help %q", n, b.Keys(), b.Help().Key)
					}
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Fatalf("got %v, want %q", err, c.err)
			}
			if m.Markdown() != Default().Markdown() {
				t.Error("a refused change left something behind")
			}
		})
	}
}

func TestMarkdownListsEveryBinding(t *testing.T) {
	table := Default().Markdown()
	for _, s := range Default().Sections() {
		for _, e := range s.Entries {
			if !strings.Contains(table, "`"+e.Name+"`") {
				t.Errorf("%s is missing", e.Name)
			}
		}
	}
}

// Any two scopes that work together refuse a key for both, and say so.
func TestNoKeyCanBeGivenToTwoBindingsThatWorkTogether(t *testing.T) {
	for _, group := range together {
		var first []string
		for _, s := range Default().Sections() {
			for _, scope := range append([]string{"global"}, group...) {
				if s.Scope == scope {
					first = append(first, s.Entries[0].Name)
				}
			}
		}
		for i, one := range first {
			for _, other := range first[i+1:] {
				err := Default().Rebind(map[string][]string{one: {"f9"}, other: {"f9"}})
				if err == nil || !strings.Contains(err.Error(), one) || !strings.Contains(err.Error(), other) {
					t.Errorf("%s and %s: %v", one, other, err)
				}
			}
		}
	}
}

// What is bound is listed: a key that nobody names works by surprise.
func TestEveryKeyThatIsBoundIsListed(t *testing.T) {
	table := Default().Markdown()
	for _, want := range []string{
		"`{` `backspace` `alt+left` | back", "`esc` `h` `left` | close", "`}` `alt+right` |", "`enter` `l` `right` | open |", "`+` `=` |",
		"`k` `↑` | up", "`ctrl+d` `pgdn` |", "`enter` `space` | fold",
	} {
		if !strings.Contains(table, want) {
			t.Errorf("no %s", want)
		}
	}
}
