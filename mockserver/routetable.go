package mockserver

// routes are the routes of the API: which there are, how they stand in each version, what
// their validators depend on, and who answers. A path belongs to the first that fits it; see
// newRouter.
var routes = []route{
	// The token service serves its routes with and without the version in the path.
	{tokenRoute, "GET", "/metadata/v1/ft", always, nil, listTokens},
	{tokenRoute, "GET", "/metadata/v1/ft/{principal}", always, nil, fungibleToken},
	{tokenRoute, "GET", "/metadata/v1/nft/{principal}/{token_id}", always, nil, nonFungibleToken},
	{tokenRoute, "GET", "/metadata/ft", always, nil, listTokens},
	{tokenRoute, "GET", "/metadata/ft/{principal}", always, nil, fungibleToken},
	{tokenRoute, "GET", "/metadata/nft/{principal}/{token_id}", always, nil, nonFungibleToken},
	{tokenRoute, "GET", "/pictures/{file}", always, nil, servePicture},

	// Blocks.
	{apiRoute, "GET", "/extended/v1/block", blocksV1, nil, serveBlocks},
	{apiRoute, "GET", "/extended/v1/block/by_burn_block_height/{burn_block_height}", blocksV1, nil, serveBlockByBurnHeight},
	{apiRoute, "GET", "/extended/v1/block/by_burn_block_hash/{burn_block_hash}", blocksV1, nil, serveBlockByBurnHash},
	{apiRoute, "GET", "/extended/v1/block/by_height/{height}", blocksV1, nil, serveBlockByHeight},
	{apiRoute, "GET", "/extended/v1/block/{hash}", blocksV1, nil, serveBlockByHash},
	{apiRoute, "GET", "/extended/v2/burn-blocks/{height_or_hash}/blocks", blocksV2, nil, serveBurnBlock},
	{apiRoute, "GET", "/extended/v2/blocks", blocksV2, nil, serveBlockList},
	{apiRoute, "GET", "/extended/v2/blocks/average-times", blocksV2, ofTip, serveAverageTimes},
	{apiRoute, "GET", "/extended/v2/blocks/by-block-time/{timestamp}", blocksV2From9, ofTip, serveBlockByTime},
	{apiRoute, "GET", "/extended/v2/blocks/{height_or_hash}", blocksV2, nil, serveBlock},
	{apiRoute, "GET", "/extended/v2/block-tenures/{tenure_height}/blocks", blocksV2, nil, serveTenure},
	{apiRoute, "GET", "/extended/v2/burn-blocks", blocksV2, nil, serveBurnBlocks},
	{apiRoute, "GET", "/extended/v2/burn-blocks/{height_or_hash}", blocksV2, nil, serveOneBurnBlock},
	{apiRoute, "GET", "/extended/v3/blocks", fromV3, nil, serveBlocksV3},
	{apiRoute, "GET", "/extended/v3/blocks/{height_or_hash}", fromV3, nil, serveBlockV3},
	{apiRoute, "GET", "/extended/v3/bitcoin-blocks", fromV3, nil, serveBitcoinBlocks},
	{apiRoute, "GET", "/extended/v3/bitcoin-blocks/{height_or_hash}", fromV3, nil, serveBitcoinBlock},
	{apiRoute, "GET", "/extended/v3/bitcoin-blocks/{height_or_hash}/blocks", fromV3, nil, serveBlocksOfBitcoinBlock},

	// Transactions.
	{apiRoute, "GET", "/extended/v1/tx/multiple", until94, ofMempool, serveTransactions},
	{apiRoute, "GET", "/extended/v1/tx/mempool", withV1, ofMempool, serveMempool},
	{apiRoute, "GET", "/extended/v1/tx/mempool/stats", until94, ofMempool, serveMempoolStats},
	{apiRoute, "GET", "/extended/v1/tx/events", withV1, ofTip, serveEvents},
	{apiRoute, "GET", "/extended/v1/tx/block/{block_hash}", blocksV1, ofTip, serveTransactionsOfHash},
	{apiRoute, "GET", "/extended/v1/tx/block_height/{height}", blocksV1, ofTip, serveTransactionsOfHeight},
	{apiRoute, "GET", "/extended/v1/tx", withV1, ofTip, serveMined},
	{apiRoute, "GET", "/extended/v1/tx/{tx_id}/raw", withV1, ofTransaction, serveRaw},
	{apiRoute, "GET", "/extended/v1/tx/{tx_id}", withV1, ofTransaction, serveTransaction},
	{apiRoute, "GET", "/extended/v2/blocks/{height_or_hash}/transactions", withV1, nil, serveBlockTransactionsV2},
	{apiRoute, "GET", "/extended/v2/mempool/fees", always, ofMempool, serveMempoolFees},
	{apiRoute, "GET", "/extended/v3/blocks/{height_or_hash}/transactions", from9, nil, serveTransactionsOfBlock},
	{apiRoute, "GET", "/extended/v3/transactions", from9, ofTip, serveNewestV3},
	{apiRoute, "GET", "/extended/v3/transactions/{tx_id}", from9, ofTransaction, serveTransactionV3},
	{apiRoute, "GET", "/extended/v3/transactions/{tx_id}/events", from9, ofTransaction, serveEventsV3},
	{apiRoute, "GET", "/extended/v3/mempool/transactions", from9, ofMempool, serveMempoolV3},

	// Accounts.
	{apiRoute, "GET", "/extended/v1/address/{principal}/balances", blocksV1, ofPrincipal, serveBalances},
	{apiRoute, "GET", "/extended/v1/address/{principal}/stx", blocksV1, ofPrincipal, serveSTX},
	{apiRoute, "GET", "/extended/v1/address/{principal}/nonces", withV1, ofPrincipal, serveNonces},
	{apiRoute, "GET", "/extended/v1/address/{principal}/transactions", blocksV1, ofPrincipal, serveAddressTransactions},
	{apiRoute, "GET", "/extended/v1/address/{principal}/transactions_with_transfers", blocksV1, ofPrincipal, serveWithTransfers},
	{apiRoute, "GET", "/extended/v1/address/{principal}/{tx_id}/with_transfers", blocksV1, ofPrincipal, serveOneWithTransfers},
	{apiRoute, "GET", "/extended/v1/address/{principal}/mempool", withV1, ofPrincipal, serveAddressMempool},
	{apiRoute, "GET", "/extended/v1/address/{principal}/assets", withV1, ofPrincipal, serveAssets},
	{apiRoute, "GET", "/extended/v1/address/{principal}/stx_inbound", withV1, ofPrincipal, serveInbound},
	{apiRoute, "GET", "/extended/v1/tokens/nft/holdings", withV1, ofTip, serveHoldings},
	{apiRoute, "GET", "/extended/v2/addresses/{principal}/balances/stx", withV1, ofBalances, serveSTXv2},
	{apiRoute, "GET", "/extended/v2/addresses/{principal}/balances/ft", withV1, ofBalances, serveFungibles},
	{apiRoute, "GET", "/extended/v2/addresses/{principal}/balances/ft/{token}", withV1, ofBalances, serveFungible},
	{apiRoute, "GET", "/extended/v2/addresses/{address}/transactions", withV1, ofPrincipal, serveTransactionsV2},
	{apiRoute, "GET", "/extended/v2/addresses/{address}/transactions/{tx_id}/events", withV1, ofSecondTransaction, serveTransactionEvents},
	{apiRoute, "GET", "/extended/v3/principals/{principal}/balances/stx", from9, ofPrincipal, serveSTXV3},
	{apiRoute, "GET", "/extended/v3/principals/{principal}/balances/ft", from9, ofPrincipal, serveFungiblesV3},
	{apiRoute, "GET", "/extended/v3/principals/{principal}/balances/ft/{asset}", from9, ofPrincipal, serveFungibleV3},
	{apiRoute, "GET", "/extended/v3/principals/{principal}/balances/nft", from9, ofPrincipal, serveNonFungiblesV3},
	{apiRoute, "GET", "/extended/v3/principals/{principal}/nonces", from9, ofPrincipal, serveNoncesV3},
	{apiRoute, "GET", "/extended/v3/principals/{principal}/transactions", from9, ofPrincipal, serveHistoryV3},
	{apiRoute, "GET", "/extended/v3/principals/{principal}/transactions/{tx_id}/balance-changes", from9, ofSecondTransaction, serveChangesOf},
	{apiRoute, "GET", "/extended/v3/principals/{principal}/balance-changes", from9, ofPrincipal, serveChanges},
	{apiRoute, "GET", "/extended/v3/principals/{principal}/mempool/transactions", from9, ofPrincipal, serveMempoolOfV3},
	{apiRoute, "GET", "/extended/v3/principals/{principal}/staking", from9, ofTip, serveStaking},

	// Contracts and tokens.
	{apiRoute, "GET", "/extended/v1/contract/by_trait", always, ofTip, serveContractsByTrait},
	{apiRoute, "GET", "/extended/v1/contract/{contract_id}", always, ofTip, serveContract},
	{apiRoute, "GET", "/extended/v1/contract/{contract_id}/events", withV1, ofTip, serveContractEvents},
	{apiRoute, "GET", "/extended/v2/smart-contracts/status", always, ofTip, serveContractStatus},
	{apiRoute, "GET", "/extended/v2/smart-contracts/{contract_id}/logs", from9, ofTip, serveContractLogs},
	{apiRoute, "GET", "/extended/v1/tokens/ft/{asset}/holders", until94, ofTip, serveHolders},
	{apiRoute, "GET", "/extended/v1/tokens/nft/history", until94, ofTip, serveTokenHistory},
	{apiRoute, "GET", "/extended/v1/tokens/nft/mints", always, ofTip, serveMints},
	{apiRoute, "GET", "/extended/v1/search/{id}", until94, nil, serveSearch},

	// Names, and what the server says of itself.
	{apiRoute, "GET", "/v1/namespaces", always, nil, serveNamespaces},
	{apiRoute, "GET", "/v1/namespaces/{tld}/names", always, nil, serveNames},
	{apiRoute, "GET", "/v1/names/{name}", always, nil, serveName},
	{apiRoute, "GET", "/v1/addresses/{blockchain}/{address}", always, nil, serveNamesOfAddress},
	{apiRoute, "GET", "/extended", always, nil, serveStatus},
	{apiRoute, "GET", "/extended/v1/status", always, nil, redirectToStatus},
	{apiRoute, "GET", webSocketPath + "{rest}", always, nil, serveWebSocket},
	{apiRoute, "GET", "/extended/v1/info/network_block_times", always, nil, serveBlockTimes},
	{apiRoute, "GET", "/extended/v1/info/network_block_time/{network}", always, nil, serveBlockTime},

	{apiRoute, "GET", "/extended/v1/stx_supply", withV1, ofTip, serveSupply},
	{apiRoute, "GET", "/extended/v1/stx_supply/total/plain", blocksV1, ofTip, serveSupplyPlain},
	{apiRoute, "GET", "/extended/v1/stx_supply/circulating/plain", blocksV1, ofTip, serveSupplyPlain},
	{apiRoute, "GET", "/extended/v1/stx_supply/legacy_format", blocksV1, ofTip, serveSupplyLegacy},
	{apiRoute, "POST", "/extended/v1/fee_rate", blocksV1, nil, serveFeeRateV1},

	// What gives coins for nothing.
	{apiRoute, "POST", "/extended/v1/faucets/stx", always, nil, serveFaucet},

	// The node behind the API.
	{apiRoute, "POST", "/v2/transactions", always, nil, serveBroadcast},
	{apiRoute, "GET", "/v2/accounts/{principal}", always, nil, serveAccount},
	{apiRoute, "GET", "/v2/info", always, nil, serveInfo},
	{apiRoute, "GET", "/v2/pox", always, nil, servePoX},
	{apiRoute, "GET", "/v2/fees/transfer", always, nil, serveFeeRate},
	{apiRoute, "POST", "/v2/fees/transaction", always, nil, serveEstimate},
	{apiRoute, "POST", "/v2/contracts/call-read/{address}/{name}/{function}", always, nil, serveReadOnly},
	{apiRoute, "GET", "/v2/contracts/interface/{address}/{name}", always, nil, serveInterface},
	{apiRoute, "GET", "/v2/contracts/source/{address}/{name}", always, nil, serveSource},
	{apiRoute, "POST", "/v2/map_entry/{address}/{name}/{map}", always, nil, serveMapEntry},
	{apiRoute, "GET", "/v2/data_var/{address}/{name}/{var}", always, nil, serveDataVar},
	{apiRoute, "GET", "/v2/constant_val/{address}/{name}/{constant}", always, nil, serveConstant},
	{apiRoute, "GET", "/v2/traits/{address}/{name}/{trait_address}/{trait_name}/{trait}", always, nil, serveTrait},
}

// documentRoute serves the contract.
var documentRoute = route{apiRoute, "GET", "/openapi.json", always, nil, serveDocument}
