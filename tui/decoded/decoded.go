// Package decoded explains pasted bytes and texts without a request: a signed transaction, a
// Clarity value, a post-condition, a PSBT, an address, a Clarity literal.
//
// It must not import bubbletea, a screen or the client.
package decoded

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"chainscope/tui/approval/words"
	"chainscope/wallet/bitcoin"
	"chainscope/wallet/clarity"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/stxtx"
)

// Reading is one interpretation of an input.
type Reading struct {
	Kind     string // tx, clarity, post-condition, psbt, address, literal
	Name     string // the kind in words
	Value    any    // for JSON
	Sections []words.Section
}

// Options say how an input is read.
type Options struct {
	// As is the only kind that is tried, "" for all.
	As string
	// File says that the input may be the bytes themselves.
	File bool
	Now  time.Time
	// Network is that of the addresses of a PSBT, Owner whose inputs are ours, nil for nobody's.
	Network bitcoin.Network
	Owner   func() *bitcoin.Owner
}

// decoder reads bytes as one kind of thing, strictly.
type decoder struct {
	kind, name string
	decode     func(raw []byte, o Options) (Reading, error)
}

// ofBytes are tried in this order, ofText where none of them fits.
var (
	ofBytes = []decoder{{"tx", "signed transaction", transaction}, {"clarity", "Clarity value", value}, {"post-condition", "post-condition", postCondition}, {"psbt", "PSBT", psbt}}
	ofText  = []decoder{{"address", "Bitcoin or Stacks address", address}, {"literal", "Clarity literal", literal}}
)

// Kinds returns the kinds of things that are explained.
func Kinds() (all []string) {
	for _, d := range append(append([]decoder{}, ofBytes...), ofText...) {
		all = append(all, d.kind)
	}
	return all
}

// Read reads an input as all kinds that fit, the likeliest first. The failures say why the
// others do not.
func Read(input []byte, o Options) (found []Reading, failures []string) {
	encodings := bytesOf(input, o.File)
	for _, d := range ofBytes {
		if (o.As == "" || o.As == d.kind) && len(encodings) > 0 {
			found, failures = d.try(encodings, o, found, failures)
		}
	}
	if len(found) > 0 {
		return found, failures
	}
	for _, d := range ofText {
		if o.As == "" && len(input) >= least && onlyHex(input) {
			continue // meant as bytes, though a long number is a literal too
		}
		if o.As == "" || o.As == d.kind {
			found, failures = d.try([][]byte{bytes.TrimSpace(input)}, o, found, failures)
		}
	}
	return found, failures
}

func onlyHex(input []byte) bool {
	return len(bytes.Trim(bytes.ToLower(bytes.TrimSpace(input)), "0123456789abcdef")) == 0
}

// try reads an input in each encoding that it may have, until one fits. A failure is that of
// the likeliest.
func (d decoder) try(encodings [][]byte, o Options, found []Reading, failures []string) ([]Reading, []string) {
	var first error
	for _, raw := range encodings {
		r, err := d.decode(raw, o)
		if err == nil {
			r.Kind, r.Name = d.kind, d.name
			return append(found, r), failures
		}
		if first == nil {
			first = err
		}
	}
	return found, append(failures, fmt.Sprintf("as a %s: %s", d.name, plain(first)))
}

// plain returns an error without the name of the param and the code that a page would get.
func plain(err error) string {
	if e, is := errors.AsType[*jsonrpc.Error](err); is {
		return e.Message
	}
	return err.Error()
}

// bytesOf returns the bytes that a text may stand for, the likeliest first. What comes from a
// file may be the bytes themselves.
func bytesOf(input []byte, file bool) [][]byte {
	var all [][]byte
	trimmed := string(bytes.Join(bytes.Fields(input), nil))
	digits := strings.TrimPrefix(strings.TrimPrefix(trimmed, "0x"), "0X")
	if raw, err := hex.DecodeString(digits); err == nil && len(raw) > 0 {
		all = append(all, raw)
	}
	for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding} {
		if raw, err := encoding.Strict().DecodeString(trimmed); err == nil && len(raw) > 0 {
			all = append(all, raw)
			break
		}
	}
	if file && len(input) > 0 {
		all = append(all, input)
	}
	return all
}

func transaction(raw []byte, _ Options) (Reading, error) {
	t, err := stxtx.Decode(raw)
	if err != nil {
		return Reading{}, err
	}
	return Reading{Value: t, Sections: words.Transaction(t)}, nil
}

func value(raw []byte, _ Options) (Reading, error) {
	v, err := clarity.Decode(raw)
	if err != nil {
		return Reading{}, err
	}
	return Reading{Value: stxtx.ExplainValue{Value: v}, Sections: words.Value(v)}, nil
}

func postCondition(raw []byte, _ Options) (Reading, error) {
	p, err := stxtx.DecodePostCondition(raw)
	if err != nil {
		return Reading{}, err
	}
	return Reading{Value: p, Sections: words.PostCondition(p)}, nil
}

func psbt(raw []byte, o Options) (Reading, error) {
	p, err := bitcoin.ParsePSBTBytes(raw)
	if err != nil {
		return Reading{}, err
	}
	var owner *bitcoin.Owner
	if o.Owner != nil {
		owner = o.Owner()
	}
	d := p.Describe(o.Network, owner)
	return Reading{Value: d, Sections: words.Bitcoin(d, o.Now)}, nil
}

func literal(input []byte, _ Options) (Reading, error) {
	v, err := clarity.ParseLiteral(string(input))
	if err != nil {
		return Reading{}, err
	}
	encoded, err := clarity.EncodeHex(v)
	if err != nil {
		return Reading{}, err
	}
	sections := append(words.Value(v), words.Section{Title: "Bytes", Lines: []string{"0x" + encoded}})
	return Reading{Value: stxtx.ExplainValue{Value: v}, Sections: sections}, nil
}

// least is the length of hexadecimal digits without 0x that are taken for bytes: shorter ones
// are heights and names.
const least = 16

// Recognise returns what a pasted text is in words, "" where it is nothing that is explained
// here. An address of Stacks is an account, and a plain word is no literal. The error says why
// what can only be a literal is none.
func Recognise(pasted string) (string, error) {
	form := strings.HasPrefix(pasted, "(") || strings.HasPrefix(pasted, "{")
	if len(pasted) < least && !strings.HasPrefix(pasted, "0x") && !form {
		return "", nil
	}
	found, _ := Read([]byte(pasted), Options{Network: bitcoin.Mainnet})
	switch {
	case len(found) == 0 && form:
		_, err := literal([]byte(pasted), Options{})
		return "Clarity literal", err
	case len(found) == 0,
		found[0].Kind == "literal" && !strings.ContainsAny(pasted, "({\"'"),
		found[0].Kind == "address" && strings.HasPrefix(pasted, "S"):
		return "", nil
	case found[0].Kind == "address":
		return "Bitcoin address", nil
	}
	return found[0].Name, nil
}
