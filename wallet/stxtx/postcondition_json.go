package stxtx

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"chainscope/wallet/clarity"
)

// ParsePostConditionJSON reads the JSON form of the wallet interface, for
// example {"type":"stx-postcondition","address":"SP…","condition":"eq",
// "amount":"5"}. The address "origin" is that of the transaction; an asset is
// CONTRACT::NAME; an asset id is a Clarity value in JSON or in hexadecimal
// digits. The error is a [*clarity.PathError].
func ParsePostConditionJSON(text []byte) (PostCondition, error) {
	fail := func(path string, format string, args ...any) (PostCondition, error) {
		return PostCondition{}, &clarity.PathError{Path: path, Err: fmt.Errorf(format, args...)}
	}
	var in struct {
		Type      string          `json:"type"`
		Address   string          `json:"address"`
		Condition string          `json:"condition"`
		Amount    json.RawMessage `json:"amount"`
		Asset     string          `json:"asset"`
		AssetID   json.RawMessage `json:"assetId"`
	}
	if err := json.Unmarshal(text, &in); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) && wrong.Field != "" {
			return fail("."+wrong.Field, "it must be a string")
		}
		return fail("", "it must be an object or hexadecimal digits")
	}
	p := PostCondition{}
	switch in.Type {
	case "stx-postcondition":
		p.Asset = AssetSTX
	case "ft-postcondition":
		p.Asset = AssetFT
	case "nft-postcondition":
		p.Asset = AssetNFT
	default:
		return fail(".type", "%.40q is unknown, it must be stx-postcondition, ft-postcondition or nft-postcondition", in.Type)
	}
	if in.Address != "origin" {
		principal, err := clarity.ParsePrincipal(in.Address)
		if err != nil {
			return fail(".address", `%w, or it must be "origin"`, err)
		}
		p.Principal = &principal
	}
	wanted := "eq, gt, gte, lt, lte"
	if p.Asset == AssetNFT {
		wanted = "sent, not-sent, maybe-sent"
	}
	for code, text := range conditionNames {
		if text == in.Condition && code.forNFT() == (p.Asset == AssetNFT) {
			p.Condition = code
		}
	}
	if p.Condition == 0 {
		return fail(".condition", "%.40q is unknown, it must be one of %s", in.Condition, wanted)
	}
	if p.Asset != AssetSTX {
		asset, err := ParseAsset(in.Asset)
		if err != nil {
			return fail(".asset", "%w", err)
		}
		p.Token = asset
	}
	if p.Asset != AssetNFT {
		amount, err := strconv.ParseUint(strings.Trim(string(in.Amount), `"`), 10, 64)
		if err != nil {
			return fail(".amount", "it must be an integer from 0 to 2^64-1, as a decimal string or a JSON integer")
		}
		p.Amount = amount
		return p, nil
	}
	id, err := parseTokenID(in.AssetID)
	if err != nil {
		var at *clarity.PathError
		if errors.As(err, &at) {
			return fail(".assetId"+at.Path, "%w", at.Err)
		}
		return fail(".assetId", "%w", err)
	}
	p.TokenID = id
	return p, nil
}

func parseTokenID(raw json.RawMessage) (clarity.Value, error) {
	if raw == nil {
		return nil, errors.New("it is missing")
	}
	if raw[0] != '"' {
		return clarity.ParseJSON(raw)
	}
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return nil, err
	}
	return clarity.DecodeHex(text)
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
	if _, err := EncodePostCondition(p); err != nil {
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
	out.Type = [...]string{"stx-postcondition", "ft-postcondition", "nft-postcondition"}[p.Asset]
	if p.Asset != AssetSTX {
		out.Asset = p.Token.String()
	}
	if p.Asset == AssetNFT {
		id, err := clarity.JSON(p.TokenID)
		if err != nil {
			return nil, err
		}
		out.AssetID = id
	} else {
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

// Words says what the post-condition demands, in plain words; amounts are in
// the smallest unit, and text that comes from the chain is as it is.
func (p PostCondition) Words() string {
	who := "the origin"
	if p.Principal != nil {
		who = p.Principal.String()
	}
	if p.Asset == AssetNFT {
		verb := map[ConditionCode]string{NFTSent: "must send", NFTNotSent: "must not send", NFTMaybeSent: "may send"}[p.Condition]
		return fmt.Sprintf("%s %s %s of %s", who, verb, clarity.Repr(p.TokenID), p.Token)
	}
	how := map[ConditionCode]string{
		SentEqual: "exactly", SentGreater: "more than", SentGreaterOrEqual: "at least", SentLess: "less than", SentLessOrEqual: "at most",
	}[p.Condition]
	unit := "micro-STX"
	if p.Asset == AssetFT {
		unit = "units of " + p.Token.String()
	}
	return fmt.Sprintf("%s must send %s %d %s", who, how, p.Amount, unit)
}
