package outcome

import (
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// sentences are the forms of the node's sentences on post-conditions.
type sentences struct {
	amount, token, performed, uncovered, uncoveredToken *regexp.Regexp
}

var forms = sync.OnceValue(func() sentences {
	of := func(form string) *regexp.Regexp {
		return regexp.MustCompile(`(?s)^.*Post-condition check failure` + form + `$`)
	}
	return sentences{
		amount:         of(` on (STX|staked STX|fungible asset (\S+)) owned by (\S+): (\d+) (Sent\w\w) (\d+)`),
		token:          of(` on non-fungible asset (\S+) owned by (\S+): (.+) (Sent|NotSent) \(sent \d+ value\(s\)\)`),
		performed:      of(` on PoX actions of (\S+): (\w+) \((\d+) performed\)`),
		uncovered:      of(`: Fungible asset (.+) was moved by (\S+) but not checked`),
		uncoveredToken: of(`: (?:Non-fungible asset (\S+) value (.+) was moved by (\S+) but not checked|No checks for non-fungible asset (\S+) moved by (\S+))`),
	}
})

// codeOf returns the condition for a word of the node.
func codeOf(word string) stxtx.ConditionCode {
	for _, code := range slices.Sorted(maps.Keys(codes)) {
		if codes[code] == word {
			return code
		}
	}
	return 0
}

// Violated reads a violation of post-conditions from the sentence of a node, as far as it
// goes; nil where it cannot be read. Not all of them give the amount.
func Violated(vmError string) *Violation {
	f := forms()
	v := &Violation{Reason: vmError, Condition: -1}
	ok := false
	if m := f.amount.FindStringSubmatch(vmError); m != nil {
		ok = v.readAmount(m)
	} else if m := f.token.FindStringSubmatch(vmError); m != nil {
		ok = v.readToken(m[1], m[2], m[3])
		v.Required = &stxtx.PostCondition{Asset: stxtx.AssetNFT, Condition: codeOf(m[4]), Token: v.Asset, TokenID: v.Token}
		other := *v.Required
		other.Condition = stxtx.NFTSent + stxtx.NFTNotSent - other.Condition
		v.Allows = &other
	} else if m := f.performed.FindStringSubmatch(vmError); m != nil {
		ok = v.readPrincipal(m[1])
		v.Required = &stxtx.PostCondition{Asset: stxtx.AssetPoX, Condition: codeOf(m[2])}
		v.Allows = &stxtx.PostCondition{Asset: stxtx.AssetPoX, Condition: stxtx.PoXMayPerform}
	} else if m := f.uncovered.FindStringSubmatch(vmError); m != nil {
		ok = v.readPrincipal(m[2]) && (m[1] == "STX" || v.readAsset(m[1]))
	} else if m := f.uncoveredToken.FindStringSubmatch(vmError); m != nil && m[1] != "" {
		ok = v.readToken(m[1], m[3], m[2])
		v.Allows = &stxtx.PostCondition{Asset: stxtx.AssetNFT, Condition: stxtx.NFTSent, Token: v.Asset, TokenID: v.Token}
	} else if m != nil {
		ok = v.readAsset(m[4]) && v.readPrincipal(m[5])
	}
	if !ok {
		return nil
	}
	return v
}

// TokenOf returns the fungible token that a node's sentence on post-conditions is about, and
// reports whether it is about one.
func TokenOf(text string) (stxtx.Asset, bool) {
	v := Violated(text)
	if v == nil || v.Token != nil || v.Asset == (stxtx.Asset{}) {
		return stxtx.Asset{}, false
	}
	return v.Asset, true
}

// readAmount reads a condition on an amount and what was sent.
func (v *Violation) readAmount(m []string) bool {
	required := stxtx.PostCondition{Condition: codeOf(m[5])}
	switch {
	case m[2] != "":
		required.Asset = stxtx.AssetFT
	case m[1] != "STX":
		required.Asset = stxtx.AssetStaking
	}
	n, err := strconv.ParseUint(m[4], 10, 64)
	moved, isNumber := new(big.Int).SetString(m[6], 10)
	if err != nil || !isNumber || moved.BitLen() > 128 || required.Condition == 0 || !v.readPrincipal(m[3]) || m[2] != "" && !v.readAsset(m[2]) {
		return false
	}
	required.Amount, required.Token = n, v.Asset
	v.Required, v.Moved, v.Allows = &required, moved, exactly(nil, required.Asset, required.Token, moved)
	return true
}

func (v *Violation) readToken(asset, principal, token string) (ok bool) {
	var err error
	v.Token, err = clarity.ParseLiteral(token)
	return err == nil && v.readAsset(asset) && v.readPrincipal(principal)
}

func (v *Violation) readAsset(text string) bool {
	var err error
	v.Asset, err = stxtx.ParseAsset(strings.TrimSpace(text))
	return err == nil
}

func (v *Violation) readPrincipal(text string) bool {
	var err error
	v.Principal, err = clarity.ParsePrincipal(text)
	return err == nil
}
