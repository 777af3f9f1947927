package signer

import (
	"errors"
	"fmt"

	"chainscope/wallet/bitcoin"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/keys"
)

// bitcoinName holds what the Bitcoin side of an account is kept under in the ring.
type bitcoinName struct {
	account uint32
	network string
}

// bitcoinAccount derives the Bitcoin side of an account, once: its addresses
// take four times as long as a signature.
func bitcoinAccount(ring *keys.Ring, index uint32, n Network) (*bitcoin.Account, error) {
	a, err := keys.Once(ring, bitcoinName{index, n.Bitcoin()}, func() (*bitcoin.Account, error) {
		network, err := bitcoin.NetworkNamed(n.Bitcoin())
		if err != nil {
			return nil, err
		}
		wpkh, err := ring.Bitcoin(keys.P2WPKH, n.CoinType(), index)
		if err != nil {
			return nil, err
		}
		tr, err := ring.Bitcoin(keys.P2TR, n.CoinType(), index)
		if err != nil {
			return nil, err
		}
		return bitcoin.NewAccount(network, wpkh.Secp256k1(), tr.Secp256k1())
	})
	if err != nil {
		return nil, jsonrpc.NewError(jsonrpc.InternalError, "%v", err)
	}
	return a, nil
}

// Owner returns the Bitcoin side of an account without its keys.
func Owner(ring *keys.Ring, account uint32, n Network) (*bitcoin.Owner, error) {
	a, err := bitcoinAccount(ring, account, n)
	if err != nil {
		return nil, err
	}
	return &a.Owner, nil
}

// describeBitcoin makes the description of a Bitcoin transaction.
func (r *request) describeBitcoin(index uint32, n Network, notes Warnings, b bitcoin.Description) (Description, error) {
	id, err := r.env.identity(index, n)
	if err != nil {
		return Description{}, err
	}
	d := r.describe(id.Account, n, notes)
	d.Bitcoin = &b
	if id.Selected {
		d.Warnings.add(WarnAccount, "signInputs", "the inputs are those of account %d, which is not the active one", index)
	}
	d.Warnings.mainnet(n.Mainnet(), r.env)
	for _, own := range b.Warnings {
		d.Warnings.add(bitcoinWarnings[own.Code], "", "%s", own.Message)
	}
	return d, nil
}

// Kinds of warnings about Bitcoin transactions.
const (
	WarnFeeUnknown    WarningKind = "fee-unknown"
	WarnUnfunded      WarningKind = "outputs-exceed-inputs"
	WarnDust          WarningKind = "dust"
	WarnForeignInputs WarningKind = "foreign-inputs"
	WarnLockTime      WarningKind = "lock-time"
	WarnNotSent       WarningKind = "not-sent"
)

// bitcoinWarnings names the warnings of package bitcoin.
var bitcoinWarnings = map[string]WarningKind{
	"odd_sighash": WarnSighash, "high_fee": WarnHighFee, "fee_unknown": WarnFeeUnknown, "outputs_exceed_inputs": WarnUnfunded,
	"dust": WarnDust, "foreign_inputs": WarnForeignInputs, "locktime": WarnLockTime,
}

// bitcoinError gives errors of package bitcoin a code.
func bitcoinError(err error) error {
	if err == nil {
		return nil
	}
	if e, is := errors.AsType[*jsonrpc.Error](err); is {
		return e
	}
	return &jsonrpc.Error{Code: jsonrpc.InternalError, Message: fmt.Sprintf("the Bitcoin transaction cannot be signed: %v", err), Cause: err}
}
