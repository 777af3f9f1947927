// Package inspector shows the requests behind the screens: what was asked, what
// came back, how long each part took, and the same as curl. It must not import
// a screen.
package inspector

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/keymap"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/tui/widget/jsonview"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// Action is what the owner is to do after a key.
type Action int

// A key was handled, closes the inspector, or asks for a copy of Text.
const (
	None Action = iota
	Close
	Copy
)

// Inspector lists exchanges, the newest first, and shows one of them. It is a
// plain struct: its owner hands it keys, exchanges and a size.
type Inspector struct {
	theme *theme.Theme
	keys  *keymap.Map

	all    []apiclient.Exchange // the newest first
	cursor int
	top    int
	open   bool
	scroll int
	body   *jsonview.View
	raw    bool // the body alone
	what   string
	copied string

	width, height int
}

// New returns an inspector.
func New(th *theme.Theme, keys *keymap.Map) *Inspector {
	return &Inspector{theme: th, keys: keys, body: jsonview.New(th, keys)}
}

// SetTheme changes the colours.
func (v *Inspector) SetTheme(th *theme.Theme) { v.theme = th; v.body.SetTheme(th) }

// SetSize tells the cells that View fills.
func (v *Inspector) SetSize(width, height int) {
	v.width, v.height = width, height
	v.body.SetSize(width, max(0, height-1))
}

// SetExchanges takes a snapshot of the log, oldest first. The cursor stays on
// its exchange when new ones come.
func (v *Inspector) SetExchanges(log []apiclient.Exchange) {
	at, ok := v.Current()
	v.all = slices.Clone(log)
	slices.Reverse(v.all)
	v.cursor = min(v.cursor, max(0, len(v.all)-1))
	if ok && (v.open || v.cursor > 0) {
		v.Select(at.ID)
	}
}

// Select puts the cursor on an exchange.
func (v *Inspector) Select(id uint64) bool {
	for i, e := range v.all {
		if e.ID == id {
			v.cursor = i
			return true
		}
	}
	return false
}

// Current is the exchange under the cursor.
func (v *Inspector) Current() (apiclient.Exchange, bool) {
	if v.cursor >= len(v.all) {
		return apiclient.Exchange{}, false
	}
	return v.all[v.cursor], true
}

// Copied is what a Copy action is about: a word for the user and the text.
func (v *Inspector) Copied() (what, content string) { return v.what, v.copied }

// Key handles a key.
func (v *Inspector) Key(msg tea.KeyMsg) Action {
	if v.raw {
		return v.rawKey(msg)
	}
	switch {
	case msg.String() == "c":
		return v.copy("curl", apiclient.Exchange.Curl)
	case msg.String() == "u":
		return v.copy("URL", func(e apiclient.Exchange) string { return e.URL })
	case msg.String() == "y":
		return v.copy("body", func(e apiclient.Exchange) string { return string(e.ResponseBody) })
	case msg.String() == "esc", key.Matches(msg, v.keys.Global.Up), key.Matches(msg, v.keys.Global.Inspector), msg.String() == "q":
		if !v.open {
			return Close
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
	return None
}

func (v *Inspector) rawKey(msg tea.KeyMsg) Action {
	if !v.body.Typing() {
		switch {
		case msg.String() == "esc", msg.String() == "q", key.Matches(msg, v.keys.Global.RawJSON):
			v.raw = false
			return None
		case key.Matches(msg, v.keys.JSON.Copy):
			return v.copy("body", func(e apiclient.Exchange) string { return string(e.ResponseBody) })
		}
	}
	v.body.Key(msg)
	return None
}

func (v *Inspector) showBody() {
	if e, ok := v.Current(); ok && len(e.ResponseBody) > 0 {
		v.body.SetJSON(e.ResponseBody)
		v.raw = true
	}
}

func (v *Inspector) copy(what string, of func(apiclient.Exchange) string) Action {
	e, ok := v.Current()
	if !ok {
		return None
	}
	v.what, v.copied = what, of(e)
	if v.copied == "" {
		return None
	}
	return Copy
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
		by = -1 << 30
	case key.Matches(msg, l.Last):
		by = 1 << 30
	}
	if v.open {
		v.scroll = max(0, v.scroll+by)
		return
	}
	v.cursor = max(0, min(v.cursor+by, len(v.all)-1))
}

// View draws height lines.
func (v *Inspector) View(now time.Time) []string {
	var out []string
	switch e, ok := v.Current(); {
	case !ok:
		out = []string{v.theme.Muted.Render("nothing was asked yet")}
	case v.raw:
		out = append([]string{v.title(e)}, v.body.View()...)
	case v.open:
		out = v.detail(e, now)
	default:
		out = v.list(now)
	}
	for i := range out {
		out[i] = text.Clip(out[i], v.width)
	}
	for len(out) < v.height {
		out = append(out, "")
	}
	return out[:max(0, v.height)]
}

// Hint names the keys of what is shown.
func (v *Inspector) Hint() string {
	switch {
	case v.raw:
		return "/ search  enter fold  y copy  esc back"
	case v.open:
		return "enter body  c copy curl  u URL  y body  esc back"
	}
	return "enter open  c copy curl  J body  esc close"
}

func (v *Inspector) list(now time.Time) []string {
	if v.cursor < v.top {
		v.top = v.cursor
	}
	if v.cursor >= v.top+v.height {
		v.top = v.cursor - v.height + 1
	}
	v.top = max(0, min(v.top, len(v.all)-v.height))
	out := make([]string, 0, v.height)
	for i := v.top; i < min(v.top+v.height, len(v.all)); i++ {
		e := v.all[i]
		age := text.Fill(text.AgeShort(now, e.Started), 5)
		status, style := v.status(e)
		tail := fmt.Sprintf("%8s %9s", text.Duration(e.Duration), text.Bytes(e.ResponseSize))
		if e.Attempts > 1 {
			tail += fmt.Sprintf(" x%d", e.Attempts)
		}
		path := text.Middle(pathOf(e.URL), max(10, v.width-42))
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
		return "…", v.theme.Muted
	case e.NotModified:
		return "304", v.theme.OK
	case e.Status == 0:
		return "failed", v.theme.Bad
	case e.Status >= 400:
		return fmt.Sprint(e.Status), v.theme.Warn
	}
	return fmt.Sprint(e.Status), v.theme.OK
}

// pathOf cuts scheme and host off.
func pathOf(url string) string {
	if _, rest, ok := strings.Cut(url, "://"); ok {
		if i := strings.IndexByte(rest, '/'); i >= 0 {
			return rest[i:]
		}
	}
	return url
}

func (v *Inspector) title(e apiclient.Exchange) string {
	status, style := v.status(e)
	return v.theme.Strong.Render(text.Line(e.Method+" "+pathOf(e.URL))) + "  " + style.Render(status)
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
		lines = append(lines, row("cache", "the server confirmed what was held"))
	}
	lines = append(lines, v.timings(e, row)...)
	for i, try := range e.Tries {
		if len(e.Tries) < 2 {
			break
		}
		lines = append(lines, row(fmt.Sprintf("try %d", i+1), text.Line(tryText(try))))
	}
	lines = append(lines, headers(th, "request headers", e.RequestHeader)...)
	lines = append(lines, headers(th, "response headers", e.ResponseHeader)...)
	if len(e.ResponseBody) > 0 {
		lines = append(lines, "", th.Strong.Render("body"))
		lines = append(lines, text.Block(string(e.ResponseBody[:min(len(e.ResponseBody), 4<<10)]), max(1, v.width))...)
		if e.ResponseBodyCut || len(e.ResponseBody) > 4<<10 {
			lines = append(lines, th.Muted.Render("there is more: enter shows it"))
		}
	}
	lines = append(lines, "", th.Strong.Render("curl"))
	lines = append(lines, text.Block(e.Curl(), max(1, v.width))...)
	v.scroll = max(0, min(v.scroll, len(lines)-v.height))
	return lines[v.scroll:]
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

func headers(th *theme.Theme, title string, h http.Header) []string {
	if len(h) == 0 {
		return nil
	}
	names := make([]string, 0, len(h))
	for name := range h {
		names = append(names, name)
	}
	slices.Sort(names)
	out := []string{"", th.Strong.Render(title)}
	for _, name := range names {
		for _, value := range h[name] {
			out = append(out, th.Muted.Render(text.Line(name)+": ")+text.Line(value))
		}
	}
	return out
}
