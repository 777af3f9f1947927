package names

import (
	"context"
	"fmt"
	"strings"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/screen"
	"chainscope/tui/text"
	"chainscope/tui/widget/placeholder"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"
)

// Suggestion is a namespace to choose.
type Suggestion struct {
	Namespace string
	Count     int64  // its names, negative when not known
	Why       string // where the suggestion comes from, in a word
}

// chooser asks for a namespace.
type chooser struct {
	asks   bool // although the place has a namespace: there is none of that name
	reason error
	input  textinput.Model
	all    []Suggestion
	err    error // why there are no suggestions
	cursor int   // -1 is the line that is typed into
	gen    uint64
	cancel context.CancelFunc
}

// suggestionsCame is the answer of Suggest and Recent.
type suggestionsCame struct {
	gen uint64
	all []Suggestion
	err error
}

func (c *chooser) stop() {
	if c.cancel != nil {
		c.cancel()
		c.cancel = nil
	}
	c.gen++
}

func (c *chooser) take(msg suggestionsCame) {
	if msg.gen != c.gen {
		return
	}
	c.stop()
	c.all, c.err = msg.all, msg.err
	c.cursor = min(c.cursor, len(c.shown())-1)
}

// shown are the suggestions that what was typed leaves.
func (c *chooser) shown() []Suggestion {
	typed := strings.ToLower(strings.TrimPrefix(strings.TrimSpace(c.input.Value()), "."))
	if c.reason != nil {
		typed = "" // what was typed is known not to be there
	}
	var begins, holds []Suggestion
	for _, s := range c.all {
		switch i := strings.Index(s.Namespace, typed); {
		case i == 0:
			begins = append(begins, s)
		case i > 0:
			holds = append(holds, s)
		}
	}
	return append(begins, holds...)
}

// ask asks for a namespace; reason is why the one before will not do.
func (s *Screen) ask(reason error) tea.Cmd {
	c := &s.chooser
	c.asks, c.reason, c.cursor = true, reason, -1
	c.input.SetValue("")
	if reason != nil {
		c.input.SetValue(s.place.Namespace) // to be mended
	}
	c.input.CursorEnd()
	s.typing = false
	return s.suggest()
}

// suggest asks for suggestions.
func (s *Screen) suggest() tea.Cmd {
	s.chooser.stop()
	var ctx context.Context
	ctx, s.chooser.cancel = context.WithCancel(s.env.Context)
	gen, opt := s.chooser.gen, s.opt
	return func() tea.Msg {
		msg := suggestionsCame{gen: gen}
		seen := map[string]int{}
		if opt.Suggest != nil {
			msg.all, msg.err = opt.Suggest(ctx)
		}
		for i, s := range msg.all {
			seen[s.Namespace] = i
		}
		if opt.Recent != nil {
			for _, n := range opt.Recent() {
				if i, known := seen[n]; known {
					msg.all[i].Why = "read before"
				} else {
					msg.all = append(msg.all, Suggestion{n, -1, "read before"})
				}
			}
		}
		return msg
	}
}

// remember notes the namespace that was read.
func (s *Screen) remember() tea.Cmd {
	c, ok := s.names.Get()
	if !ok || s.opt.Remember == nil || c.list.Len() == 0 {
		return nil
	}
	note, namespace := s.opt.Remember, c.namespace
	return func() tea.Msg {
		note(namespace)
		return nil
	}
}

// chooseKey handles a key while a namespace is asked for.
func (s *Screen) chooseKey(msg tea.KeyMsg) (tea.Cmd, bool) {
	c := &s.chooser
	shown := c.shown()
	if c.input.Value() == "" || c.cursor >= 0 {
		// Nothing is typed yet, so that the keys of the tabs are not text.
		if cmd, ok := s.tabKey(msg); ok {
			return cmd, true
		}
	}
	switch msg.String() {
	case "enter":
		if c.cursor >= 0 && c.cursor < len(shown) {
			return s.choose(nav.Names(shown[c.cursor].Namespace)), true
		}
		place, err := parse(c.input.Value())
		if err != nil {
			return nil, true // the reason stands below the line already
		}
		return s.choose(place), true
	case "up", "ctrl+p":
		c.cursor = max(-1, c.cursor-1)
	case "down", "ctrl+n":
		c.cursor = min(len(shown)-1, c.cursor+1)
	case "tab":
		if c.cursor >= 0 && c.cursor < len(shown) || len(shown) > 0 {
			c.input.SetValue(shown[max(0, c.cursor)].Namespace)
			c.input.CursorEnd()
			c.cursor, c.reason = -1, nil
		}
	case "esc":
		switch {
		case c.cursor >= 0:
			c.cursor = -1
		case c.input.Value() != "":
			c.input.SetValue("")
			c.reason = nil
		case c.asks && s.place.Namespace != "" && s.there():
			c.asks = false // back to the names that are there
		default:
			return nil, false
		}
	default:
		before := c.input.Value()
		c.input, _ = c.input.Update(msg)
		if c.input.Value() == before {
			return nil, msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace
		}
		c.cursor, c.reason = -1, nil
	}
	return nil, true
}

// there reports whether names are loaded.
func (s *Screen) there() bool {
	c, ok := s.names.Get()
	return ok && c.list.Len() > 0
}

// tabKey goes to another tab.
func (s *Screen) tabKey(msg tea.KeyMsg) (tea.Cmd, bool) {
	g := s.env.Keys.Global
	for _, t := range []struct {
		key   key.Binding
		place nav.Place
	}{{g.Tab1, nav.Blocks()}, {g.Tab2, nav.BurnBlocks()}, {g.Tab3, nav.Tokens()}, {g.Tab5, nav.Wallet()}} {
		// Only the digits: a letter may begin a namespace.
		if k := msg.String(); key.Matches(msg, t.key) && len(k) == 1 && k[0] >= '0' && k[0] <= '9' {
			return screen.Go(t.place), true
		}
	}
	return nil, false
}

// choose goes to a namespace.
func (s *Screen) choose(place nav.Place) tea.Cmd {
	s.chooser.stop()
	place.Unanchored = s.place.Unanchored
	if place == s.place {
		s.chooser.asks = false
		return s.load()
	}
	return screen.Go(place)
}

// parse reads what was typed: a namespace, with a dot before it or not, or a
// name in it, which is then searched for.
func parse(typed string) (nav.Place, error) {
	typed = strings.TrimPrefix(strings.TrimSpace(typed), ".")
	at := strings.LastIndexByte(typed, '.')
	place := nav.Names(typed[at+1:])
	if at > 0 {
		place.Filter = typed[:at]
	}
	if err := apiclient.ValidNamespace(place.Namespace); err != nil {
		return place, err
	}
	return place, nil
}

// advice says what is odd about what was typed, "" when nothing is.
func advice(typed string) string {
	if strings.TrimSpace(typed) == "" {
		return ""
	}
	place, err := parse(typed)
	switch {
	case err != nil:
		return err.Error()
	case strings.ToLower(place.Namespace) != place.Namespace:
		return "namespaces are lower case; the server tells cases apart"
	case place.Filter != "":
		return fmt.Sprintf("reads %s and searches for %s", place.Namespace, place.Filter)
	}
	return ""
}

// chooserView draws the question.
func (s *Screen) chooserView() []string {
	th, c := s.theme, &s.chooser
	var out []string
	if c.reason != nil {
		out = append(out, "", "  "+th.Warn.Render("No such namespace: ")+text.Truncate(s.place.Namespace, max(8, s.width-24)),
			"  "+th.Muted.Render("The server says: ")+text.Line(placeholder.Short(c.reason)))
	}
	out = append(out, "", "  "+th.Strong.Render("The names of which namespace?"), "",
		"  "+th.Muted.Render("namespace ")+typedLine(th, c.input, max(4, s.width-14), c.cursor < 0))
	if note := advice(c.input.Value()); note != "" && c.reason == nil {
		out = append(out, "            "+th.Warn.Render(text.Truncate(note, max(1, s.width-12))))
	} else {
		out = append(out, "")
	}
	out = append(out, "")
	shown := c.shown()
	rows := max(1, s.height-len(out)-2)
	first := max(0, min(c.cursor-rows/2, len(shown)-rows))
	for i := first; i < min(len(shown), first+rows); i++ {
		out = append(out, s.suggestion(shown[i], i == c.cursor))
	}
	switch {
	case c.cancel != nil && len(c.all) == 0:
		out = append(out, "  "+th.Muted.Render("looking for namespaces"+th.Glyphs.Ellipsis))
	case len(c.all) == 0 && c.err != nil:
		out = append(out, "  "+th.Muted.Render("no suggestions: "+text.Line(placeholder.Short(c.err))))
	case len(c.all) == 0:
		out = append(out, "  "+th.Muted.Render("for example btc, or a name in it such as alice.btc"))
	case len(shown) == 0:
		out = append(out, "  "+th.Muted.Render("none of the known namespaces holds this"))
	}
	for len(out) < s.height-1 {
		out = append(out, "")
	}
	out = append(out, "  "+strings.Join([]string{hint(th, "enter", "reads its names"), hint(th, "↓ ↑", "choose one"), hint(th, "tab", "complete")}, "   "))
	return s.fit(out)
}

func (s *Screen) suggestion(g Suggestion, chosen bool) string {
	th := s.theme
	name := text.Pad(text.TruncateWith(g.Namespace, 20, th.Glyphs.Ellipsis), 20)
	count := ""
	if g.Count >= 0 {
		count = text.Plural(int(g.Count), "name")
	}
	note := text.PadLeft(count, 16) + "  " + text.Line(g.Why)
	if chosen {
		return th.Cursor.Render(text.Fill(th.Glyphs.Cursor+" "+name+note, max(0, s.width)))
	}
	return "  " + th.Link.Render(strings.TrimRight(name, " ")) + strings.Repeat(" ", text.Width(name)-text.Width(strings.TrimRight(name, " "))) + th.Muted.Render(note)
}
