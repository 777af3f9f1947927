package uitest

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
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
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// Noon holds what the clock shows when a story begins.
var Noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// Driver is a user in front of one screen, and the frame between them.
type Driver struct {
	testing.TB
	Screen  screen.Screen
	Env     *screen.Env
	Clock   time.Time
	Went    []nav.Place // places the screen made the frame go to
	Notices []string
	pending []tea.Cmd
	timers  []timer
}

// timer is a message that a screen requested after a time.
type timer struct {
	at   time.Time
	make func(time.Time) tea.Msg
}

// NewDriver returns a driver without a screen, whose environment has the client.
// The context of the environment ends with the test.
func NewDriver(t testing.TB, client *apiclient.Client) *Driver {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	d := &Driver{TB: t, Clock: Noon}
	d.Env = &screen.Env{
		Context: ctx, Client: client, Keys: keymap.Default(), Now: func() time.Time { return d.Clock },
		Times: &screen.Times{Zone: time.UTC}, Web: "https://explorer.example", WebQuery: "?chain=mainnet",
		Tick: d.tick, Send: func(msg tea.Msg) { d.Do(func() tea.Msg { return msg }) },
	}
	return d
}

// tick sets a timer, which Wait lets go off.
func (d *Driver) tick(after time.Duration, make func(time.Time) tea.Msg) tea.Cmd {
	return func() tea.Msg {
		d.timers = append(d.timers, timer{d.Clock.Add(after), make})
		return nil
	}
}

// Wait moves the clock on, lets the timers go off whose time has come, and waits
// for what comes of them.
func (d *Driver) Wait(by time.Duration) {
	end := d.Clock.Add(by)
	for {
		next := -1
		for i, t := range d.timers {
			if !t.at.After(end) && (next < 0 || t.at.Before(d.timers[next].at)) {
				next = i
			}
		}
		if next < 0 {
			break
		}
		t := d.timers[next]
		d.timers = slices.Delete(d.timers, next, next+1)
		if t.at.After(d.Clock) {
			d.Clock = t.at
		}
		d.Do(func() tea.Msg { return t.make(d.Clock) })
		d.Settle()
	}
	d.Clock = end
}

// Theme makes a theme; mono has no escape sequences at all.
func Theme(t testing.TB, name string) *theme.Theme {
	t.Helper()
	th, err := theme.New(name, theme.Options{Dark: name != "light", Colors: colorprofile.TrueColor, Plain: name == "mono"})
	if err != nil {
		t.Fatal(err)
	}
	return th
}

// Client serves a handler on a free port and returns a client of it that does
// not wait between its attempts.
func Client(t testing.TB, h http.Handler) *apiclient.Client {
	t.Helper()
	server := httptest.NewServer(h)
	client, err := apiclient.New(apiclient.Options{
		BaseURL: server.URL, Now: func() time.Time { return Noon }, Backoff: time.Nanosecond, Network: apiclient.Mainnet,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		client.Close()
		server.Close()
	})
	return client
}

// Mock makes the mock server of a configuration, ended with the test.
func Mock(t testing.TB, cfg mockserver.Config) *mockserver.Server {
	t.Helper()
	m, err := mockserver.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close() })
	return m
}

// Do takes a command, to be run by Step or Settle.
func (d *Driver) Do(cmd tea.Cmd) {
	if cmd != nil {
		d.pending = append(d.pending, cmd)
	}
}

// Pending returns how many commands wait to be run.
func (d *Driver) Pending() int { return len(d.pending) }

// Drop forgets the commands that wait, as if their answers never came.
func (d *Driver) Drop() { d.pending = nil }

// Step runs one command and takes what it brought.
func (d *Driver) Step() {
	cmd := d.pending[0]
	d.pending = d.pending[1:]
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			d.Do(c)
		}
	case screen.DueMsg:
		d.Do(msg())
	case screen.GoMsg:
		d.Went = append(d.Went, msg.Place)
		if msg.Place.Kind == d.Screen.Place().Kind {
			d.Screen.Leave()
			d.Do(d.Screen.Open(msg.Place, nil))
		}
	case screen.NoticeMsg:
		d.Notices = append(d.Notices, msg.Text)
	default:
		d.Do(d.Screen.Update(msg))
	}
}

// Settle runs commands until none is left.
func (d *Driver) Settle() {
	for len(d.pending) > 0 {
		d.Step()
	}
}

// Open goes to a place and waits for what comes of it.
func (d *Driver) Open(p nav.Place) { d.Back(p, nil) }

// Back goes to a place with the state it was left in.
func (d *Driver) Back(p nav.Place, state any) {
	d.Do(d.Screen.Open(p, state))
	d.Settle()
}

// Press presses keys one by one and waits for what comes of each.
func (d *Driver) Press(keys ...string) {
	for _, k := range keys {
		cmd, _ := d.Screen.Key(Key(k))
		d.Do(cmd)
		d.Settle()
	}
}

// Type presses a key for each letter.
func (d *Driver) Type(s string) {
	for _, r := range s {
		d.Press(string(r))
	}
}

// Frame returns what is drawn, styles included.
func (d *Driver) Frame() string { return strings.Join(d.Screen.View(d.Clock), "\n") }

// Sees fails when words are not on the screen.
func (d *Driver) Sees(want ...string) {
	d.Helper()
	view := ansi.Strip(d.Frame())
	for _, w := range want {
		if !strings.Contains(view, w) {
			d.Errorf("%q is not on the screen:\n%s", w, view)
		}
	}
}

// SeesNot fails when words are on the screen.
func (d *Driver) SeesNot(unwanted ...string) {
	d.Helper()
	view := ansi.Strip(d.Frame())
	for _, w := range unwanted {
		if strings.Contains(view, w) {
			d.Errorf("%q is on the screen:\n%s", w, view)
		}
	}
}

// FitsEverySize fails when the screen does not fill some window exactly, or shows nothing in one
// that has room for words.
func (d *Driver) FitsEverySize() {
	d.Helper()
	for w := 0; w <= 260; w += 19 {
		for h := 0; h <= 80; h += 5 {
			d.Screen.SetSize(w, h)
			lines := d.Screen.View(d.Clock)
			if len(lines) != h {
				d.Fatalf("%d lines in %dx%d", len(lines), w, h)
			}
			if text := strings.TrimSpace(ansi.Strip(strings.Join(lines, ""))); text == "" && w >= 19 && h >= 10 {
				d.Fatalf("nothing is shown in %dx%d", w, h)
			}
			for i, line := range lines {
				if got := ansi.StringWidth(line); got > w {
					d.Fatalf("line %d is %d wide in %dx%d: %q", i+1, got, w, h, ansi.Strip(line))
				}
			}
		}
	}
}
