package signer

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"chainscope/wallet/bitcoin"
	"chainscope/wallet/jsonrpc"
)

// maxSignInputs bounds how many entries signInputs may have.
const maxSignInputs = 10_000

// input is an input to sign as signInputs or signAtIndex names it.
type input struct {
	bitcoin.SignInput
	entry string // the path of the entry, "" where it is no object
}

// inputExtras hold what an entry of signInputs may have beside index and address.
var inputExtras = []Param{
	{Name: "allowedSighash", Kind: KindList, Optional: true, Most: 16, Items: []Param{{Kind: KindSighash}}},
	{Name: "publicKey", Kind: KindInputKey, Optional: true},
}

// inputsOf reads signInputs: an array of {index, address, publicKey, allowedSighash} or
// plain indexes, or an object of indexes by address, as Xverse has it.
func (r *request) inputsOf(p Param, path string, raw json.RawMessage) (any, error) {
	if raw[0] == '{' {
		return inputsByAddress(path, raw)
	}
	p.Items = slices.Concat(p.Items, inputExtras)
	return eachOf(path, raw, p.Most, func(path string, raw json.RawMessage) (any, error) {
		if raw[0] != '{' {
			return indexInput(path, raw)
		}
		v, err := r.itemOf(p, path, raw)
		if err != nil {
			return nil, err
		}
		item, _ := v.(*request)
		return input{bitcoin.SignInput{
			Path: path + ".index", Index: get[int](item, "index"), Address: get[string](item, "address"), Allowed: items[bitcoin.Sighash](item, "allowedSighash"),
			PublicKey: get[[]byte](item, "publicKey"),
		}, path}, nil
	})
}

// indexInput reads an index that names its input.
func indexInput(path string, raw json.RawMessage) (any, error) {
	index, err := inputIndex(path, raw)
	return input{SignInput: bitcoin.SignInput{Path: path, Index: index}}, err
}

// indexesOf reads signAtIndex: one index or an array of them.
func indexesOf(path string, raw json.RawMessage) (any, error) {
	if raw[0] == '[' {
		return eachOf(path, raw, maxSignInputs, indexInput)
	}
	one, err := indexInput(Indexed(path, 0), raw)
	return []any{one}, err
}

func inputsByAddress(path string, raw json.RawMessage) (any, error) {
	var byAddress map[string][]json.RawMessage
	if json.Unmarshal(raw, &byAddress) != nil {
		return nil, jsonrpc.InvalidParam(path, "must be an array of {index, address}, or an object of arrays of indexes by address")
	}
	out := []any{}
	for _, address := range slices.Sorted(maps.Keys(byAddress)) {
		for i, raw := range byAddress[address] {
			at := fmt.Sprintf("%s[%q][%d]", path, address, i)
			index, err := inputIndex(at, raw)
			if err != nil {
				return nil, err
			}
			if len(out) == maxSignInputs {
				return nil, jsonrpc.InvalidParam(path, "must have at most %d entries", maxSignInputs)
			}
			out = append(out, input{SignInput: bitcoin.SignInput{Path: at, Index: index, Address: address}})
		}
	}
	return out, nil
}

// recipients returns those of sendTransfer, or the one that address and amount name beside them
// (Leather's older form). Amounts are satoshis; the addresses are checked when the transfer
// is planned, as they depend on the network.
func (r *request) recipients() ([]bitcoin.Recipient, error) {
	if !r.has("recipients") {
		for _, name := range []string{"address", "amount"} {
			if !r.has(name) {
				return nil, jsonrpc.InvalidParam(name, "is missing, address and amount go together")
			}
		}
		return []bitcoin.Recipient{{Address: get[string](r, "address"), Amount: get[uint64](r, "amount")}}, nil
	}
	var out []bitcoin.Recipient
	for i, item := range items[*request](r, "recipients") {
		out = append(out, bitcoin.Recipient{
			Path: Indexed("recipients", i), Address: get[string](item, "address"), Amount: get[uint64](item, "amount"),
		})
	}
	if len(out) == 0 || len(out) > bitcoin.MaxRecipients {
		return nil, jsonrpc.InvalidParam("recipients", "must have 1 to %d recipients, has %d", bitcoin.MaxRecipients, len(out))
	}
	return out, nil
}

// signRequest returns what signPsbt requests. Beside the documented form it takes those of other
// wallets: hex and signAtIndex (Leather), signInputs as indexes by address (Xverse).
func (r *request) signRequest() (*bitcoin.PSBT, bitcoin.SignRequest, []input) {
	key := "psbt"
	if r.has("hex") {
		key = "hex"
	}
	psbt := get[*bitcoin.PSBT](r, key)
	out := bitcoin.SignRequest{Path: key, Broadcast: get[bool](r, "broadcast"), Allowed: items[bitcoin.Sighash](r, "allowedSighash")}
	inputs := append(items[input](r, "signInputs"), items[input](r, "signAtIndex")...)
	if r.has("signInputs") || r.has("signAtIndex") {
		out.Inputs = []bitcoin.SignInput{} // none is not all of them
	}
	for i, in := range inputs {
		if in.Address != "" && in.entry != "" && in.Index >= 0 && in.Index < psbt.Inputs() {
			inputs[i].Path = in.entry + ".address"
		}
		out.Inputs = append(out.Inputs, inputs[i].SignInput)
	}
	return psbt, out, inputs
}
