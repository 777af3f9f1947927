package signer

import (
	"errors"
	"slices"

	"chainscope/wallet/bitcoin"
	"chainscope/wallet/jsonrpc"
)

func parseSignPsbt(r *request) (Call, error) {
	n, notes, err := r.network()
	if err != nil {
		return nil, err
	}
	s := psbtSigning{env: r.env, network: n}
	s.psbt, s.request, s.inputs = r.signRequest()
	index, a, plan, err := s.plan(r)
	if err != nil {
		return nil, err
	}
	d, err := r.describeBitcoin(index, n, notes, plan.Describe())
	if err != nil {
		return nil, err
	}
	if s.request.Broadcast {
		d.Warnings = append(d.Warnings, Warning{Kind: WarnNotSent, Path: "broadcast", Text: "it is made final but not sent anywhere"})
	}
	return fixed{d, func() (any, error) {
		signed, err := plan.Sign(a)
		if err != nil {
			return nil, bitcoinError(err)
		}
		return psbtResultOf(signed, r.has("hex"))
	}}, nil
}

// psbtSigning holds what is requested, before it is known which account signs.
type psbtSigning struct {
	env     Env
	network Network
	psbt    *bitcoin.PSBT
	request bitcoin.SignRequest
	inputs  []input
}

// plan finds the account that signs: the active one, or another of the
// wallet when the request names addresses that are all that one's. An account that the
// request names signs, whichever is active.
func (s psbtSigning) plan(r *request) (uint32, *bitcoin.Account, *bitcoin.Plan, error) {
	if r.has("account") {
		return s.planFor(get[uint32](r, "account"))
	}
	var first error
	for account := range s.env.searched {
		index, a, plan, err := s.planFor(account)
		if err == nil {
			return index, a, plan, nil
		}
		if first == nil {
			first = err
		}
		var e *jsonrpc.Error
		namesAddresses := slices.ContainsFunc(s.inputs, func(in input) bool { return in.Address != "" })
		if !errors.As(first, &e) || e.Code != jsonrpc.MethodAddressMismatch || !namesAddresses {
			break // it would be the same for every account
		}
	}
	return 0, nil, nil, first
}

func (s psbtSigning) planFor(index uint32) (uint32, *bitcoin.Account, *bitcoin.Plan, error) {
	a, err := bitcoinAccount(s.env.Keys, index, s.network)
	if err != nil {
		return 0, nil, nil, err
	}
	plan, err := s.psbt.Plan(&a.Owner, s.request)
	if err != nil {
		return 0, nil, nil, bitcoinError(err)
	}
	return index, a, plan, nil
}

// psbtResult is the result of signPsbt. A PSBT that came in hexadecimal digits goes back so.
type psbtResult struct {
	TxID        string `json:"txid,omitempty"`
	PSBT        string `json:"psbt,omitempty"`
	Hex         string `json:"hex,omitempty"`
	Transaction string `json:"transaction,omitempty"`
}

func psbtResultOf(signed bitcoin.Signed, asHex bool) (out psbtResult, err error) {
	out.TxID, out.Transaction = signed.TxID, signed.Transaction
	if asHex {
		out.Hex, err = signed.PSBT.Hex()
	} else {
		out.PSBT, err = signed.PSBT.Base64()
	}
	return out, bitcoinError(err)
}
