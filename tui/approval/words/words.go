// Package words says in words what a wallet is asked to sign or give out:
// the same words are in the prompts of the command line and in the approval
// dialog of the explorer.
//
// Everything that comes from a page or a chain has gone through package text:
// what [Describe] returns is terminal text, one line each, but of any length; the
// caller wraps and styles it. The package does no I/O, reads no clock, and must
// not import what draws.
package words

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"chainscope/tui/text"
	"chainscope/wallet/signer"
)

// Section is one part of a description.
type Section struct {
	Title string
	Rows  []Row
	// Lines are free text: a contract's source, a message, raw bytes.
	Lines []string
	// Raw marks what the user looks at only on demand: hexadecimal digits that
	// the other sections explain.
	Raw bool
}

// Row is one labelled value.
type Row struct {
	Label string
	Value string
	// Note says the value in another way, or what there is to know about it.
	Note string
	// Warn marks what should be known before approving.
	Warn bool
}

// Describe describes a request. The first section says what is done, the second,
// if there is anything to warn of, holds the warnings. Now is the time from
// which ages count.
func Describe(d signer.Description, now time.Time) []Section {
	sections := what(d, now)
	if d.Repair != nil {
		sections = append([]Section{repair(*d.Repair, *d.Transaction)}, sections...)
	}
	w := warnings(d.Warnings)
	for _, name := range d.Ignored {
		w.Rows = append(w.Rows, Row{Label: "ignored", Value: line(name), Note: "this wallet does not read the param", Warn: true})
	}
	if len(w.Rows) > 0 {
		sections = append(sections[:1], append([]Section{w}, sections[1:]...)...)
	}
	sections = append(sections, from(d))
	if d.Transaction != nil {
		sections = append(sections, withSending(d)...)
	}
	return sections
}

// withSending describes the transaction of a request, and whether it is sent
// where that is not what its method does by default.
func withSending(d signer.Description) []Section {
	parts := transaction(*d.Transaction, d.Call != nil || d.Deploy != nil)
	if strings.HasPrefix(d.Method, "stx_signTransaction") == d.Transaction.Broadcast {
		parts[0].Rows = append(parts[0].Rows, sending(d.Transaction.Broadcast))
	}
	return parts
}

// sending reports whether the page wants a transaction sent.
func sending(wanted bool) Row {
	if wanted {
		return Row{Label: "broadcast", Value: "wanted", Warn: true}
	}
	return Row{Label: "broadcast", Value: "not wanted", Note: "signed only"}
}

// what returns what the request does; its first section is never missing.
func what(d signer.Description, now time.Time) []Section {
	switch {
	case d.Token != nil:
		return tokenTransfer(d)
	case d.Transfer != nil:
		return []Section{transfer(*d.Transfer)}
	case d.Call != nil:
		return []Section{invocation("Call a contract", *d.Call)}
	case d.Deploy != nil:
		return deploy(*d.Deploy)
	case d.Message != nil:
		return message(*d.Message)
	case d.Signing != nil:
		return bitcoinMessage(*d.Signing)
	case d.Batch != nil:
		return batch(d, now)
	case d.Switch != "":
		return []Section{{Title: "Switch the network", Rows: []Row{{Label: "to", Value: line(d.Switch)}}}}
	case d.Structured != nil:
		return []Section{structured(*d.Structured)}
	case d.Bitcoin != nil:
		return bitcoinTransaction(d.Method, *d.Bitcoin, now)
	case d.Disclosed != nil:
		return []Section{disclosed(*d.Disclosed)}
	case d.Other != "":
		return []Section{{Title: "Sign a transaction", Rows: []Row{{Label: "payload", Value: line(d.Other)}}}}
	}
	return []Section{{Title: "Answer " + line(d.Method)}}
}

func warnings(list []signer.Warning) Section {
	s := Section{Title: "Warnings"}
	for _, w := range list {
		s.Rows = append(s.Rows, Row{Label: strings.ReplaceAll(string(w.Kind), "-", " "), Value: line(w.Text), Note: line(w.Path), Warn: true})
	}
	return s
}

func from(d signer.Description) Section {
	account := Row{Label: "account", Value: strconv.FormatUint(uint64(d.Account.Index), 10)}
	if d.Account.Selected {
		account.Note, account.Warn = "not the active account", true
	}
	network := Row{Label: "network", Value: line(d.Network.Name), Warn: d.Network.Mainnet()}
	return Section{Title: "From", Rows: []Row{
		account,
		{Label: "address", Value: line(d.Account.Address)},
		network,
		{Label: "method", Value: line(d.Method)},
	}}
}

// bitcoinMessage returns a text that the key of a Bitcoin address signs.
func bitcoinMessage(m signer.BitcoinMessage) []Section {
	sections := message(signer.Message{Text: m.Text, Hex: m.Hex, Hash: m.Hash})
	sections[0].Rows = append([]Row{
		{Label: "by", Value: line(m.Address), Note: string(m.Type)},
		{Label: "protocol", Value: string(m.Protocol)},
	}, sections[0].Rows...)
	return sections
}

// batch shows each of several things that one approval is for.
func batch(d signer.Description, now time.Time) []Section {
	var sections []Section
	for i, part := range d.Batch {
		number := strconv.Itoa(i+1) + " of " + strconv.Itoa(len(d.Batch)) + ": "
		for j, s := range what(part, now) {
			if j == 0 {
				s.Title = number + s.Title
			}
			sections = append(sections, s)
		}
		if part.Transaction != nil {
			sections = append(sections, withSending(part)...)
		}
		if len(part.Warnings) > 0 {
			sections = append(sections, warnings(part.Warnings))
		}
	}
	return sections
}

func disclosed(d signer.Disclosed) Section {
	s := Section{Title: "Give out " + line(d.What)}
	if d.Message != "" {
		s.Rows = append(s.Rows, Row{Label: "the page says", Value: line(d.Message)})
	}
	for _, a := range d.Addresses {
		s.Rows = append(s.Rows, Row{Label: "address", Value: line(a)})
	}
	for _, kind := range d.Missing {
		s.Rows = append(s.Rows, Row{Label: "left out", Value: line(kind), Note: "there are no such addresses here", Warn: true})
	}
	if d.AppKey {
		s.Rows = append(s.Rows, Row{Label: "app key", Value: "the private gaia key of the account", Warn: true})
	}
	return s
}

func message(m signer.Message) []Section {
	size := len(m.Hex) / 2
	lines := whole(m.Text)
	if size == 0 {
		lines = []string{"(empty)"}
	}
	return []Section{
		{Title: "Sign a message", Rows: []Row{
			{Label: "length", Value: text.Plural(size, "byte")},
			{Label: "hash", Value: line(m.Hash)},
		}, Lines: lines},
		{Title: "Message as bytes", Lines: whole(m.Hex)},
	}
}

func structured(m signer.Structured) Section {
	return Section{Title: "Sign a structured message", Rows: []Row{
		{Label: "domain", Value: line(m.Name), Note: "version " + line(m.Version) + ", chain id " + plainInteger(m.ChainID)},
		{Label: "message", Value: value(m.Message), Note: typeOf(m.Message)},
		{Label: "domain value", Value: value(m.Domain)},
		{Label: "hash", Value: line(m.Hash)},
	}}
}

// line makes one line of a short untrusted text.
func line(s string) string { return text.Line(s) }

// whole makes lines of an untrusted text without breaking any and, unlike
// line, without a limit that a signed text could reach unseen.
func whole(s string) []string { return text.Block(s, math.MaxInt32) }

// stx writes micro-STX in STX and beside it as they are.
func stx(micro uint64) (value, note string) {
	return text.Amount(new(big.Int).SetUint64(micro), 6) + " STX", text.Count(micro) + " micro-STX"
}

// btc writes satoshis in BTC and beside it as they are.
func btc(satoshis int64) (value, note string) {
	return text.Amount(big.NewInt(satoshis), 8) + " BTC", text.Count(satoshis) + " satoshis"
}

func plainInteger(n *big.Int) string {
	if n == nil {
		return text.Unknown
	}
	return n.String()
}

// numbered returns the label of the i-th of several values.
func numbered(label string, i int) string { return fmt.Sprintf("%s %d", label, i) }
