package ledger

import (
	"errors"
	"testing"

	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// A call of which something could not be read stays in the mempool as if it had not run, with what comes
// after it; the rest of its block goes on. It is decided in the block in which it can be read.
func TestACallThatCouldNotBeReadWaits(t *testing.T) {
	l := newNode()
	alice, bob, carol := signerOf("alice"), signerOf("bob"), signerOf("carol")
	l.SetOrigin(func(hash160 [20]byte, contract string) (uint64, uint64) {
		if hash160 == alice.principal().Address.Hash160 && contract == "" {
			return 5_000, 17
		}
		return 1_000, 0
	})
	unread := errors.New("could not be read: the balance of x")
	contract := clarity.Principal{Address: carol.principal().Address, Contract: "desk"}
	l.outcome = func(*Ledger, *Tx) Effect { return Effect{Unread: unread} }
	call, _ := l.send(alice.signed(t, 17, 900, stxtx.ContractCall{Contract: contract, Function: "bump"}))
	after, _ := l.send(alice.signed(t, 18, 400, stxtx.TokenTransfer{Recipient: bob.principal(), Amount: 1}))
	other, _ := l.send(bob.signed(t, 0, 300, stxtx.TokenTransfer{Recipient: carol.principal(), Amount: 2}))
	l.mine()
	waits, _ := l.Lookup(call)
	if waits.Result != nil || waits.Height != 2 || waits.Unread != unread.Error() {
		t.Errorf("the call after its block: %+v", waits)
	}
	if l.Account(alice.principal()) != (Account{Nonce: 17, Balance: 5_000, Received: 5_000}) {
		t.Errorf("alice has %+v", l.Account(alice.principal()))
	}
	if next, _ := l.Lookup(after); next.Result != nil {
		t.Error("what comes after the call was carried")
	}
	if done, _ := l.Lookup(other); done.Result == nil || l.Account(carol.principal()).Balance != 1_002 {
		t.Errorf("the other transaction of the block: %+v", done)
	}
	l.outcome = func(*Ledger, *Tx) Effect { return Effect{} }
	l.mine()
	l.mine()
	if done, _ := l.Lookup(call); done.Result == nil || done.Height != 2 || done.Unread != "" {
		t.Errorf("the call when it can be read: %+v", done)
	}
	if done, _ := l.Lookup(after); done.Result == nil || l.Account(alice.principal()).Nonce != 19 {
		t.Errorf("what comes after it: %+v", done)
	}
}
