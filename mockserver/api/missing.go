package api

import (
	"fmt"
	"net/http"
	"slices"

	"chainscope/mockserver/contracts"
)

// missingHeader marks the answer of a route that the service has and the mock does not serve.
const missingHeader = "X-Mock-Missing"

// missingRoutes are the routes of the service that the mock does not serve, in the generations
// that have them. They answer 501, so that nobody takes "the mock lacks it" for "there is no such
// thing". A route that the mock serves leaves this list.
var missingRoutes = slices.Concat(
	missing("GET", withV1,
		"/extended/v1/microblock",
		"/extended/v1/microblock/unanchored/txs",
		"/extended/v1/microblock/{hash}",
		"/extended/v1/faucets/btc/{address}"),
	missing("POST", from9, "/extended/v1/faucets/sbtc"),
	missing("GET", always,
		"/extended/v1/{pox}/events",
		"/extended/v1/{pox}/tx/{tx_id}",
		"/extended/v1/{pox}/stacker/{principal}"),
	missing("GET", always, // of the node behind the service, which passes them on
		"/v2/headers/{quantity}",
		"/v3/blocks/height/{height}",
		"/v3/blocks/replay/{block_id}",
		"/v3/blocks/{block_id}",
		"/v3/tenures/info",
		"/v3/tenures/fork_info/{start}/{stop}",
		"/v3/tenures/blocks/height/{height}",
		"/v3/tenures/{block_id}",
		"/v3/sortitions",
		"/v3/sortitions/latest_and_last",
		"/v3/sortitions/{key}/{value}",
		"/v3/stacker_set/{cycle}",
		"/v3/transaction/{tx_id}",
		"/v3/health"),
	missing("GET", always, // of the service of signer metrics, which has the same address
		"/signer-metrics/v1/blocks",
		"/signer-metrics/v1/block_proposals",
		"/signer-metrics/v1/cycles/{cycle}/signers",
		"/signer-metrics/v1/cycles/{cycle}/signers/{signer_key}"),
	missing("GET", fromV3,
		"/extended/v3/principals/{principal}/transfers/stx/inbound",
		"/extended/v3/principals/{principal}/transfers/stx/outbound",
		"/extended/v3/principals/{principal}/transfers/ft/{asset}",
		"/extended/v3/tokens/stx/holders",
		"/extended/v3/tokens/ft/{asset}/supply",
		"/extended/v3/tokens/ft/{asset}/holders",
		"/extended/v3/tokens/nft/{asset}/{value}/history",
		"/extended/v3/transactions/batch",
		"/extended/v3/staking",
		"/extended/v3/staking/rewards",
		"/extended/v3/staking/bonds/{bond_index}/events",
		"/extended/v3/staking/cycles/{cycle}",
		"/extended/v3/search",
		"/extended/v3/mempool"),
	missing("POST", fromV3, "/extended/v3/faucets/stx", "/extended/v3/faucets/btc", "/extended/v3/faucets/sbtc"),
	missing("POST", before9,
		"/rosetta/v1/network/list", "/rosetta/v1/network/status", "/rosetta/v1/network/options",
		"/rosetta/v1/account/balance", "/rosetta/v1/block", "/rosetta/v1/block/transaction",
		"/rosetta/v1/mempool", "/rosetta/v1/mempool/transaction", "/rosetta/v1/construction/{step}"),
)

// Routes lists the routes of all generations, and those that the mock does not serve.
func Routes() []Route { return slices.Concat(routes, missingRoutes) }

// missing makes rows of routes that are not served.
func missing(method string, l life, patterns ...string) (rows []Route) {
	for _, pattern := range patterns {
		rows = append(rows, Route{apiRoute, method, pattern, l, nil, nil, serveMissing})
	}
	return rows
}

// serveMissing says that the service has the route and the mock does not, and remembers it.
func serveMissing(x *Exchange) {
	name := x.route.Method + " " + x.route.Pattern
	x.World.Lacks.Add(contracts.LackingRoute(name, x.Target()))
	x.Service.Problem(fmt.Errorf("%s: the service has this route, the mock does not serve it", name))
	x.W.Header()[missingHeader] = []string{"1"}
	x.Thrown(http.StatusNotImplemented, "", fmt.Sprintf("%s is a route of the service (--api-version %s) that this mock does not serve",
		name, x.Service.Generation.Release().Flag))
}
