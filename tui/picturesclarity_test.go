//go:build clarity

package tui

import (
	"encoding/json"
	"testing"
	"time"

	"chainscope/mockserver"
	"chainscope/tui/nav"
	"chainscope/wallet/service"
)

// failing is a contract whose counter cannot go below zero.
const failing = `(define-data-var total uint u0)

(define-public (subtract (n uint))
  (begin
    (var-set total (- (var-get total) n))
    (ok (var-get total))))
`

// A call that the virtual machine ended, with the line of the source at which it did. The
// program that runs contracts is installed by `npm install` in its folder.
func TestThePictureShowsARuntimeError(t *testing.T) {
	p := startOn(t, pictureLook, "dark", pictureWidth, pictureHeight, mockserver.Config{
		Seed: 1, BlockInterval: 10 * time.Second, BurnInterval: 10 * time.Minute, Now: func() time.Time { return noon },
		Automine: true, Clarity: true, ClarityEngine: "node ../mockserver/engine/chainscope-clarity/chainscope-clarity.js",
	})
	s := &sitter{withWallet(t, p, "testnet")}
	entries, err := s.service.Addresses(0, "testnet")
	if err != nil {
		t.Fatal(err)
	}
	deployer := entries[0].Address
	for _, e := range entries {
		if len(e.Address) > 1 && e.Address[:2] == "ST" {
			deployer = e.Address
		}
	}
	s.signs("stx_deployContract", map[string]any{"name": "counter", "clarityCode": failing})
	id := s.signs("stx_callContract", map[string]any{
		"contract": deployer + ".counter", "functionName": "subtract", "functionArgs": []string{"0x0100000000000000000000000000000001"},
	})
	s.run(s.m.visit(nav.Transaction(id)))
	s.sees("ArithmeticUnderflow")
	s.keeps("../docs/engine.svg")
}

// signs makes a request of the wallet, approves it, and returns the id of the transaction.
func (s *sitter) signs(method string, params map[string]any) string {
	s.t.Helper()
	text, err := json.Marshal(params)
	if err != nil {
		s.t.Fatal(err)
	}
	out := s.request(s.t.Context(), method, string(text))
	hear[service.ApprovalNeeded](s.walletStory)
	s.approve()
	outcome := <-out
	var sent struct{ TxID string }
	if err := json.Unmarshal(outcome.Result, &sent); err != nil || sent.TxID == "" {
		s.t.Fatalf("%s gave %s, %v", method, outcome.Result, outcome.Err)
	}
	return sent.TxID
}
