package walletpane

import (
	"encoding/json"

	"chainscope/tui/widget/detail"
	"chainscope/wallet/bitcoin"
	"chainscope/wallet/service"
	"chainscope/wallet/signer"
	"chainscope/wallet/verify"
)

// check is what the verification of a signature found.
type check struct {
	ok   bool
	text string
}

func (c check) row() detail.Row {
	if c.ok {
		return detail.Row{Label: "signature", Value: "valid: " + c.text, Role: detail.OK}
	}
	return detail.Row{Label: "signature", Value: c.text, Role: detail.Bad}
}

func (c check) notice() string {
	if c.ok {
		return "the signature is valid"
	}
	return c.text
}

// verifiable reports whether a result holds a signature that can be verified.
func verifiable(c service.Call, result json.RawMessage) bool {
	return !failed(c) && len(result) > 0 && verify.Verifiable(c.Sent().Method)
}

// verify checks the signature of a verifiable result against what was asked for;
// nothing that the wallet says about it counts.
func (s *Screen) verify(c service.Call, result json.RawMessage) check {
	sent := c.Sent()
	r := verify.Answer(sent.Method, sent.Params, result, s.known(c))
	return check{r.Valid, r.Text}
}

// known is what the results of Bitcoin methods are checked against: the network
// and the account of the call.
func (s *Screen) known(c service.Call) verify.Known {
	n, there := signer.NetworkNamed(c.Network)
	if !there {
		return verify.Known{Network: bitcoin.Mainnet}
	}
	k := verify.Known{Network: bitcoin.Mainnet}
	if network, err := bitcoin.NetworkNamed(n.Bitcoin()); err == nil {
		k.Network = network
	}
	if ring := s.wallet.Keys().Ring; ring != nil {
		if owner, err := signer.Owner(ring, c.Account, n); err == nil {
			k.Owner = owner
		}
	}
	return k
}
