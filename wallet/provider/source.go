package provider

import (
	"context"
	"errors"

	"chainscope/wallet/node"
	"chainscope/wallet/stxtx"
)

// ChainSource requests nonces and fees of a node, as a source of
// wallet/signer does.
type ChainSource struct {
	Client *node.Client
	Nonces *node.Nonces
}

// NextNonce returns the nonce of the next transaction of an address.
func (s ChainSource) NextNonce(ctx context.Context, address string) (uint64, error) {
	return s.Nonces.Next(ctx, address)
}

// Epoch returns the one that the node's network is in.
func (s ChainSource) Epoch(ctx context.Context, _ bool) (string, error) { return s.Client.Epoch(ctx) }

// Impersonates reports whether the node is a mock that takes transactions of an address without
// its signature.
func (s ChainSource) Impersonates(ctx context.Context, address string) (bool, error) {
	return s.Client.Impersonates(ctx, address)
}

// Fee returns the middle one of the node's estimations where it may be posted to,
// else its fee rate times the length, in micro-STX.
func (s ChainSource) Fee(ctx context.Context, tx *stxtx.Transaction) (uint64, error) {
	whole, err := tx.Encode()
	if err != nil {
		return 0, err
	}
	payload, err := tx.EncodePayload()
	if err != nil {
		return 0, err
	}
	if fees, err := s.Client.EstimateFee(ctx, payload, len(whole)); err == nil {
		return fees[1], nil
	}
	rate, err := s.Client.TransferFeeRate(ctx)
	if err != nil {
		return 0, err
	}
	if size := uint64(len(whole)); rate > ^uint64(0)/size {
		return 0, errors.New("the fee rate is too large")
	}
	return rate * uint64(len(whole)), nil
}
