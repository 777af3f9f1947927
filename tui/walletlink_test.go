package tui

import (
	"net/http"
	"strings"
	"testing"

	"chainscope/tui/nav"
	"chainscope/wallet/service"
)

func TestATransactionOfOursLeadsToItsBlockAndBackToItsCall(t *testing.T) {
	s := startWallet(t, "testnet", 120, 40)
	out := s.transfer()
	hear[service.ApprovalNeeded](s)
	s.approve()
	call := (<-out).Call
	if call.TxID == "" || call.NotSent != "" {
		t.Fatalf("came out as %+v", call)
	}
	response, err := http.Post(s.m.options.Client.BaseURL()+"/mock/v1/mine", "application/json", strings.NewReader(`{"blocks":1}`))
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	wants := func(words ...string) {
		t.Helper()
		for _, w := range words {
			if !strings.Contains(s.screen(), w) {
				t.Fatalf("%q is not on screen:\n%s", w, s.screen())
			}
		}
	}

	s.run(s.m.visit(nav.WalletCall(call.Key())))
	wants("stx_transferStx", call.TxID, "in block", "success", "open block")
	s.key("enter")
	wants("yours: stx_transferStx")
	cursorOn := func(hint string) { // the first row on which enter does that
		t.Helper()
		for range 60 {
			if strings.Contains(s.screen(), "enter "+hint) {
				return
			}
			s.key("j")
		}
		t.Fatalf("no row does %q:\n%s", hint, s.screen())
	}
	cursorOn("open the transaction")
	s.key("enter")
	wants("Transaction", "your call")
	cursorOn("follow the link")
	s.key("enter")
	wants("Outcome", call.TxID, "in block")
}
