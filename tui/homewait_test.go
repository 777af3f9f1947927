package tui

import (
	"context"
	"strings"
	"testing"

	"chainscope/tui/nav"
	"chainscope/wallet/service"
)

// Home says that a request waits for as long as it does.
func TestHomeForgetsARequestThatNoLongerWaits(t *testing.T) {
	s := startWallet(t, "testnet", 120, 40)
	s.run(s.m.visit(nav.Home()))
	ctx, cancel := context.WithCancel(t.Context())
	out := s.request(ctx, "stx_signMessage", `{"message":"hi"}`)
	hear[service.ApprovalNeeded](s)
	for !strings.Contains(strings.Join(s.m.currentScreen().View(noon), "\n"), "1 request waiting for you") {
		hear[service.QueueChanged](s)
	}
	cancel()
	<-out
	hear[service.Withdrawn](s)
	for len(s.service.Queue()) > 0 {
		hear[service.QueueChanged](s)
	}
	if home := strings.Join(s.m.currentScreen().View(noon), "\n"); strings.Contains(home, "waiting for you") {
		hear[service.QueueChanged](s)
		if home = strings.Join(s.m.currentScreen().View(noon), "\n"); strings.Contains(home, "waiting for you") {
			t.Errorf("nothing waits any more:\n%s", home)
		}
	}
}
