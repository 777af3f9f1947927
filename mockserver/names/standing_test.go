package names

import (
	"math/big"
	"testing"

	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
	"chainscope/wallet/outcome"
	"chainscope/wallet/stxtx"
)

// What the contract prints for the mock alone reaches the ledger and is shown to nobody.
func TestWhatTheContractPrintsForTheMockIsRemoved(t *testing.T) {
	r := NewRegistry(catalogue(t, 1, 10), 1)
	c := r.On(false)
	who, id := clarity.Principal{Address: c.id.Address}, clarity.NewUInt(7)
	note := func(contract clarity.Principal, id clarity.Value) ledger.Print {
		return ledger.Print{Contract: contract, After: 2, Value: clarity.Tuple{Fields: []clarity.Field{{Name: "id", Value: id}, {Name: notedPrimary, Value: who}}}}
	}
	sent := outcome.Move{Asset: c.asset, Token: id, From: &who, To: &who}
	does := ledger.Effect{
		Moves:  []outcome.Move{{Asset: stxtx.Asset{Contract: who, Name: "coin"}, Amount: big.NewInt(1), To: &who}, {Asset: c.asset, Token: id, To: &who}, sent},
		Prints: []ledger.Print{{Contract: c.id, After: 1, Value: id}, note(c.id, clarity.Some{Value: id}), note(c.id, clarity.None{}), note(who, clarity.None{}), {Contract: c.id, After: 3, Value: id}},
	}
	r.Ran(&does)
	if len(does.Moves) != 2 || does.Moves[1].From != sent.From {
		t.Errorf("it moves %+v", does.Moves)
	}
	var after []int
	for _, p := range does.Prints {
		after = append(after, p.After)
	}
	if len(after) != 3 || after[0] != 1 || after[1] != 1 || after[2] != 2 || does.Prints[1].Contract != who {
		t.Errorf("it prints %+v", does.Prints)
	}
	if len(does.Sets) != 2 || does.Sets[0].Value == nil || does.Sets[1].Value != nil || does.Sets[1].Name != primaryMap {
		t.Errorf("it sets %+v", does.Sets)
	}
}

// A token that is no name, such as a canned call can mint, cannot be sent.
func TestWhatHasNoNameIsNotSent(t *testing.T) {
	r := NewRegistry(catalogue(t, 1, 10), 1)
	c, l := r.On(false), ledger.New()
	alice, bob := clarity.Principal{Address: addressOf([20]byte{1}, false)}, clarity.Principal{Address: addressOf([20]byte{2}, false)}
	id := clarity.NewUInt(1 << 40)
	l.Grant(alice, c.asset, nil, id)
	does, _ := c.Call(&l, alice, "transfer", []clarity.Value{id, alice, bob})
	if does.Result != errNoName {
		t.Errorf("it ends with %v", does.Result)
	}
}
