package ledger

import (
	"encoding/hex"
	"fmt"

	"chainscope/wallet/clarity"
)

// Reason is the reason why a node refuses a transaction, in the real node's words.
type Reason string

// The reasons.
const (
	Deserialization              Reason = "Deserialization"
	SignatureValidation          Reason = "SignatureValidation"
	FeeTooLow                    Reason = "FeeTooLow"
	BadNonce                     Reason = "BadNonce"
	TooMuchChaining              Reason = "TooMuchChaining"
	NotEnoughFunds               Reason = "NotEnoughFunds"
	BadAddressVersionByte        Reason = "BadAddressVersionByte"
	TransferAmountMustBePositive Reason = "TransferAmountMustBePositive"

	TransferRecipientCannotEqualSender Reason = "TransferRecipientCannotEqualSender"
	NoSuchContract                     Reason = "NoSuchContract"
	NoSuchPublicFunction               Reason = "NoSuchPublicFunction"
	BadFunctionArgument                Reason = "BadFunctionArgument"

	ContractAlreadyExists     Reason = "ContractAlreadyExists"
	NoCoinbaseViaMempool      Reason = "NoCoinbaseViaMempool"
	NoTenureChangeViaMempool  Reason = "NoTenureChangeViaMempool"
	PoisonMicroblockIsInvalid Reason = "PoisonMicroblockIsInvalid"
	ConflictingNonceInMempool Reason = "ConflictingNonceInMempool"
	ServerFailureOther        Reason = "ServerFailureOther"
)

// Rejection is a node's refusal, as it is in the body of its 400.
type Rejection struct {
	Message string `json:"error"` // "transaction rejected"
	Reason  Reason `json:"reason"`
	Data    any    `json:"reason_data,omitempty"`
	TxID    string `json:"txid"` // 64 hex digits
}

// Error gives message and reason.
func (r *Rejection) Error() string { return fmt.Sprintf("%s: %s", r.Message, r.Reason) }

// NewRejection returns the rejection of a transaction.
func NewRejection(id [32]byte, reason Reason, data any) *Rejection {
	return &Rejection{"transaction rejected", reason, data, hex.EncodeToString(id[:])}
}

// AlreadyExists returns the rejection of a deploy of a contract that a live chain has.
func AlreadyExists(txid [32]byte, id clarity.Principal) *Rejection {
	return NewRejection(txid, ContractAlreadyExists, contractData{id.String()})
}

// Unread is the reason where a transaction could not be checked: something of a live chain could not be read.
// A node never says so; nothing is taken then.
const Unread Reason = "Unread"

// Unknown returns the rejection of a transaction that cannot be checked now.
func Unknown(id [32]byte, err error) *Rejection {
	return NewRejection(id, Unread, Message{err.Error()})
}

// Refuse returns the rejection of a transaction for a reason of this process.
func Refuse(id [32]byte, err error) *Rejection {
	return NewRejection(id, ServerFailureOther, Message{err.Error()})
}

// Message is the data of a reason that is described in words.
type Message struct {
	Message string `json:"message"`
}

type feeData struct {
	Expected uint64 `json:"expected"`
	Actual   uint64 `json:"actual"`
}

type nonceData struct {
	Expected  uint64 `json:"expected"`
	Actual    uint64 `json:"actual"`
	Principal string `json:"principal"`
	IsOrigin  bool   `json:"is_origin"`
}

// chainingData has the highest nonce that would be taken in place of the
// expected one.
type chainingData struct {
	Message string `json:"message"`
	nonceData
}

// fundsData has its amounts as 0x and 32 hex digits, as the node writes 128
// bits.
type fundsData struct {
	Expected string `json:"expected"`
	Actual   string `json:"actual"`
}

type recipientData struct {
	Recipient string `json:"recipient"`
}

type contractData struct {
	Contract string `json:"contract_identifier"`
}

// Hex128 writes an amount as the node writes 128 bits: 0x and 32 hex digits.
func Hex128(n uint64) string { return fmt.Sprintf("0x%032x", n) }
