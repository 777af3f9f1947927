package ledger

import "chainscope/wallet/clarity"

// Set is a variable of a contract or, with a key, a map entry, as a call leaves it. A nil
// value holds what nothing has set.
type Set struct {
	Contract clarity.Principal
	Name     string
	Key      clarity.Value
	Value    clarity.Value
}

func (s Set) key() []byte {
	key := append(partyOf(s.Contract).key(), 0)
	key = append(append(key, s.Name...), 0)
	if s.Key == nil {
		return key
	}
	if encoded, err := clarity.Append(key, s.Key); err == nil {
		return encoded
	}
	return append(key, clarity.Repr(s.Key)...)
}

// hold sets variables and map entries, and returns their earlier values, the last first.
func (l *Ledger) hold(sets []Set) (before []Set) {
	for _, s := range sets {
		old, _ := l.data.Get(s.key())
		before = append([]Set{{s.Contract, s.Name, s.Key, old.Value}}, before...)
		if s.Value == nil {
			l.data, _, _ = l.data.Delete(s.key())
			continue
		}
		l.data, _, _ = l.data.Insert(s.key(), s)
	}
	return before
}

// EachHeld passes on what calls have left in the entries of a map.
func (l *Ledger) EachHeld(contract clarity.Principal, name string, each func(key, value clarity.Value)) {
	l.data.Root().WalkPrefix(Set{Contract: contract, Name: name}.key(), func(_ []byte, s Set) bool {
		each(s.Key, s.Value)
		return false
	})
}

// Put sets a variable or a map entry before anything was sent.
func (l *Ledger) Put(s Set) { l.hold([]Set{s}) }

// Held returns what a call has left in a variable or, with a key, in a map.
func (l *Ledger) Held(contract clarity.Principal, name string, key clarity.Value) (clarity.Value, bool) {
	s, ok := l.data.Get(Set{Contract: contract, Name: name, Key: key}.key())
	return s.Value, ok
}
