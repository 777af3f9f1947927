package apiclient

import "encoding/json"

// The records of v3 by the names that v1 has for the same things.
var (
	transactionNames = guess{
		names: map[string]string{
			"sender_nonce": "nonce", "block_index_hash": "index_block_hash", "block_tx_index": "tx_index",
			"status": "tx_status", "type": "tx_type", "result": "tx_result",
			"coinbase": "coinbase_payload", "tenure_change": "tenure_change_payload",
		},
		objects: map[string]string{
			"sender": "sender_", "sponsor": "sponsor_", "block": "block_", "bitcoin_block": "burn_block_",
			"parent_block": "parent_block_", "execution_cost": "execution_cost_",
		},
		needs: []string{"tx_id"},
	}
	transferNames = guess{
		names:   map[string]string{"recipient": "recipient_address", "memo_hex": "memo"},
		objects: map[string]string{"memo": "memo_"},
	}
	coinbaseNames = guess{names: map[string]string{"payload": "data"}}
	eventNames    = guess{
		names: map[string]string{
			"type": "event_type", "stx_asset": "asset", "ft_asset": "asset", "nft_asset": "asset", "stx_lock": "stx_lock_event",
		},
		needs: []string{"event_type"},
	}
	assetNames = guess{names: map[string]string{"type": "asset_event_type", "asset_identifier": "asset_id"}}
	lockNames  = guess{names: map[string]string{"amount": "locked_amount", "unlock_bitcoin_height": "unlock_height", "address": "locked_address"}}
)

// eventTypes are the types of v1 by those of v3.
var eventTypes = map[string]string{"contract_log": EventLog, "ft_asset": EventFungible, "nft_asset": EventNonFungible}

// payloadsV3 reads what is inside of transactions and events of v3.
var payloadsV3 = leniently(0,
	guessed(transferNames, lenient, func(v *TokenTransfer, _ Lacks, strange map[string]json.RawMessage) {
		v.Extra = joined(v.Extra, strange)
	}),
	guessed(coinbaseNames, lenient, func(v *Coinbase, _ Lacks, strange map[string]json.RawMessage) { v.Extra = joined(v.Extra, strange) }),
	guessed(assetNames, lenient, func(v *AssetEvent, _ Lacks, strange map[string]json.RawMessage) { v.Extra = joined(v.Extra, strange) }),
	guessed(lockNames, lenient, func(*STXLock, Lacks, map[string]json.RawMessage) {}))
