package walletpane_test

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"chainscope/mockserver"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/keymap"
	"chainscope/tui/nav"
	"chainscope/tui/screen"
	"chainscope/tui/screen/walletpane"
	"chainscope/wallet/node"
	"chainscope/wallet/provider"
	"chainscope/wallet/service"
	"chainscope/wallet/signer"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// user is the user in front of the pane, with a wallet on a mock chain. Commands
// run as in the program: beside the keys.
type user struct {
	*testing.T
	pane    *walletpane.Screen
	wallet  *service.Service
	came    chan tea.Msg
	ctx     context.Context
	went    []nav.Place
	notices []string
	asked   *service.ApprovalNeeded
	mine    func()
	base    string
	gate    *gate
}

// gate is a transport that can hold questions about transactions.
type gate struct {
	mu   sync.Mutex
	held chan struct{} // closed to let them go; nil holds nothing
}

func (g *gate) RoundTrip(r *http.Request) (*http.Response, error) {
	g.mu.Lock()
	held := g.held
	g.mu.Unlock()
	if held != nil && strings.Contains(r.URL.Path, "/tx/") {
		select {
		case <-held:
		case <-r.Context().Done():
			return nil, r.Context().Err()
		}
	}
	return http.DefaultTransport.RoundTrip(r)
}

// hold holds questions until the function that it returns is called.
func (g *gate) hold() (release func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	held := make(chan struct{})
	g.held = held
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.held = nil
		close(held)
	}
}

func sit(t *testing.T, theme string, network string, change ...func(*walletpane.Options)) *user {
	t.Helper()
	freeze := uitest.Noon
	mock := uitest.Mock(t, mockserver.Config{Seed: 7, Names: 10, Freeze: &freeze})
	client := uitest.Client(t, mock)
	asks := &gate{}
	n, err := node.New(node.Options{BaseURL: client.BaseURL(), Transport: asks})
	if err != nil {
		t.Fatal(err)
	}
	nonces := node.NewNonces(n)
	now := func() time.Time { return uitest.Noon }
	w, err := service.New(service.Options{
		Node: n, Nonces: nonces, Source: provider.ChainSource{Client: n, Nonces: nonces}, Network: network, Now: now,
		Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	u := &user{T: t, wallet: w, came: make(chan tea.Msg, 64), ctx: ctx, gate: asks}
	u.base = client.BaseURL()
	u.mine = func() {
		if err := mineOne(client.BaseURL()); err != nil {
			t.Error(err)
		}
	}
	env := &screen.Env{Context: ctx, Client: client, Keys: keymap.Default(), Now: now, Times: &screen.Times{Zone: time.UTC}, Wallet: w, Send: func(msg tea.Msg) { u.went = append(u.went, msg.(screen.GoMsg).Place) }}
	o := walletpane.Options{Wallet: w, Mock: true, Mine: func() tea.Cmd { return func() tea.Msg { u.mine(); return nil } }}
	for _, f := range change {
		f(&o)
	}
	u.pane = walletpane.New(env, uitest.Theme(t, theme), o)
	u.pane.SetSize(80, 20)
	heard := make(chan struct{})
	go func() {
		defer close(heard)
		for {
			m, ok := w.Next(ctx)
			if !ok {
				return
			}
			u.put(m)
		}
	}()
	t.Cleanup(func() {
		cancel()
		w.Close()
		<-heard
	})
	u.do(u.pane.Open(nav.Wallet(), nil))
	u.until("the addresses", func() bool { return u.sees("p2tr") && !u.sees("reading") })
	return u
}

func (u *user) put(m tea.Msg) {
	select {
	case u.came <- m:
	case <-u.ctx.Done():
	}
}

func (u *user) do(cmd tea.Cmd) {
	if cmd != nil {
		go func() { u.put(cmd()) }()
	}
}

func (u *user) take(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			u.do(c)
		}
	case screen.NoticeMsg:
		u.notices = append(u.notices, msg.Text)
	case service.ApprovalNeeded:
		u.asked = &msg
	case nil:
	}
	u.do(u.pane.Update(msg))
}

// until takes what comes until something holds.
func (u *user) until(what string, holds func() bool) {
	u.Helper()
	over := time.NewTimer(time.Minute)
	defer over.Stop()
	for !holds() {
		select {
		case m := <-u.came:
			u.take(m)
		case <-over.C:
			u.Fatalf("%s never came:\n%s", what, u.frame())
		}
	}
}

func (u *user) press(keys ...string) {
	for _, k := range keys {
		cmd, _ := u.pane.Key(uitest.Key(k))
		u.do(cmd)
	}
}

func (u *user) types(s string) {
	u.press(strings.Split(s, "")...)
}

func (u *user) paste(s string) {
	cmd, _ := u.pane.Key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s), Paste: true})
	u.do(cmd)
}

// named does what the palette offers under a title.
func (u *user) named(title string) {
	u.Helper()
	for _, c := range u.pane.Commands() {
		if c.Title == title {
			u.do(c.Run())
			return
		}
	}
	u.Fatalf("%s is not offered", title)
}

func (u *user) frame() string { return ansi.Strip(strings.Join(u.pane.View(uitest.Noon), "\n")) }

func (u *user) sees(words string) bool { return strings.Contains(u.frame(), words) }

func (u *user) want(words ...string) {
	u.Helper()
	for _, w := range words {
		if !u.sees(w) {
			u.Errorf("%q is not on the screen:\n%s", w, u.frame())
		}
	}
}

// decide answers the next approval.
func (u *user) decide(yes bool) {
	u.Helper()
	u.until("the approval", func() bool { return u.asked != nil })
	u.wallet.Decide(u.asked.ID, signer.Decision{Approved: yes})
	u.asked = nil
}

func (u *user) connect() {
	u.Helper()
	u.press("c")
	u.until("the selector", func() bool { return u.sees("Connect a wallet") })
	u.press("enter")
	u.decide(true)
	u.until("the connection", func() bool { return u.sees("● connected") && !u.sees("waiting") })
}

// form opens the form of a method by typing its name.
func (u *user) form(method string) {
	u.Helper()
	u.press("n")
	u.types(method)
	u.press("enter")
	u.want(method)
}

// transfer sends the example of a transfer and approves it.
func (u *user) transfer() {
	u.Helper()
	u.form("stx_transferStx")
	u.press("ctrl+x", "enter")
	u.decide(true)
	u.until("the result", func() bool { return u.sees("Outcome") })
}
