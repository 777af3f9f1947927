package tui

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/keymap"
	"chainscope/tui/mockclient"
	"chainscope/tui/nav"
	"chainscope/tui/screen"
	"chainscope/tui/state"
	"chainscope/tui/term"
	"chainscope/tui/theme"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/colorprofile"
	"pgregory.net/rapid"
)

var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// fakeMock stands for the control routes of a mock.
type fakeMock struct {
	scenario string
	mined    int
	resets   int
}

// RoundTrip answers what the mock panel asks. Its own tests use a real mock server.
func (f *fakeMock) RoundTrip(r *http.Request) (*http.Response, error) {
	var sent struct {
		Scenario string
		Blocks   int
	}
	if r.Body != nil {
		if err := json.NewDecoder(r.Body).Decode(&sent); err != nil {
			return nil, err
		}
	}
	answer := any(struct{}{})
	switch r.Method + " " + r.URL.Path {
	case "GET /mock/v1/scenario":
		answer = map[string]string{"scenario": f.scenario}
	case "PUT /mock/v1/scenario":
		f.scenario = sent.Scenario
	case "POST /mock/v1/mine":
		f.mined += sent.Blocks
	case "POST /mock/v1/reset":
		f.resets++
	case "GET /mock/v1/snapshot":
		answer = mockclient.Course{Tip: mockclient.Tip{Height: 1_000_000}, Clock: "2026-01-01T00:00:00.000Z", Frozen: true}
	}
	body, err := json.Marshal(answer)
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"X-Mock-Scenario": {f.scenario}}, Body: io.NopCloser(bytes.NewReader(body))}, err
}

// place is a screen of numbered lines.
type place struct {
	at            nav.Place
	width, height int
	keys          []string
	opened        int
	lived         int
	refreshed     int
	status        screen.Status
	typing        bool
	cursor        int
}

func (p *place) Open(at nav.Place, state any) tea.Cmd {
	p.at, p.opened, p.cursor = at, p.opened+1, 0
	if n, ok := state.(int); ok {
		p.cursor = n
	}
	return nil
}
func (p *place) Place() nav.Place         { return p.at }
func (p *place) State() any               { return p.cursor }
func (p *place) Leave()                   {}
func (p *place) Resume() tea.Cmd          { return nil }
func (p *place) SetSize(w, h int)         { p.width, p.height = w, h }
func (p *place) SetTheme(th *theme.Theme) {}
func (p *place) Redraw()                  {}
func (p *place) Update(tea.Msg) tea.Cmd   { return nil }
func (p *place) Key(msg tea.KeyMsg) (tea.Cmd, bool) {
	p.keys = append(p.keys, msg.String())
	if msg.String() == "j" {
		p.cursor++
		return nil, true
	}
	return nil, p.typing
}
func (p *place) Typing() bool { return p.typing }
func (p *place) Refresh() tea.Cmd {
	p.refreshed++
	return nil
}

func (p *place) RetryNow() tea.Cmd { return nil }

func (p *place) Live() tea.Cmd {
	p.lived++
	return nil
}

func (p *place) View(time.Time) []string {
	out := make([]string, p.height)
	for i := range out {
		out[i] = fmt.Sprintf("line %d of %s", i, p.at)
	}
	return out
}

func (p *place) Subject() screen.Subject {
	return screen.Subject{
		Title: "a thing", Raw: []byte(`{"a":1}`), Copies: []screen.Copy{{Key: "h", Label: "hash", Text: "0x12"}},
		Export: func() screen.Table {
			return screen.Table{Name: "things", Columns: []string{"n", "name"}, Rows: [][]string{{"1", "=cmd()"}, {"-2", "b"}}, JSON: []json.RawMessage{[]byte(`{"n": 1}`), []byte(`{"n":-2}`)}}
		},
	}
}
func (p *place) Status() screen.Status { return p.status }
func (p *place) Scopes() []string      { return []string{"list"} }

// user is the user at a model, without a terminal.
type user struct {
	t      *testing.T
	m      *Model
	now    time.Time
	blocks *place
	names  *place
	mock   *fakeMock
	dir    string
	copied []string
	opened []string
}

func newTestUser(t *testing.T, width, height int) *user {
	t.Helper()
	server := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(server.Close)
	client, err := apiclient.New(apiclient.Options{BaseURL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	u := &user{t: t, now: noon, blocks: &place{}, names: &place{}, mock: &fakeMock{scenario: "healthy"}, dir: t.TempDir()}
	store, err := state.Open(state.Options{Dir: filepath.Join(u.dir, "state")})
	if err != nil {
		t.Fatal(err)
	}
	u.m, err = New(Options{
		Client: client, Keys: keymap.Default(), Network: "MOCK", Mock: mockclient.New("http://mock.test", u.mock), Theme: "mono", Look: theme.Options{Plain: true},
		Store: store, Exports: u.dir, Now: func() time.Time { return u.now }, Zone: time.UTC,
		Tick: func(time.Duration, func(time.Time) tea.Msg) tea.Cmd { return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	u.m.tabs = tabs{{nav.KindBlocks, "Blocks", "Blocks", u.blocks, nil}, {nav.KindNamespaces, "Names", "Names", u.names, nil}}
	u.run(u.m.visit(nav.Blocks()))
	u.send(tea.WindowSizeMsg{Width: width, Height: height})
	return u
}

func (u *user) send(msg tea.Msg) {
	_, cmd := u.m.Update(msg)
	u.run(cmd)
}

// run plays a command to its end, but for ticks and what the terminal does.
func (u *user) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil, tickMsg, tea.QuitMsg:
	case tea.BatchMsg:
		for _, c := range msg {
			u.run(c)
		}
	case term.CopyRequest:
		u.copied = append(u.copied, msg.Text)
	case term.OpenRequest:
		u.opened = append(u.opened, msg.URL)
	default:
		u.send(msg)
	}
}

func (u *user) press(keys ...string) {
	for _, k := range keys {
		msg := uitest.Key(k)
		if msg.Type != tea.KeyRunes {
			u.send(msg)
			continue
		}
		for _, r := range k {
			u.send(uitest.Key(string(r)))
		}
	}
}

func (u *user) sees(text string) {
	u.t.Helper()
	if v := u.m.View(); !strings.Contains(v, text) {
		u.t.Errorf("no %q on screen:\n%s", text, v)
	}
}

func TestTabsAndHistory(t *testing.T) {
	u := newTestUser(t, 100, 20)
	u.press("j", "j", "4")
	u.sees("line 0 of names")
	u.press("{")
	u.sees("line 0 of blocks")
	if u.blocks.cursor != 2 {
		t.Errorf("coming back, the cursor is at %d", u.blocks.cursor)
	}
	u.press("}")
	u.sees("line 0 of names")
	u.press("esc", "left")
	u.sees("line 0 of names")
	u.sees("this is the list; { goes back")
	u.press("backspace")
	u.sees("line 0 of blocks")
}

// The digit is the place, whatever was seen of it last; esc goes from one thing to the list of
// its place and stops there, the history goes back.
func TestADigitShowsThePlaceAndEscStopsAtItsList(t *testing.T) {
	p := start(t, theme.Options{Dark: true}, "dark", 120, 40)
	for digit, of := range map[string]struct{ thing, list nav.Place }{
		"1": {nav.BlockAtHeight(990_000), nav.Blocks()},
		"2": {nav.BurnBlockAtHeight(840_300), nav.BurnBlocks()},
		"3": {nav.FT(usdaToken, ""), nav.Tokens()},
		"6": {nav.TransactionsOf(usdaToken), nav.Transactions()},
		"7": {nav.Account(usdaToken), nav.Accounts()},
		"8": {nav.Contract(usdaToken), nav.Contracts()},
	} {
		p.run(p.m.visit(of.thing))
		keysOf(p, "0", digit)
		if got := p.m.Place(); got != of.list {
			t.Errorf("after %s %s shows %s", of.thing, digit, got)
		}
		p.run(p.m.visit(nav.Home()))
		p.run(p.m.visit(of.thing))
		keysOf(p, "esc", "esc", "left") // the first leaves the detail where the list is beside it
		if got := p.m.Place(); got != of.list {
			t.Errorf("esc and left go from %s to %s", of.thing, got)
		}
		keysOf(p, "{")
		if got := p.m.Place(); got.Kind == of.list.Kind && got.OfOne() == of.list.OfOne() {
			t.Errorf("{ stays at %s", got)
		}
	}
}

func TestGoingToAnything(t *testing.T) {
	u := newTestUser(t, 100, 20)
	u.press("ctrl+g", "sato.btc", "enter")
	if got := u.m.Place(); got != nav.Name("sato.btc") {
		t.Errorf("at %v", got)
	}
	u.press("ctrl+g")
	u.sees("recent")
	u.press("esc", ":", "theme", "enter")
	if u.m.theme.Name == "mono" {
		t.Error("the theme is the same")
	}
	u.press("ctrl+g", "SP2.x")
	u.sees("contract")
	u.press("enter")
	if len(u.m.overlays.stack) != 1 {
		t.Error("what leads nowhere closes the box")
	}
}

func TestABoxThatIsOpenedOnTheWayStaysOpen(t *testing.T) {
	u := newTestUser(t, 100, 20)
	u.press("ctrl+g", "names btc")
	_, arrive := u.m.Update(uitest.Key("enter"))
	u.press("ctrl+g", "hello")
	u.run(arrive)
	if at := u.m.Place(); at.Namespace != "btc" {
		t.Errorf("at %v", at)
	}
	u.sees("> hello")
}

func TestTheEndOfALongInputStaysInSight(t *testing.T) {
	u := newTestUser(t, 80, 20)
	u.press("ctrl+g", strings.Repeat("long", 40)+"end")
	u.sees("longend  │")
}

func TestCopying(t *testing.T) {
	u := newTestUser(t, 100, 20)
	u.press("y")
	u.sees("0x12")
	u.press("h", "y", "j")
	if strings.Join(u.copied, " ") != `0x12 {"a":1}` {
		t.Errorf("copied %q", u.copied)
	}
}

func TestBookmarks(t *testing.T) {
	u := newTestUser(t, 100, 20)
	u.press("4", "b")
	u.sees("bookmarked: names")
	u.press("1", "B")
	u.sees("▸ names")
	u.press("enter")
	u.sees("line 0 of names")
	u.press("B", "delete")
	u.sees("no bookmarks yet")
}

func TestExporting(t *testing.T) {
	for key, want := range map[string]string{
		"c": "n,name\n1,'=cmd()\n-2,b\n",
		"n": "{\"n\":1}\n{\"n\":-2}\n",
		"j": "[\n  {\n    \"n\": 1\n  },\n  {\n    \"n\": -2\n  }\n]\n",
	} {
		u := newTestUser(t, 100, 20)
		u.press("e", key)
		u.sees("exported 2 rows to")                 // the path may need a line of its own
		u.sees("chainscope-things-20260101T120000.") // where it is, whole or its end
		files, _ := filepath.Glob(filepath.Join(u.dir, "chainscope-things-20260101T120000.*"))
		if len(files) != 1 {
			t.Fatalf("files %v", files)
		}
		if data, _ := os.ReadFile(files[0]); string(data) != want {
			t.Errorf("got %q, want %q", data, want)
		}
		u.press("e", key)
		u.sees("not exported")
	}
}

func TestTheMockPanel(t *testing.T) {
	u := newTestUser(t, 100, 24)
	u.press("M")
	u.sees("healthy  (on)")
	u.press("5")
	u.sees("down  (on)")
	u.press("m", "n", "x", "esc")
	if u.mock.scenario != "down" || u.mock.mined != 11 || u.mock.resets != 1 || u.blocks.refreshed != 4 {
		t.Errorf("mock %+v, refreshed %d times", u.mock, u.blocks.refreshed)
	}
}

func TestLiveTail(t *testing.T) {
	u := newTestUser(t, 100, 20)
	tick := func() {
		u.now = u.now.Add(time.Second)
		u.send(tickMsg{u.m.tickGen})
	}
	for range 11 {
		tick()
	}
	if u.blocks.lived != 2 {
		t.Errorf("asked %d times in 11 s", u.blocks.lived)
	}
	u.press("R")
	for range 11 {
		tick()
	}
	if u.blocks.lived != 2 {
		t.Errorf("asked while off: %d", u.blocks.lived)
	}
}

func TestWhileTypingLettersAreText(t *testing.T) {
	u := newTestUser(t, 100, 20)
	u.blocks.typing = true
	u.press("q", "?", "2")
	if u.m.quitting || u.m.overlays.open() || u.m.current != 0 {
		t.Error("a letter was a command")
	}
}

func TestOverlays(t *testing.T) {
	for name, key := range map[string]string{"help": "?", "json": "J", "copy": "y", "palette": ":", "mock": "M", "export": "e"} {
		for _, size := range [][2]int{{80, 24}, {120, 40}} {
			u := newTestUser(t, size[0], size[1])
			u.press(key)
			uitest.Size(t, u.m.View(), size[0], size[1])
			if size[0] == 80 || name == "help" || name == "palette" { // others are the same box in more room
				uitest.Golden(t, fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), u.m.View(), size[0], size[1])
			}
		}
	}
}

func TestTheFrameFitsAnyWindow(t *testing.T) {
	u := newTestUser(t, 80, 24)
	keys := []string{"?", "J", "y", ":", "M", "e", "B", "esc", "esc", "2", "1", "j", "T", "x", "enter"}
	rapid.Check(t, func(rt *rapid.T) {
		w, h := rapid.IntRange(1, 300).Draw(rt, "width"), rapid.IntRange(1, 100).Draw(rt, "height")
		u.send(tea.WindowSizeMsg{Width: w, Height: h})
		if k := rapid.SampledFrom(keys).Draw(rt, "key"); k != "" {
			u.press(k)
		}
		uitest.Size(t, u.m.View(), w, h)
		if t.Failed() {
			rt.Fatalf("at %dx%d", w, h)
		}
	})
}

func BenchmarkKey(b *testing.B) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	client, err := apiclient.New(apiclient.Options{BaseURL: server.URL})
	if err != nil {
		b.Fatal(err)
	}
	defer client.Close()
	m, err := New(Options{Client: client, Keys: keymap.Default(), Network: "MOCK", Theme: "dark", Look: theme.Options{Dark: true, Colors: colorprofile.TrueColor}})
	if err != nil {
		b.Fatal(err)
	}
	p := &place{}
	m.tabs = tabs{{nav.KindBlocks, "Blocks", "Blocks", p, nil}}
	m.visit(nav.Blocks())
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	for b.Loop() {
		m.Update(uitest.Key("j"))
		m.View()
	}
}
