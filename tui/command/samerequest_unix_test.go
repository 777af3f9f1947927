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
	"chainscope/wallet/stxtx"

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
	edit   signer.Edit // made once in the dialog, before the approval
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
				u.wallet.Decide(asked.ID, signer.Decision{Edit: u.edit, Approved: u.edit == signer.Edit{}})
				u.edit = signer.Edit{}
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
	u, byKeys, copies := fill(func(u *paneUser) { u.do(u.pane.Update(screen.RequestWalletMsg{Method: f.Method})) }) // its example
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
			u.do(u.pane.Update(screen.RequestWalletMsg{Method: f.Method}))
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
	script[slices.Index(script, "FILE")] = write(t, "rule.yaml", copies["r"]+copies["r"])
	b := serveBridge(t, append(script[1:], "--mock-seed", "1", "--state-dir", t.TempDir())...)
	numbered := byKeys.TxID != "" && (!prepared(f) || p.Model().FillsZero(f.Method)) // else it has a nonce already
	e := b.call(dapp, byKeys.Sent().Method, cmp.Or(string(byKeys.Sent().Params), "null"))
	if numbered && e.Error == nil && f.Method != "stx_deployContract" { // one whose nonce is not 0; a name is deployed once
		e = b.call(dapp, byKeys.Sent().Method, string(byKeys.Sent().Params))
	}
	b.end()
	if e.Error != nil {
		t.Fatalf("by the rule, a page gets %v\n%s", e.Error, copies["r"])
	}
	u.press("p")
	again, _ := u.answered(2)
	if numbered {
		sameTransaction(t, f, e.Result, fill)
		return
	}
	same("the replay", again.Result)
	sameMembers(t, "the rule lets a page have", e.Result, byKeys.Result)
}

// sameTransaction checks that a transaction that a page got by the rule is the one that is signed by
// keys where fee and nonce are changed to those of the page, and again by the replay, and, where the wallet reads
// them, by the copies. Alone, each has the next nonce of its own chain.
func sameTransaction(t *testing.T, f params.Form, page json.RawMessage, fill func(func(u *paneUser)) (*paneUser, service.Call, map[string]string)) {
	t.Helper()
	var signed struct{ Transaction string }
	if err := json.Unmarshal(page, &signed); err != nil {
		t.Fatal(err)
	}
	tx, err := stxtx.DecodeHex(signed.Transaction)
	if err != nil {
		t.Fatal(err)
	}
	u, edited, copies := fill(func(u *paneUser) {
		u.edit = signer.Edit{Fee: &tx.Auth.Origin.Fee, Nonce: &tx.Auth.Origin.Nonce}
		u.do(u.pane.Update(screen.RequestWalletMsg{Method: f.Method}))
	})
	sameMembers(t, "the rule lets a page have", page, edited.Result)
	if slices.ContainsFunc(f.Fields, func(one params.Field) bool { return one.Name == "postConditions" }) {
		u, edited, copies = fill(func(u *paneUser) {
			list := []stxtx.PostCondition{{Asset: stxtx.AssetSTX, Condition: stxtx.SentLessOrEqual, Amount: 4321}}
			u.edit = signer.Edit{Fee: &tx.Auth.Origin.Fee, Nonce: &tx.Auth.Origin.Nonce, Conditions: &signer.PostConditions{Mode: stxtx.ModeDeny, List: list}}
			u.do(u.pane.Update(screen.RequestWalletMsg{Method: f.Method}))
		})
	}
	u.press("p")
	again, _ := u.answered(2)
	sameMembers(t, "the replay signed", again.Result, edited.Result)
	line := copies["l"]
	if !prepared(f) && !edited.Wallet.Model().Reads(edited.Sent().Method, "nonce") {
		want := fmt.Sprintf("# not in the params, as %s would not take it: fee %d micro-STX, nonce %d\n", edited.Wallet, tx.Auth.Origin.Fee, tx.Auth.Origin.Nonce)
		if !strings.HasPrefix(line, want) {
			t.Errorf("%q is not above %s", want, line)
		}
		return
	}
	_, stdout, stderr := run(t, t.Context(), append(argumentsOf(t, line), "--approve", "always", "--state-dir", t.TempDir())...)
	sameMembers(t, "after "+stderr+" the command line signed", json.RawMessage(stdout), edited.Result)
	_, pasted, _ := fill(func(u *paneUser) {
		u.do(u.pane.Update(screen.RequestWalletMsg{Method: f.Method, Params: json.RawMessage(copies["p"])}))
	})
	sameMembers(t, "the copied params signed", pasted.Result, edited.Result)
}

// prepared reports whether a method signs transactions that its params hold.
func prepared(f params.Form) bool { return strings.HasPrefix(f.Method, "stx_signTransaction") }

// sameMembers compares the members of a result with those of another: the library of a page adds some.
func sameMembers(t *testing.T, what string, got, want json.RawMessage) {
	t.Helper()
	have, of := membersOf(t, got), membersOf(t, want)
	for name, value := range have {
		if !sameJSON(t, bridge.WithoutSecrets(of[name]), bridge.WithoutSecrets(value)) {
			t.Errorf("%s %s %s, want %s", what, name, value, of[name])
		}
	}
}

// membersOf returns the members of an object, or the items of a list as the library makes an object of it.
func membersOf(t *testing.T, raw json.RawMessage) map[string]json.RawMessage {
	t.Helper()
	var list []json.RawMessage
	members := map[string]json.RawMessage{}
	if json.Unmarshal(raw, &list) != nil {
		if err := json.Unmarshal(raw, &members); err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
	}
	for i, item := range list {
		members[fmt.Sprint(i)] = item
	}
	return members
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
