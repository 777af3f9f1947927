// Package demo performs the explorer: a script presses the keys, a caption says what is done
// and with which key, and any key of the user's takes over.
//
// A performance is the real program. The package is given a model and must not import the
// explorer, the wallet or the mock.
package demo

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"chainscope/tui/keymap"

	"go.yaml.in/yaml/v3"
)

//go:embed scripts/*.yaml
var scripts embed.FS

// Script holds what is performed.
type Script struct {
	// Title holds what the performance shows.
	Title string `yaml:"title"`
	// Start is the place where it begins, as "go to" takes it; "" for home.
	Start string `yaml:"start"`
	// Freeze stops the chain's clock, so that no block comes by itself.
	Freeze bool   `yaml:"freeze"`
	Steps  []Step `yaml:"steps"`
}

// Step is something that is said and done. Keys, Type, Paste and Ask exclude each other; without
// any, a step only says something.
type Step struct {
	// Say is the caption, which stays until the next.
	Say string `yaml:"say"`
	// Keys are pressed one after the other, by their names in the key map.
	Keys names `yaml:"keys"`
	// Type is typed letter by letter.
	Type string `yaml:"type"`
	// Paste is pasted at once.
	Paste string `yaml:"paste"`
	// Ask is a request of a web page to the wallet.
	Ask *Ask `yaml:"ask"`
	// Wait is a text that has to come on the screen before the script continues.
	Wait string `yaml:"wait"`
	// Repeat presses the last key again until the text has come.
	Repeat bool `yaml:"repeat"`
	// Look is the time that the outcome is looked at; 0 for as long as a glance takes.
	Look time.Duration `yaml:"look"`
	// Still marks the picture that replaces the film where nothing may move.
	Still bool `yaml:"still"`
}

// Ask is a request of a web page.
type Ask struct {
	Origin string         `yaml:"origin"`
	Method string         `yaml:"method"`
	Params map[string]any `yaml:"params"`
}

// names is one name or a list of names.
type names []string

// UnmarshalYAML takes a text for a list of one.
func (n *names) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.ScalarNode {
		*n = names{node.Value}
		return nil
	}
	return node.Decode((*[]string)(n))
}

// Names returns the scripts that the program brings, in their order.
func Names() []string { return []string{"explore", "mock", "sign", "test"} }

// Load returns a script that the program brings.
func Load(name string) (*Script, error) {
	data, err := scripts.ReadFile(path.Join("scripts", name+".yaml"))
	if err != nil {
		return nil, fmt.Errorf("there is no demo %q: %s are", name, strings.Join(Names(), ", "))
	}
	return Parse(data)
}

// What the decoder says of a script that has another form, in names of types of ours.
var (
	misplaced  = regexp.MustCompile(`cannot unmarshal !!\w+ (.*) into \S+`)
	unknownKey = regexp.MustCompile(`field (\S+) not found in type \S+`)
)

// Parse reads a script in YAML. An error names the line or the step.
func Parse(data []byte) (*Script, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	s := &Script{}
	if err := decoder.Decode(s); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, errors.New("the script is empty: it wants a list of steps")
		}
		why := strings.TrimPrefix(strings.TrimPrefix(err.Error(), "yaml: "), "unmarshal errors:\n  ")
		return nil, errors.New(unknownKey.ReplaceAllString(misplaced.ReplaceAllString(why, "$1 does not belong there"), "unknown key $1"))
	}
	if len(s.Steps) == 0 {
		return nil, errors.New("the script has no steps")
	}
	for i, step := range s.Steps {
		if err := step.check(); err != nil {
			return nil, fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return s, nil
}

func (s *Step) check() error {
	does := 0
	for _, is := range []bool{len(s.Keys) > 0, s.Type != "", s.Paste != "", s.Ask != nil} {
		if is {
			does++
		}
	}
	switch {
	case does > 1:
		return errors.New("keys, type, paste and ask exclude each other: make two steps of it")
	case does == 0 && s.Say == "" && s.Wait == "":
		return errors.New("it says and does nothing: it wants say, keys, type, paste, ask or wait")
	case s.Repeat && (len(s.Keys) == 0 || s.Wait == ""):
		return errors.New("repeat: wants a key, and a text to wait for")
	case s.Look < 0:
		return fmt.Errorf("look: %s is negative", s.Look)
	case s.Ask != nil && s.Ask.Method == "":
		return errors.New("ask: the method is missing, such as stx_transferStx")
	case s.Ask != nil && s.Ask.Origin == "":
		return errors.New("ask: the origin is missing, such as http://localhost:3000")
	}
	for _, k := range s.Keys {
		if _, err := keymap.Key(k); err != nil {
			return fmt.Errorf("keys: %w", err)
		}
	}
	return nil
}

// move is one thing that is done: a key, a paste, a request, or nothing but a caption.
type move struct {
	step    int
	caption string
	key     string // "" for none
	letter  bool   // the key is a letter of a longer text
	paste   string // "" for none
	ask     *Ask
	read    time.Duration // how long the caption is read before
	wait    string
	repeat  bool
	look    time.Duration // how long the outcome is looked at
	still   bool
}

// The pace: what the user needs to read a word, to see what a key did, and between letters.
const (
	wordTime   = 260 * time.Millisecond
	leastRead  = 1200 * time.Millisecond
	glance     = 1100 * time.Millisecond
	letterTime = 110 * time.Millisecond
)

// moves breaks a script down into moves.
func (s *Script) moves() []move {
	var all []move
	caption := ""
	for i, step := range s.Steps {
		m := move{step: i, paste: step.Paste, ask: step.Ask}
		if step.Say != "" {
			caption = step.Say
			m.read = max(leastRead, time.Duration(len(strings.Fields(caption)))*wordTime)
		}
		m.caption = caption
		keys := slices.Clone(step.Keys)
		for _, letter := range step.Type {
			keys = append(keys, letterKey(letter))
		}
		for j, k := range keys {
			one := m
			one.key, one.letter, one.look = k, step.Type != "", glance
			if one.letter {
				one.look = letterTime
			}
			if j > 0 {
				one.read = 0
			}
			all = append(all, one)
		}
		if len(keys) == 0 {
			all = append(all, m)
		}
		last := &all[len(all)-1]
		last.wait, last.still, last.repeat = step.Wait, step.Still, step.Repeat
		if step.Look > 0 {
			last.look = step.Look
		} else if step.Wait != "" || step.Paste != "" || step.Ask != nil {
			last.look = max(last.look, glance)
		}
	}
	return all
}

func letterKey(r rune) string {
	if r == ' ' {
		return "space"
	}
	return string(r)
}
