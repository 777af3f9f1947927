package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/fork"
	"chainscope/mockserver/ledger"
	"chainscope/mockserver/world"
	"chainscope/wallet/clarity"
)

// below says how a route answers on a fork: what lies at or below the height is the live chain's, and
// what lies above it is the mock's own. A nil one answers of the mock's own things alone.
type below func(x *Exchange, f *world.Fork)

// forwardedHeader names the API of the live chain whose answer, or a part of it, is passed on.
const forwardedHeader = "X-Mock-Forwarded"

// handle lets the route answer.
func (x *Exchange) handle() {
	f := x.Service.Fork
	if f == nil || x.route.below == nil || x.R.Method == http.MethodPost && !x.route.posts() {
		x.route.Handle(x)
		return
	}
	x.route.below(x, f)
}

// posts reports whether a POST to the route only reads.
func (r *Route) posts() bool {
	return strings.HasPrefix(r.Pattern, "/v2/contracts/") || strings.HasPrefix(r.Pattern, "/v2/map_entry/")
}

// isUnread reports whether an error is that something of a live chain could not be read.
func (x *Exchange) isUnread(err error) bool {
	_, is := errors.AsType[*fork.UnreadError](err)
	return is
}

// unread answers 503 where something of the live chain could not be read, and reports whether that is so.
func (x *Exchange) unread(err error) bool {
	if err == nil {
		return false
	}
	if !x.isUnread(err) && x.R.Context().Err() == nil {
		x.Thrown(http.StatusInternalServerError, "", err.Error())
		return true
	}
	x.W.Header()["Retry-After"] = []string{"2"}
	x.Thrown(http.StatusServiceUnavailable, "", x.Service.Fork.Tip().API+": "+err.Error())
	return true
}

// live reads a path of the live chain; on false it has answered: with what the API says where that refuses
// what was requested here, else 503.
func (x *Exchange) live(f *world.Fork, path string) (a fork.Answer, ok bool) {
	a, err := f.Read(x.R.Context(), path)
	if unread, is := errors.AsType[*fork.UnreadError](err); is && unread.Refusal.Status != 0 && isSameRoute(path, x.Target()) {
		x.pass(f, unread.Refusal)
		return a, false
	}
	return a, !x.unread(err)
}

// isSameRoute reports whether two paths differ in their queries alone.
func isSameRoute(a, b string) bool {
	a, _, _ = strings.Cut(a, "?")
	b, _, _ = strings.Cut(b, "?")
	return a == b
}

// forward passes on what the live chain's API answers to a path.
func (x *Exchange) forward(f *world.Fork, path string) {
	if a, ok := x.live(f, path); ok {
		x.pass(f, a)
	}
}

// pass passes an answer on.
func (x *Exchange) pass(f *world.Fork, a fork.Answer) {
	if x.answered {
		return
	}
	x.answered = true
	h := x.W.Header()
	delete(h, "Etag")
	h[forwardedHeader] = []string{f.Tip().API}
	h["Content-Type"], h["Cache-Control"] = []string{a.ContentType}, noStoreHeader
	h["Content-Length"] = []string{strconv.Itoa(len(a.Body))}
	x.W.WriteHeader(a.Status)
	_, _ = x.W.Write(a.Body) // the client may have gone
}

// forwarded passes on a route of which the mock has nothing itself.
func forwarded(x *Exchange, f *world.Fork) { x.forward(f, x.Target()) }

// atTip is forwarded for routes of a node, which answer as of a block.
func atTip(x *Exchange, f *world.Fork) { x.forward(f, x.asOfTip(f)) }

// asOfTip returns what is requested, as of the block of the fork.
func (x *Exchange) asOfTip(f *world.Fork) string {
	return withQuery(x.Target(), "tip", strings.TrimPrefix(f.Tip().IndexHash, "0x"))
}

// withQuery sets parameters of a path.
func withQuery(path string, pairs ...string) string {
	path, text, _ := strings.Cut(path, "?")
	q, err := url.ParseQuery(text)
	if err != nil {
		q = url.Values{}
	}
	for i := 0; i < len(pairs); i += 2 {
		q.Set(pairs[i], pairs[i+1])
	}
	return path + "?" + q.Encode()
}

// forwardThing passes on one thing of the live chain that has a height, unless it is above the fork or in no
// block: that does not exist here, and the mock says so in its own words.
func (x *Exchange) forwardThing(f *world.Fork, path string, highest int64, names ...string) {
	a, ok := x.live(f, path)
	if !ok {
		return
	}
	if height, known := heightOf(a.Body, names...); a.Status == http.StatusOK && (!known || height > highest || height < 0) {
		x.route.Handle(x)
		return
	}
	x.pass(f, a)
}

// heightOf finds a height in a JSON object, under the first of some names that it has; the parts of a name
// have dots between them.
func heightOf(body []byte, names ...string) (int64, bool) {
	for _, name := range names {
		at := json.RawMessage(body)
		for part := range strings.SplitSeq(name, ".") {
			var o map[string]json.RawMessage
			if json.Unmarshal(at, &o) != nil {
				at = nil
				break
			}
			at = o[part]
		}
		if n, err := strconv.ParseInt(string(at), 10, 64); err == nil {
			return n, true
		}
	}
	return 0, false
}

// Where answers have the height of what they describe.
var (
	blockHeights = []string{"height"}
	burnHeights  = []string{"burn_block_height", "height"}
	txHeights    = []string{"block_height", "block.height", "tx.block_height", "transaction.block.height"}
)

// ofBlock answers of a block, which is the first parameter.
func ofBlock(x *Exchange, f *world.Fork) {
	if own, path := x.ownBlock(f); own {
		x.route.Handle(x)
	} else {
		x.forwardThing(f, path, f.Tip().Height, blockHeights...)
	}
}

// inBlock answers of what a block has.
func inBlock(x *Exchange, f *world.Fork) {
	if own, path := x.ownBlock(f); own {
		x.route.Handle(x)
	} else {
		x.forwardOfBlock(f, path)
	}
}

func (x *Exchange) ownBlock(f *world.Fork) (own bool, path string) {
	v := x.state().View
	return x.ownOrLive(v.Tip(), f.Tip().Height, func(h chain.Hash) bool { _, ok := v.BlockByHash(h); return ok })
}

// ofTime answers of the newest block at a time, in Unix seconds.
func ofTime(x *Exchange, f *world.Fork) {
	at, err := strconv.ParseInt(x.param(0), 10, 64)
	v := x.state().View
	switch first, there := v.Block(f.Tip().Height + 1); {
	case err != nil || there && at >= first.TimeMS/1000:
		x.route.Handle(x)
	case at >= f.Tip().Time:
		x.forward(f, "/extended/v2/blocks/"+strconv.FormatInt(f.Tip().Height, 10))
	default:
		forwarded(x, f)
	}
}

// forwardOfBlock passes on what a block of the live chain has, if it is not above the fork.
func (x *Exchange) forwardOfBlock(f *world.Fork, path string) {
	if number, err := strconv.ParseInt(x.param(0), 10, 64); err != nil || number > f.Tip().Height {
		block, ok := x.live(f, "/extended/v2/blocks/"+url.PathEscape(x.param(0)))
		if !ok {
			return
		}
		if height, known := heightOf(block.Body, blockHeights...); block.Status == http.StatusOK && known && height > f.Tip().Height {
			x.route.Handle(x)
			return
		}
	}
	x.forward(f, path)
}

// ofBurnBlock is ofBlock for burn blocks.
func ofBurnBlock(x *Exchange, f *world.Fork) {
	v, tip := x.state().View, f.Tip()
	own, path := x.ownOrLive(v.TipBurnHeight(), tip.BurnHeight, func(h chain.Hash) bool { _, ok := v.BitcoinByHash(h); return ok })
	switch {
	case own:
		x.route.Handle(x)
	case strings.HasSuffix(x.route.Pattern, "}"):
		x.forwardThing(f, path, tip.BurnHeight, burnHeights...)
	default:
		x.forwardRows(f, path, tip.Height, "height", "block_height")
	}
}

// ownOrLive reports whether a height or hash that is requested is for the mock itself, or the path under
// which the live chain has it. What is above both tips nobody has.
func (x *Exchange) ownOrLive(tip, base int64, isOwn func(chain.Hash) bool) (own bool, path string) {
	text := x.param(0)
	if text == "latest" {
		return tip > base, strings.Replace(x.Target(), "latest", strconv.FormatInt(base, 10), 1)
	}
	if number, err := strconv.ParseInt(text, 10, 64); err == nil {
		return number > base, x.Target()
	}
	hash, ok := chain.ParseHash(text)
	return ok && isOwn(hash) || !ok, x.Target()
}

// ofTenure answers of the blocks of a tenure.
func ofTenure(x *Exchange, f *world.Fork) {
	n, err := strconv.ParseInt(x.param(0), 10, 64)
	switch tenure := f.Tip().Tenure; {
	case err != nil || n > tenure:
		x.route.Handle(x)
	case n == tenure:
		rows(x, f)
	default:
		forwarded(x, f)
	}
}

// ofTx answers of a transaction, which is the parameter at a place.
func ofTx(at int) below {
	return func(x *Exchange, f *world.Fork) {
		id, ok := chain.ParseHash(x.param(at))
		if _, own := x.transactions().find(id); !ok || own {
			x.route.Handle(x)
			return
		}
		if strings.HasSuffix(x.route.Pattern, "/{tx_id}") {
			x.forwardThing(f, x.Target(), f.Tip().Height, txHeights...)
			return
		}
		x.forwardOfTx(f, id)
	}
}

// forwardOfTx passes on what belongs to a transaction of the live chain, unless that is above the fork.
func (x *Exchange) forwardOfTx(f *world.Fork, id chain.Hash) {
	whole := "/extended/v1/tx/"
	if x.isV3() {
		whole = "/extended/v3/transactions/"
	}
	tx, ok := x.live(f, whole+id.String())
	if !ok {
		return
	}
	if height, in := heightOf(tx.Body, txHeights...); !in || height <= 0 || height > f.Tip().Height {
		x.route.Handle(x)
		return
	}
	forwarded(x, f)
}

// ofEvents answers with events of one transaction, or of an address.
func ofEvents(x *Exchange, f *world.Fork) {
	text, _ := QueryValue(x.R.URL.RawQuery, "tx_id")
	id, ok := chain.ParseHash(text)
	_, own := x.transactions().find(id)
	switch {
	case own:
		x.route.Handle(x)
	case ok:
		x.forwardOfTx(f, id)
	default:
		forwarded(x, f)
	}
}

// ofSearch finds what the mock has by a hash or an id, else what the live chain has.
func ofSearch(x *Exchange, f *world.Fork) {
	c, to := &captured{header: http.Header{}, status: http.StatusOK}, x.W
	x.W = c
	x.route.Handle(x)
	if x.W = to; c.status == http.StatusOK {
		x.answered = false
		x.JSON(c.status, c.body.Bytes())
		return
	}
	x.answered = false
	a, ok := x.live(f, x.Target())
	if !ok {
		return
	}
	if height, in := heightOf(a.Body, "result.block_data.height", "result.tx_data.block_height"); in && height > f.Tip().Height {
		x.route.Handle(x)
		return
	}
	x.pass(f, a)
}

// byIDs answers with an object that has each of the ids of a parameter: what the mock has, and what
// the live chain has of the others.
func byIDs(parameter string) below {
	return func(x *Exchange, f *world.Fork) {
		own, ok := x.own()
		if !ok {
			return
		}
		missing := url.Values{}
		for _, id := range own.names {
			if bytes.HasPrefix(own.values[id], []byte(`{"found":false`)) {
				missing.Add(parameter, id)
			}
		}
		if len(missing) > 0 {
			a, ok := x.live(f, strings.TrimSuffix(x.route.Pattern, "/")+"?"+missing.Encode())
			if !ok {
				return
			}
			var live page
			if json.Unmarshal(a.Body, &live) != nil || a.Status != http.StatusOK {
				x.pass(f, a)
				return
			}
			for _, id := range missing[parameter] {
				if height, in := heightOf(live.values[id], "result.block_height"); in && height > 0 && height <= f.Tip().Height {
					own.values[id] = live.values[id]
				}
			}
			x.W.Header()[forwardedHeader] = []string{f.Tip().API}
		}
		x.Value(http.StatusOK, own)
	}
}

// ofContract answers of a contract, which is the first parameter or the first two: of those that were
// deployed here, and of those of the live chain.
func ofContract(x *Exchange, f *world.Fork) {
	id, known := x.contractNamed()
	if !known || x.isOwn(id) {
		x.route.Handle(x)
		return
	}
	if x.unread(f.ReadContract(x.R.Context(), id)) {
		return
	}
	switch _, there := f.Live(id); {
	case !there:
		x.route.Handle(x)
	case strings.HasPrefix(x.route.Pattern, "/v2/"):
		atTip(x, f)
	default:
		forwarded(x, f)
	}
}

// contractNamed reads the contract of a route.
func (x *Exchange) contractNamed() (clarity.Principal, bool) {
	text := x.param(0)
	if strings.HasPrefix(x.route.Pattern, "/v2/") {
		text += "." + x.param(1)
	}
	id, err := clarity.ParseContract(text)
	return id, err == nil
}

// isOwn reports whether a contract was deployed here, or is described.
func (x *Exchange) isOwn(id clarity.Principal) bool {
	s := x.state()
	_, own := s.Deployed(id)
	return own || s.Contracts().Has(id, "")
}

// inContract answers of what a contract holds and does, which runs here.
func inContract(x *Exchange, f *world.Fork) {
	if id, known := x.contractNamed(); known && !x.isOwn(id) && x.unread(f.ReadContract(x.R.Context(), id)) {
		return
	}
	x.route.Handle(x)
}

// ofAccount answers of an account: what it has on the live chain, and what was changed here.
func ofAccount(x *Exchange, f *world.Fork) {
	if p, err := clarity.ParsePrincipal(x.param(0)); err == nil && x.unread(f.ReadAccounts(x.R.Context(), p)) {
		return
	}
	x.route.Handle(x)
}

// captured is an answer of a handler that is not sent.
type captured struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (c *captured) Header() http.Header { return c.header }
func (c *captured) WriteHeader(s int)   { c.status = s }
func (c *captured) Write(b []byte) (int, error) {
	return c.body.Write(b)
}

// own returns what the mock answers of its own things. If that is no list, it is sent, and own reports
// false.
func (x *Exchange) own() (page, bool) {
	to, c := x.W, &captured{header: x.W.Header(), status: http.StatusOK}
	x.W = c
	x.route.Handle(x)
	x.W = to
	var p page
	if c.status == http.StatusOK && json.Unmarshal(c.body.Bytes(), &p) == nil {
		x.answered = false
		delete(c.header, "Content-Length")
		return p, true
	}
	x.W.WriteHeader(c.status)
	_, _ = x.W.Write(c.body.Bytes()) // the client may have gone
	return p, false
}

// refusedUnread answers 503 for a transaction that could not be checked, and reports whether it is one.
func (x *Exchange) refusedUnread(r *ledger.Rejection) bool {
	if r == nil || r.Reason != ledger.Unread {
		return false
	}
	message, _ := r.Data.(ledger.Message)
	x.Thrown(http.StatusServiceUnavailable, "", message.Message+"; nothing was taken")
	return true
}
