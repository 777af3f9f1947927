package stxtx

import (
	"encoding/binary"
	"fmt"
	"math"
	"unicode/utf8"

	"chainscope/wallet/clarity"
)

// writer appends bytes and keeps the first error.
type writer struct {
	out []byte
	err error
}

func (w *writer) fail(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf(format, args...)
	}
}

func (w *writer) byte(b byte)    { w.out = append(w.out, b) }
func (w *writer) bytes(b []byte) { w.out = append(w.out, b...) }
func (w *writer) u16(n uint16)   { w.out = binary.BigEndian.AppendUint16(w.out, n) }
func (w *writer) u32(n uint32)   { w.out = binary.BigEndian.AppendUint32(w.out, n) }
func (w *writer) u64(n uint64)   { w.out = binary.BigEndian.AppendUint64(w.out, n) }

func (w *writer) count(n int) {
	if n > math.MaxUint32 {
		w.fail("a count of %d", n)
	}
	w.u32(uint32(n))
}

func (w *writer) value(v clarity.Value) {
	out, err := clarity.Append(w.out, v)
	if err != nil {
		w.fail("%w", err)
		return
	}
	w.out = out
}

// name writes a checked name with its length in one byte.
func (w *writer) name(text string, check func(string) error) {
	if err := check(text); err != nil {
		w.fail("%w", err)
		return
	}
	w.byte(byte(len(text)))
	w.bytes([]byte(text))
}

// contract writes address and name, without the type byte of a Clarity value.
func (w *writer) contract(p clarity.Principal) {
	w.byte(p.Address.Version)
	w.bytes(p.Address.Hash160[:])
	w.name(p.Contract, clarity.CheckContractName)
}

func (w *writer) transaction(t *Transaction) {
	w.byte(t.Version)
	w.u32(t.ChainID)
	w.byte(byte(t.Auth.Type))
	switch {
	case t.Auth.Type != AuthStandard && t.Auth.Type != AuthSponsored:
		w.fail("authorization type %s, it must be 4 or 5", t.Auth.Type)
	case (t.Auth.Type == AuthSponsored) != (t.Auth.Sponsor != nil):
		w.fail("a sponsor's condition goes with authorization type 5, and only with it")
	}
	w.condition(&t.Auth.Origin)
	if t.Auth.Sponsor != nil {
		w.condition(t.Auth.Sponsor)
	}
	if t.AnchorMode < AnchorOnChain || t.AnchorMode > AnchorAny {
		w.fail("anchor mode %s, it must be 1 to 3", t.AnchorMode)
	}
	w.byte(byte(t.AnchorMode))
	if t.PostConditionMode < ModeAllow || t.PostConditionMode > ModeOriginator {
		w.fail("post-condition mode %s, it must be 1 to 3", t.PostConditionMode)
	}
	w.byte(byte(t.PostConditionMode))
	w.count(len(t.PostConditions))
	for _, p := range t.PostConditions {
		w.postCondition(p)
	}
	w.payload(t.Payload)
}

func (w *writer) payload(p Payload) {
	if p == nil {
		w.fail("it has no payload")
		return
	}
	w.byte(byte(p.Type()))
	p.write(w)
}

func (w *writer) condition(c *SpendingCondition) {
	if !c.HashMode.known() {
		w.fail("hash mode %s is unknown", c.HashMode)
	}
	w.byte(byte(c.HashMode))
	w.bytes(c.Signer[:])
	w.u64(c.Nonce)
	w.u64(c.Fee)
	if !c.HashMode.Multisig() {
		w.byte(byte(c.KeyEncoding))
		w.bytes(c.Signature[:])
		return
	}
	w.count(len(c.Fields))
	for _, f := range c.Fields {
		w.byte(byte(f.Type))
		if f.isSignature() {
			w.bytes(f.Signature[:])
		} else {
			w.bytes(f.Key[:])
		}
	}
	w.u16(c.Required)
}

func (p TokenTransfer) write(w *writer) {
	w.value(p.Recipient)
	w.u64(p.Amount)
	w.bytes(p.Memo[:])
}

func (p ContractCall) write(w *writer) {
	w.contract(p.Contract)
	w.name(p.Function, clarity.CheckName)
	w.count(len(p.Args))
	for _, arg := range p.Args {
		w.value(arg)
	}
}

func (p SmartContract) write(w *writer) {
	if p.ClarityVersion != 0 {
		w.byte(p.ClarityVersion)
	}
	w.name(p.Name, clarity.CheckContractName)
	if !utf8.ValidString(p.Code) {
		w.fail("the source of contract %s is not UTF-8", p.Name)
	}
	w.count(len(p.Code))
	w.bytes([]byte(p.Code))
}

func (p PoisonMicroblock) write(w *writer) {
	for _, h := range []MicroblockHeader{p.First, p.Second} {
		w.byte(h.Version)
		w.u16(h.Sequence)
		w.bytes(h.Parent[:])
		w.bytes(h.TxRoot[:])
		w.bytes(h.Signature[:])
	}
}

func (p Coinbase) write(w *writer) {
	w.bytes(p.Data[:])
	switch {
	case p.VRFProof != nil:
		if p.Recipient == nil {
			w.value(clarity.None{})
		} else {
			w.value(clarity.Some{Value: *p.Recipient})
		}
		w.bytes(p.VRFProof[:])
	case p.Recipient != nil:
		w.value(*p.Recipient)
	}
}

func (p TenureChange) write(w *writer) {
	w.bytes(p.TenureConsensusHash[:])
	w.bytes(p.PrevTenureConsensusHash[:])
	w.bytes(p.BurnViewConsensusHash[:])
	w.bytes(p.PreviousTenureEnd[:])
	w.u32(p.PreviousTenureBlocks)
	w.byte(byte(p.Cause))
	w.bytes(p.PublicKeyHash[:])
}
