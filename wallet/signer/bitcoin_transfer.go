package signer

import (
	"errors"
	"strings"

	"chainscope/wallet/bitcoin"
	"chainscope/wallet/jsonrpc"
)

// parseSendTransfer reads sendTransfer: a transfer of the mock coins of an account.
func parseSendTransfer(r *request) (Call, error) {
	n, notes, err := r.network()
	if err != nil {
		return nil, err
	}
	recipients, err := r.recipients()
	if err != nil {
		return nil, err
	}
	account := r.account()
	a, err := bitcoinAccount(r.env.Keys, account, n)
	if err != nil {
		return nil, err
	}
	if r.env.Persona.NoCoins {
		return nil, jsonrpc.InvalidParam("recipients", "exceed the mock coins of this account, 0 satoshis")
	}
	transfer, err := bitcoin.PlanTransfer(&a.Owner, recipients)
	if err != nil {
		return nil, bitcoinError(r.legacyPath(err))
	}
	d, err := r.describeBitcoin(account, n, notes, transfer.Describe())
	if err != nil {
		return nil, err
	}
	d.Warnings = append(d.Warnings, Warning{Kind: WarnNotSent, Text: "it spends coins made up for testing and is not sent anywhere"})
	return fixed{d, func() (any, error) {
		signed, err := transfer.Sign(a)
		if err != nil {
			return nil, bitcoinError(err)
		}
		return struct {
			TxID        string `json:"txid"`
			Transaction string `json:"transaction"`
		}{signed.TxID, signed.Transaction}, nil
	}}, nil
}

// legacyPath names the params of the form without recipients by their names.
func (r *request) legacyPath(err error) error {
	var e *jsonrpc.Error
	if r.has("recipients") || !errors.As(err, &e) {
		return err
	}
	c := *e
	c.Message = strings.TrimPrefix(e.Message, "recipients[0].")
	return &c
}
