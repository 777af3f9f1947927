package walletpane

import (
	"encoding/json"

	"chainscope/tui/widget/detail"
	"chainscope/wallet/bitcoin"
	"chainscope/wallet/service"
	"chainscope/wallet/signer"
	"chainscope/wallet/verify"
)

// signatureRow returns what the verification of a signature found.
func signatureRow(r verify.Result) detail.Row {
	if r.Valid {
		return detail.Row{Label: "signature", Value: "valid: " + r.Text, Role: detail.OK}
	}
	return detail.Row{Label: "signature", Value: r.Text, Role: detail.Bad}
}

// verifiable reports whether a result holds a signature that can be verified.
func verifiable(c service.Call, result json.RawMessage) bool {
	return !failed(c) && len(result) > 0 && verify.Verifiable(c.Sent().Method)
}

// verify checks the signature of a verifiable result against what was requested;
// nothing that the wallet says about it counts.
func (s *Screen) verify(c service.Call, result json.RawMessage) verify.Result {
	sent := c.Sent()
	return verify.Answer(sent.Method, sent.Params, result, s.known(c))
}

// known returns what the results of Bitcoin methods are checked against: the network
// and the account of the call.
func (s *Screen) known(c service.Call) verify.Known {
	k := verify.Known{Network: bitcoin.Mainnet}
	n, there := signer.NetworkNamed(c.Network)
	if !there {
		return k
	}
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
