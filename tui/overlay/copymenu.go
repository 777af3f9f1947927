package overlay

import (
	"fmt"
	"net/http"

	"chainscope/apiclient/wire"
	"chainscope/tui/nav"
	"chainscope/tui/screen"
	"chainscope/tui/term"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/picker"

	tea "github.com/charmbracelet/bubbletea"
)

// noteWidth is the number of cells that the preview of a text has.
const noteWidth = 48

// CopySource is the source of the texts.
type CopySource struct {
	Subject screen.Subject
	// Exchange is the request behind it, nil for none; URL is what answers with it alone, ""
	// where that is the exchange's.
	Exchange *wire.Exchange
	URL      string
	Place    nav.Place // that one is at
}

// NewCopyMenu returns the menu of what can be copied of what is under the cursor, or nil when there is nothing to copy.
func NewCopyMenu(th *theme.Theme, from CopySource) *Menu {
	c := choices{texts: map[string]string{}, keys: map[string]bool{}}
	s := from.Subject
	for _, one := range s.Copies {
		c.add(one.Key, one.Label, one.Text, text.Middle(one.Text, noteWidth))
	}
	if s.Raw != nil {
		c.add("j", "JSON", string(s.Raw), text.Bytes(int64(len(s.Raw))))
	}
	if from.Exchange != nil || from.URL != "" {
		var e wire.Exchange
		if from.Exchange != nil {
			e = *from.Exchange
		}
		if from.URL != "" {
			e.Method, e.URL, e.RequestBody = http.MethodGet, from.URL, ""
		}
		c.add("u", "URL", e.URL, text.Middle(e.URL, noteWidth))
		c.add("c", "curl", e.Curl(), "the request as a command")
	}
	at := s.At
	if at == (nav.Place{}) {
		at = from.Place
	}
	if args, exact := at.Command(); exact {
		line := text.ShellCommand(append([]string{"chainscope"}, args...)...)
		c.add("l", "command line", line, text.Middle(line, noteWidth))
	}
	c.add("w", "web explorer", s.Web, text.Middle(s.Web, noteWidth))
	if len(c.items) == 0 {
		return nil
	}
	title := fmt.Sprintf("Copy  %s", text.Truncate(s.Title, 60))
	m := NewMenu(th, title, c.items, false, func(id string) tea.Cmd { return term.Copy(id, c.texts[id]) })
	m.Hint = "press a key, or Enter  esc close"
	return m
}

// choices are the lines of the menu. What is first wins: a later line with
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
