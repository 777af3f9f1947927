package walletpane_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chainscope/mockserver"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/keymap"
	"chainscope/tui/nav"
	"chainscope/tui/screen"
	"chainscope/tui/screen/walletpane"
	"chainscope/tui/screen/walletpane/form"
	"chainscope/tui/theme"
	"chainscope/wallet/node"
	"chainscope/wallet/provider"
	"chainscope/wallet/service"
	"chainscope/wallet/signer"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// user is a person in front of the pane, with a wallet on a mock chain. Commands
// run as in the program: beside the keys.
type user struct {
	*testing.T
	pane    *walletpane.Screen
	wallet  *service.Service
	came    chan tea.Msg
	ctx     context.Context
	went    []nav.Place
	notices []string
	asked   *service.ApprovalAsked
	mine    func()
}

func sit(t *testing.T, theme string, network string) *user {
	t.Helper()
	freeze := uitest.Noon
	mock := uitest.Mock(t, mockserver.Config{Seed: 7, Names: 10, Freeze: &freeze})
	client := uitest.Client(t, mock)
	n, err := node.New(node.Options{BaseURL: client.BaseURL()})
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
	u := &user{T: t, wallet: w, came: make(chan tea.Msg, 64), ctx: ctx}
	u.mine = func() {
		screentestMine(t, client.BaseURL())
	}
	env := &screen.Env{Context: ctx, Client: client, Keys: keymap.Default(), Now: now, Times: &screen.Times{Zone: time.UTC}}
	colors := colorprofile.TrueColor
	if theme == "mono" {
		colors = colorprofile.ASCII
	}
	u.pane = walletpane.New(env, uitest.Theme(t, theme), walletpane.Options{Wallet: w, Colors: colors})
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
	case screen.GoMsg:
		u.went = append(u.went, msg.Place)
	case screen.NoticeMsg:
		u.notices = append(u.notices, msg.Text)
	case service.ApprovalAsked:
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
		msg := uitest.Key(k)
		switch k {
		case "ctrl+x":
			msg = tea.KeyMsg{Type: tea.KeyCtrlX}
		case "ctrl+t":
			msg = tea.KeyMsg{Type: tea.KeyCtrlT}
		case "ctrl+o":
			msg = tea.KeyMsg{Type: tea.KeyCtrlO}
		case "ctrl+y":
			msg = tea.KeyMsg{Type: tea.KeyCtrlY}
		case "ctrl+n":
			msg = tea.KeyMsg{Type: tea.KeyCtrlN}
		case "ctrl+r":
			msg = tea.KeyMsg{Type: tea.KeyCtrlR}
		case "right":
			msg = tea.KeyMsg{Type: tea.KeyRight}
		}
		cmd, _ := u.pane.Key(msg)
		u.do(cmd)
	}
}

func (u *user) types(s string) {
	u.press(strings.Split(s, "")...)
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

func TestANewcomerConnectsSignsSendsFollowsAndDisconnects(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.connect()
	u.press("n", "enter", "ctrl+x", "enter")
	u.decide(true)
	u.until("the signature", func() bool { return u.sees("signature  ") })
	u.press("v")
	u.want("valid: by the key", "03d5d038")
	u.press("n", "down", "enter", "ctrl+x", "enter")
	u.decide(true)
	u.until("the transaction", func() bool { return u.sees("pending: the next block takes it") })
	u.mine()
	u.do(u.pane.Live())
	u.until("the block", func() bool {
		if u.sees("success") {
			return true
		}
		u.do(u.pane.Live())
		return false
	})
	u.press("enter")
	u.until("the way to the block", func() bool { return len(u.went) == 1 })
	if p := u.went[0]; p.Kind != nav.KindBlock || p.Ref.Height == 0 {
		t.Errorf("it leads to %v", p)
	}
	u.press("v")
	u.want("valid: by SP")
	u.press("x")
	u.until("the end of the connection", func() bool { return u.sees("not connected") && !u.sees("waiting") })
	if st := u.wallet.State(); st.Connected || st.Record != nil {
		t.Errorf("%+v", st)
	}
	if n := len(u.wallet.Timeline()); n != 4 {
		t.Errorf("%d calls in the timeline, want 4", n)
	}
}

func TestEveryExampleIsSentAndAnswered(t *testing.T) {
	u := sit(t, "mono", "testnet")
	u.wallet.SetBehaviour(provider.PlayChainscope, provider.Manner{Behaviour: provider.Approves})
	u.press("c")
	u.until("the selector", func() bool { return u.sees("Connect a wallet") })
	u.press("enter")
	u.until("the connection", func() bool { return u.sees("● connected") && !u.sees("waiting") })
	for _, f := range form.All() {
		u.form(f.Method)
		u.press("ctrl+x", "ctrl+y")
		before := len(u.wallet.Timeline())
		u.until("the result of "+f.Method, func() bool { return u.sees("Outcome") })
		u.until("the call", func() bool { return len(u.wallet.Timeline()) >= before && u.wallet.Timeline()[0].Done })
		if c := u.wallet.Timeline()[0]; c.Method != f.Method || c.Error != nil || c.Exception != "" {
			t.Errorf("%s: %s %v %s", f.Method, c.Method, c.Error, c.Exception)
		}
		sub := u.pane.Subject()
		if len(sub.Raw) == 0 && f.Method != "" {
			t.Errorf("%s: there is no raw result", f.Method)
		}
		labels := map[string]bool{}
		for _, c := range sub.Copies {
			labels[c.Label] = c.Text != ""
		}
		if !labels["JavaScript"] || !labels["command line"] {
			t.Errorf("%s: copies %v", f.Method, sub.Copies)
		}
	}
}

func TestTheSelectorCanBeCanceledAndHonoursTheOptions(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.press("c")
	u.until("the selector", func() bool { return u.sees("Connect a wallet") })
	u.want("chainscope (terminal)", "Leather", "Xverse Wallet", "Other wallets", "Asigna Multisig", "Install")
	u.press("esc")
	u.until("the error", func() bool { return u.sees("-31001  User canceled the request") })
	u.press("esc", "n")
	u.types("getAddresses")
	u.press("enter", "ctrl+o", "tab", "tab", "tab", "tab", "tab")
	u.types(`["LeatherProvider"]`)
	u.press("ctrl+y")
	u.want("approvedProviderIds")
	u.press("ctrl+y")
	u.until("the selector", func() bool { return u.sees("Connect a wallet") })
	u.want("Leather")
	if u.sees("Xverse") || u.sees("Asigna") {
		t.Errorf("wallets that are not approved are listed:\n%s", u.frame())
	}
	u.press("esc")
	u.until("the error", func() bool { return u.sees("-31001") && u.sees("Outcome") })
}

func TestARejectedRequestShowsTheCode(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.connect()
	u.form("stx_signMessage")
	u.types("hi")
	u.press("ctrl+y")
	u.decide(false)
	u.until("the error", func() bool { return u.sees("-32000") })
	u.want("rejected")
	u.press("v")
	u.want("nothing of this was signed")
}

func TestAFormSendsNothingUntilItIsRight(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.form("stx_transferStx")
	u.press("ctrl+y")
	u.want("recipient: missing")
	u.types("ST1PQHQKV0RJXZFY1DGX8MNSNYVE3VGZJSRTPGZGM")
	u.want("the request is for mainnet")
	u.press("tab")
	u.types("1.5")
	u.want("that would be 1500000")
	u.press("ctrl+y")
	if len(u.wallet.Timeline()) != 0 {
		t.Error("a request was sent")
	}
}

func TestArgumentsAreAddedAndRemovedAndShowTheirTypes(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.form("stx_callContract")
	u.press("ctrl+n")
	u.types("(list u1 u2)")
	u.want("argument 1", "✓ (list 2 uint)")
	u.press("ctrl+n")
	u.types("{ a: u")
	u.want("argument 2", "✗")
	u.press("ctrl+r")
	if u.sees("argument 2") {
		t.Errorf("it is still there:\n%s", u.frame())
	}
}

func TestTheSameParamsAreEditedAsJSON(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.form("sendTransfer")
	u.press("ctrl+x", "ctrl+t")
	u.want(`"recipients": [`, `"amount": "50000"`)
	u.press("ctrl+t")
	u.want("address 1", "50000")
	u.press("ctrl+t", "x")
	u.press("ctrl+y")
	u.want("line 1, column")
}

func TestASourceIsReadFromAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bank.clar")
	if err := os.WriteFile(path, []byte("(define-public (hi) (ok true))\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	u := sit(t, "mono", "mainnet")
	u.form("stx_deployContract")
	u.types("bank")
	u.press("tab")
	u.types("@" + path)
	u.press("enter")
	u.until("the file", func() bool { return u.sees("1 line, 31 B") })
	u.press("ctrl+t")
	u.want(`(define-public (hi)`)
}

func TestWhatEachWalletWouldReceive(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.connect()
	u.form("sendTransfer")
	u.press("ctrl+x", "ctrl+y")
	u.decide(true)
	u.until("the result", func() bool { return u.sees("Outcome") })
	u.press("d")
	u.want("overrides on", "as chainscope receives it: unchanged")
	u.press("right", "right")
	u.want("as xverse receives it: changed")
	u.press(" ")
	u.want("overrides off", "as xverse receives it: unchanged")
	u.press("d")
	u.want("Outcome")
}

func TestCallsAreFilteredReplayedAndExported(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.connect()
	u.form("stx_signMessage")
	u.types("hi")
	u.press("ctrl+y")
	u.decide(true)
	u.until("the result", func() bool { return u.sees("Outcome") })
	u.press("esc", "esc", "/")
	u.types("signMessage")
	u.press("enter")
	u.want("1 of 2")
	table := u.pane.Subject().Export()
	if len(table.JSON) != 1 || !json.Valid(table.JSON[0]) || !strings.Contains(string(table.JSON[0]), `"hi"`) {
		t.Errorf("exported %s", table.JSON)
	}
	u.press("p")
	u.decide(true)
	u.until("the result", func() bool { return u.sees("Outcome") })
	if n := len(u.wallet.Timeline()); n != 3 {
		t.Errorf("%d calls, want 3", n)
	}
}

func TestARequestIsWithdrawn(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.connect()
	u.form("stx_signMessage")
	u.types("hi")
	u.press("ctrl+y")
	u.until("the approval", func() bool { return u.asked != nil })
	u.press("esc")
	u.until("the end", func() bool { return u.sees("Outcome") })
	u.want("withdrawn")
}

// Sizes of golden screens.
var (
	small = [2]int{80, 20}
	large = [2]int{120, 36}
)

// golden compares the frame at the given sizes, without colors.
func (u *user) golden(name string, sizes ...[2]int) {
	u.Helper()
	for _, size := range sizes {
		u.pane.SetSize(size[0], size[1])
		file := fmt.Sprintf("%s-%dx%d", name, size[0], size[1]+4)
		uitest.Golden(u.T, file, strings.Join(u.pane.View(uitest.Noon), "\n"), size[0], size[1])
	}
	u.pane.SetSize(small[0], small[1])
}

// looks compares the frame in every look at the large size. A page of each
// kind is enough: all of them take their styles from one theme.
func (u *user) looks(name string) {
	u.Helper()
	noColor, err := theme.New("mono", theme.Options{Dark: true})
	if err != nil {
		u.Fatal(err)
	}
	u.pane.SetSize(large[0], large[1])
	for look, th := range map[string]*theme.Theme{"dark": uitest.Theme(u.T, "dark"), "light": uitest.Theme(u.T, "light"), "no-color": noColor} {
		u.pane.SetTheme(th)
		uitest.GoldenStyled(u.T, look+"/"+name, strings.Join(u.pane.View(uitest.Noon), "\n"), large[0], large[1])
	}
	u.pane.SetTheme(uitest.Theme(u.T, "mono"))
	u.pane.SetSize(small[0], small[1])
}

func TestGoldenScreens(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.golden("home-not-connected", small, large)
	u.press("c")
	u.until("the selector", func() bool { return u.sees("Connect a wallet") })
	u.golden("selector", small, large)
	u.press("enter")
	u.decide(true)
	u.until("the connection", func() bool { return u.sees("● connected") && !u.sees("waiting") })
	u.golden("home-connected", small, large)
	u.looks("home-connected")
	u.press("n")
	u.golden("methods", small, large)
	u.press("esc")
	u.wallet.SetBehaviour(provider.PlayChainscope, provider.Manner{Behaviour: provider.Approves})
	for _, f := range form.All() {
		styled := f.Method == "stx_transferStx" || f.Method == "stx_callContract"
		u.form(f.Method)
		u.golden("form-"+f.Method, small)
		u.pane.SetSize(large[0], large[1])
		empty := u.frame()
		u.press("ctrl+x")
		if u.frame() != empty { // a form without fields has no example
			u.golden("form-"+f.Method+"-example", large)
		}
		if styled {
			u.looks("form-" + f.Method)
		}
		u.press("ctrl+y")
		u.until("the result of "+f.Method, func() bool {
			return u.sees("Outcome") && !u.sees("Waiting")
		})
		u.golden("result-"+f.Method, large)
		if f.Method == "stx_transferStx" {
			u.golden("result-"+f.Method, small)
			u.looks("result-" + f.Method)
		}
	}
	u.press("esc", "esc", "tab")
	u.golden("calls", small, large)
}

func TestAnAddressIsShownForACamera(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	u.press("G")
	for !u.sees("▸") && !strings.Contains(u.pane.Subject().Title, "SPC5KHM") {
		u.press("up")
	}
	for range 40 {
		if strings.Contains(u.pane.Subject().Title, "SPC5KHM4") {
			break
		}
		u.press("up")
	}
	u.press("enter")
	u.want("████ ▄▄▄▄▄ ██", "SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J")
	uitest.Golden(t, "qr-80x24", strings.Join(u.pane.View(uitest.Noon), "\n"), 80, 20)
	u.pane.SetSize(30, 8)
	u.want("too small: needs 33x18")
}

func TestThePaneFitsEverySize(t *testing.T) {
	u := sit(t, "mono", "mainnet")
	d := &uitest.Driver{TB: t, Screen: u.pane, Clock: uitest.Noon}
	d.FitsEverySize()
	u.pane.SetSize(80, 20)
	u.form("stx_callContract")
	u.press("ctrl+x")
	d.FitsEverySize()
	u.pane.SetSize(80, 20)
	u.press("esc", "n")
	d.FitsEverySize()
}

func screentestMine(t *testing.T, base string) {
	t.Helper()
	if err := mineOne(base); err != nil {
		t.Fatal(err)
	}
}
