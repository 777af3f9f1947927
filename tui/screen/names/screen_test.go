package names

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"chainscope/apiclient"
	"chainscope/mockserver"
	"chainscope/tui/keymap"
	"chainscope/tui/nav"
	"chainscope/tui/screen"
	"chainscope/tui/theme"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// driver stands for the frame: it runs commands and hands keys on.
type driver struct {
	t       testing.TB
	screen  *Screen
	env     *screen.Env
	now     time.Time
	pending []tea.Cmd
	went    []nav.Place
	notices []string
}

func drive(t testing.TB, api API, opt Options) *driver {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	d := &driver{t: t, now: noon}
	d.env = &screen.Env{Context: ctx, Keys: keymap.Default(), Now: func() time.Time { return d.now }, Times: &screen.Times{Zone: time.UTC}}
	opt.API = api
	if opt.Sleep == nil {
		opt.Sleep = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	}
	d.screen = New(d.env, plain(t), opt)
	d.screen.SetSize(120, 30)
	return d
}

func plain(t testing.TB) *theme.Theme {
	t.Helper()
	th, err := theme.New("mono", theme.Options{Plain: true})
	if err != nil {
		t.Fatal(err)
	}
	return th
}

// mock serves the mock chain with so many names in the namespace btc.
func mock(t testing.TB, names int, scenario string) *apiclient.Client {
	t.Helper()
	m, err := mockserver.New(mockserver.Config{Seed: 7, Names: names, Freeze: &noon, Scenario: scenario})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(m)
	client, err := apiclient.New(apiclient.Options{BaseURL: server.URL, Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		client.Close()
		server.Close()
		_ = m.Close()
	})
	return client
}

func (d *driver) do(cmd tea.Cmd) {
	if cmd != nil {
		d.pending = append(d.pending, cmd)
	}
}

// step runs one command and takes what it brought.
func (d *driver) step() {
	cmd := d.pending[0]
	d.pending = d.pending[1:]
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			d.do(c)
		}
	case screen.GoMsg:
		d.went = append(d.went, msg.Place)
		if msg.Place.Kind == nav.KindNames {
			d.do(d.screen.Open(msg.Place, nil))
		}
	case screen.NoticeMsg:
		d.notices = append(d.notices, msg.Text)
	default:
		d.do(d.screen.Update(msg))
	}
}

// settle runs commands until none is left.
func (d *driver) settle() {
	for len(d.pending) > 0 {
		d.step()
	}
}

func (d *driver) open(p nav.Place) {
	d.do(d.screen.Open(p, nil))
	d.settle()
}

func keyMsg(k string) tea.KeyMsg {
	switch k {
	case "enter":
		return tea.KeyMsg{Type: tea.KeyEnter}
	case "esc":
		return tea.KeyMsg{Type: tea.KeyEsc}
	case "tab":
		return tea.KeyMsg{Type: tea.KeyTab}
	case "down":
		return tea.KeyMsg{Type: tea.KeyDown}
	case "up":
		return tea.KeyMsg{Type: tea.KeyUp}
	case "backspace":
		return tea.KeyMsg{Type: tea.KeyBackspace}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(k)}
}

// press presses keys one by one and waits for what comes of each.
func (d *driver) press(keys ...string) {
	for _, k := range keys {
		cmd, _ := d.screen.Key(keyMsg(k))
		d.do(cmd)
		d.settle()
	}
}

// typing presses a key for each letter.
func (d *driver) typing(s string) {
	for _, r := range s {
		d.press(string(r))
	}
}

func (d *driver) view() string {
	return ansi.Strip(strings.Join(d.screen.View(d.now), "\n"))
}

func (d *driver) sees(want ...string) {
	d.t.Helper()
	view := d.view()
	for _, w := range want {
		if !strings.Contains(view, w) {
			d.t.Errorf("%q is not on the screen:\n%s", w, view)
		}
	}
}

func (d *driver) seesNot(unwanted ...string) {
	d.t.Helper()
	view := d.view()
	for _, w := range unwanted {
		if strings.Contains(view, w) {
			d.t.Errorf("%q is on the screen:\n%s", w, view)
		}
	}
}

func TestAUserReadsANamespaceAndSearchesIt(t *testing.T) {
	client := mock(t, 12_345, "")
	var remembered []string
	d := drive(t, client, Options{
		Suggest: func(context.Context) ([]Suggestion, error) {
			return []Suggestion{{"btc", 12_345, "mock"}, {"stx", 500, "mock"}}, nil
		},
		Remember: func(n string) { remembered = append(remembered, n) },
	})
	d.open(nav.Names(""))
	d.sees("The names of which namespace?", "btc", "12,345 names")
	d.typing("btc")
	d.press("enter")
	d.sees(".btc", "12,345 names, all of them")
	if len(remembered) != 1 || remembered[0] != "btc" {
		t.Errorf("remembered %v", remembered)
	}
	d.press("/")
	d.typing("sa")
	d.sees("found", "at the begin")
	if name, _, ok := d.screen.current(); !ok || !strings.HasPrefix(name, "sa") {
		t.Errorf("the first hit is %q", name)
	}
	if got := d.screen.Place(); got.Filter != "sa" || got.Namespace != "btc" {
		t.Errorf("the place is %s", got)
	}
	d.press("enter")
	if d.screen.Typing() {
		t.Error("typing goes on after enter")
	}
	d.press("enter")
	d.sees("found", "at character 1")
	d.press("esc", "esc")
	d.sees("1/12,345"[2:])
	if d.screen.Place().Filter != "" {
		t.Error("esc keeps the search")
	}
}

func TestThePlaceKnowsItsSearch(t *testing.T) {
	d := drive(t, mock(t, 3000, ""), Options{})
	place := nav.Names("btc")
	place.Filter = "sa"
	d.open(place)
	d.sees("/ sa", "found")
	d.press("j", "j", "j")
	name, _, _ := d.screen.current()
	st := d.screen.State()
	d.screen.Leave()
	d.open(nav.Names(""))
	d.do(d.screen.Open(place, st))
	d.settle()
	if got, _, _ := d.screen.current(); got != name || name == "" {
		t.Errorf("came back to %q, left %q", got, name)
	}
}

func TestUnanchoredNamesAreReadOnDemand(t *testing.T) {
	d := drive(t, mock(t, 10_230, ""), Options{})
	d.open(nav.Names("btc"))
	d.sees("10,230 names")
	d.press("u")
	d.sees("10,240 names", "with unanchored")
	if !d.screen.Place().Unanchored {
		t.Error("the place does not say so")
	}
	d.press("u")
	d.sees("10,230 names")
}

func TestSinglePagesCountFromOne(t *testing.T) {
	d := drive(t, mock(t, 250, ""), Options{})
	place := nav.Names("btc")
	place.Page = 1
	d.open(place)
	d.sees("page 1", "100 names")
	first, _, _ := d.screen.current()
	if raw := string(d.screen.Subject().Raw); !strings.HasPrefix(raw, `["`+first) {
		t.Errorf("the raw JSON is %.60s", raw)
	}
	d.press("[")
	if len(d.notices) != 1 {
		t.Errorf("before page 1: %v", d.notices)
	}
	d.press("]", "]")
	d.sees("page 3", "50 names")
	d.press("]")
	d.sees("No names on page 4", "the page before")
	d.press("[")
	d.sees("page 3", "50 names")
	last, _, _ := d.screen.current()
	d.press("a")
	d.sees("250 names, all of them")
	d.press("]", "]")
	if name, index, _ := d.screen.current(); index != 200 || name != last {
		t.Errorf("] goes to %d %s, want %s", index, name, last)
	}
	d.press("a")
	d.sees("page 3")
	d.press("a")
	d.sees("250 names, all of them")
}

func TestAnUnknownNamespaceIsAskedForAgain(t *testing.T) {
	d := drive(t, mock(t, 100, ""), Options{Suggest: func(context.Context) ([]Suggestion, error) {
		return []Suggestion{{"btc", 100, "mock"}}, nil
	}})
	d.open(nav.Names("bct"))
	d.sees("No such namespace: bct", "btc", "100 names")
	d.press("down", "enter")
	d.sees("100 names, all of them")
}

func TestANamespaceWithoutNamesIsNoError(t *testing.T) {
	d := drive(t, mock(t, 100, ""), Options{})
	d.open(nav.Names("graphite"))
	d.sees("No names in .graphite", "nobody has registered")
}

func TestWhatIsTypedIsUnderstood(t *testing.T) {
	for typed, want := range map[string]string{
		"btc": "names btc", ".btc": "names btc", " btc ": "names btc", "alice.btc": `names btc filter=alice`, "a.b.btc": "names btc filter=a.b",
	} {
		p, err := parse(typed)
		if err != nil || p.String() != want {
			t.Errorf("%q is %s, %v; want %s", typed, p, err, want)
		}
	}
	if _, err := parse(" . "); err == nil {
		t.Error("nothing is a namespace")
	}
}

func TestTabsCanBeReachedWhileNothingIsTyped(t *testing.T) {
	d := drive(t, mock(t, 100, ""), Options{})
	d.open(nav.Names(""))
	d.press("1")
	if len(d.went) != 1 || d.went[0] != nav.Blocks() {
		t.Errorf("went to %v", d.went)
	}
	d.typing("a1")
	if got := d.screen.chooser.input.Value(); got != "a1" {
		t.Errorf("typed %q", got)
	}
}

func TestExportIsWhatIsShown(t *testing.T) {
	d := drive(t, mock(t, 2000, ""), Options{})
	d.open(nav.Names("btc"))
	if table := d.screen.Subject().Export(); len(table.Rows) != 2000 || len(table.JSON) != 2000 || table.Name != "names-btc" {
		t.Errorf("%d rows of %s", len(table.Rows), table.Name)
	}
	d.press("/")
	d.typing("sa")
	table := d.screen.Subject().Export()
	if len(table.Rows) == 0 || len(table.Rows) == 2000 || table.Name != "names-btc-sa" {
		t.Errorf("%d rows of %s", len(table.Rows), table.Name)
	}
	for _, row := range table.Rows {
		if !strings.Contains(row[1], "sa") {
			t.Errorf("%v is exported", row)
		}
	}
}
