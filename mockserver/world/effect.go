package world

import (
	"chainscope/mockserver/contracts"
	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
	"chainscope/wallet/clarity/abi"
	"chainscope/wallet/stxtx"
)

// effect returns what a call does, in a block: the canned answer to it, what a contract that is
// built in does, or, since nothing runs a contract, (ok true). A deploy of what is no contract
// fails.
func (c *content) effect(l *ledger.Ledger, t *ledger.Tx) ledger.Effect {
	if deploy, ok := t.Payload.(stxtx.SmartContract); ok {
		return deployEffect(deploy.Code)
	}
	call, ok := t.Payload.(stxtx.ContractCall)
	if !ok {
		return ledger.Effect{}
	}
	if canned, known, err := c.contracts.Call(callerOf(t, call)); known {
		return cannedEffect(call.Contract, canned, err)
	}
	if played, ok := c.builtin(call.Contract); ok {
		if does, ok := played.Call(l, t.Principal(), call.Function, call.Args); ok {
			return does
		}
	}
	return ledger.Effect{Moves: c.supposed(l, t, call), Supposed: true}
}

func callerOf(t *ledger.Tx, call stxtx.ContractCall) contracts.Caller {
	return contracts.Caller{ContractCall: call, Sender: t.Principal()}
}

// deployEffect returns what a deploy does. A text that is no contract is in its block and fails
// there, as on a node.
func deployEffect(text string) ledger.Effect {
	if mistake := contracts.Check(text); mistake != nil {
		return ledger.Effect{Result: clarity.Err{Value: clarity.None{}}, Error: mistake.Error()}
	}
	return ledger.Effect{}
}

// cannedEffect returns what a canned call does. One that does not fit its arguments fails at run
// time, as a contract would.
func cannedEffect(contract clarity.Principal, canned contracts.Call, err error) ledger.Effect {
	if err != nil {
		return ledger.Effect{Result: clarity.Err{Value: clarity.None{}}, Error: "mock: the answer that was written for this call does not fit it: " + err.Error()}
	}
	does := ledger.Effect{Result: canned.Result, Moves: canned.Moves}
	for _, v := range canned.Prints {
		does.Prints = append(does.Prints, ledger.Print{Contract: contract, Value: v})
	}
	for _, s := range canned.Sets {
		does.Sets = append(does.Sets, ledger.Set{Contract: contract, Name: s.Name, Key: s.Key, Value: s.Value})
	}
	return does
}

// source reads the text of a contract that a block has, that was given, or that is built in;
// nil where it is not known.
func (c *content) source(l *ledger.Ledger, id clarity.Principal) *contracts.Source {
	if t, ok := l.Contract(id); ok && t.Result != nil {
		p := t.Payload.(stxtx.SmartContract)
		return c.sources.Read(id, p.Code, p.ClarityVersion)
	}
	if text, ok := c.contracts.Source(id); ok {
		return c.sources.Read(id, text, 0)
	}
	if played, ok := c.builtin(id); ok {
		return c.sources.Read(id, played.Source(), 0)
	}
	if text, live := c.forked.Live(id); live {
		return c.sources.Read(id, text, 0)
	}
	return nil
}

// admit checks a call as a node does before it takes a transaction: what waits in the
// mempool is not on the chain.
func (c *content) admit(l *ledger.Ledger, call stxtx.ContractCall) (ledger.Reason, any) {
	if running, ok := c.ran.Contract(call.Contract); ok {
		f, declared := running.Interface.Function(call.Function)
		return admitFunction(f, declared, call)
	}
	source := c.source(l, call.Contract)
	if source == nil {
		switch {
		case c.stacks(call.Contract): // which was checked before
			return "", nil
		case c.contracts.Calls(call.Contract, call.Function):
			return "", nil
		case c.contracts.Has(call.Contract, ""):
			return ledger.NoSuchPublicFunction, nil
		case c.anyContract:
			return "", nil
		}
		return ledger.NoSuchContract, nil
	}
	f, declared := source.Function(call.Function)
	if (!declared || f.Access != abi.Public) && c.contracts.Calls(call.Contract, call.Function) {
		return "", nil
	}
	return admitFunction(f, declared, call)
}

// admitFunction checks a call of a function, if it is declared.
func admitFunction(f *abi.Function, declared bool, call stxtx.ContractCall) (ledger.Reason, any) {
	if !declared || f.Access != abi.Public {
		return ledger.NoSuchPublicFunction, nil
	}
	if cause := contracts.CheckArguments(f, call.Args); cause != "" {
		return ledger.BadFunctionArgument, ledger.Message{Message: cause}
	}
	return "", nil
}
