package outcome

import (
	"fmt"
	"strings"

	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// Ended holds how a transaction ended, as the API reports it.
type Ended struct {
	// Status is the API's word, such as abort_by_response.
	Status string
	// VMError holds what the node said, "" for nothing.
	VMError string
	// Result is the notation of what a call answered, such as (err u4).
	Result string
	// Function and Contract are those of a call, "" for other transactions.
	Function, Contract string
	// Source is the text of the contract, "" where it is not known.
	Source     string
	ReplacedBy string
	// Held are the conditions that it was compared with, nil where they are not known.
	Held *Held
	// Violation holds what post-conditions were violated by; nil where only VMError reports it.
	Violation *Violation
	// Unit holds the symbol and the decimals of a fungible token; nil where nobody knows, and
	// amounts are then in the smallest unit.
	Unit Unit
	// Waits is of one that is pending, nil for nothing known; Rejection of one that a node
	// refused, whose Status is [Rejected].
	Waits     *Waits
	Rejection *Rejection
	// MinerOnly says that only a miner makes transactions of this type; Orphaned that its
	// block is no longer part of the chain.
	MinerOnly, Orphaned bool
	InMicroblock        bool // of an orphaned one: its block is in the chain, its microblock is not
}

// Held are the post-conditions of a transaction.
type Held struct {
	Origin     clarity.Principal // the account that signed first
	Conditions []stxtx.PostCondition
}

// Unit holds the symbol and the decimals of a fungible token.
type Unit func(stxtx.Asset) (symbol string, decimals int, known bool)

// Rejected is the status of a transaction that a node refused before its mempool. The API has none.
const Rejected = "rejected"

// Why reports why a transaction ended as it did, for people and for programs. Absent keys are
// not known or have no meaning.
type Why struct {
	Status   string `json:"status"`
	Sentence string `json:"sentence"`
	// Certainty is fact for what the chain itself says, likely for what was read from the
	// source of a contract.
	Certainty string `json:"certainty"`
	// Condition holds what the post-condition required, in words.
	Condition string `json:"condition,omitempty"`
	// Constant is the name that the contract has for its answer, Line where it is.
	Constant string `json:"constant,omitempty"`
	Line     int    `json:"line,omitempty"`
	// Contract has that line, where it is another one than was called.
	Contract string `json:"contract,omitempty"`
	Fix      string `json:"fix,omitempty"`
}

// Failed reports whether the transaction changed nothing that it should have, or never will
// be in a block.
func (w Why) Failed() bool {
	return strings.HasPrefix(w.Status, "abort_") || strings.HasPrefix(w.Status, "dropped_") || w.Status == "problematic_skipped" || w.Status == Rejected
}

const (
	fact   = "fact"
	likely = "likely"
)

// dropped are the words for why a transaction left the memory pool, no more than the
// status says.
var dropped = map[string]string{
	"dropped_replace_by_fee":        "another transaction with the same nonce took its place",
	"dropped_replace_across_fork":   "another transaction with the same nonce took its place in another fork",
	"dropped_too_expensive":         "it is too expensive for a block",
	"dropped_stale_garbage_collect": "it waited too long and was thrown away",
	"dropped_problematic":           "nodes refuse to run it",
}

// afterDrop returns what helps once a transaction was dropped. Advice that lets somebody pay
// twice is worse than none: a nonce that was not used is to be used.
func afterDrop(status string) string {
	switch status {
	case "dropped_replace_by_fee", "dropped_replace_across_fork":
		return "nothing is to be sent again, unless the transaction that took its place is not what was wanted"
	case "dropped_too_expensive":
		return "unless its nonce was used since, send one that does less with the same nonce"
	case "dropped_problematic":
		return "unless its nonce was used since, send another one with the same nonce"
	}
	return "unless its nonce was used since, send it again with the same nonce and a higher fee"
}

// Explain returns why a transaction ended as it did.
func Explain(e Ended) Why {
	w := Why{Status: e.Status, Certainty: fact}
	switch {
	case e.Orphaned && (e.MinerOnly || e.Status != "pending"):
		w.Sentence = "Its block is no longer part of the chain."
		if e.InMicroblock {
			w.Sentence = "Its microblock is no longer part of the chain."
		}
		if e.MinerOnly {
			w.Sentence = strings.TrimSuffix(w.Sentence, ".") + ", and what a miner made for one block can be in no other."
		}
	case e.Status == "success":
		w.Sentence = "It succeeded."
	case e.Status == "pending":
		e.pending(&w)
	case e.Status == Rejected && e.Rejection != nil:
		e.rejected(&w)
	case e.Status == "abort_by_post_condition":
		e.condition(&w)
	case e.Status == "abort_by_response":
		e.response(&w)
	case dropped[e.Status] != "":
		w.Sentence = "It was dropped: " + dropped[e.Status] + "."
		w.Fix = afterDrop(e.Status)
		if e.ReplacedBy != "" {
			w.Sentence = fmt.Sprintf("It was dropped: %s, which has the same nonce, took its place.", e.ReplacedBy)
		}
	case e.Status == "problematic_skipped":
		w.Sentence = "The miner skipped it: nodes refuse to run what it does."
		w.Fix = afterDrop("dropped_problematic")
	default:
		w.Sentence = "The API calls it " + strings.ReplaceAll(e.Status, "_", " ") + "."
	}
	if e.MinerOnly {
		w.Fix = "" // nobody sends it again
	}
	return w
}
