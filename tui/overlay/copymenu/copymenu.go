// Package copymenu is the box that lists what can be copied of what is under
// the cursor.
package copymenu

import (
	"fmt"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/overlay/menu"
	"chainscope/tui/screen"
	"chainscope/tui/shellquote"
	"chainscope/tui/term"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/picker"

	tea "github.com/charmbracelet/bubbletea"
)

// noteWidth is how many cells the preview of a text has.
const noteWidth = 48

// Source is where the texts come from.
type Source struct {
	Subject screen.Subject
	// Exchange is the request behind it, nil for none.
	Exchange *apiclient.Exchange
	Place    nav.Place
}

// New returns the menu, or nil when there is nothing to copy.
func New(th *theme.Theme, from Source) *menu.Menu {
	c := choices{texts: map[string]string{}, keys: map[string]bool{}}
	s := from.Subject
	for _, one := range s.Copies {
		c.add(one.Key, one.Label, one.Text, text.Middle(one.Text, noteWidth))
	}
	if s.Raw != nil {
		c.add("j", "JSON", string(s.Raw), text.Bytes(int64(len(s.Raw))))
	}
	if from.Exchange != nil {
		c.add("u", "URL", from.Exchange.URL, text.Middle(from.Exchange.URL, noteWidth))
		c.add("c", "curl", from.Exchange.Curl(), "the request as a command")
	}
	if args, exact := from.Place.Command(); exact {
		line := shellquote.Command(append([]string{"chainscope"}, args...)...)
		c.add("l", "command line", line, text.Middle(line, noteWidth))
	}
	c.add("w", "web explorer", s.Web, text.Middle(s.Web, noteWidth))
	if len(c.items) == 0 {
		return nil
	}
	title := fmt.Sprintf("Copy  %s", text.Truncate(s.Title, 60))
	m := menu.New(th, title, c.items, false, func(id string) tea.Cmd { return term.Copy(c.texts[id]) })
	m.Hint = "press a key, or Enter  esc close"
	return m
}

// choices are the lines of the menu. What stands first wins: a later line with
// the same text is left out, and one with a key that is taken gets none.
type choices struct {
	items []picker.Item
	texts map[string]string // by label
	keys  map[string]bool
}

func (c *choices) add(key, label, content, note string) {
	if content == "" || c.texts[label] != "" {
		return
	}
	for _, known := range c.texts {
		if known == content {
			return
		}
	}
	if c.keys[key] {
		key = ""
	}
	c.keys[key] = key != ""
	c.texts[label] = content
	c.items = append(c.items, picker.Item{ID: label, Key: key, Label: label, Note: note})
}
