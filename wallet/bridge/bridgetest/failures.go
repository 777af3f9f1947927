package bridgetest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"chainscope/wallet/bridge"
	"chainscope/wallet/node"
	"chainscope/wallet/outcome"
)

// Failures returns why transactions that the wallet sent did not succeed: which condition broke
// and what would allow it; "" where all did. It is no failure by itself, as it may be what
// is tested; [Start] reports where the test fails.
func (k *Kit) Failures() string {
	if k.Chain == nil {
		return ""
	}
	var parts []string
	for _, c := range k.wallet.BridgeReport().Calls {
		if c.TxID == "" || c.Answer.Error != nil {
			continue
		}
		// One that was signed alone, or that a revert took back, is not known.
		if why, err := k.Chain.why(c.TxID); err == nil && why.Failed() {
			parts = append(parts, failure(c.NumberedCall, c.TxID, why)+k.Chain.called(c.TxID))
		}
	}
	return strings.Join(parts, "\n\n")
}

// why requests of the chain why a transaction ended as it did.
func (c *Chain) why(txid string) (why outcome.Why, err error) {
	body, err := c.kit.send(context.Background(), http.MethodGet, bridge.MockPrefix+"v1/tx/"+txid+"/why", "", nil)
	if err != nil {
		return why, err
	}
	err = json.Unmarshal(body, &why)
	return why, err
}

// mostCalls bounds the lines of what a transaction called.
const mostCalls = 200

// called returns what a transaction called, a line a call; "" where no contract ran.
func (c *Chain) called(txid string) string {
	var tree struct{ Trace []node.Call }
	body, err := c.kit.send(context.Background(), http.MethodGet, bridge.MockPrefix+"v1/transactions/"+txid+"/trace", "", nil)
	if err != nil || json.Unmarshal(body, &tree) != nil || len(tree.Trace) == 0 {
		return ""
	}
	text := ""
	for i, l := range tree.Trace[0].Lines(mostCalls) {
		label := "         "
		if i == 0 {
			label = "called   "
		}
		text += "\n  " + label + " " + quoted(l)
	}
	return text
}

// failure describes a transaction that did not succeed, one fact on each line.
func failure(c bridge.NumberedCall, txid string, why outcome.Why) string {
	lines := []string{
		fmt.Sprintf("did not succeed: %s, %s", quoted(c.Method), quoted(why.Status)),
		fmt.Sprintf("  sent      call %d: %s", c.N, quoted(string(c.Params))),
		"  why       " + quoted(why.Sentence),
	}
	if why.Condition != "" {
		lines = append(lines, "  condition "+quoted(why.Condition))
	}
	if why.Constant != "" {
		lines = append(lines, fmt.Sprintf("  error     %s, line %d of the contract", quoted(why.Constant), why.Line))
	}
	if why.Fix != "" {
		lines = append(lines, "  fix       "+quoted(why.Fix))
	}
	return strings.Join(append(lines, "  txid      "+quoted(txid)), "\n")
}

// Undescribed returns what was requested of contracts that is not described, as a file for
// --contracts in which the answers are still to be written; "" for nothing. [Start] reports
// it where the test fails.
func (k *Kit) Undescribed() (string, error) {
	k.mu.Lock()
	next := k.nextUndescribed
	k.mu.Unlock()
	answer, err := k.undescribed(next)
	return answer.Contracts, err
}

// undescribedAnswer holds what a mock answers of what was requested and is not described.
type undescribedAnswer struct {
	Contracts string `json:"contracts"`
	Next      int64  `json:"next"`
}

func (k *Kit) undescribed(after int64) (answer undescribedAnswer, err error) {
	if k.Chain == nil {
		return answer, nil
	}
	body, err := k.send(context.Background(), http.MethodGet, fmt.Sprintf("%sv1/undescribed?after=%d", bridge.MockPrefix, after), "", nil)
	if err != nil {
		return answer, err
	}
	return answer, json.Unmarshal(body, &answer)
}
