package wallet

import (
	"encoding/json"

	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// StacksEncoder encodes with wallet/clarity and wallet/stxtx. It is what a
// [Library] uses unless its options name another.
type StacksEncoder struct{}

// ClarityHex returns the consensus bytes (SIP-005) of a Clarity value.
func (StacksEncoder) ClarityHex(value json.RawMessage) (string, error) {
	v, err := clarity.ParseJSON(value)
	if err != nil {
		return "", err
	}
	return clarity.EncodeHex(v)
}

// PostConditionHex returns the bytes of a post-condition as they stand in a
// transaction.
func (StacksEncoder) PostConditionHex(condition json.RawMessage) (string, error) {
	p, err := stxtx.ParsePostConditionJSON(condition)
	if err != nil {
		return "", err
	}
	return stxtx.PostConditionHex(p)
}
