package resource

import (
	"fmt"
	"math/big"
	"strings"

	"chainscope/apiclient"
	"chainscope/tui/text"
	"chainscope/wallet/clarity"
	"chainscope/wallet/facts"
	"chainscope/wallet/outcome"
)

// WithdrawalPrints limits the prints of the registry of sBTC that are searched for what
// became of a withdrawal.
const WithdrawalPrints = 200

// Withdrawal is a request to be paid in Bitcoin for sBTC, as the registry printed it.
type Withdrawal struct {
	Registry, ID string
	words        string
}

// Settled holds the outcome of a request, as far as it was searched for.
type Settled struct {
	Accepted bool
	TxID     string // of the transaction that settled it, "" where no print says it
}

// registryPrint reads what the registry of sBTC prints: its topic, and the id of a request.
func registryPrint(log *apiclient.ContractLog) (print clarity.Tuple, topic, id string) {
	if log == nil || log.ContractID != facts.SBTC(false)+".sbtc-registry" && log.ContractID != facts.SBTC(true)+".sbtc-registry" {
		return print, "", ""
	}
	v, err := clarity.DecodeHex(log.Value.Hex)
	print, is := v.(clarity.Tuple)
	if err != nil || !is {
		return print, "", ""
	}
	of, _ := print.Get("topic")
	number, _ := print.Get("request-id")
	word, isWord := of.(clarity.ASCII)
	n, isNumber := number.(clarity.UInt)
	if !isWord || !isNumber {
		return print, "", ""
	}
	return print, string(word), n.N.String()
}

// WithdrawalOf finds the request for a withdrawal that a transaction made.
func WithdrawalOf(t *apiclient.Transaction) (Withdrawal, bool) {
	for _, e := range t.Events {
		print, topic, id := registryPrint(e.Log)
		if topic != "withdrawal-create" {
			continue
		}
		amount, _ := print.Get("amount")
		recipient, _ := print.Get("recipient")
		fee, _ := print.Get("max-fee")
		issuer, _, _ := strings.Cut(e.Log.ContractID, ".")
		words := outcome.CallWords(issuer+".sbtc-withdrawal", "initiate-withdrawal-request", []clarity.Value{amount, recipient, fee})
		return Withdrawal{e.Log.ContractID, id, words}, true
	}
	return Withdrawal{}, false
}

// SettledBy returns what a print of the registry says of a request, false if nothing.
func (w Withdrawal) SettledBy(e apiclient.ContractEvent) (Settled, bool) {
	_, topic, id := registryPrint(e.Log)
	settles := topic == "withdrawal-accept" || topic == "withdrawal-reject"
	return Settled{topic == "withdrawal-accept", e.TxID}, settles && id == w.ID && e.Log.ContractID == w.Registry
}

// withdrawal returns the fields of a request to be paid in Bitcoin.
func (t Transaction) withdrawal() []Field {
	w, is := WithdrawalOf(t.Transaction)
	if !is {
		return nil
	}
	fields := []Field{{Section: "sBTC"}, {Label: "withdrawal", Value: TextOf("request " + w.ID)}}
	if w.words != "" {
		fields = append(fields, Field{Label: "in words", Value: TextOf(brief(w.words))})
	}
	switch s := t.Settled; {
	case s == nil:
	case s.TxID == "":
		fields = append(fields, Field{Label: "settled", Value: TextOf(fmt.Sprintf("not among the newest %s prints of the registry", text.Amount(big.NewInt(WithdrawalPrints), 0)))})
	case s.Accepted:
		fields = append(fields, Field{Label: "accepted by", Type: Hash, Value: TextOf(s.TxID), To: transactionPlace(s.TxID).Link(), Mark: Good})
	default:
		fields = append(fields, Field{Label: "rejected by", Type: Hash, Value: TextOf(s.TxID), To: transactionPlace(s.TxID).Link(), Mark: Bad})
	}
	return fields
}
