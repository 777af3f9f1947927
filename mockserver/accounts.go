package mockserver

import (
	"fmt"
	"net/http"
	"strings"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
)

// accountBody is an account as a node reports it. The mock keeps no state trie, so a proof that
// is requested is empty. The balance is without what is locked.
type accountBody struct {
	Balance      string  `json:"balance"` // micro-STX, 0x and 32 hex digits
	Locked       string  `json:"locked"`
	UnlockHeight int64   `json:"unlock_height"`
	Nonce        uint64  `json:"nonce"`
	BalanceProof *string `json:"balance_proof,omitempty"`
	NonceProof   *string `json:"nonce_proof,omitempty"`
}

func serveAccount(x *exchange) {
	principal := x.principal(0)
	if x.answered {
		return
	}
	t := x.transactions()
	a := t.Account(principal)
	l, _ := t.lockOf(principal)
	body := accountBody{Balance: ledger.Hex128(a.Balance - min(a.Balance, l.amount)), Locked: ledger.Hex128(l.amount), UnlockHeight: l.unlock, Nonce: a.Nonce}
	if x.wantsProof() {
		body.BalanceProof, body.NonceProof = new(string), new(string)
	}
	x.value(http.StatusOK, body)
}

// noncesBody holds the nonces of an account as the API reports them; nil numbers are null.
type noncesBody struct {
	LastMempool  *uint64  `json:"last_mempool_tx_nonce"`
	LastExecuted *uint64  `json:"last_executed_tx_nonce"`
	Next         uint64   `json:"possible_next_nonce"`
	Missing      []uint64 `json:"detected_missing_nonces"`
	Pending      []uint64 `json:"detected_mempool_nonces"`
}

func serveNonces(x *exchange) {
	p, t, ok := x.addressed()
	if !ok {
		return
	}
	n := t.Nonces(p)
	if height := x.blockOfNonces(t); height >= 0 {
		n = t.noncesAt(p, height)
	}
	x.value(http.StatusOK, noncesBody{
		n.Mempool, n.Executed, n.Next, append([]uint64{}, n.Missing...), append([]uint64{}, n.Pending...),
	})
}

// blockOfNonces reads the block as of which nonces are requested, -1 for now.
func (x *exchange) blockOfNonces(t *transactions) (height int64) {
	if hash, given := queryValue(x.r.URL.RawQuery, "block_hash"); given > 0 {
		id, _ := chain.ParseHash(hash)
		b, ok := t.View.BlockByHash(id)
		if !ok {
			x.thrown(http.StatusNotFound, "", fmt.Sprintf("No block found for {\"hash\":%q}", hash))
		}
		return b.Height
	}
	n := x.queryInteger("block_height", atLeast(0), -1)
	if n > float64(t.View.Tip()) {
		x.thrown(http.StatusNotFound, "", fmt.Sprintf("No block found for {\"height\":%.0f}", n))
	}
	return int64(n)
}

// noncesAt returns the nonces of a principal as of a block, when nothing was pending.
func (t *transactions) noncesAt(p clarity.Principal, height int64) (n ledger.Nonces) {
	for _, tx := range t.minedOf(p) {
		if nonce, signs := tx.NonceOf(p); signs && tx.Height <= height {
			return ledger.Nonces{Executed: &nonce, Next: nonce + 1}
		}
	}
	return n
}

// patternsOf returns the patterns of an address and of a contract as the service reports them, in
// routes of v3 and in older ones.
func patternsOf(v3 bool) (address, contract string) {
	address, contract = `^[0123456789ABCDEFGHJKMNPQRSTVWXYZ]{28,41}`, `^[0123456789ABCDEFGHJKMNPQRSTVWXYZ]{28,41}.[a-zA-Z]([a-zA-Z0-9]|[-_]){0,39}$`
	if v3 {
		address += "$"
	}
	return address, contract
}

// anyPrincipalPattern is the shape of an address or a contract, as the service
// reports it.
const anyPrincipalPattern = `^[0123456789ABCDEFGHJKMNPQRSTVWXYZ]{28,41}(\.[a-zA-Z]([a-zA-Z0-9]|[-_]){0,39})?$`

var anyPrincipalShape = shape(anyPrincipalPattern)

// principal reads an address or a contract.
func (x *exchange) principal(i int) (p clarity.Principal) {
	text := x.param(i)
	if x.checkShape("params/"+x.route.param(i), text); x.answered {
		return p
	}
	p, err := clarity.ParsePrincipal(text)
	switch {
	case err == nil:
	case x.isV3() || x.route.param(i) == "address": // which never look at the checksum: nobody has such an address
		return nobody
	case strings.HasSuffix(x.route.pattern, "/mempool"):
		x.thrown(http.StatusBadRequest, "", "Invalid query parameter, not a valid principal")
	default:
		x.thrown(http.StatusBadRequest, "", fmt.Sprintf(noAddress, text))
	}
	return p
}

// nobody has nothing and never did anything: no contract can have this name.
var nobody = clarity.Principal{Contract: "-"}

func (x *exchange) isV3() bool { return strings.HasPrefix(x.route.pattern, "/extended/v3/") }

// checkShape answers 400 for what has neither the shape of an address nor of a contract.
func (x *exchange) checkShape(where, text string) {
	if anyPrincipalShape().MatchString(text) {
		return
	}
	where += " must match "
	address, contract := patternsOf(x.isV3())
	x.invalid(where + `pattern "` + address + `", ` + where + `pattern "` + contract + `", ` + where + "a schema in anyOf")
}
