package mockserver

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/internal/plainjson"
	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// v3Routes are what came to v3 with version 9.0 of the API.
func v3Routes() []route {
	return []route{
		{method: "GET", pattern: "/extended/v3/blocks/{height_or_hash}/transactions", life: v3Life, handle: serveTransactionsOfBlock},
		{method: "GET", pattern: "/extended/v3/transactions/{tx_id}", life: v3Life, handle: serveTransactionV3},
		{method: "GET", pattern: "/extended/v3/principals/{principal}/nonces", life: v3Life, handle: serveNoncesV3},
	}
}

// txV3 is a transaction in the words of v3. The object named like its type is added
// by its own encoding.
type txV3 struct {
	ID      string       `json:"tx_id"`
	Sender  senderV3     `json:"sender"`
	Sponsor *senderV3    `json:"sponsor"`
	Fee     string       `json:"fee_rate"` // micro-STX
	Block   *txBlockV3   `json:"block,omitempty"`
	Bitcoin *txBitcoinV3 `json:"bitcoin_block,omitempty"`
	Status  string       `json:"status"`
	Type    string       `json:"type"`

	payload any
}

type senderV3 struct {
	Address string `json:"address"`
	Nonce   uint64 `json:"nonce"`
}

type txBlockV3 struct {
	Height int64  `json:"height"`
	Hash   string `json:"hash"`
	Index  string `json:"index_hash"`
	Time   int64  `json:"time"` // Unix seconds
	Place  int    `json:"tx_index"`
}

type txBitcoinV3 struct {
	Height int64 `json:"height"`
	Time   int64 `json:"time"` // Unix seconds
}

// The payloads of v3.
type (
	transferV3 struct {
		Recipient string  `json:"recipient"`
		Amount    string  `json:"amount"` // micro-STX
		Memo      *cvBody `json:"memo"`
	}
	contractV3 struct {
		ClarityVersion *int   `json:"clarity_version"`
		ID             string `json:"contract_id"`
	}
	callV3 struct {
		ContractID string `json:"contract_id"`
		Function   string `json:"function_name"`
	}
	coinbaseV3 struct {
		AltRecipient *string `json:"alt_recipient"`
	}
	tenureChangeV3 struct {
		Cause string `json:"cause"`
	}
)

// MarshalJSON adds the payload under the name of the type.
func (t txV3) MarshalJSON() ([]byte, error) {
	type plain txV3
	text := plainjson.Encode(plain(t))
	return fmt.Appendf(text[:len(text)-1], ",%q:%s}", t.Type, plainjson.Encode(t.payload)), nil
}

// txV3 is a transaction that was sent to this process.
func (t *transactions) txV3(tx *ledger.Tx) txV3 {
	body := t.body(tx)
	out := txV3{ID: body.ID, Sender: senderV3{body.Sender, body.Nonce}, Fee: body.Fee, Status: body.Status, Type: body.Type}
	if body.Sponsored {
		out.Sponsor = &senderV3{body.SponsorAddress, *body.SponsorNonce}
	}
	if place, mined := t.place(tx); mined {
		b := &place.Block
		out.Block = &txBlockV3{b.Height, b.Hash.String(), b.Index.String(), b.TimeMS / 1000, place.Index}
		out.Bitcoin = &txBitcoinV3{b.BurnHeight, b.BurnTimeMS / 1000}
	}
	switch p := tx.Payload.(type) {
	case stxtx.TokenTransfer:
		out.payload = transferV3{p.Recipient.String(), decimal(p.Amount), memoOf(p.Memo[:])}
	case stxtx.ContractCall:
		out.payload = callV3{p.Contract.String(), p.Function}
	case stxtx.Coinbase:
		out.payload = coinbaseV3{}
	case stxtx.TenureChange:
		out.payload = tenureChangeV3{p.Cause.String()}
	default:
		out.payload = contractV3{body.Contract.ClarityVersion, body.Contract.ContractID}
	}
	return out
}

func memoOf(memo []byte) *cvBody {
	return &cvBody{Hex: with0x(memo), Repr: strings.TrimRight(string(memo), "\x00")}
}

// The place of a transaction in the chain, as a cursor has it: height, sequence of
// its microblock or the greatest number, and place in the block.
const (
	placePattern  = `^[0-9]+:[0-9]+:[0-9]+$`
	noMicroblock  = ":2147483647:"
	maxPageTxs    = 50
	defaultTxPage = 20
)

var placeShape = shape(placePattern)

// serveTransactionsOfBlock lists the transactions of a block, the last first.
func serveTransactionsOfBlock(x *exchange) {
	find, ok := x.heightOrHash()
	if !ok {
		return
	}
	limit, ok := x.queryInteger("limit", between(1, maxPageTxs), defaultTxPage)
	if !ok {
		return
	}
	cursor, given := queryValue(x.r.URL.RawQuery, "cursor")
	if given > 1 || given == 1 && !placeShape().MatchString(cursor) {
		x.invalid(`querystring/cursor must match pattern "` + placePattern + `"`)
		return
	}
	all := x.transactions()
	v := &all.View
	if x.tipCached(v) {
		return
	}
	b, ok := find.block(v)
	if !ok {
		x.thrown(http.StatusNotFound, "", "Block not found")
		return
	}
	ids := v.TxIDs(&b)
	last := int64(len(ids)) - 1
	page := newPageV3(chain.Span{First: 0, Last: last}, firstPlace(cursor, b.Height, last), int64(limit), func(i int64) txV3 {
		tx, _ := all.find(ids[last-i]) // the block has it, so it is found
		return all.txV3(tx)
	})
	for _, c := range []*string{page.Cursor.Next, page.Cursor.Previous, page.Cursor.Current} {
		if c != nil {
			*c = strconv.FormatInt(b.Height, 10) + noMicroblock + *c
		}
	}
	x.value(http.StatusOK, page)
}

// firstPlace is where a page begins: at the cursor, or at the next transaction below
// it.
func firstPlace(cursor string, height, last int64) int64 {
	parts := strings.Split(cursor, ":")
	if len(parts) != 3 {
		return last
	}
	at, err := strconv.ParseInt(parts[0], 10, 64)
	if err != nil || at > height {
		return last
	}
	if at < height {
		return -1
	}
	place, err := strconv.ParseInt(parts[2], 10, 64)
	if err != nil {
		return last
	}
	return min(place, last)
}

// serveTransactionV3 finds a transaction that was sent to this process.
func serveTransactionV3(x *exchange) {
	id, ok := x.txID()
	if !ok {
		return
	}
	all, tx, ok := x.transaction(id, "Transaction not found")
	if !ok {
		return
	}
	x.value(http.StatusOK, all.txV3(tx))
}

// noncesV3 are the nonces of an account; nil is null.
type noncesV3 struct {
	Next      uint64          `json:"next_nonce"`
	Confirmed *uint64         `json:"last_confirmed_nonce"`
	Mempool   mempoolNoncesV3 `json:"mempool"`
}

type mempoolNoncesV3 struct {
	Last    *uint64  `json:"last_nonce"`
	Pending []uint64 `json:"pending_nonces"`
	Missing []uint64 `json:"missing_nonces"`
}

const addressPattern = `^[0123456789ABCDEFGHJKMNPQRSTVWXYZ]{28,41}$`

var addressShape = shape(addressPattern)

func serveNoncesV3(x *exchange) {
	p, err := clarity.ParsePrincipal(x.param(0))
	if err != nil || !addressShape().MatchString(x.param(0)) {
		x.invalid(`params/principal must match pattern "` + addressPattern + `"`)
		return
	}
	n := x.state().Nonces(p)
	x.value(http.StatusOK, noncesV3{
		n.Next, n.Executed, mempoolNoncesV3{n.Mempool, append([]uint64{}, n.Pending...), append([]uint64{}, n.Missing...)},
	})
}
