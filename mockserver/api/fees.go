package api

import (
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strings"

	"chainscope/wallet/facts"
	"chainscope/wallet/stxtx"
)

// feeRate holds what a transfer pays for a byte, in micro-STX; the mempool takes
// no less.
const feeRate = 1

// The bodies are the node's.
type (
	estimateBody struct {
		Cost        facts.Cost       `json:"estimated_cost"`
		CostScalar  uint64           `json:"estimated_cost_scalar"`
		Estimations []estimationBody `json:"estimations"` // low, middle, high
		PerByte     float64          `json:"cost_scalar_change_by_byte"`
	}
	estimationBody struct {
		FeeRate float64 `json:"fee_rate"` // micro-STX for one of the scalar
		Fee     uint64  `json:"fee"`      // micro-STX
	}
	// estimateErrorBody is the answer to a payload that cannot be estimated.
	estimateErrorBody struct {
		Error      string             `json:"error"`
		Reason     string             `json:"reason"`
		ReasonData *estimateErrorData `json:"reason_data,omitempty"`
	}
	estimateErrorData struct {
		Message string `json:"message"`
	}
)

// bytesOverPayload holds what a transaction of one signer has beside its payload,
// without post-conditions.
const bytesOverPayload = 115

// scalarPerByte is the part of a block's budget that a byte of a transaction uses.
const scalarPerByte = 0.00476837158203125

// serveEstimate answers three fees for a payload.
func serveEstimate(x *Exchange) {
	body, ok := x.Body(maxBroadcastBody)
	if !ok {
		return
	}
	var request struct {
		Payload *string `json:"transaction_payload"`
		Length  *uint64 `json:"estimated_len"`
	}
	if err := json.Unmarshal(body, &request); err != nil {
		x.Thrown(http.StatusBadRequest, "", `the body must be JSON such as {"transaction_payload":"00…","estimated_len":180}: `+err.Error())
		return
	}
	if request.Payload == nil {
		x.Thrown(http.StatusBadRequest, "", `the body has no "transaction_payload", the hexadecimal digits of a payload`)
		return
	}
	raw, err := hex.DecodeString(strings.TrimPrefix(*request.Payload, "0x"))
	if err != nil {
		x.Thrown(http.StatusBadRequest, "", "body/transaction_payload must be hexadecimal digits in pairs: "+err.Error())
		return
	}
	payload, err := stxtx.DecodePayload(raw)
	if err != nil {
		x.Value(http.StatusBadRequest, estimateErrorBody{"Estimation failed", "DeserializationFailure", &estimateErrorData{err.Error()}})
		return
	}
	length := uint64(len(raw) + bytesOverPayload)
	if request.Length != nil {
		if *request.Length > stxtx.MaxBytes {
			x.Thrown(http.StatusBadRequest, "", "body/estimated_len is more bytes than a transaction can have")
			return
		}
		length = max(uint64(len(raw)), *request.Length)
	}
	x.Value(http.StatusOK, estimation(payload, length))
}

// estimation prices a payload by its length and by what it makes a node do.
func estimation(p stxtx.Payload, length uint64) estimateBody {
	cost := facts.Cost{}
	switch p := p.(type) {
	case stxtx.ContractCall:
		n := uint64(len(p.Args))
		cost = facts.Cost{ReadCount: 5 + n, ReadLength: 4_000 + 250*n, Runtime: 60_000 + 12_000*n, WriteCount: 2, WriteLength: 128 + 32*n}
	case stxtx.SmartContract:
		n := uint64(len(p.Code))
		cost = facts.Cost{ReadCount: 7, ReadLength: 1_100 + n, Runtime: 40_000 + 220*n, WriteCount: 8, WriteLength: 600 + n}
	}
	scalar := cost.ReadCount/5 + cost.ReadLength/5_000 + cost.Runtime/25_000 + cost.WriteCount + cost.WriteLength/500
	units := float64(scalar) + scalarPerByte*float64(length)
	body := estimateBody{Cost: cost, CostScalar: scalar + uint64(scalarPerByte*float64(length)), PerByte: scalarPerByte}
	for _, rate := range [3]uint64{1, 2, 4} {
		fee := rate * (length*feeRate + 10*scalar)
		body.Estimations = append(body.Estimations, estimationBody{float64(fee) / units, fee})
	}
	return body
}

func serveFeeRate(x *Exchange) { x.Value(http.StatusOK, feeRate) }
