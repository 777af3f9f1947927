package ledger

import (
	"crypto/sha512"
	"fmt"

	"chainscope/wallet/c32"
	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// Impersonated reports whether an address needs no signature of its own. Nil reports none.
type Impersonated func(c32.Address) bool

// Decode reads the bytes of a transaction and checks what needs no account:
// network and signatures, by far the dearest check.
func Decode(raw []byte, as Impersonated) (*Tx, *Rejection) {
	return decode(raw, func(t *stxtx.Transaction) ([]c32.Address, error) { return t.VerifyExcept(as) })
}

// DecodeDraft reads the bytes of a transaction that may still lack signatures; those that
// are there are checked. A sponsor that is not known yet pays the least fee.
func DecodeDraft(raw []byte, as Impersonated) (*Tx, *Rejection) {
	t, rejection := decode(raw, func(t *stxtx.Transaction) ([]c32.Address, error) { return verifyDraft(t, as) })
	if rejection == nil && t.Auth.Sponsor != nil && t.Auth.Sponsor.Signatures() == 0 {
		t.Auth.Sponsor.Fee = max(t.Auth.Sponsor.Fee, uint64(t.Size))
	}
	return t, rejection
}

// verifyDraft checks the signatures that are complete.
func verifyDraft(t *stxtx.Transaction, as Impersonated) ([]c32.Address, error) {
	signed := func(c *stxtx.SpendingCondition) bool {
		least := 1
		if c.HashMode.Multisig() {
			least = max(1, int(c.Required))
		}
		return c.Signatures() >= least
	}
	switch {
	case !signed(&t.Auth.Origin):
		return nil, nil
	case t.Auth.Sponsor == nil || signed(t.Auth.Sponsor):
		return t.VerifyExcept(as)
	}
	err := t.VerifyOrigin()
	if address := t.Auth.Origin.Address(t.Mainnet()); err != nil && as != nil && as(address) {
		return []c32.Address{address}, nil // it need not sign
	}
	return nil, err
}

func decode(raw []byte, verify func(*stxtx.Transaction) ([]c32.Address, error)) (*Tx, *Rejection) {
	id := sha512.Sum512_256(raw)
	decoded, err := stxtx.Decode(raw)
	if err != nil {
		return nil, NewRejection(id, Deserialization, Message{err.Error()})
	}
	if deploy, is := decoded.Payload.(stxtx.SmartContract); is {
		if at, found := stxtx.FindUnreadable(deploy.Code); found {
			return nil, NewRejection(id, Deserialization, Message{"the source cannot be read: " + at.String()})
		}
	}
	if err := decoded.CheckNetwork(); err != nil {
		return nil, NewRejection(id, SignatureValidation, Message{err.Error()})
	}
	unsigned, err := verify(decoded)
	if err != nil {
		return nil, NewRejection(id, SignatureValidation, Message{err.Error()})
	}
	t := newTx(decoded, id, len(raw))
	t.Impersonated = unsigned
	return t, nil
}

// Admission reports why a contract cannot be called on a ledger, "" if it can.
type Admission func(l *Ledger, call stxtx.ContractCall) (Reason, any)

// Submit takes a transaction as a node does: checks it, keeps it, and puts it
// into the block of height next once every nonce before its own is there. The
// same transaction again is accepted and changes nothing, until a block has it.
// A ledger that refuses is as it was before. Admit says why a call cannot be made, "" if it
// can. Submit reports whether the block carries something for it.
func (l *Ledger) Submit(t *Tx, nowMS, next int64, admit Admission) (bool, *Rejection) {
	l.height = next
	if _, known := l.pool.Get(t.ID[:]); known {
		return false, nil
	}
	if reason, data := l.check(t); reason != "" {
		return false, NewRejection(t.ID, reason, data)
	}
	prior, conflict := l.prior(t)
	if conflict || prior != nil && t.Fee() <= prior.Fee() {
		return false, NewRejection(t.ID, ConflictingNonceInMempool, nil)
	}
	if reason, data := l.checkFunds(t, prior); reason != "" {
		return false, NewRejection(t.ID, reason, data)
	}
	if reason, data := l.checkPayload(t, prior, admit); reason != "" {
		return false, NewRejection(t.ID, reason, data)
	}
	if reason, data := l.checkCapacity(t, prior); reason != "" {
		return false, NewRejection(t.ID, reason, data)
	}
	if prior != nil {
		l.drop(prior, ReplaceByFee, &t.ID)
	}
	accepted := *t
	l.place++
	accepted.ReceivedMS, accepted.ReceivedAfter, accepted.place = nowMS, next-1, l.place
	l.recall(t.ID)
	l.insert(&accepted)
	return l.scheduleFrom(&accepted, next), nil
}

// check returns of fee and nonces, in the order of the real node.
func (l *Ledger) check(t *Tx) (Reason, any) {
	// A node takes 1 micro-STX a byte.
	if least := uint64(t.Size); t.Fee() < least {
		return FeeTooLow, feeData{least, t.Fee()}
	}
	if reason, data := l.checkNonce(t, t.origin, t.originNonce(), true); reason != "" {
		return reason, data
	}
	if t.payer != t.origin {
		return l.checkNonce(t, t.payer, t.payerNonce(), false)
	}
	if t.payerNonce() != t.originNonce() {
		// Who sponsors itself has one nonce only.
		return BadNonce, l.nonceData(t, t.payer, t.payerNonce(), false)
	}
	return "", nil
}

func (l *Ledger) checkNonce(t *Tx, p party, nonce uint64, origin bool) (Reason, any) {
	data := l.nonceData(t, p, nonce, origin)
	if nonce < data.Expected {
		return BadNonce, data
	}
	if most := data.Expected + 1 + maxChaining; nonce > most && most > data.Expected {
		data.Expected = most
		return TooMuchChaining, chainingData{"Nonce would exceed chaining limit in mempool", data}
	}
	return "", nil
}

func (l *Ledger) nonceData(t *Tx, p party, nonce uint64, origin bool) nonceData {
	principal := t.Principal()
	if !origin {
		principal.Address = t.paying().Address(t.Mainnet())
	}
	return nonceData{l.at(p).nonce, nonce, principal.String(), origin}
}

// prior finds the transaction in the mempool whose place the new one would
// take: the one with the same nonces of the same accounts. Any other that has
// one of the nonces is a conflict.
func (l *Ledger) prior(t *Tx) (prior *Tx, conflict bool) {
	prior = l.waiting(t.origin, t.originNonce())
	other := l.waiting(t.payer, t.payerNonce())
	if prior == nil && other == nil {
		return nil, false
	}
	same := prior == other && prior.origin == t.origin && prior.payer == t.payer
	return prior, !same
}

// checkFunds compares what the accounts have with what they spend, all of their
// pending transactions counted, so that a block can carry whatever is accepted.
func (l *Ledger) checkFunds(t, prior *Tx) (Reason, any) {
	for _, p := range []party{t.origin, t.payer} {
		have, need := l.spendable(p), t.spends(p)
		l.eachWaiting(p, func(_ uint64, pending *Tx) {
			if pending != prior {
				have -= min(have, pending.spends(p))
			}
		})
		if need > have {
			return NotEnoughFunds, fundsData{Hex128(need), Hex128(have)}
		}
	}
	return "", nil
}

// checkPayload returns of what the transaction does.
func (l *Ledger) checkPayload(t, prior *Tx, admit Admission) (Reason, any) {
	foreign := func(p clarity.Principal) bool {
		if t.Mainnet() {
			return !p.Address.Mainnet()
		}
		return !p.Address.Testnet()
	}
	switch p := t.Payload.(type) {
	case stxtx.TokenTransfer:
		if foreign(p.Recipient) {
			return BadAddressVersionByte, nil
		}
		if p.Recipient == t.Principal() {
			return TransferRecipientCannotEqualSender, recipientData{p.Recipient.String()}
		}
		if p.Amount == 0 {
			return TransferAmountMustBePositive, nil
		}
		if len(t.PostConditions) > 0 {
			return ServerFailureOther, Message{"Invalid Stacks transaction: TokenTransfer transactions do not support post-conditions"}
		}
	case stxtx.ContractCall:
		if foreign(p.Contract) {
			return BadAddressVersionByte, nil
		}
		return admit(l, p)
	case stxtx.SmartContract:
		name, _ := t.deploys()
		if prior != nil {
			if again, ok := prior.deploys(); ok && again == name {
				return "", nil // it takes the place of the same deployment
			}
		}
		if _, known := l.contracts.Get(name.key()); known {
			id := t.Principal()
			id.Contract = p.Name
			return ContractAlreadyExists, contractData{id.String()}
		}
	case stxtx.PoisonMicroblock:
		return PoisonMicroblockIsInvalid, nil
	case stxtx.Coinbase:
		return NoCoinbaseViaMempool, nil
	case stxtx.TenureChange:
		return NoTenureChangeViaMempool, nil
	}
	return "", nil
}

// checkCapacity refuses what this process would have to keep for ever.
func (l *Ledger) checkCapacity(t, prior *Tx) (Reason, any) {
	full := func(format string, args ...any) (Reason, any) {
		return ServerFailureOther, Message{fmt.Sprintf(format, args...)}
	}
	if prior == nil && (l.pool.Len() >= maxPending || l.poolBytes+t.Size > maxPendingBytes) {
		return full("the mempool is full with %d transactions of %d bytes; mine a block", l.pool.Len(), l.poolBytes)
	}
	if _, ok := t.deploys(); ok && l.contractBytes+t.Size > maxContractBytes {
		return full("the deployed contracts have %d bytes; reset the mock or revert to a snapshot", l.contractBytes)
	}
	if l.accounts.Len() >= maxAccounts {
		return full("the mock keeps %d accounts; reset it or revert to a snapshot", l.accounts.Len())
	}
	return "", nil
}
