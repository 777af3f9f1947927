package service

import (
	"testing"

	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/node"
	"chainscope/wallet/outcome"
	"chainscope/wallet/provider"
)

// From the question to the block of its transaction, or to its end without one, a call has one
// account, with what helps.
func TestTheAccountOfACallFromTheQuestionToItsEnd(t *testing.T) {
	sent := Call{Done: true, Method: "stx_transferStx", TxID: "ab"}
	with := func(change func(*Call)) Call {
		c := sent
		change(&c)
		return c
	}
	for name, c := range map[string]struct {
		call Call
		tx   *node.Transaction
		want Status
	}{
		"asked":        {Call{}, nil, Status{Words: "waits for an answer", Fate: Waits}},
		"rejected":     {Call{Done: true, Decision: RejectedByPerson, Error: jsonrpc.NewError(4001, "no")}, nil, Status{Words: "rejected by you (4001)", Fate: Bad}},
		"wrong params": {Call{Done: true, Error: jsonrpc.NewError(-32602, "amount: wrong")}, nil, Status{Words: "-32602 amount: wrong", Fate: Bad}},
		"refused by the node": {
			with(func(c *Call) {
				c.NotSent, c.Error = "the chain refused it: BadNonce", jsonrpc.NewError(-32603, "transaction rejected: BadNonce")
			}),
			&node.Transaction{Reason: outcome.Why{Status: outcome.Rejected, Sentence: "Nonce 0 cannot be used.", Fix: "sign it with nonce 1"}},
			Status{"-32603 transaction rejected: BadNonce: Nonce 0 cannot be used.", "sign it with nonce 1", Bad},
		},
		"no mock": {
			with(func(c *Call) { c.NotSent = provider.NoChain }), nil,
			Status{Words: "signed, not sent: there is no mock chain to send it to", Fix: "give --api the URL of a running mock to send it there"},
		},
		"its mock is gone": {
			Call{Done: true, TxID: "ab", NotSent: "127.0.0.1:1 cannot be reached: connection refused"},
			nil,
			Status{Words: "signed, not sent: 127.0.0.1:1 cannot be reached: connection refused", Fix: "send the call again when it can be reached"},
		},
		"a sponsor is missing": {Call{Done: true, Method: "stx_transferStx", NotSent: "a sponsor has to sign it first"}, nil, Status{Words: "signed, not sent: a sponsor has to sign it first"}},
		"no answer":            {with(func(c *Call) { c.Unanswered = true }), nil, Status{"sent, no answer yet", "chainscope tx ab says whether the chain has it", Waits}},
		"no answer, in a block": {
			with(func(c *Call) { c.Unanswered = true }), &node.Transaction{Status: "success", BlockHeight: 7, Result: "(ok true)"}, Status{Words: "in block 7  (ok true)"},
		},
		"sent":       {sent, nil, Status{Words: "sent"}},
		"next block": {sent, &node.Transaction{Status: "pending"}, Status{Words: "pending: the next block takes it", Fate: Waits}},
		"a gap": {
			sent, &node.Transaction{Status: "pending", Reason: outcome.Why{Sentence: "It waits for nonce 3.", Fix: "send nonce 3"}},
			Status{"pending: It waits for nonce 3.", "send nonce 3", Waits},
		},
		"failed in a block": {
			sent, &node.Transaction{Status: "abort_by_response", BlockHeight: 7, Result: "(err u4)", Reason: outcome.Why{Sentence: "It answered (err u4).", Fix: "send more"}},
			Status{"in block 7, but failed: It answered (err u4).", "send more", Bad},
		},
		"replaced": {
			sent, &node.Transaction{Status: "dropped_replace_by_fee", ReplacedBy: "0xcd"},
			Status{"sent, then dropped: 0xcd, which has the same nonce, took its place", "nothing is to be sent again, unless the transaction that took its place is not what was wanted", Bad},
		},
		"another chain": {sent, &node.Transaction{}, Status{"sent, but unknown to the chain: it was reset, or is another one", "send it again", Waits}},
		"a message":     {Call{Done: true, Method: "stx_signMessage"}, nil, Status{Words: "signed"}},
		"addresses":     {Call{Done: true, Method: "getAddresses"}, nil, Status{Words: "answered"}},
	} {
		if got := c.call.Status(c.tx); got != c.want {
			t.Errorf("%s:\n%+v, want\n%+v", name, got, c.want)
		}
	}
}

func TestWhoSignedWhatIsSaid(t *testing.T) {
	for want, c := range map[string]Call{
		"no wallet reached":            {},
		"xverse, account 2 on testnet": {Wallet: "xverse", Account: 2, Network: "testnet"},
		"leather, account 0 on mainnet, fee 0.0003 STX, nonce 4 (fee, post-conditions edited)": {
			Wallet: "leather", Network: "mainnet", Fee: "300", Nonce: "4", Edits: []string{"fee", "post-conditions"},
		},
	} {
		if got := c.By(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	page := Call{Kind: KindPage, Requester: Requester{FromPage, "https://a.example"}, Method: "m", TxID: "ab"}
	if got := page.Line(Status{Words: "sent", Fix: "wait"}); got != "m of https://a.example: tx ab: sent; what helps: wait" {
		t.Errorf("%q", got)
	}
}
