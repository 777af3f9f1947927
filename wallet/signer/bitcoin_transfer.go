package signer

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"chainscope/wallet/bitcoin"
	"chainscope/wallet/jsonrpc"
)

// transferCall is sendTransfer: a transfer of the mock coins of an account.
type transferCall struct {
	description Description
	transfer    *bitcoin.Transfer
	account     *bitcoin.Account
}

func parseSendTransfer(o object, env Env) (Call, error) {
	n, notes, err := o.network(env)
	if err != nil {
		return nil, err
	}
	recipients, err := readRecipients(o)
	if err != nil {
		return nil, err
	}
	index, _, err := o.accountIndex()
	if err != nil {
		return nil, err
	}
	account := env.Account
	if index != nil {
		account = *index
	}
	a, err := bitcoinAccount(env.Keys, account, n)
	if err != nil {
		return nil, err
	}
	if env.Persona.NoCoins {
		return nil, jsonrpc.InvalidParam("recipients", "exceed the mock coins of this account, 0 satoshis")
	}
	transfer, err := bitcoin.PlanTransfer(&a.Owner, recipients, 0)
	if err != nil {
		return nil, bitcoinError(o.legacyPath(err))
	}
	d, err := env.describeBitcoin("sendTransfer", account, n, notes, transfer.Describe())
	if err != nil {
		return nil, err
	}
	d.Warnings = append(d.Warnings, Warning{Kind: WarnNotSent, Text: "it spends coins made up for testing and is not sent anywhere"})
	return &transferCall{d, transfer, a}, nil
}

func (c *transferCall) Method() string                        { return c.description.Method }
func (c *transferCall) Prepare(context.Context) (Call, error) { return c, nil }
func (c *transferCall) Edit(Edit) (Call, error)               { return nil, errNothingToEdit() }
func (c *transferCall) Describe() Description                 { return c.description }

func (c *transferCall) Sign(ctx context.Context) (json.RawMessage, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	signed, err := c.transfer.Sign(c.account)
	if err != nil {
		return nil, bitcoinError(err)
	}
	return result(struct {
		TxID        string `json:"txid"`
		Transaction string `json:"transaction"`
	}{signed.TxID, signed.Transaction})
}

// legacyPath names the params of the form without recipients by their names.
func (o object) legacyPath(err error) error {
	var e *jsonrpc.Error
	if o.has("recipients") || !errors.As(err, &e) {
		return err
	}
	c := *e
	c.Message = strings.TrimPrefix(e.Message, "recipients[0].")
	return &c
}
