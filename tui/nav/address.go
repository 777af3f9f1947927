package nav

import (
	"fmt"
	"math/big"
	"net/url"
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

// route holds what a path means: a place, or why there is none.
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
	if found.place.Kind == KindBlock && (found.place.Ref.By == ByBurnHeight || found.place.Ref.By == ByBurnHash) {
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

func transactionRoute(text string) route {
	id, err := ParseHash(text)
	if err != nil {
		return route{reason: err.Error()}
	}
	return route{place: Transaction(id)}
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
		if err != nil || page < 0 { // some servers count from 0
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

// holdersRoute returns who has a fungible token, by its asset identifier.
func holdersRoute(asset string) route {
	p := Holders(asset)
	return route{place: p, reason: reasonOf(checkToken(p))}
}

// movesRoute returns what happened to a non-fungible token, by its asset identifier and its id
// as a Clarity value in hexadecimal digits.
func movesRoute(asset, value string) route {
	digits, unsigned := strings.CutPrefix(strings.TrimPrefix(value, "0x"), "01")
	n, ok := new(big.Int).SetString(digits, 16)
	if !unsigned || !ok || len(digits) != 32 || n.Sign() < 0 {
		return route{reason: fmt.Sprintf("%q is no token id: want a Clarity uint in hexadecimal digits, such as 0x0100000000000000000000000000000001", value)}
	}
	p := Moves(asset, n.String())
	return route{place: p, reason: reasonOf(checkToken(p))}
}
