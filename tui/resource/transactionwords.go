package resource

import (
	"cmp"
	"encoding/hex"
	"math/big"
	"strings"

	"chainscope/apiclient"
	"chainscope/tui/text"
	"chainscope/wallet/clarity"
	"chainscope/wallet/outcome"
	"chainscope/wallet/stxtx"
)

// What returns what the transaction does, without who does it: "sent 1.5 STX to SP2J…9EJ7". One
// of an impersonated sender is called unsigned.
func (t Transaction) What() string {
	if t.Impersonated {
		return t.action() + ", unsigned"
	}
	return t.action()
}

func (t Transaction) action() string {
	switch {
	case t.TokenTransfer != nil:
		return t.verb("sent", "sends", "send") + " " + STX(t.TokenTransfer.Amount) + " to " + shortAddress(t.TokenTransfer.Recipient)
	case t.ContractCall != nil:
		return t.verb("called", "calls", "call") + " " + t.ContractCall.Function + " of " + contractName(t.ContractCall.ContractID)
	case t.SmartContract != nil:
		return t.verb("deployed", "deploys", "deploy") + " " + contractName(t.SmartContract.ContractID)
	case t.Type == apiclient.TypeCoinbase:
		return t.verb("claimed", "claims", "claim") + " a miner's reward"
	case t.TenureChange != nil && t.TenureChange.Cause == "block_found":
		return t.verb("began", "begins", "begin") + " a tenure"
	case t.TenureChange != nil && t.TenureChange.Cause == "extended":
		return t.verb("extended", "extends", "extend") + " a tenure"
	case t.TenureChange != nil:
		return t.verb("changed", "changes", "change") + " a tenure: " + words(t.TenureChange.Cause)
	case t.Type == apiclient.TypePoison:
		return t.verb("reported", "reports", "report") + " two microblocks of one miner"
	}
	return words(t.Type)
}

// verb chooses the word for what the transaction did: in a block, not yet, or without effect.
func (t Transaction) verb(done, waiting, failed string) string {
	switch {
	case t.Failed() || t.orphaned():
		return "tried to " + failed
	case t.Status == "pending" || !t.Mined() && t.Status != "success":
		return waiting
	}
	return done
}

// brief returns What for a list, beginning with what distinguishes the transaction: "join · harbor-club",
// "1.5 STX → SP2J…9EJ7".
func (t Transaction) brief() string {
	unsigned := ""
	if t.Impersonated {
		unsigned = "unsigned · "
	}
	switch {
	case t.TokenTransfer != nil:
		return unsigned + STX(t.TokenTransfer.Amount) + " → " + shortAddress(t.TokenTransfer.Recipient)
	case t.ContractCall != nil:
		return unsigned + t.ContractCall.Function + " · " + contractName(t.ContractCall.ContractID)
	}
	return t.What()
}

// calling returns what a call of a contract's own list does: "join u5, SP2J…9EJ7".
func (t Transaction) calling(contract string) string {
	if t.ContractCall == nil || t.ContractCall.ContractID != contract {
		return t.brief()
	}
	args := make([]string, min(maxWordArguments, len(t.ContractCall.Args)))
	for i := range args {
		args[i] = argumentText(t.ContractCall.Args[i].Repr)
	}
	return strings.TrimSpace(t.Function() + " " + strings.Join(args, ", "))
}

// argumentText returns an argument of a call in a sentence.
func argumentText(repr string) string {
	said := text.Truncate(repr, maxWordArgumentsWidth)
	if address, isPrincipal := strings.CutPrefix(said, "'"); isPrincipal {
		return shortAddress(address)
	}
	return said
}

// maxWordArguments and maxWordArgumentsWidth bound the arguments of a sentence, and the cells of one.
const (
	maxWordArguments      = 8
	maxWordArgumentsWidth = 80
)

// Sentence returns who did what, with the arguments of a call.
func (t Transaction) Sentence() string {
	s := shortAddress(t.Sender) + " " + t.What()
	if t.ContractCall == nil || len(t.ContractCall.Args) == 0 {
		return s
	}
	var args []string
	for i, a := range t.ContractCall.Args {
		if i == maxWordArguments {
			args = append(args, "and more")
			break
		}
		said := argumentText(a.Repr)
		named, _ := t.argument(t.Function(), i)
		if name := cmp.Or(a.Name, named); name != "" {
			said = name + " " + said
		}
		args = append(args, said)
	}
	return s + " with " + strings.Join(args, ", ")
}

// Ended returns what is known of how the transaction ended.
func (t Transaction) Ended() outcome.Ended {
	e := outcome.Ended{Status: t.Status, VMError: t.VMError, ReplacedBy: t.ReplacedBy, Waits: t.Waits, Unit: t.unit}
	e.Held, e.MinerOnly, e.Orphaned = t.held(), minersOwn[t.Type], t.orphaned()
	e.InMicroblock = t.Canonical == nil || *t.Canonical
	if t.Contract != nil {
		e.Source = t.Contract.Source
	}
	if t.Result != nil {
		e.Result = t.Result.Repr
	}
	if t.ContractCall != nil {
		e.Function, e.Contract = t.ContractCall.Function, t.ContractCall.ContractID
	}
	return e
}

// minersOwn are the types of transactions that a miner makes for one block.
var minersOwn = map[string]bool{"coinbase": true, "tenure_change": true}

// AnsweredError reports whether a call failed with an error that its contract answered, or at
// run time: the source then says more. Post-conditions may have aborted it for that.
func (t Transaction) AnsweredError() bool {
	return t.Status == apiclient.StatusAbortByResponse ||
		t.Status == apiclient.StatusAbortByPostCondition && t.Result != nil && strings.HasPrefix(t.Result.Repr, "(err ")
}

// held returns the post-conditions, nil where they are not known whole.
func (t Transaction) held() *outcome.Held {
	origin, err := clarity.ParsePrincipal(t.Sender)
	if err != nil || t.PostConditions == nil || t.ContractCall == nil && t.SmartContract == nil {
		return nil
	}
	h := &outcome.Held{Origin: origin}
	for _, c := range t.PostConditions {
		one, ok := t.condition(c)
		if !ok {
			return nil
		}
		h.Conditions = append(h.Conditions, one)
	}
	return h
}

// condition reads a post-condition; false where something of it is not known.
func (t Transaction) condition(c apiclient.PostCondition) (p stxtx.PostCondition, ok bool) {
	if p.Asset, p.Condition, ok = stxtx.APICondition(c.Type, c.Code); !ok {
		return p, false
	}
	if c.Principal.Kind != "principal_origin" {
		who, err := clarity.ParsePrincipal(t.conditionPrincipal(c))
		if err != nil {
			return p, false
		}
		p.Principal = &who
	}
	var err error
	if c.Asset != nil {
		p.Token, err = stxtx.ParseAsset(conditionAsset(c))
	}
	switch {
	case err != nil, c.Asset == nil && (p.Asset == stxtx.AssetFT || p.Asset == stxtx.AssetNFT):
		return p, false
	case p.Asset == stxtx.AssetNFT:
		if c.Value == nil {
			return p, false
		}
		p.TokenID, err = clarity.DecodeHex(c.Value.Hex)
		return p, err == nil
	case p.Asset == stxtx.AssetPoX:
		return p, true
	}
	n := Decimal(c.Amount)
	if n == nil || !n.IsUint64() {
		return p, false
	}
	p.Amount = n.Uint64()
	return p, true
}

// STX writes a decimal number of micro-STX in STX, and unknown for what is none.
func STX(micro string) string {
	n, ok := new(big.Int).SetString(micro, 10)
	if !ok {
		return text.Unknown + " STX"
	}
	return text.Amount(n, stxDecimals) + " STX"
}

// shortAddress cuts the address of an account or contract in its middle; the name of a
// contract stays whole.
func shortAddress(principal string) string {
	address, name, isContract := strings.Cut(principal, ".")
	if len(address) > 12 {
		address = address[:4] + "…" + address[len(address)-4:]
	}
	if isContract {
		return address + "." + name
	}
	return address
}

// contractName returns the name of a contract without its address.
func contractName(principal string) string {
	if _, name, isContract := strings.Cut(principal, "."); isContract {
		return name
	}
	return principal
}

// memoText returns the text of a memo, which is filled up with zeros; its hex, without them, where
// the bytes are no text.
func memoText(memo string) string {
	raw, err := hex.DecodeString(strings.TrimPrefix(memo, "0x"))
	if err != nil {
		return memo
	}
	return text.OrHex(strings.TrimRight(string(raw), "\x00"))
}
