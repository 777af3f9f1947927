package outcome

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"reflect"
	"testing"

	"chainscope/wallet/stxtx"
)

// The exact conditions of a transaction let it through in deny mode, each of them is needed,
// and they let through no other.
func TestExactConditionsAreThoseOfOneTransaction(t *testing.T) {
	c := newCast(t)
	r := rand.New(rand.NewPCG(3, 4))
	needed := 0
	for range 5_000 {
		moves, given := c.random(r)
		sent := NewSent(moves)
		c.locks(r, sent)
		exact, ok := Exact(sent)
		if !ok {
			t.Fatalf("none for %+v", moves)
		}
		if v := Check(c.alice, stxtx.ModeDeny, exact, sent); v != nil {
			t.Fatalf("%+v under %+v: %+v", moves, exact, v)
		}
		for i := range exact {
			needed++
			others := append(exact[:i:i], exact[i+1:]...)
			if Check(c.alice, stxtx.ModeDeny, others, sent) == nil {
				t.Fatalf("%+v: without %+v it goes through, too", moves, exact[i])
			}
		}
		for _, m := range moves {
			if m.From != nil && m.Amount != nil && m.Amount.Sign() > 0 {
				if v := Check(c.alice, stxtx.ModeDeny, exact, NewSent(append(moves, m))); v == nil {
					t.Fatalf("%+v may be done twice", m)
				}
			}
		}
		verdict := Check(c.alice, stxtx.ModeAllow, given, sent)
		for i, f := range Findings(c.alice, given, sent, nil) {
			if f.Holds == (verdict != nil && verdict.Condition == i) || verdict == nil && !f.Holds {
				t.Fatalf("%+v: %+v, but %+v", given[i], f, verdict)
			}
			if !f.Holds {
				break // Check looks no further
			}
		}
	}
	if needed < 1_000 {
		t.Errorf("only %d conditions were looked at", needed)
	}
	if _, ok := Exact(NewSent([]Move{{Asset: c.coin, Amount: most128(), From: &c.alice}})); ok {
		t.Error("there are conditions for an amount of 128 bits")
	}
}

func TestWhatWouldBeSentIsShownInUnits(t *testing.T) {
	c := newCast(t)
	unit := func(a stxtx.Asset) (string, int, bool) { return "COIN", 2, a == c.coin }
	moves := []Move{c.pays(c.alice, c.bob, 1_500_000), c.sends(c.alice, c.bob, 250), c.gives(c.alice, c.bob, 7), c.burns(c.bob, 9), c.mints(c.bob, 100), {Amount: big.NewInt(1)}}
	var words []string
	for _, m := range moves {
		words = append(words, m.Words(unit))
	}
	want := []string{
		fmt.Sprintf("1.5 STX from %s to %s", alice, bob), fmt.Sprintf("2.5 COIN from %s to %s", alice, bob), fmt.Sprintf("stamp u7 from %s to %s", alice, bob),
		fmt.Sprintf("0.000009 STX of %s burned", bob), fmt.Sprintf("1 COIN minted to %s", bob), "0.000001 STX",
	}
	if !reflect.DeepEqual(words, want) {
		t.Errorf("%q, want %q", words, want)
	}
	sent := NewSent(moves)
	sent.Stacking[c.bob] = 1
	given := []stxtx.PostCondition{
		stx(nil, stxtx.SentLess, 5), c.coins(nil, stxtx.SentEqual, 250), c.stamped(nil, stxtx.NFTSent, 7), c.stamped(nil, stxtx.NFTSent, 8),
		{Asset: stxtx.AssetStaking, Condition: stxtx.SentEqual},
		{Asset: stxtx.AssetPoX, Principal: &c.bob, Condition: stxtx.PoXWillPerform},
		{Asset: stxtx.AssetPoX, Condition: stxtx.PoXMayPerform},
	}
	found := Findings(c.alice, given, sent, unit)
	wanted := []Finding{
		{alice + " sends less than 0.000005 STX", "1.5 STX", false},
		{alice + " sends exactly 2.5 COIN", "2.5 COIN", true},
		{alice + " sends stamp u7", "sent", true},
		{alice + " sends stamp u8", "not sent", false},
		{alice + " locks exactly 0 STX", "0 STX", true},
		{bob + " changes its stacking state without locking STX", "changed", true},
		{alice + " may change its stacking state without locking STX", "not changed", true},
	}
	if !reflect.DeepEqual(found, wanted) {
		t.Errorf("%+v, want %+v", found, wanted)
	}
}
