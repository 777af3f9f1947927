package names

import (
	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
	"chainscope/wallet/outcome"
	"chainscope/wallet/stxtx"
)

// Contract is the registry on a network.
type Contract struct {
	*Registry
	id    clarity.Principal
	asset stxtx.Asset
}

// primaryMap is the map of each account's primary name.
const primaryMap = "primary-name"

// importedAt is the burn block in which all names came from the registry before.
const importedAt = 700_000

// The errors of the contract.
var (
	errNotAuthorized  = clarity.Err{Value: clarity.NewUInt(102)}
	errNoName         = clarity.Err{Value: clarity.NewUInt(106)}
	errHashMalformed  = clarity.Err{Value: clarity.NewUInt(107)}
	errBurntTooLittle = clarity.Err{Value: clarity.NewUInt(108)}
	errUnauthorized   = clarity.Err{Value: clarity.NewUInt(114)} // the operation is
	errNoPrimaryName  = clarity.Err{Value: clarity.NewUInt(131)}
)

// Read answers a read-only function whose arguments have the right types. It reports false
// for a function that the contract does not have.
func (c *Contract) Read(l *ledger.Ledger, function string, args []clarity.Value) (clarity.Value, bool) {
	switch function {
	case "get-last-token-id":
		return clarity.OK{Value: clarity.NewUInt(c.last())}, true
	case "get-token-uri":
		return clarity.OK{Value: clarity.Some{Value: clarity.ASCII(tokenURI)}}, true
	case "get-owner":
		return clarity.OK{Value: c.ownerOf(l, args[0])}, true
	case "get-owner-name":
		id, ok := c.find(args)
		if !ok {
			return errNoName, true
		}
		return clarity.OK{Value: c.ownerOf(l, clarity.NewUInt(id))}, true
	case "get-id-from-bns":
		if id, ok := c.find(args); ok {
			return clarity.Some{Value: clarity.NewUInt(id)}, true
		}
		return clarity.None{}, true
	case "get-bns-from-id":
		return c.nameOf(args[0]), true
	case "get-bns-info":
		return c.info(l, args), true
	case "get-primary-name":
		return c.primary(l, args[0]), true
	case "get-primary":
		if id, ok := c.primary(l, args[0]).(clarity.Some); ok {
			return clarity.OK{Value: c.nameOf(id.Value)}, true
		}
		return errNoPrimaryName, true
	}
	return nil, false
}

// Call returns the effect of a public function. It reports false for one that the contract does
// not have.
func (c *Contract) Call(l *ledger.Ledger, caller clarity.Principal, function string, args []clarity.Value) (ledger.Effect, bool) {
	switch function {
	case "transfer":
		return c.transfer(l, caller, args), true
	case "name-preorder":
		return c.preorder(caller, args), true
	case "set-primary-name":
		owner, there := l.Owner(c.asset, args[0])
		switch {
		case !there:
			return ledger.Effect{Result: errNoName}, true
		case owner != caller:
			return ledger.Effect{Result: errNotAuthorized}, true
		}
		return ledger.Effect{Sets: []ledger.Set{c.setPrimary(caller, args[0])}}, true
	}
	return ledger.Effect{}, false
}

// transfer sends a name, which is then nobody's primary name. The first name that an account gets
// becomes its primary one.
func (c *Contract) transfer(l *ledger.Ledger, caller clarity.Principal, args []clarity.Value) ledger.Effect {
	id := args[0]
	from, _ := args[1].(clarity.Principal)
	to, _ := args[2].(clarity.Principal)
	owner, there := l.Owner(c.asset, id)
	name, named := c.nameOf(id).(clarity.Some)
	switch {
	case !named, !there:
		return ledger.Effect{Result: errNoName}
	case owner == to:
		return ledger.Effect{Result: errUnauthorized}
	case owner != caller, owner != from:
		return ledger.Effect{Result: errNotAuthorized}
	}
	does := ledger.Effect{Moves: []outcome.Move{{Asset: c.asset, Token: id, From: &from, To: &to}}}
	if had, ok := c.primary(l, from).(clarity.Some); ok && clarity.Repr(had.Value) == clarity.Repr(id) {
		does.Sets = append(does.Sets, c.setPrimary(from, nil))
	}
	if _, ok := c.primary(l, to).(clarity.None); ok {
		does.Sets = append(does.Sets, c.setPrimary(to, id))
	}
	does.Prints = []ledger.Print{{Contract: c.id, Value: clarity.Tuple{Fields: []clarity.Field{
		{Name: "id", Value: id},
		{Name: "name", Value: name.Value},
		{Name: "owner", Value: to},
		{Name: "properties", Value: clarity.Some{Value: properties(to)}},
		{Name: "topic", Value: clarity.ASCII("transfer-name")},
	}}}}
	return does
}

// hashBytes is the length of the salted hash of a name.
const hashBytes = 20

// preorder burns STX for a name that is still a secret.
func (c *Contract) preorder(caller clarity.Principal, args []clarity.Value) ledger.Effect {
	hash, _ := args[0].(clarity.Buffer)
	burned, _ := args[1].(clarity.UInt)
	switch {
	case len(hash) != hashBytes:
		return ledger.Effect{Result: errHashMalformed}
	case burned.N.Sign() == 0:
		return ledger.Effect{Result: errBurntTooLittle}
	}
	return ledger.Effect{
		Moves: []outcome.Move{{Amount: burned.N, From: &caller}},
		Prints: []ledger.Print{{Contract: c.id, Value: clarity.Tuple{Fields: []clarity.Field{
			{Name: "buyer", Value: caller},
			{Name: "hashed-salted-fqn", Value: hash},
			{Name: "stx-burned", Value: burned},
			{Name: "topic", Value: clarity.ASCII("preorder-name")},
		}}}},
	}
}

func (c *Contract) setPrimary(of clarity.Principal, id clarity.Value) ledger.Set {
	return ledger.Set{Contract: c.id, Name: primaryMap, Key: of, Value: id}
}

// find returns the id of the name that two arguments spell.
func (c *Contract) find(args []clarity.Value) (uint64, bool) {
	label, _ := args[0].(clarity.Buffer)
	namespace, _ := args[1].(clarity.Buffer)
	return c.Registry.id(string(label), string(namespace))
}

// nameOf returns the name with an id as an optional tuple.
func (c *Contract) nameOf(id clarity.Value) clarity.Value {
	n, ok := id.(clarity.UInt)
	if !ok || !n.N.IsUint64() {
		return clarity.None{}
	}
	label, namespace, ok := c.name(n.N.Uint64())
	if !ok {
		return clarity.None{}
	}
	return clarity.Some{Value: clarity.Tuple{Fields: []clarity.Field{
		{Name: "name", Value: clarity.Buffer(label)},
		{Name: "namespace", Value: clarity.Buffer(namespace)},
	}}}
}

func (c *Contract) ownerOf(l *ledger.Ledger, id clarity.Value) clarity.Value {
	if owner, there := l.Owner(c.asset, id); there {
		return clarity.Some{Value: owner}
	}
	return clarity.None{}
}

// primary returns the id of an account's primary name as an optional.
func (c *Contract) primary(l *ledger.Ledger, of clarity.Value) clarity.Value {
	if id, set := l.Held(c.id, primaryMap, of); set {
		return clarity.Some{Value: id}
	}
	p, _ := of.(clarity.Principal)
	if id, ok := c.owned(p.Address.Hash160); ok && p.Contract == "" {
		if owner, there := l.Owner(c.asset, clarity.NewUInt(id)); there && owner == p {
			return clarity.Some{Value: clarity.NewUInt(id)}
		}
	}
	return clarity.None{}
}

// info returns what the registry has of a name, as an optional.
func (c *Contract) info(l *ledger.Ledger, args []clarity.Value) clarity.Value {
	id, ok := c.find(args)
	if !ok {
		return clarity.None{}
	}
	owner, there := l.Owner(c.asset, clarity.NewUInt(id))
	if !there {
		return clarity.None{}
	}
	return clarity.Some{Value: properties(owner)}
}

func properties(owner clarity.Principal) clarity.Tuple {
	return clarity.Tuple{Fields: []clarity.Field{
		{Name: "hashed-salted-fqn-preorder", Value: clarity.None{}},
		{Name: "imported-at", Value: clarity.Some{Value: clarity.NewUInt(importedAt)}},
		{Name: "owner", Value: owner},
		{Name: "preordered-by", Value: clarity.None{}},
		{Name: "registered-at", Value: clarity.None{}},
		{Name: "renewal-height", Value: clarity.NewUInt(0)},
		{Name: "stx-burn", Value: clarity.NewUInt(0)},
	}}
}
