package signer

import (
	"errors"
	"fmt"

	"chainscope/wallet/bitcoin"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/keys"
)

// bitcoinMethods are the methods that sign with Bitcoin keys.
func bitcoinMethods() []Method {
	message := []Param{
		required("message", "string", "the text to sign"),
		optional("address", "string", "a Bitcoin address of the wallet that has to sign"),
		optional("protocol", "string", "BIP322 or ECDSA; ECDSA for a p2wpkh address and BIP322 for p2tr when absent"),
	}
	return []Method{
		{
			Name: "sendTransfer", Also: []string{"address", "amount", "account"}, parse: parseSendTransfer,
			Params: []Param{required("recipients", "array", "objects with address and amount (satoshis)"), networkParam},
		},
		{
			Name: "signPsbt", Also: []string{"hex", "signAtIndex", "account"}, parse: parseSignPsbt,
			Params: []Param{
				required("psbt", "string", "a PSBT in base64"),
				optional("signInputs", "array", "objects with index and address, or indexes; every input of the account when absent"),
				optional("allowedSighash", "array", "signature hashes that may be used beside ALL and DEFAULT"),
				optional("broadcast", "boolean", "finalize, so that it could be sent"),
				networkParam,
			},
		},
		{
			Name: "signMessage", Also: []string{"paymentType", "type", "account"}, parse: parseSignMessage,
			Params: append(message, networkParam),
		},
		{Name: "signMultipleMessages", Array: true, parseArray: parseSignMessages, Params: []Param{
			message[0], required("address", "string", "a Bitcoin address of the wallet that has to sign"), message[2],
		}},
	}
}

// bitcoinName is what the Bitcoin side of an account is kept under in the ring.
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
func (env Env) describeBitcoin(method string, index uint32, n Network, notes warnings, b bitcoin.Description) (Description, error) {
	id, err := env.identity(index, n)
	if err != nil {
		return Description{}, err
	}
	d := Description{Method: method, Account: id.Account, Network: n, Bitcoin: &b}
	w := notes
	if id.Selected {
		w.add(WarnAccount, "signInputs", "the inputs are those of account %d, which is not the active one", index)
	}
	if n.Mainnet() {
		w.add(WarnMainnet, "network", "this is for mainnet: with real keys it moves real coins")
		if env.Keys.PublicTest() {
			w.add(WarnPublicKeys, "", "the keys are those of the public test mnemonic, known to anyone")
		}
	}
	for _, own := range b.Warnings {
		w.add(bitcoinWarnings[own.Code], "", "%s", own.Message)
	}
	d.Warnings = w
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
	var e *jsonrpc.Error
	if errors.As(err, &e) {
		return e
	}
	return &jsonrpc.Error{Code: jsonrpc.InternalError, Message: fmt.Sprintf("the Bitcoin transaction cannot be signed: %v", err), Cause: err}
}
