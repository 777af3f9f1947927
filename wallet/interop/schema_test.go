//go:build interop

package interop

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/psbt/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"chainscope/wallet/clarity"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/keys"
	"chainscope/wallet/provider"
	"chainscope/wallet/signer"
	"chainscope/wallet/stxtx"
)

// exchange is a request that a page of a wallet's own library sends, and its
// answer.
type exchange struct {
	Wallet string          `json:"wallet"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
}

const (
	ownSTX     = "SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J"
	ownPayment = "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu"
	ownTaproot = "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr"
	domainHex  = "0c0000000308636861696e2d69640100000000000000000000000000000001046e616d650d000000036170700776657273696f6e0d0000000131"
	messageHex = "0100000000000000000000000000000007"
)

func TestTheAnswersFitTheSchemasOfTheirLibraries(t *testing.T) {
	scripts := scriptFolder(t)
	var all []exchange
	for wallet, requests := range map[provider.Personality][][2]string{provider.PlayXverse: xverseRequests(t), provider.PlayLeather: leatherRequests(t)} {
		mock := provider.NewMock(wallet, provider.NewSigning(provider.SigningOptions{
			Env: func(context.Context) signer.Env { return signer.Env{Keys: keys.NewTestRing()} },
			Approver: func(context.Context, signer.Description) (signer.Decision, error) {
				return signer.Decision{Approved: true}, nil
			},
		}))
		mock.Origin = "http://localhost:5173"
		mock.OnEvent = func(e provider.Event) {
			all = append(all, exchange{"events", e.Name, json.RawMessage("null"), e.Payload})
		}
		for _, r := range requests {
			all = append(all, exchange{string(wallet), r[0], json.RawMessage(r[1]), answerTo(t, mock, r[0], r[1])})
		}
	}
	input, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	var counts map[string]int
	if err := json.Unmarshal(run(t, scripts, input, "node", "validate.mjs"), &counts); err != nil {
		t.Fatal(err)
	}
	t.Logf("answers that fit: %v", counts)
	if counts["xverse"] < 22 || counts["leather"] < 14 || counts["events"] < 2 {
		t.Errorf("too few answers: %v", counts)
	}
}

// answerTo returns the result of a request, which must not fail.
func answerTo(t *testing.T, mock *provider.Mock, method, params string) json.RawMessage {
	t.Helper()
	envelope, err := mock.Request(t.Context(), method, json.RawMessage(params))
	var rejection *provider.Rejection
	if errors.As(err, &rejection) {
		envelope, err = rejection.Value, nil
	}
	if err != nil {
		t.Fatal(err)
	}
	reply, err := jsonrpc.ParseReply(envelope)
	if err != nil || reply.Error != nil {
		t.Fatalf("%s %s: %s, %v", method, params, reply.Error, err)
	}
	return reply.Result
}

func xverseRequests(t *testing.T) [][2]string {
	transaction, psbt, _ := unsigned(t)
	return [][2]string{
		{"getInfo", `null`},
		{"wallet_connect", `{"addresses":["ordinals","payment","stacks"],"message":"hello","network":"Mainnet"}`},
		{"wallet_connect", `null`},
		{"wallet_requestPermissions", `null`},
		{"wallet_getCurrentPermissions", `null`},
		{"wallet_getAccount", `null`},
		{"wallet_getNetwork", `null`},
		{"wallet_getWalletType", `null`},
		{"getAccounts", `{"purposes":["payment","ordinals","stacks"]}`},
		{"getAddresses", `{"purposes":["payment"],"message":"hello"}`},
		{"stx_getAddresses", `null`},
		{"stx_getAccounts", `null`},
		{"getBalance", `null`},
		{"signMessage", `{"address":"` + ownPayment + `","message":"x"}`},
		{"signMessage", `{"address":"` + ownTaproot + `","message":"x","protocol":"BIP322"}`},
		{"signMultipleMessages", `[{"address":"` + ownPayment + `","message":"x"},{"address":"` + ownTaproot + `","message":"y"}]`},
		{"sendTransfer", `{"recipients":[{"address":"` + ownTaproot + `","amount":5000}]}`},
		{"signPsbt", `{"psbt":"` + psbt + `","signInputs":{"` + ownPayment + `":[0]}}`},
		{"stx_transferStx", `{"amount":5,"recipient":"` + ownSTX + `","memo":"x"}`},
		{"stx_callContract", `{"contract":"` + ownSTX + `.pool","functionName":"f","arguments":["03"]}`},
		{"stx_deployContract", `{"name":"c","clarityCode":"(ok 1)","clarityVersion":3}`},
		{"stx_signMessage", `{"message":"x"}`},
		{"stx_signStructuredMessage", `{"domain":"` + domainHex + `","message":"` + messageHex + `"}`},
		{"stx_signTransaction", `{"transaction":"` + transaction + `"}`},
		{"stx_signTransactions", `{"transactions":["` + transaction + `"]}`},
		{"wallet_changeNetwork", `{"name":"Testnet4"}`},
		{"wallet_renouncePermissions", `null`},
		{"wallet_disconnect", `null`},
	}
}

func leatherRequests(t *testing.T) [][2]string {
	transaction, _, psbt := unsigned(t)
	return [][2]string{
		{"supportedMethods", `{}`},
		{"getAddresses", `{"network":"mainnet"}`},
		{"signMessage", `{"message":"x","paymentType":"p2wpkh","network":"mainnet"}`},
		{"signMessage", `{"message":"x","paymentType":"p2tr","network":"testnet"}`},
		{"sendTransfer", `{"recipients":[{"address":"` + ownTaproot + `","amount":"5000"}],"network":"mainnet"}`},
		{"sendTransfer", `{"address":"` + ownTaproot + `","amount":"5000","network":"mainnet"}`},
		{"signPsbt", `{"hex":"` + psbt + `","signAtIndex":0}`},
		{"stx_transferStx", `{"amount":5,"recipient":"` + ownSTX + `","memo":"x"}`},
		{"stx_callContract", `{"contract":"` + ownSTX + `.pool","functionName":"f","functionArgs":["03"]}`},
		{"stx_deployContract", `{"name":"c","clarityCode":"(ok 1)"}`},
		{"stx_transferSip10Ft", `{"recipient":"` + ownSTX + `","asset":"` + ownSTX + `.c::t","amount":5}`},
		{"stx_transferSip9Nft", `{"recipient":"` + ownSTX + `","asset":"` + ownSTX + `.c::t","assetId":"03"}`},
		{"stx_signMessage", `{"message":"x","network":"mainnet"}`},
		{"stx_signMessage", `{"messageType":"structured","domain":"` + domainHex + `","message":"` + messageHex + `","network":"mainnet"}`},
		{"stx_signStructuredMessage", `{"domain":"` + domainHex + `","message":"` + messageHex + `"}`},
		{"stx_signTransaction", `{"transaction":"` + transaction + `","network":"mainnet"}`},
		{"stx_signTransaction", `{"txHex":"` + transaction + `","stxAddress":"` + ownSTX + `","network":"mainnet"}`},
	}
}

// installed is the folder with the scripts and what they need, once a test wanted it.
var installed = sync.OnceValues(func() (string, error) {
	scripts, err := os.MkdirTemp("", "chainscope-interop-")
	if err != nil {
		return "", err
	}
	installedIn = scripts
	if err := os.CopyFS(scripts, os.DirFS("js")); err != nil {
		return scripts, err
	}
	// Without scripts: one would compile a faster secp256k1, which takes a minute.
	npm := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
	npm.Dir = scripts
	if out, err := npm.CombinedOutput(); err != nil {
		return scripts, fmt.Errorf("npm ci: %w\n%s", err, out)
	}
	return scripts, nil
})

var installedIn string // "" where no test wanted it

func TestMain(m *testing.M) {
	code := m.Run()
	if installedIn != "" {
		_ = os.RemoveAll(installedIn)
	}
	os.Exit(code)
}

// scriptFolder returns the folder of the scripts; nothing may be written there.
func scriptFolder(t *testing.T) string {
	t.Helper()
	scripts, err := installed()
	if err != nil {
		t.Fatal(err)
	}
	return scripts
}

// unsigned returns a transfer of account 0 and a PSBT that spends its coin, in
// base64 and in hexadecimal digits.
func unsigned(t *testing.T) (transaction, inBase64, inHex string) {
	t.Helper()
	ring := keys.NewTestRing()
	key, err := ring.Stacks(0)
	if err != nil {
		t.Fatal(err)
	}
	to, err := clarity.ParsePrincipal("SP000000000000000000002Q6VF78")
	if err != nil {
		t.Fatal(err)
	}
	tx := &stxtx.Transaction{
		Version: stxtx.VersionMainnet, ChainID: stxtx.ChainIDMainnet,
		Auth:       stxtx.Auth{Type: stxtx.AuthStandard, Origin: stxtx.SpendingCondition{Signer: key.Hash160(), Nonce: 3, Fee: 200}},
		AnchorMode: stxtx.AnchorAny, PostConditionMode: stxtx.ModeDeny, Payload: stxtx.TokenTransfer{Recipient: to, Amount: 5},
	}
	if transaction, err = tx.Hex(); err != nil {
		t.Fatal(err)
	}
	n, _ := signer.NetworkNamed("mainnet")
	owner, err := signer.Owner(ring, 0, n)
	if err != nil {
		t.Fatal(err)
	}
	spending := wire.NewMsgTx(2)
	spending.AddTxIn(wire.NewTxIn(&wire.OutPoint{Hash: chainhash.Hash{1}}, nil, nil))
	spending.AddTxOut(wire.NewTxOut(90_000, owner.P2TR.Script))
	packet, err := psbt.NewFromUnsignedTx(spending)
	if err != nil {
		t.Fatal(err)
	}
	packet.Inputs[0].WitnessUtxo = wire.NewTxOut(100_000, owner.P2WPKH.Script)
	var b bytes.Buffer
	if err := packet.Serialize(&b); err != nil {
		t.Fatal(err)
	}
	return transaction, base64.StdEncoding.EncodeToString(b.Bytes()), hex.EncodeToString(b.Bytes())
}
