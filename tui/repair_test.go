package tui

import (
	"strings"
	"testing"

	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
	"chainscope/wallet/service"

	tea "github.com/charmbracelet/bubbletea"
)

// repair presses a key, approves what the dialog then shows with some words, and shows what came of it.
func (s *walletStory) repair(key string, words ...string) {
	s.t.Helper()
	_, cmd := s.m.Update(uitest.Key(key))
	if cmd == nil {
		s.t.Fatalf("%s does nothing:\n%s", key, s.screen())
	}
	done := make(chan tea.Msg, 1)
	go func() { done <- cmd() }()
	hear[service.ApprovalNeeded](s)
	s.sees(words...)
	s.approve()
	s.run(func() tea.Msg { return <-done })
}

// sent sends a transfer and returns its call.
func (s *walletStory) sent() service.Call {
	s.t.Helper()
	out := s.transfer()
	hear[service.ApprovalNeeded](s)
	s.approve()
	o := <-out
	if o.Err != nil || o.Call.NotSent != "" {
		s.t.Fatalf("%+v, %v", o.Call, o.Err)
	}
	return o.Call
}

func TestATransactionThatWaitsIsReplacedAndCanceledByKeys(t *testing.T) {
	s := startWallet(t, "testnet", 120, 40)
	call := s.sent()
	s.run(s.m.visit(nav.Transaction(call.TxID)))
	s.repair("f", "Replace a transaction", call.TxID[:16], "a tenth above the other", "that of the other", "1.5 STX")
	s.sees("Transaction", "your call")
	raised := s.service.Timeline()[0]
	if raised.Method != "replace" || raised.Nonce != call.Nonce || !strings.Contains(s.screen(), raised.TxID[:8]) {
		t.Fatalf("%+v\n%s", raised, s.screen())
	}
	s.repair("X", "Cancel a transaction", raised.TxID[:16], "0.000001 STX")
	if canceled := s.service.Timeline()[0]; canceled.Method != "cancel" || canceled.Nonce != call.Nonce || canceled.NotSent != "" {
		t.Errorf("%+v", canceled)
	}
	s.run(s.m.visit(nav.Transaction(call.TxID)))
	s.sees("dropped")
	_, cmd := s.m.Update(uitest.Key("f"))
	s.run(cmd)
	s.sees("was wanted.")
}

func TestACallThatWaitsIsCanceledByAKey(t *testing.T) {
	s := startWallet(t, "testnet", 120, 40)
	call := s.sent()
	s.run(s.m.visit(nav.WalletCall(call.Key())))
	s.sees("f pay more", "X cancel")
	s.repair("X", "Cancel a transaction", call.TxID[:16])
	s.sees("cancel", "0.000", "pending")
	s.key("E")
	s.sees("nothing to edit")
	s.run(s.m.visit(nav.WalletCall(call.Key())))
	_, cmd := s.m.Update(uitest.Key("f"))
	s.run(cmd)
	s.sees("was wanted.")
}

func TestAGapOfNoncesIsFilledByAKey(t *testing.T) {
	s := startWallet(t, "testnet", 120, 40)
	own := s.service.State().Address
	fill := func() tea.Cmd {
		s.run(s.m.visit(nav.Blocks()))
		s.run(s.m.visit(nav.Account(own)))
		_, cmd := s.m.Update(uitest.Key("f"))
		return cmd
	}
	s.run(fill())
	s.sees("No nonce of this account is known to be missing")
	out := s.request(t.Context(), "stx_transferStx", `{"recipient":"ST000000000000000000002AMW42H","amount":"1","nonce":1}`)
	hear[service.ApprovalNeeded](s)
	s.approve()
	if o := <-out; o.Err != nil {
		t.Fatal(o.Err)
	}
	s.run(s.m.visit(nav.Blocks()))
	if err := s.service.SetAccount(3); err != nil { // the account is that of the page
		t.Fatal(err)
	}
	s.run(s.m.visit(nav.Account(own)))
	s.sees("missing", "fill the lowest gap")
	s.repair("f", "Fill a gap of nonces", "no transaction has it", own)
	if filled := s.service.Timeline()[0]; filled.Method != "cancel" || filled.Nonce != "0" || filled.NotSent != "" {
		t.Errorf("%+v", filled)
	}
}
