package nav

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// findURL finds the URL in an input: the input itself, or the one inside a
// pasted curl command.
func findURL(in string) (string, bool) {
	at := indexFold(in, "http://")
	if i := indexFold(in, "https://"); i >= 0 && (at < 0 || i < at) {
		at = i
	}
	if at < 0 {
		return "", false
	}
	end := strings.IndexAny(in[at:], " \t\r\n\"'`<>")
	if end < 0 {
		return in[at:], true
	}
	return in[at : at+end], true
}

// indexFold is strings.Index for either case of ASCII letters. An index into a
// text in lower case would not do: what is no UTF-8 is longer there.
func indexFold(in, sub string) int {
	for i := 0; i+len(sub) <= len(in); i++ {
		if strings.EqualFold(in[i:i+len(sub)], sub) {
			return i
		}
	}
	return -1
}

// isRoute reports whether a text is a path of the API without its slash.
func isRoute(in string) bool {
	for _, prefix := range []string{"extended/v", "metadata/v1/", "metadata/ft/", "metadata/nft/", "v1/namespaces/", "v2/contracts/", "v2/accounts/", "v2/data_var/", "v2/constant_val/", "v2/map_entry/"} {
		if strings.HasPrefix(in, prefix) {
			return true
		}
	}
	return false
}

func (r *recogniser) recogniseURL(address string) {
	u, err := url.Parse(address)
	if err != nil {
		r.fail(rankFailedNear, "URL", address, "not a well-formed URL", "")
		return
	}
	note := ""
	if u.Host != "" {
		note = "from " + strconv.QuoteToASCII(u.Host)
		note = strings.Trim(strings.ReplaceAll(note, `"`, ""), " ")
	}
	if chain := u.Query().Get("chain"); chain == "testnet" || chain == "mainnet" {
		note += ", " + chain
	}
	r.readPath(address, u, note)
}

func (r *recogniser) recognisePath(in string) {
	if !strings.HasPrefix(in, "/") {
		in = "/" + in
	}
	u, err := url.Parse(in)
	if err != nil {
		r.fail(rankFailedNear, "path", in, "not a well-formed path", "")
		return
	}
	r.readPath(in, u, "")
}

// readPath reads the path of a URL as a route of the API, else as a page of
// the web explorer.
func (r *recogniser) readPath(in string, u *url.URL, note string) {
	segments, err := pathSegments(u)
	if err != nil {
		r.fail(rankFailedNear, "path", in, err.Error(), "")
		return
	}
	if reading, ok := r.readRoute(segments, u.Query()); ok {
		r.addRoute("API path", in, reading, note)
		return
	}
	if !r.readWebPage(in, segments, note) {
		r.fail(rankFailedNear, "path", in, "no path of the API and no page of the web explorer that chainscope can show", "")
	}
}

func pathSegments(u *url.URL) ([]string, error) {
	var segments []string
	for _, s := range strings.Split(strings.Trim(u.EscapedPath(), "/"), "/") {
		plain, err := url.PathUnescape(s)
		if err != nil {
			return nil, fmt.Errorf("path has a wrong %% escape")
		}
		segments = append(segments, plain)
	}
	return segments, nil
}

// route is what a path means: a place, or why there is none.
type route struct {
	place  Place
	reason string
}

func (r *recogniser) addRoute(name, in string, found route, note string) {
	if found.reason != "" {
		r.fail(rankFailedNear, name, in, found.reason, "")
		return
	}
	r.ok(rankBest, kindName(found.place), found.place.String(), found.place, note)
	if found.place.Kind == KindBlock && found.place.Ref.By != ByHeight {
		p := found.place
		p.Kind = KindBurnBlocks
		r.ok(rankThird, kindName(p), p.String(), p, "all Stacks blocks of the burn block")
	}
}

func match(segments []string, pattern string) (args []string, ok bool) {
	parts := strings.Split(pattern, "/")
	if len(parts) != len(segments) {
		return nil, false
	}
	for i, part := range parts {
		if part == "*" {
			args = append(args, segments[i])
		} else if part != segments[i] {
			return nil, false
		}
	}
	return args, true
}

// readRoute reads the routes of the API. The token routes are known without
// their version too.
func (r *recogniser) readRoute(segments []string, query url.Values) (route, bool) {
	if _, ok := match(segments, "extended/v1/block"); ok {
		return route{place: Blocks()}, true
	}
	if args, ok := match(segments, "extended/v1/block/by_burn_block_height/*"); ok {
		return heightRoute(KindBlock, ByBurnHeight, args[0]), true
	}
	if args, ok := match(segments, "extended/v1/block/by_burn_block_hash/*"); ok {
		return hashRoute(KindBlock, ByBurnHash, args[0]), true
	}
	if args, ok := match(segments, "extended/v1/block/by_height/*"); ok {
		return heightRoute(KindBlock, ByHeight, args[0]), true
	}
	if args, ok := match(segments, "extended/v2/burn-blocks/*/blocks"); ok {
		return burnBlockRoute(args[0]), true
	}
	if args, ok := match(segments, "extended/v2/burn-blocks/*"); ok {
		return burnBlockRoute(args[0]), true
	}
	for _, pattern := range []string{"extended/v1/tx/*", "extended/v3/transactions/*", "extended/v1/tx/*/raw", "extended/v3/transactions/*/events"} {
		if args, ok := match(segments, pattern); ok && !slices.Contains([]string{"mempool", "multiple", "events"}, args[0]) {
			return transactionRoute(args[0]), true
		}
	}
	if found, ok := readAccountRoute(segments); ok {
		return found, true
	}
	for pattern, part := range contractRoutes {
		if args, ok := match(segments, pattern); ok {
			return contractRoute(args, part), true
		}
	}
	if args, ok := match(segments, "v1/namespaces/*/names"); ok {
		return namesRoute(args[0], query), true
	}
	if len(segments) > 2 && segments[0] == "metadata" {
		if segments[1] == "v1" {
			segments = append([]string{"metadata"}, segments[2:]...)
		}
		if args, ok := match(segments, "metadata/ft/*"); ok {
			return tokenRoute(FT(args[0], query.Get("locale"))), true
		}
		if args, ok := match(segments, "metadata/nft/*/*"); ok {
			return tokenRoute(NFT(args[0], args[1], query.Get("locale"))), true
		}
		if args, ok := match(segments, "metadata/nft/*"); ok {
			return tokenRoute(NFT(args[0], "", query.Get("locale"))), true
		}
	}
	return route{}, false
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
	if checkAddress(p.Principal) != nil {
		if err := CheckPrincipal(p.Principal); err != nil {
			return route{reason: err.Error()}, true
		}
	}
	return route{place: p}, true
}

func transactionRoute(text string) route {
	id, err := ParseHash(text)
	if err != nil {
		return route{reason: err.Error()}
	}
	return route{place: Transaction(id)}
}

// contractRoutes are the routes about contracts, with the part of the contract that they
// are about.
var contractRoutes = map[string]Part{
	"extended/v1/contract/*": "", "v2/contracts/interface/*/*": "", "v2/contracts/source/*/*": PartSource,
	"v2/contracts/call-read/*/*/*": PartFunction, "v2/data_var/*/*/*": PartState, "v2/constant_val/*/*/*": PartState, "v2/map_entry/*/*/*": PartState,
}

// contractRoute reads what such a route has in its path: a principal in one segment or
// two, and a name.
func contractRoute(args []string, part Part) route {
	p := Contract(args[0])
	if len(args) > 1 {
		p.Principal += "." + args[1]
	}
	if p.Part = part; len(args) > 2 {
		p.Name = args[2]
	}
	if err := CheckPrincipal(p.Principal); err != nil {
		return route{reason: err.Error()}
	}
	return route{place: p}
}

func heightRoute(kind Kind, by By, text string) route {
	if !onlyDigits(text) {
		return route{reason: fmt.Sprintf("height %q is not a whole number", text)}
	}
	height, err := strconv.ParseInt(text, 10, 64)
	if err != nil || height > maxHeight {
		return route{reason: "height " + errHeight.Error()}
	}
	return route{place: Place{Kind: kind, Ref: Ref{By: by, Height: height}}}
}

func hashRoute(kind Kind, by By, text string) route {
	hash, err := ParseHash(text)
	if err != nil {
		return route{reason: err.Error()}
	}
	return route{place: Place{Kind: kind, Ref: Ref{By: by, Hash: hash}}}
}

func burnBlockRoute(text string) route {
	switch {
	case text == "latest":
		return route{place: LatestBurnBlock()}
	case onlyDigits(text) && len(text) != hashDigits:
		return heightRoute(KindBurnBlocks, ByBurnHeight, text)
	default:
		return hashRoute(KindBurnBlocks, ByBurnHash, text)
	}
}

func namesRoute(namespace string, query url.Values) route {
	if err := checkNamespace(namespace); err != nil {
		return route{reason: err.Error()}
	}
	p := Names(namespace)
	p.Unanchored = query.Get("unanchored") == "true"
	if text := query.Get("page"); text != "" {
		page, err := strconv.Atoi(text)
		if err != nil || page < 1 {
			return route{reason: fmt.Sprintf("page %q is not a number from 1", text)}
		}
		p.Page = page
	}
	return route{place: p}
}

func tokenRoute(p Place) route {
	if err := CheckPrincipal(p.Principal); err != nil {
		return route{reason: err.Error()}
	}
	if p.TokenID != "" {
		id, err := ParseTokenID(p.TokenID)
		if err != nil {
			return route{reason: err.Error()}
		}
		p.TokenID = id
	}
	return route{place: p}
}

// readWebPage reads the pages of the web explorer that show what the API has.
func (r *recogniser) readWebPage(in string, segments []string, note string) bool {
	if len(segments) < 1 {
		return false
	}
	name := "web explorer page"
	if len(segments) == 1 {
		switch segments[0] {
		case "", "blocks":
			r.ok(rankBest, "blocks", in, Blocks(), note)
		case "tokens":
			r.ok(rankBest, "tokens", in, Tokens(), note)
		default:
			return false
		}
		return true
	}
	id := segments[1]
	switch segments[0] {
	case "btcblock":
		found := burnBlockRoute(id)
		if found.reason == "" {
			found.place.Kind = KindBlock
			if found.place.Ref.By == ByLatest {
				found.place.Kind = KindBurnBlocks
			}
		}
		r.addRoute(name, in, found, note)
	case "block":
		if onlyDigits(id) && len(id) != hashDigits {
			r.addRoute(name, in, heightRoute(KindBlock, ByHeight, id), note)
			return true
		}
		hash, err := ParseHash(id)
		if err != nil {
			r.fail(rankFailedNear, name, in, err.Error(), "")
		} else if !r.loaded(hash) {
			r.ok(rankBest, name, hash, BlockByIndexHash(hash), "where the server looks blocks up")
		}
	case "txid", "token", "address":
		if strings.Contains(id, ".") {
			here := r.ctx.Here
			if segments[0] == "token" {
				r.ctx.Here = Tokens() // the page is that of the token
			}
			r.recognisePrincipal(id)
			r.ctx.Here = here
			return true
		}
		if hash, err := ParseHash(id); err == nil && segments[0] == "txid" {
			r.ok(rankBest, name, hash, Transaction(hash), note)
			return true
		}
		if segments[0] == "address" && checkAddress(id) == nil {
			r.recognisePrincipal(id)
			return true
		}
		r.fail(rankFailedNear, name, in, "chainscope does not show this yet", "")
	default:
		return false
	}
	return true
}
