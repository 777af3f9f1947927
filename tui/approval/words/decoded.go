package words

import (
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"chainscope/tui/text"
	"chainscope/wallet/bitcoin"
	"chainscope/wallet/clarity"
	"chainscope/wallet/clarity/abi"
	"chainscope/wallet/signer"
	"chainscope/wallet/stxtx"
)

// Transaction explains a transaction made elsewhere.
func Transaction(t *stxtx.Transaction) []Section {
	sections := payload(t)
	s := Section{Title: "Transaction"}
	if id, err := t.TxID(); err == nil {
		s.Rows = append(s.Rows, Row{Label: "txid", Value: hex.EncodeToString(id[:])})
	}
	network := Row{Label: "network", Value: "testnet", Note: "chain id " + strconv.FormatUint(uint64(t.ChainID), 10)}
	if t.Mainnet() {
		network.Value = "mainnet"
	}
	if err := t.CheckNetwork(); err != nil {
		network.Note, network.Warn = line(err.Error()), true
	}
	s.Rows = append(s.Rows, network)
	s.Rows = append(s.Rows, condition("origin", t.Auth.Origin, t.Mainnet())...)
	if t.Auth.Sponsor != nil {
		s.Rows = append(s.Rows, condition("sponsor", *t.Auth.Sponsor, t.Mainnet())...)
	}
	signed := Row{Label: "signatures", Value: "valid"}
	if err := t.Verify(); err != nil {
		signed = Row{Label: "signatures", Value: line(err.Error()), Warn: true}
	}
	s.Rows = append(s.Rows, signed)
	if raw, err := t.Encode(); err == nil {
		s.Rows = append(s.Rows, Row{Label: "size", Value: text.Plural(len(raw), "byte")})
	}
	sections = append(sections, s)
	if !watched(t.Payload) && len(t.PostConditions) == 0 {
		return sections
	}
	return append(sections, postConditions(signer.Transaction{PostConditionMode: t.PostConditionMode.String(), PostConditions: t.PostConditions}))
}

// watched reports whether post-conditions watch what a payload moves. They have no meaning for
// a transfer of STX.
func watched(p stxtx.Payload) bool {
	switch p.(type) {
	case stxtx.ContractCall, stxtx.SmartContract:
		return true
	}
	return false
}

func payload(t *stxtx.Transaction) []Section {
	switch p := t.Payload.(type) {
	case stxtx.TokenTransfer:
		return []Section{transfer(signer.Transfer{Recipient: p.Recipient.String(), Amount: p.Amount, Memo: p.MemoText()})}
	case stxtx.ContractCall:
		call := signer.Invocation{Contract: p.Contract.String(), Function: p.Function}
		for _, arg := range p.Args {
			call.Args = append(call.Args, stxtx.ExplainValue{Value: arg})
		}
		return []Section{invocation("Call a contract", call)}
	case stxtx.SmartContract:
		return deploy(signer.NewDeploy(t.Auth.Origin.Address(t.Mainnet()).String()+"."+p.Name, p))
	}
	return []Section{{Title: "Payload " + line(t.Payload.Type().String())}}
}

func condition(who string, c stxtx.SpendingCondition, mainnet bool) []Row {
	fee, note := stx(c.Fee)
	rows := []Row{
		{Label: who, Value: c.Address(mainnet).String(), Note: c.HashMode.String()},
		{Label: who + " nonce", Value: strconv.FormatUint(c.Nonce, 10)},
		{Label: who + " fee", Value: fee, Note: note, Warn: c.Fee > signer.HighFee},
	}
	if c.HashMode.Multisig() {
		rows = append(rows, Row{Label: who + " signatures", Value: strconv.Itoa(c.Signatures()), Note: "of " + strconv.Itoa(int(c.Required)) + " needed"})
	}
	return rows
}

// Value explains a Clarity value.
func Value(v clarity.Value) []Section {
	rows := []Row{{Label: "type", Value: line(abi.Words(v))}}
	if raw, err := clarity.Encode(v); err == nil {
		rows = append(rows, Row{Label: "size", Value: text.Plural(len(raw), "byte")})
	}
	return []Section{{Title: "Clarity value", Rows: rows, Lines: whole(clarity.Repr(v))}}
}

// PostCondition explains a post-condition.
func PostCondition(p stxtx.PostCondition) []Section {
	return []Section{{Title: "Post-condition", Rows: []Row{{Label: "demands", Value: long(conditionWords(p))}}}}
}

// Bitcoin explains a Bitcoin transaction. Now is the time from which ages count.
func Bitcoin(d bitcoin.Description, now time.Time) []Section {
	sections := []Section{bitcoinSummary("Bitcoin transaction", d, now), bitcoinInputs(d.Inputs, false), bitcoinOutputs(d.Outputs)}
	s := Section{Title: "Warnings"}
	for _, w := range d.Warnings {
		s.Rows = append(s.Rows, Row{Label: strings.ReplaceAll(line(w.Code), "_", " "), Value: line(w.Message), Warn: true})
	}
	if len(s.Rows) > 0 {
		sections = append(sections, s)
	}
	return sections
}
