//go:build unix

package command

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"slices"
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
	"chainscope/wallet/keys"
	"chainscope/wallet/provider"
	"chainscope/wallet/service"
	"chainscope/wallet/signer"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// paneUser is a user who fills in the forms of a wallet that nobody has used yet, and approves what it asks.
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
	w, err := service.New(service.Options{Account: account, Network: network, Now: now})
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

// types fills in the form of a method, field by field.
func (u *paneUser) types(f params.Form, d params.Draft) {
	if len(f.Fields) == 0 {
		return
	}
	into := func(field params.Field, value string) {
		if value != "" && (field.Chosen() || strings.ContainsAny(value, "\n\t")) {
			u.press("ctrl+u")
			u.paste(value)
		} else if value != "" {
			u.press(strings.Split(value, "")...)
		}
		u.press("down")
	}
	if strings.Contains(ansi.Strip(strings.Join(u.pane.View(uitest.Noon), "\n")), "]  enter") {
		u.press("down") // from the button, where a form begins that needs nothing
	}
	for _, field := range f.Fields {
		if !field.Lists() {
			into(field, d.Texts[field.Name])
			continue
		}
		for i, item := range d.Items[field.Name] {
			if i >= len(f.Empty().Items[field.Name]) { // a list that is needed begins with one
				u.press("enter")
			}
			for _, part := range field.Shows(item) {
				into(part, item[part.Name])
			}
		}
		u.press("down")
	}
}

// answered waits for so many calls and returns the newest with its copies on its page, by their keys.
func (u *paneUser) answered(count int) (service.Call, map[string]string) {
	u.Helper()
	over := time.After(10 * time.Second)
	for {
		calls := u.wallet.Timeline()
		if len(calls) == count && calls[0].Done {
			copies := map[string]string{}
			for _, c := range u.pane.Subject().Copies {
				copies[c.Key] = c.Text
			}
			if strings.Contains(copies["l"], calls[0].Method) && u.pane.Place().Call == calls[0].Key() {
				return calls[0], copies
			}
		}
		select {
		case m := <-u.came:
			if batch, is := m.(tea.BatchMsg); is {
				for _, c := range batch {
					u.do(c)
				}
			}
			if asked, is := m.(service.ApprovalNeeded); is {
				u.wallet.Decide(asked.ID, signer.Decision{Approved: true})
			}
			u.do(u.pane.Update(m))
		case <-over:
			u.Fatalf("call %d never ended:\n%s", count, strings.Join(u.pane.View(uitest.Noon), "\n"))
		}
	}
}

// The same request is the same request: filled in by keys, written as JSON, sent again, copied as a
// command line that is run elsewhere, and as a rule that answers a page, it signs the same bytes, for
// each wallet, account and network.
func TestARequestByKeysByJSONAgainAndCopiedSignsTheSameBytes(t *testing.T) {
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
					t.Run(fmt.Sprint(p, account, network, f.Method), func(t *testing.T) { sameRequest(t, p, account, network, f) })
				}
			}
		}
	}
}

func sameRequest(t *testing.T, p provider.Personality, account uint32, network string, f params.Form) {
	fill := func(fill func(u *paneUser)) (*paneUser, service.Call, map[string]string) {
		u := sitAt(t, p, account, network)
		fill(u)
		u.press("ctrl+y")
		c, copies := u.answered(1)
		return u, c, copies
	}
	u, byKeys, copies := fill(func(u *paneUser) { u.do(u.pane.Update(screen.AskWalletMsg{Method: f.Method})) }) // its example
	same := func(how string, c json.RawMessage) {
		t.Helper()
		if want := bridge.WithoutSecrets(byKeys.Result); !sameJSON(t, bridge.WithoutSecrets(c), want) {
			t.Errorf("%s signed\n%s, by keys\n%s\n%s", how, c, want, copies["l"])
		}
	}
	if byKeys.Error != nil && byKeys.Error.Code == jsonrpc.MethodAccessDenied {
		return // it signs nothing, and answers only who connected
	}
	if byKeys.Error != nil || len(byKeys.Result) == 0 || byKeys.Account != account || byKeys.Wallet != p {
		t.Fatalf("by keys: %+v", byKeys)
	}
	example := draftOf(t, f, account, network)
	_, typed, _ := fill(func(u *paneUser) {
		u.press("n")
		u.press(strings.Split(f.Method, "")...)
		u.press("enter")
		u.types(f, example)
	})
	same("typed field by field, it", typed.Result)
	if len(byKeys.Params) > 0 {
		_, byJSON, _ := fill(func(u *paneUser) {
			u.do(u.pane.Update(screen.AskWalletMsg{Method: f.Method}))
			u.press("ctrl+t")
			for range 3*len(byKeys.Params) + 200 { // from where the cursor is, before what is typed
				u.press("delete")
			}
			u.paste(string(byKeys.Params))
		})
		same("JSON", byJSON.Result)
	}
	code, stdout, stderr := run(t, t.Context(), append(argumentsOf(t, copies["l"]), "--approve", "always", "--state-dir", t.TempDir())...)
	if code != 0 {
		t.Fatalf("%s: exit %d: %s", copies["l"], code, stderr)
	}
	same("the command line", json.RawMessage(stdout))
	_, line, _ := strings.Cut(copies["r"], "# chainscope bridge")
	line, _, _ = strings.Cut(line, "\n")
	script := argumentsOf(t, "chainscope bridge"+line)
	script[slices.Index(script, "FILE")] = write(t, "rule.yaml", copies["r"])
	b := serveBridge(t, append(script[1:], "--mock-seed", "1", "--state-dir", t.TempDir())...)
	if e := b.call(dapp, byKeys.Sent().Method, cmp.Or(string(byKeys.Sent().Params), "null")); e.Error != nil {
		t.Errorf("by the rule, a page gets %v\n%s", e.Error, copies["r"])
	} else if byKeys.TxID == "" { // with a mock, the nonce is that of the chain
		of := map[string]json.RawMessage{}
		if err := json.Unmarshal(byKeys.Result, &of); err != nil {
			t.Fatal(err)
		}
		var got map[string]json.RawMessage
		_ = json.Unmarshal(e.Result, &got)
		for name, value := range got { // the library of the page adds some
			if !sameJSON(t, bridge.WithoutSecrets(of[name]), bridge.WithoutSecrets(value)) {
				t.Errorf("the rule lets a page have %s %s, by keys it is %s", name, value, of[name])
			}
		}
	}
	b.end()
	u.press("p")
	again, _ := u.answered(2)
	if byKeys.TxID == "" { // the replay of a transaction has the next nonce where none was asked for
		same("the replay", again.Result)
	}
}

// draftOf returns what the form of a method is filled in with.
func draftOf(t *testing.T, f params.Form, account uint32, network string) params.Draft {
	t.Helper()
	c, err := params.NewContext(keys.NewTestRing(), account, network)
	if err != nil {
		t.Fatal(err)
	}
	d, err := c.Example(f.Method)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// argumentsOf returns the arguments of chainscope in a line for a shell.
func argumentsOf(t *testing.T, line string) []string {
	t.Helper()
	words, err := exec.Command("sh", "-c", `chainscope() { printf '%s\0' "$@"; }; `+line).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(words), "\x00"), "\x00")
}

func sameJSON(t *testing.T, a, b json.RawMessage) bool {
	t.Helper()
	var x, y any
	if err := errors.Join(json.Unmarshal(a, &x), json.Unmarshal(b, &y)); err != nil {
		t.Fatal(err)
	}
	return reflect.DeepEqual(x, y)
}
