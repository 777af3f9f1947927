package signer

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"slices"

	"chainscope/wallet/c32"
	"chainscope/wallet/clarity"
	"chainscope/wallet/hidden"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/stxtx"
)

// transactionCall signs one Stacks transaction. It is never changed: Prepare
// and Edit work on a copy.
type transactionCall struct {
	base   Description // without what depends on nonce and fee
	env    Env
	signer identity
	tx     *stxtx.Transaction
	fee    Origin
	nonce  Origin
	// version holds what remains to be settled of the version of Clarity.
	version versionChoice
	// sponsors says that the signature is that of the sponsor.
	sponsors bool
	// broadcast says that the page wants the transaction sent.
	broadcast bool
	unsigned  string
	// impersonated says that a mock takes it without a signature.
	impersonated bool
}

// newTransaction reads the common params and builds the unsigned transaction. Own are the
// post-conditions of the method where the params have none.
func (r *request) newTransaction(id identity, d Description, payload stxtx.Payload, own ...stxtx.PostCondition) (Call, error) {
	conditions := own
	if r.has("postConditions") {
		conditions = items[stxtx.PostCondition](r, "postConditions")
	}
	mode := stxtx.ModeDeny
	if r.has("postConditionMode") {
		mode = get[stxtx.PostConditionMode](r, "postConditionMode")
	}
	d.describePayload(payload)
	c := &transactionCall{base: d, env: r.env, signer: id, broadcast: get[bool](r, "broadcast") || !r.has("broadcast")}
	c.tx = &stxtx.Transaction{
		Version: d.Network.TransactionVersion, ChainID: d.Network.ChainID,
		Auth:       stxtx.Auth{Type: stxtx.AuthStandard, Origin: id.condition()},
		AnchorMode: stxtx.AnchorAny, PostConditionMode: mode, PostConditions: conditions, Payload: payload,
	}
	if get[bool](r, "sponsored") {
		c.tx.Auth.Type, c.tx.Auth.Sponsor = stxtx.AuthSponsored, stxtx.Unsponsored()
		c.fee = FromLocal // the sponsor pays
	}
	if r.has("fee") {
		c.tx.Auth.Origin.Fee, c.fee = get[uint64](r, "fee"), FromParams
	}
	if r.has("nonce") {
		c.tx.Auth.Origin.Nonce, c.nonce = get[uint64](r, "nonce"), FromParams
	}
	return c, c.encode()
}

func (c *transactionCall) encode() error {
	text, err := c.tx.Hex()
	if err != nil {
		return jsonrpc.InvalidParam("params", "they make no valid transaction: %v", err)
	}
	c.unsigned = text
	return nil
}

func (c *transactionCall) Method() string { return c.base.Method }

// condition returns what is signed with: that of the origin, or of its sponsor.
func (c *transactionCall) condition() *stxtx.SpendingCondition {
	if c.sponsors {
		return c.tx.Auth.Sponsor
	}
	return &c.tx.Auth.Origin
}

// clone copies what Prepare and Edit change.
func (c *transactionCall) clone() *transactionCall {
	d := *c
	d.tx = c.tx.Clone()
	return &d
}

func (c *transactionCall) Prepare(ctx context.Context) (Call, error) {
	if c.signer.key == nil {
		if err := c.env.impersonated(ctx, c.signer.Address); err != nil {
			return nil, err
		}
		c = c.clone()
		c.impersonated = true
	}
	c, err := c.settleVersion(ctx)
	if err != nil {
		return nil, err
	}
	if c.fee != FromNowhere && c.nonce != FromNowhere {
		return c, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p := c.clone()
	signed := p.condition()
	if c.nonce == FromNowhere {
		signed.Nonce, p.nonce = c.env.Local.Next(c.sender()), FromLocal
		if c.env.Source != nil {
			if n, err := c.env.Source.NextNonce(ctx, c.sender()); err == nil {
				signed.Nonce, p.nonce = n, FromChain
			}
		}
	}
	if c.fee == FromNowhere {
		signed.Fee, p.fee = DefaultFee, FromLocal
		if c.env.Source != nil {
			if n, err := c.env.Source.Fee(ctx, p.tx.Clone()); err == nil {
				signed.Fee, p.fee = n, FromChain
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return p, p.encode()
}

// sender returns the address whose nonces are counted.
func (c *transactionCall) sender() string {
	if c.base.Signers != nil {
		return c.base.Signers.Address
	}
	return c.signer.Address
}

func (c *transactionCall) Edit(e Edit) (Call, error) {
	if s := c.base.Signers; s != nil && s.Signed > 0 {
		return nil, jsonrpc.InvalidParam("fee", "nothing can change: another key has signed it")
	}
	if _, moves := c.tx.Payload.(stxtx.TokenTransfer); moves && e.Conditions != nil {
		return nil, jsonrpc.InvalidParam("postConditions", "a transfer of STX takes none")
	}
	if c.base.Repair != nil {
		if err := c.editRepair(e); err != nil {
			return nil, err
		}
	}
	p := c.clone()
	if e.Fee != nil {
		p.condition().Fee, p.fee = *e.Fee, FromUser
	}
	if e.Nonce != nil {
		p.condition().Nonce, p.nonce = *e.Nonce, FromUser
	}
	if e.Conditions != nil {
		p.tx.PostConditionMode, p.tx.PostConditions = e.Conditions.Mode, slices.Clone(e.Conditions.List)
	}
	return p, p.encode()
}

func (c *transactionCall) Describe() Description {
	d := c.base
	signed := c.condition()
	conditions := c.tx.PostConditions
	if conditions == nil {
		conditions = []stxtx.PostCondition{}
	}
	d.Transaction = &Transaction{
		Nonce: signed.Nonce, Fee: signed.Fee, NonceFrom: c.nonce, FeeFrom: c.fee,
		Sponsored: c.tx.Auth.Sponsor != nil && !c.sponsors, Broadcast: c.broadcast,
		PostConditionMode: c.tx.PostConditionMode.String(), PostConditions: conditions,
		Size: len(c.unsigned) / 2, Unsigned: c.unsigned,
	}
	d.Warnings = append(Warnings{}, c.base.Warnings...)
	d.Warnings.conditions(conditions, d.Network)
	d.Warnings.account(c.signer.Account)
	c.warn(&d.Warnings)
	return d
}

// warn adds the warnings about the transaction as it is now.
func (c *transactionCall) warn(w *Warnings) {
	signed, sponsored := c.condition(), c.tx.Auth.Sponsor != nil && !c.sponsors
	if c.signer.key == nil {
		w.add(WarnUnsigned, "", "it is sent without a signature: the mock impersonates the sender")
	} else {
		w.mainnet(c.tx.Mainnet(), c.env)
	}
	transfer, isTransfer := c.tx.Payload.(stxtx.TokenTransfer)
	if !isTransfer {
		if c.tx.PostConditionMode == stxtx.ModeAllow {
			w.add(WarnAllowMode, "postConditionMode", "allow mode: transfers that no post-condition names are let through")
		}
		if len(c.tx.PostConditions) == 0 {
			w.add(WarnNoPostConditions, "postConditions", "there are no post-conditions")
		}
	}
	switch {
	case signed.Fee > HighFee:
		w.add(WarnHighFee, "fee", "the fee is above %d micro-STX", HighFee)
	case isTransfer && signed.Fee > transfer.Amount && (c.base.Repair == nil || c.base.Repair.Kind != Cancel):
		w.add(WarnHighFee, "fee", "the fee is more than the amount")
	}
	if c.nonce == FromLocal {
		w.add(WarnLocalNonce, "nonce", "could not reach a chain, so the nonce was counted locally")
	}
	if c.fee == FromLocal && !sponsored {
		w.add(WarnDefaultFee, "fee", "could not reach a chain, so the fee is the default")
	}
}

func (c *transactionCall) Sign(ctx context.Context) (json.RawMessage, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if c.fee == FromNowhere || c.nonce == FromNowhere {
		return nil, jsonrpc.NewError(jsonrpc.InternalError, "the transaction has no nonce or no fee yet")
	}
	tx := c.tx.Clone()
	sign := tx.SignOrigin
	if c.sponsors {
		sign = tx.SignSponsor
	}
	if c.signer.key == nil {
		if !c.impersonated {
			return nil, errNoKeys()
		}
		own := &tx.Auth.Origin
		if c.sponsors {
			own = tx.Auth.Sponsor
		}
		own.Signature = stxtx.Signature{}
	} else if err := sign(c.signer.key.Sign); err != nil {
		return nil, jsonrpc.NewError(jsonrpc.InternalError, "%v", err)
	}
	b, err := tx.Encode()
	if err != nil {
		return nil, jsonrpc.NewError(jsonrpc.InternalError, "%v", err)
	}
	out := struct {
		TxID        string `json:"txid"`
		Transaction string `json:"transaction"`
	}{"", hex.EncodeToString(b)}
	origin := &tx.Auth.Origin
	complete := !origin.HashMode.Multisig() || origin.Signatures() >= int(origin.Required)
	if (tx.Auth.Sponsor == nil || c.sponsors) && complete { // a later signature changes the id
		out.TxID = stxtx.ID(b)
	}
	c.env.Local.Used(c.sender(), c.condition().Nonce)
	return result(out)
}

// describePayload writes what a payload does into the description, and warns of
// what is odd about it.
func (d *Description) describePayload(p stxtx.Payload) {
	w := &d.Warnings
	switch p := p.(type) {
	case stxtx.TokenTransfer:
		d.describeTransfer(p)
	case stxtx.ContractCall:
		args := make([]stxtx.ExplainValue, len(p.Args))
		for i, arg := range p.Args {
			args[i] = stxtx.ExplainValue{Value: arg}
			w.value(Indexed("functionArgs", i), arg)
		}
		d.Call = &Invocation{p.Contract.String(), p.Function, args}
		w.network("contract", p.Contract.Address, d.Network)
	case stxtx.SmartContract:
		deploy := NewDeploy(d.Account.Address+"."+p.Name, p)
		d.Deploy = &deploy
		w.hidden("clarityCode", hidden.FindText(p.Code))
		if at, found := stxtx.FindUnreadable(p.Code); found {
			w.add(WarnUnreadable, "clarityCode", "%s", at)
		}
	default:
		d.Other = p.Type().String()
	}
}

// mainnet warns of what is for the main network.
func (w *Warnings) mainnet(is bool, env Env) {
	if !is {
		return
	}
	w.add(WarnMainnet, "network", "this is for mainnet: with real keys it moves real coins")
	if env.Keys.PublicTest() {
		w.add(WarnPublicKeys, "", "the keys are those of the public test mnemonic, known to anyone")
	}
}

// network warns of an address that belongs to another network.
func (w *Warnings) network(path string, a c32.Address, n Network) {
	if n.Mainnet() && a.Testnet() || !n.Mainnet() && a.Mainnet() {
		w.add(WarnNetwork, path, "the address is of another network than %s", n.Name)
	}
}

// conditions warns of addresses of another network and of hidden characters.
func (w *Warnings) conditions(list []stxtx.PostCondition, n Network) {
	for i, p := range list {
		if p.Principal != nil {
			w.network(Indexed("postConditions", i)+".address", p.Principal.Address, n)
		}
		if p.Asset == stxtx.AssetNFT {
			w.value(Indexed("postConditions", i)+".assetId", p.TokenID)
		}
	}
}

// sender returns the principal of an account.
func (id identity) sender() clarity.Principal {
	a, err := c32.ParseAddress(id.Address)
	if err != nil {
		panic("signer: the wallet made an address that it cannot read") // cannot happen
	}
	return clarity.Principal{Address: a}
}
