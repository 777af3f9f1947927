package overlay

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/keymap"
	"chainscope/tui/term"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/box"
	"chainscope/tui/widget/pager"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Inspector is the box that shows the requests behind the screens: what was asked, what
// came back, how long each part took, and the same as curl. It lists exchanges, the newest
// first, and shows one of them or its body.
type Inspector struct {
	theme *theme.Theme
	keys  *keymap.Map
	log   func() []apiclient.Exchange

	all    []apiclient.Exchange // the newest first
	cursor int
	top    int  // first exchange in sight
	open   bool // one exchange is shown
	scroll int  // first line of it in sight
	body   *pager.JSON
	raw    bool // the body alone is shown

	width, height int // inside the box
}

// NewInspector returns an inspector of a log, which returns its exchanges oldest first.
// The cursor is on the exchange with the ID, if there is one.
func NewInspector(th *theme.Theme, keys *keymap.Map, log func() []apiclient.Exchange, id uint64) *Inspector {
	v := &Inspector{theme: th, keys: keys, log: log, body: pager.NewJSON(th, keys)}
	v.read()
	v.choose(id)
	return v
}

// SetTheme changes the colors.
func (v *Inspector) SetTheme(th *theme.Theme) { v.theme = th; v.body.SetTheme(th) }

// SetSize says how many cells the box may have.
func (v *Inspector) SetSize(width, height int) {
	v.width, v.height = max(0, width-8), max(0, height-4)
	v.body.SetSize(v.width, max(0, v.height-1))
	v.follow()
}

// Update reads the log again: whatever came may be an answer in it.
func (v *Inspector) Update(tea.Msg) tea.Cmd {
	v.read()
	return nil
}

// read takes the log as it is. The cursor stays on its exchange when new ones
// have come, unless it is on the newest of the list.
func (v *Inspector) read() {
	at, ok := v.current()
	v.all = slices.Clone(v.log())
	slices.Reverse(v.all)
	v.cursor = min(v.cursor, max(0, len(v.all)-1))
	if ok && (v.open || v.cursor > 0) {
		v.choose(at.ID)
	}
	v.follow()
}

// choose puts the cursor on an exchange, if it is there.
func (v *Inspector) choose(id uint64) {
	if i := slices.IndexFunc(v.all, func(e apiclient.Exchange) bool { return e.ID == id }); i >= 0 {
		v.cursor = i
		v.follow()
	}
}

// current returns the exchange under the cursor.
func (v *Inspector) current() (apiclient.Exchange, bool) {
	if v.cursor >= len(v.all) {
		return apiclient.Exchange{}, false
	}
	return v.all[v.cursor], true
}

// Key handles a key.
func (v *Inspector) Key(msg tea.KeyMsg) (tea.Cmd, bool) {
	v.read()
	if v.raw {
		return v.rawKey(msg), false
	}
	switch {
	case msg.String() == "c":
		return v.copy("curl", apiclient.Exchange.Curl), false
	case msg.String() == "u":
		return v.copy("URL", func(e apiclient.Exchange) string { return e.URL }), false
	case msg.String() == "y":
		return v.copy("answer", responseBody), false
	case msg.String() == "esc", key.Matches(msg, v.keys.Global.Up), key.Matches(msg, v.keys.Global.Inspector), msg.String() == "q":
		if !v.open {
			return nil, true
		}
		v.open, v.scroll = false, 0
	case key.Matches(msg, v.keys.Global.RawJSON):
		v.showBody()
	case key.Matches(msg, v.keys.List.Open):
		if v.open {
			v.showBody()
		} else if len(v.all) > 0 {
			v.open, v.scroll = true, 0
		}
	default:
		v.move(msg)
	}
	return nil, false
}

func (v *Inspector) rawKey(msg tea.KeyMsg) tea.Cmd {
	if !v.body.Typing() {
		switch {
		case msg.String() == "esc", msg.String() == "q", key.Matches(msg, v.keys.Global.RawJSON):
			v.raw = false
			return nil
		case key.Matches(msg, v.keys.JSON.Copy):
			return v.copy("answer", responseBody)
		}
	}
	v.body.Key(msg)
	return nil
}

func (v *Inspector) showBody() {
	if e, ok := v.current(); ok && len(e.ResponseBody) > 0 {
		v.body.SetJSON([]byte(e.ResponseBody))
		v.raw = true
	}
}

func responseBody(e apiclient.Exchange) string { return e.ResponseBody }

// copy returns the command that copies something of the exchange, nil when there
// is nothing.
func (v *Inspector) copy(label string, of func(apiclient.Exchange) string) tea.Cmd {
	e, ok := v.current()
	if !ok || of(e) == "" {
		return nil
	}
	return term.Copy(label, of(e))
}

func (v *Inspector) move(msg tea.KeyMsg) {
	l := v.keys.List
	half := max(1, v.height/2)
	by := 0
	switch {
	case key.Matches(msg, l.Down):
		by = 1
	case key.Matches(msg, l.Up):
		by = -1
	case key.Matches(msg, l.HalfDown):
		by = half
	case key.Matches(msg, l.HalfUp):
		by = -half
	case key.Matches(msg, l.First):
		by = -farthest
	case key.Matches(msg, l.Last):
		by = farthest
	}
	if e, ok := v.current(); ok && v.open {
		// Ages have no influence on the number of lines.
		v.scroll = max(0, min(v.scroll+by, len(v.detail(e, e.Started))-v.height))
		return
	}
	v.cursor = max(0, min(v.cursor+by, len(v.all)-1))
	v.follow()
}

// follow scrolls the list so that the cursor is in sight.
func (v *Inspector) follow() {
	v.top = max(min(v.top, v.cursor), v.cursor-v.height+1)
	v.top = max(0, min(v.top, len(v.all)-v.height))
}

// View draws the box.
func (v *Inspector) View(now time.Time) []string {
	return box.Draw(v.theme, "Requests", v.hint(), v.lines(now), v.width+4, v.height+2)
}

// lines draws what is inside the box.
func (v *Inspector) lines(now time.Time) []string {
	var out []string
	switch e, ok := v.current(); {
	case !ok:
		out = []string{v.theme.Muted.Render("no requests yet")}
	case v.raw:
		out = append([]string{v.title(e)}, v.body.View()...)
	case v.open:
		out = v.detail(e, now)
		out = out[max(0, min(v.scroll, len(out)-v.height)):]
	default:
		out = v.list(now)
	}
	for i := range out {
		out[i] = text.Cut(out[i], v.width, v.theme.Glyphs.Ellipsis)
	}
	return out[:min(len(out), v.height)]
}

// hint names the keys of what is shown.
func (v *Inspector) hint() string {
	switch {
	case v.raw:
		return "/ search  enter fold  y copy  esc back"
	case v.open:
		return "enter body  c copy curl  u URL  y body  esc back"
	}
	return "enter open  c copy curl  J body  esc close"
}

func (v *Inspector) list(now time.Time) []string {
	out := make([]string, 0, v.height)
	for i := v.top; i < min(v.top+v.height, len(v.all)); i++ {
		e := v.all[i]
		age := text.Fill(text.AgeShort(now, e.Started), 5)
		status, style := v.status(e)
		tail := fmt.Sprintf("%8s %9s", text.Duration(e.Duration), text.Bytes(e.ResponseSize))
		if e.Attempts > 1 {
			tail += fmt.Sprintf(" x%d", e.Attempts)
		}
		path := text.Middle(e.Target(), max(10, v.width-42))
		line := fmt.Sprintf("%s %s %s ", age, text.Fill(status, 8), text.Fill(e.Method+" "+path, max(14, v.width-38)))
		if i == v.cursor {
			out = append(out, v.theme.Cursor.Render(text.Fill(line+tail, v.width)))
			continue
		}
		out = append(out, v.theme.Muted.Render(age)+" "+style.Render(text.Fill(status, 8))+" "+
			text.Fill(e.Method+" "+path, max(14, v.width-38))+" "+v.theme.Muted.Render(tail))
	}
	return out
}

func (v *Inspector) status(e apiclient.Exchange) (string, theme.Style) {
	switch {
	case !e.Done:
		return v.theme.Glyphs.Ellipsis, v.theme.Muted
	case e.NotModified:
		return "304", v.theme.OK
	case e.Status == 0:
		return "failed", v.theme.Bad
	case e.Status >= 400:
		return fmt.Sprint(e.Status), v.theme.Warn
	}
	return fmt.Sprint(e.Status), v.theme.OK
}

func (v *Inspector) title(e apiclient.Exchange) string {
	status, style := v.status(e)
	return v.theme.Strong.Render(text.Line(e.Method+" "+e.Target())) + "  " + style.Render(status)
}

func (v *Inspector) detail(e apiclient.Exchange, now time.Time) []string {
	th := v.theme
	row := func(label, value string) string {
		return th.Muted.Render(text.Fill(label, 14)) + " " + value
	}
	lines := []string{
		v.title(e),
		row("url", text.Line(e.URL)),
		row("asked", text.Age(now, e.Started)),
		row("took", text.Duration(e.Duration)),
		row("received", text.Bytes(e.ResponseSize)),
	}
	if e.Err != "" {
		lines = append(lines, row("error", th.Bad.Render(text.Line(e.Err))))
	}
	if e.NotModified {
		lines = append(lines, row("cache", "not modified: the cached answer is current"))
	}
	lines = append(lines, v.timings(e, row)...)
	for i, try := range e.Tries {
		if len(e.Tries) < 2 {
			break
		}
		lines = append(lines, row(fmt.Sprintf("try %d", i+1), text.Line(tryText(try))))
	}
	lines = append(lines, headerLines(th, "request headers", e.RequestHeader)...)
	lines = append(lines, headerLines(th, "response headers", e.ResponseHeader)...)
	if len(e.ResponseBody) > 0 {
		lines = append(lines, "", th.Strong.Render("body"))
		lines = append(lines, text.Block(e.ResponseBody[:min(len(e.ResponseBody), 4<<10)], max(1, v.width))...)
		if e.ResponseBodyCut || len(e.ResponseBody) > 4<<10 {
			lines = append(lines, th.Muted.Render("more follows: press Enter"))
		}
	}
	lines = append(lines, "", th.Strong.Render("curl"))
	lines = append(lines, text.Block(e.Curl(), max(1, v.width))...)
	return lines
}

func tryText(t apiclient.Try) string {
	out := fmt.Sprintf("%d", t.Status)
	if t.Status == 0 {
		out = "no answer"
	}
	if t.Err != "" {
		out += ": " + t.Err
	}
	return out
}

func (v *Inspector) timings(e apiclient.Exchange, row func(label, value string) string) []string {
	t := e.Timings()
	var parts []string
	for _, p := range []struct {
		name string
		took time.Duration
	}{{"dns", t.DNS}, {"connect", t.Connect}, {"tls", t.TLS}, {"first byte", t.FirstByte}, {"total", t.Total}} {
		if p.took > 0 {
			parts = append(parts, p.name+" "+text.Duration(p.took))
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return []string{row("timings", strings.Join(parts, "  "))}
}

func headerLines(th *theme.Theme, title string, h http.Header) []string {
	if len(h) == 0 {
		return nil
	}
	out := []string{"", th.Strong.Render(title)}
	for _, name := range slices.Sorted(maps.Keys(h)) {
		for _, value := range h[name] {
			out = append(out, th.Muted.Render(text.Line(name)+": ")+text.Line(value))
		}
	}
	return out
}
