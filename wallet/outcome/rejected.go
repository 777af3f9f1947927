package outcome

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
)

// Rejection is a node's refusal to take a transaction into its mempool.
type Rejection struct {
	Reason string          `json:"reason"`
	Data   json.RawMessage `json:"reason_data"`
}

// rejectionData holds what the reasons say, each a part of it.
type rejectionData struct {
	Message   string `json:"message"`
	Expected  any    `json:"expected"` // a number, or 0x and hexadecimal digits
	Actual    any    `json:"actual"`
	Principal string `json:"principal"`
	Contract  string `json:"contract_identifier"`
}

// rejected explains a refusal, with what would be right.
func (e Ended) rejected(w *Why) {
	var d rejectionData
	_ = json.Unmarshal(e.Rejection.Data, &d) // what it does not say is not said
	contract, function := cmp.Or(e.Contract, "the contract"), cmp.Or(e.Function, "that name")
	said := strings.TrimSuffix(d.Message, ".")
	expected, actual := number(d.Expected), number(d.Actual)
	switch e.Rejection.Reason {
	case "Deserialization":
		w.explain("It is no transaction that a node can read: "+said, "build it anew")
	case "SignatureValidation":
		w.explain("Its signature does not hold: "+said, "sign it with the key of its sender, for the network that it is sent to")
	case "FeeTooLow":
		w.explain(fmt.Sprintf("It pays %s, and a node takes it for %s at least", asSTX(actual), asSTX(expected)), fmt.Sprintf("pay a fee of %s or more", asSTX(expected)))
	case "BadNonce":
		w.explain(fmt.Sprintf("Nonce %s of %s cannot be used; the next one is %s", actual, d.Principal, expected), fmt.Sprintf("sign it with nonce %s, unless the transaction with nonce %s did what was wanted", expected, actual))
	case "TooMuchChaining":
		w.explain(fmt.Sprintf("Nonce %s of %s is too far ahead; the highest that can wait is %s", actual, d.Principal, expected), "send it once the ones before it are in a block")
	case "ConflictingNonceInMempool":
		w.explain("A transaction with the same nonce waits already, and pays as much or more", "pay a higher fee to take its place; take the next nonce only if both are wanted")
	case "NotEnoughFunds":
		w.explain(fmt.Sprintf("It takes %s with its fee, and the account has %s beside what waits", asSTX(expected), asSTX(actual)), "send less, or give the account more")
	case "NoSuchContract":
		w.explain("There is no contract "+contract+"; one that waits in the mempool is not there yet", "deploy it and wait for its block, or call the one that is meant")
	case "NoSuchPublicFunction":
		w.explain(fmt.Sprintf("%s has no public function %s; private and read-only ones cannot be called by a transaction", contract, function), "call one of its public functions")
	case "BadFunctionArgument":
		w.explain(fmt.Sprintf("The arguments do not fit %s of %s: %s", function, contract, said), "give the arguments that the function declares")
	case "ContractAlreadyExists":
		w.explain(d.Contract+" is deployed already", "deploy it under another name")
	case "TransferRecipientCannotEqualSender":
		w.explain("It sends STX to its own sender", "name another recipient")
	case "TransferAmountMustBePositive":
		w.explain("It sends nothing", "send 0.000001 STX or more")
	case "BadAddressVersionByte":
		w.explain("It names an address of another network", "name addresses of the network that it is sent to")
	case "NoCoinbaseViaMempool", "NoTenureChangeViaMempool", "PoisonMicroblockIsInvalid":
		w.explain("Only a miner makes transactions of this type", "")
	default:
		w.Sentence = "It was refused: " + e.Rejection.Reason
		if said != "" {
			w.Sentence += ", " + said
		}
		w.Sentence += "."
	}
}

func (w *Why) explain(sentence, fix string) { w.Sentence, w.Fix = sentence+".", fix }

// number reads a number of a reason, "?" for none.
func number(v any) string {
	switch v := v.(type) {
	case float64:
		return new(big.Float).SetFloat64(v).Text('f', 0)
	case string:
		if n, ok := new(big.Int).SetString(v, 0); ok {
			return n.String()
		}
	}
	return "?"
}

func asSTX(digits string) string {
	if n, ok := new(big.Int).SetString(digits, 10); ok {
		return units(n, stxDecimals) + " STX"
	}
	return digits
}
