package words

import (
	"strconv"
	"strings"

	"chainscope/tui/text"
	"chainscope/wallet/clarity"
	"chainscope/wallet/clarity/abi"
	"chainscope/wallet/outcome"
	"chainscope/wallet/signer"
	"chainscope/wallet/stxtx"
)

func transfer(t signer.Transfer) Section {
	amount, note := stx(t.Amount)
	s := Section{Title: "Send STX", Rows: []Row{
		{Label: "amount", Value: amount, Note: note},
		{Label: "to", Value: line(t.Recipient)},
	}}
	if t.Memo != "" {
		s.Rows = append(s.Rows, Row{Label: "memo", Value: line(text.OrHex(t.Memo))})
	}
	return s
}

func tokenTransfer(d signer.Description) []Section {
	t := *d.Token
	s := Section{Title: "Send a token", Rows: []Row{{Label: "asset", Value: line(t.Asset)}}}
	if t.Amount != nil {
		s.Rows = append(s.Rows, Row{Label: "amount", Value: text.Count(*t.Amount), Note: "in the token's smallest unit"})
	}
	if t.ID != nil {
		s.Title = "Send a non-fungible token"
		s.Rows = append(s.Rows, Row{Label: "token id", Value: value(*t.ID), Note: typeOf(*t.ID)})
	}
	s.Rows = append(s.Rows, Row{Label: "to", Value: line(t.Recipient)})
	if d.Call == nil {
		return []Section{s}
	}
	return []Section{s, invocation("By calling a contract", *d.Call)}
}

func invocation(title string, c signer.Invocation) Section {
	s := Section{Title: title, Rows: []Row{
		{Label: "contract", Value: line(c.Contract)},
		{Label: "function", Value: line(c.Function)},
	}}
	values := make([]clarity.Value, len(c.Args))
	for i, arg := range c.Args {
		values[i] = arg.Value
	}
	if text := outcome.CallWords(c.Contract, c.Function, values); text != "" {
		s.Rows = append(s.Rows, Row{Label: "in words", Value: line(text)})
	}
	for i, arg := range c.Args {
		s.Rows = append(s.Rows, Row{Label: numbered("argument", i), Value: value(arg), Note: typeOf(arg)})
	}
	if len(c.Args) == 0 {
		s.Rows = append(s.Rows, Row{Label: "arguments", Value: "none"})
	}
	return s
}

func deploy(d signer.Deploy) []Section {
	version := "not named"
	if d.ClarityVersion > 0 {
		version = strconv.Itoa(int(d.ClarityVersion))
	}
	return []Section{
		{Title: "Deploy a contract", Rows: []Row{
			{Label: "contract", Value: line(d.Contract)},
			{Label: "clarity version", Value: version},
			{Label: "source", Value: text.Plural(d.Lines, "line"), Note: text.Plural(len(d.Source), "byte")},
			{Label: "sha256", Value: line(d.SHA256)},
		}},
		{Title: "Source", Lines: whole(d.Source)},
	}
}

// repair describes what is done about a transaction that is stuck, or that takes a sponsor.
func repair(r signer.Repair, t signer.Transaction) Section {
	switch {
	case r.Kind == signer.Sponsor:
		return Section{Title: "Sponsor a transaction", Rows: []Row{
			{Label: "sender", Value: line(r.Origin), Note: "signed with nonce " + strconv.FormatUint(r.Nonce, 10)},
			{Label: "you pay", Value: "the fee", Note: "whatever comes of the transaction"},
		}}
	case r.TxID == "":
		return Section{Title: "Fill a gap of nonces", Rows: []Row{{Label: "nonce", Value: strconv.FormatUint(t.Nonce, 10), Note: "no transaction has it"}}}
	}
	s := Section{Title: "Replace a transaction"}
	if r.Kind == signer.Cancel {
		s.Title = "Cancel a transaction"
	}
	pays, note := stx(r.Fee)
	s.Rows = []Row{{Label: "transaction", Value: line(r.TxID), Note: "while no block has it"}, {Label: "it pays", Value: pays, Note: note}}
	if r.Origin != "" {
		s.Rows = append(s.Rows, Row{Label: "sender", Value: line(r.Origin), Note: "you are its sponsor"})
	}
	return s
}

// transactionTitle is the title of the section that has fee and nonce.
const transactionTitle = "Transaction"

// transaction describes what is signed. Post-conditions watch calls and deploys: those of
// anything else are shown only if there are some.
func transaction(t signer.Transaction, watched bool) []Section {
	fee, note := stx(t.Fee)
	switch {
	case t.Sponsored && t.Fee == 0:
		note = "the sponsor pays"
	case t.FeeFrom == signer.FromNowhere:
		fee, note = text.Unknown, ""
	default:
		note = joined(note, origins[t.FeeFrom])
	}
	nonce, nonceNote := text.Unknown, ""
	if t.NonceFrom != signer.FromNowhere {
		nonce, nonceNote = strconv.FormatUint(t.Nonce, 10), origins[t.NonceFrom]
	}
	if t.NonceFrom == signer.FromReplaced {
		nonceNote = "that of the other"
	}
	s := Section{Title: transactionTitle, Rows: []Row{
		{Label: "fee", Value: fee, Note: note, Warn: t.Fee > signer.HighFee},
		{Label: "nonce", Value: nonce, Note: nonceNote},
		{Label: "size", Value: text.Plural(t.Size, "byte")},
	}}
	if t.Sponsored {
		s.Rows = append(s.Rows, Row{Label: "sponsored", Value: "yes", Note: "another account pays the fee and has to sign, too"})
	}
	sections := []Section{s}
	if watched || len(t.PostConditions) > 0 {
		sections = append(sections, postConditions(t))
	}
	if t.Unsigned != "" {
		sections = append(sections, Section{Title: "Unsigned transaction", Lines: whole(t.Unsigned), Raw: true})
	}
	return sections
}

var origins = map[signer.Origin]string{
	signer.FromParams: "as the request says",
	signer.FromChain:  "estimated by the node",
	signer.FromLocal:  "without asking a node",
	signer.FromUser:   "edited",

	signer.FromReplaced: "a tenth above the other",
}

// modes say what happens to what no post-condition covers.
var modes = map[string]string{
	stxtx.ModeAllow.String():      "other transfers are allowed",
	stxtx.ModeDeny.String():       "any other transfer aborts it",
	stxtx.ModeOriginator.String(): "any other transfer of the sender aborts it",
}

func postConditions(t signer.Transaction) Section {
	s := Section{Title: conditionsTitle, Rows: []Row{
		{Label: "mode", Value: line(t.PostConditionMode), Note: modes[t.PostConditionMode], Warn: t.PostConditionMode == stxtx.ModeAllow.String()},
	}}
	for i, p := range t.PostConditions {
		s.Rows = append(s.Rows, Row{Label: strconv.Itoa(i + 1), Value: long(conditionWords(p))})
	}
	if len(t.PostConditions) == 0 {
		s.Rows = append(s.Rows, Row{Label: "none", Value: "no transfers required"})
	}
	return s
}

// conditionWords returns what a post-condition demands: as its own words do, and
// amounts of STX in STX too. Names from the chain in it are raw.
func conditionWords(p stxtx.PostCondition) string {
	words := p.Words()
	if p.Asset != stxtx.AssetSTX && p.Asset != stxtx.AssetStaking {
		return words
	}
	whole, _ := stx(p.Amount)
	return words + " (" + whole + ")"
}

func value(v stxtx.ExplainValue) string {
	if v.Value == nil {
		return text.Unknown
	}
	return long(clarity.Repr(v.Value))
}

func typeOf(v stxtx.ExplainValue) string {
	if v.Value == nil {
		return ""
	}
	return line(abi.Words(v.Value))
}

func joined(parts ...string) string {
	var there []string
	for _, p := range parts {
		if p != "" {
			there = append(there, p)
		}
	}
	return strings.Join(there, ", ")
}
