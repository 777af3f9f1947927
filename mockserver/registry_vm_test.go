//go:build clarity

package mockserver

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"chainscope/wallet/clarity"
	"chainscope/wallet/facts"
	"chainscope/wallet/stxtx"
)

// clerkSource reads the registry of names, and reports what it says.
var clerkSource = strings.ReplaceAll(`
(define-read-only (of-id (id uint))
  (let ((owner (unwrap-panic (contract-call? REGISTRY get-owner id))) (full (contract-call? REGISTRY get-bns-from-id id)))
    { get-owner: owner,
      get-bns-from-id: full,
      get-primary-name: (match owner who (contract-call? REGISTRY get-primary-name who) none) }))
(define-read-only (of-ids (ids (list 100 uint))) (map of-id ids))
(define-read-only (of-name (full { name: (buff 48), namespace: (buff 20) }))
  (let ((name (get name full)) (namespace (get namespace full)))
    { get-id-from-bns: (contract-call? REGISTRY get-id-from-bns name namespace),
      get-owner-name: (contract-call? REGISTRY get-owner-name name namespace),
      get-bns-info: (contract-call? REGISTRY get-bns-info name namespace) }))
(define-read-only (of-names (all (list 100 { name: (buff 48), namespace: (buff 20) }))) (map of-name all))
(define-read-only (of (who principal))
  { full: (contract-call? REGISTRY get-primary who), id: (contract-call? REGISTRY get-primary-name who) })
(define-read-only (about) { last: (contract-call? REGISTRY get-last-token-id), uri: (contract-call? REGISTRY get-token-uri u1) })
(define-public (choose (id uint)) (contract-call? REGISTRY set-primary-name id))
(define-public (reserve (hash (buff 20)) (amount uint))
  (as-contract? ((with-all-assets-unsafe)) (try! (contract-call? REGISTRY name-preorder hash amount))))
(define-public (send-on (id uint) (to principal))
  (as-contract? ((with-all-assets-unsafe)) (try! (contract-call? REGISTRY transfer id tx-sender to))))
(define-public (choose-own (id uint))
  (as-contract? ((with-all-assets-unsafe)) (try! (contract-call? REGISTRY set-primary-name id))))
`, "REGISTRY", "'"+facts.BNS2(true))

// readsRegistry returns what the API's read-only call answers.
func (d *troupe) readsRegistry(function string, args ...clarity.Value) string {
	d.Helper()
	return d.readsOf(idOf(d.T, facts.BNS2(true)), function, args...)
}

// played returns what the registry itself answers, without a request.
func (d *troupe) played(function string, args ...clarity.Value) clarity.Value {
	d.Helper()
	id := idOf(d.T, facts.BNS2(true))
	state := d.s.world.State()
	registry, ok := state.Builtin(id)
	if !ok {
		d.Fatal("there is no registry")
	}
	v, ok := registry.Read(state.Ledger(id), function, args)
	if !ok {
		d.Fatalf("no function %s", function)
	}
	return v
}

// A contract that runs sees the names that the API shows, and their owners.
func TestTheVirtualMachineHasTheNames(t *testing.T) {
	count := 200
	if long {
		count = 1_000
	}
	for _, size := range []int{0, 1, 1_022, 500_000} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			cfg := realEngine()
			cfg.Names, cfg.Seed = size, uint64(size)+9
			d := newTroupe(t, cfg)
			d.does(d.deploys("clerk", clerkSource), "(ok true)")
			d.wants(d.reads("clerk", "about"), fmt.Sprintf("{ last: %s, uri: %s }", d.readsRegistry("get-last-token-id"), d.readsRegistry("get-token-uri", clarity.NewUInt(1))))
			d.agreeOnNames(count)
		})
	}
}

// agreeOnNames compares what a contract is given of names with what the registry says: of those
// at the ends of namespaces, and of others at random.
func (d *troupe) agreeOnNames(count int) {
	d.Helper()
	last := d.played("get-last-token-id").(clarity.OK).Value.(clarity.UInt).N.Uint64()
	ids := []uint64{0, last, last + 1, 1 << 63}
	first := uint64(1)
	for _, space := range d.s.service.Names.All() {
		ids = append(ids, first, first+1)
		first += uint64(space.Count(true))
		for i := range 3 {
			if id, ok := d.played("get-id-from-bns", buff([]string{"alice", "muneeb", "satoshi"}[i]), buff(space.Name())).(clarity.Some); ok {
				ids = append(ids, id.Value.(clarity.UInt).N.Uint64())
			}
		}
	}
	for r := rand.New(rand.NewPCG(last, 1)); len(ids) < count; {
		ids = append(ids, 1+r.Uint64N(last))
	}
	for some := range slices.Chunk(ids, 100) {
		d.compareIDs(some)
	}
}

// compareIDs compares all answers about names and about their owners.
func (d *troupe) compareIDs(ids []uint64) {
	d.Helper()
	var requested, full clarity.List
	var wantIDs, wantNames []string
	optional := func(v clarity.Value, request func(clarity.Value) clarity.Value) clarity.Value {
		if some, ok := v.(clarity.Some); ok {
			return request(some.Value)
		}
		return clarity.None{}
	}
	for _, n := range ids {
		id := clarity.NewUInt(n)
		requested = append(requested, id)
		owner := d.played("get-owner", id).(clarity.OK).Value
		name := d.played("get-bns-from-id", id)
		primary := optional(owner, func(who clarity.Value) clarity.Value { return d.played("get-primary-name", who) })
		wantIDs = append(wantIDs, fmt.Sprintf("{ get-bns-from-id: %s, get-owner: %s, get-primary-name: %s }", clarity.Repr(name), clarity.Repr(owner), clarity.Repr(primary)))
		tuple, ok := name.(clarity.Some)
		if !ok {
			continue
		}
		label, _ := tuple.Value.(clarity.Tuple).Get("name")
		namespace, _ := tuple.Value.(clarity.Tuple).Get("namespace")
		// What is beside a name is none.
		for _, name := range []clarity.Value{label, append(slices.Clone(label.(clarity.Buffer)), 'x'), label.(clarity.Buffer)[1:]} {
			full = append(full, clarity.Tuple{Fields: []clarity.Field{{Name: "name", Value: name}, {Name: "namespace", Value: namespace}}})
			wantNames = append(wantNames, fmt.Sprintf("{ get-bns-info: %s, get-id-from-bns: %s, get-owner-name: %s }", clarity.Repr(d.played("get-bns-info", name, namespace)),
				clarity.Repr(d.played("get-id-from-bns", name, namespace)), clarity.Repr(d.played("get-owner-name", name, namespace))))
		}
	}
	d.wantsAll(d.reads("clerk", "of-ids", requested), wantIDs)
	for len(full) > 0 {
		n := min(len(full), 100)
		d.wantsAll(d.reads("clerk", "of-names", full[:n]), wantNames[:n])
		full, wantNames = full[n:], wantNames[n:]
	}
}

// wantsAll compares a list, and reports the first difference.
func (d *troupe) wantsAll(got string, all []string) {
	d.Helper()
	want := "(list " + strings.Join(all, " ") + ")"
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			d.Fatalf("from %d on got %.300s, want %.300s", i, got[max(0, i-150):], want[max(0, i-150):])
		}
	}
	d.wants(fmt.Sprint(len(got)), fmt.Sprint(len(want)))
}

// A contract moves a name and chooses a primary one, and what the API shows is what it sees:
// through a block, an abort, a canned call, a revert and a reorganization.
func TestTheVirtualMachineMovesNames(t *testing.T) {
	d := newTroupe(t, realEngine())
	d.people = [2]person{tester(t, 0), tester(t, 1)}
	registry, clerk := idOf(t, facts.BNS2(true)), d.contract("clerk")
	idOf := func(label string) clarity.UInt {
		return d.played("get-id-from-bns", buff(label), buff("btc")).(clarity.Some).Value.(clarity.UInt)
	}
	alice, muneeb := idOf("alice"), idOf("muneeb")
	nobodys := clarity.NewUInt(alice.N.Uint64() + 1)
	ids := []uint64{alice.N.Uint64(), muneeb.N.Uint64(), nobodys.N.Uint64(), 1 << 40}
	agree := func() {
		t.Helper()
		d.compareIDs(ids)
		for _, who := range []clarity.Principal{d.who(0), d.who(1), clerk} {
			d.wants(d.reads("clerk", "of", who), fmt.Sprintf("{ full: %s, id: %s }", d.readsRegistry("get-primary", who), d.readsRegistry("get-primary-name", who)))
		}
	}
	call := func(i int, function string, args ...clarity.Value) string {
		return d.send(i, stxtx.ContractCall{Contract: registry, Function: function, Args: args})
	}
	fails := func(id, want string) {
		t.Helper()
		mine(t, d.s, 1)
		d.wants(d.ended(id).Result.Repr, want)
	}
	d.does(d.deploys("clerk", clerkSource), "(ok true)")
	agree()
	fails(call(0, "transfer", alice, d.who(0), d.who(0)), "(err u114)")
	fails(call(1, "transfer", alice, d.who(0), d.who(1)), "(err u102)")
	fails(call(0, "transfer", clarity.NewUInt(0), d.who(0), d.who(1)), "(err u106)")
	fails(call(0, "set-primary-name", muneeb), "(err u102)")
	fails(call(0, "name-preorder", clarity.Buffer("short"), clarity.NewUInt(5)), "(err u107)")
	d.control("snapshot", `{"name":"here"}`)
	sent := d.does(call(0, "transfer", alice, d.who(0), clerk), "(ok true)")
	kinds := ""
	for _, e := range sent.Events {
		kinds += fmt.Sprint(e["event_type"], " ")
	}
	d.wants(kinds, "non_fungible_token_asset smart_contract_log ")
	d.wants(d.readsRegistry("get-primary-name", clerk), "(some "+clarity.Repr(alice)+")")
	d.wants(d.readsRegistry("get-primary-name", d.who(0)), "none")
	agree()
	fails(d.calls(0, "clerk", "choose-own", muneeb), "(err u102)")
	d.does(call(1, "transfer", muneeb, d.who(1), clerk), "(ok true)")
	agree()
	chosen := d.does(d.calls(0, "clerk", "choose-own", muneeb), "(ok true)")
	if len(chosen.Events) != 0 {
		t.Errorf("the events are %v", chosen.Events)
	}
	d.wants(d.readsRegistry("get-primary-name", clerk), "(some "+clarity.Repr(muneeb)+")")
	agree()
	aborted := d.send(1, stxtx.ContractCall{Contract: clerk, Function: "send-on", Args: []clarity.Value{alice, d.who(1)}},
		stxtx.PostCondition{Asset: stxtx.AssetNFT, Condition: stxtx.NFTNotSent, Principal: &clerk, Token: stxtx.Asset{Contract: registry, Name: "BNS-V2"}, TokenID: alice})
	mine(t, d.s, 1)
	d.wants(d.ended(aborted).Status, "abort_by_post_condition")
	agree()
	d.does(d.calls(1, "clerk", "send-on", muneeb, d.who(1)), "(ok true)")
	d.wants(d.readsRegistry("get-primary-name", clerk), "none")
	agree()
	d.control("reorg", `{"depth":2}`)
	d.wants(d.readsRegistry("get-primary-name", clerk), "(some "+clarity.Repr(muneeb)+")")
	agree()
	mine(t, d.s, 1)
	agree()
	// A preorder, of the contract's own STX.
	d.control("accounts", fmt.Sprintf(`{"address":%q,"balance":"1000"}`, clerk))
	hash := clarity.Buffer(strings.Repeat("h", 20))
	preordered := d.does(d.calls(0, "clerk", "reserve", hash, clarity.NewUInt(400)), "(ok true)")
	if len(preordered.Events) != 2 {
		t.Errorf("the events are %v", preordered.Events)
	}
	d.wants(d.balance(clerk), "u600")
	// A canned call takes a name from somebody of whom nothing has moved a name, and burns one.
	d.control("contracts", fmt.Sprintf(`{"contract":"%s.taker","calls":{"take":{"result":"(ok true)","moves":[{"asset":"%s::BNS-V2","from":%q,"to":"sender","id":"%s"}]},"burn":{"result":"(ok true)","moves":[{"asset":"%s::BNS-V2","from":"sender","id":"%s"}]}}}`,
		d.who(0), registry, ownerOf(d, nobodys), clarity.Repr(nobodys), registry, clarity.Repr(nobodys)))
	former := ownerOf(d, nobodys)
	d.does(d.calls(1, "taker", "take"), "(ok true)")
	agree()
	d.wants(ownerOf(d, nobodys).String(), d.who(1).String())
	d.wants(d.reads("clerk", "of", former), "{ full: (err u131), id: none }")
	d.does(d.calls(1, "taker", "burn"), "(ok true)")
	agree()
	d.wants(d.readsRegistry("get-owner", nobodys), "(ok none)")
	d.control("reorg", `{"depth":3}`)
	agree()
	d.wants(ownerOf(d, nobodys).String(), former.String())
	d.control("revert", `{"to":"here"}`)
	agree()
	d.wants(ownerOf(d, alice).String(), d.who(0).String())
}

// ownerOf returns who has a name.
func ownerOf(d *troupe, id clarity.Value) clarity.Principal {
	d.Helper()
	owner, _ := d.played("get-owner", id).(clarity.OK).Value.(clarity.Some)
	p, _ := owner.Value.(clarity.Principal)
	return p
}
