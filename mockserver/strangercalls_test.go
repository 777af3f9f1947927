package mockserver

import (
	"fmt"
	"strings"
	"testing"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/contracts"
	"chainscope/mockserver/crowd"
	"chainscope/wallet/clarity"
	"chainscope/wallet/facts"
	"chainscope/wallet/stxtx"
)

// The contracts that strangers call answer everybody as their sources say.
func TestTheContractsOfStrangersCanBeCalled(t *testing.T) {
	s, _ := newServer(t, Config{Seed: 4})
	d := &trade{T: t, s: s, people: [3]person{someone("alice"), someone("bob"), someone("carol")}}
	alice, bob, carol := d.who(0), d.who(1), d.who(2)
	u := clarity.NewUInt
	to := func(p clarity.Principal, n uint64) clarity.Value {
		return clarity.Tuple{Fields: []clarity.Field{{Name: "memo", Value: clarity.Buffer("rent")}, {Name: "to", Value: p}, {Name: "ustx", Value: u(n)}}}
	}
	many := func(all ...clarity.Value) *stxtx.Transaction {
		return d.call(0, crowd.SendManyID, "send-many", clarity.List(all))
	}
	hash := clarity.Buffer(strings.Repeat("h", 20))
	for _, tt := range []struct {
		name, result string
		events       int
		tx           func() *stxtx.Transaction
	}{
		{"to two", "(ok true)", 3, func() *stxtx.Transaction { return many(to(bob, 700), to(carol, 300)) }},
		{"to nobody", "(err u400)", 0, func() *stxtx.Transaction { return many() }},
		{"nothing", "(err u400)", 0, func() *stxtx.Transaction { return many(to(bob, 0)) }},
		{"nothing to one of two", "(err u3)", 0, func() *stxtx.Transaction { return many(to(bob, 5), to(carol, 0)) }},
		{"to oneself", "(err u2)", 0, func() *stxtx.Transaction { return many(to(bob, 5), to(alice, 5), to(carol, 0)) }},
		{"more than there is", "(err none)", 0, func() *stxtx.Transaction { return many(to(bob, 1), to(carol, 1_000_000_000_000)) }},
		{"an entry", "(ok true)", 1, func() *stxtx.Transaction { return d.call(0, crowd.GuestbookID, "sign", clarity.UTF8("ahoy ⚓")) }},
		{"no entry", "(err u400)", 0, func() *stxtx.Transaction { return d.call(0, crowd.GuestbookID, "sign", clarity.UTF8("")) }},
		{"low dues", "(err u402)", 0, func() *stxtx.Transaction { return d.call(0, crowd.ClubID, "join", u(999_999)) }},
		{"a member", "(ok true)", 3, func() *stxtx.Transaction { return d.call(0, crowd.ClubID, "join", u(1_000_000)) }},
		{"a member again", "(err u409)", 0, func() *stxtx.Transaction { return d.call(0, crowd.ClubID, "join", u(1_000_000)) }},
		{"a preorder", "(ok true)", 2, func() *stxtx.Transaction { return d.call(0, facts.BNS2(false), "name-preorder", hash, u(2_000_000)) }},
		{"a short hash", "(err u107)", 0, func() *stxtx.Transaction {
			return d.call(0, facts.BNS2(false), "name-preorder", hash[1:], u(2_000_000))
		}},
		{"nothing for a name", "(err u108)", 0, func() *stxtx.Transaction { return d.call(0, facts.BNS2(false), "name-preorder", hash, u(0)) }},
	} {
		if m := d.mined(0, tt.tx()); m.Result.Repr != tt.result || m.Count != tt.events {
			t.Errorf("%s: %+v, want %s and %d events", tt.name, m, tt.result, tt.events)
		}
		if tt.name == "more than there is" {
			why := get(s, "/mock/v1/tx/0x"+d.last+"/why").Body.String()
			if !strings.Contains(why, "ArithmeticUnderflow") || !strings.Contains(why, `"line":16`) {
				t.Errorf("why: %s", why)
			}
		}
	}
	if is, not := reads(t, s, crowd.ClubID, "is-member", alice), reads(t, s, crowd.ClubID, "is-member", bob); is != "true" || not != "false" {
		t.Errorf("alice is a member: %s, and bob: %s", is, not)
	}
	spent := uint64(700 + 300 + 1_000_000 + 2_000_000 + 14*3000)
	if got := s.world.State().Account(alice).Balance; got != 1_000_000_000_000-spent {
		t.Errorf("alice has %d micro-STX, want %d less than at first", got, spent)
	}
	for _, id := range []string{crowd.SendManyID, crowd.GuestbookID, crowd.ClubID, facts.BNS2(false)} {
		played, _ := s.world.State().Builtin(principalOf(t, id))
		if mistake := contracts.Check(played.Source()); mistake != nil {
			t.Errorf("%s: %v", id, mistake)
		}
	}
}

// What is done to a stranger adds to what it had, and changes nothing of what it did.
func TestAStrangerStaysWhoItWas(t *testing.T) {
	s, other := anchored(t), anchored(t)
	var of *stxtx.Transaction
	var target string
	for height := int64(chain.AnchorHeight - 3); of == nil; height-- {
		for _, tx := range txsOf(s, height) {
			if tx.Payload.Type() == stxtx.TypeTokenTransfer {
				of, target = tx.Transaction, "/extended/v1/tx/"+with0x(tx.ID[:])
			}
		}
	}
	stranger, to := clarity.Principal{Address: of.Auth.Origin.Address(true)}, of.Payload.(stxtx.TokenTransfer).Recipient
	got := fetch(t, s, target).Body.String()
	if got != fetch(t, other, target).Body.String() {
		t.Error("two servers of one seed show two transactions")
	}
	had := s.world.State().Account(to).Balance
	d := &trade{T: t, s: s, people: [3]person{someone("alice"), someone("bob"), someone("carol")}}
	d.mined(0, d.people[0].mainnetTx(0, 3000, stxtx.TokenTransfer{Recipient: to, Amount: 5}))
	if got := s.world.State().Account(to); got.Balance != had+5 || got.Nonce != 0 {
		t.Errorf("%+v, want 5 more than %d", got, had)
	}
	if w := send(s, "POST", "/mock/v1/accounts", fmt.Sprintf(`{"address":%q,"balance":"10","tokens":{%q:"1000000000"}}`, stranger, usda)); w.Code != 200 {
		t.Fatal(w.Body)
	}
	if got := s.world.State().Account(stranger); got.Balance != 10 || got.Nonce != of.Auth.Origin.Nonce+1 {
		t.Errorf("%+v, want 10 micro-STX and the nonce after %d", got, of.Auth.Origin.Nonce)
	}
	if again := fetch(t, s, target).Body.String(); again != got {
		t.Errorf("the transaction is another one: %s, was %s", again, got)
	}
}
