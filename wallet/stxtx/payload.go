package stxtx

import (
	"fmt"

	"chainscope/wallet/clarity"
)

// PayloadType is the byte that a payload begins with.
type PayloadType byte

// The payload types.
const (
	TypeTokenTransfer     PayloadType = 0
	TypeSmartContract     PayloadType = 1
	TypeContractCall      PayloadType = 2
	TypePoisonMicroblock  PayloadType = 3
	TypeCoinbase          PayloadType = 4
	TypeCoinbaseRecipient PayloadType = 5
	TypeVersionedContract PayloadType = 6
	TypeTenureChange      PayloadType = 7
	TypeNakamotoCoinbase  PayloadType = 8
)

// String returns the name that the Stacks API uses.
func (p PayloadType) String() string {
	return name(p, map[PayloadType]string{
		TypeTokenTransfer: "token_transfer", TypeSmartContract: "smart_contract", TypeContractCall: "contract_call",
		TypePoisonMicroblock: "poison_microblock", TypeCoinbase: "coinbase", TypeCoinbaseRecipient: "coinbase_to_alt_recipient",
		TypeVersionedContract: "versioned_smart_contract", TypeTenureChange: "tenure_change", TypeNakamotoCoinbase: "nakamoto_coinbase",
	})
}

// Payload holds what a transaction does: one of [TokenTransfer], [ContractCall],
// [SmartContract], [PoisonMicroblock], [Coinbase], [TenureChange].
type Payload interface {
	Type() PayloadType
	write(*writer)
}

// MemoBytes is the length of the memo field.
const MemoBytes = 34

// TokenTransfer sends STX.
type TokenTransfer struct {
	Recipient clarity.Principal
	Amount    uint64 // micro-STX
	Memo      [MemoBytes]byte
}

// NewMemo pads a text of at most [MemoBytes] bytes with zeros.
func NewMemo(text string) (memo [MemoBytes]byte, err error) {
	if len(text) > MemoBytes {
		return memo, fmt.Errorf("the memo has %d bytes, at most %d are taken", len(text), MemoBytes)
	}
	copy(memo[:], text)
	return memo, nil
}

// MemoText returns the memo without the zeros at its end; it may hold anything.
func (p TokenTransfer) MemoText() string {
	end := MemoBytes
	for end > 0 && p.Memo[end-1] == 0 {
		end--
	}
	return string(p.Memo[:end])
}

// ContractCall calls a public function.
type ContractCall struct {
	Contract clarity.Principal
	Function string
	Args     []clarity.Value
}

// SmartContract deploys a contract.
type SmartContract struct {
	ClarityVersion byte // 0: the older payload, which names none
	Name           string
	Code           string
}

// MicroblockHeader is the header of a microblock.
type MicroblockHeader struct {
	Version   byte
	Sequence  uint16
	Parent    [32]byte
	TxRoot    [32]byte
	Signature Signature
}

// PoisonMicroblock proves that a leader signed two microblocks with one parent.
type PoisonMicroblock struct{ First, Second MicroblockHeader }

// Coinbase pays a miner. With VRFProof it is of the Nakamoto form; else with a
// Recipient it is the one that pays another recipient; else it is the plain one.
type Coinbase struct {
	Data      [32]byte
	Recipient *clarity.Principal
	VRFProof  *[80]byte
}

// TenureCause reports why a tenure changes.
type TenureCause byte

// String returns the name in words.
func (c TenureCause) String() string {
	return name(c, map[TenureCause]string{
		0: "block_found", 1: "extended", 2: "extended_runtime", 3: "extended_read_count",
		4: "extended_read_length", 5: "extended_write_count", 6: "extended_write_length",
	})
}

// TenureChange begins or extends a tenure.
type TenureChange struct {
	TenureConsensusHash     [20]byte
	PrevTenureConsensusHash [20]byte
	BurnViewConsensusHash   [20]byte
	PreviousTenureEnd       [32]byte // index block hash
	PreviousTenureBlocks    uint32
	Cause                   TenureCause
	PublicKeyHash           [20]byte
}

// Type is TypeTokenTransfer.
func (TokenTransfer) Type() PayloadType { return TypeTokenTransfer }

// Type is TypeContractCall.
func (ContractCall) Type() PayloadType { return TypeContractCall }

// Type depends on whether a Clarity version is named.
func (p SmartContract) Type() PayloadType {
	if p.ClarityVersion == 0 {
		return TypeSmartContract
	}
	return TypeVersionedContract
}

// Type is TypePoisonMicroblock.
func (PoisonMicroblock) Type() PayloadType { return TypePoisonMicroblock }

// Type depends on which fields are there.
func (p Coinbase) Type() PayloadType {
	switch {
	case p.VRFProof != nil:
		return TypeNakamotoCoinbase
	case p.Recipient != nil:
		return TypeCoinbaseRecipient
	}
	return TypeCoinbase
}

// Type is TypeTenureChange.
func (TenureChange) Type() PayloadType { return TypeTenureChange }
