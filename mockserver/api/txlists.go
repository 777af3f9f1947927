package api

import (
	"cmp"
	"fmt"
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

// foundBody is one transaction of several that were requested: the transaction,
// or only its id.
type foundBody struct {
	Found  bool `json:"found"`
	Result any  `json:"result"`
}

// serveTransactions finds several transactions, in the order in which they are requested.
func serveTransactions(x *Exchange) {
	ids, d := x.hashes("tx_id"), x.detail()
	if x.done() {
		return
	}
	all, body := x.transactions(), object{}
	for _, id := range ids {
		key := id.String()
		if slices.ContainsFunc(body, func(f field) bool { return f.name == key }) {
			continue
		}
		one := foundBody{false, object{{"tx_id", key}}}
		if tx, known := all.find(id); known {
			one = foundBody{true, d.of(all.body(tx))}
		}
		body = append(body, field{key, one})
	}
	x.object(body)
}

// hashes reads a list of ids that has to be there.
func (x *Exchange) hashes(name string) (ids []chain.Hash) {
	given := x.requiredList(name)
	for i, text := range given {
		id, ok := chain.ParseHash(text)
		if !ok {
			x.invalid("querystring/" + name + "/" + strconv.Itoa(i) + ` must match pattern "` + hashPattern + `"`)
		}
		ids = append(ids, id)
	}
	if slices.ContainsFunc(given, func(text string) bool { return !strings.HasPrefix(text, "0x") }) {
		x.Thrown(http.StatusBadRequest, "", `Hex string is missing the "0x" prefix`)
	}
	return ids
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

// typeName returns the API's word for the type of a transaction.
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

// wordsOf reads a parameter that may be given several times, each time one of some words.
func (x *Exchange) wordsOf(name string, known ...string) []string {
	given := queryList(x.R.URL.RawQuery, name)
	for i, one := range given {
		if !slices.Contains(known, one) {
			x.noneOf("querystring/"+name+"/"+strconv.Itoa(i), len(known))
		}
	}
	return given
}

// wordOf reads a parameter that is one of some words, "" for an absent one.
func (x *Exchange) wordOf(name string, known ...string) string {
	word, given := QueryValue(x.R.URL.RawQuery, name)
	if given > 1 || given == 1 && !slices.Contains(known, word) {
		x.noneOf("querystring/"+name, len(known))
	}
	return word
}

// noneOf answers 400 for a word that is not one of the known ones.
func (x *Exchange) noneOf(where string, words int) {
	x.invalid(strings.Repeat(where+" must be equal to constant, ", words) + where + " must match a schema in anyOf")
}

// transactionFilter selects which transactions of a list are requested, and in which order.
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

// matches reports whether a transaction is requested.
func (t *transactions) matches(f *transactionFilter, tx *ledger.Tx) bool {
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
		f.contract != nil && (!isCall || call.Contract != *f.contract),
		f.either != nil && !tx.Touches(*f.either),
		f.function != "" && (!isCall || call.Function != f.function),
		f.nonce != nil && float64(tx.Auth.Origin.Nonce) != *f.nonce,
		f.since != nil && seconds() < *f.since,
		f.until != nil && seconds() > *f.until:
		return false
	}
	return true
}

// filtered leaves of a list what is requested.
func (t *transactions) filtered(f *transactionFilter, all []*ledger.Tx) []*ledger.Tx {
	all = slices.DeleteFunc(all, func(tx *ledger.Tx) bool { return !t.matches(f, tx) })
	if f.rising {
		slices.Reverse(all)
	}
	if f.compare != nil {
		slices.SortStableFunc(all, f.compare)
	}
	return all
}

// ordered reads the order in which a list is requested. Without one, and for an order without a
// function, the list stays as it is.
func (x *Exchange) ordered(name string, by map[string]func(a, b *ledger.Tx) int) (f transactionFilter) {
	f.rising = x.wordOf("order", "asc", "desc") == "asc"
	f.compare = by[x.wordOf(name, slices.Sorted(maps.Keys(by))...)]
	if rises := f.compare; rises != nil && !f.rising {
		f.compare = func(a, b *ledger.Tx) int { return rises(b, a) }
	}
	return f
}

func inFeeOrder(a, b *ledger.Tx) int  { return cmp.Compare(a.Fee(), b.Fee()) }
func inSizeOrder(a, b *ledger.Tx) int { return cmp.Compare(a.Size, b.Size) }

// transactionTypes are the API's words for the types of transactions.
var transactionTypes = []string{"coinbase", "token_transfer", "smart_contract", "contract_call", "poison_microblock", "tenure_change"}

// serveMined lists the transactions of blocks, the newest first if nothing else is requested.
func serveMined(x *Exchange) {
	w := x.window()
	if !x.hasAny("type", "from_address", "to_address", "contract_id", "function_name", "nonce", "start_time", "end_time", "order", "sort_by") {
		transactionPage(x, w, (*transactions).newest, func(t *transactions, s spot) *txBody { return t.listed(t.at(s)) })
		return
	}
	types := x.wordsOf("type", transactionTypes...)
	const wrong = `Invalid query parameter for "%s": "%%s" is not a valid %s`
	of := func(name, kind string) *clarity.Principal {
		return x.queryPrincipal(name, fmt.Sprintf(wrong, name, kind))
	}
	contract, from, to := of("contract_id", "principal"), of("from_address", "STX address"), of("to_address", "STX address")
	until, nonce, since := x.number("end_time"), x.number("nonce"), x.number("start_time")
	f := x.ordered("sort_by", map[string]func(a, b *ledger.Tx) int{"block_height": nil, "burn_block_time": nil, "fee": inFeeOrder})
	f.types, f.from, f.to, f.contract, f.nonce, f.since, f.until = types, from, to, contract, nonce, since, until
	f.function = x.queryString("function_name")
	transactionPage(x, w, func(t *transactions) []*ledger.Tx { return t.filtered(&f, t.newestInFull()) }, (*transactions).listed)
}

// hasAny reports whether a query has one of some parameters.
func (x *Exchange) hasAny(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		return len(queryList(x.R.URL.RawQuery, name)) > 0
	})
}

// serveMempool lists what waits, the newest first unless the request names an order. The total of an empty
// page is 0.
func serveMempool(x *Exchange) {
	w := x.window()
	f := x.ordered("order_by", map[string]func(a, b *ledger.Tx) int{"age": nil, "size": inSizeOrder, "fee": inFeeOrder})
	const wrong = `Error: Invalid query parameter: "%s" is not a valid STX address or principal`
	f.from, f.to, f.either = x.queryPrincipal("sender_address", wrong), x.queryPrincipal("recipient_address", wrong), x.queryPrincipal("address", wrong)
	if f.either != nil && (f.from != nil || f.to != nil) {
		x.Thrown(http.StatusBadRequest, "", `The "address" filter cannot be specified with other address filters`)
	}
	d := detail{withoutArgs: x.queryBool("exclude_function_args")}
	if !x.done() {
		t := x.transactions()
		x.object(pageOf(w, t.filtered(&f, t.Mempool()), func(tx *ledger.Tx) *txBody { return d.of(t.body(tx)) }))
	}
}

// transactionPage answers with a page of transactions. Its total is that of the list, even
// behind its end.
func transactionPage[T any](x *Exchange, w window, list func(*transactions) []T, show func(*transactions, T) *txBody) {
	d := detail{window{maxEvents, 0}, x.queryBool("exclude_function_args")}
	if x.done() {
		return
	}
	t := x.transactions()
	all := list(t)
	x.object(w.page(len(all), part(w, all, func(one T) *txBody { return d.of(show(t, one)) })))
}

// queryPrincipal reads an address, nil for none. What is wrong with another text is said in words
// with %s for it.
func (x *Exchange) queryPrincipal(name, wrong string) *clarity.Principal {
	text := x.queryString(name)
	if text == "" {
		return nil
	}
	p, err := clarity.ParsePrincipal(text)
	if err != nil {
		x.Thrown(http.StatusBadRequest, "", fmt.Sprintf(wrong, text))
	}
	return &p
}

// noAddress are the words of the service for what is no address, where it has none of their own.
const noAddress = `invalid STX address "%s"`

// number reads a whole number from 0, nil for an absent one.
func (x *Exchange) number(name string) *float64 {
	n := x.queryInteger(name, atLeast(0), -1)
	if n < 0 {
		return nil
	}
	return &n
}
