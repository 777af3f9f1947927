package signer

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"chainscope/wallet/bitcoin"
	"chainscope/wallet/c32"
	"chainscope/wallet/clarity"
	"chainscope/wallet/facts"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/keys"
	"chainscope/wallet/stxtx"
)

// request are the params of one call of a method, as their kinds read them.
type request struct {
	Method
	env    Env
	prefix string            // before the path of each param, "[1]." for an entry
	given  object            // as they came
	values map[string]any    // by the name of the param
	paths  map[string]string // of the params that were given
	// ignored are params that were dropped before they came here; the description names them.
	ignored []string
}

// request reads the params of the method; what none of them is, is refused.
func (m Method) request(o object, prefix string, env Env) (*request, error) {
	r := &request{Method: m, env: env, prefix: prefix, given: o, values: map[string]any{}, paths: map[string]string{}}
	if err := unknown(o, prefix, m.Name, m.all()); err != nil {
		return nil, err
	}
	return r, r.readAll(m.all(), prefix)
}

// readAll reads the params of an object. Prefix is what their paths begin with.
func (r *request) readAll(params []Param, prefix string) error {
	for _, p := range params {
		name, err := r.given.oneOf(append([]string{p.Name}, p.Aliases...)...)
		if err != nil {
			return within(prefix, err)
		}
		replaced, err := r.replaced(p)
		if err != nil {
			return within(prefix, err)
		}
		switch raw := r.given[name]; {
		case raw != nil && p.Repeats != "":
			if _, err := r.given.oneOf(p.Repeats, p.Name); err != nil {
				return within(prefix, err)
			}
		case raw != nil:
			path := prefix + name
			if r.values[p.Name], err = r.read(p, path, raw); err != nil {
				return err
			}
			r.paths[p.Name] = path
		case !p.Optional && !replaced:
			return jsonrpc.InvalidParam(prefix+p.Name, "is missing, %s", p.Kind.words().rule)
		}
	}
	return nil
}

// replaced reports whether a param is given by others that are in its place.
func (r *request) replaced(p Param) (bool, error) {
	for _, name := range p.Instead {
		if !r.given.has(name) {
			continue
		}
		if r.given.has(p.Name) {
			return true, jsonrpc.InvalidParam(name, "must not be given with %s", p.Name)
		}
		return true, nil
	}
	return false, nil
}

// has reports whether a param is given.
func (r *request) has(name string) bool { return r.paths[name] != "" }

// get returns the value of a param, the zero value where there is none.
func get[T any](r *request, name string) T {
	v, _ := r.values[name].(T)
	return v
}

// items returns the items of a list.
func items[T any](r *request, name string) []T {
	var out []T
	for _, item := range get[[]any](r, name) {
		v, _ := item.(T)
		out = append(out, v)
	}
	return out
}

// Read reads a param as the wallet does, and returns its value: a string, an integer, a
// Clarity value, a transaction or whatever the kind says. The path of the error is "".
func Read(p Param, raw json.RawMessage) (any, error) { return (&request{}).read(p, "", raw) }

// read reads the value of a param, which is not null.
func (r *request) read(p Param, path string, raw json.RawMessage) (any, error) {
	switch p.Kind {
	case KindAmount:
		return integerOf(path, raw, 1)
	case KindInteger:
		return integerOf(path, raw, 0)
	case KindAccount:
		return accountOf(path, raw)
	case KindIndex:
		return inputIndex(path, raw)
	case KindBool:
		return flagOf(path, raw)
	case KindValue, KindTuple:
		return valueOf(path, raw)
	case KindJSON:
		return raw, nil
	case KindChain:
		return r.chainOf(path, raw)
	case KindMode:
		return modeOf(path, raw)
	case KindVersion:
		return versionOf(path, raw)
	case KindSighash:
		return sighashOf(path, raw)
	case KindConditions:
		return eachOf(path, raw, p.Most, conditionOf)
	case KindList:
		return eachOf(path, raw, p.Most, func(path string, raw json.RawMessage) (any, error) { return r.itemOf(p, path, raw) })
	case KindInputs:
		return r.inputsOf(p, path, raw)
	case KindIndexes:
		return indexesOf(path, raw)
	case KindMessage:
		if kind := r.given["messageType"]; string(kind) == `"structured"` {
			return valueOf(path, raw)
		}
	}
	text, err := textOf(path, raw)
	if err != nil {
		return nil, err
	}
	v, rule, err := p.readText(text)
	if err != nil {
		return nil, jsonrpc.InvalidParam(path, "%v%s", err, rule)
	}
	return v, nil
}

// readText reads a param that is a string. The rule is what would be right, to be said
// after the error.
func (p Param) readText(text string) (v any, rule string, err error) {
	switch p.Kind {
	case KindAddress:
		v, err = c32.ParseAddress(text)
		return v, "; must be a Stacks address of the wallet", err
	case KindPrincipal:
		v, err = clarity.ParsePrincipal(text)
		return v, "; must be a Stacks address (SP… or ST…) or a contract ADDRESS.NAME", err
	case KindContract:
		v, err = clarity.ParseContract(text)
		return v, "; must be ADDRESS.NAME", err
	case KindAsset:
		v, err = stxtx.ParseAsset(text)
		return v, "; must be CONTRACT::TOKEN", err
	case KindName:
		return text, "", clarity.CheckName(text)
	case KindNewName:
		return text, "", clarity.CheckContractName(text)
	case KindPublicKey:
		text = strings.ToLower(strings.TrimPrefix(text, "0x"))
		if b, err := hex.DecodeString(text); err != nil || len(b) != 33 {
			return nil, "", errors.New("must be 66 hexadecimal digits of a compressed key")
		}
	case KindInputKey:
		b, err := hex.DecodeString(text)
		if err != nil || len(b) != 33 && len(b) != 32 {
			return nil, "", errors.New("must be a public key of 33 or 32 bytes in hex")
		}
		return b, "", nil
	case KindMemo:
		memo, err := stxtx.NewMemo(text)
		if err != nil {
			return nil, "", fmt.Errorf("has %d bytes, must have at most %d bytes of UTF-8", len(text), stxtx.MemoBytes)
		}
		return memo, "", nil
	case KindPSBT:
		v, err = bitcoin.ParsePSBT(text)
		return v, "", err
	case KindPSBTHex:
		v, err = bitcoin.ParsePSBTHex(text)
		return v, "", err
	case KindTransaction:
		tx, err := stxtx.DecodeHex(text)
		if err == nil {
			err = tx.CheckNetwork()
		}
		return tx, "; must be a Stacks transaction in hexadecimal digits", err
	case KindPurpose:
		if text != "spark" && text != "starknet" {
			return text, "", p.offers(text)
		}
	case KindChoice:
		return text, "", p.offers(text)
	}
	return text, "", nil
}

// offers refuses what is none of the choices.
func (p Param) offers(text string) error {
	if slices.Contains(p.Choices, text) {
		return nil
	}
	last := len(p.Choices) - 1
	return fmt.Errorf("%.40q is unknown, must be %s or %s", text, strings.Join(p.Choices[:last], ", "), p.Choices[last])
}

// eachOf reads an array of at most so many items, 0 for any number.
func eachOf(path string, raw json.RawMessage, most int, read func(string, json.RawMessage) (any, error)) (any, error) {
	var list []json.RawMessage
	if raw[0] != '[' || json.Unmarshal(raw, &list) != nil {
		return nil, jsonrpc.InvalidParam(path, "must be an array, here %s", jsonrpc.KindOf(raw))
	}
	if most > 0 && len(list) > most {
		return nil, jsonrpc.InvalidParam(path, "must have at most %d entries, has %d", most, len(list))
	}
	out := make([]any, len(list))
	for i, item := range list {
		var err error
		if out[i], err = read(Indexed(path, i), item); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// itemOf reads an item of a list: one value, or an object of the members that the param
// names.
func (r *request) itemOf(p Param, path string, raw json.RawMessage) (any, error) {
	if p.Single() {
		return r.read(p.Items[0], path, raw)
	}
	if raw[0] != '{' {
		return nil, jsonrpc.InvalidParam(path, "must be an object with %s, here %s", namesOf(p.Items), jsonrpc.KindOf(raw))
	}
	o, err := parseObject(raw)
	if err != nil {
		return nil, jsonrpc.InvalidParam(path, "must be an object with %s", namesOf(p.Items))
	}
	if err := unknown(o, path+".", "an entry of "+p.Name, p.Items); err != nil {
		return nil, err
	}
	item := &request{given: o, values: map[string]any{}, paths: map[string]string{}}
	return item, item.readAll(p.Items, path+".")
}

func namesOf(params []Param) string {
	names := make([]string, len(params))
	for i, p := range params {
		names[i] = p.Name
	}
	return strings.Join(names, ", ")
}

func accountOf(path string, raw json.RawMessage) (any, error) {
	n, err := integerOf(path, raw, 0)
	if err != nil || n > keys.MaxAccount {
		return nil, jsonrpc.InvalidParam(path, "must be the number of an account, from 0 to %d", uint32(keys.MaxAccount))
	}
	return uint32(n), nil
}

func flagOf(path string, raw json.RawMessage) (any, error) {
	if on := string(raw) == "true"; on || string(raw) == "false" {
		return on, nil
	}
	return nil, jsonrpc.InvalidParam(path, "must be true or false, here %s", jsonrpc.KindOf(raw))
}

// modeOf reads the mode by name, or by the number that the reference library gives it.
func modeOf(path string, raw json.RawMessage) (any, error) {
	switch string(raw) {
	case `"deny"`, "2":
		return stxtx.ModeDeny, nil
	case `"allow"`, "1":
		return stxtx.ModeAllow, nil
	case `"originator"`, "3":
		return stxtx.ModeOriginator, nil
	}
	return nil, jsonrpc.InvalidParam(path, `must be "deny", "allow" or "originator"`)
}

func versionOf(path string, raw json.RawMessage) (any, error) {
	n, err := integerOf(path, raw, 1)
	if newest := facts.Current().Clarity; err != nil || n > uint64(newest) {
		return nil, jsonrpc.InvalidParam(path, "must be a number or a string from 1 to %d", newest)
	}
	return byte(n), nil
}

// sighashOf reads the name or the number of a signature hash.
func sighashOf(path string, raw json.RawMessage) (any, error) {
	if raw[0] == '"' {
		name, err := textOf(path, raw)
		if err != nil {
			return nil, err
		}
		s, err := bitcoin.ParseSighash(name)
		if err != nil {
			return nil, jsonrpc.InvalidParam(path, "%v", err)
		}
		return s, nil
	}
	n, err := strconv.ParseUint(string(raw), 10, 8)
	if err != nil || !bitcoin.Sighash(n).Known() {
		return nil, jsonrpc.InvalidParam(path, "must be the name or number of a signature hash")
	}
	return bitcoin.Sighash(n), nil
}

// inputIndex reads the index of an input.
func inputIndex(path string, raw json.RawMessage) (int, error) {
	n, err := strconv.ParseInt(string(raw), 10, 32)
	if err != nil {
		return 0, jsonrpc.InvalidParam(path, "must be the index of an input, a whole number from 0")
	}
	return int(n), nil
}

const postConditionRule = `must be a post-condition: hexadecimal digits or JSON {"type", "address", "condition", …}`

// conditionOf reads a post-condition.
func conditionOf(path string, raw json.RawMessage) (any, error) {
	var p stxtx.PostCondition
	var err error
	switch raw[0] {
	case '"':
		var text string
		if text, err = textOf(path, raw); err != nil {
			return nil, err
		}
		p, err = stxtx.DecodePostConditionHex(text)
	case '{':
		p, err = stxtx.ParsePostConditionJSON(raw)
	default:
		err = errors.New("it is " + jsonrpc.KindOf(raw))
	}
	if err != nil {
		return nil, nested(path, err, postConditionRule)
	}
	return p, nil
}
