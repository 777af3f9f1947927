package nav

import (
	"net/url"
	"slices"
	"strings"
)

// pathMeaning maps a route of the API to a place; "*" in its pattern matches a segment.
type pathMeaning struct {
	pattern string
	means   func(args []string, query url.Values) route
}

// always returns the meaning of a route that is about one place.
func always(p Place) func([]string, url.Values) route {
	return func([]string, url.Values) route { return route{place: p} }
}

// first returns the meaning of a route that is about what its first "*" names.
func first(means func(string) route) func([]string, url.Values) route {
	return func(args []string, _ url.Values) route { return means(args[0]) }
}

// knownPaths are the routes that chainscope itself requests, in every version of the API, and a few
// that are copied from elsewhere. Those about accounts are in readAccountRoute.
var knownPaths = []pathMeaning{
	{"extended", always(Home())},
	{"v2/info", always(Home())},
	{"v2/pox", always(Home())},
	{"extended/v1/ws", always(Home())},
	{"extended/v1/block", always(Blocks())},
	{"extended/v2/blocks", always(Blocks())},
	{"extended/v3/blocks", always(Blocks())},
	{"extended/v1/block/by_burn_block_height/*", first(func(s string) route { return heightRoute(KindBlock, ByBurnHeight, s) })},
	{"extended/v1/block/by_burn_block_hash/*", first(func(s string) route { return hashRoute(KindBlock, ByBurnHash, s) })},
	{"extended/v1/block/by_height/*", first(func(s string) route { return heightRoute(KindBlock, ByHeight, s) })},
	{"extended/v1/block/*", first(blockRoute)},
	{"extended/v2/blocks/*", first(blockRoute)},
	{"extended/v3/blocks/*", first(blockRoute)},
	{"extended/v2/blocks/*/transactions", first(blockTransactions)},
	{"extended/v3/blocks/*/transactions", first(blockTransactions)},
	{"extended/v2/burn-blocks", always(BurnBlocks())},
	{"extended/v3/bitcoin-blocks", always(BurnBlocks())},
	{"extended/v2/burn-blocks/*", first(burnBlockRoute)},
	{"extended/v2/burn-blocks/*/blocks", first(burnBlockRoute)},
	{"extended/v3/bitcoin-blocks/*", first(burnBlockRoute)},
	{"extended/v3/bitcoin-blocks/*/blocks", first(burnBlockRoute)},
	{"extended/v1/tx", always(Transactions())},
	{"extended/v3/transactions", always(Transactions())},
	{"extended/v1/tx/mempool", always(Mempool())},
	{"extended/v3/mempool/transactions", always(Mempool())},
	{"v2/transactions", always(Mempool())},
	{"v2/transactions/unconfirmed/*", first(transactionRoute)},
	{"v2/fees/transaction", always(Mempool())},
	{"v2/fees/transfer", always(Mempool())},
	{"extended/v1/tx/multiple", queriedTransaction},
	{"extended/v1/tx/events", queriedTransaction},
	{"extended/v1/tx/*", first(transactionRoute)},
	{"extended/v1/tx/*/raw", first(transactionRoute)},
	{"extended/v3/transactions/*", first(transactionRoute)},
	{"extended/v3/transactions/*/events", first(transactionRoute)},
	{"extended/v1/tokens/nft/holdings", func(_ []string, q url.Values) route { return accountRoute(Account(q.Get("principal"))) }},
	{"extended/v1/tokens/ft/*/holders", first(holdersRoute)},
	{"extended/v3/tokens/ft/*/holders", first(holdersRoute)},
	{"extended/v1/tokens/nft/history", func(_ []string, q url.Values) route { return movesRoute(q.Get("asset_identifier"), q.Get("value")) }},
	{"extended/v3/tokens/nft/*/*/history", func(args []string, _ url.Values) route { return movesRoute(args[0], args[1]) }},
	{"extended/v1/contract/*", contractPart("")},
	{"extended/v1/contract/*/events", contractPart(PartPrints)},
	{"extended/v2/smart-contracts/*/logs", contractPart(PartPrints)},
	{"v2/contracts/interface/*/*", contractPart("")},
	{"v2/contracts/source/*/*", contractPart(PartSource)},
	{"v2/contracts/call-read/*/*/*", contractPart(PartFunction)},
	{"v2/data_var/*/*/*", contractPart(PartState)},
	{"v2/constant_val/*/*/*", contractPart(PartState)},
	{"v2/map_entry/*/*/*", contractPart(PartState)},
	{"extended/v3/staking/signers", always(Listed(KindSigners, ""))},
	{"extended/v3/staking/signers/*", first(listedRoute(KindSigners))},
	{"extended/v3/staking/signers/*/stakers", first(listedRoute(KindSigners))},
	{"extended/v3/staking/bonds", always(Listed(KindBonds, ""))},
	{"extended/v3/staking/bonds/*", first(listedRoute(KindBonds))},
	{"extended/v3/staking/bonds/*/registrations", first(listedRoute(KindBonds))},
	{"v1/names/*", first(listedRoute(KindName))},
	{"v1/namespaces", always(Names(""))},
	{"v1/namespaces/*/names", func(args []string, q url.Values) route { return namesRoute(args[0], q) }},
	{"metadata/ft", always(Tokens())},
	{"metadata/ft/*", func(args []string, q url.Values) route { return tokenRoute(FT(args[0], q.Get("locale"))) }},
	{"metadata/nft/*/*", func(args []string, q url.Values) route { return tokenRoute(NFT(args[0], args[1], q.Get("locale"))) }},
	{"metadata/nft/*", func(args []string, q url.Values) route { return tokenRoute(NFT(args[0], "", q.Get("locale"))) }},
}

// readRoute reads the routes of the API. The token routes are known without
// their version too.
func (r *recogniser) readRoute(segments []string, query url.Values) (route, bool) {
	if len(segments) > 2 && segments[0] == "metadata" && segments[1] == "v1" {
		segments = append([]string{"metadata"}, segments[2:]...)
	}
	if args, ok := match(segments, "extended/v1/search/*"); ok {
		for _, reading := range Recognise(args[0], r.ctx) {
			return route{place: reading.Place, reason: reading.Reason}, true
		}
	}
	for _, known := range knownPaths {
		if args, ok := match(segments, known.pattern); ok {
			return known.means(args, query), true
		}
	}
	return readAccountRoute(segments)
}

// isRoute reports whether a text is a path of the API without its slash.
func isRoute(in string) bool {
	return slices.ContainsFunc([]string{"extended/v", "metadata/v1/", "metadata/ft/", "metadata/nft/", "v1/namespaces/", "v1/names/", "v2/"}, func(prefix string) bool {
		return strings.HasPrefix(in, prefix)
	})
}

// listedRoute returns the meaning of a route about one thing of a list.
func listedRoute(of Kind) func(string) route {
	return func(id string) route { return route{place: Listed(of, id), reason: reasonOf(kinds[of].id(id))} }
}

func queriedTransaction(_ []string, q url.Values) route { return transactionRoute(q.Get("tx_id")) }

// blockRoute returns the block of a height, a hash or an index hash; the newest is first in the
// list.
func blockRoute(text string) route {
	found := burnBlockRoute(text)
	switch {
	case text == "latest":
		return route{place: Blocks()}
	case found.reason == "":
		found.place = Place{Kind: KindBlock, Ref: blockRef(found.place.Ref)}
	}
	return found
}

func blockTransactions(text string) route {
	found := blockRoute(text)
	if found.reason == "" {
		found.place = Place{Kind: KindTransactions, Ref: found.place.Ref}
	}
	return found
}

// readAccountRoute reads the routes about an account or a contract: the account, its
// transactions, or those that wait.
func readAccountRoute(segments []string) (route, bool) {
	if len(segments) < 3 || !slices.Contains([]string{"extended", "v2"}, segments[0]) {
		return route{}, false
	}
	at := slices.IndexFunc(segments, func(s string) bool {
		return slices.Contains([]string{"address", "addresses", "principals", "accounts"}, s)
	})
	if at < 1 || at > 2 || at+1 >= len(segments) {
		return route{}, false
	}
	p := Account(segments[at+1])
	switch rest := strings.Join(segments[at+2:], "/"); rest {
	case "transactions", "transactions_with_transfers":
		p = TransactionsOf(p.Principal)
	case "mempool", "mempool/transactions":
		p = WaitingOf(p.Principal)
	}
	return accountRoute(p), true
}

func accountRoute(p Place) route {
	return route{place: p, reason: reasonOf(checkAccount(p.Principal))}
}

// contractPart returns the meaning of a route about a part of a contract. It has in its path a
// principal, in one segment or two, and a name.
func contractPart(part Part) func([]string, url.Values) route {
	return func(args []string, _ url.Values) route {
		p := Contract(args[0])
		if len(args) > 1 {
			p.Principal += "." + args[1]
		}
		if p.Part = part; len(args) > 2 {
			p.Name = args[2]
		}
		return route{place: p, reason: reasonOf(CheckPrincipal(p.Principal))}
	}
}

func reasonOf(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
