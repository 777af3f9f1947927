package provider_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"testing"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/psbt/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"chainscope/wallet"
	"chainscope/wallet/bitcoin"
	"chainscope/wallet/clarity"
	"chainscope/wallet/keys"
	"chainscope/wallet/provider"
	"chainscope/wallet/stxtx"
)

// unsignedTransfer returns a transfer of account 0 on testnet.
func unsignedTransfer(amount string) (string, error) {
	key, err := keys.NewTestRing().Stacks(0)
	if err != nil {
		return "", err
	}
	to, err := clarity.ParsePrincipal(stranger)
	if err != nil {
		return "", err
	}
	n, err := strconv.ParseUint(amount, 10, 64)
	if err != nil {
		return "", err
	}
	tx := &stxtx.Transaction{
		Version: stxtx.VersionTestnet, ChainID: stxtx.ChainIDTestnet,
		Auth:       stxtx.Auth{Type: stxtx.AuthStandard, Origin: stxtx.SpendingCondition{Signer: key.Hash160(), Nonce: 3, Fee: 200}},
		AnchorMode: stxtx.AnchorAny, PostConditionMode: stxtx.ModeDeny,
		Payload: stxtx.TokenTransfer{Recipient: to, Amount: n},
	}
	return tx.Hex()
}

// testPSBT returns a PSBT with two inputs of account 0 on testnet, as JSON strings
// in base64 and in hexadecimal digits.
func testPSBT(t testing.TB) (inBase64, inHex string) {
	t.Helper()
	ring := keys.NewTestRing()
	wpkh, err := ring.Bitcoin(keys.P2WPKH, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	tr, err := ring.Bitcoin(keys.P2TR, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	account, err := bitcoin.NewAccount(bitcoin.Testnet, wpkh.Secp256k1(), tr.Secp256k1())
	if err != nil {
		t.Fatal(err)
	}
	tx := wire.NewMsgTx(2)
	for i := range byte(2) {
		tx.AddTxIn(wire.NewTxIn(&wire.OutPoint{Hash: chainhash.Hash{i + 1}}, nil, nil))
	}
	tx.AddTxOut(wire.NewTxOut(150_000, account.P2TR.Script))
	packet, err := psbt.NewFromUnsignedTx(tx)
	if err != nil {
		t.Fatal(err)
	}
	for i := range packet.Inputs {
		packet.Inputs[i].WitnessUtxo = wire.NewTxOut(100_000, account.P2WPKH.Script)
	}
	var b bytes.Buffer
	if err := packet.Serialize(&b); err != nil {
		t.Fatal(err)
	}
	return quote(base64.StdEncoding.EncodeToString(b.Bytes())), quote(hex.EncodeToString(b.Bytes()))
}

// request sends a request through the library: by requestRaw, or by request.
func request(t testing.TB, p provider.Provider, raw bool, method, params string) error {
	t.Helper()
	l := wallet.New(wallet.Config{})
	if raw {
		_, err := l.RequestRaw(t.Context(), p, method, json.RawMessage(params))
		return err
	}
	_, err := l.Request(t.Context(), wallet.Options{Provider: p}, method, json.RawMessage(params))
	return err
}
