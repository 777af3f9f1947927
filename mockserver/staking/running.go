package staking

import (
	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
	"chainscope/wallet/facts"
	"chainscope/wallet/stxtx"
)

// What is kept of the pox-5 of a virtual machine, by signer: the keys that it registered, and those that
// it was granted, each with its transaction. The contract keeps the newest alone, and no transaction.
const (
	registered = "mock-registered"
	grants     = "mock-grants"
)

// Kept returns what has to be kept of a transaction after which a virtual machine has the entries of pox-5 that
// entry reads: of everybody whose STX it locked what they stake, and the keys of the signers.
func Kept(l *ledger.Ledger, tx *ledger.Tx, locks []ledger.Lock, calls []stxtx.ContractCall, entry func(name string, key clarity.Value) (clarity.Value, error)) (sets []ledger.Set, err error) {
	contract := Contract(true)
	for _, lock := range locks {
		if lock.Contract != facts.PoX5 {
			continue
		}
		v, err := entry(stakerInfo, lock.Of)
		if err != nil {
			return nil, err
		}
		if some, ok := v.(clarity.Some); ok { // what a bond locks is none
			sets = append(sets, ledger.Set{Contract: contract, Name: stakerInfo, Key: lock.Of, Value: some.Value})
		}
	}
	for _, c := range calls {
		signer, key, auth := grant(c)
		name, of := grants, clarity.Value(tuple("signer-key", key, "signer-manager", signer))
		if c.Function == "register-signer" {
			name, of = registered, signer
		}
		if key == nil {
			continue
		}
		v, err := entry(map[string]string{registered: "signers", grants: "signer-key-grants"}[name], of)
		if err != nil {
			return nil, err
		}
		some, stands := v.(clarity.Some)
		if name == registered && (!stands || clarity.Repr(some.Value) != clarity.Repr(key)) {
			continue // it was rolled back, or replaced by the next one
		}
		had, _ := l.Held(contract, name, signer)
		for _, s := range sets {
			if s.Name == name && s.Key == clarity.Value(signer) {
				had = s.Value
			}
		}
		list, _ := had.(clarity.List)
		if name == grants {
			list = those(list, func(v clarity.Value) bool { return clarity.Repr(field(v, "key")) != clarity.Repr(key) })
		}
		if stands {
			list = append(list[:len(list):len(list)], tuple("auth-id", auth, "key", key, "tx-id", clarity.Buffer(tx.ID[:])))
		}
		sets = append(sets, ledger.Set{Contract: contract, Name: name, Key: signer, Value: list})
	}
	return sets, nil
}

// grant returns the signer of a call, its key, nil for none, and the number of the grant.
func grant(c stxtx.ContractCall) (signer clarity.Principal, key clarity.Value, auth clarity.Value) {
	auth = clarity.NewUInt(0)
	switch {
	case c.Function == "register-signer" || c.Function == "revoke-signer-grant":
		signer, _ = c.Args[0].(clarity.Principal)
		return signer, c.Args[1], auth
	case c.Function == "grant-signer-key":
		signer, _ = c.Args[1].(clarity.Principal)
		return signer, c.Args[0], c.Args[2]
	}
	return signer, nil, auth
}

// field returns a field of a tuple, none where there is none.
func field(v clarity.Value, name string) clarity.Value {
	t, _ := v.(clarity.Tuple)
	if v, ok := t.Get(name); ok {
		return v
	}
	return clarity.None{}
}

// number returns a field of a tuple that is a number, 0 where there is none.
func number(v clarity.Value, name string) int64 {
	if n, ok := field(v, name).(clarity.UInt); ok {
		return n.N.Int64()
	}
	return 0
}

// principal returns a field of a tuple that is a principal.
func principal(v clarity.Value, name string) clarity.Principal {
	p, _ := field(v, name).(clarity.Principal)
	return p
}

// running lists the signers whose contracts run.
func (n Now) running() (all []*Signer) {
	for _, l := range n.ledgers {
		l.EachHeld(Contract(true), registered, func(signer, keys clarity.Value) {
			s := &Signer{Keys: n.keys(l, keys)}
			s.ID, _ = signer.(clarity.Principal)
			granted, _ := l.Held(Contract(true), grants, signer)
			s.Granted = n.keys(l, granted)
			all = append(all, s)
		})
	}
	return all
}

// keys reads the keys that are kept.
func (n Now) keys(l *ledger.Ledger, kept clarity.Value) (all []Key) {
	list, _ := kept.(clarity.List)
	for _, v := range list {
		k := Key{Auth: uint64(number(v, "auth-id"))}
		id, _ := field(v, "tx-id").(clarity.Buffer)
		key, _ := field(v, "key").(clarity.Buffer)
		copy(k.Bytes[:], key)
		if k.Tx, _ = l.Lookup([32]byte(id)); k.Tx == nil { // it was forgotten
			k.Tx = &ledger.Tx{ID: [32]byte(id)}
		}
		k.Burn = n.burnOf(k.Tx.Height)
		all = append(all, k)
	}
	return all
}
