package tokens

import (
	"cmp"
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"chainscope/apiclient"
	"chainscope/mockserver"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/keymap"
	"chainscope/tui/mockclient"
	"chainscope/tui/nav"
	"chainscope/tui/screen"
	"chainscope/tui/state"
	"chainscope/tui/term"
	"chainscope/tui/theme"
	"chainscope/tui/widget/picture"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// clock is a clock that moves only when somebody waits on it.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(max(d, 0))
	return ctx.Err()
}

// disk returns a store that the test has for itself.
func disk(t testing.TB) *state.Store {
	t.Helper()
	store, err := state.Open(state.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	return store
}

// driver is the user at the screen: it presses keys, does what the frame would
// do and looks.
type driver struct {
	t      testing.TB
	s      *Screen
	clock  *clock
	held   []tea.Cmd    // countdowns that wait for release
	http   *http.Client // to the mock
	opened []string     // addresses given to the browser
	told   []string     // notices
	steps  []nav.Place
	sent   []nav.Place // to be opened when the key is done
	// hold stops countdowns, so that they can be looked at.
	hold bool
}

// base is where the mock says it is, whatever port it really has.
const base = "http://127.0.0.1:3999"

type setup struct {
	width, height int
	theme         string
	emphasis      theme.Options
	config        mockserver.Config
	opts          Options
	noCatalogue   bool
	answer        http.RoundTripper // in place of the mock; nil is the mock
	// wrap puts something between client and mock.
	wrap func(http.RoundTripper) http.RoundTripper
}

func start(t testing.TB, u setup) *driver {
	t.Helper()
	d := &driver{t: t, clock: &clock{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}}
	if u.config.Now == nil {
		u.config.Now = d.clock.Now
	}
	u.config.Sleep = d.clock.Sleep
	mock, err := mockserver.New(u.config)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(mock)
	t.Cleanup(func() { server.Close(); mock.Close() })
	to := server.Listener.Addr().String()
	transport := &http.Transport{DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, to)
	}}
	t.Cleanup(transport.CloseIdleConnections)
	d.http = &http.Client{Transport: transport}
	if u.wrap != nil {
		u.answer = u.wrap(transport)
	}
	client, err := apiclient.New(apiclient.Options{BaseURL: base, Transport: cmp.Or[http.RoundTripper](u.answer, transport), Now: d.clock.Now, Backoff: time.Nanosecond, Timeout: 5 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	if u.theme == "" {
		u.theme, u.emphasis = "mono", theme.Options{Plain: true}
	}
	th, err := theme.New(u.theme, u.emphasis)
	if err != nil {
		t.Fatal(err)
	}
	if !u.noCatalogue {
		u.opts.Catalogue = catalogueOf(mockclient.New(base, transport))
		u.opts.List = true
		u.opts.Own = func(string) bool { return true }
	}
	if u.opts.Store == nil {
		u.opts.Store = disk(t)
	}
	if u.opts.Picture == nil {
		load := picture.NewFetcher(server.URL, nil).Load
		u.opts.Picture = func(ctx context.Context, address string) (*picture.Picture, error) {
			return load(ctx, strings.Replace(address, base, server.URL, 1))
		}
	}
	u.opts.Source = "mock"
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	d.s = New(&screen.Env{
		Context: ctx, Client: client, Keys: keymap.Default(), Now: d.clock.Now,
		Times: &screen.Times{Zone: time.UTC}, Web: "https://explorer.example", WebQuery: "?chain=mainnet", Tick: d.tick,
		Send: func(msg tea.Msg) { d.sent = append(d.sent, msg.(screen.GoMsg).Place) },
	}, th, u.opts)
	if u.width == 0 {
		u.width, u.height = 120, 36
	}
	d.s.SetSize(u.width, u.height)
	return d
}

// run does what a command does, and what comes of it.
func (d *driver) run(cmd tea.Cmd) {
	if cmd != nil {
		d.take(cmd())
	}
	for len(d.sent) > 0 {
		to := d.sent[0]
		d.sent = d.sent[1:]
		d.open(to)
	}
}

// tick lets the clock go on at once, or, while it is held, when it is released.
func (d *driver) tick(wait time.Duration, make func(time.Time) tea.Msg) tea.Cmd {
	at := d.clock.Now().Add(wait)
	goOn := func() tea.Msg {
		if now := d.clock.Now(); now.Before(at) {
			_ = d.clock.Sleep(context.Background(), at.Sub(now))
		}
		return make(at)
	}
	return func() tea.Msg {
		if d.hold {
			d.held = append(d.held, goOn)
			return nil
		}
		return goOn()
	}
}

// release lets held countdowns go on.
func (d *driver) release() {
	held := d.held
	d.hold, d.held = false, nil
	for _, cmd := range held {
		d.run(cmd)
	}
}

func (d *driver) take(msg tea.Msg) {
	switch msg := msg.(type) {
	case nil:
	case tea.BatchMsg:
		for _, cmd := range msg {
			d.run(cmd)
		}
	case screen.NoticeMsg:
		d.told = append(d.told, msg.Text)
	case screen.DueMsg:
		d.run(msg())
	case term.OpenRequest:
		d.opened = append(d.opened, msg.URL)
	default:
		d.run(d.s.Update(msg))
	}
}

func (d *driver) open(p nav.Place) {
	d.steps = append(d.steps, p)
	d.run(d.s.Open(p, nil))
}

// press presses keys by name; a name of several letters that is none is typed.
func (d *driver) press(names ...string) {
	for _, name := range names {
		cmd, taken := d.s.Key(uitest.Key(name))
		if !taken && name == "r" {
			cmd = d.s.Refresh()
		}
		d.run(cmd)
	}
}

func (d *driver) view() string { return strings.Join(d.s.View(d.clock.Now()), "\n") }

func (d *driver) sees(texts ...string) {
	d.t.Helper()
	frame := ansi.Strip(d.view())
	for _, want := range texts {
		if !strings.Contains(frame, want) {
			d.t.Fatalf("%q is not on screen:\n%s", want, frame)
		}
	}
}

func (d *driver) seesNot(texts ...string) {
	d.t.Helper()
	frame := ansi.Strip(d.view())
	for _, unwanted := range texts {
		if strings.Contains(frame, unwanted) {
			d.t.Fatalf("%q is on screen:\n%s", unwanted, frame)
		}
	}
}

// pick opens the token of the list whose row has the text.
func (d *driver) pick(text string) {
	d.t.Helper()
	d.press("g")
	for range d.s.List.Len() {
		for _, line := range d.s.View(d.clock.Now()) {
			if strings.HasPrefix(ansi.Strip(line), "▸") && strings.Contains(ansi.Strip(line), text) {
				d.press("enter")
				return
			}
		}
		d.press("j")
	}
	d.t.Fatalf("no row has %q:\n%s", text, d.view())
}

// at moves the detail's cursor to a row.
func (d *driver) at(label string) {
	d.t.Helper()
	d.press("g")
	for range d.s.Detail.Rows() {
		if row, ok := d.s.Detail.Cursor(); ok && strings.TrimSpace(row.Label) == label {
			return
		}
		d.press("j")
	}
	d.t.Fatalf("no row %q:\n%s", label, d.view())
}

// sections returns those of a fungible token of the mock.
func (d *driver) sections(principal string) []section {
	d.t.Helper()
	got, err := d.s.env.Client.FungibleToken(context.Background(), principal, "")
	if err != nil {
		d.t.Fatal(err)
	}
	return describeFungible(nav.FT(principal, ""), got.Value)
}

// detail returns what is right of the list.
func (d *driver) detail() string {
	return strings.Join(d.s.Detail.ViewAt(d.clock.Now()), "\n")
}

// scenario has the mock play another scenario.
func (d *driver) scenario(name string) {
	d.t.Helper()
	request, err := http.NewRequest(http.MethodPut, base+"/mock/v1/scenario", strings.NewReader(`{"scenario":"`+name+`"}`))
	if err != nil {
		d.t.Fatal(err)
	}
	answer, err := d.http.Do(request)
	if err != nil {
		d.t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		d.t.Fatalf("the scenario %s is answered with %d", name, answer.StatusCode)
	}
}

// catalogueOf asks a mock which tokens it has.
func catalogueOf(mock *mockclient.Client) func(context.Context) (Catalogue, error) {
	return func(ctx context.Context) (Catalogue, error) {
		all, err := mock.Catalogue(ctx)
		var out Catalogue
		for _, t := range all.FT {
			out.FT = append(out.FT, Entry(t))
		}
		for _, t := range all.NFT {
			out.NFT = append(out.NFT, Entry(t))
		}
		return out, err
	}
}
