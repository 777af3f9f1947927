package api

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
)

// tag returns the validator of what a route returns, in its quotes; "" where there is none, as
// for an account that nobody ever used.
type tag func(*Exchange) string

// digest returns a validator of 64 hexadecimal digits.
func digest(of ...any) string { return `"` + digestOf(of) + `"` }

func digestOf(of []any) string {
	h := sha256.New()
	fmt.Fprintln(h, of...)
	return hex.EncodeToString(h.Sum(nil))
}

// tipTag returns the index block hash of the tip, which changes with everything that a view shows.
func tipTag(v *chain.View) string { return `"` + v.TipIndex().String() + `"` }

// ofTip returns the validator of what may change with each block. What was done to the mock
// beside the blocks changes it too.
func ofTip(x *Exchange) string {
	t := x.transactions()
	if t.Revision() == 0 {
		return tipTag(&t.View)
	}
	return `"0x` + digestOf([]any{t.View.TipIndex(), t.Revision()}) + `"`
}

// ofMempool returns the validator of what changes with the mempool: a time, and a number that
// counts up with what is done.
func ofMempool(x *Exchange) string {
	t := x.transactions()
	tip, _ := t.View.Known(t.View.Tip())
	return fmt.Sprintf(`"%d.%06d"`, tip.TimeMS/1000, t.Revision())
}

// ofTransaction returns the validator of what is said of one transaction, which stays while the
// transaction stays where it is.
func ofTransaction(x *Exchange) string { return x.transactions().tagOf(x.param(0)) }

func ofSecondTransaction(x *Exchange) string { return x.transactions().tagOf(x.param(1)) }

func (t *transactions) tagOf(text string) string {
	id, ok := chain.ParseHash(text)
	if !ok {
		return ""
	}
	tx, known := t.find(id)
	if !known {
		return ""
	}
	place, _ := t.place(tx)
	status, _ := pendingOf(tx)
	return digest(id, place.Block.Index, place.Index, place.Block.Canonical, status)
}

// ofPrincipal returns the validator of what is returned of an account or a contract.
func ofPrincipal(x *Exchange) string {
	p, err := clarity.ParsePrincipal(x.param(0))
	if err != nil {
		return ""
	}
	return x.transactions().activity(p)
}

// ofBalances returns that of balances of v2, which version 8 knows of the whole chain alone.
func ofBalances(x *Exchange) string {
	if mempool, _ := QueryValue(x.R.URL.RawQuery, "include_mempool"); x.Service.Generation == api8 && mempool != "true" {
		return ofTip(x)
	}
	return ofPrincipal(x)
}

// activity changes with everything that concerns a principal; it is "" where nothing ever
// has.
func (t *transactions) activity(p clarity.Principal) string {
	var of []any
	l, unused := t.Ledger(p), ledger.New()
	if a := l.Account(p); a != unused.Account(p) {
		of = append(of, a)
	}
	if l, locked := t.lockOf(p); locked {
		of = append(of, l)
	}
	for _, h := range l.Holdings(p) {
		of = append(of, h.Asset, h.Sent, h.Received)
	}
	for tx := range l.Mined() { // what known accounts had before shows in what they have
		if touches(tx, p) {
			place, _ := t.place(tx)
			of = append(of, tx.ID, place.Block.Index)
			break
		}
	}
	for _, tx := range t.pendingOf(p) {
		of = append(of, tx.ID)
	}
	if t.Busy(p) {
		of = append(of, t.View.TipIndex())
	}
	if len(of) == 0 {
		return ""
	}
	return digest(of...)
}

// done reports whether the exchange is answered: the request was refused, or the client has the
// answer already (304). A handler calls it when it has read the request, and returns on true. It
// sets the validator of the route, which is sent with errors of the handler too.
func (x *Exchange) done() bool {
	if x.answered || x.route == nil || x.route.tag == nil || x.tagged {
		return x.answered
	}
	x.tagged = true
	etag := x.route.tag(x)
	return etag != "" && x.cached(etag)
}
