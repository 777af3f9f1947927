package bitcoin

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/btcsuite/btcd/chainhash/v2"
	"github.com/btcsuite/btcd/psbt/v2"
	"github.com/btcsuite/btcd/wire/v2"

	"chainscope/wallet/jsonrpc"
)

// feeRate is that of transfers, in satoshis per virtual byte.
const feeRate = 10

// MaxRecipients bounds the recipients of one transfer.
const MaxRecipients = 1000

// Coin is an output that an account could spend, were it real.
type Coin struct {
	TxID   string
	Vout   uint32
	Amount uint64 // satoshis
	point  wire.OutPoint
}

// mockAmounts are the coins of every account, in satoshis: 111.66111 BTC.
var mockAmounts = [...]uint64{
	1_000, 10_000, 100_000, 1_000_000, 5_000_000, 10_000_000, 50_000_000,
	100_000_000, 1_000_000_000, 10_000_000_000,
}

// MockCoins returns the coins of an account: a fixed set, derived from the public
// key of its p2wpkh address, which holds them all. They exist on no chain.
func MockCoins(o *Owner) []Coin {
	coins := make([]Coin, len(mockAmounts))
	for i, amount := range mockAmounts {
		seed := append([]byte("chainscope mock coin\x00"+o.Network.Name+"\x00"), o.P2WPKH.PublicKey...)
		hash := chainhash.Hash(sha256.Sum256(binary.BigEndian.AppendUint32(seed, uint32(i))))
		point := wire.OutPoint{Hash: hash, Index: uint32(hash[0]) % 4}
		coins[i] = Coin{TxID: hash.String(), Vout: point.Index, Amount: amount, point: point}
	}
	return coins
}

// Recipient gets an amount in a transfer.
type Recipient struct {
	Path    string // of the param, for errors: recipients[0]
	Address string
	Amount  uint64 // satoshis
}

// Transfer is a transfer that is ready to be signed.
type Transfer struct {
	plan *Plan
	Fee  uint64 // satoshis
}

// PlanTransfer picks coins and makes the transaction: the smallest coin that
// suffices, else the largest ones together; change goes back to the p2wpkh
// address unless it would be dust. The same arguments always make the same transaction.
func PlanTransfer(o *Owner, recipients []Recipient) (*Transfer, error) {
	if len(recipients) == 0 {
		return nil, jsonrpc.InvalidParam("recipients", "must have at least one recipient")
	}
	if len(recipients) > MaxRecipients {
		return nil, jsonrpc.InvalidParam("recipients", "must have at most %d recipients, has %d", MaxRecipients, len(recipients))
	}
	tx := wire.NewMsgTx(2)
	var amount, carry uint64
	for i, r := range recipients {
		if r.Path == "" {
			r.Path = fmt.Sprintf("recipients[%d]", i)
		}
		script, err := o.Network.ScriptOf(r.Address)
		if err != nil {
			return nil, jsonrpc.InvalidParam(r.Path+".address", "%v", err)
		}
		if r.Amount == 0 {
			return nil, jsonrpc.InvalidParam(r.Path+".amount", "must be greater than 0")
		}
		if amount, carry = bits.Add64(amount, r.Amount, 0); carry > 0 || amount > maxSatoshis {
			return nil, jsonrpc.InvalidParam(r.Path+".amount", "the transfer exceeds all bitcoin, must be at most %d satoshis together", uint64(maxSatoshis))
		}
		tx.AddTxOut(wire.NewTxOut(int64(r.Amount), script))
	}
	coins, fee, change, ok := pick(MockCoins(o), tx, amount)
	if !ok {
		return nil, jsonrpc.InvalidParam("recipients", "%d satoshis and the fee exceed the mock coins of this account, %d satoshis", amount, total(MockCoins(o)))
	}
	if change > 0 {
		tx.AddTxOut(wire.NewTxOut(int64(change), o.P2WPKH.Script))
	}
	for _, coin := range coins {
		in := wire.NewTxIn(&coin.point, nil, nil)
		in.Sequence = wire.MaxTxInSequenceNum - 2 // replaceable, BIP125
		tx.AddTxIn(in)
	}
	packet, err := psbt.NewFromUnsignedTx(tx)
	if err != nil {
		return nil, fmt.Errorf("make the transfer: %w", err)
	}
	p := &PSBT{packet: packet}
	for i, coin := range coins {
		packet.Inputs[i].WitnessUtxo = wire.NewTxOut(int64(coin.Amount), o.P2WPKH.Script)
		p.spent = append(p.spent, packet.Inputs[i].WitnessUtxo)
	}
	plan, err := p.Plan(o, SignRequest{Path: "recipients", Broadcast: true})
	if err != nil {
		return nil, err
	}
	return &Transfer{plan: plan, Fee: fee}, nil
}

func total(coins []Coin) (sum uint64) {
	for _, c := range coins {
		sum += c.Amount
	}
	return sum
}

// Sizes in virtual bytes, rounded up: a p2wpkh input with its witness, and a
// p2wpkh output.
const (
	inputVSize  = 68
	changeVSize = 31
)

// pick chooses coins (ascending in amount) for an amount and the fee.
func pick(coins []Coin, tx *wire.MsgTx, amount uint64) (picked []Coin, fee, change uint64, ok bool) {
	base := uint64(tx.SerializeSizeStripped()) + 1 // and the witness flag
	settle := func(picked []Coin) (fee, change uint64, ok bool) {
		have := total(picked)
		fee = (base + uint64(len(picked))*inputVSize) * feeRate
		if have < amount+fee {
			return 0, 0, false
		}
		withChange := fee + changeVSize*feeRate
		if have >= amount+withChange+dustLimit(P2WPKH) {
			return withChange, have - amount - withChange, true
		}
		return have - amount, 0, true
	}
	for i := range coins {
		if fee, change, ok = settle(coins[i : i+1]); ok {
			return coins[i : i+1], fee, change, true
		}
	}
	for n := 2; n <= len(coins); n++ {
		picked = coins[len(coins)-n:]
		if fee, change, ok = settle(picked); ok {
			return picked, fee, change, true
		}
	}
	return nil, 0, 0, false
}

// Describe explains the transfer.
func (t *Transfer) Describe() Description { return t.plan.Describe() }

// PSBT returns the transfer before it is signed, in base64.
func (t *Transfer) PSBT() (string, error) { return t.plan.psbt.Base64() }

// Sign signs the transfer; the result has the raw transaction and its id.
func (t *Transfer) Sign(a *Account) (Signed, error) { return t.plan.Sign(a) }
