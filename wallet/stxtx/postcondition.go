package stxtx

import (
	"encoding/hex"
	"fmt"
	"slices"

	"chainscope/wallet/clarity"
)

// AssetType describes what a post-condition is about.
type AssetType byte

// The asset types. Staking and PoX come from SIP-044: AssetStaking bounds the
// STX that a principal locks, AssetPoX the changes of its stacking state that
// lock nothing.
const (
	AssetSTX     AssetType = 0
	AssetFT      AssetType = 1
	AssetNFT     AssetType = 2
	AssetStaking AssetType = 3
	AssetPoX     AssetType = 4
)

// accepts reports whether a condition code goes with the asset type.
func (a AssetType) accepts(c ConditionCode) bool {
	switch a {
	case AssetNFT:
		return c >= NFTSent && c <= NFTMaybeSent
	case AssetPoX:
		return c >= PoXWillNotPerform && c <= PoXWillPerform
	}
	return c >= SentEqual && c <= SentLessOrEqual
}

// hasToken reports whether post-conditions of this type name a token.
func (a AssetType) hasToken() bool { return a == AssetFT || a == AssetNFT }

// ConditionCode says how much, or whether, the principal may send, lock or do.
type ConditionCode byte

// The condition codes: five for amounts, three for non-fungible tokens, three
// for PoX actions (SIP-044).
const (
	SentEqual          ConditionCode = 0x01
	SentGreater        ConditionCode = 0x02
	SentGreaterOrEqual ConditionCode = 0x03
	SentLess           ConditionCode = 0x04
	SentLessOrEqual    ConditionCode = 0x05
	NFTSent            ConditionCode = 0x10
	NFTNotSent         ConditionCode = 0x11
	NFTMaybeSent       ConditionCode = 0x12
	PoXWillNotPerform  ConditionCode = 0x30
	PoXMayPerform      ConditionCode = 0x31
	PoXWillPerform     ConditionCode = 0x32
)

var conditionNames = map[ConditionCode]string{
	SentEqual: "eq", SentGreater: "gt", SentGreaterOrEqual: "gte", SentLess: "lt", SentLessOrEqual: "lte",
	NFTSent: "sent", NFTNotSent: "not-sent", NFTMaybeSent: "maybe-sent",
	PoXWillNotPerform: "will-not-perform", PoXMayPerform: "may-perform", PoXWillPerform: "will-perform",
}

// String returns the name of the JSON form.
func (c ConditionCode) String() string { return name(c, conditionNames) }

// Comparison says in words how much a condition on an amount lets through, "" for others.
func (c ConditionCode) Comparison() string {
	return map[ConditionCode]string{
		SentEqual: "exactly", SentGreater: "more than", SentGreaterOrEqual: "at least", SentLess: "less than", SentLessOrEqual: "at most",
	}[c]
}

// apiConditions and apiTypes are the API's words.
var (
	apiConditions = map[ConditionCode]string{
		SentEqual: "sent_equal_to", SentGreater: "sent_greater_than", SentGreaterOrEqual: "sent_greater_than_or_equal_to",
		SentLess: "sent_less_than", SentLessOrEqual: "sent_less_than_or_equal_to",
		NFTSent: "sent", NFTNotSent: "not_sent", NFTMaybeSent: "maybe_sent",
		PoXWillNotPerform: "not_performed", PoXMayPerform: "maybe_performed", PoXWillPerform: "performed",
	}
	apiTypes = [...]string{AssetSTX: "stx", AssetFT: "fungible", AssetNFT: "non_fungible", AssetStaking: "staking", AssetPoX: "pox"}
)

// APIName returns the API's word for the condition.
func (c ConditionCode) APIName() string { return apiConditions[c] }

// APIName returns the API's word for the type.
func (a AssetType) APIName() string { return apiTypes[a] }

// APICondition returns the type and the condition that the API has these words for; false
// where they do not go together.
func APICondition(kind, condition string) (AssetType, ConditionCode, bool) {
	a := AssetType(max(0, slices.Index(apiTypes[:], kind)))
	for code, word := range apiConditions {
		if word == condition && apiTypes[a] == kind && a.accepts(code) {
			return a, code, true
		}
	}
	return 0, 0, false
}

// Asset names a token: the contract and the name in its source.
type Asset struct {
	Contract clarity.Principal
	Name     string
}

// String writes CONTRACT::NAME.
func (a Asset) String() string { return a.Contract.String() + "::" + a.Name }

// PostCondition bounds what a transaction may move.
type PostCondition struct {
	Asset     AssetType
	Principal *clarity.Principal // nil: the origin of the transaction
	Condition ConditionCode
	Amount    uint64        // micro-STX or units of the token; none for NFT and PoX
	Token     Asset         // for tokens
	TokenID   clarity.Value // for non-fungible tokens
}

// Kinds of principals in post-conditions.
const (
	principalOrigin   = 1
	principalStandard = 2
	principalContract = 3
)

// encodePostCondition writes the bytes of p.
func encodePostCondition(p PostCondition) ([]byte, error) {
	w := writer{}
	w.postCondition(p)
	if w.err != nil {
		return nil, fmt.Errorf("post-condition: %w", w.err)
	}
	return w.out, nil
}

// PostConditionHex writes the bytes as hexadecimal digits, without 0x.
func PostConditionHex(p PostCondition) (string, error) {
	b, err := encodePostCondition(p)
	return hex.EncodeToString(b), err
}

// DecodePostCondition reads one post-condition, and nothing after it.
func DecodePostCondition(b []byte) (PostCondition, error) {
	r := reader{in: b}
	p := r.postCondition()
	r.end()
	if r.err != nil {
		return PostCondition{}, fmt.Errorf("post-condition: %w", r.err)
	}
	return p, nil
}

// DecodePostConditionHex is [DecodePostCondition] of hexadecimal digits, with
// or without 0x.
func DecodePostConditionHex(text string) (PostCondition, error) {
	b, err := unhex("post-condition", text)
	if err != nil {
		return PostCondition{}, err
	}
	return DecodePostCondition(b)
}

func (w *writer) postCondition(p PostCondition) {
	w.byte(byte(p.Asset))
	switch {
	case p.Principal == nil:
		w.byte(principalOrigin)
	case p.Principal.Contract == "":
		w.byte(principalStandard)
		w.byte(p.Principal.Address.Version)
		w.bytes(p.Principal.Address.Hash160[:])
	default:
		w.byte(principalContract)
		w.contract(*p.Principal)
	}
	if !p.Asset.accepts(p.Condition) {
		w.fail("condition %s does not go with this asset", p.Condition)
	}
	if p.Asset.hasToken() {
		w.asset(p.Token)
	}
	switch p.Asset {
	case AssetSTX, AssetFT, AssetStaking:
		w.byte(byte(p.Condition))
		w.u64(p.Amount)
	case AssetNFT:
		w.value(p.TokenID)
		w.byte(byte(p.Condition))
	case AssetPoX:
		w.byte(byte(p.Condition))
	default:
		w.fail("asset type 0x%02x is unknown", byte(p.Asset))
	}
}

func (w *writer) asset(a Asset) {
	w.contract(a.Contract)
	w.name(a.Name, clarity.CheckName)
}

func (r *reader) postCondition() PostCondition {
	p := PostCondition{Asset: AssetType(r.code("asset type", between(0, 4), "0 (STX), 1 (fungible token), 2 (non-fungible token), 3 (staking) or 4 (PoX)"))}
	switch r.code("principal type", between(1, 3), "1 (origin), 2 (address) or 3 (contract)") {
	case principalStandard:
		p.Principal = &clarity.Principal{Address: r.address("principal")}
	case principalContract:
		contract := r.contract("principal")
		p.Principal = &contract
	}
	if p.Asset.hasToken() {
		p.Token = Asset{r.contract("asset contract"), r.name("asset name", clarity.CheckName)}
	}
	switch p.Asset {
	case AssetNFT:
		p.TokenID = r.value("token id")
		p.Condition = ConditionCode(r.code("condition", between(0x10, 0x12), "0x10 to 0x12"))
	case AssetPoX:
		p.Condition = ConditionCode(r.code("condition", between(0x30, 0x32), "0x30 to 0x32"))
	default:
		p.Condition = ConditionCode(r.code("condition", between(1, 5), "1 to 5"))
		p.Amount = r.u64("amount")
	}
	return p
}
