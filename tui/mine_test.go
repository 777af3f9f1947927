package tui

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"chainscope/mockserver"
	"chainscope/tui/mockclient"
	"chainscope/tui/nav"
	"chainscope/tui/term"
	"chainscope/tui/theme"
	"chainscope/wallet/service"
)

// startSending starts the explorer with a wallet on a mock of an API version that mines on
// demand, and notes the requests.
func startSending(t *testing.T, version string, width, height int) (*walletStory, *noted) {
	t.Helper()
	mock, err := mockserver.New(mockserver.Config{Seed: 1, Names: 100, APIVersion: version, Now: func() time.Time { return noon }})
	if err != nil {
		t.Fatal(err)
	}
	front := &noted{Handler: inTurn(mock)}
	server := httptest.NewServer(front)
	t.Cleanup(func() { server.Close(); _ = mock.Close() })
	p := startWith(t, width, height, server.URL, Options{
		Network: "MOCK", Mock: mockclient.New(server.URL, nil), Theme: "mono", Look: theme.Options{Plain: true},
		Now: func() time.Time { return noon }, Attention: term.CallLoud,
	})
	s := withWallet(t, p, "testnet")
	s.m.env.Now = s.now
	return s, front
}

// sends sends a transfer that is approved at once, and returns its id.
func (s *walletStory) sends() string {
	s.t.Helper()
	out := s.transfer()
	hear[service.ApprovalNeeded](s)
	s.approve()
	o := <-out
	if o.Err != nil || !o.Call.Posted() {
		s.t.Fatalf("came out as %+v: %v", o.Call, o.Err)
	}
	hear[service.CallChanged](s)
	return o.Call.TxID
}

// goesOn lets live tail ask once.
func (s *walletStory) goesOn() {
	s.wait(time.Minute)
	s.run(s.m.requestLive(s.now()))
}

// ends hears of so many transactions that ended, and returns why the user was alerted last.
func (s *walletStory) ends(n int) (alert string) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Minute)
	defer cancel()
	for n > 0 {
		message, ok := s.service.Next(ctx)
		if !ok {
			s.t.Fatal("nothing was said of a transaction")
		}
		if ended, is := message.(service.TransactionSettled); is {
			n--
			if why := s.m.mine.settled(&s.m.navigator, ended, term.CallLoud)().(term.CallRequest); why.Way == term.CallLoud {
				alert = why.Text
			}
			continue
		}
		s.m.Update(walletMsg{message})
	}
	return alert
}

func TestTheStatusLineSaysWhatBecameOfATransactionWhereverOneIs(t *testing.T) {
	for _, version := range []string{"8", "9", "v3"} {
		t.Run(version, func(t *testing.T) {
			s, server := startSending(t, version, 120, 40)
			for _, place := range []nav.Place{nav.Home(), nav.Blocks(), nav.Listed(nav.KindRequests, ""), nav.Transactions(), nav.Listed(nav.KindNamespaces, ""), nav.Listed(nav.KindAccounts, ""), nav.Decoded("u1"), nav.Wallet()} {
				id := s.sends()
				s.run(s.m.visit(place))
				s.seesNot("your stx_transferStx")
				if err := s.m.options.Mock.Mine(t.Context(), 1); err != nil {
					t.Fatal(err)
				}
				server.reset()
				s.goesOn()
				alert := s.ends(1)
				if want := "your stx_transferStx " + id[:8] + "…: in block "; !strings.HasPrefix(alert, want) {
					t.Errorf("at %s the alert is %q", place, alert)
				}
				s.sees("your stx_transferStx " + id[:8])
				s.sees("(ok true); ! opens it")
				if n := len(server.of("/extended/v1/tx/multiple")); n != 1 {
					t.Errorf("at %s it took %d requests", place, n)
				}
				s.wait(time.Minute)
				s.key("!")
				if at := s.m.Place(); at.Kind != nav.KindTransaction || at.TxID != "0x"+id {
					t.Errorf("at %s the key led to %s", place, at)
				}
			}
		})
	}
}

func TestTheFateOfThreeTransactionsTakesOneRequestAndOneNotice(t *testing.T) {
	s, server := startSending(t, "9", 120, 40)
	for range 3 {
		s.sends()
	}
	s.run(s.m.visit(nav.Transactions()))
	if err := s.m.options.Mock.Mine(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	server.reset()
	s.goesOn()
	s.ends(3)
	s.sees("3 transactions of yours ended; ! opens the wallet")
	if n := len(server.of("/tx/")); n != 1 {
		t.Errorf("it took %d requests: %v", n, server.paths)
	}
	s.wait(time.Minute)
	s.key("!")
	if at := s.m.Place(); at.Kind != nav.KindWallet {
		t.Errorf("the key led to %s", at)
	}
	server.reset()
	s.goesOn()
	if asked := server.of("/tx/multiple"); len(asked) != 0 {
		t.Error("what has ended is asked about again")
	}
}

// What one replaced oneself has not failed.
func TestWhatWasReplacedHasNotFailed(t *testing.T) {
	s, _ := startSending(t, "9", 120, 40)
	id := s.sends()
	s.run(s.m.visit(nav.Transaction(id)))
	s.repair("f", "Replace a transaction")
	s.run(s.m.visit(nav.Transactions()))
	s.post("mine", `{"blocks":1}`)
	s.goesOn()
	s.ends(2)
	s.sees("2 transactions of yours ended, 1 of them replaced by another; ! opens the wallet")
	s.seesNot("of them failed")
}

func TestATransactionThatIsDroppedLeadsToItsCall(t *testing.T) {
	s, _ := startSending(t, "9", 120, 40)
	id := s.sends()
	s.run(s.m.visit(nav.Transactions()))
	request, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, s.m.options.Client.BaseURL()+"/mock/v1/mempool", strings.NewReader(`{"drop":"0x`+id+`","reason":"too_expensive"}`))
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatal(answer, err)
	}
	answer.Body.Close()
	if err := s.m.options.Mock.Mine(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	s.goesOn()
	s.ends(1)
	s.sees("your stx_transferStx " + id[:8])
	s.sees("sent, then ")
	s.key("down") // at once, before it could be read
	s.sees("! opens it")
	s.wait(time.Minute)
	s.key("!")
	if at := s.m.Place(); at.Kind != nav.KindWallet || at.Call == "" {
		t.Errorf("the key led to %s", at)
	}
	s.seesNot("! opens it")
}

func TestTheAlertOfATransactionEndsWithAKey(t *testing.T) {
	var w mine
	s, _ := startSending(t, "9", 120, 40)
	w.settled(&s.m.navigator, service.TransactionSettled{}, term.CallLoud)
	if cmd := w.keyPressed(term.CallLoud, true, true); cmd != nil {
		t.Error("the alert of a question was ended")
	}
	cmd := w.keyPressed(term.CallLoud, true, false)
	if cmd == nil || cmd() != (term.CallRequest{Way: term.CallLoud}) {
		t.Error("the title stays")
	}
	if w.keyPressed(term.CallLoud, true, false) != nil {
		t.Error("it is ended twice")
	}
	keys := []string{}
	for _, c := range s.m.commands() {
		keys = append(keys, c.Title)
	}
	if slices.Contains(keys, "What became of your transaction") {
		t.Error("a command leads nowhere")
	}
	s.key("!")
	s.sees("no transaction of this program's wallet has ended")
}
