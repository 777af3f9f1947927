package resource

import (
	"strconv"
	"strings"

	"chainscope/apiclient"
)

// feeRate returns the fee for a byte of the transaction, "" where its length is not known. It is
// that of a transaction that one key signed: the API reports no signatures.
func (t Transaction) feeRate() string {
	length, fee := t.length(), Decimal(t.FeeRate)
	if length == 0 || fee == nil || !fee.IsInt64() {
		return ""
	}
	rate := float64(fee.Int64()) / float64(length)
	switch {
	case rate == 0:
		return ""
	case rate < 0.1:
		return "less than 0.1 micro-STX a byte"
	}
	return "about " + strconv.FormatFloat(rate, 'f', 1, 64) + " micro-STX a byte"
}

// length returns how many bytes it has if one key signed it, 0 where that is not known.
func (t Transaction) length() int {
	const (
		header    = 1 + 4 + 1 + 103 + 1 + 1 + 4 // version, chain, authorization, anchor, mode, count
		sponsor   = 103
		address   = 21
		principal = 1 + address
	)
	n := header + t.conditionsLength()
	if t.Sponsor != "" {
		n += sponsor
	}
	switch {
	case t.TokenTransfer != nil:
		n += 1 + principal + 8 + 34
		if _, contract, is := strings.Cut(t.To(), "."); is {
			n += 1 + len(contract)
		}
	case t.ContractCall != nil:
		n += 1 + address + 1 + len(contractName(t.To())) + 1 + len(t.Function()) + 4
		if t.ContractCall.Args == nil {
			return 0
		}
		for i := range t.ContractCall.Args {
			n += valueLength(&t.ContractCall.Args[i].ClarityValue)
		}
	case t.SmartContract != nil && t.SmartContract.Source != "":
		n += 1 + 1 + len(contractName(t.To())) + 4 + len(t.SmartContract.Source)
		if t.SmartContract.ClarityVersion != nil {
			n++
		}
	default:
		return 0
	}
	return n
}

// conditionsLength returns how many bytes its post-conditions have.
func (t Transaction) conditionsLength() int {
	n := 0
	for _, c := range t.PostConditions {
		n += 2 + 1 // the kinds of asset and principal, and the code
		if c.Principal.Kind != "principal_origin" {
			n += 21
		}
		if c.Principal.ContractName != "" {
			n += 1 + len(c.Principal.ContractName)
		}
		if c.Asset != nil {
			n += 21 + 1 + len(c.Asset.ContractName) + 1 + len(c.Asset.Name)
		}
		if c.Value == nil {
			n += 8
		}
		n += valueLength(c.Value)
	}
	return n
}

// valueLength returns how many bytes a value has.
func valueLength(v *apiclient.ClarityValue) int {
	if v == nil {
		return 0
	}
	return max(0, len(v.Hex)-2) / 2
}
