package mockserver

import (
	"net/http"

	"chainscope/mockserver/ledger"
	"chainscope/wallet/clarity"
)

// accountRoutes report accounts as of the newest block.
func accountRoutes() []route {
	return []route{
		{method: "GET", pattern: "/v2/accounts/{principal}", handle: serveAccount},
		{method: "GET", pattern: "/extended/v1/address/{principal}/nonces", life: transactionLife, handle: serveNonces},
	}
}

// accountBody is a node's. The mock keeps no state trie: where a proof is asked
// for it is empty. Nothing is ever locked.
type accountBody struct {
	Balance      string  `json:"balance"` // micro-STX, 0x and 32 hex digits
	Locked       string  `json:"locked"`
	UnlockHeight int64   `json:"unlock_height"`
	Nonce        uint64  `json:"nonce"`
	BalanceProof *string `json:"balance_proof,omitempty"`
	NonceProof   *string `json:"nonce_proof,omitempty"`
}

func serveAccount(x *exchange) {
	principal, ok := x.principal(0)
	if !ok {
		return
	}
	a := x.state().Account(principal)
	body := accountBody{Balance: ledger.Hex128(a.Balance), Locked: ledger.Hex128(0), Nonce: a.Nonce}
	if proof, given := queryValue(x.r.URL.RawQuery, "proof"); given == 0 || proof != "0" {
		body.BalanceProof, body.NonceProof = new(string), new(string)
	}
	x.value(http.StatusOK, body)
}

// noncesBody is the API's; nil numbers are null.
type noncesBody struct {
	LastMempool  *uint64  `json:"last_mempool_tx_nonce"`
	LastExecuted *uint64  `json:"last_executed_tx_nonce"`
	Next         uint64   `json:"possible_next_nonce"`
	Missing      []uint64 `json:"detected_missing_nonces"`
	Pending      []uint64 `json:"detected_mempool_nonces"`
}

func serveNonces(x *exchange) {
	principal, ok := x.principal(0)
	if !ok {
		return
	}
	n := x.state().Nonces(principal)
	x.value(http.StatusOK, noncesBody{
		n.Mempool, n.Executed, n.Next, append([]uint64{}, n.Missing...), append([]uint64{}, n.Pending...),
	})
}

// anyPrincipalPattern is the shape of an address or a contract, as the service
// reports it.
const anyPrincipalPattern = `^[0123456789ABCDEFGHJKMNPQRSTVWXYZ]{28,41}(\.[a-zA-Z]([a-zA-Z0-9]|[-_]){0,39})?$`

var anyPrincipalShape = shape(anyPrincipalPattern)

// principal reads an address or a contract; on false it has answered 400.
func (x *exchange) principal(i int) (clarity.Principal, bool) {
	text := x.param(i)
	if !anyPrincipalShape().MatchString(text) {
		x.invalid(`params/principal must match pattern "` + anyPrincipalPattern + `"`)
		return clarity.Principal{}, false
	}
	principal, err := clarity.ParsePrincipal(text)
	if err != nil {
		x.thrown(http.StatusBadRequest, "", `invalid STX address "`+text+`"`)
		return clarity.Principal{}, false
	}
	return principal, true
}
