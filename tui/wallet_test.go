package tui

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
	"chainscope/tui/term"
	"chainscope/tui/theme"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/node"
	"chainscope/wallet/provider"
	"chainscope/wallet/service"
	"chainscope/wallet/signer"
	"chainscope/wallet/stxtx"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// walletStory is the whole explorer with a wallet on its mock chain, and a clock
// that the story moves.
type walletStory struct {
	*program
	service *service.Service
	passed  atomic.Int64 // nanoseconds since noon
}

func (s *walletStory) now() time.Time { return noon.Add(time.Duration(s.passed.Load())) }

func startWallet(t *testing.T, network string, width, height int) *walletStory {
	t.Helper()
	return startWalletAs(t, theme.Options{Plain: true}, "mono", network, width, height)
}

func startWalletAs(t *testing.T, look theme.Options, name, network string, width, height int) *walletStory {
	t.Helper()
	return withWallet(t, start(t, look, name, width, height), network)
}

// withWallet gives a started explorer a wallet of a network.
func withWallet(t *testing.T, p *program, network string) *walletStory {
	t.Helper()
	s := &walletStory{program: p}
	client, err := node.New(node.Options{BaseURL: s.m.options.Client.BaseURL()})
	if err != nil {
		t.Fatal(err)
	}
	nonces := node.NewNonces(client)
	s.service, err = service.New(service.Options{
		Node: client, Nonces: nonces, Source: provider.ChainSource{Client: client, Nonces: nonces},
		Network: network, Now: s.now,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.service.Close)
	s.m.options.Now = s.now
	s.m.options.Wallet = s.service
	s.service.Refresh()
	s.m.env.Wallet = s.service
	s.m.prompt, s.m.tabs = newWalletPrompt(s.m.theme, s.service, s.m.options.Mock != nil), newTabs(s.m)
	s.m.prompt.onFork(s.m.env, s.m.replays)
	s.run(s.m.visit(nav.Blocks()))
	s.m.layout()
	return s
}

// hear gives the model the wallet's messages until one of a type came.
func hear[M service.Message](s *walletStory) M {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Minute)
	defer cancel()
	for {
		message, ok := s.service.Next(ctx)
		if !ok {
			var want M
			s.t.Fatalf("no %T came", want)
		}
		s.m.Update(walletMsg{message}) // what it waits for next is read here
		if foresee := s.m.prompt.foresee(ctx, message, s.now()); foresee != nil {
			s.m.Update(foresee())
		}
		if found, ok := message.(M); ok {
			return found
		}
	}
}

func (s *walletStory) request(ctx context.Context, method, params string) <-chan service.Outcome {
	out := make(chan service.Outcome, 1)
	go func() {
		out <- s.service.Request(ctx, service.Request{
			Method: method, Params: json.RawMessage(params),
			Options: map[string]json.RawMessage{"provider": json.RawMessage(`"ChainscopeProvider"`)},
		})
	}()
	return out
}

func (s *walletStory) transfer() <-chan service.Outcome {
	s.t.Helper()
	entries, err := s.service.Addresses(1, s.service.State().Network)
	if err != nil {
		s.t.Fatal(err)
	}
	return s.request(s.t.Context(), "stx_transferStx", `{"recipient":"`+entries[len(entries)-1].Address+`","amount":"1500000","memo":"rent"}`)
}

func (s *walletStory) key(name string) {
	_, cmd := s.m.Update(uitest.Key(name))
	if cmd != nil && !s.m.prompt.dialog.Open() {
		s.run(cmd)
	}
}

func (s *walletStory) wait(d time.Duration) { s.passed.Add(int64(d)) }

// approve reads a description to its end and approves it.
func (s *walletStory) approve() {
	s.wait(2 * time.Second)
	for pages := 0; strings.Contains(s.screen(), "a read on") && pages < 10; pages++ {
		s.key("a")
		s.wait(2 * time.Second)
	}
	s.key("a")
}

func (s *walletStory) screen() string { return address.ReplaceAllString(s.m.View(), "127.0.0.1:39999") }

func TestATransferIsApprovedOverTheHelpAndLandsOnTheMockChain(t *testing.T) {
	s := startWallet(t, "testnet", 80, 24)
	s.key("?")
	out := s.transfer()
	hear[service.ApprovalNeeded](s)
	for _, want := range []string{"Approve request", "stx_transferStx", "1.5 STX", "rent", "testnet", "the explorer", "account 0"} {
		if !strings.Contains(s.screen(), want) {
			t.Errorf("%q is not on screen:\n%s", want, s.screen())
		}
	}
	s.approve()
	o := <-out
	if o.Err != nil || o.Call.NotSent != "" || len(o.Call.TxID) != 64 {
		t.Fatalf("came out as %+v: %v", o.Call, o.Err)
	}
	if !strings.Contains(s.screen(), "Keys") {
		t.Errorf("the help is gone:\n%s", s.screen())
	}
}

func TestNothingIsLoadingWhileADialogWaits(t *testing.T) {
	s := startWallet(t, "testnet", 80, 24)
	keysOf(s.program, "5", "n", "enter", "ctrl+x")
	_, cmd := s.m.Update(uitest.Key("ctrl+y"))
	go cmd()
	hear[service.ApprovalNeeded](s)
	s.wait(2 * time.Second)
	s.sees("Approve request")
	s.seesNot("loading")
}

func TestEscRejectsAndTheNextOfThreeComes(t *testing.T) {
	s := startWallet(t, "testnet", 80, 24)
	var outs []<-chan service.Outcome
	for range 3 {
		outs = append(outs, s.request(t.Context(), "stx_signMessage", `{"message":"hi"}`))
	}
	hear[service.ApprovalNeeded](s)
	for len(s.service.Queue()) < 3 {
		hear[service.QueueChanged](s)
	}
	for len(s.service.Queue()) == 3 && !strings.Contains(s.screen(), "1 of 3") {
		hear[service.QueueChanged](s)
	}
	s.wait(time.Second)
	s.key("esc")
	hear[service.ApprovalNeeded](s)
	s.approve()
	hear[service.ApprovalNeeded](s)
	s.wait(2 * time.Second)
	s.key("enter")
	approved := 0
	for _, out := range outs {
		if o := <-out; o.Err == nil {
			approved++
		}
	}
	if approved != 1 || s.m.prompt.dialog.Open() {
		t.Errorf("%d were approved", approved)
	}
}

func TestAKeyHeldWhenTheDialogComesDoesNotApprove(t *testing.T) {
	s := startWallet(t, "testnet", 80, 24)
	s.key("a")
	out := s.request(t.Context(), "stx_signMessage", `{"message":"hi"}`)
	hear[service.ApprovalNeeded](s)
	s.wait(500 * time.Millisecond)
	for range 200 {
		s.key("a")
		s.wait(30 * time.Millisecond)
	}
	select {
	case o := <-out:
		t.Fatalf("it was answered: %+v", o.Call)
	default:
	}
	if !s.m.prompt.dialog.Open() {
		t.Fatal("the dialog is gone")
	}
	s.wait(time.Second)
	s.key("esc")
	<-out
}

func TestAWithdrawnRequestDisappearsAndSaysSo(t *testing.T) {
	s := startWallet(t, "testnet", 80, 24)
	ctx, cancel := context.WithCancel(t.Context())
	out := s.request(ctx, "stx_signMessage", `{"message":"hi"}`)
	hear[service.ApprovalNeeded](s)
	cancel()
	hear[service.Withdrawn](s)
	<-out
	if screen := s.screen(); strings.Contains(screen, "Approve request") || !strings.Contains(screen, "stx_signMessage of the explorer was withdrawn") {
		t.Errorf("the screen is\n%s", screen)
	}
}

func TestTheWindowIsResizedWhileADialogIsOpen(t *testing.T) {
	s := startWallet(t, "mainnet", 80, 24)
	out := s.transfer()
	hear[service.ApprovalNeeded](s)
	s.wait(time.Second)
	before := s.screen()
	for _, size := range [][2]int{{120, 24}, {70, 20}, {60, 12}, {50, 14}, {40, 11}, {20, 6}, {5, 2}, {1, 1}, {80, 24}} {
		s.m.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		uitest.Size(t, s.screen(), size[0], size[1])
		if size[0] < 40 {
			s.key("a")
		}
	}
	if s.screen() == before {
		t.Error("keys count at once for text that was out of sight")
	}
	s.wait(time.Second)
	if strings.ReplaceAll(s.screen(), "fetched 2s", "fetched 1s") != before {
		t.Errorf("back at 80x24 the screen is\n%s\nand was\n%s", s.screen(), before)
	}
	s.key("esc")
	s.wait(2 * time.Second)
	s.key("esc")
	if o := <-out; o.Call.Decision != service.RejectedByPerson {
		t.Errorf("came out as %+v", o.Call)
	}
}

func TestTheDialogIsOverTheExplorer(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		for _, network := range []string{"mainnet", "testnet"} {
			s := startWallet(t, network, size[0], size[1])
			name := "wallet/" + network + "-" + sizeName(size)
			if size[0] == 120 {
				uitest.Golden(t, name+"-status", s.screen(), size[0], size[1])
			}
			ctx, cancel := context.WithCancel(t.Context())
			out := s.request(ctx, "stx_signMessage", `{"message":"hello"}`)
			hear[service.ApprovalNeeded](s)
			s.wait(time.Second)
			if size[0] == 80 {
				uitest.Golden(t, name+"-dialog", s.screen(), size[0], size[1])
			}
			uitest.Size(t, s.screen(), size[0], size[1])
			cancel()
			<-out
		}
	}
}

// The alarm is for real coins only: the API is live and the keys are the user's.
func TestMainnetIsAlarmingOnlyWhereRealCoinsCouldMove(t *testing.T) {
	th, err := theme.New("dark", theme.Options{Dark: true, Colors: colorprofile.TrueColor})
	if err != nil {
		t.Fatal(err)
	}
	alarm := th.Bad.Render(th.Glyphs.Warning + " MAINNET")
	for name, c := range map[string]struct {
		mock, testKeys bool
		network        string
		want           string
		alarming       bool
	}{
		"a mock, test keys":         {true, true, "mainnet", "mainnet addresses", false},
		"a mock, own keys":          {true, false, "mainnet", "mainnet addresses", false},
		"a live API, test keys":     {false, true, "mainnet", "test keys", false},
		"a live API, own keys":      {false, false, "mainnet", "MAINNET", true},
		"own keys of the test net":  {false, false, "testnet", "testnet", false},
		"test keys of the test net": {false, true, "testnet", "test keys testnet", false},
	} {
		p := walletPrompt{wallet: new(service.Service), mock: c.mock, state: service.State{Network: c.network, PublicTest: c.testKeys}}
		for _, status := range p.status(th) {
			if !strings.Contains(ansi.Strip(status), c.want) {
				t.Errorf("%s: no %q in %q", name, c.want, ansi.Strip(status))
			}
			if got := strings.Contains(status, alarm); got != c.alarming {
				t.Errorf("%s: drawn as %q", name, status)
			}
		}
	}
}

// What the terminal layer marks as a burst was not pressed by somebody who has
// read the dialog.
func TestABurstOfKeysDecidesNothing(t *testing.T) {
	s := startWallet(t, "testnet", 80, 24)
	ctx, cancel := context.WithCancel(t.Context())
	out := s.request(ctx, "stx_signMessage", `{"message":"hello"}`)
	hear[service.ApprovalNeeded](s)
	s.wait(time.Minute)
	for _, r := range "apple pie" {
		s.m.Update(term.BurstMsg{})
		s.key(string(r))
	}
	if !s.m.prompt.dialog.Open() {
		t.Fatal("a burst has decided")
	}
	s.wait(time.Minute)
	s.key("esc")
	if s.m.prompt.dialog.Open() {
		t.Error("esc alone does not reject")
	}
	cancel()
	<-out
}

func TestWhatBecameOfAPagesCallIsSaid(t *testing.T) {
	page := service.Requester{Kind: service.FromPage, Origin: "https://a.example"}
	wrong := jsonrpc.InvalidParam("amount", "must be an integer")
	for _, c := range []struct {
		call service.Call
		want string
		bad  bool
	}{
		{service.Call{Requester: page, Kind: service.KindPage, Method: "m", Error: wrong}, "m of https://a.example: -32602 amount: must be an integer", true},
		{service.Call{Requester: page, Kind: service.KindPage, Method: "m", Error: wrong, Decision: service.RejectedByPerson}, "", false},
		{service.Call{Requester: page, Kind: service.KindPage, Method: "m", TxID: "ab"}, "m of https://a.example: tx ab: sent", false},
		{service.Call{Requester: page, Kind: service.KindPage, Method: "m", TxID: "ab", NotSent: "no mock"}, "m of https://a.example: tx ab: signed, not sent: no mock", false},
		{service.Call{Kind: service.KindRequest, Method: "m", Error: wrong}, "", false},
	} {
		c.call.Done = true
		if said, bad := pageResult(c.call, c.call.Status(nil)); said != c.want || bad != c.bad {
			t.Errorf("%q, %v", said, bad)
		}
	}
}

func TestAnAddressThatIsNotKnownYetLeavesNoGap(t *testing.T) {
	th, err := theme.New("mono", theme.Options{Plain: true})
	if err != nil {
		t.Fatal(err)
	}
	p := walletPrompt{wallet: new(service.Service), mock: true, state: service.State{Network: "mainnet"}}
	if got := p.status(th)[0]; !strings.Contains(got, "account 0, mainnet addresses") {
		t.Errorf("the footer says %q", got)
	}
}

// The dialog says how a transaction would end, and one key writes the post-conditions that
// let through just that; what is then approved is what is signed.
func TestExactConditionsAreTakenFromTheForecastAndSigned(t *testing.T) {
	s := startWallet(t, "mainnet", 120, 40)
	out := s.request(t.Context(), "stx_callContract", `{"contract":"SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.usda-token","functionName":"transfer",`+
		`"functionArgs":[{"type":"uint","value":"25000000"},{"type":"address","value":"SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J"},`+
		`{"type":"address","value":"SP3XHES5990FYDV5BHBZCJRFYFD2Z4X3FMD2N3MGH"},{"type":"none"}],"postConditionMode":"allow"}`)
	hear[service.ApprovalNeeded](s)
	if !strings.Contains(s.screen(), "would succeed") || !strings.Contains(s.screen(), "p exact conditions") {
		t.Fatalf("the dialog is\n%s", s.screen())
	}
	s.wait(2 * time.Second)
	s.key("p")
	again := hear[service.ApprovalNeeded](s)
	if c := again.Description.Transaction; c.PostConditionMode != "deny" || len(c.PostConditions) != 1 || c.PostConditions[0].Amount != 25_000_000 {
		t.Fatalf("the changed transaction is %+v", c)
	}
	for _, warning := range again.Description.Warnings {
		if strings.Contains(string(warning.Kind), "allow") || warning.Kind == signer.WarnNoPostConditions {
			t.Errorf("it still warns: %s", warning.Text)
		}
	}
	s.approve()
	o := <-out
	if o.Err != nil || o.Call.NotSent != "" || !slices.Equal(o.Call.Edits, []string{"post-conditions"}) {
		t.Fatalf("it came out as %+v: %v", o.Call, o.Err)
	}
	var signed struct{ Transaction string }
	if err := json.Unmarshal(o.Call.Result, &signed); err != nil {
		t.Fatal(err)
	}
	tx, err := stxtx.DecodeHex(signed.Transaction)
	if err != nil || tx.PostConditionMode != stxtx.ModeDeny || len(tx.PostConditions) != 1 || tx.PostConditions[0].Amount != 25_000_000 {
		t.Errorf("signed is %+v, %v", tx, err)
	}
}
