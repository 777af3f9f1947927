package stxtx

import (
	"encoding/hex"
	"encoding/json"
	"strconv"

	"chainscope/wallet/clarity"
)

// MarshalJSON explains the transaction: every field by name, 64-bit integers
// as decimal strings, bytes as hexadecimal digits without 0x, Clarity values as
// {"hex","repr","type"}.
func (t *Transaction) MarshalJSON() ([]byte, error) {
	txid, err := t.TxID()
	if err != nil {
		return nil, err
	}
	network := "mainnet"
	if !t.Mainnet() {
		network = "testnet"
	}
	conditions := t.PostConditions
	if conditions == nil {
		conditions = []PostCondition{}
	}
	payload := explainPayload(t.Payload)
	payload["type"] = t.Payload.Type().String()
	out := struct {
		TxID              string          `json:"txid"`
		Network           string          `json:"network"`
		Version           byte            `json:"version"`
		ChainID           uint32          `json:"chain_id"`
		AuthType          string          `json:"auth_type"`
		Origin            map[string]any  `json:"origin"`
		Sponsor           map[string]any  `json:"sponsor,omitempty"`
		AnchorMode        string          `json:"anchor_mode"`
		PostConditionMode string          `json:"post_condition_mode"`
		PostConditions    []PostCondition `json:"post_conditions"`
		Payload           map[string]any  `json:"payload"`
	}{
		hex.EncodeToString(txid[:]), network, t.Version, t.ChainID, t.Auth.Type.String(),
		t.Auth.Origin.explain(t.Mainnet()), nil, t.AnchorMode.String(), t.PostConditionMode.String(), conditions, payload,
	}
	if t.Auth.Sponsor != nil {
		out.Sponsor = t.Auth.Sponsor.explain(t.Mainnet())
	}
	return marshal(out)
}

func decimal(n uint64) string { return strconv.FormatUint(n, 10) }

func (c *SpendingCondition) explain(mainnet bool) map[string]any {
	out := map[string]any{
		"hash_mode": c.HashMode.String(), "signer": hex.EncodeToString(c.Signer[:]), "address": c.Address(mainnet).String(),
		"nonce": decimal(c.Nonce), "fee": decimal(c.Fee),
	}
	if !c.HashMode.Multisig() {
		out["key_encoding"] = c.KeyEncoding.String()
		out["signature"] = hex.EncodeToString(c.Signature[:])
		return out
	}
	fields := make([]map[string]string, len(c.Fields))
	for i, f := range c.Fields {
		if f.isSignature() {
			fields[i] = map[string]string{"signature": hex.EncodeToString(f.Signature[:]), "key_encoding": f.encoding().String()}
		} else {
			fields[i] = map[string]string{"public_key": hex.EncodeToString(f.Key[:]), "key_encoding": f.encoding().String()}
		}
	}
	out["fields"], out["signatures_required"] = fields, c.Required
	return out
}

// ExplainValue is a Clarity value as {"hex","repr","type"}.
type ExplainValue struct{ Value clarity.Value }

// MarshalJSON writes the three forms.
func (v ExplainValue) MarshalJSON() ([]byte, error) {
	text, err := clarity.EncodeHex(v.Value)
	if err != nil {
		return nil, err
	}
	return marshal(struct {
		Hex  string `json:"hex"`
		Repr string `json:"repr"`
		Type string `json:"type"`
	}{text, clarity.Repr(v.Value), clarity.TypeOf(v.Value)})
}

func explainPayload(p Payload) map[string]any {
	switch p := p.(type) {
	case TokenTransfer:
		return map[string]any{"recipient": p.Recipient.String(), "amount": decimal(p.Amount), "memo": p.MemoText(), "memo_hex": hex.EncodeToString(p.Memo[:])}
	case ContractCall:
		args := make([]json.Marshaler, len(p.Args))
		for i, arg := range p.Args {
			args[i] = ExplainValue{arg}
		}
		return map[string]any{"contract": p.Contract.String(), "function": p.Function, "args": args}
	case SmartContract:
		out := map[string]any{"name": p.Name, "source": p.Code}
		if p.ClarityVersion != 0 {
			out["clarity_version"] = p.ClarityVersion
		}
		return out
	case PoisonMicroblock:
		return map[string]any{"microblocks": []map[string]any{p.First.explain(), p.Second.explain()}}
	case Coinbase:
		out := map[string]any{"data": hex.EncodeToString(p.Data[:])}
		if p.Recipient != nil {
			out["recipient"] = p.Recipient.String()
		}
		if p.VRFProof != nil {
			out["vrf_proof"] = hex.EncodeToString(p.VRFProof[:])
		}
		return out
	case TenureChange:
		return map[string]any{
			"tenure_consensus_hash": hex.EncodeToString(p.TenureConsensusHash[:]), "prev_tenure_consensus_hash": hex.EncodeToString(p.PrevTenureConsensusHash[:]),
			"burn_view_consensus_hash": hex.EncodeToString(p.BurnViewConsensusHash[:]), "previous_tenure_end": hex.EncodeToString(p.PreviousTenureEnd[:]),
			"previous_tenure_blocks": p.PreviousTenureBlocks, "cause": p.Cause.String(), "pubkey_hash": hex.EncodeToString(p.PublicKeyHash[:]),
		}
	}
	return map[string]any{}
}

func (h MicroblockHeader) explain() map[string]any {
	return map[string]any{
		"version": h.Version, "sequence": h.Sequence, "parent": hex.EncodeToString(h.Parent[:]),
		"tx_merkle_root": hex.EncodeToString(h.TxRoot[:]), "signature": hex.EncodeToString(h.Signature[:]),
	}
}
