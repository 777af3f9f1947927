package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/node"
	"chainscope/wallet/provider"
	"chainscope/wallet/signer"
	"chainscope/wallet/stxtx"
)

// Repair is the wish to sign again what is stuck, or to sponsor it.
type Repair struct {
	Kind signer.RepairKind `json:"-"`
	TxID string            `json:"replaces,omitempty"` // of what is replaced or canceled
	// Nonce that is canceled, where no transaction is named, and Address the account that it is of; ""
	// is the active one.
	Nonce       *uint64 `json:"nonce,string,omitempty"`
	Address     string  `json:"address,omitempty"`
	Transaction string  `json:"transaction,omitempty"` // raw, hex: what is sponsored
	Fee         uint64  `json:"fee,string,omitempty"`  // micro-STX; 0 leaves it to the wallet
}

// Obstacle says why a transaction cannot be repaired. The user saw no request.
type Obstacle struct {
	Unknown bool // there is no such transaction
	Text    string
}

func (o *Obstacle) Error() string { return o.Text }

func obstacle(format string, args ...any) *Obstacle {
	return &Obstacle{Text: fmt.Sprintf(format, args...)}
}

// Repair signs what is stuck again, or sponsors it, once the user approves it. What is in the way is
// an [*Obstacle].
func (s *Service) Repair(ctx context.Context, r Repair) Outcome {
	call, err := s.repairing(ctx, r)
	if err != nil {
		return Outcome{Err: err}
	}
	c := Call{Requester: Requester{Kind: s.options.Requester}, Kind: KindRepair, Method: string(r.Kind), Wallet: provider.PlayChainscope}
	if c.Params, err = json.Marshal(r); err != nil {
		return Outcome{Err: err}
	}
	return s.run(ctx, c, func(ctx context.Context) (json.RawMessage, error) {
		engine := provider.EngineFunc(func(ctx context.Context, _ string, _ json.RawMessage) (json.RawMessage, error) {
			result, err := s.signing.Run(ctx, call)
			var e *jsonrpc.Error
			if errors.As(err, &e) && e.Code == jsonrpc.InternalError {
				if in := s.overtaken(ctx, call.Describe()); in != nil {
					err = jsonrpc.NewError(jsonrpc.InternalError, "%s", in.Text)
				}
			}
			return result, err
		})
		result, err := s.behaving(ctx, c.Wallet, engine).Call(ctx, c.Method, c.Params)
		if err != nil {
			var e *jsonrpc.Error
			if !errors.As(err, &e) {
				err = jsonrpc.NewError(jsonrpc.InternalError, "%v", err)
			}
			return nil, err
		}
		return result, nil
	})
}

// repairOf returns the repair that a call was.
func repairOf(c Call) (Repair, error) {
	r := Repair{Kind: signer.RepairKind(c.Method)}
	if slices.Contains(c.Cut, "params") {
		return r, errCut
	}
	return r, json.Unmarshal(c.Params, &r)
}

// repairing makes the call of a repair.
func (s *Service) repairing(ctx context.Context, r Repair) (signer.Call, error) {
	s.ReadAdded()
	env := s.envOf(ctx)
	switch {
	case r.Kind == signer.Sponsor:
		tx, err := stxtx.DecodeHex(r.Transaction)
		if err != nil {
			return nil, obstacle("%v", err)
		}
		return blocked(env.Sponsor(tx, r.Fee))
	case r.TxID != "":
		return s.again(ctx, env, r)
	case r.Nonce != nil && r.Kind == signer.Cancel:
		return s.cancelNonce(ctx, env, r)
	}
	return nil, obstacle("name the transaction")
}

// blocked makes what the signer says an obstacle.
func blocked(call signer.Call, err error) (signer.Call, error) {
	if err != nil {
		return nil, obstacle("%v", err)
	}
	return call, nil
}

// again makes the call that takes the place of a transaction.
func (s *Service) again(ctx context.Context, env signer.Env, r Repair) (signer.Call, error) {
	own, posted := s.record(r.TxID)
	if err := s.checkPending(ctx, r.TxID, own != nil, posted); err != nil {
		return nil, err
	}
	if own == nil {
		raw, err := s.options.Node.Raw(ctx, r.TxID)
		if err != nil {
			return nil, err
		}
		if own, err = stxtx.Decode(raw); err != nil {
			return nil, obstacle("%v", err)
		}
	}
	if r.Kind == signer.Replace {
		return blocked(env.Replace(own, r.Fee))
	}
	return blocked(env.Cancel(own, r.Fee))
}

// record returns a transaction that the wallet signed, nil for none, and reports whether it was sent.
func (s *Service) record(txid string) (tx *stxtx.Transaction, posted bool) {
	c, there := s.CallOf(txid)
	if !there {
		return nil, false
	}
	var signed struct {
		Transaction  string
		Transactions []string
	}
	if json.Unmarshal(c.Result, &signed) != nil {
		return nil, false
	}
	for _, text := range append(signed.Transactions, signed.Transaction) {
		tx, err := stxtx.DecodeHex(text)
		if err != nil {
			continue
		}
		if id, err := tx.TxID(); err == nil && fmt.Sprintf("%x", id) == bareID(txid) {
			return tx, c.Posted()
		}
	}
	return nil, false
}

// checkPending returns what is in the way of taking the place of a transaction. One that the wallet
// signed and never sent is in nobody's way.
func (s *Service) checkPending(ctx context.Context, txid string, own, posted bool) error {
	tx, err := s.Transaction(ctx, txid)
	switch {
	case errors.Is(err, ErrNoChain) && own:
		return nil
	case errors.Is(err, ErrNoChain):
		return &Obstacle{true, fmt.Sprintf("the wallet has not signed %s, and has no API to ask for it", txid)}
	case err != nil:
		return err
	case tx.Mined():
		return obstacle("%s is in block %s already, and nothing takes its place", txid, grouped(tx.BlockHeight))
	case tx.Status == "pending", tx.Status == "" && own && !posted:
		return nil
	case tx.Status == "":
		return &Obstacle{true, "the chain knows no transaction " + txid}
	}
	why := tx.Why()
	if why.Fix != "" {
		return obstacle("%s What helps: %s.", why.Sentence, why.Fix)
	}
	return obstacle("%s", why.Sentence)
}

// overtaken returns what has come in the way of a repair since it was begun, nil for nothing.
func (s *Service) overtaken(ctx context.Context, d signer.Description) (in *Obstacle) {
	if d.Repair == nil || d.Repair.TxID == "" {
		return nil
	}
	own, posted := s.record(d.Repair.TxID)
	if errors.As(s.checkPending(ctx, d.Repair.TxID, own != nil, posted), &in) {
		return in
	}
	return nil
}

// cancelNonce makes the call that cancels the transaction with a nonce of the active account, or fills
// the gap that waits for it.
func (s *Service) cancelNonce(ctx context.Context, env signer.Env, r Repair) (signer.Call, error) {
	if r.Address != "" {
		var err error
		if env, err = env.Of(r.Address); err != nil {
			return nil, obstacle("%v", err)
		}
	}
	n, _ := signer.NetworkNamed(env.Network)
	address, err := env.StacksAddress(n)
	if err != nil {
		return nil, err
	}
	if s.options.Node == nil {
		return blocked(env.Fill(*r.Nonce, r.Fee))
	}
	var account node.Account
	if account, err = s.options.Node.Account(ctx, address); err != nil {
		return nil, err
	}
	switch waiting := account.Waiting[*r.Nonce]; {
	case waiting != "":
		r.TxID = bareID(waiting)
		return s.again(ctx, env, r)
	case account.Executed != nil && *r.Nonce <= *account.Executed:
		return nil, obstacle("nonce %d of %s was used already: the last one in a block is %d", *r.Nonce, address, *account.Executed)
	case *r.Nonce >= account.Next && !slices.Contains(account.Missing, *r.Nonce):
		return nil, obstacle("no transaction of %s has nonce %s, and none waits for it: the next one is %d", address, strconv.FormatUint(*r.Nonce, 10), account.Next)
	}
	return blocked(env.Fill(*r.Nonce, r.Fee))
}
