package params

import (
	"fmt"

	"chainscope/wallet/bitcoin"
	"chainscope/wallet/keys"
	"chainscope/wallet/signer"
)

// Context holds what the fields of a request are checked against: a network, and
// the addresses of the wallet on it.
type Context struct {
	Network signer.Network
	Account uint32
	// Mine are the addresses of the active account, Next those of the account
	// behind it, to which examples send.
	Mine, Next Addresses
	// Locked says that the keys are not known; the addresses are those of the
	// public test mnemonic then.
	Locked bool
	owner  *bitcoin.Owner
	ring   *keys.Ring
}

// Addresses are those of one account.
type Addresses struct{ STX, P2WPKH, P2TR string }

// NewContext derives the addresses, which takes some milliseconds. A nil ring
// is one that is locked. The error reports an unknown network.
func NewContext(ring *keys.Ring, account uint32, networkName string) (*Context, error) {
	n, known := signer.NetworkNamed(networkName)
	if !known {
		return nil, fmt.Errorf("there is no network %.40q", networkName)
	}
	c := &Context{Network: n, Account: account, Locked: ring == nil, ring: ring}
	if ring == nil {
		c.ring = keys.NewTestRing()
	}
	var err error
	if c.Mine, err = addressesOf(c.ring, account, n); err != nil {
		return nil, err
	}
	if c.Next, err = addressesOf(c.ring, keys.Next(account), n); err != nil {
		return nil, err
	}
	c.owner, err = signer.Owner(c.ring, account, n)
	return c, err
}

func addressesOf(ring *keys.Ring, account uint32, n signer.Network) (Addresses, error) {
	entries, err := signer.Addresses(ring, account, n)
	if err != nil {
		return Addresses{}, err
	}
	return Addresses{P2WPKH: entries[0].Address, P2TR: entries[1].Address, STX: entries[2].Address}, nil
}

// Example returns a draft that the wallet takes as it is.
func (c *Context) Example(method string) (Draft, error) {
	m, known := signer.Lookup(method)
	if !known {
		return Draft{}, fmt.Errorf("there is no form for %.60q", method)
	}
	params, err := m.ExampleFor(c.ring, c.Account, c.Network)
	if err == nil {
		params, err = m.WithLiterals(params)
	}
	if err != nil {
		return Draft{}, err
	}
	return formOf(m).Load(params)
}

// ownerOf returns in words to whom an address belongs, "" for a stranger.
func (c *Context) ownerOf(address string) string {
	if c == nil || c.Locked {
		return ""
	}
	switch address {
	case c.Mine.STX, c.Mine.P2WPKH, c.Mine.P2TR:
		return fmt.Sprintf("account %d of this wallet", c.Account)
	case c.Next.STX, c.Next.P2WPKH, c.Next.P2TR:
		return fmt.Sprintf("account %d of this wallet", c.Account+1)
	}
	return ""
}
