package tui

import (
	"strings"
	"testing"

	"chainscope/tui/nav"
)

func TestALargeWindowCarriesMoreAtHome(t *testing.T) {
	s := startWallet(t, "testnet", 200, 60)
	s.sent()
	s.run(s.m.visit(nav.Home()))
	s.run(s.m.currentScreen().Live())
	s.sees("Newest transactions", "1 pending", "sends 1.5 STX to ", "Balance", "1,000,000 STX", "STX on their way out")
	before := s.m.options.Client.Log().Len()
	s.run(s.m.currentScreen().Live())
	for _, e := range s.m.options.Client.Log().Snapshot()[before:] {
		if strings.Contains(e.URL, "/tx") {
			t.Errorf("%s was requested again at once", e.URL)
		}
	}
}

func TestASmallerWindowRequestsNoTransactionsAtHome(t *testing.T) {
	s := startWallet(t, "testnet", 120, 40)
	before := s.m.options.Client.Log().Len()
	s.run(s.m.visit(nav.Home()))
	s.run(s.m.currentScreen().Live())
	for _, e := range s.m.options.Client.Log().Snapshot()[before:] {
		if strings.Contains(e.URL, "/tx") || strings.Contains(e.URL, "/balances") {
			t.Errorf("%s was requested", e.URL)
		}
	}
}
