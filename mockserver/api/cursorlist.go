package api

import (
	"cmp"
	"net/http"
	"slices"
	"sort"
	"strconv"
	"strings"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// cursorWindow is the part of a list of v3 that is requested.
type cursorWindow struct {
	limit  int
	cursor string // "" for the top
}

// cursorWindow reads limit and cursor, which fit the table of parameters.
func (x *Exchange) cursorWindow() cursorWindow {
	limit := x.parameter("limit")
	return cursorWindow{int(x.queryInteger("limit", limit.bounds, limit.fallback)), x.queryString("cursor")}
}

// addressedList reads the window and the principal of a list of v3; on false it has answered.
func (x *Exchange) addressedList() (cursorWindow, clarity.Principal, *transactions, bool) {
	w := x.cursorWindow()
	p, t, ok := x.addressed()
	return w, p, t, ok
}

// cursorList answers with the page of a list that the query requests. The list is in its order,
// and the cursor is the key of the first row of its page. One that belongs to no row begins with
// the next row in that order; past the end the page is empty.
func cursorList[T any](x *Exchange, all []T, w cursorWindow, o listOrder, key func(T) string, show func(T) object) {
	limit, first := w.limit, 0
	if w.cursor != "" {
		first = firstFrom(o, all, key, w.cursor)
	}
	at := func(i int, there bool) any {
		if !there || first >= len(all) {
			return nil
		}
		return key(all[i])
	}
	total := len(all)
	if first >= total && !o.keepsTotal {
		total = 0
	}
	before := first > 0 && (first >= limit || !o.wholeBefore)
	x.object(pageV3(int64(total), int64(limit), part(window{limit, first}, all, show),
		at(first+limit, first+limit < len(all)), at(max(0, first-limit), before), at(first, true)))
}

// placeKey returns the cursor of a transaction in a block.
func (t *transactions) placeKey(tx *ledger.Tx) string {
	place, _ := t.place(tx)
	return keyOfPlace(&place)
}

func keyOfPlace(place *chain.Place) string {
	return strconv.FormatInt(place.Block.Height, 10) + noMicroblock + strconv.Itoa(max(0, place.Index))
}

func receiptKey(tx *ledger.Tx) string {
	return strconv.FormatInt(tx.ReceivedMS/1000, 10) + ":" + with0x(tx.ID[:])
}

// spot is a transaction in a block: its position counted from the newest, or the transaction
// itself if its block is older than those that are walked.
type spot struct {
	block *chain.Block
	i     int
	older *ledger.Tx
}

// newest lists the transactions in blocks, the newest first; of older blocks only those that
// somebody sent or that belong to known accounts. The ids of the others are not computed yet: a
// page shows a few of a thousand.
func (t *transactions) newest() []spot {
	all := make([]spot, 0, 1_300)
	height := t.View.Tip()
	for b := range t.Newest() {
		for i := range b.TxCount {
			all = append(all, spot{block: b, i: i})
		}
		height = b.Height - 1
	}
	for _, tx := range t.AllMined() {
		if tx.Height <= height {
			all = append(all, spot{older: tx})
		}
	}
	return all
}

// at returns the transaction at a spot.
func (t *transactions) at(s spot) *ledger.Tx {
	if s.older != nil {
		return s.older
	}
	tx, _ := t.find(t.View.TxID(s.block, s.i)) // a block has it, so it is found
	return tx
}

// newestInFull lists the newest transactions in full.
func (t *transactions) newestInFull() []*ledger.Tx {
	spots := t.newest()
	all := make([]*ledger.Tx, len(spots))
	for i, s := range spots {
		all[i] = t.at(s)
	}
	return all
}

// all finds transactions by their ids.
func (t *transactions) all(ids []chain.Hash) []*ledger.Tx {
	out := make([]*ledger.Tx, 0, len(ids))
	for _, id := range ids {
		if tx, known := t.find(id); known {
			out = append(out, tx)
		}
	}
	return out
}

// keyOf is placeKey of the transaction at a spot.
func (t *transactions) keyOf(s spot) string {
	if s.older != nil {
		return t.placeKey(s.older)
	}
	return keyOfPlace(&chain.Place{Block: *s.block, Index: s.block.TxCount - 1 - s.i})
}

// serveNewestV3 lists the transactions in blocks, the newest first.
func serveNewestV3(x *Exchange) {
	w, f := x.cursorWindow(), x.typesV3()
	if x.done() {
		return
	}
	t := x.transactions()
	if len(f.types) > 0 {
		cursorList(x, t.filtered(&f, t.newestInFull()), w, placeOrder, t.placeKey, t.txV3)
		return
	}
	cursorList(x, t.newest(), w, placeOrder, t.keyOf, func(s spot) object { return t.txV3(t.at(s)) })
}

func serveMempoolV3(x *Exchange) {
	if w, f := x.cursorWindow(), x.typesV3(); !x.done() {
		t := x.transactions()
		cursorList(x, inOrder(t.filtered(&f, slices.Clone(t.Mempool())), receiptOrder, receiptKey), w, receiptOrder, receiptKey, t.txV3)
	}
}

// typesV3 reads which types of transactions are requested: before 9.8 the parameter is unknown,
// and ignored.
func (x *Exchange) typesV3() (f transactionFilter) {
	if x.Service.Generation >= apiV3 {
		f.types = x.wordsOf("type", transactionTypes...)
	}
	return f
}

func serveMempoolOfV3(x *Exchange) {
	if w, p, t, ok := x.addressedList(); ok {
		cursorList(x, inOrder(slices.Clone(t.pendingOf(p)), receiptOrder, receiptKey), w, receiptOrder, receiptKey, t.txV3)
	}
}

func serveHistoryV3(x *Exchange) {
	w, p, t, ok := x.addressedList()
	if !ok {
		return
	}
	cursorList(x, t.minedOf(p), w, placeOrder, t.placeKey, func(tx *ledger.Tx) object {
		spent, received := tx.Spends(p)
		involvement := "affected"
		if tx.Principal() == p {
			involvement = "sender"
		} else if s := tx.Auth.Sponsor; s != nil && s.Address(tx.Mainnet()) == p.Address && p.Contract == "" {
			involvement = "sponsor"
		}
		fungible, unique := false, false
		for _, m := range tx.Moved {
			concerns := m.From != nil && *m.From == p || m.To != nil && *m.To == p
			fungible = fungible || concerns && m.Token == nil && m.Asset != (stxtx.Asset{})
			unique = unique || concerns && m.Token != nil
		}
		net := strconv.FormatInt(int64(received)-int64(spent), 10)
		return object{
			{"transaction", t.txV3(tx)},
			{"involvement", involvement},
			{"balance_changes", object{{"stx", object{{"sent", decimal(spent)}, {"received", decimal(received)}, {"net", net}}}}},
			{"affected_balances", object{{"stx", spent+received > 0}, {"ft", fungible}, {"nft", unique}}},
		}
	})
}

func serveSTXV3(x *Exchange) {
	p, t, ok := x.addressed()
	if !ok {
		return
	}
	has := t.Account(p).Balance
	var locked any // null for none
	available := has
	if l, is := t.lockOf(p); is {
		available -= min(has, l.amount)
		locked = object{
			{"amount", decimal(l.amount)},
			{"pox_version", l.version},
			{"lock_tx_id", l.tx},
			{"stacks_lock_height", l.height},
			{"burn_lock_height", l.burn},
			{"burn_unlock_height", l.unlock},
		}
	}
	var mempool any // null where nothing waits
	if pending := t.pendingSTX(p, has); pending.Inbound != "0" || pending.Outbound != "0" {
		mempool = object{{"estimated_balance", pending.Estimated}, {"inbound", pending.Inbound}, {"outbound", pending.Outbound}}
	}
	x.object(object{{"balance", decimal(has)}, {"available", decimal(available)}, {"locked", locked}, {"mempool", mempool}})
}

func serveFungiblesV3(x *Exchange) {
	w, p, t, ok := x.addressedList()
	if !ok {
		return
	}
	key := func(h *ledger.Holding) string { return h.Balance().String() + ":" + h.Asset.String() }
	cursorList(x, inOrder(t.fungibles(p), balanceOrder, key), w, balanceOrder, key,
		func(h *ledger.Holding) object {
			return object{{"asset_identifier", h.Asset.String()}, {"balance", h.Balance().String()}}
		})
}

func serveNonFungiblesV3(x *Exchange) {
	w, p, t, ok := x.addressedList()
	if !ok {
		return
	}
	type one struct {
		asset stxtx.Asset
		token clarity.Value
	}
	var all []one
	for _, h := range t.Ledger(p).Holdings(p) {
		for _, owned := range h.Tokens {
			all = append(all, one{h.Asset, owned.Token})
		}
	}
	key := func(o one) string { return valueBody(o.token).Hex + ":" + o.asset.String() }
	cursorList(x, inOrder(all, tokenOrder, key), w, tokenOrder, key,
		func(o one) object {
			return object{{"asset_identifier", o.asset.String()}, {"value", valueBody(o.token)}}
		})
}

func serveEventsV3(x *Exchange) {
	id, w := x.txIDV3(), x.cursorWindow()
	if x.done() {
		return
	}
	tx, known := x.transactions().find(id)
	if !known || tx.Result == nil {
		x.Thrown(http.StatusBadRequest, "", noTransaction)
		return
	}
	cursorList(x, events(tx), w, eventOrder, func(e eventBody) string { return strconv.Itoa(e.Index) }, eventV3)
}

// eventV3 returns an event in the words of v3.
func eventV3(e eventBody) object {
	if e.Log != nil {
		return object{{"event_index", e.Index}, {"type", "contract_log"}, {"contract_log", object{
			{"contract_id", e.Log.ContractID}, {"topic", e.Log.Topic}, {"value", e.Log.Value},
		}}}
	}
	if l := e.Lock; l != nil {
		return object{{"event_index", e.Index}, {"type", "stx_lock"}, {"stx_lock", object{{"amount", l.Amount}, {"unlock_bitcoin_height", l.Unlock}, {"address", l.Address}}}}
	}
	kind := map[string]string{"stx_asset": "stx_asset", "fungible_token_asset": "ft_asset", "non_fungible_token_asset": "nft_asset"}[e.Type]
	parts := object{{"type", e.Asset.Type}, {"asset_identifier", e.Asset.ID}, {"sender", e.Asset.Sender}, {"recipient", e.Asset.Recipient}, {"amount", e.Asset.Amount}}
	if e.Asset.Type != "transfer" { // there the service has the one party before the asset
		parts[1], parts[2], parts[3] = parts[2], parts[3], parts[1]
	}
	asset := parts.filled()
	if e.Asset.Value != nil {
		asset = append(asset, field{"value", e.Asset.Value})
	}
	if kind == "stx_asset" && e.Asset.Type == "transfer" {
		asset = append(asset, field{"memo", e.Asset.memo()})
	}
	return object{{"event_index", e.Index}, {"type", kind}, {kind, asset}}
}

// assetV3Pattern is the shape of an asset in the paths of v3.
const assetV3Pattern = `^[0123456789ABCDEFGHJKMNPQRSTVWXYZ]{28,41}\.[a-zA-Z]([a-zA-Z0-9]|[-_]){0,39}::[a-zA-Z]([a-zA-Z0-9]|[-_!?+<>=/*]){0,127}$`

var assetV3Shape = shape(assetV3Pattern)

func serveFungibleV3(x *Exchange) {
	if !assetV3Shape().MatchString(x.param(1)) {
		x.invalid(`params/asset_identifier must match pattern "` + assetV3Pattern + `"`)
	}
	if p, t, ok := x.addressed(); ok {
		x.object(object{{"asset_identifier", x.param(1)}, {"balance", t.fungible(p, x.param(1))}})
	}
}

// listOrder is the order of a list of v3, by the keys of its rows, which are its cursors.
type listOrder struct {
	compare func(a, b string) int
	// keepsTotal reports whether the total stays past the end of the list, where others say 0.
	keepsTotal bool
	// wholeBefore reports whether only a whole page before this one is the previous page; in others
	// the first page is, however short.
	wholeBefore bool
}

// The orders of the lists.
var (
	placeOrder   = listOrder{compare: byParts("---")}                      // the newest first
	receiptOrder = listOrder{compare: byParts("->")}                       // what waits, the newest first
	eventOrder   = listOrder{compare: byParts("+"), keepsTotal: true}      // the first first
	balanceOrder = listOrder{compare: byParts("-<")}                       // the greatest first
	changeOrder  = listOrder{compare: byParts("+<")}                       // of one transaction
	changesOrder = listOrder{compare: byParts("---+<"), wholeBefore: true} // of several
	tokenOrder   = listOrder{compare: byAsset}

	nameOrder   = listOrder{compare: strings.Compare}                  // signers, stakers
	bondOrder   = listOrder{compare: byParts("-"), keepsTotal: true}   // the newest first
	ownOrder    = listOrder{compare: byParts("+"), keepsTotal: true}   // an account's bonds
	logOrder    = listOrder{compare: byParts("----")}                  // of a contract, the newest first
	memberOrder = listOrder{compare: byParts("---"), keepsTotal: true} // of a bond
)

// firstFrom finds the first row of a list in its order that does not come before a cursor.
func firstFrom[T any](o listOrder, all []T, key func(T) string, cursor string) int {
	return sort.Search(len(all), func(i int) bool { return o.compare(key(all[i]), cursor) >= 0 })
}

// byParts compares keys by their parts between colons, the last with all that follows: + and -
// are whole numbers that rise or fall, < and > texts.
func byParts(directions string) func(a, b string) int {
	return func(a, b string) int {
		as, bs := strings.SplitN(a, ":", len(directions)), strings.SplitN(b, ":", len(directions))
		for i := range min(len(as), len(bs)) {
			var c int
			switch directions[i] {
			case '+':
				c = compareDigits(as[i], bs[i])
			case '-':
				c = compareDigits(bs[i], as[i])
			case '<':
				c = strings.Compare(as[i], bs[i])
			default:
				c = strings.Compare(bs[i], as[i])
			}
			if c != 0 {
				return c
			}
		}
		return 0
	}
}

// compareDigits compares decimal numbers of any length.
func compareDigits(a, b string) int {
	a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}

// byAsset compares keys of a value and an asset: by asset, then by value.
func byAsset(a, b string) int {
	value, asset, _ := strings.Cut(a, ":")
	otherValue, other, _ := strings.Cut(b, ":")
	return cmp.Or(strings.Compare(asset, other), strings.Compare(value, otherValue))
}

// inOrder sorts the rows of a list.
func inOrder[T any](all []T, o listOrder, key func(T) string) []T {
	slices.SortFunc(all, func(a, b T) int { return o.compare(key(a), key(b)) })
	return all
}
