package outcome

import (
	"encoding/hex"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

func principal(t testing.TB, text string) clarity.Principal {
	t.Helper()
	p, err := clarity.ParsePrincipal(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const (
	alice = "SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J"
	bob   = "SP3XHES5990FYDV5BHBZCJRFYFD2Z4X3FMD2N3MGH"
	pool  = "SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J.pool"
)

// cast are the participants, and what they own.
type cast struct {
	alice, bob, pool clarity.Principal
	coin, stamp      stxtx.Asset
}

func newCast(t testing.TB) cast {
	t.Helper()
	c := cast{alice: principal(t, alice), bob: principal(t, bob), pool: principal(t, pool)}
	c.coin = stxtx.Asset{Contract: principal(t, alice+".coin"), Name: "coin"}
	c.stamp = stxtx.Asset{Contract: principal(t, alice+".stamps"), Name: "stamp"}
	return c
}

func (c cast) pays(from, to clarity.Principal, n int64) Move {
	return Move{Amount: big.NewInt(n), From: &from, To: &to}
}

func (c cast) burns(from clarity.Principal, n int64) Move {
	return Move{Amount: big.NewInt(n), From: &from}
}

func (c cast) sends(from, to clarity.Principal, n int64) Move {
	return Move{Asset: c.coin, Amount: big.NewInt(n), From: &from, To: &to}
}

func (c cast) gives(from, to clarity.Principal, id uint64) Move {
	return Move{Asset: c.stamp, Token: clarity.NewUInt(id), From: &from, To: &to}
}

func (c cast) mints(to clarity.Principal, n int64) Move {
	return Move{Asset: c.coin, Amount: big.NewInt(n), To: &to}
}

func stx(p *clarity.Principal, code stxtx.ConditionCode, n uint64) stxtx.PostCondition {
	return stxtx.PostCondition{Asset: stxtx.AssetSTX, Principal: p, Condition: code, Amount: n}
}

func (c cast) coins(p *clarity.Principal, code stxtx.ConditionCode, n uint64) stxtx.PostCondition {
	return stxtx.PostCondition{Asset: stxtx.AssetFT, Principal: p, Condition: code, Amount: n, Token: c.coin}
}

func (c cast) stamped(p *clarity.Principal, code stxtx.ConditionCode, id uint64) stxtx.PostCondition {
	return stxtx.PostCondition{Asset: stxtx.AssetNFT, Principal: p, Condition: code, Token: c.stamp, TokenID: clarity.NewUInt(id)}
}

func TestPostConditions(t *testing.T) {
	c := newCast(t)
	const allow, deny, originator = stxtx.ModeAllow, stxtx.ModeDeny, stxtx.ModeOriginator
	type conditions = []stxtx.PostCondition
	moved := func(moves ...Move) []Move { return moves }
	tests := []struct {
		name   string
		mode   stxtx.PostConditionMode
		given  conditions
		moves  []Move
		reason string // "" for none
	}{
		{"nothing is required and nothing sent", deny, nil, nil, ""},
		{"a transfer that no condition covers", deny, nil, moved(c.pays(c.alice, c.bob, 5)), "Post-condition check failure: Fungible asset STX was moved by " + alice + " but not checked"},
		{"the same, allowed", allow, nil, moved(c.pays(c.alice, c.bob, 5)), ""},
		{"the same, of the origin", originator, nil, moved(c.pays(c.alice, c.bob, 5)), "Post-condition check failure: Fungible asset STX was moved by " + alice + " but not checked"},
		{"the same, of another in originator mode", originator, nil, moved(c.pays(c.pool, c.bob, 5)), ""},
		{"the same, of another in deny mode", deny, nil, moved(c.pays(c.pool, c.bob, 5)), "Post-condition check failure: Fungible asset STX was moved by " + pool + " but not checked"},
		{"exactly", deny, conditions{stx(nil, stxtx.SentEqual, 5)}, moved(c.pays(c.alice, c.bob, 5)), ""},
		{"exactly, in two parts", deny, conditions{stx(nil, stxtx.SentEqual, 5)}, moved(c.pays(c.alice, c.bob, 2), c.pays(c.alice, c.pool, 3)), ""},
		{"not exactly", deny, conditions{stx(nil, stxtx.SentEqual, 5)}, moved(c.pays(c.alice, c.bob, 6)), "Post-condition check failure on STX owned by " + alice + ": 5 SentEq 6"},
		{"not exactly, allowed: a condition is checked in every mode", allow, conditions{stx(nil, stxtx.SentEqual, 5)}, moved(c.pays(c.alice, c.bob, 6)), "Post-condition check failure on STX owned by " + alice + ": 5 SentEq 6"},
		{"not exactly, nothing sent", allow, conditions{stx(nil, stxtx.SentEqual, 5)}, nil, "Post-condition check failure on STX owned by " + alice + ": 5 SentEq 0"},
		{"more than", deny, conditions{stx(nil, stxtx.SentGreater, 5)}, moved(c.pays(c.alice, c.bob, 6)), ""},
		{"not more than", deny, conditions{stx(nil, stxtx.SentGreater, 5)}, moved(c.pays(c.alice, c.bob, 5)), "Post-condition check failure on STX owned by " + alice + ": 5 SentGt 5"},
		{"at least", deny, conditions{stx(nil, stxtx.SentGreaterOrEqual, 5)}, moved(c.pays(c.alice, c.bob, 5)), ""},
		{"not at least", deny, conditions{stx(nil, stxtx.SentGreaterOrEqual, 5)}, moved(c.pays(c.alice, c.bob, 4)), "Post-condition check failure on STX owned by " + alice + ": 5 SentGe 4"},
		{"less than", deny, conditions{stx(nil, stxtx.SentLess, 5)}, moved(c.pays(c.alice, c.bob, 4)), ""},
		{"not less than", deny, conditions{stx(nil, stxtx.SentLess, 5)}, moved(c.pays(c.alice, c.bob, 5)), "Post-condition check failure on STX owned by " + alice + ": 5 SentLt 5"},
		{"at most", deny, conditions{stx(nil, stxtx.SentLessOrEqual, 5)}, moved(c.pays(c.alice, c.bob, 5)), ""},
		{"not at most", deny, conditions{stx(nil, stxtx.SentLessOrEqual, 5)}, moved(c.pays(c.alice, c.bob, 6)), "Post-condition check failure on STX owned by " + alice + ": 5 SentLe 6"},
		{"burned is sent too", deny, conditions{stx(nil, stxtx.SentEqual, 5)}, moved(c.pays(c.alice, c.bob, 2), c.burns(c.alice, 3)), ""},
		{"burned, and no condition covers it", deny, nil, moved(c.burns(c.alice, 3)), "Post-condition check failure: Fungible asset STX was moved by " + alice + " but not checked"},
		{"a contract as a principal", deny, conditions{stx(&c.pool, stxtx.SentEqual, 9)}, moved(c.pays(c.pool, c.alice, 9)), ""},
		{"the first condition that fails", deny, conditions{stx(nil, stxtx.SentEqual, 1), stx(&c.pool, stxtx.SentEqual, 9)}, moved(c.pays(c.pool, c.alice, 8)), "Post-condition check failure on STX owned by " + alice + ": 1 SentEq 0"},
		{"tokens", deny, conditions{c.coins(nil, stxtx.SentEqual, 7)}, moved(c.sends(c.alice, c.bob, 7)), ""},
		{"tokens that no condition covers", deny, conditions{stx(nil, stxtx.SentLessOrEqual, 7)}, moved(c.sends(c.alice, c.bob, 7)), "Post-condition check failure: Fungible asset " + alice + ".coin::coin was moved by " + alice + " but not checked"},
		{"too many tokens", allow, conditions{c.coins(nil, stxtx.SentLessOrEqual, 7)}, moved(c.sends(c.alice, c.bob, 8)), "Post-condition check failure on fungible asset " + alice + ".coin::coin owned by " + alice + ": 7 SentLe 8"},
		{"minted is not sent", deny, nil, moved(c.mints(c.alice, 100)), ""},
		{"a stamp", deny, conditions{c.stamped(nil, stxtx.NFTSent, 1)}, moved(c.gives(c.alice, c.bob, 1)), ""},
		{"a stamp that stays", allow, conditions{c.stamped(nil, stxtx.NFTSent, 1)}, nil, "Post-condition check failure on non-fungible asset " + alice + ".stamps::stamp owned by " + alice + ": u1 Sent (sent 0 value(s))"},
		{"a stamp that must not go", allow, conditions{c.stamped(nil, stxtx.NFTNotSent, 1)}, moved(c.gives(c.alice, c.bob, 1)), "Post-condition check failure on non-fungible asset " + alice + ".stamps::stamp owned by " + alice + ": u1 NotSent (sent 1 value(s))"},
		{"a stamp that may go, and goes", deny, conditions{c.stamped(nil, stxtx.NFTMaybeSent, 1)}, moved(c.gives(c.alice, c.bob, 1)), ""},
		{"a stamp that may go, and stays", deny, conditions{c.stamped(nil, stxtx.NFTMaybeSent, 1)}, nil, ""},
		{"a condition covers one stamp alone", deny, conditions{c.stamped(nil, stxtx.NFTSent, 1)}, moved(c.gives(c.alice, c.bob, 1), c.gives(c.alice, c.bob, 2)), "Post-condition check failure: Non-fungible asset " + alice + ".stamps::stamp value u2 was moved by " + alice + " but not checked"},
		{"no condition on stamps", deny, nil, moved(c.gives(c.alice, c.bob, 2)), "Post-condition check failure: No checks for non-fungible asset " + alice + ".stamps::stamp moved by " + alice},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			if v := Check(c.alice, tt.mode, tt.given, NewSent(tt.moves)); v != nil {
				got = v.Reason
			}
			if got != tt.reason {
				t.Errorf("it says %q, want %q", got, tt.reason)
			}
		})
	}
}

// SIP-044: what is locked for stacking, and what else is done to it.
func TestConditionsOnStacking(t *testing.T) {
	c := newCast(t)
	locked := NewSent(nil)
	locked.Locked[c.alice] = big.NewInt(10)
	acted := NewSent(nil)
	acted.Stacking[c.alice] = 1
	bound := func(code stxtx.ConditionCode, n uint64) []stxtx.PostCondition {
		return []stxtx.PostCondition{{Asset: stxtx.AssetStaking, Condition: code, Amount: n}}
	}
	acts := func(code stxtx.ConditionCode) []stxtx.PostCondition {
		return []stxtx.PostCondition{{Asset: stxtx.AssetPoX, Condition: code}}
	}
	for name, tt := range map[string]struct {
		given []stxtx.PostCondition
		sent  *Sent
		fails bool
	}{
		"locked, not required":      {nil, locked, true},
		"locked, at most":           {bound(stxtx.SentLessOrEqual, 10), locked, false},
		"locked, too much":          {bound(stxtx.SentLess, 10), locked, true},
		"acted, not required":       {nil, acted, true},
		"acted, may":                {acts(stxtx.PoXMayPerform), acted, false},
		"acted, must":               {acts(stxtx.PoXWillPerform), acted, false},
		"acted, must not":           {acts(stxtx.PoXWillNotPerform), acted, true},
		"nothing, must":             {acts(stxtx.PoXWillPerform), NewSent(nil), true},
		"nothing, must not and may": {append(acts(stxtx.PoXWillNotPerform), acts(stxtx.PoXMayPerform)...), NewSent(nil), false},
	} {
		if v := Check(c.alice, stxtx.ModeDeny, tt.given, tt.sent); v != nil != tt.fails {
			t.Errorf("%s: %+v", name, v)
		}
	}
}

// random makes a transaction of a small world, in which conditions often hold.
func (c cast) random(r *rand.Rand) (moves []Move, given []stxtx.PostCondition) {
	who := func() clarity.Principal { return []clarity.Principal{c.alice, c.bob, c.pool}[r.IntN(3)] }
	for range r.IntN(4) {
		n := int64(r.IntN(3))
		moves = append(moves, []Move{c.pays(who(), who(), n), c.burns(who(), n), c.sends(who(), who(), n), c.gives(who(), who(), uint64(n)), c.mints(who(), n)}[r.IntN(5)])
	}
	for range r.IntN(4) {
		given = append(given, c.condition(r))
	}
	return moves, given
}

func (c cast) condition(r *rand.Rand) stxtx.PostCondition {
	p := []*clarity.Principal{nil, &c.bob, &c.pool, &c.alice}[r.IntN(4)]
	code, n := stxtx.ConditionCode(1+r.IntN(5)), uint64(r.IntN(4))
	return []stxtx.PostCondition{
		stx(p, code, n), c.coins(p, code, n), c.stamped(p, stxtx.NFTSent+stxtx.ConditionCode(r.IntN(3)), n),
		{Asset: stxtx.AssetStaking, Principal: p, Condition: code, Amount: n},
		{Asset: stxtx.AssetPoX, Principal: p, Condition: stxtx.PoXWillNotPerform + stxtx.ConditionCode(r.IntN(3))},
	}[r.IntN(5)]
}

// locks adds what is locked and done for stacking.
func (c cast) locks(r *rand.Rand, sent *Sent) {
	if r.IntN(4) == 0 {
		sent.Locked[[]clarity.Principal{c.alice, c.bob}[r.IntN(2)]] = big.NewInt(int64(r.IntN(3)))
	}
	if r.IntN(4) == 0 {
		sent.Stacking[[]clarity.Principal{c.alice, c.bob}[r.IntN(2)]] = r.IntN(2)
	}
}

func TestWhatHoldsOfAllTransactions(t *testing.T) {
	c := newCast(t)
	r := rand.New(rand.NewPCG(1, 2))
	passed, staked := 0, 0
	for range 20_000 {
		moves, given := c.random(r)
		sent := NewSent(moves)
		c.locks(r, sent)
		passes := func(mode stxtx.PostConditionMode, given []stxtx.PostCondition) bool {
			return Check(c.alice, mode, given, sent) == nil
		}
		describe := func() string { return fmt.Sprintf("%+v, %v, %v under %+v", moves, sent.Locked, sent.Stacking, given) }
		if more := append(given[:len(given):len(given)], c.condition(r)); !passes(stxtx.ModeAllow, given) && passes(stxtx.ModeAllow, more) {
			t.Fatalf("a further condition lets it through: %s", describe())
		}
		if passes(stxtx.ModeDeny, given) && !passes(stxtx.ModeOriginator, given) || passes(stxtx.ModeOriginator, given) && !passes(stxtx.ModeAllow, given) {
			t.Fatalf("a weaker mode refuses it: %s", describe())
		}
		nothing := true
		for _, m := range moves {
			nothing = nothing && (m.From == nil || m.Amount != nil && m.Amount.Sign() == 0)
		}
		for _, locked := range sent.Locked {
			nothing = nothing && locked.Sign() == 0
		}
		for _, acted := range sent.Stacking {
			nothing = nothing && acted == 0
		}
		if passes(stxtx.ModeDeny, nil) != nothing {
			t.Fatalf("deny without conditions: %s", describe())
		}
		if v := Check(c.alice, stxtx.ModeDeny, given, sent); v != nil && v.Condition < 0 {
			allowed := append(given[:len(given):len(given)], *v.Allows)
			if again := Check(c.alice, stxtx.ModeDeny, allowed, sent); again != nil && again.Reason == v.Reason {
				t.Fatalf("%+v does not allow it: %s", v.Allows, describe())
			}
		}
		if v := Check(c.alice, stxtx.ModeDeny, given, sent); v != nil && v.Required != nil && v.Allows != nil {
			instead := slices.Clone(given)
			if instead[v.Condition] = *v.Allows; v.Allows.Principal == nil && v.Required.Principal != nil {
				t.Fatalf("%+v is of another principal than %+v", v.Allows, v.Required)
			}
			if again := Check(c.alice, stxtx.ModeDeny, instead, sent); again != nil && again.Condition == v.Condition {
				t.Fatalf("%+v does not allow it either: %s", v.Allows, describe())
			}
		}
		if passes(stxtx.ModeDeny, given) {
			if passed++; len(sent.Locked)+len(sent.Stacking) > 0 && len(given) > 0 {
				staked++
			}
		}
	}
	if passed < 1_000 || staked < 100 {
		t.Errorf("only %d of the transactions pass, %d of them with stacking", passed, staked)
	}
}

// most is the greatest number of conditions that a transaction can have.
const most = 65_535

// A transaction that lies is described in words, and soon: what it costs to check grows with what
// it says and does, not with the product of both.
func TestManyConditionsAndHugeAmounts(t *testing.T) {
	c := newCast(t)
	huge := []Move{{Asset: c.coin, Amount: most128(), From: &c.alice, To: &c.bob}}
	kept := make([]stxtx.PostCondition, 0, most)
	var sent []stxtx.PostCondition
	var stamps []Move
	for i := range uint64(most) {
		kept = append(kept, c.stamped(nil, stxtx.NFTNotSent, i))
		sent = append(sent, c.stamped(nil, stxtx.NFTSent, i))
		stamps = append(stamps, c.gives(c.alice, c.bob, i))
	}
	if v := Check(c.alice, stxtx.ModeDeny, kept, NewSent(huge)); v == nil || v.Condition != -1 || v.Allows != nil || !strings.Contains(v.Reason, ".coin::coin was moved by") {
		t.Errorf("%+v", v)
	}
	began := time.Now()
	if v := Check(c.alice, stxtx.ModeDeny, sent, NewSent(stamps)); v != nil {
		t.Errorf("%+v", v)
	}
	// Each stamp compared with each condition are 4,295 million pairs, which are not done in
	// this time.
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("%d conditions on as many tokens take %v", most, took)
	}
	work := func(n int) float64 {
		return testing.AllocsPerRun(3, func() { Check(c.alice, stxtx.ModeDeny, sent[:n], NewSent(stamps[:n])) })
	}
	if few, many := work(200), work(2000); many > 12*few {
		t.Errorf("ten times as many conditions and tokens allocate %.0f times instead of %.0f", many, few)
	}
}

func BenchmarkCheck(b *testing.B) {
	c := newCast(b)
	var stamped, counted []stxtx.PostCondition
	for i := range uint64(most) {
		stamped = append(stamped, c.stamped(nil, stxtx.NFTMaybeSent, i))
		counted = append(counted, c.coins(&c.pool, stxtx.SentLessOrEqual, i))
	}
	var moves []Move
	for i := range uint64(1_000) {
		moves = append(moves, c.gives(c.alice, c.bob, i))
	}
	for name, given := range map[string][]stxtx.PostCondition{"ten conditions": stamped[:10], "conditions on non-fungible tokens": stamped, "conditions on amounts": counted} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Check(c.alice, stxtx.ModeAllow, given, NewSent(moves))
			}
		})
	}
}

// FuzzCheck reads conditions as a transaction has them, of any kind, over moves of the same
// bytes: whatever is required, the answer is a verdict that can be explained.
func FuzzCheck(f *testing.F) {
	c := newCast(f)
	seed := func(given ...stxtx.PostCondition) (all []byte) {
		for _, one := range given {
			text, err := stxtx.PostConditionHex(one)
			if err != nil {
				f.Fatal(err)
			}
			raw, _ := hex.DecodeString(text) // it was written as such
			all = append(append(all, byte(len(raw))), raw...)
		}
		return all
	}
	f.Add(byte(stxtx.ModeDeny), seed(stx(nil, stxtx.SentEqual, 5), c.coins(&c.pool, stxtx.SentLess, 7)), uint64(5))
	f.Add(byte(stxtx.ModeOriginator), seed(c.stamped(nil, stxtx.NFTNotSent, 1), c.stamped(&c.bob, stxtx.NFTMaybeSent, 2)), uint64(1))
	f.Add(byte(stxtx.ModeAllow), seed(stxtx.PostCondition{Asset: stxtx.AssetStaking, Condition: stxtx.SentLess, Amount: 7}, stxtx.PostCondition{Asset: stxtx.AssetPoX, Condition: stxtx.PoXWillPerform}), uint64(9))
	f.Fuzz(func(t *testing.T, mode byte, raw []byte, n uint64) {
		var given []stxtx.PostCondition
		for len(raw) > 0 {
			most := min(len(raw), 1+int(raw[0]))
			if one, err := stxtx.DecodePostCondition(raw[1:most]); err == nil {
				given = append(given, one)
			}
			raw = raw[most:]
		}
		amount := new(big.Int).SetUint64(n)
		sent := NewSent([]Move{{Amount: amount, From: &c.alice, To: &c.bob}, {Asset: c.coin, Amount: new(big.Int).Lsh(amount, uint(mode)%64), From: &c.pool}, c.gives(c.bob, c.alice, n%4)})
		for _, one := range given {
			if one.Asset == stxtx.AssetNFT { // what is named may be what is sent
				sent = NewSent([]Move{{Asset: one.Token, Token: one.TokenID, From: &c.alice, To: &c.bob}})
			}
		}
		sent.Locked[c.alice], sent.Stacking[c.bob] = amount, int(n%2)
		verdicts := map[stxtx.PostConditionMode]bool{}
		for _, m := range []stxtx.PostConditionMode{stxtx.ModeAllow, stxtx.ModeOriginator, stxtx.ModeDeny} {
			v := Check(c.alice, m, given, sent)
			if verdicts[m] = v == nil; v == nil {
				continue
			}
			if v.Condition < -1 || v.Condition >= len(given) || (v.Condition >= 0) != (v.Required != nil) || v.Reason == "" {
				t.Fatalf("%+v", v)
			}
			if w := Explain(Ended{Status: "abort_by_post_condition", Violation: v}); w.Sentence == "" || w.Fix == "" || (w.Condition != "") != (v.Required != nil) {
				t.Fatalf("%+v of %+v", w, v)
			}
		}
		if verdicts[stxtx.ModeDeny] && !verdicts[stxtx.ModeOriginator] || verdicts[stxtx.ModeOriginator] && !verdicts[stxtx.ModeAllow] {
			t.Fatalf("a weaker mode refuses what a stronger one lets through: %v", verdicts)
		}
	})
}
