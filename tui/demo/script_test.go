package demo

import (
	"strings"
	"testing"
)

func TestAScriptSaysWhatIsWrongWithIt(t *testing.T) {
	for script, want := range map[string]string{
		"":                                   "empty",
		"title: x":                           "no steps",
		"steps: [{key: j}]":                  "line 1: unknown key key",
		"hello":                              "line 1: `hello` does not belong there",
		"steps: [{say: hello}, {}]":          "step 2: it says and does nothing",
		"steps: [{keys: j, type: hello}]":    "step 1: keys, type, paste and ask exclude each other",
		"steps: [{type: a, paste: b}]":       "step 1: keys, type, paste and ask exclude each other",
		"steps: [{keys: hyper+j}]":           "step 1: keys: ",
		"steps: [{say: a, look: -1s}]":       "look: -1s is negative",
		"steps: [{keys: a, repeat: true}]":   "repeat: wants a key, and a text to wait for",
		"steps: [{ask: {origin: http://a}}]": "ask: the method is missing",
		"steps: [{ask: {method: open}}]":     "ask: the origin is missing",
	} {
		_, err := Parse([]byte(script))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", script, err, want)
		}
	}
}

func TestTheBuiltInScriptsCanBeRead(t *testing.T) {
	for _, name := range Names() {
		s, err := Load(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		stills := 0
		for _, step := range s.Steps {
			if step.Still {
				stills++
			}
		}
		if stills != 1 || s.Title == "" {
			t.Errorf("%s: %d pictures stand for it, title %q", name, stills, s.Title)
		}
	}
	if _, err := Load("nothing"); err == nil || !strings.Contains(err.Error(), "explore, mock, sign, test") {
		t.Error(err)
	}
}

func FuzzParse(f *testing.F) {
	for _, name := range Names() {
		data, err := scripts.ReadFile("scripts/" + name + ".yaml")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Parse(data)
		if err == nil && len(s.moves()) == 0 {
			t.Error("a script that does nothing was taken")
		}
	})
}
