package service

import (
	"fmt"
	"strconv"
	"strings"

	"chainscope/wallet/bridge"
	"chainscope/wallet/node"
	"chainscope/wallet/outcome"
	"chainscope/wallet/provider"
)

// Fate is the kind of a status, for its color.
type Fate int

// The fates: it went well, it failed, or something is still waited for.
const (
	Good Fate = iota
	Bad
	Waits
)

// Status is the account of a call: the same words wherever a call is shown, from the question
// to the block of its transaction. Parts of them are as they came, untrusted.
type Status struct {
	Words string
	Fix   string // what helps now, "" for nothing
	Fate  Fate
}

// String writes the status in one line.
func (s Status) String() string {
	if s.Fix == "" {
		return s.Words
	}
	return s.Words + "; what helps: " + s.Fix
}

// StatusOf returns the status of a call as far as the chain has said what became of its transaction.
func (s *Service) StatusOf(c Call) Status {
	tx, known := s.LastKnown(c.TxID)
	if !known {
		return c.Status(nil)
	}
	return c.Status(&tx)
}

// Posted reports whether a mock was given the transaction of the call, whatever it answered.
func (c Call) Posted() bool { return c.TxID != "" && (c.NotSent == "" || c.Error != nil) }

// Status returns the status of a call whose transaction the chain describes as tx, nil for not
// known.
func (c Call) Status(tx *node.Transaction) Status {
	switch {
	case !c.Done:
		return Status{Words: "waits for an answer", Fate: Waits}
	case c.Decision == RejectedByPerson && c.Error != nil:
		return Status{Words: fmt.Sprintf("rejected by you (%d)", c.Error.Code), Fate: Bad}
	case c.Decision == RejectedByPerson:
		return Status{Words: "rejected by you", Fate: Bad}
	case c.Error != nil:
		st := Status{Words: fmt.Sprintf("%d %s", c.Error.Code, c.Error.Message), Fate: Bad}
		if tx != nil && tx.Reason.Status == outcome.Rejected {
			st.Words, st.Fix = st.Words+": "+tx.Reason.Sentence, tx.Reason.Fix
		}
		return st
	case c.Exception != "":
		return Status{Words: c.Exception, Fate: Bad}
	case c.NotSent == provider.NoChain:
		return Status{Words: "signed, not sent: " + c.NotSent, Fix: "give --api the URL of a running mock to send it there"}
	case strings.Contains(c.NotSent, node.Unreachable):
		return Status{Words: "signed, not sent: " + c.NotSent, Fix: "send the call again when it can be reached"}
	case c.NotSent != "":
		return Status{Words: "signed, not sent: " + c.NotSent}
	case c.TxID != "" && tx != nil && (tx.Status != "" || !c.Unanswered):
		return onChain(*tx)
	case c.Unanswered:
		return Status{Words: "sent, no answer yet", Fix: "chainscope tx " + c.TxID + " says whether the chain has it", Fate: Waits}
	case c.TxID != "":
		return Status{Words: "sent"}
	case c.Kind == KindDisconnect:
		return Status{Words: "done"}
	case strings.Contains(c.Method, "sign"):
		return Status{Words: "signed"}
	}
	return Status{Words: "answered"}
}

// onChain returns the status of a transaction that was sent.
func onChain(tx node.Transaction) Status {
	why := tx.Why()
	switch {
	case tx.Mined() && tx.Status == "success":
		return Status{Words: strings.TrimSpace(fmt.Sprintf("in block %s  %s", grouped(tx.BlockHeight), tx.Result))}
	case tx.Mined():
		return Status{fmt.Sprintf("in block %s, but failed: %s", grouped(tx.BlockHeight), why.Sentence), why.Fix, Bad}
	case tx.Waits():
		return Status{Words: "pending: the next block takes it", Fate: Waits}
	case tx.Status == "pending":
		return Status{"pending: " + why.Sentence, why.Fix, Waits}
	case tx.Status == "":
		return Status{"sent, but unknown to the chain: it was reset, or is another one", "send it again", Waits}
	}
	return Status{"sent, then " + strings.TrimSuffix(strings.TrimPrefix(why.Sentence, "It was "), "."), why.Fix, Bad}
}

// Line returns the status in a line of its own: with the transaction, and with who called where that
// was a page.
func (c Call) Line(s Status) string {
	words := s.String()
	if c.TxID != "" {
		words = "tx " + c.TxID + ": " + words
	}
	if c.Kind == KindPage {
		words = c.Method + " of " + c.Requester.String() + ": " + words
	}
	return words
}

// AccountOf returns what files say of a call.
func (s *Service) AccountOf(c Call) bridge.Account {
	tx, _ := s.LastKnown(c.TxID)
	return bridge.Account{By: c.By(), TxID: c.TxID, Status: s.StatusOf(c).String(), Called: tx.Called}
}

// By returns who answered a call: wallet, account and network, with the fee and the nonce of what
// was signed and what the user changed of it.
func (c Call) By() string {
	if c.Wallet == "" {
		return "no wallet reached"
	}
	words := fmt.Sprintf("%s, account %d on %s", c.Wallet, c.Account, c.Network)
	if fee, err := strconv.ParseUint(c.Fee, 10, 64); err == nil {
		words += fmt.Sprintf(", fee %s, nonce %s", outcome.MicroSTX(fee), c.Nonce)
	}
	if len(c.Edits) > 0 {
		words += " (" + strings.Join(c.Edits, ", ") + " edited)"
	}
	return words
}

// grouped writes a height with its thousands separated.
func grouped(height int64) string {
	digits := strconv.FormatInt(height, 10)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}
