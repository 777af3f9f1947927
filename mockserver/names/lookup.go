package names

import (
	"strings"

	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
)

// ID returns the contract's.
func (c *Contract) ID() clarity.Principal { return c.id }

// Owner returns who has a name such as alice.btc, and the transaction by which it came, nil for
// none. It reports false for a name that nobody has; those that only microblocks have are found
// with unanchored.
func (c *Contract) Owner(l *ledger.Ledger, name string, unanchored bool) (owner clarity.Principal, tx *ledger.Tx, found bool) {
	label, namespace, _ := strings.Cut(name, ".")
	space, known := c.names.Namespace(namespace)
	if !known {
		return owner, nil, false
	}
	if _, found = space.Index(label+space.suffix, unanchored); !found {
		return owner, nil, false
	}
	number, _ := c.Registry.id(label, namespace)
	id := clarity.NewUInt(number)
	if owner, found = l.Owner(c.asset, id); !found {
		return owner, nil, false
	}
	for _, h := range l.Holdings(owner) {
		for _, one := range h.Tokens {
			if h.Asset == c.asset && clarity.Repr(one.Token) == clarity.Repr(id) {
				tx = one.Tx
			}
		}
	}
	return owner, tx, true
}

// NamesOf lists the names that an account has on the network of its address.
func (c *Contract) NamesOf(l *ledger.Ledger, p clarity.Principal) (all []string) {
	here := c.On(p.Address.Mainnet())
	for _, h := range l.Holdings(p) {
		for _, one := range h.Tokens {
			id, ok := one.Token.(clarity.UInt)
			if h.Asset != here.asset || !ok || !id.N.IsUint64() {
				continue
			}
			if label, namespace, known := c.name(id.N.Uint64()); known {
				all = append(all, label+"."+namespace)
			}
		}
	}
	return all
}
