package ledger

import (
	"testing"

	"chainscope/wallet/c32"
	"chainscope/wallet/clarity"
	"chainscope/wallet/outcome"
	"chainscope/wallet/stxtx"
)

// What an account did before the ledger began is in its balance and nonce, in its tokens and in
// the contracts, until somebody changes it; other accounts begin as always.
func TestAccountsBeginWithWhatTheyDidBefore(t *testing.T) {
	hash, sponsor := [20]byte{1}, [20]byte{2}
	who := func(hash160 [20]byte) clarity.Principal {
		return clarity.Principal{Address: c32.Address{Version: c32.MainnetP2PKH, Hash160: hash160}}
	}
	me, pays := who(hash), who(sponsor)
	card := stxtx.Asset{Contract: clarity.Principal{Address: me.Address, Contract: "club"}, Name: "card"}
	empty := New()
	tx := empty.Carry(&stxtx.Transaction{
		Version: stxtx.VersionMainnet, ChainID: stxtx.ChainIDMainnet, AnchorMode: stxtx.AnchorAny, PostConditionMode: stxtx.ModeAllow,
		Auth: stxtx.Auth{
			Type: stxtx.AuthSponsored, Origin: stxtx.SpendingCondition{Signer: hash, Nonce: 7}, Sponsor: &stxtx.SpendingCondition{Signer: sponsor, Nonce: 3, Fee: 40},
		},
		Payload: stxtx.SmartContract{Name: "club", Code: "(ok true)"},
	}, [32]byte{9}, 5, func(*Ledger, *Tx) Effect {
		return Effect{Moves: []outcome.Move{{Asset: card, Token: me, To: &me}, {Amount: clarity.NewUInt(100).N, From: &me, To: &pays}}}
	})
	l := New()
	l.SetBefore(func(hash160 [20]byte) *Tx {
		if hash160 == hash || hash160 == sponsor {
			return tx
		}
		return nil
	})
	check := func(p clarity.Principal, want Account) {
		t.Helper()
		if got := l.Account(p); got != want {
			t.Errorf("%s has %+v, want %+v", p, got, want)
		}
	}
	check(me, Account{Nonce: 8, Balance: startBalance - 100, Sent: 100, Received: startBalance})
	check(pays, Account{Nonce: 4, Balance: startBalance + 60, Received: startBalance + 100, Fees: 40})
	check(who([20]byte{3}), Account{Balance: startBalance, Received: startBalance})
	check(card.Contract, Account{})
	if deployed, ok := l.Contract(card.Contract); !ok || deployed != tx {
		t.Errorf("the contract is %v", deployed)
	}
	if owner, ok := l.Owner(card, me); !ok || owner != me {
		t.Errorf("the card belongs to %s", owner)
	}
	if _, ok := l.Owner(card, pays); ok {
		t.Error("the sponsor has a card")
	}
	if all := l.Holdings(me); len(all) != 1 || len(all[0].Tokens) != 1 || all[0].Tokens[0].Tx != tx || len(l.Holdings(pays)) != 0 {
		t.Errorf("it holds %+v", all)
	}
	ten := uint64(10)
	if err := l.SetAccount(me, &ten, nil); err != nil {
		t.Fatal(err)
	}
	check(me, Account{Nonce: 8, Balance: 10, Sent: 100, Received: 110})
	l.add(outcome.Move{Asset: card, Token: me, From: &me, To: &pays}, nil)
	if owner, ok := l.Owner(card, me); !ok || owner != pays || len(l.Holdings(me)[0].Tokens) != 0 {
		t.Errorf("the card that was sent belongs to %s", owner)
	}
}
