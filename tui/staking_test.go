package tui

import (
	"strings"
	"testing"

	"chainscope/tui/nav"
)

// What an account stakes is read when its row is entered, by two requests, and leads to its bonds.
func TestStakingIsReadWhenItsRowIsEntered(t *testing.T) {
	s := walker{startWallet(t, "mainnet", 160, 60).program}
	c := s.m.options.Client
	registered, err := c.Registrations(t.Context(), 0)
	if err != nil || len(registered.Value.Results) == 0 {
		t.Fatal(err)
	}
	enter := func() int {
		t.Helper()
		_, rows := s.detail()
		before := c.Log().Len()
		for _, row := range rows {
			if row.Label == "position" && row.Do != nil {
				s.run(row.Do())
				return c.Log().Len() - before
			}
		}
		t.Fatalf("no row reads the position:\n%s", s.frame())
		return 0
	}
	seen := func() (all string) {
		_, rows := s.detail()
		for _, row := range rows {
			all += row.Label + ": " + row.Value + " " + row.Note + "\n"
		}
		return all
	}
	of := registered.Value.Results[0]
	s.run(s.m.visit(nav.Account(of.Staker)))
	if before := seen(); !strings.Contains(before, "position: not read yet") {
		t.Errorf("before it is entered:\n%s", before)
	}
	if requested := enter(); requested != 2 {
		t.Errorf("it took %d requests", requested)
	}
	for _, want := range []string{"staked STX: 0 STX", "bonds: 1 ", "in bonds: 7 BTC and 193,900 STX", "rewards of bonds: 0.01723076 BTC 0.00861538 BTC to be claimed", "bond 0: 7 BTC and 193,900 STX enrolled"} {
		if all := seen(); !strings.Contains(all, want) {
			t.Errorf("no %q in\n%s", want, all)
		}
	}
	_, rows := s.detail()
	for _, row := range rows {
		if row.Label == "bond 0" && (row.To == nil || *row.To != nav.Listed(nav.KindBonds, "0")) {
			t.Errorf("the bond leads to %v", row.To)
		}
	}
	s.run(s.m.visit(nav.Account(firstAccount)))
	if enter(); !strings.Contains(seen(), "position: stakes nothing") {
		t.Errorf("one that stakes nothing:\n%s", seen())
	}
}

// Signers and bonds are lists, found by their words, and lead to who takes part.
func TestSignersAndBondsAreLists(t *testing.T) {
	s := startWallet(t, "mainnet", 120, 40)
	sees := func(words ...string) {
		t.Helper()
		for _, w := range words {
			if !strings.Contains(s.seen(), w) {
				t.Errorf("%q is not on screen:\n%s", w, s.seen())
			}
		}
	}
	s.run(s.m.visit(nav.Listed(nav.KindSigners, "")))
	sees("Signers  14 of 14", "SIGNER", "KEY")
	s.key("enter")
	sees("registered by", "stakers")
	s.run(s.m.visit(nav.Listed(nav.KindBonds, "")))
	sees("Bonds  3 of 3", "STATUS", "upcoming", "active")
	s.run(s.m.visit(nav.Listed(nav.KindBonds, "1")))
	sees("target rate", "capacity", "unlocks at", "Registrations", "sBTC")
	s.run(s.m.visit(nav.Listed(nav.KindBonds, "99")))
	sees("Bond not found")
}
