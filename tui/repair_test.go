package tui

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

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

// As a watched holder: the mock impersonates it, so its transactions are replaced and canceled like one's own.
func TestWhatAWatchedHolderSentIsRepairedByKeys(t *testing.T) {
	s := startWallet(t, "testnet", 120, 40)
	const holder = "ST1PQHQKV0RJXZFY1DGX8MNSNYVE3VGZJSRTPGZGM"
	s.post("impersonations", `{"addresses":["`+holder+`"]}`)
	k, err := service.WatchedKeys(holder)
	if err != nil {
		t.Fatal(err)
	}
	s.service.SetKeys(k)
	out := s.request(t.Context(), "stx_transferStx", `{"recipient":"ST000000000000000000002AMW42H","amount":"1500000"}`)
	hear[service.ApprovalNeeded](s)
	s.approve()
	call := (<-out).Call
	s.run(s.m.visit(nav.Transaction(call.TxID)))
	s.repair("f", "Replace a transaction", call.TxID[:16], "without a signature")
	raised := s.service.Timeline()[0]
	s.repair("X", "Cancel a transaction", raised.TxID[:16], "0.000001 STX", "without a signature")
	if canceled := s.service.Timeline()[0]; canceled.Method != "cancel" || canceled.Nonce != call.Nonce || canceled.NotSent != "" {
		t.Errorf("%+v", canceled)
	}
}

// post sends something to the control routes of the mock.
func (s *walletStory) post(route, body string) {
	s.t.Helper()
	answer, err := http.Post(s.m.options.Client.BaseURL()+"/mock/v1/"+route, "application/json", strings.NewReader(body))
	if err != nil || answer.StatusCode != http.StatusOK {
		s.t.Fatal(answer, err)
	}
	_ = answer.Body.Close()
}

// begin presses a key that opens the dialog of a repair, and returns what comes of it.
func (s *walletStory) begin(key string) <-chan tea.Msg {
	s.t.Helper()
	_, cmd := s.m.Update(uitest.Key(key))
	done := make(chan tea.Msg, 1)
	go func() { done <- cmd() }()
	hear[service.ApprovalNeeded](s)
	return done
}

func TestTheFormOfARepairRefusesWhatNodesDo(t *testing.T) {
	s := startWallet(t, "testnet", 120, 40)
	call := s.sent()
	s.run(s.m.visit(nav.Transaction(call.TxID)))
	done := s.begin("f")
	fee, err := strconv.Atoi(call.Fee)
	if err != nil {
		t.Fatal(err)
	}
	s.wait(time.Minute)
	s.key("e")
	typed := func(text string) {
		s.key("ctrl+u")
		s.typed(text)
	}
	typed(call.Fee)
	s.sees("✗ at least " + strconv.Itoa(fee+1) + " micro-STX")
	s.key("enter")
	s.sees("Change fee and nonce", "✗ at least ")
	typed(strconv.Itoa(fee + 1))
	s.seesNot("✗")
	s.key("tab")
	typed("7")
	s.sees("✗ must stay 0, the nonce that is stuck")
	s.key("enter")
	s.sees("Change fee and nonce")
	typed("0")
	s.key("enter")
	hear[service.ApprovalNeeded](s)
	s.approve()
	s.run(func() tea.Msg { return <-done })
	if raised := s.service.Timeline()[0]; raised.Method != "replace" || raised.Fee != strconv.Itoa(fee+1) || raised.NotSent != "" {
		t.Errorf("%+v", raised)
	}
}

// A block that comes while the dialog is open may have the transaction: the forecast says so, and so does the notice
// of one that is approved all the same.
func TestABlockDecidesARepairThatIsBeingApproved(t *testing.T) {
	s := startWallet(t, "testnet", 120, 40)
	call := s.sent()
	s.run(s.m.visit(nav.Transaction(call.TxID)))
	done := s.begin("f")
	s.sees("would succeed")
	s.post("mine", `{"blocks":1}`)
	s.run(blockArrived(s.m))
	height := s.service.StatusOf(call).Words // in block N
	s.seesNot("would succeed")
	s.sees("would be refused", call.TxID+" is "+strings.TrimSpace(strings.Split(height, "  ")[0]))
	s.approve()
	s.run(func() tea.Msg { return <-done })
	s.sees(" already, and nothing takes its")
	s.seesNot("JsonRpcError")
}
