package provider

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"

	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/node"
	"chainscope/wallet/signer"
	"chainscope/wallet/stxtx"
)

// NoChain is the reason why nothing was sent where there is no mock.
const NoChain = "there is no mock chain to send it to"

// Sent reports what happened to a signed Stacks transaction.
type Sent struct {
	Method      string
	TxID        string // "" for a sponsored transaction
	Transaction string // raw, hex
	// Err is nil when a mock accepted it. A [*node.NotSentError] says why
	// nothing was sent, a [*node.UnansweredError] when it is unknown whether it was
	// taken, a [*node.Rejection] why the mock refused.
	Err error
}

// Signing is the [Engine] with real keys: it runs the methods of wallet/signer
// and hands what was signed to a mock chain. Requests are taken one after the
// other, so that each gets its nonce when its turn has come.
type Signing struct {
	options SigningOptions
	turn    chan struct{}
}

// SigningOptions hold what a [Signing] works with.
type SigningOptions struct {
	// Env returns keys, account and network of a request.
	Env      func(context.Context) signer.Env
	Approver signer.Approver
	// Node takes what was signed, if it is a mock on this machine. Nil sends
	// nothing.
	Node *node.Client
	// Nonces records what was accepted; may be nil.
	Nonces *node.Nonces
	// Report is called for each signed Stacks transaction; may be nil.
	Report func(Sent)
}

// NewSigning returns an engine.
func NewSigning(o SigningOptions) *Signing {
	if o.Report == nil {
		o.Report = func(Sent) {}
	}
	return &Signing{options: o, turn: make(chan struct{}, 1)}
}

// Call runs a method: parse, then [Signing.Run], unless nothing has to be approved.
func (s *Signing) Call(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	call, err := signer.Parse(method, params, noted(ctx, s.options.Env(ctx)))
	if err != nil {
		return nil, err
	}
	if call.Describe().Silent {
		return call.Sign(ctx)
	}
	return s.Run(ctx, call)
}

// Run prepares a call when its turn has come, has it approved, signs and sends.
func (s *Signing) Run(ctx context.Context, call signer.Call) (result json.RawMessage, err error) {
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if call, err = call.Prepare(ctx); err != nil {
		return nil, err
	}
	if call, err = signer.Approve(ctx, call, s.options.Approver); err != nil {
		return nil, err
	}
	if result, err = call.Sign(ctx); err != nil {
		return nil, err
	}
	return result, s.sendAll(ctx, call.Method(), call.Describe(), result)
}

// sendAll broadcasts what a call signed: one Stacks transaction, several, or
// none. It ends at the first that the chain refuses.
func (s *Signing) sendAll(ctx context.Context, method string, d signer.Description, result json.RawMessage) error {
	if d.Transaction != nil {
		var signed struct{ TxID, Transaction string }
		if err := json.Unmarshal(result, &signed); err != nil {
			return jsonrpc.NewError(jsonrpc.InternalError, "the signed transaction cannot be read")
		}
		return s.send(ctx, method, d, signed.TxID, signed.Transaction)
	}
	var signed struct{ Transactions []string }
	if len(d.Batch) == 0 || d.Batch[0].Transaction == nil || json.Unmarshal(result, &signed) != nil {
		return nil //nolint:nilerr // no list of signed transactions: nothing to send
	}
	for i, text := range signed.Transactions {
		txid := ""
		if raw, err := hex.DecodeString(text); err == nil && d.Batch[i].Complete() {
			txid = stxtx.ID(raw)
		}
		if err := s.send(ctx, method, d.Batch[i], txid, text); err != nil {
			return err
		}
	}
	return nil
}

// send broadcasts a signed Stacks transaction, unless another key has to sign
// it first or the request wants none. Only a refusal is an error: what was
// signed and could not be sent, or may have been taken, stays the result.
func (s *Signing) send(ctx context.Context, method string, d signer.Description, txid, transaction string) error {
	sent := Sent{Method: method, TxID: txid, Transaction: transaction}
	var unanswered *node.UnansweredError
	switch {
	case !d.Transaction.Broadcast:
		sent.Err = &node.NotSentError{Reason: "the request wants no broadcast"}
	case d.Transaction.Sponsored:
		sent.Err = &node.NotSentError{Reason: "a sponsor has to sign it first"}
	case txid == "":
		sent.Err = &node.NotSentError{Reason: "other keys have to sign it first"}
	case s.options.Node == nil:
		sent.Err = &node.NotSentError{Reason: NoChain}
	default:
		raw, err := hex.DecodeString(transaction)
		if err != nil {
			return jsonrpc.NewError(jsonrpc.InternalError, "the signed transaction is not hex")
		}
		_, sent.Err = s.options.Node.Broadcast(ctx, raw)
		if (sent.Err == nil || errors.As(sent.Err, &unanswered)) && s.options.Nonces != nil {
			s.options.Nonces.Accepted(d.Sender(), d.Transaction.Nonce, txid)
		}
	}
	s.options.Report(sent)
	var notSent *node.NotSentError
	if sent.Err != nil && !errors.As(sent.Err, &notSent) && unanswered == nil {
		return refusal(sent)
	}
	return nil
}

// refusal returns the error of a transaction that the mock chain did not take.
func refusal(sent Sent) error {
	e := &jsonrpc.Error{Code: jsonrpc.InternalError, Message: sent.Err.Error(), Cause: sent.Err}
	reason := sent.Err.Error()
	var r *node.Rejection
	if errors.As(sent.Err, &r) && r.Reason != "" {
		reason = r.Reason
	}
	return e.WithData(struct {
		Reason      string `json:"reason"`
		TxID        string `json:"txid"`
		Transaction string `json:"transaction"`
	}{reason, sent.TxID, sent.Transaction})
}
