// Package crowd invents what strangers do on the chain: the transactions of its own blocks, of
// which the chain has only the ids. Each is derived from its id when it is requested, and nothing
// is stored: its kind, its sender, its arguments. How it ends is decided elsewhere.
//
// An account takes part in one transaction only, so its balances follow from that one. For the
// same reason no fungible token moves between strangers: the holders of a token are a list, and
// there are as many strangers as transactions. They use what everybody has: STX, and a card of the
// club, which is named after its member.
//
// The package must not import anything of HTTP.
package crowd

import (
	"slices"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/splitmix"
	"chainscope/wallet/c32"
	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// Crowd makes up the transactions of a chain.
type Crowd struct {
	chain *chain.Chain
	kinds []kind
	sum   uint64 // of their weights
}

// New returns the crowd of a chain, which calls the contracts that are there.
func New(c *chain.Chain, there func(clarity.Principal) bool) *Crowd {
	crowd := &Crowd{chain: c}
	for _, k := range kinds() {
		if k.contract.Contract == "" || there(k.contract) {
			crowd.kinds = append(crowd.kinds, k)
			crowd.sum += k.weight
		}
	}
	return crowd
}

// kindOf returns the kind of a transaction.
func (c *Crowd) kindOf(id chain.Hash) *kind {
	n := splitmix.Below(splitmix.Mix(id[1]), c.sum)
	for i := range c.kinds {
		if n < c.kinds[i].weight {
			return &c.kinds[i]
		}
		n -= c.kinds[i].weight
	}
	return &c.kinds[0]
}

// Busy reports whether any transaction calls a contract.
func (c *Crowd) Busy(contract clarity.Principal) bool {
	return contract.Contract != "" && slices.ContainsFunc(c.kinds, func(k kind) bool { return k.contract == contract })
}

// Calls reports whether a transaction calls a contract, for those that do not begin a tenure.
func (c *Crowd) Calls(id chain.Hash, contract clarity.Principal) bool {
	return c.kindOf(id).contract == contract
}

// Transaction returns the transaction with an id, which does not begin a tenure.
func (c *Crowd) Transaction(id chain.Hash) *stxtx.Transaction {
	d := &draft{chain: c.chain, id: id, key: splitmix.NewKey(id[2], 1), tx: &stxtx.Transaction{
		Version: stxtx.VersionMainnet, ChainID: stxtx.ChainIDMainnet, AnchorMode: stxtx.AnchorAny, PostConditionMode: stxtx.ModeDeny,
		Auth: stxtx.Auth{Type: stxtx.AuthStandard, Origin: c.Sender(id)},
	}}
	d.me = d.account(0)
	d.tx.Auth.Origin.Fee = 180 + id[1]%2_000
	k := c.kindOf(id)
	d.contract = k.contract
	k.make(d)
	if _, transfers := d.tx.Payload.(stxtx.TokenTransfer); !transfers {
		d.tx.Auth.Origin.Fee *= 1 + d.below(40) // contracts cost more, and some are in a hurry
		d.sponsored()
	}
	return d.tx
}

// Sender returns who signs a transaction. Its nonce is that of an account which has done more than
// the mock has recorded.
func (c *Crowd) Sender(id chain.Hash) stxtx.SpendingCondition {
	return stxtx.SpendingCondition{Signer: c.chain.Account(id, 0), Nonce: id[0] % 1_000}
}

// draft is a transaction that is being made up.
type draft struct {
	chain    *chain.Chain
	id       chain.Hash
	key      splitmix.Key
	drawn    uint64
	me       clarity.Principal
	contract clarity.Principal // that is called
	tx       *stxtx.Transaction
}

// below draws a number below n.
func (d *draft) below(n uint64) uint64 {
	d.drawn++
	return splitmix.Below(d.key.At(d.drawn), n)
}

// oneOf draws one element.
func oneOf[T any](d *draft, all []T) T { return all[d.below(uint64(len(all)))] }

// account returns the nth account that takes part.
func (d *draft) account(n int) clarity.Principal {
	return clarity.Principal{Address: c32.Address{Version: c32.MainnetP2PKH, Hash160: d.chain.Account(d.id, n)}}
}

// sponsored lets another account pay for one in twelve.
func (d *draft) sponsored() {
	if d.below(12) > 0 {
		return
	}
	auth := &d.tx.Auth
	auth.Type = stxtx.AuthSponsored
	auth.Sponsor = &stxtx.SpendingCondition{Signer: d.chain.Account(d.id, chain.MaxAccounts-1), Nonce: d.below(5_000), Fee: auth.Origin.Fee}
	auth.Origin.Fee = 0
}

// call makes the transaction one that calls the contract.
func (d *draft) call(function string, args ...clarity.Value) {
	d.tx.Payload = stxtx.ContractCall{Contract: d.contract, Function: function, Args: args}
}

// addCondition adds a post-condition on the STX that the sender sends.
func (d *draft) addCondition(code stxtx.ConditionCode, amount uint64) {
	d.tx.PostConditions = append(d.tx.PostConditions, stxtx.PostCondition{Asset: stxtx.AssetSTX, Principal: &d.me, Condition: code, Amount: amount})
}
