package tui

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"chainscope/tui/nav"
	"chainscope/tui/overlay/palette"
	"chainscope/tui/screen"
	"chainscope/tui/theme"
	"chainscope/wallet/service"

	tea "github.com/charmbracelet/bubbletea"
)

// opens types into the box of commands and runs what is under the cursor.
func (p *program) opens(typed string) {
	p.t.Helper()
	p.press(letter(':'))
	for _, r := range typed {
		p.press(letter(r))
	}
	p.press(enter)
}

func TestTheExplorerIsLeftForAnotherAPI(t *testing.T) {
	p := start(t, theme.Options{Plain: true}, "mono", 120, 40)
	for _, c := range p.m.commands() {
		if strings.HasPrefix(c.Title, "api ") {
			t.Errorf("%q leads nowhere", c.Title)
		}
	}
	var requested []string
	p.m.options.API = "mock"
	p.m.options.Other = func(_ context.Context, api string) error {
		if requested = append(requested, api); api == "nonsense" {
			return errors.New("no such API")
		}
		return nil
	}
	p.run(p.m.visit(nav.Blocks()))
	p.opens("api nonsense")
	p.sees("no such API")
	if p.m.Left() != (Left{}) || p.m.quitting {
		t.Fatal("the explorer is left for an API that there is not")
	}
	p.send(tea.MouseMsg{X: 110, Y: 0, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
	p.sees("api mainnet")
	p.sees("api testnet")
	p.seesNot("api mock")
	p.press(enter) // nothing was chosen
	if p.m.Left() != (Left{}) {
		t.Fatal("the first is opened without a choice")
	}
	p.press(tea.KeyMsg{Type: tea.KeyDown}, enter)
	if !p.m.Left().Other || p.m.Left().Demo || !p.m.quitting {
		t.Error("it is not left")
	}
	if want := []string{"nonsense", "mainnet"}; strings.Join(requested, " ") != strings.Join(want, " ") {
		t.Errorf("requested %q", requested)
	}
	if s := ReadSession(p.m.options.Store, "MOCK"); s.Place != "blocks" {
		t.Errorf("the place is not kept: %+v", s)
	}
}

func TestAQuestionOfTheWalletIsAnsweredBeforeAnotherAPIOpens(t *testing.T) {
	s := startWallet(t, "testnet", 120, 40)
	s.m.options.Other = func(context.Context, string) error { return nil }
	ctx, cancel := context.WithCancel(t.Context())
	out := s.request(ctx, "stx_signMessage", `{"message":"hi"}`)
	hear[service.ApprovalNeeded](s)
	s.m.Update(otherMsg{api: "mainnet"})
	if s.m.Left().Other {
		t.Error("a question is left behind")
	}
	cancel()
	<-out
}

// Another server comes to the same address: its network is shown and, where nobody chose another,
// the wallet is on it; names of the network before are forgotten.
func TestTheNetworkFollowsTheServerAtTheAddress(t *testing.T) {
	id, refuses := int64(1), false
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch {
		case refuses:
			w.WriteHeader(http.StatusBadGateway)
		case r.URL.Path == "/v2/info":
			_, _ = fmt.Fprintf(w, `{"network_id":%d,"server_version":"node 1"}`, id)
		default:
			_, _ = w.Write([]byte(`{"limit":30,"offset":0,"total":0,"results":[]}`))
		}
	}))
	t.Cleanup(server.Close)
	for _, follows := range []bool{true, false} {
		id = 1
		s := withWallet(t, startWith(t, 120, 40, server.URL, plainOptions("an.api")), "mainnet")
		s.m.options.WalletFollows = follows
		s.run(requestServer(s.m))
		s.sees("an.api mainnet")
		s.m.called.known.names = map[string]string{firstAccount: "alice.btc"}
		refuses = true
		s.run(s.m.refresh())
		id, refuses = 0x80000000, false
		s.run(s.m.refresh())
		s.sees("an.api testnet")
		if got, want := s.service.State().Network, map[bool]string{true: "testnet", false: "mainnet"}[follows]; got != want {
			t.Errorf("the wallet is on %s, want %s", got, want)
		}
		if s.m.called.known.names[firstAccount] != "" {
			t.Error("a name of mainnet is shown on testnet")
		}
	}
}

func TestOfAnAddressThatIsTypedOneCommandIsOffered(t *testing.T) {
	o := &Options{API: "mainnet", Other: func(context.Context, string) error { return nil }}
	for typed, want := range map[string]string{
		"api http://127.0.0.1:3999": "api http://127.0.0.1:3999", "api": "", "api ": "", "apish x": "",
		"api test": "", "api testnet": "", "api mainnet": "api mainnet", "api devnet": "api devnet",
	} {
		got := ""
		for _, c := range typedAPI(o)(typed) {
			got += c.Title
		}
		if got != want {
			t.Errorf("%q offers %q, want %q", typed, got, want)
		}
	}
	for typed, opens := range map[string]bool{"api ": false, "a": false, "api": false, "api t": true, "testnet": true, "api http://127.0.0.1:1": true} {
		box := palette.NewCommands(palette.Options{Commands: apiCommands(o), Typed: typedAPI(o), Env: &screen.Env{Send: func(tea.Msg) {}}}, typed)
		if _, done := box.Key(enter); done != opens {
			t.Errorf("enter after %q opens one: %t", typed, done)
		}
	}
}
