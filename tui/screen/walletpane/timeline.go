package walletpane

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"chainscope/tui/screen"
	"chainscope/tui/text"
	"chainscope/tui/widget/edit"
	"chainscope/tui/widget/placeholder"
	"chainscope/wallet/service"

	tea "github.com/charmbracelet/bubbletea"
)

// timeline is the list of all calls, the newest first, narrowed by a filter. It
// is the source of the list on the first page.
type timeline struct {
	home   *home
	all    []service.Call
	shown  []int
	query  string
	typing bool
	input  *edit.Editor
}

func newTimeline(h *home) *timeline { return &timeline{home: h, input: edit.New(false)} }

// reread takes the calls anew; the cursor stays on its call.
func (t *timeline) reread() {
	t.all = t.home.screen.wallet.Timeline()
	t.narrow()
}

func (t *timeline) narrow() {
	t.shown = t.shown[:0]
	words := strings.Fields(strings.ToLower(t.query))
	for i, c := range t.all {
		if matches(c, words) {
			t.shown = append(t.shown, i)
		}
	}
	t.home.list.Forget()
	t.home.list.Changed(nil)
}

// matches reports whether a call has all the words somewhere.
func matches(c service.Call, words []string) bool {
	if len(words) == 0 {
		return true
	}
	all := strings.ToLower(strings.Join([]string{
		string(c.Kind), c.Method, c.Asker.String(), string(c.Wallet), c.Network, string(c.Decision), outcomeWords(c), c.TxID, string(c.Params),
	}, " "))
	for _, w := range words {
		if !strings.Contains(all, w) {
			return false
		}
	}
	return true
}

func (t *timeline) begin() {
	t.typing = true
	t.input.SetValue(t.query)
}

func (t *timeline) search(query string) {
	t.query = query
	t.narrow()
}

// typeKey handles a key while the filter is typed.
func (t *timeline) typeKey(msg tea.KeyMsg) tea.Cmd {
	switch msg.String() {
	case "enter", "tab":
		t.typing = false
	case "esc":
		t.typing = false
		t.search("")
	case "up", "down", "pgup", "pgdown":
		t.home.list.Key(msg)
	default:
		if t.input.Key(msg) {
			t.search(t.input.Value())
		}
	}
	return nil
}

// current is the call under the cursor.
func (t *timeline) current() (service.Call, bool) {
	i, ok := t.home.list.Cursor()
	if !ok || i >= len(t.shown) {
		return service.Call{}, false
	}
	return t.all[t.shown[i]], true
}

// Len is how many calls are shown.
func (t *timeline) Len() int { return len(t.shown) }

// ID tells calls apart, those of other processes too.
func (t *timeline) ID(i int) string {
	c := t.all[t.shown[i]]
	return fmt.Sprintf("%d %d", c.Time.UnixNano(), c.ID)
}

// Row draws a call.
func (t *timeline) Row(i, width int) string {
	c := t.all[t.shown[i]]
	th := t.home.screen.theme
	mark, style := th.Glyphs.Check, th.OK
	switch {
	case !c.Done:
		mark, style = th.Glyphs.Ellipsis, th.Warn
	case failed(c):
		mark, style = th.Glyphs.Cross, th.Bad
	}
	what := c.Method
	switch c.Kind {
	case service.KindConnect, service.KindDisconnect:
		what = string(c.Kind)
	}
	line := style.Render(mark) + " " + text.Pad(what, 25) + " "
	if width >= 62 {
		line += th.Muted.Render(text.Pad(c.Asker.String(), 18)) + " "
	}
	if width >= 86 {
		line += th.Muted.Render(text.Pad(string(c.Decision), 18)) + " "
	}
	room := width - text.Width(plain(line))
	if room <= 0 {
		return line
	}
	return line + style.Render(text.TruncateWith(outcomeWords(c), room, th.Glyphs.Ellipsis))
}

// Tail is the duration and the age.
func (t *timeline) Tail(i int) string {
	c := t.all[t.shown[i]]
	s := t.home.screen
	took := ""
	if c.Done {
		took = text.Duration(c.Duration)
	}
	return s.theme.Muted.Render(text.PadLeft(took, 7) + " " + text.PadLeft(s.env.Times.Short(s.env.Now(), c.Time), 8))
}

func failed(c service.Call) bool { return c.Error != nil || c.Exception != "" }

// outcomeWords says in a few words how a call came out.
func outcomeWords(c service.Call) string {
	switch {
	case !c.Done:
		return "waiting"
	case c.Error != nil:
		return fmt.Sprintf("%d %s", c.Error.Code, c.Error.Message)
	case c.Exception != "":
		return c.Exception
	case c.TxID != "" && c.NotSent != "":
		return "signed, not sent"
	case c.TxID != "":
		return "sent " + text.Middle(c.TxID, 13)
	case c.Kind == service.KindDisconnect:
		return "done"
	}
	return "answered"
}

// callsView draws the filter and the list.
func (h *home) callsView(width, height int, _ time.Time) []string {
	th, t := h.screen.theme, h.calls
	head := " " + th.Strong.Render("Calls") + "  " + th.Muted.Render(text.Plural(len(t.all), "call"))
	switch {
	case t.typing:
		head = " " + th.Key.Render("/ ") + t.input.View(th, max(1, width/2), 1, true)[0]
	case t.query != "":
		head = " " + th.Key.Render("/ ") + th.Match.Render(text.Truncate(t.query, max(1, width/2))) + "  " + th.Muted.Render(fmt.Sprintf("%d of %d", len(t.shown), len(t.all)))
	}
	if t.Len() == 0 {
		why := []string{th.Muted.Render("Every call of this pane and of web pages is listed here."), "", placeholder.Hint(th, h.screen.env.Keys.Wallet.New, "new request")}
		title := "No calls yet"
		if t.query != "" {
			title, why = "No call has these words", []string{th.Key.Render("esc") + " " + th.Muted.Render("all calls again")}
		}
		return append([]string{head}, placeholder.Empty(th, title, why, width, max(0, height-1))...)
	}
	h.list.SetSize(width, max(0, height-1))
	h.list.SetFocus(h.inCalls)
	return append([]string{head}, h.list.View()...)
}

// table is the timeline as it is exported: as JSON lines, one a call.
func (t *timeline) table() screen.Table {
	out := screen.Table{Name: "calls", Columns: []string{"time", "from", "kind", "method", "decision", "outcome", "duration_ms"}}
	for _, i := range t.shown {
		c := t.all[i]
		out.Rows = append(out.Rows, []string{
			c.Time.UTC().Format(time.RFC3339Nano), c.Asker.String(), string(c.Kind), c.Method, string(c.Decision), outcomeWords(c), fmt.Sprint(c.Duration.Milliseconds()),
		})
		raw, err := json.Marshal(c)
		if err != nil {
			raw = json.RawMessage("null")
		}
		out.JSON = append(out.JSON, raw)
	}
	return out
}
