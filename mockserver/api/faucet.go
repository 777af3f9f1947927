package api

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/url"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/wire/v2"
	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"

	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

const (
	faucetAmount = 500_000_000 // micro-STX
	faucetFee    = 200         // micro-STX
	// faucetKeys is the number of accounts that a faucet has. Each begins as rich as any account.
	faucetKeys = 100
)

// faucetRefusal is the answer of a faucet that refuses.
type faucetRefusal struct {
	Error   string `json:"error"`
	Help    string `json:"help,omitempty"`
	Success bool   `json:"success"`
}

// serveFaucet sends STX to an address of either network.
func serveFaucet(x *Exchange) {
	stacking := x.queryBool("stacking")
	address, ok := x.faucetAddress("give it in the query: POST /extended/v1/faucets/stx?address=ST…")
	if !ok {
		return
	}
	to, err := clarity.ParsePrincipal(address)
	if err != nil {
		x.Value(http.StatusBadRequest, faucetRefusal{Error: fmt.Sprintf("invalid STX address %q", address)})
		return
	}
	amount := uint64(faucetAmount)
	if stacking { // what stacking takes, and a fifth more
		amount = uint64(minStacked) + uint64(minStacked)/5
	}
	raw, id, rejection := x.fund(to, amount)
	if rejection != nil {
		x.Value(http.StatusServiceUnavailable, faucetRefusal{Error: "The faucet can send nothing: " + rejection.Error()})
		return
	}
	x.object(object{{"success", true}, {"txId", with0x(id[:])}, {"txRaw", hex.EncodeToString(raw)}})
}

// faucetAddress reads who is to be given something, in the query or in the body; on false it has
// answered.
func (x *Exchange) faucetAddress(help string) (address string, ok bool) {
	if address = x.queryString("address"); address == "" && !x.answered {
		raw, read := x.Body(maxBroadcastBody)
		if !read {
			return "", false
		}
		var body struct {
			Address string `json:"address"`
		}
		if json.Unmarshal(raw, &body) != nil { // a form, or nothing
			form, _ := url.ParseQuery(string(raw))
			body.Address = form.Get("address")
		}
		address = body.Address
	}
	if address == "" && !x.answered {
		x.Value(http.StatusBadRequest, faucetRefusal{Error: "address required", Help: help})
	}
	return address, !x.answered
}

// What the faucet gives in satoshis: as little, and where much is wanted.
const (
	faucetSatoshis  = 1_000_000
	faucetMany      = 50_000_000
	faucetCoins     = 100_000_000 // that it spends each time
	faucetMinersFee = 200
)

// serveBitcoinFaucet gives coins to an address of any network: the answer has a transaction that
// spends a made-up coin. No chain of Bitcoin keeps it.
func serveBitcoinFaucet(x *Exchange) {
	large, xlarge := x.queryBool("large"), x.queryBool("xlarge")
	address, ok := x.faucetAddress("")
	if !ok {
		return
	}
	if large && xlarge {
		x.Value(http.StatusBadRequest, faucetRefusal{Error: "cannot simultaneously request a large and xlarge amount"})
		return
	}
	script, err := payeeOf(address)
	if err != nil {
		x.Value(http.StatusBadRequest, faucetRefusal{Error: "Invalid BTC regtest address"})
		return
	}
	amount := int64(faucetSatoshis)
	if xlarge {
		amount = faucetMany
	}
	_, n := x.World.Requests.After(math.MaxInt64) // no two are the same
	coin := sha256.Sum256(fmt.Appendf(nil, "chainscope coin %d %s", n, address))
	tx := wire.NewMsgTx(2)
	tx.AddTxIn(wire.NewTxIn(wire.NewOutPoint((*chainhash.Hash)(&coin), 0), nil, [][]byte{coin[:], coin[:]}))
	tx.AddTxOut(wire.NewTxOut(amount, script))
	tx.AddTxOut(wire.NewTxOut(faucetCoins-amount-faucetMinersFee, payToHash([20]byte(coin[:20]))))
	var raw bytes.Buffer
	_ = tx.Serialize(&raw) // a buffer takes everything
	x.object(object{{"txid", tx.TxHash().String()}, {"raw_tx", hex.EncodeToString(raw.Bytes())}, {"success", true}})
}

// fund broadcasts a transfer from the first account of the faucet that can send it.
func (x *Exchange) fund(to clarity.Principal, amount uint64) (raw []byte, id [32]byte, rejection *ledger.Rejection) {
	memo, _ := stxtx.NewMemo("faucet") // it is short
	for i := range faucetKeys {
		seed := sha256.Sum256(fmt.Appendf(nil, "chainscope faucet %d", i))
		key := secp256k1.PrivKeyFromBytes(seed[:])
		from := stxtx.SpendingCondition{Signer: stxtx.Hash160(key.PubKey().SerializeCompressed()), Fee: faucetFee}
		sender := clarity.Principal{Address: from.Address(to.Address.Mainnet())}
		from.Nonce = x.state().Nonces(sender).Next
		tx := &stxtx.Transaction{
			Version: stxtx.VersionMainnet, ChainID: stxtx.ChainIDMainnet,
			Auth: stxtx.Auth{Type: stxtx.AuthStandard, Origin: from}, AnchorMode: stxtx.AnchorAny, PostConditionMode: stxtx.ModeDeny,
			Payload: stxtx.TokenTransfer{Recipient: to, Amount: amount, Memo: memo},
		}
		if !to.Address.Mainnet() {
			tx.Version, tx.ChainID = stxtx.VersionTestnet, stxtx.ChainIDTestnet
		}
		err := tx.SignOrigin(func(hash [32]byte) (s stxtx.Signature) {
			compact := ecdsa.SignCompact(key, hash[:], true)
			s[0] = compact[0] - 31
			copy(s[1:], compact[1:])
			return s
		})
		if err == nil {
			raw, err = tx.Encode()
		}
		if err != nil {
			return nil, id, ledger.Refuse(id, err)
		}
		if id, rejection = x.World.Submit(raw); rejection == nil {
			return raw, id, nil
		}
		if rejection.Reason != ledger.NotEnoughFunds && rejection.Reason != ledger.TooMuchChaining {
			return nil, id, rejection
		}
	}
	return nil, id, rejection
}
