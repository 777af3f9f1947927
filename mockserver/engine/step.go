package engine

import (
	"cmp"

	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
	"chainscope/wallet/facts"
	"chainscope/wallet/stxtx"
)

// step holds what a transaction requests of the virtual machine.
type step struct {
	do                 string // deploy, call or read
	stxtx.ContractCall        // of a deploy the contract alone
	sender             clarity.Principal
	source             string
	version            byte // of Clarity, 0 for the newest of the epoch
}

// stepOf returns what a transaction requests; false if it is neither a deploy nor a call.
func stepOf(t *ledger.Tx) (step, bool) {
	sender := t.Principal()
	switch p := t.Payload.(type) {
	case stxtx.SmartContract:
		id := sender
		id.Contract = p.Name
		return step{do: "deploy", ContractCall: stxtx.ContractCall{Contract: id}, sender: sender, source: p.Code, version: p.ClarityVersion}, true
	case stxtx.ContractCall:
		return step{do: "call", ContractCall: p, sender: sender}, true
	}
	return step{}, false
}

// request returns the step as it is requested in an epoch.
func (s step) request(epoch string) (map[string]any, error) {
	if s.do == "deploy" {
		in, _ := facts.EpochOf(epoch)
		return map[string]any{"contract": s.Contract.String(), "source": s.source, "clarity": cmp.Or(s.version, in.Clarity)}, nil
	}
	args, err := encoded(s.Args)
	return map[string]any{"contract": s.Contract.String(), "function": s.Function, "args": args, "sender": s.sender.String()}, err
}

func encoded(values []clarity.Value) ([]string, error) {
	out := make([]string, len(values))
	for i, v := range values {
		text, err := clarity.EncodeHex(v)
		if err != nil {
			return nil, err
		}
		out[i] = "0x" + text
	}
	return out, nil
}

// principals calls f with each principal that a step names: a contract may request their
// balances.
func (s step) principals(f func(clarity.Principal)) {
	f(s.sender)
	f(s.Contract)
	for _, v := range s.Args {
		within(v, f)
	}
	for _, text := range written().FindAllString(s.source, -1) {
		if p, err := clarity.ParsePrincipal(text); err == nil {
			f(p)
		}
	}
}

// written finds what may be addresses in a source.
var written = pattern(`S[TNPM][0-9A-HJKMNP-TV-Z]{28,41}(\.[a-zA-Z][a-zA-Z0-9_-]*)?`)

// within calls f with the principals in a value.
func within(v clarity.Value, f func(clarity.Principal)) {
	switch v := v.(type) {
	case clarity.Principal:
		f(v)
	case clarity.Some:
		within(v.Value, f)
	case clarity.OK:
		within(v.Value, f)
	case clarity.Err:
		within(v.Value, f)
	case clarity.List:
		for _, item := range v {
			within(item, f)
		}
	case clarity.Tuple:
		for _, field := range v.Fields {
			within(field.Value, f)
		}
	}
}
