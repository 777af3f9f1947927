//go:build unix

package command

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"chainscope/tui/internal/uitest"
	"chainscope/tui/keymap"
	"chainscope/tui/nav"
	"chainscope/tui/screen"
	"chainscope/tui/screen/walletpane"
	"chainscope/tui/screen/walletpane/params"
	"chainscope/wallet/bridge"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/provider"
	"chainscope/wallet/service"

	tea "github.com/charmbracelet/bubbletea"
)

// paneUser is a user who fills in the forms of a wallet that nobody has used yet. Its wallet approves.
type paneUser struct {
	*testing.T
	pane   *walletpane.Screen
	wallet *service.Service
	came   chan tea.Msg
	ctx    context.Context
}

func sitAt(t *testing.T, p provider.Personality, account uint32, network string) *paneUser {
	t.Helper()
	now := func() time.Time { return uitest.Noon }
	w, err := service.New(service.Options{Account: account, Network: network, Behaviour: provider.Approves, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Library().SetSelectedProviderID(p.ID()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	u := &paneUser{T: t, wallet: w, came: make(chan tea.Msg, 64), ctx: ctx}
	env := &screen.Env{Context: ctx, Keys: keymap.Default(), Now: now, Times: &screen.Times{Zone: time.UTC}, Wallet: w}
	u.pane = walletpane.New(env, uitest.Theme(t, "mono"), walletpane.Options{Wallet: w, Mock: true})
	u.pane.SetSize(100, 60)
	heard := make(chan struct{})
	go func() {
		defer close(heard)
		for m, ok := w.Next(ctx); ok; m, ok = w.Next(ctx) {
			u.put(m)
		}
	}()
	t.Cleanup(func() {
		cancel()
		w.Close()
		<-heard
	})
	w.Refresh()
	u.do(u.pane.Open(nav.Wallet(), nil))
	return u
}

func (u *paneUser) put(m tea.Msg) {
	select {
	case u.came <- m:
	case <-u.ctx.Done():
	}
}

func (u *paneUser) do(cmd tea.Cmd) {
	if cmd != nil {
		go func() { u.put(cmd()) }()
	}
}

func (u *paneUser) press(keys ...string) {
	for _, k := range keys {
		cmd, _ := u.pane.Key(uitest.Key(k))
		u.do(cmd)
	}
}

func (u *paneUser) paste(text string) {
	cmd, _ := u.pane.Key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text), Paste: true})
	u.do(cmd)
}

// answered waits for so many calls and returns the newest with its page's copies.
func (u *paneUser) answered(count int) (service.Call, string) {
	u.Helper()
	over := time.After(10 * time.Second)
	for {
		calls := u.wallet.Timeline()
		if len(calls) == count && calls[0].Done {
			for _, c := range u.pane.Subject().Copies {
				if c.Label == "command line" && strings.Contains(c.Text, calls[0].Method) && u.pane.Place().Call == calls[0].Key() {
					return calls[0], c.Text
				}
			}
		}
		select {
		case m := <-u.came:
			if batch, is := m.(tea.BatchMsg); is {
				for _, c := range batch {
					u.do(c)
				}
			}
			u.do(u.pane.Update(m))
		case <-over:
			u.Fatalf("call %d never ended:\n%s", count, strings.Join(u.pane.View(uitest.Noon), "\n"))
		}
	}
}

// The same request is the same request: filled in by keys, written as JSON, sent again, and copied as a
// command line that is run elsewhere, it signs the same bytes, for each wallet, account and network.
func TestARequestByKeysByJSONAgainAndAsACommandLineSignsTheSameBytes(t *testing.T) {
	long := os.Getenv("CHAINSCOPE_LONG") != ""
	n := 0
	for _, p := range provider.Personalities() {
		for _, account := range []uint32{0, 1, 7} {
			for _, network := range []string{"mainnet", "testnet"} {
				n++
				for i, f := range params.All() {
					if !p.Model().Has(f.Method) || !long && i%6 != n%6 {
						continue
					}
					t.Run(fmt.Sprint(p, account, network, f.Method), func(t *testing.T) { sameRequest(t, p, account, network, f.Method) })
				}
			}
		}
	}
}

func sameRequest(t *testing.T, p provider.Personality, account uint32, network, method string) {
	fill := func(fill func(u *paneUser)) (*paneUser, service.Call, string) {
		u := sitAt(t, p, account, network)
		u.do(u.pane.Update(screen.AskWalletMsg{Method: method})) // the form with its example
		fill(u)
		u.press("ctrl+y")
		c, line := u.answered(1)
		return u, c, line
	}
	u, byKeys, line := fill(func(*paneUser) {})
	same := func(how string, c json.RawMessage) {
		t.Helper()
		if want := bridge.WithoutSecrets(byKeys.Result); string(bridge.WithoutSecrets(c)) != string(want) {
			t.Errorf("%s signed\n%s, by keys\n%s\n%s", how, c, want, line)
		}
	}
	if byKeys.Error != nil && byKeys.Error.Code == jsonrpc.MethodAccessDenied {
		return // it signs nothing, and answers only who connected
	}
	if byKeys.Error != nil || len(byKeys.Result) == 0 || byKeys.Account != account || byKeys.Wallet != p {
		t.Fatalf("by keys: %+v", byKeys)
	}
	if len(byKeys.Params) > 0 {
		_, byJSON, _ := fill(func(u *paneUser) {
			u.press("ctrl+t")
			for range 3*len(byKeys.Params) + 200 { // from where the cursor is, before what is typed
				u.press("delete")
			}
			u.paste(string(byKeys.Params))
		})
		same("by JSON", byJSON.Result)
	}
	words, err := exec.Command("sh", "-c", `chainscope() { printf '%s\0' "$@"; }; `+line).Output()
	if err != nil {
		t.Fatal(err)
	}
	args := append(strings.Split(strings.TrimSuffix(string(words), "\x00"), "\x00"), "--approve", "always", "--state-dir", t.TempDir())
	code, stdout, stderr := run(t, t.Context(), args...)
	if code != 0 {
		t.Fatalf("%s: exit %d: %s", line, code, stderr)
	}
	var compact json.RawMessage
	if err := json.Unmarshal([]byte(stdout), &compact); err != nil {
		t.Fatal(err)
	}
	same("the command line", compact)
	u.press("p")
	again, _ := u.answered(2)
	if byKeys.TxID == "" { // the replay of a transaction has the next nonce where none was asked for
		same("the replay", again.Result)
	}
}
