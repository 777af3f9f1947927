package verify

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"chainscope/wallet/bitcoin"
	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// Known holds what has to be known to check results of Bitcoin methods.
type Known struct {
	Network bitcoin.Network
	// Owner is the account whose mock coins sendTransfer spends.
	Owner *bitcoin.Owner
}

// Verifiable reports whether results of a method hold a signature that
// [Answer] can check.
func Verifiable(method string) bool {
	switch method {
	case "stx_signMessage", "stx_signStructuredMessage", "signMessage", "signMultipleMessages", "signPsbt", "sendTransfer",
		"stx_transferStx", "stx_callContract", "stx_deployContract", "stx_transferSip10Ft", "stx_transferSip9Nft",
		"stx_signTransaction", "stx_signTransactions":
		return true
	}
	return false
}

// Answer checks the signature in the result of a method against what the
// params requested.
func Answer(method string, params, result json.RawMessage, k Known) Result {
	var in request
	if method != "signMultipleMessages" {
		if err := json.Unmarshal(params, &in); err != nil && len(params) > 0 {
			return invalid("", "the params cannot be read: %v", err)
		}
	}
	var out answer
	if method != "signMultipleMessages" {
		if err := json.Unmarshal(result, &out); err != nil {
			return invalid("", "the result cannot be read: %v", err)
		}
	}
	switch method {
	case "stx_signMessage":
		if in.MessageType == "structured" {
			return in.structured(out)
		}
		return Message(in.text(), out.Signature, out.PublicKey)
	case "stx_signStructuredMessage":
		return in.structured(out)
	case "signMessage":
		return in.bitcoinMessage(out)
	case "signMultipleMessages":
		return bitcoinMessages(params, result)
	case "signPsbt":
		return in.checkPSBT(out, k)
	case "sendTransfer":
		return in.transfer(out, k)
	case "stx_signTransactions":
		return in.transactions(out)
	}
	if strings.HasPrefix(method, "stx_") && out.Transaction != "" {
		given := in.Transaction
		if given == "" {
			given = in.TxHex
		}
		return sameContent(given, out.Transaction, Transaction(out.Transaction, out.TxID))
	}
	return invalid("", "this result has no signature that can be verified here")
}

// request are the params that signatures depend on.
type request struct {
	Message, Domain      json.RawMessage
	MessageType, Address string
	PSBT, Hex            string
	Transaction, TxHex   string
	Transactions         []string
	Amount               json.RawMessage
	Recipients           []recipient
}

type recipient struct {
	Address string
	Amount  json.RawMessage
}

// answer are the members of results that hold signatures.
type answer struct {
	Signature, PublicKey, Address string
	PSBT, Hex, Transaction, TxID  string
	Transactions                  []string
}

// text returns a message that is a string.
func (in request) text() string {
	var text string
	_ = json.Unmarshal(in.Message, &text) // of another type it is none, and nothing fits it
	return text
}

func (in request) structured(out answer) Result {
	message, err := clarity.ParseWire(in.Message)
	if err != nil {
		return invalid(KindStructured, "the message cannot be read: %v", err)
	}
	domain, err := clarity.ParseWire(in.Domain)
	if err != nil {
		return invalid(KindStructured, "the domain cannot be read: %v", err)
	}
	return Structured(domain, message, out.Signature, out.PublicKey)
}

func (in request) bitcoinMessage(out answer) Result {
	if in.Address != "" && in.Address != out.Address {
		return invalid(KindBitcoinMessage, "INVALID: it is signed by %s, not by %s", out.Address, in.Address)
	}
	return BitcoinMessage(out.Address, in.text(), out.Signature)
}

// bitcoinMessages checks the answers of signMultipleMessages one by one.
func bitcoinMessages(params, result json.RawMessage) Result {
	var in []request
	if err := json.Unmarshal(params, &in); err != nil {
		return invalid(KindBitcoinMessage, "the params cannot be read: %v", err)
	}
	out, err := answers(result)
	if err != nil || len(out) != len(in) {
		return invalid(KindBitcoinMessage, "the result must be an array of %d signatures", len(in))
	}
	for i := range in {
		if r := in[i].bitcoinMessage(out[i]); !r.Valid {
			r.Text = fmt.Sprintf("message %d: %s", i+1, r.Text)
			return r
		}
	}
	return valid(KindBitcoinMessage, "", "%d signatures", len(in))
}

// answers reads an array, or the object that the connection library makes of
// one: its entries by their numbers.
func answers(result json.RawMessage) ([]answer, error) {
	var list []answer
	if json.Unmarshal(result, &list) == nil {
		return list, nil
	}
	var numbered map[string]answer
	if err := json.Unmarshal(result, &numbered); err != nil {
		return nil, err
	}
	for i := range len(numbered) {
		entry, there := numbered[strconv.Itoa(i)]
		if !there {
			return nil, fmt.Errorf("entry %d is missing", i)
		}
		list = append(list, entry)
	}
	return list, nil
}

// checkPSBT runs the script engine over every input that is signed.
func (in request) checkPSBT(out answer, k Known) Result {
	unsigned, err := parsePSBT(in.PSBT, in.Hex)
	if err != nil {
		return invalid(KindPSBT, "the PSBT of the params cannot be read: %v", err)
	}
	signed, err := parsePSBT(out.PSBT, out.Hex)
	if err != nil {
		return invalid(KindPSBT, "the PSBT of the result cannot be read: %v", err)
	}
	if !signed.SameTransaction(unsigned) {
		return invalid(KindPSBT, "INVALID: the signed transaction is not the requested one")
	}
	var indexes, addresses []string
	for _, check := range signed.CheckSignatures(k.Network) {
		switch {
		case !check.Signed:
		case check.Err != nil:
			return invalid(KindPSBT, "INVALID: input %d: %v", check.Index, check.Err)
		default:
			indexes = append(indexes, fmt.Sprint(check.Index))
			if !slices.Contains(addresses, check.Address) {
				addresses = append(addresses, check.Address)
			}
		}
	}
	if len(indexes) == 0 {
		return invalid(KindPSBT, "no input is signed")
	}
	return valid(KindPSBT, strings.Join(addresses, ", "), "inputs %s by %s", strings.Join(indexes, ", "), strings.Join(addresses, ", "))
}

func parsePSBT(base64, hex string) (*bitcoin.PSBT, error) {
	if base64 == "" {
		return bitcoin.ParsePSBTHex(hex)
	}
	return bitcoin.ParsePSBT(base64)
}

// transfer checks inputs, recipients and amounts of a transfer of mock coins.
func (in request) transfer(out answer, k Known) Result {
	if out.Transaction == "" {
		return invalid(KindBitcoinTransaction, "the result holds no transaction")
	}
	if k.Owner == nil {
		return invalid(KindBitcoinTransaction, "the account that pays is not known")
	}
	tx, err := bitcoin.ParseTransaction(k.Network, out.Transaction)
	if err != nil {
		return invalid(KindBitcoinTransaction, "the transaction %v", err)
	}
	if out.TxID != tx.TxID {
		return invalid(KindBitcoinTransaction, "INVALID: the transaction has the id %s", tx.TxID)
	}
	recipients := in.Recipients
	if len(recipients) == 0 {
		recipients = []recipient{{in.Address, in.Amount}}
	}
	for i, r := range recipients {
		amount, err := strconv.ParseUint(strings.Trim(string(r.Amount), `"`), 10, 64)
		if err != nil {
			return invalid(KindBitcoinTransaction, "the amount of recipient %d cannot be read", i)
		}
		want := bitcoin.Payment{Address: r.Address, Amount: amount}
		if i >= len(tx.Payments) || tx.Payments[i] != want {
			return invalid(KindBitcoinTransaction, "INVALID: output %d does not pay what was requested", i)
		}
	}
	if err := tx.CheckCoins(k.Owner); err != nil {
		return invalid(KindBitcoinTransaction, "INVALID: %v", err)
	}
	return valid(KindBitcoinTransaction, k.Owner.P2WPKH.Address, "by %s", k.Owner.P2WPKH.Address)
}

func (in request) transactions(out answer) Result {
	if len(out.Transactions) != len(in.Transactions) || len(in.Transactions) == 0 {
		return invalid(KindTransaction, "the result must have %d transactions", len(in.Transactions))
	}
	last := Result{}
	for i, signed := range out.Transactions {
		if last = sameContent(in.Transactions[i], signed, Transaction(signed, "")); !last.Valid {
			last.Text = fmt.Sprintf("transaction %d: %s", i+1, last.Text)
			return last
		}
	}
	return last
}

// sameContent refuses a transaction that is not the given one: payload,
// post-conditions and sender must be the same; fee, nonce and signatures may
// differ.
func sameContent(given, signed string, r Result) Result {
	if given == "" || !r.Valid {
		return r
	}
	a, errA := stxtx.DecodeHex(given)
	b, errB := stxtx.DecodeHex(signed)
	if errA != nil || errB != nil {
		return invalid(KindTransaction, "the transaction cannot be read")
	}
	x, errX := a.InitialSighash()
	y, errY := b.InitialSighash()
	if errX != nil || errY != nil || x != y {
		return invalid(KindTransaction, "INVALID: the signed transaction is not the requested one")
	}
	return r
}
