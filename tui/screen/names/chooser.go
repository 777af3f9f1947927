package names

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"chainscope/apiclient"
	"chainscope/tui/nav"
	"chainscope/tui/remote"
	"chainscope/tui/screen"
	"chainscope/tui/text"
	"chainscope/tui/widget/line"
	"chainscope/tui/widget/placeholder"

	tea "github.com/charmbracelet/bubbletea"
)

const suggestSlot = "suggestions"

// Suggestion is a namespace to choose.
type Suggestion struct {
	Namespace string
	Count     int64  // its names, negative when not known
	Why       string // where the suggestion comes from, in a word
}

// chooser asks for a namespace.
type chooser struct {
	asks        bool // although the place has a namespace: there is none of that name
	reason      error
	line        line.Line
	suggestions remote.Value[[]Suggestion]
	cursor      int // -1 is the line that is typed into
}

func newChooser() chooser { return chooser{line: line.New(), cursor: -1} }

func (c *chooser) take(msg screen.Fetched[[]Suggestion]) bool {
	taken := c.suggestions.Settle(msg.Key, msg.Value, msg.Err, msg.At)
	if taken {
		c.cursor = min(c.cursor, len(c.shown())-1)
	}
	return taken
}

// shown are the suggestions that what was typed leaves.
func (c *chooser) shown() []Suggestion {
	typed := strings.ToLower(strings.TrimPrefix(strings.TrimSpace(c.line.Value()), "."))
	if c.reason != nil {
		typed = "" // what was typed is known not to be there
	}
	var begins, holds []Suggestion
	all, _ := c.suggestions.Get()
	for _, s := range all {
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
	c.line.SetValue("")
	if reason != nil {
		c.line.SetValue(s.place.Namespace) // to be mended
	}
	s.SetQuery("")
	return s.suggest()
}

// suggest asks for suggestions: those of a server, then those read before.
func (s *Screen) suggest() tea.Cmd {
	opt := s.opt
	return screen.Fetch(s.env, &s.chooser.suggestions, suggestSlot, func(ctx context.Context) ([]Suggestion, error) {
		var all []Suggestion
		var err error
		if opt.Suggest != nil {
			all, err = opt.Suggest(ctx)
		}
		if opt.Recent != nil {
			all = withRecent(all, opt.Recent())
		}
		if len(all) > 0 {
			err = nil // what was read before is worth showing
		}
		return all, err
	})
}

// withRecent adds the namespaces that were read before.
func withRecent(all []Suggestion, recent []string) []Suggestion {
	for _, name := range recent {
		at := slices.IndexFunc(all, func(s Suggestion) bool { return s.Namespace == name })
		if at < 0 {
			all, at = append(all, Suggestion{Namespace: name, Count: -1}), len(all)
		}
		all[at].Why = "read before"
	}
	return all
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

// chooseKey handles a key while a namespace is asked for. While nothing is typed
// only letters are text: the rest belongs to the root, such as the keys of the
// other places.
func (s *Screen) chooseKey(msg tea.KeyMsg) (tea.Cmd, bool) {
	c := &s.chooser
	shown := c.shown()
	switch msg.Type {
	case tea.KeyUp, tea.KeyCtrlP:
		c.cursor = max(-1, c.cursor-1)
		return nil, true
	case tea.KeyDown, tea.KeyCtrlN:
		c.cursor = min(len(shown)-1, c.cursor+1)
		return nil, true
	case tea.KeyTab:
		if len(shown) > 0 {
			c.line.SetValue(shown[max(0, c.cursor)].Namespace)
			c.cursor, c.reason = -1, nil
		}
		return nil, true
	case tea.KeyRunes:
		if c.line.Empty() && !beginsNamespace(msg.Runes) {
			return nil, false
		}
	}
	switch c.line.Key(msg) {
	case line.Accepted:
		return s.chosen(shown), true
	case line.Closed:
		return nil, s.closeChooser()
	case line.Changed:
		c.cursor, c.reason = -1, nil
	case line.Ignored:
		return nil, msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace
	}
	return nil, true
}

// beginsNamespace reports whether typed characters can begin a namespace, or a
// name: digits are the keys of the places.
func beginsNamespace(typed []rune) bool {
	return len(typed) > 1 || len(typed) == 1 && (unicode.IsLetter(typed[0]) || typed[0] == '.')
}

// chosen goes to the suggestion under the cursor, or to what was typed. What is
// wrong with it stands below the line already.
func (s *Screen) chosen(shown []Suggestion) tea.Cmd {
	if at := s.chooser.cursor; at >= 0 && at < len(shown) {
		return s.choose(nav.Names(shown[at].Namespace))
	}
	place, err := parse(s.chooser.line.Value())
	if err != nil {
		return nil
	}
	return s.choose(place)
}

// closeChooser goes back to the list's cursor, then to the names that are there.
func (s *Screen) closeChooser() bool {
	c := &s.chooser
	names, loaded := s.names.Get()
	switch {
	case c.cursor >= 0:
		c.cursor = -1
	case c.asks && s.place.Namespace != "" && loaded && names.list.Len() > 0:
		c.asks = false
		s.SetQuery(s.place.Filter)
	default:
		return false
	}
	return true
}

// choose goes to a namespace.
func (s *Screen) choose(place nav.Place) tea.Cmd {
	s.chooser.suggestions.Cancel()
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
func (s *Screen) chooserView(now time.Time) []string {
	th, c := s.Theme, &s.chooser
	out := s.question()
	shown := c.shown()
	first, rows := s.suggestionsInSight(len(out), len(shown))
	for i := first; i < first+rows; i++ {
		out = append(out, s.suggestion(shown[i], i == c.cursor))
	}
	all, _ := c.suggestions.Get()
	switch {
	case c.suggestions.Busy() && len(all) == 0:
		out = append(out, "  "+th.Accent.Render(placeholder.Spinner(th, now.Sub(c.suggestions.Since())))+th.Muted.Render(" looking for namespaces"+th.Glyphs.Ellipsis))
	case len(all) == 0 && c.suggestions.Err() != nil:
		out = append(out, "  "+th.Muted.Render("no suggestions: "+placeholder.Short(c.suggestions.Err())))
	case len(all) == 0:
		out = append(out, "  "+th.Muted.Render("for example btc, or a name in it such as alice.btc"))
	case len(shown) == 0:
		out = append(out, "  "+th.Muted.Render("no known namespace contains this"))
	}
	for len(out) < s.Height-1 {
		out = append(out, "")
	}
	line := "  " + placeholder.HintOf(th, "enter", "show its names")
	for _, more := range []string{placeholder.HintOf(th, "↓ ↑", "choose one"), placeholder.HintOf(th, "tab", "complete")} {
		if text.Width(line)+3+text.Width(more) <= s.Width {
			line += "   " + more
		}
	}
	out = append(out, line)
	return screen.Fit(th, out, s.Width, s.Height)
}

// suggestionsInSight returns the first suggestion that is drawn, and how many are, below a number
// of lines.
func (s *Screen) suggestionsInSight(above, shown int) (first, rows int) {
	rows = max(1, s.Height-above-1)
	if s.Height >= lowHeight {
		rows-- // a blank
	}
	first = max(0, min(s.chooser.cursor-rows/2, shown-rows))
	return first, min(shown-first, rows)
}

// Click chooses the namespace under the mouse, or puts the cursor where it is in the list
// of names.
func (s *Screen) Click(x, y int) tea.Cmd {
	if !s.asking() {
		return s.Frame.Click(x, y)
	}
	above, shown := len(s.question()), s.chooser.shown()
	first, rows := s.suggestionsInSight(above, len(shown))
	if y < above || y >= above+rows {
		return nil
	}
	s.chooser.cursor = first + y - above
	return s.chosen(shown)
}

// question draws what is asked, what was typed, and what is odd about it.
func (s *Screen) question() []string {
	th, c := s.Theme, &s.chooser
	var out []string
	if c.reason != nil {
		out = append(out, "", "  "+th.Warn.Render("No such namespace: ")+text.Truncate(s.place.Namespace, max(8, s.Width-24)),
			"  "+th.Muted.Render("The server says: ")+placeholder.Short(c.reason))
	}
	if s.Height < lowHeight { // no blanks: what can be chosen has the room
		out = slices.DeleteFunc(out, func(line string) bool { return line == "" })
		out = append(out, "  "+th.Strong.Render("Choose a namespace"))
	} else {
		out = append(out, "", "  "+th.Strong.Render("Choose a namespace"), "")
	}
	out = append(out, "  "+th.Muted.Render("namespace ")+c.line.View(th, max(4, s.Width-14), c.cursor < 0))
	if note := advice(c.line.Value()); note != "" && c.reason == nil {
		return append(out, "            "+th.Warn.Render(text.Truncate(note, max(1, s.Width-12))), "")
	}
	if s.Height < lowHeight {
		return out
	}
	return append(out, "", "")
}

// lowHeight is the height below which the question has no blanks around it.
const lowHeight = 14

func (s *Screen) suggestion(g Suggestion, chosen bool) string {
	th := s.Theme
	name := text.Pad(text.TruncateWith(g.Namespace, 20, th.Glyphs.Ellipsis), 20)
	count := ""
	if g.Count >= 0 {
		count = text.Plural(int(g.Count), "name")
	}
	note := text.PadLeft(count, 16)
	if why := "  " + text.Line(g.Why); text.Width(name+note+why)+2 <= s.Width {
		note += why
	}
	if chosen {
		return th.Cursor.Render(text.Fill(th.Glyphs.Cursor+" "+name+note, max(0, s.Width)))
	}
	return "  " + th.Link.Render(strings.TrimRight(name, " ")) + strings.Repeat(" ", text.Width(name)-text.Width(strings.TrimRight(name, " "))) + th.Muted.Render(note)
}
