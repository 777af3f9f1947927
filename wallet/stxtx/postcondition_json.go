package stxtx

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"chainscope/wallet/clarity"
)

// ParsePostConditionJSON reads the JSON form of the wallet interface, for
// example {"type":"stx-postcondition","address":"SP…","condition":"eq",
// "amount":"5"}. The address "origin" is that of the transaction; an asset is
// CONTRACT::NAME; an asset id is a Clarity value in JSON or in hexadecimal
// digits. What is no part of a post-condition of the type is refused. The error is
// a [*clarity.PathError].
func ParsePostConditionJSON(text []byte) (PostCondition, error) {
	var in postConditionJSON
	if err := json.Unmarshal(text, &in); err != nil {
		if wrong, is := errors.AsType[*json.UnmarshalTypeError](err); is && wrong.Field != "" {
			return PostCondition{}, wrongAt("."+wrong.Field, "it must be a string")
		}
		return PostCondition{}, wrongAt("", "it must be an object or hexadecimal digits")
	}
	p, err := in.head()
	if err == nil {
		err = onlyMembers(text, p)
	}
	if err == nil && p.Asset.hasToken() {
		if p.Token, err = ParseAsset(in.Asset); err != nil {
			err = wrongAt(".asset", "%w", err)
		}
	}
	if err != nil {
		return PostCondition{}, err
	}
	switch p.Asset {
	case AssetPoX:
	case AssetNFT:
		p.TokenID, err = in.tokenID()
	default:
		p.Amount, err = strconv.ParseUint(strings.Trim(string(in.Amount), `"`), 10, 64)
		if err != nil {
			err = wrongAt(".amount", "it must be an integer from 0 to 2^64-1, as a decimal string or a JSON integer")
		}
	}
	if err != nil {
		return PostCondition{}, err
	}
	return p, nil
}

// onlyMembers checks that the JSON form has nothing that its type has not.
func onlyMembers(text []byte, p PostCondition) error {
	names := []string{"type", "address", "condition"}
	if p.Asset.hasToken() {
		names = append(names, "asset")
	}
	switch p.Asset {
	case AssetPoX:
	case AssetNFT:
		names = append(names, "assetId")
	default:
		names = append(names, "amount")
	}
	var members map[string]json.RawMessage
	_ = json.Unmarshal(text, &members) // it was read before
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if !slices.Contains(names, name) {
			return wrongAt(fmt.Sprintf(".%.40s", name), "it is no part of a %s, which has %s", p.Type(), strings.Join(names, ", "))
		}
	}
	return nil
}

// postConditionJSON is the JSON form as it is read.
type postConditionJSON struct {
	Type      string          `json:"type"`
	Address   string          `json:"address"`
	Condition string          `json:"condition"`
	Amount    json.RawMessage `json:"amount"`
	Asset     string          `json:"asset"`
	AssetID   json.RawMessage `json:"assetId"`
}

// postConditionTypes are the values of type, by asset type.
var postConditionTypes = [...]string{
	AssetSTX: "stx-postcondition", AssetFT: "ft-postcondition", AssetNFT: "nft-postcondition",
	AssetStaking: "staking-postcondition", AssetPoX: "pox-postcondition",
}

// Type returns the value of type in the JSON form, for example
// stx-postcondition.
func (p PostCondition) Type() string {
	if int(p.Asset) >= len(postConditionTypes) {
		return name(p.Asset, nil)
	}
	return postConditionTypes[p.Asset]
}

// wrongAt returns an error at a path inside the JSON form.
func wrongAt(path, format string, args ...any) error {
	return &clarity.PathError{Path: path, Err: fmt.Errorf(format, args...)}
}

// head reads what every post-condition has: type, principal and condition.
func (in postConditionJSON) head() (PostCondition, error) {
	p := PostCondition{}
	kind := slices.Index(postConditionTypes[:], in.Type)
	if kind < 0 {
		return p, wrongAt(".type", "%.40q is unknown, it must be one of %s", in.Type, strings.Join(postConditionTypes[:], ", "))
	}
	p.Asset = AssetType(kind)
	if in.Address != "origin" {
		principal, err := clarity.ParsePrincipal(in.Address)
		if err != nil {
			return p, wrongAt(".address", `%w, or it must be "origin"`, err)
		}
		p.Principal = &principal
	}
	var known []string
	for code := range 0x100 {
		if code := ConditionCode(code); p.Asset.accepts(code) {
			if known = append(known, code.String()); code.String() == in.Condition {
				p.Condition = code
			}
		}
	}
	if p.Condition == 0 {
		return p, wrongAt(".condition", "%.40q is unknown, it must be one of %s", in.Condition, strings.Join(known, ", "))
	}
	return p, nil
}

// tokenID reads the id of a non-fungible token.
func (in postConditionJSON) tokenID() (clarity.Value, error) {
	if in.AssetID == nil {
		return nil, wrongAt(".assetId", "it is missing")
	}
	id, err := clarity.ParseWire(in.AssetID)
	var at *clarity.PathError
	switch {
	case errors.As(err, &at):
		return nil, wrongAt(".assetId"+at.Path, "%w", at.Err)
	case err != nil:
		return nil, wrongAt(".assetId", "%w", err)
	}
	return id, nil
}

// ParseAsset reads CONTRACT::NAME.
func ParseAsset(text string) (Asset, error) {
	contract, name, there := strings.Cut(text, "::")
	if !there {
		return Asset{}, fmt.Errorf("%.100q, it must be CONTRACT::NAME", text)
	}
	p, err := clarity.ParseContract(contract)
	if err != nil {
		return Asset{}, err
	}
	return Asset{p, name}, clarity.CheckName(name)
}

// MarshalJSON writes the JSON form of the wallet interface.
func (p PostCondition) MarshalJSON() ([]byte, error) {
	if _, err := encodePostCondition(p); err != nil {
		return nil, err
	}
	out := struct {
		Type      string          `json:"type"`
		Address   string          `json:"address"`
		Condition string          `json:"condition"`
		Asset     string          `json:"asset,omitempty"`
		Amount    string          `json:"amount,omitempty"`
		AssetID   json.RawMessage `json:"assetId,omitempty"`
	}{Address: "origin", Condition: p.Condition.String()}
	if p.Principal != nil {
		out.Address = p.Principal.String()
	}
	out.Type = p.Type()
	if p.Asset.hasToken() {
		out.Asset = p.Token.String()
	}
	switch p.Asset {
	case AssetPoX:
	case AssetNFT:
		id, err := clarity.JSON(p.TokenID)
		if err != nil {
			return nil, err
		}
		out.AssetID = id
	default:
		out.Amount = strconv.FormatUint(p.Amount, 10)
	}
	return marshal(out)
}

// UnmarshalJSON is [ParsePostConditionJSON].
func (p *PostCondition) UnmarshalJSON(text []byte) (err error) {
	*p, err = ParsePostConditionJSON(text)
	return err
}

// marshal writes JSON without escapes for HTML.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	w := json.NewEncoder(&b)
	w.SetEscapeHTML(false)
	err := w.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// Words returns what the post-condition demands, in plain words; amounts are in
// the smallest unit, and text that comes from the chain is as it is.
func (p PostCondition) Words() string {
	who := "the origin"
	if p.Principal != nil {
		who = p.Principal.String()
	}
	switch p.Asset {
	case AssetNFT:
		verb := map[ConditionCode]string{NFTSent: "must send", NFTNotSent: "must not send", NFTMaybeSent: "may send"}[p.Condition]
		return fmt.Sprintf("%s %s %s of %s", who, verb, clarity.Repr(p.TokenID), p.Token)
	case AssetPoX:
		verb := map[ConditionCode]string{PoXWillPerform: "must", PoXWillNotPerform: "must not", PoXMayPerform: "may"}[p.Condition]
		return fmt.Sprintf("%s %s change its stacking state without locking STX", who, verb)
	}
	verb, unit := "send", "micro-STX"
	switch p.Asset {
	case AssetFT:
		unit = "units of " + p.Token.String()
	case AssetStaking:
		verb = "lock"
	}
	return fmt.Sprintf("%s must %s %s %d %s", who, verb, p.Condition.Comparison(), p.Amount, unit)
}
