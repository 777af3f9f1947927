// Package signer holds the methods of the wallet: each request is parsed and
// checked, described, and only then signed.
//
// A [Call] is one request. It never changes: [Call.Prepare] and [Call.Edit]
// give a new one with a new description, and [Call.Sign] signs exactly what
// [Call.Describe] describes, not the params again. [Parse] begins a request,
// [Approve] asks the user, a script or a test until it is approved.
//
// Errors of bad params are [jsonrpc.Error] with code -32602, the path of the
// param and what would be right. Nothing is sent anywhere: who broadcasts takes
// the signed transaction from the result. Texts in a description come from
// pages and are raw; only the terminal text package may print them.
//
// The package does no I/O (nonce and fee come from a [Source]) and must not
// import what draws.
package signer

import (
	"context"
	"encoding/json"
	"sync"

	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/keys"
	"chainscope/wallet/stxtx"
)

const (
	// DefaultFee is the fee where none can be requested, in micro-STX.
	DefaultFee = 3000
	// HighFee is the fee above which a warning is given, in micro-STX.
	HighFee = 1_000_000
	// searchedAccounts is the number of accounts in which an address is searched.
	searchedAccounts = 20
)

// Env holds what a request is read in.
type Env struct {
	Keys    *keys.Ring
	Account uint32 // the active account, from 0
	Network string // when the params name none; "" is mainnet

	Source Source       // nonces and fees; nil when there is no chain
	Local  *LocalNonces // counts where Source fails; may be nil

	// APIURL is the API that the wallet works with: as the param network it
	// means Network.
	APIURL string
	// Ignored are params that the wallet in front of this one drops, as its
	// model does; the description names them.
	Ignored []string
	// Persona holds what the wallet is made to be; the zero value is an account with
	// everything.
	Persona Persona
	// Descriptors adds output descriptors to Bitcoin addresses, as Leather does.
	Descriptors bool
	// FillZero makes a fee or nonce of 0 in a transaction that is given to be
	// signed count as missing, as Leather does.
	FillZero bool
	// Versionless leaves the version of Clarity out of a deploy that names none, as Leather
	// does. Other wallets name the newest.
	Versionless bool
}

// Source reads the chain. An error means that it cannot be read:
// the local counter and the default fee are used then, with a warning.
type Source interface {
	// NextNonce is the nonce of the next transaction of an address.
	NextNonce(ctx context.Context, address string) (uint64, error)
	// Fee is the fee to offer for an unsigned transaction, in micro-STX.
	Fee(ctx context.Context, tx *stxtx.Transaction) (uint64, error)
	// Epoch is the one that a network is in, as a node writes it, such as Epoch40.
	Epoch(ctx context.Context, mainnet bool) (string, error)
	// Impersonates reports whether the chain is that of a mock which takes transactions of an
	// address without its signature.
	Impersonates(ctx context.Context, address string) (bool, error)
}

// LocalNonces counts the nonces of addresses that were signed with, from 0. It
// is safe for concurrent use.
type LocalNonces struct {
	mu   sync.Mutex
	next map[string]uint64
}

// Next returns the nonce after the greatest one used.
func (l *LocalNonces) Next(address string) uint64 {
	if l == nil {
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.next[address]
}

// Used notes that a nonce was signed with.
func (l *LocalNonces) Used(address string, nonce uint64) {
	if l == nil || nonce+1 == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.next == nil {
		l.next = map[string]uint64{}
	}
	l.next[address] = max(l.next[address], nonce+1)
}

// Edit holds what the user changes before approving; nil leaves it.
type Edit struct {
	Fee   *uint64 // micro-STX
	Nonce *uint64
	// Conditions take the place of mode and post-conditions.
	Conditions *PostConditions
}

// PostConditions are the post-conditions of a transaction with their mode.
type PostConditions struct {
	Mode stxtx.PostConditionMode
	List []stxtx.PostCondition
}

// Call is one request, parsed and checked.
type Call interface {
	// Method is the name of the method.
	Method() string
	// Prepare fills in what only the chain knows (nonce, fee), as late as
	// possible: when the request reaches the head of the queue. Calls that
	// have it all return themselves.
	Prepare(ctx context.Context) (Call, error)
	// Edit changes fee, nonce or post-conditions. Calls without them refuse with -32602.
	Edit(Edit) (Call, error)
	// Describe describes what will be signed or given out.
	Describe() Description
	// Sign signs what was described and returns the result of the method. A
	// call that was never prepared and lacks a nonce or fee is refused.
	Sign(ctx context.Context) (json.RawMessage, error)
}

// Parse reads a request. Params is an object, or nil for none. The error is a
// [*jsonrpc.Error]: -32601 for an unknown method, -32602 for bad params, -32001
// for an address or key that is not the wallet's.
func Parse(method string, params json.RawMessage, env Env) (Call, error) {
	m, known := Lookup(method)
	if !known {
		return nil, jsonrpc.NewError(jsonrpc.MethodNotFound, "the wallet has no method %.80q", method)
	}
	if err := env.allows(m); err != nil {
		return nil, err
	}
	return m.read(params, env)
}

// Decision is the answer to a description. An edit requests a change first: the
// changed call is described and decided again, whatever Approved says.
type Decision struct {
	Approved bool
	Edit     Edit
}

// Approver decides what is signed: the user, a script or a test. An error ends
// the request and is returned as it is.
type Approver func(ctx context.Context, d Description) (Decision, error)

// Rejected returns the error of a request that the user refused.
func Rejected() *jsonrpc.Error {
	return jsonrpc.NewError(jsonrpc.UserRejection, "User rejected the request")
}

// Approve asks until the call is approved as it was described, and returns that
// call.
func Approve(ctx context.Context, call Call, approver Approver) (Call, error) {
	for {
		decision, err := approver(ctx, call.Describe())
		switch {
		case err != nil:
			return nil, err
		case decision.Edit != (Edit{}):
			if call, err = call.Edit(decision.Edit); err != nil {
				return nil, err
			}
		case decision.Approved:
			return call, nil
		default:
			return nil, Rejected()
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
}
