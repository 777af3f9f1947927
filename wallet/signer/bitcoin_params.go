package signer

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"

	"chainscope/wallet/bitcoin"
	"chainscope/wallet/jsonrpc"
)

// maxSignInputs bounds how many entries signInputs may have.
const maxSignInputs = 10_000

// signPsbtParams are the params of signPsbt.
type signPsbtParams struct {
	PSBT    *bitcoin.PSBT
	Request bitcoin.SignRequest
	// PublicKeys are what entries of signInputs say about the signing key, by
	// the path of the param, in hex.
	PublicKeys []inputPublicKey
}

// inputPublicKey is the key that an entry of signInputs asks for.
type inputPublicKey struct {
	Path      string
	Index     int
	PublicKey []byte
}

// readRecipients reads the recipients of sendTransfer, or the one that address
// and amount name beside them (Leather's older form). Amounts are satoshis; the
// addresses are checked when the transfer is planned, as they depend on the
// network.
func readRecipients(o object) ([]bitcoin.Recipient, error) {
	if o.has("address") || o.has("amount") {
		if o.has("recipients") {
			return nil, jsonrpc.InvalidParam("recipients", "must not stand beside address and amount")
		}
		one, err := readRecipient("", object{"address": o["address"], "amount": o["amount"]})
		if err != nil {
			return nil, err
		}
		return []bitcoin.Recipient{one}, nil
	}
	list, err := o.list("recipients")
	if err != nil {
		return nil, err
	}
	if !o.has("recipients") {
		return nil, jsonrpc.InvalidParam("recipients", "is missing, must be an array of objects with address and amount")
	}
	if len(list) == 0 || len(list) > bitcoin.MaxRecipients {
		return nil, jsonrpc.InvalidParam("recipients", "must have 1 to %d recipients, has %d", bitcoin.MaxRecipients, len(list))
	}
	var out []bitcoin.Recipient
	for i, raw := range list {
		path := fmt.Sprintf("recipients[%d]", i)
		entry, err := entryOf(path, raw, "an object with address and amount", "address", "amount")
		if err != nil {
			return nil, err
		}
		recipient, err := readRecipient(path+".", entry)
		if err != nil {
			return nil, err
		}
		out = append(out, recipient)
	}
	return out, nil
}

// readRecipient reads address and amount; prefix is what their paths begin with.
func readRecipient(prefix string, entry object) (bitcoin.Recipient, error) {
	recipient := bitcoin.Recipient{Path: strings.TrimSuffix(prefix, ".")}
	if !entry.has("address") {
		return recipient, jsonrpc.InvalidParam(prefix+"address", "is missing, must be a Bitcoin address")
	}
	var err error
	if recipient.Address, err = textOf(prefix+"address", entry["address"]); err != nil {
		return recipient, err
	}
	if !entry.has("amount") {
		return recipient, jsonrpc.InvalidParam(prefix+"amount", "is missing, %s", integerRule(1))
	}
	recipient.Amount, err = integerOf(prefix+"amount", entry["amount"], 1)
	return recipient, err
}

// entryOf reads an object inside an array, which has the named members only.
func entryOf(path string, raw json.RawMessage, right string, names ...string) (object, error) {
	if raw[0] != '{' {
		return nil, jsonrpc.InvalidParam(path, "must be %s, here %s", right, jsonrpc.KindOf(raw))
	}
	entry, err := parseObject(raw)
	if err != nil {
		return nil, jsonrpc.InvalidParam(path, "must be %s", right)
	}
	for _, name := range slices.Sorted(maps.Keys(entry)) {
		if !slices.Contains(names, name) {
			return nil, jsonrpc.InvalidParam(path+"."+brief(name), "is not known, must be one of %s", strings.Join(names, ", "))
		}
	}
	return entry, nil
}

// readSignPsbt reads the params of signPsbt. Beside the documented form it
// takes those of other wallets: hex and signAtIndex (Leather), signInputs as
// indexes by address (Xverse).
func readSignPsbt(o object) (signPsbtParams, error) {
	var out signPsbtParams
	err := out.readPSBT(o)
	if err != nil {
		return out, err
	}
	if out.Request.Broadcast, err = o.flag("broadcast"); err != nil {
		return out, err
	}
	if out.Request.Allowed, err = allowedSighash("", o); err != nil {
		return out, err
	}
	switch {
	case o.has("signAtIndex") && o.has("signInputs"):
		return out, jsonrpc.InvalidParam("signAtIndex", "must not stand beside signInputs")
	case o.has("signAtIndex"):
		return out, out.readIndexes(o["signAtIndex"])
	case o.has("signInputs"):
		return out, out.readInputs(o["signInputs"])
	}
	return out, nil
}

func (out *signPsbtParams) readPSBT(o object) error {
	key, parse := "psbt", bitcoin.ParsePSBT
	switch {
	case o.has("psbt") && o.has("hex"):
		return jsonrpc.InvalidParam("hex", "must not stand beside psbt")
	case o.has("hex"):
		key, parse = "hex", bitcoin.ParsePSBTHex
	case !o.has("psbt"):
		return jsonrpc.InvalidParam("psbt", "is missing, must be a PSBT in base64")
	}
	text, err := o.text(key)
	if err != nil {
		return err
	}
	psbt, err := parse(text)
	if err != nil {
		return jsonrpc.InvalidParam(key, "%v", err)
	}
	out.PSBT, out.Request.Path = psbt, key
	return nil
}

// allowedSighash reads names or numbers of signature hashes; prefix is what the
// path begins with.
func allowedSighash(prefix string, o object) ([]bitcoin.Sighash, error) {
	list, err := o.list("allowedSighash")
	if err != nil {
		return nil, within(prefix, err)
	}
	if len(list) > 16 {
		return nil, jsonrpc.InvalidParam(prefix+"allowedSighash", "must have at most 16 entries")
	}
	var out []bitcoin.Sighash
	for i, item := range list {
		path := fmt.Sprintf("%sallowedSighash[%d]", prefix, i)
		if item[0] == '"' {
			name, err := textOf(path, item)
			if err != nil {
				return nil, err
			}
			s, err := bitcoin.ParseSighash(name)
			if err != nil {
				return nil, jsonrpc.InvalidParam(path, "%v", err)
			}
			out = append(out, s)
			continue
		}
		n, err := strconv.ParseUint(string(item), 10, 8)
		if err != nil || !bitcoin.Sighash(n).Known() {
			return nil, jsonrpc.InvalidParam(path, "must be the name or number of a signature hash")
		}
		out = append(out, bitcoin.Sighash(n))
	}
	return out, nil
}

// inputIndex reads the index of an input.
func inputIndex(path string, raw json.RawMessage) (int, error) {
	n, err := strconv.ParseInt(string(raw), 10, 32)
	if err != nil {
		return 0, jsonrpc.InvalidParam(path, "must be the index of an input, a whole number from 0")
	}
	return int(n), nil
}

// readIndexes reads signAtIndex: one index or an array of them.
func (out *signPsbtParams) readIndexes(raw json.RawMessage) error {
	list := []json.RawMessage{raw}
	if raw[0] == '[' && json.Unmarshal(raw, &list) != nil || len(list) > maxSignInputs {
		return jsonrpc.InvalidParam("signAtIndex", "must be the index of an input or an array of at most %d", maxSignInputs)
	}
	out.Request.Inputs = []bitcoin.SignInput{}
	for i, item := range list {
		path := fmt.Sprintf("signAtIndex[%d]", i)
		index, err := inputIndex(path, item)
		if err != nil {
			return err
		}
		out.Request.Inputs = append(out.Request.Inputs, bitcoin.SignInput{Path: path, Index: index})
	}
	return nil
}

// readInputs reads signInputs: an array of {index, address} or plain indexes,
// or an object of indexes by address.
func (out *signPsbtParams) readInputs(raw json.RawMessage) error {
	const right = "must be an array of {index, address}"
	out.Request.Inputs = []bitcoin.SignInput{}
	if raw[0] == '{' {
		return out.readByAddress(raw)
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return jsonrpc.InvalidParam("signInputs", right)
	}
	if len(list) > maxSignInputs {
		return jsonrpc.InvalidParam("signInputs", "must have at most %d entries, has %d", maxSignInputs, len(list))
	}
	for i, item := range list {
		if err := out.readInput(fmt.Sprintf("signInputs[%d]", i), item); err != nil {
			return err
		}
	}
	return nil
}

// readInput reads one entry of signInputs: {index, address, publicKey,
// allowedSighash} or a plain index.
func (out *signPsbtParams) readInput(path string, item json.RawMessage) error {
	if item[0] != '{' {
		index, err := inputIndex(path, item)
		if err != nil {
			return err
		}
		out.Request.Inputs = append(out.Request.Inputs, bitcoin.SignInput{Path: path, Index: index})
		return nil
	}
	entry, err := entryOf(path, item, "{index, address}", "index", "address", "publicKey", "allowedSighash")
	if err != nil {
		return err
	}
	if !entry.has("index") {
		return jsonrpc.InvalidParam(path+".index", "is missing, must be the index of an input")
	}
	index, err := inputIndex(path+".index", entry["index"])
	if err != nil {
		return err
	}
	input := bitcoin.SignInput{Path: path + ".index", Index: index}
	if entry.has("address") {
		if input.Address, err = textOf(path+".address", entry["address"]); err != nil {
			return err
		}
		if index >= 0 && index < out.PSBT.Inputs() {
			input.Path = path + ".address"
		}
	}
	if input.Allowed, err = allowedSighash(path+".", entry); err != nil {
		return err
	}
	if entry.has("publicKey") {
		text, err := textOf(path+".publicKey", entry["publicKey"])
		if err != nil {
			return err
		}
		key, err := hex.DecodeString(text)
		if err != nil || len(key) != 33 && len(key) != 32 {
			return jsonrpc.InvalidParam(path+".publicKey", "must be a public key of 33 or 32 bytes in hex")
		}
		out.PublicKeys = append(out.PublicKeys, inputPublicKey{Path: path + ".publicKey", Index: index, PublicKey: key})
	}
	out.Request.Inputs = append(out.Request.Inputs, input)
	return nil
}

func (out *signPsbtParams) readByAddress(raw json.RawMessage) error {
	var byAddress map[string][]json.RawMessage
	if json.Unmarshal(raw, &byAddress) != nil {
		return jsonrpc.InvalidParam("signInputs", "must be an array of {index, address}, or an object of arrays of indexes by address")
	}
	addresses := make([]string, 0, len(byAddress))
	for address := range byAddress {
		addresses = append(addresses, address)
	}
	sort.Strings(addresses)
	for _, address := range addresses {
		for i, item := range byAddress[address] {
			path := fmt.Sprintf("signInputs[%q][%d]", address, i)
			index, err := inputIndex(path, item)
			if err != nil {
				return err
			}
			if len(out.Request.Inputs) == maxSignInputs {
				return jsonrpc.InvalidParam("signInputs", "must have at most %d entries", maxSignInputs)
			}
			out.Request.Inputs = append(out.Request.Inputs, bitcoin.SignInput{Path: path, Index: index, Address: address})
		}
	}
	return nil
}
