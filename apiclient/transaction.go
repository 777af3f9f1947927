package apiclient

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
)

// Transaction is a transaction of the chain or of the memory pool. A field that the
// route which answered does not have is unknown: its zero value, nil where it is a
// pointer or a list. Hashes and ids are 0x and 64 hex digits, amounts are decimal
// numbers of micro-STX, which may be negative where a server lacks the beginning of the
// chain.
type Transaction struct {
	ID      string `json:"tx_id"`
	Nonce   *int64 `json:"nonce"`
	FeeRate string `json:"fee_rate"` // the whole fee, in micro-STX
	Sender  string `json:"sender_address"`
	// Sponsored reports whether there is a sponsor; the routes of v3 do not say it.
	Sponsored bool `json:"sponsored,omitzero"`
	// Impersonated reports whether a mock took it without a signature of its sender or sponsor.
	Impersonated bool `json:"-"`
	// Sponsor and SponsorNonce are those of the account that pays the fee in place of
	// the sender.
	Sponsor      string `json:"sponsor_address,omitzero"`
	SponsorNonce *int64 `json:"sponsor_nonce,omitzero"`
	// Mode is deny, allow or originator; "" when it is not known.
	Mode           string          `json:"post_condition_mode,omitzero"`
	PostConditions []PostCondition `json:"post_conditions,omitzero"`
	AnchorMode     string          `json:"anchor_mode,omitzero"`
	// The block is unknown for a transaction that waits or was dropped.
	BlockHash      string `json:"block_hash,omitzero"`
	BlockHeight    *int64 `json:"block_height,omitzero"`
	IndexBlockHash string `json:"index_block_hash,omitzero"`
	// Times are in seconds since 1970, those with ISO the server's own text of them.
	BlockTime           int64  `json:"block_time,omitzero"`
	BlockTimeISO        string `json:"block_time_iso,omitzero"`
	BurnBlockHeight     *int64 `json:"burn_block_height,omitzero"`
	BurnBlockTime       int64  `json:"burn_block_time,omitzero"`
	BurnBlockTimeISO    string `json:"burn_block_time_iso,omitzero"`
	ParentBlockHash     string `json:"parent_block_hash,omitzero"`
	ParentBurnBlockTime int64  `json:"parent_burn_block_time,omitzero"`
	ParentBurnTimeISO   string `json:"parent_burn_block_time_iso,omitzero"`
	Canonical           *bool  `json:"canonical,omitzero"`
	// Microblocks are no longer made since epoch 3.
	Unanchored          *bool  `json:"is_unanchored,omitzero"`
	MicroblockHash      string `json:"microblock_hash,omitzero"`
	MicroblockSequence  *int64 `json:"microblock_sequence,omitzero"`
	MicroblockCanonical *bool  `json:"microblock_canonical,omitzero"`
	// Index is its place in the block, from 0.
	Index *int64 `json:"tx_index,omitzero"`
	// Status is success, abort_by_response, abort_by_post_condition, problematic_skipped,
	// pending, or begins with dropped_.
	Status string `json:"tx_status"`
	// ReplacedBy is the transaction that took its nonce.
	ReplacedBy string `json:"replaced_by_tx_id,omitzero"`
	// ReceiptTime is that of one that waits or waited.
	ReceiptTime    int64  `json:"receipt_time,omitzero"`
	ReceiptTimeISO string `json:"receipt_time_iso,omitzero"`
	// Result holds what a call answered, also where post-conditions aborted it.
	Result *ClarityValue `json:"tx_result,omitzero"`
	// VMError reports why the virtual machine ended it, "" where the node sent no reason.
	VMError string `json:"vm_error"`
	ExecutionCost
	// EventCount counts all events, of which Events may hold the first only.
	EventCount *int64  `json:"event_count,omitzero"`
	Events     []Event `json:"events,omitzero"`
	// Type says which of the payloads below is set.
	Type          string         `json:"tx_type"`
	TokenTransfer *TokenTransfer `json:"token_transfer,omitzero"`
	ContractCall  *ContractCall  `json:"contract_call,omitzero"`
	SmartContract *SmartContract `json:"smart_contract,omitzero"`
	Coinbase      *Coinbase      `json:"coinbase_payload,omitzero"`
	TenureChange  *TenureChange  `json:"tenure_change_payload,omitzero"`
	Poison        *Poison        `json:"poison_microblock,omitzero"`
	// Lacks names the fields that the route does not have, as in Block; nil for the
	// routes of v1.
	Lacks Lacks                      `json:"-"`
	Extra map[string]json.RawMessage `json:",embed"`
}

// MarshalJSON writes what is known of a transaction, under the names of v1.
func (t Transaction) MarshalJSON() ([]byte, error) {
	type plain Transaction
	return knownFields((*plain)(&t), t.unknown(), &t.Extra)
}

// unknown returns the fields that have no value.
func (t Transaction) unknown() Lacks {
	if t.Mined() {
		return t.Lacks
	}
	lacks := Lacks{"vm_error": true}
	for _, f := range []string{"read_count", "read_length", "runtime", "write_count", "write_length"} {
		lacks["execution_cost_"+f] = true
	}
	return lacks
}

// The states of a transaction that a program distinguishes.
const (
	StatusSuccess              = "success"
	StatusAbortByResponse      = "abort_by_response"
	StatusAbortByPostCondition = "abort_by_post_condition"
	StatusPending              = "pending"
)

// The types of transactions.
const (
	TypeTokenTransfer = "token_transfer"
	TypeContractCall  = "contract_call"
	TypeSmartContract = "smart_contract"
	TypeCoinbase      = "coinbase"
	TypeTenureChange  = "tenure_change"
	TypePoison        = "poison_microblock"
)

// Mined reports whether the transaction is in a block.
func (t *Transaction) Mined() bool { return t.BlockHeight != nil }

// Failed reports whether the transaction is in a block and has changed nothing but nonce
// and balance of the fee, or was dropped and will never be in one.
func (t *Transaction) Failed() bool {
	return strings.HasPrefix(t.Status, "abort_") || t.Dropped() || t.Status == "problematic_skipped"
}

// Dropped reports whether the transaction has left the memory pool without a block.
func (t *Transaction) Dropped() bool { return strings.HasPrefix(t.Status, "dropped_") }

// ClarityValue is a value of a contract: its serialization in hex, with 0x, and the
// server's notation of it.
type ClarityValue struct {
	Hex  string `json:"hex"`
	Repr string `json:"repr"`
}

// TokenTransfer is the payload of a transfer of STX.
type TokenTransfer struct {
	Recipient string `json:"recipient_address"`
	Amount    string `json:"amount"`
	// Memo is in hex with 0x: 34 bytes, filled up with zeros; "" for none.
	Memo  string                     `json:"memo"`
	Extra map[string]json.RawMessage `json:",embed"`
}

// ContractCall is the payload of a call.
type ContractCall struct {
	ContractID string `json:"contract_id"`
	Function   string `json:"function_name"`
	// Signature is the definition of the function, "" when it is not known.
	Signature string `json:"function_signature,omitzero"`
	// Args are nil where the route leaves them out.
	Args  []Argument                 `json:"function_args,omitzero"`
	Extra map[string]json.RawMessage `json:",embed"`
}

// Argument is an argument of a call. Name and Type are those of the contract's interface,
// "" when they are not known.
type Argument struct {
	ClarityValue
	Name string `json:"name"`
	Type string `json:"type"`
}

// SmartContract is the payload of a deploy.
type SmartContract struct {
	ContractID     string                     `json:"contract_id"`
	ClarityVersion *int64                     `json:"clarity_version"`
	Source         string                     `json:"source_code,omitzero"`
	Extra          map[string]json.RawMessage `json:",embed"`
}

// Coinbase is the payload of a miner's reward.
type Coinbase struct {
	Data         string                     `json:"data"`
	AltRecipient string                     `json:"alt_recipient"`
	Extra        map[string]json.RawMessage `json:",embed"`
}

// Poison is the payload that reports two headers of microblocks, in hex, that one miner
// signed for one place.
type Poison struct {
	Header1 string                     `json:"microblock_header_1"`
	Header2 string                     `json:"microblock_header_2"`
	Extra   map[string]json.RawMessage `json:",embed"`
}

// TenureChange is the payload that begins or extends a tenure.
type TenureChange struct {
	Cause          string                     `json:"cause"` // block_found, extended and others
	PreviousBlocks *int64                     `json:"previous_tenure_blocks"`
	PreviousEnd    string                     `json:"previous_tenure_end"`
	ConsensusHash  string                     `json:"tenure_consensus_hash"`
	PreviousHash   string                     `json:"prev_tenure_consensus_hash"`
	BurnView       string                     `json:"burn_view_consensus_hash"`
	Extra          map[string]json.RawMessage `json:",embed"`
}

// PostCondition holds what a transaction demands of what a principal sends.
type PostCondition struct {
	Principal ConditionPrincipal `json:"principal"`
	// Code is sent_equal_to and others for amounts, sent and others for tokens.
	Code string `json:"condition_code"`
	// Amount is a decimal number in the asset's smallest unit, "" for non-fungible ones.
	Amount string `json:"amount,omitzero"`
	Type   string `json:"type"` // stx, fungible, non_fungible
	// Asset is set unless the type is stx, Value for non_fungible.
	Asset *ConditionAsset            `json:"asset,omitzero"`
	Value *ClarityValue              `json:"asset_value,omitzero"`
	Extra map[string]json.RawMessage `json:",embed"`
}

// ConditionPrincipal is whom a post-condition is about.
type ConditionPrincipal struct {
	Kind         string `json:"type_id"` // principal_origin, principal_standard, principal_contract
	Address      string `json:"address"`
	ContractName string `json:"contract_name,omitzero"`
}

// ConditionAsset is the token that a post-condition is about.
type ConditionAsset struct {
	Name            string `json:"asset_name"`
	ContractAddress string `json:"contract_address"`
	ContractName    string `json:"contract_name,omitzero"`
}

// Event is something that a transaction did.
type Event struct {
	Index *int64 `json:"event_index"`
	// Type is smart_contract_log, stx_asset, fungible_token_asset, non_fungible_token_asset
	// or stx_lock.
	Type  string       `json:"event_type"`
	Log   *ContractLog `json:"contract_log,omitzero"`
	Asset *AssetEvent  `json:"asset,omitzero"`
	Lock  *STXLock     `json:"stx_lock_event,omitzero"`

	Extra map[string]json.RawMessage `json:",embed"`
}

// The types of events.
const (
	EventLog         = "smart_contract_log"
	EventSTX         = "stx_asset"
	EventFungible    = "fungible_token_asset"
	EventNonFungible = "non_fungible_token_asset"
	EventLock        = "stx_lock"
)

// ContractLog holds what a contract printed.
type ContractLog struct {
	ContractID string       `json:"contract_id"`
	Topic      string       `json:"topic"`
	Value      ClarityValue `json:"value,omitzero"`
}

// AssetEvent is a movement of an asset. A mint has no sender and a burn no recipient.
type AssetEvent struct {
	Kind      string `json:"asset_event_type"`  // transfer, mint, burn
	AssetID   string `json:"asset_id,omitzero"` // ADDRESS.contract::name, "" for STX
	Sender    string `json:"sender,omitzero"`
	Recipient string `json:"recipient,omitzero"`
	// Amount is a decimal number in the asset's smallest unit; Value is that of a
	// non-fungible token.
	Amount string                     `json:"amount,omitzero"`
	Value  *ClarityValue              `json:"value,omitzero"`
	Extra  map[string]json.RawMessage `json:",embed"`
}

// STXLock says that STX were locked, for stacking.
type STXLock struct {
	Amount  string `json:"locked_amount"`
	Unlock  int64  `json:"unlock_height"` // a burn block height
	Address string `json:"locked_address"`
}

// transactionOp is the question for one transaction.
const transactionOp = "transaction"

var transactionRoutes = [...]route{{1, "/extended/v1/tx/{tx_id}"}, {3, "/extended/v3/transactions/{tx_id}"}}

// TransactionURL returns the address that answers with one transaction, "" where the server
// has none.
func (c *Client) TransactionURL(id string) string { return c.urlOf(id, transactionRoutes[:]...) }

// Transaction reads a transaction, with or without 0x before its id, and the first of its
// events: at most MaxEvents of them, and none by v3; MoreEvents reads the others. One that neither a block nor the memory
// pool has is NotFound.
func (c *Client) Transaction(ctx context.Context, id string) (Answer[Transaction], error) {
	id, err := normalHash(id)
	if err != nil {
		return Answer[Transaction]{}, invalid(transactionOp, err)
	}
	events := addQuery("", "event_limit", strconv.Itoa(MaxEvents))
	return firstServed(ctx, c, transactionOp,
		by(c, transactionRoutes[0], id, events, decode[Transaction]),
		form[Transaction]{route{1, "/extended/v1/tx/multiple"}, func(ctx context.Context, op string) (Answer[Transaction], error) {
			return c.oneOfMultiple(ctx, op, id, events)
		}},
		by(c, transactionRoutes[1], id, "?include=function_args,source_code,post_conditions,result",
			func(body []byte) (Transaction, error) { return decodeWith[Transaction](body, lenientV3) }))
}

// found is an entry of the route that reads several transactions.
type found struct {
	Found  bool            `json:"found"`
	Result json.RawMessage `json:"result"`

	impersonated []string // addresses that need not sign
}

// oneOfMultiple reads a transaction by the route that reads several, which is the only one
// with a whole record once the others of v1 are switched off.
func (c *Client) oneOfMultiple(ctx context.Context, op, id, events string) (Answer[Transaction], error) {
	a, err := get(ctx, c, op, "/extended/v1/tx/multiple"+addQuery(events, "tx_id", id), decode[map[string]found])
	one := Answer[Transaction]{ExchangeID: a.ExchangeID, FetchedAt: a.FetchedAt, Cached: a.Cached}
	if err != nil {
		return one, err
	}
	entry, said := a.Value[id]
	if !said {
		return one, &Error{Kind: Decode, Op: op, Err: errors.New("the answer does not say whether there is this transaction")}
	}
	if !entry.Found {
		return one, &Error{Kind: NotFound, Op: op, ServerMessage: "could not find transaction by ID", Status: http.StatusNotFound}
	}
	one.Raw = entry.Result
	if one.Value, err = decode[Transaction](entry.Result); err != nil {
		return one, &Error{Kind: Decode, Op: op, Err: err}
	}
	one.Value.markImpersonated(entry.impersonated)
	return one, nil
}
