package mockserver

import (
	"net/http"
	"slices"
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

// maxTransactionIDs bounds how many transactions can be asked for at once.
const maxTransactionIDs = 50

// foundBody is one transaction of several that were asked for: the transaction,
// or only its id.
type foundBody struct {
	Found  bool `json:"found"`
	Result any  `json:"result"`
}

func serveTransactions(x *exchange) {
	ids := queryList(x.r.URL.RawQuery, "tx_id")
	switch {
	case len(ids) == 0:
		x.invalid("querystring must have required property 'tx_id'")
		return
	case len(ids) > maxTransactionIDs:
		x.invalid("querystring/tx_id must NOT have more than 50 items")
		return
	}
	all := x.transactions()
	if x.ledgerCached(&all.State) {
		return
	}
	body := map[string]foundBody{}
	for _, text := range ids {
		id, ok := chain.ParseHash(text)
		if !ok {
			x.invalid(`querystring/tx_id must match pattern "` + hashPattern + `"`)
			return
		}
		key := id.String()
		if tx, known := all.find(id); known {
			body[key] = foundBody{true, all.body(tx)}
			continue
		}
		body[key] = foundBody{false, map[string]string{"tx_id": key}}
	}
	x.value(http.StatusOK, body)
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

func serveRaw(x *exchange) {
	id, ok := x.txID()
	if !ok {
		return
	}
	_, tx, ok := x.transaction(id, "could not find raw transaction by ID")
	if !ok {
		return
	}
	raw, err := tx.Hex()
	if err != nil {
		x.thrown(http.StatusInternalServerError, "", err.Error())
		return
	}
	x.value(http.StatusOK, map[string]string{"raw_tx": "0x" + raw})
}

// typeFilter reads the types of transactions that are asked for; none is all.
func (x *exchange) typeFilter() ([]string, bool) {
	known := []string{"coinbase", "token_transfer", "smart_contract", "contract_call", "poison_microblock", "tenure_change"}
	types := queryList(x.r.URL.RawQuery, "type")
	for _, one := range types {
		if !slices.Contains(known, one) {
			x.invalid("querystring/type must be equal to one of the allowed values")
			return nil, false
		}
	}
	return types, true
}

func ofType(tx *ledger.Tx, types []string) bool {
	return len(types) == 0 || slices.Contains(types, typeName(tx))
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

func serveMined(x *exchange) {
	w, ok := x.window(defaultTransactions, maxTransactions)
	if !ok {
		return
	}
	types, ok := x.typeFilter()
	if !ok {
		return
	}
	t := x.transactions()
	if x.ledgerCached(&t.State) {
		return
	}
	all := slices.DeleteFunc(t.AllMined(), func(tx *ledger.Tx) bool { return !ofType(tx, types) })
	body := pageOf(w, all, t.body)
	body.Total = len(all)
	x.value(http.StatusOK, body)
}

func serveMempool(x *exchange) {
	w, ok := x.window(defaultTransactions, maxTransactions)
	if !ok {
		return
	}
	var wanted [3]*clarity.Principal // sender, recipient, either
	for i, name := range []string{"sender_address", "recipient_address", "address"} {
		if wanted[i], ok = x.queryPrincipal(name); !ok {
			return
		}
	}
	t := x.transactions()
	if x.ledgerCached(&t.State) {
		return
	}
	all := slices.DeleteFunc(t.Mempool(), func(tx *ledger.Tx) bool {
		sender := func(p clarity.Principal) bool { return tx.Principal() == p }
		return wanted[0] != nil && !sender(*wanted[0]) ||
			wanted[1] != nil && (sender(*wanted[1]) || !tx.Touches(*wanted[1])) ||
			wanted[2] != nil && !tx.Touches(*wanted[2])
	})
	body := pageOf(w, all, t.body)
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
