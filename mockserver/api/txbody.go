package api

import (
	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// txBody is the API's view of a transaction, with the parts of its kind and
// state. Amounts are micro-STX in decimal strings.
type txBody struct {
	ID                string              `json:"tx_id"`
	Nonce             uint64              `json:"nonce"`
	Fee               string              `json:"fee_rate"`
	Sender            string              `json:"sender_address"`
	Sponsored         bool                `json:"sponsored"`
	PostConditionMode string              `json:"post_condition_mode"`
	PostConditions    []postConditionBody `json:"post_conditions"`
	AnchorMode        string              `json:"anchor_mode"`
	*placeBody
	Status string `json:"tx_status"` // pending, dropped_replace_by_fee, success
	*pendingBody
	*minedBody
	Type     string        `json:"tx_type"`
	Transfer *transferBody `json:"token_transfer,omitempty"`
	Contract *contractBody `json:"smart_contract,omitempty"`
	Call     *callBody     `json:"contract_call,omitempty"`
	Coinbase *coinbaseBody `json:"coinbase_payload,omitempty"`
	Tenure   *tenureBody   `json:"tenure_change_payload,omitempty"`

	SponsorNonce   *uint64 `json:"sponsor_nonce,omitempty"`
	SponsorAddress string  `json:"sponsor_address,omitempty"`
}

type pendingBody struct {
	ReplacedBy  *string `json:"replaced_by_tx_id"`
	ReceiptTime int64   `json:"receipt_time"` // Unix seconds
	ReceiptISO  string  `json:"receipt_time_iso"`
}

// placeBody is the position of a transaction in the chain.
type placeBody struct {
	BlockHash         string `json:"block_hash"`
	BlockHeight       int64  `json:"block_height"`
	BlockTime         int64  `json:"block_time"` // Unix seconds
	BlockTimeISO      string `json:"block_time_iso"`
	BurnTime          int64  `json:"burn_block_time"`
	BurnHeight        int64  `json:"burn_block_height"`
	BurnTimeISO       string `json:"burn_block_time_iso"`
	ParentBurnTime    int64  `json:"parent_burn_block_time"`
	ParentBurnTimeISO string `json:"parent_burn_block_time_iso"`
	Canonical         bool   `json:"canonical"`
	Index             int    `json:"tx_index"`
}

// minedBody holds what a transaction did in its block.
type minedBody struct {
	Result              cvBody `json:"tx_result"`
	EventCount          int    `json:"event_count"`
	ParentBlockHash     string `json:"parent_block_hash"`
	IsUnanchored        bool   `json:"is_unanchored"`
	MicroblockHash      string `json:"microblock_hash"`
	MicroblockSequence  int64  `json:"microblock_sequence"`
	MicroblockCanonical bool   `json:"microblock_canonical"`
	txCost
	VMError *string     `json:"vm_error"`
	Events  []eventBody `json:"events"`
}

// txCost is a cost in the keys of a transaction.
type txCost struct {
	ReadCount   uint64 `json:"execution_cost_read_count"`
	ReadLength  uint64 `json:"execution_cost_read_length"`
	Runtime     uint64 `json:"execution_cost_runtime"`
	WriteCount  uint64 `json:"execution_cost_write_count"`
	WriteLength uint64 `json:"execution_cost_write_length"`
}

type cvBody struct {
	Hex  string `json:"hex"`
	Repr string `json:"repr"`
}

type transferBody struct {
	Recipient string `json:"recipient_address"`
	Amount    string `json:"amount"`
	Memo      string `json:"memo"`
}

type contractBody struct {
	ClarityVersion *int   `json:"clarity_version"`
	ContractID     string `json:"contract_id"`
	Source         string `json:"source_code"`
}

type callBody struct {
	ContractID string         `json:"contract_id"`
	Function   string         `json:"function_name"`
	Signature  string         `json:"function_signature"`
	Args       *[]callArgBody `json:"function_args,omitempty"`
}

type coinbaseBody struct {
	Data      string  `json:"data"`
	Recipient *string `json:"alt_recipient"`
	Proof     *string `json:"vrf_proof"`
}

type tenureBody struct {
	Consensus         string `json:"tenure_consensus_hash"`
	PreviousConsensus string `json:"prev_tenure_consensus_hash"`
	BurnConsensus     string `json:"burn_view_consensus_hash"`
	PreviousEnd       string `json:"previous_tenure_end"` // index block hash
	PreviousBlocks    uint32 `json:"previous_tenure_blocks"`
	Cause             string `json:"cause"`
	PublicKeyHash     string `json:"pubkey_hash"`
}

type callArgBody struct {
	Hex  string `json:"hex"`
	Repr string `json:"repr"`
	Name string `json:"name"`
	Type string `json:"type"`
}

// postConditionBody is the API's form of a post-condition.
type postConditionBody struct {
	Principal postConditionParty `json:"principal"`
	Condition string             `json:"condition_code"`
	Amount    *string            `json:"amount,omitempty"`
	Type      string             `json:"type"` // stx, fungible, non_fungible
	AssetID   *cvBody            `json:"asset_value,omitempty"`
	Asset     *assetBody         `json:"asset,omitempty"`
}

type assetBody struct {
	Name     string `json:"asset_name"`
	Address  string `json:"contract_address"`
	Contract string `json:"contract_name"`
}

type postConditionParty struct {
	Type     string `json:"type_id"`
	Address  string `json:"address,omitempty"`
	Contract string `json:"contract_name,omitempty"`
}

func postConditionOf(p stxtx.PostCondition) postConditionBody {
	body := postConditionBody{Type: p.Asset.APIName(), Condition: p.Condition.APIName(), Principal: partyOf(p.Principal)}
	if p.Asset == stxtx.AssetFT || p.Asset == stxtx.AssetNFT {
		token := p.Token.Contract
		body.Asset = &assetBody{p.Token.Name, token.Address.String(), token.Contract}
	}
	switch p.Asset {
	case stxtx.AssetPoX:
		return body
	case stxtx.AssetNFT:
		body.AssetID = valueBody(p.TokenID)
		return body
	}
	amount := decimal(p.Amount)
	body.Amount = &amount
	return body
}

func partyOf(p *clarity.Principal) postConditionParty {
	switch {
	case p == nil:
		return postConditionParty{Type: "principal_origin"}
	case p.Contract != "":
		return postConditionParty{"principal_contract", p.Address.String(), p.Contract}
	}
	return postConditionParty{Type: "principal_standard", Address: p.Address.String()}
}
