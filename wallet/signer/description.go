package signer

import (
	"fmt"
	"math/big"

	"chainscope/wallet/bitcoin"
	"chainscope/wallet/clarity"
	"chainscope/wallet/hidden"
	"chainscope/wallet/stxtx"
)

// Description holds what the user approves: raw, typed values. Exactly one of the
// parts that say what is done is there; Transaction is there beside it when a
// Stacks transaction is signed. It holds no secrets.
type Description struct {
	Method  string  `json:"method"`
	Account Account `json:"account"`
	Network Network `json:"network"`

	Transfer   *Transfer   `json:"transfer,omitempty"`
	Call       *Invocation `json:"call,omitempty"`
	Deploy     *Deploy     `json:"deploy,omitempty"`
	Other      string      `json:"other,omitempty"` // a payload of another type, by its name
	Message    *Message    `json:"message,omitempty"`
	Structured *Structured `json:"structured,omitempty"`
	Disclosed  *Disclosed  `json:"disclosed,omitempty"`
	// Bitcoin is a transfer or a PSBT.
	Bitcoin *bitcoin.Description `json:"bitcoin,omitempty"`

	// Switch is the name of the network that the page wants to switch to.
	Switch string `json:"switch,omitempty"`
	// Signing is a message that a Bitcoin key signs.
	Signing *BitcoinMessage `json:"signing,omitempty"`
	// Batch are several things that one approval is for.
	Batch []Description `json:"batch,omitempty"`

	// Signers is there when the sender of a transaction has several keys.
	Signers *Signers `json:"signers,omitempty"`

	Token       *Token       `json:"token,omitempty"` // beside Call, for the token transfers
	Transaction *Transaction `json:"transaction,omitempty"`

	// Repair is there when a transaction is signed again, or sponsored.
	Repair *Repair `json:"repair,omitempty"`

	// Ignored are params that the wallet drops, as its model does.
	Ignored  []string `json:"ignored,omitempty"`
	Warnings Warnings `json:"warnings"`
	// Silent says that no approval is requested: nothing is signed, and the page
	// learns nothing that it does not know.
	Silent bool `json:"silent,omitempty"`
}

// BitcoinMessage is a text to sign with the key of a Bitcoin address.
type BitcoinMessage struct {
	Text     string             `json:"text"`
	Hex      string             `json:"hex"` // of its UTF-8 bytes
	Address  string             `json:"address"`
	Type     bitcoin.ScriptType `json:"type"` // of the address
	Protocol bitcoin.Protocol   `json:"protocol"`
	Hash     string             `json:"hash"` // as wallets answer it
}

// Sender returns the address whose nonce a transaction uses.
func (d Description) Sender() string {
	if d.Signers != nil {
		return d.Signers.Address
	}
	return d.Account.Address
}

// Complete reports whether a transaction needs no signature but this one.
func (d Description) Complete() bool {
	return d.Transaction != nil && !d.Transaction.Sponsored && (d.Signers == nil || d.Signers.Signed+1 >= d.Signers.Required)
}

// Signers is a sender with several keys.
type Signers struct {
	Address  string `json:"address"`
	Mode     string `json:"mode"`     // of its hash, such as p2sh
	Required int    `json:"required"` // signatures
	Signed   int    `json:"signed"`   // signatures before this one
}

// Transfer sends STX.
type Transfer struct {
	Recipient string `json:"recipient"`
	Amount    uint64 `json:"amount,string"` // micro-STX
	Memo      string `json:"memo"`
}

// Invocation calls a function of a contract.
type Invocation struct {
	Contract string               `json:"contract"`
	Function string               `json:"function"`
	Args     []stxtx.ExplainValue `json:"args"`
}

// Deploy makes a contract.
type Deploy struct {
	Contract       string `json:"contract"` // ADDRESS.NAME
	ClarityVersion byte   `json:"clarityVersion"`
	Source         string `json:"source"`
	Lines          int    `json:"lines"`
	SHA256         string `json:"sha256"` // of the source
}

// Message is a text to sign.
type Message struct {
	Text string `json:"text"`
	Hex  string `json:"hex"`  // of its UTF-8 bytes
	Hash string `json:"hash"` // what is signed
}

// Structured is a Clarity value to sign under a domain (SIP-018).
type Structured struct {
	Message stxtx.ExplainValue `json:"message"`
	Domain  stxtx.ExplainValue `json:"domain"`
	Name    string             `json:"name"` // of the domain
	Version string             `json:"version"`
	ChainID *big.Int           `json:"chainId"`
	Hash    string             `json:"hash"` // what is signed
}

// Disclosed holds what a request without a signature reveals.
type Disclosed struct {
	What      string   `json:"what"` // addresses, accounts, networks
	Addresses []string `json:"addresses,omitempty"`
	Message   string   `json:"message,omitempty"` // what the page says about its wish
	// Missing are kinds of addresses that were requested and do not exist here.
	Missing []string `json:"missing,omitempty"`
	// AppKey says that the answer holds the private gaia key of the account.
	AppKey bool `json:"appKey,omitempty"`
}

// Token holds what a token transfer moves.
type Token struct {
	Asset     string              `json:"asset"` // CONTRACT::NAME
	Recipient string              `json:"recipient"`
	Amount    *uint64             `json:"amount,string,omitempty"` // units of a fungible token
	ID        *stxtx.ExplainValue `json:"id,omitempty"`            // of a non-fungible token
}

// Transaction holds what every Stacks transaction has.
type Transaction struct {
	Nonce             uint64                `json:"nonce,string"`
	Fee               uint64                `json:"fee,string"` // micro-STX
	NonceFrom         Origin                `json:"nonceFrom"`
	FeeFrom           Origin                `json:"feeFrom"`
	Sponsored         bool                  `json:"sponsored"`
	Broadcast         bool                  `json:"broadcast"` // the page wants it sent
	PostConditionMode string                `json:"postConditionMode"`
	PostConditions    []stxtx.PostCondition `json:"postConditions"`
	Size              int                   `json:"size"` // bytes when signed
	Unsigned          string                `json:"unsigned"`
}

// Origin describes where a nonce or fee comes from.
type Origin string

// The origins.
const (
	FromNowhere Origin = "" // not known yet: the call is not prepared
	FromParams  Origin = "params"
	FromChain   Origin = "chain"
	FromLocal   Origin = "local" // the local counter, the default fee
	FromUser    Origin = "user"  // edited before approving
	// Of a transaction that takes the place of another: its nonce, and a tenth above its fee.
	FromReplaced Origin = "replaced"
)

// WarningKind sorts warnings.
type WarningKind string

// The kinds of warnings.
const (
	WarnMainnet          WarningKind = "mainnet"
	WarnPublicKeys       WarningKind = "public-keys"
	WarnAllowMode        WarningKind = "allow-mode"
	WarnNoPostConditions WarningKind = "no-post-conditions"
	WarnHighFee          WarningKind = "high-fee"
	WarnHidden           WarningKind = "hidden-characters"
	WarnUnreadable       WarningKind = "unreadable-source"
	WarnDomain           WarningKind = "domain"
	WarnChainID          WarningKind = "chain-id"
	WarnNetwork          WarningKind = "network"
	WarnLocalNonce       WarningKind = "local-nonce"
	WarnDefaultFee       WarningKind = "default-fee"
	WarnAccount          WarningKind = "account"
	WarnSelf             WarningKind = "to-self"
	WarnAppKey           WarningKind = "app-key"
	WarnSighash          WarningKind = "sighash"
	WarnMultisig         WarningKind = "multisig"
	WarnAttachment       WarningKind = "attachment"
	WarnUnsigned         WarningKind = "unsigned"
)

// Warning is something to know before approving. Text is
// ours: nothing of a page is quoted in it.
type Warning struct {
	Kind WarningKind `json:"kind"`
	Path string      `json:"path,omitempty"` // the param
	Text string      `json:"text"`
}

// Warnings are collected while a request is read.
type Warnings []Warning

func (w *Warnings) add(kind WarningKind, path, format string, args ...any) {
	*w = append(*w, Warning{kind, path, fmt.Sprintf(format, args...)})
}

// hidden warns of characters that cannot be seen.
func (w *Warnings) hidden(path string, found []hidden.Finding) {
	if len(found) == 0 {
		return
	}
	more := ""
	if len(found) > 1 {
		more = fmt.Sprintf(" and %d more", len(found)-1)
	}
	w.add(WarnHidden, path, "it holds characters that cannot be seen: %s%s", found[0], more)
}

// value warns of hidden characters in the strings of a Clarity value.
func (w *Warnings) value(path string, v clarity.Value) {
	switch v := v.(type) {
	case clarity.ASCII:
		w.hidden(path, hidden.FindText(string(v)))
	case clarity.UTF8:
		w.hidden(path, hidden.FindText(string(v)))
	case clarity.Some:
		w.value(path, v.Value)
	case clarity.OK:
		w.value(path, v.Value)
	case clarity.Err:
		w.value(path, v.Value)
	case clarity.List:
		for i, item := range v {
			w.value(fmt.Sprintf("%s[%d]", path, i), item)
		}
	case clarity.Tuple:
		for _, field := range v.Fields {
			w.value(path+"."+field.Name, field.Value)
		}
	}
}

// account warns of an account that is not the active one.
func (w *Warnings) account(a Account) {
	if a.Selected {
		w.add(WarnAccount, "address", "the request asks for account %d, which is not the active one", a.Index)
	}
}
