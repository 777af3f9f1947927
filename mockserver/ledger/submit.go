package ledger

import (
	"crypto/sha512"
	"fmt"
	"slices"

	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// Submit takes the bytes of a transaction as a node does: checks it, keeps it,
// and puts it into the next block once every nonce before its own is there. The
// same transaction again is accepted and changes nothing, until a block has it.
func (l *Ledger) Submit(raw []byte) (txid [32]byte, rejection *Rejection) {
	txid = sha512.Sum512_256(raw)
	decoded, err := stxtx.Decode(raw)
	if err != nil {
		return txid, refuse(txid, Deserialization, messageData{err.Error()})
	}
	// The signature is by far the dearest check, and needs no state.
	if err := validate(decoded); err != nil {
		return txid, refuse(txid, SignatureValidation, messageData{err.Error()})
	}
	t := newTx(decoded, txid, len(raw))

	l.mu.Lock()
	defer l.mu.Unlock()
	_, t.ReceivedMS = l.settle()
	if l.pool[txid] != nil {
		return txid, nil
	}
	if reason, data := l.check(t); reason != "" {
		return txid, refuse(txid, reason, data)
	}
	prior, conflict := l.prior(t)
	if conflict || prior != nil && t.Fee() <= prior.Fee() {
		return txid, refuse(txid, ConflictingNonceInMempool, nil)
	}
	if reason, data := l.checkFunds(t, prior); reason != "" {
		return txid, refuse(txid, reason, data)
	}
	if reason, data := l.checkPayload(t, prior); reason != "" {
		return txid, refuse(txid, reason, data)
	}
	if prior == nil && (len(l.pool) >= maxPending || l.poolBytes+t.Size > maxPendingBytes) {
		return txid, refuse(txid, ServerFailureOther, messageData{
			fmt.Sprintf("the mempool is full with %d transactions of %d bytes; mine a block", len(l.pool), l.poolBytes),
		})
	}
	if prior != nil && !l.replace(prior, t) {
		// A block took the other one since the tip was read.
		return txid, refuse(txid, BadNonce, nonceData{t.originNonce() + 1, t.originNonce(), t.Principal().String(), true})
	}
	l.keep(t)
	l.schedule(t)
	return txid, nil
}

// validate checks what needs no account: network and signatures.
func validate(t *stxtx.Transaction) error {
	if err := t.CheckNetwork(); err != nil {
		return err
	}
	return t.Verify()
}

// check is of fee and nonces, in the order of the real node.
func (l *Ledger) check(t *Tx) (Reason, any) {
	// A node asks for 1 micro-STX a byte.
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
	if expected := l.at(p).nonce; nonce < expected || nonce-expected > maxChaining+1 {
		return BadNonce, l.nonceData(t, p, nonce, origin)
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
	prior = l.at(t.origin).pending[t.originNonce()]
	other := l.at(t.payer).pending[t.payerNonce()]
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
		have, need := l.at(p), t.spends(p)
		for _, pending := range have.pending {
			if pending == prior {
				continue
			}
			have.balance -= min(have.balance, pending.spends(p))
		}
		if need > have.balance {
			return NotEnoughFunds, fundsData{Hex128(need), Hex128(have.balance)}
		}
	}
	return "", nil
}

// checkPayload is of what the transaction does.
func (l *Ledger) checkPayload(t, prior *Tx) (Reason, any) {
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
		if p.Amount == 0 {
			return TransferAmountMustBePositive, nil
		}
	case stxtx.ContractCall:
		if foreign(p.Contract) {
			return BadAddressVersionByte, nil
		}
	case stxtx.SmartContract:
		name, _ := t.deploys()
		if prior != nil {
			if again, ok := prior.deploys(); ok && again == name {
				return "", nil // it takes the place of the same deployment
			}
		}
		if l.contracts[name] {
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

// replace lets t take the place of prior; false where a block has it already.
func (l *Ledger) replace(prior, t *Tx) bool {
	if prior.Height > 0 {
		height, ok := l.chain.ReplaceTx(prior.ID, t.ID)
		if !ok {
			return false
		}
		t.Height = height
		l.scheduled[slices.Index(l.scheduled, prior)] = t
	}
	l.drop(prior)
	if name, ok := prior.deploys(); ok {
		delete(l.contracts, name)
	}
	gone := *prior
	gone.Height, gone.ReplacedBy = 0, &t.ID
	l.remember(&gone)
	return true
}

// remember keeps a transaction that was replaced, for those who ask for it.
func (l *Ledger) remember(t *Tx) {
	l.replaced[t.ID] = t
	l.replacedOrder = append(l.replacedOrder, t.ID)
	if len(l.replacedOrder) > maxReplaced {
		delete(l.replaced, l.replacedOrder[0])
		l.replacedOrder = l.replacedOrder[1:]
	}
}

// schedule puts t and everything that waited for it into the next block.
func (l *Ledger) schedule(t *Tx) {
	for queue := []*Tx{t}; len(queue) > 0; queue = queue[1:] {
		t := queue[0]
		if t.Height == 0 {
			if !l.due(t.origin, t.originNonce()) || !l.due(t.payer, t.payerNonce()) {
				continue
			}
			t.Height = l.chain.AddTx(t.ID)
			l.scheduled = append(l.scheduled, t)
		}
		for _, next := range []*Tx{l.at(t.origin).pending[t.originNonce()+1], l.at(t.payer).pending[t.payerNonce()+1]} {
			if next != nil && next.Height == 0 {
				queue = append(queue, next)
			}
		}
	}
}

// due tells whether every nonce from the account's own up to n is in the
// blocks, those to come included.
func (l *Ledger) due(p party, n uint64) bool {
	a := l.at(p)
	for nonce := a.nonce; nonce < n; nonce++ {
		if t := a.pending[nonce]; t == nil || t.Height == 0 {
			return false
		}
	}
	return true
}
