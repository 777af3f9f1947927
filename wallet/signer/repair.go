package signer

import (
	"errors"
	"fmt"
	"strings"

	"chainscope/wallet/c32"
	"chainscope/wallet/clarity"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/keys"
	"chainscope/wallet/stxtx"
)

// RepairKind is a remedy for a transaction that is stuck.
type RepairKind string

// The repairs.
const (
	Replace RepairKind = "replace" // the same transaction with a higher fee
	Cancel  RepairKind = "cancel"  // another transaction with its nonce, which does next to nothing
	Sponsor RepairKind = "sponsor" // the signature of a sponsor, who pays the fee
)

// Repair holds what a repair is about.
type Repair struct {
	Kind RepairKind `json:"kind"`
	// TxID is the transaction whose place is taken and Fee what it pays; "" for a nonce that
	// none has.
	TxID string `json:"txid,omitempty"`
	Fee  uint64 `json:"fee,string,omitempty"`
	// Origin is the account that a sponsor signs for, and Nonce that account's.
	Origin string `json:"origin,omitempty"`
	Nonce  uint64 `json:"nonce,string,omitempty"`
}

// least returns the least fee of a transaction of so many bytes: that of a node, and more than the
// one whose place it takes pays.
func (r Repair) least(size int) uint64 {
	least := uint64(size)
	if r.TxID != "" && r.Fee+1 > least {
		return r.Fee + 1
	}
	return least
}

// LeastFee returns the least fee that nodes take where a transaction is signed again or sponsored, in micro-STX; 0
// where the wallet leaves it to the user.
func (d Description) LeastFee() uint64 {
	if d.Repair == nil || d.Transaction == nil {
		return 0
	}
	return d.Repair.least(d.Transaction.Size)
}

// raised returns the fee where none is named: a tenth above that of the transaction whose place is
// taken.
func (r Repair) raised(size int) uint64 { return max(r.Fee+(r.Fee+9)/10, r.least(size)) }

// Replace signs a transaction again with a higher fee: a tenth above the one that it pays where fee
// is 0. The error says what is in the way.
func (env Env) Replace(tx *stxtx.Transaction, fee uint64) (Call, error) {
	return env.again(Replace, tx, fee)
}

// Cancel signs a transfer of 1 micro-STX to another account of the wallet, with the nonce of a
// transaction and a higher fee. Nodes take no transfer to the sender itself.
func (env Env) Cancel(tx *stxtx.Transaction, fee uint64) (Call, error) {
	return env.again(Cancel, tx, fee)
}

// again makes the transaction that takes the place of another.
func (env Env) again(kind RepairKind, of *stxtx.Transaction, fee uint64) (Call, error) {
	c, err := env.repairing(kind, of)
	if err != nil {
		return nil, err
	}
	id, err := of.TxID()
	if err != nil {
		return nil, err
	}
	paying := &of.Auth.Origin
	if of.Auth.Sponsor != nil {
		paying = of.Auth.Sponsor
		if kind == Cancel {
			return nil, errors.New("a sponsor pays for it, and only a transaction with the same sponsor takes its place: it can be replaced by its sponsor")
		}
		c.sponsors = true
	}
	role := "sender"
	if c.sponsors {
		role = "sponsor"
	}
	if paying.HashMode.Multisig() {
		return nil, fmt.Errorf("its %s has several keys, each of which has to sign it again", role)
	}
	var found bool
	if c.signer, found, err = env.find(c.base.Network, func(id identity) bool {
		return id.signs(paying, of.Mainnet())
	}); err != nil {
		return nil, err
	}
	if !found {
		return nil, fmt.Errorf("its %s %s is not %s", role, paying.Address(of.Mainnet()), env.searchedIn())
	}
	if kind == Cancel {
		if err := c.spendNothing(env); err != nil {
			return nil, err
		}
	}
	c.base.Repair = &Repair{Kind: kind, TxID: fmt.Sprintf("%x", id), Fee: paying.Fee}
	c.nonce = FromReplaced
	return c.ready(fee)
}

// Fill signs a transfer of 1 micro-STX to another account of the wallet, with a nonce of the active
// account that no transaction has.
func (env Env) Fill(nonce, fee uint64) (Call, error) {
	n, _ := NetworkNamed(env.Network)
	c, err := env.repairing(Cancel, &stxtx.Transaction{
		Version: n.TransactionVersion, ChainID: n.ChainID, AnchorMode: stxtx.AnchorAny,
		Auth: stxtx.Auth{Type: stxtx.AuthStandard},
	})
	if err != nil {
		return nil, err
	}
	if c.signer, err = env.identity(env.Account, n); err != nil {
		return nil, err
	}
	c.tx.Auth.Origin = c.signer.condition()
	c.tx.Auth.Origin.Nonce, c.base.Network = nonce, n
	if err := c.spendNothing(env); err != nil {
		return nil, err
	}
	c.base.Repair = &Repair{Kind: Cancel}
	if fee == 0 {
		c.fee = FromNowhere
	}
	return c.ready(fee)
}

// Sponsor signs a transaction that its origin has signed as the sponsor, who is the active account and
// pays the fee; a fee of 0 is estimated. The error says what is in the way.
func (env Env) Sponsor(tx *stxtx.Transaction, fee uint64) (Call, error) {
	c, err := env.repairing(Sponsor, tx)
	if err != nil {
		return nil, err
	}
	origin := &tx.Auth.Origin
	switch {
	case tx.Auth.Sponsor == nil:
		return nil, errors.New("it is not sponsored: its own sender pays the fee")
	case tx.Auth.Sponsor.Signatures() > 0:
		return nil, errors.New("a sponsor has signed it already; replace it to raise the fee")
	}
	if err := tx.VerifyOrigin(); err != nil {
		return nil, fmt.Errorf("its sender has to sign it first: %s", strings.TrimPrefix(err.Error(), "transaction: origin: "))
	}
	if c.signer, err = env.identity(env.Account, c.base.Network); err != nil {
		return nil, err
	}
	c.sponsors, c.nonce = true, FromNowhere
	*c.tx.Auth.Sponsor = c.signer.condition()
	if c.tx.Auth.Sponsor.Signer == origin.Signer { // one account has one nonce
		c.tx.Auth.Sponsor.Nonce, c.nonce = origin.Nonce, FromParams
	}
	c.base.Repair = &Repair{Kind: Sponsor}
	if fee == 0 {
		c.fee = FromNowhere
	}
	return c.ready(fee)
}

// Of returns the wallet with the account of an address as the active one, on a network of that address.
func (env Env) Of(address string) (Env, error) {
	a, err := c32.ParseAddress(address)
	if err != nil {
		return env, err
	}
	if env.Keys == nil && env.Persona.Watched == nil {
		return env, errNoKeys()
	}
	if n, _ := NetworkNamed(env.Network); n.Mainnet() != a.Mainnet() {
		env.Network = "testnet"
		if a.Mainnet() {
			env.Network = "mainnet"
		}
	}
	n, _ := NetworkNamed(env.Network)
	id, found, err := env.find(n, func(id identity) bool { return id.Address == address })
	if err == nil && !found {
		err = fmt.Errorf("%s is not %s", address, env.searchedIn())
	}
	env.Account = id.Index
	return env, err
}

// repairing begins a call about a transaction.
func (env Env) repairing(kind RepairKind, tx *stxtx.Transaction) (*transactionCall, error) {
	if env.Keys == nil && env.Persona.Watched == nil {
		return nil, errNoKeys()
	}
	n, _ := NetworkNamed(env.Network)
	if n.Mainnet() != tx.Mainnet() {
		n, _ = NetworkNamed("testnet")
		if tx.Mainnet() {
			n, _ = NetworkNamed("mainnet")
		}
	}
	return &transactionCall{
		base: Description{Method: string(kind), Network: n, Warnings: Warnings{}}, env: env,
		tx: tx.Clone(), fee: FromParams, nonce: FromParams, broadcast: true,
	}, nil
}

// spendNothing makes the transaction a transfer of 1 micro-STX to another account of the wallet; of a watched address,
// to that of the contracts of the network itself.
func (c *transactionCall) spendNothing(env Env) error {
	c.tx.PostConditionMode, c.tx.PostConditions = stxtx.ModeDeny, nil
	if env.Persona.Watched != nil {
		c.tx.Payload = stxtx.TokenTransfer{Recipient: clarity.Principal{Address: c32.Address{Version: c.base.Network.addressVersion()}}, Amount: 1}
		return nil
	}
	other := c.signer.Index + 1
	if c.signer.Index == keys.MaxAccount {
		other = c.signer.Index - 1
	}
	to, err := env.identity(other, c.base.Network)
	if err != nil {
		return err
	}
	c.tx.Payload = stxtx.TokenTransfer{Recipient: to.sender(), Amount: 1}
	return nil
}

// ready takes the signatures away that are made anew, describes the transaction and sets its fee.
func (c *transactionCall) ready(fee uint64) (Call, error) {
	signed := c.condition()
	signed.Signature = stxtx.Signature{}
	r := c.base.Repair
	// What a contract is called and whose transfer it is depends on the origin.
	c.base.Account = c.signer.Account
	if c.sponsors {
		r.Origin, r.Nonce = c.tx.Auth.Origin.Address(c.tx.Mainnet()).String(), c.tx.Auth.Origin.Nonce
		c.base.Account.Address = r.Origin
	}
	c.base.describePayload(c.tx.Payload)
	c.base.Account = c.signer.Account
	if err := c.encode(); err != nil {
		return nil, err
	}
	if fee == 0 && c.fee != FromNowhere {
		fee, c.fee = r.raised(len(c.unsigned)/2), FromReplaced
	}
	signed.Fee = fee
	if c.fee != FromNowhere {
		if err := c.checkFee(fee); err != nil {
			return nil, err
		}
	}
	return c, c.encode()
}

// checkFee refuses a fee that no node takes, and says by how much it is too low.
func (c *transactionCall) checkFee(fee uint64) error {
	r := c.base.Repair
	least := r.least(len(c.unsigned) / 2)
	switch {
	case fee >= least:
		return nil
	case r.TxID != "" && least == r.Fee+1:
		return fmt.Errorf("a fee of %d micro-STX is %d too low: the transaction whose place it takes pays %d, so it must be at least %d", fee, least-fee, r.Fee, least)
	}
	return fmt.Errorf("a fee of %d micro-STX is %d too low: nodes take 1 micro-STX for each of its %d bytes", fee, least-fee, least)
}

// editRepair refuses what would make another transaction of a repair.
func (c *transactionCall) editRepair(e Edit) error {
	switch {
	case e.Nonce != nil && c.base.Repair.Kind != Sponsor:
		return jsonrpc.InvalidParam("nonce", "cannot change: it is that of the transaction whose place this takes")
	case e.Conditions != nil:
		return jsonrpc.InvalidParam("postConditions", "cannot change: it is the same transaction")
	case e.Fee != nil:
		if err := c.checkFee(*e.Fee); err != nil {
			return jsonrpc.InvalidParam("fee", "%v", err)
		}
	}
	return nil
}
