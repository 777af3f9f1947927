package mockserver

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// Sizes of pages of transactions, as the real service has them.
const (
	defaultTransactions = 20
	maxTransactions     = 50
)

// foundBody is one transaction of several that were asked for: the transaction,
// or only its id.
type foundBody struct {
	Found  bool `json:"found"`
	Result any  `json:"result"`
}

// serveTransactions finds several transactions, in the order in which they are asked.
func serveTransactions(x *exchange) {
	ids, ok := x.hashes("tx_id")
	if !ok {
		return
	}
	d, ok := x.detail()
	if !ok || x.unchanged() {
		return
	}
	all, body := x.transactions(), object{}
	for _, id := range ids {
		key := id.String()
		if slices.ContainsFunc(body, func(f field) bool { return f.name == key }) {
			continue
		}
		one := foundBody{false, map[string]string{"tx_id": key}}
		if tx, known := all.find(id); known {
			one = foundBody{true, d.of(all.body(tx))}
		}
		body = append(body, field{key, one})
	}
	x.object(body)
}

// hashes reads a list of ids that has to be there; on false it has answered 400.
func (x *exchange) hashes(name string) (ids []chain.Hash, ok bool) {
	given := queryList(x.r.URL.RawQuery, name)
	if len(given) == 0 {
		x.invalid("querystring must have required property '" + name + "'")
		return nil, false
	}
	for i, text := range given {
		id, ok := chain.ParseHash(text)
		if !ok {
			x.invalid("querystring/" + name + "/" + strconv.Itoa(i) + ` must match pattern "` + hashPattern + `"`)
			return nil, false
		}
		ids = append(ids, id)
	}
	for _, text := range given {
		if !strings.HasPrefix(text, "0x") {
			x.thrown(http.StatusBadRequest, "", `Hex string is missing the "0x" prefix`)
			return nil, false
		}
	}
	return ids, true
}

// queryList reads a parameter that is given several times or with commas.
func queryList(raw, name string) (out []string) {
	for pair := range strings.SplitSeq(raw, "&") {
		key, text, _ := strings.Cut(pair, "=")
		key = strings.TrimSuffix(unescapeQuery(key), "[]")
		if key != name {
			continue
		}
		for one := range strings.SplitSeq(unescapeQuery(text), ",") {
			if one = strings.TrimSpace(one); one != "" {
				out = append(out, one)
			}
		}
	}
	return out
}

// typeName is the API's word for the type of a transaction.
func typeName(tx *ledger.Tx) string {
	switch kind := tx.Payload.Type(); kind {
	case stxtx.TypeVersionedContract:
		return stxtx.TypeSmartContract.String()
	case stxtx.TypeCoinbaseRecipient, stxtx.TypeNakamotoCoinbase:
		return stxtx.TypeCoinbase.String()
	default:
		return kind.String()
	}
}

// wordsOf reads a parameter that may be given several times, each time one of some words; on
// false it has answered 400.
func (x *exchange) wordsOf(name string, known ...string) ([]string, bool) {
	given := queryList(x.r.URL.RawQuery, name)
	for i, one := range given {
		if !slices.Contains(known, one) {
			x.noneOf("querystring/"+name+"/"+strconv.Itoa(i), len(known))
			return nil, false
		}
	}
	return given, true
}

// wordOf reads a parameter that is one of some words, "" for an absent one; on false it has
// answered 400.
func (x *exchange) wordOf(name string, known ...string) (string, bool) {
	word, given := queryValue(x.r.URL.RawQuery, name)
	if given == 0 || given == 1 && slices.Contains(known, word) {
		return word, true
	}
	x.noneOf("querystring/"+name, len(known))
	return "", false
}

// noneOf answers 400 for a word that is none of so many.
func (x *exchange) noneOf(where string, words int) {
	x.invalid(strings.Repeat(where+" must be equal to constant, ", words) + where + " must match a schema in anyOf")
}

// transactionFilter is which transactions of a list are asked for, and in which order.
type transactionFilter struct {
	types                      []string
	from, to, contract, either *clarity.Principal
	function                   string
	nonce, since, until        *float64 // times in Unix seconds
	// compare is nil where the list, which begins with the newest, is in order; rising lists
	// begin with the least.
	compare func(a, b *ledger.Tx) int
	rising  bool
}

// keeps reports whether a transaction is asked for.
func (t *transactions) keeps(f *transactionFilter, tx *ledger.Tx) bool {
	call, isCall := tx.Payload.(stxtx.ContractCall)
	transfer, isTransfer := tx.Payload.(stxtx.TokenTransfer)
	seconds := func() float64 {
		place, _ := t.place(tx)
		return float64(place.Block.TimeMS / 1000)
	}
	switch {
	case len(f.types) > 0 && !slices.Contains(f.types, typeName(tx)),
		f.from != nil && tx.Principal() != *f.from,
		f.to != nil && (!isTransfer || transfer.Recipient != *f.to),
		f.contract != nil && (!isCall || call.Contract != *f.contract) && !deploys(tx, *f.contract),
		f.either != nil && !tx.Touches(*f.either),
		f.function != "" && (!isCall || call.Function != f.function),
		f.nonce != nil && float64(tx.Auth.Origin.Nonce) != *f.nonce,
		f.since != nil && seconds() < *f.since,
		f.until != nil && seconds() > *f.until:
		return false
	}
	return true
}

// deploys reports whether a transaction makes a contract.
func deploys(tx *ledger.Tx, id clarity.Principal) bool {
	p, ok := tx.Payload.(stxtx.SmartContract)
	return ok && id.Contract == p.Name && id.Address == tx.Principal().Address
}

// filtered leaves of a list what is asked for.
func (t *transactions) filtered(f *transactionFilter, all []*ledger.Tx) []*ledger.Tx {
	all = slices.DeleteFunc(all, func(tx *ledger.Tx) bool { return !t.keeps(f, tx) })
	if f.rising {
		slices.Reverse(all)
	}
	if f.compare != nil {
		slices.SortStableFunc(all, f.compare)
	}
	return all
}

// principals reads parameters that are addresses; on false it has answered 400.
func (x *exchange) principals(into map[string]**clarity.Principal) (ok bool) {
	for _, name := range slices.Sorted(maps.Keys(into)) {
		if *into[name], ok = x.queryPrincipal(name); !ok {
			return false
		}
	}
	return true
}

// numbers reads whole numbers from 0, nil for an absent one; on false it has answered 400.
func (x *exchange) numbers(into map[string]**float64) bool {
	for _, name := range slices.Sorted(maps.Keys(into)) {
		n, ok := x.queryInteger(name, atLeast(0), 0)
		if !ok {
			return false
		}
		if _, given := queryValue(x.r.URL.RawQuery, name); given > 0 {
			*into[name] = &n
		}
	}
	return true
}

// ordered reads in which order a list is asked for; on false it has answered 400. Without a
// word, and by those that have no function, it is the order in which the list is.
func (x *exchange) ordered(f *transactionFilter, name string, by map[string]func(a, b *ledger.Tx) int) bool {
	order, ok := x.wordOf("order", "asc", "desc")
	if !ok {
		return false
	}
	word, ok := x.wordOf(name, slices.Sorted(maps.Keys(by))...)
	f.rising, f.compare = order == "asc", by[word]
	if rises := f.compare; rises != nil && !f.rising {
		f.compare = func(a, b *ledger.Tx) int { return rises(b, a) }
	}
	return ok
}

func inFeeOrder(a, b *ledger.Tx) int  { return cmp.Compare(a.Fee(), b.Fee()) }
func inSizeOrder(a, b *ledger.Tx) int { return cmp.Compare(a.Size, b.Size) }

// transactionTypes are the API's words for the types of transactions.
var transactionTypes = []string{"coinbase", "token_transfer", "smart_contract", "contract_call", "poison_microblock", "tenure_change"}

// serveMined lists the transactions of blocks, the newest first if nothing else is asked.
func serveMined(x *exchange) {
	w, ok := x.window(defaultTransactions, maxTransactions)
	if !ok {
		return
	}
	if !x.asks("type", "from_address", "to_address", "contract_id", "function_name", "nonce", "start_time", "end_time", "order", "sort_by") {
		transactionPage(x, w, (*transactions).newest, func(t *transactions, s spot) *txBody { return t.listed(t.at(s)) })
		return
	}
	var f transactionFilter
	if f.types, ok = x.wordsOf("type", transactionTypes...); !ok ||
		!x.principals(map[string]**clarity.Principal{"from_address": &f.from, "to_address": &f.to, "contract_id": &f.contract}) ||
		!x.numbers(map[string]**float64{"nonce": &f.nonce, "start_time": &f.since, "end_time": &f.until}) ||
		!x.ordered(&f, "sort_by", map[string]func(a, b *ledger.Tx) int{"block_height": nil, "burn_block_time": nil, "fee": inFeeOrder}) {
		return
	}
	if f.function, ok = x.queryString("function_name"); ok {
		transactionPage(x, w, func(t *transactions) []*ledger.Tx { return t.filtered(&f, t.newestInFull()) }, (*transactions).listed)
	}
}

// asks reports whether a query has one of some parameters.
func (x *exchange) asks(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		return len(queryList(x.r.URL.RawQuery, name)) > 0
	})
}

// serveMempool lists what waits, the newest first if nothing else is asked.
func serveMempool(x *exchange) {
	w, ok := x.window(defaultTransactions, maxTransactions)
	if !ok {
		return
	}
	var f transactionFilter
	if x.ordered(&f, "order_by", map[string]func(a, b *ledger.Tx) int{"age": nil, "size": inSizeOrder, "fee": inFeeOrder}) &&
		x.principals(map[string]**clarity.Principal{"sender_address": &f.from, "recipient_address": &f.to, "address": &f.either}) {
		transactionPage(x, w, func(t *transactions) []*ledger.Tx { return t.filtered(&f, t.Mempool()) }, (*transactions).body)
	}
}

// transactionPage answers with a page of transactions. Its total is that of the list, even
// behind its end.
func transactionPage[T any](x *exchange, w window, list func(*transactions) []T, show func(*transactions, T) *txBody) {
	withoutArgs, ok := x.queryBool("exclude_function_args", false)
	if !ok || x.unchanged() {
		return
	}
	t, d := x.transactions(), detail{window{maxEvents, 0}, withoutArgs}
	all := list(t)
	body := pageOf(w, all, func(one T) *txBody { return d.of(show(t, one)) })
	body.Total = len(all)
	x.value(http.StatusOK, body)
}

// queryPrincipal reads an address, nil for none; on false it has answered 400.
func (x *exchange) queryPrincipal(name string) (*clarity.Principal, bool) {
	text, ok := x.queryString(name)
	if !ok || text == "" {
		return nil, ok
	}
	p, err := clarity.ParsePrincipal(text)
	if err != nil {
		x.thrown(http.StatusBadRequest, "", `invalid STX address "`+text+`"`)
		return nil, false
	}
	return &p, true
}
