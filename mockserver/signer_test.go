package mockserver

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"

	"chainscope/wallet/clarity"
	"chainscope/wallet/stxtx"
)

// person has a key.
type person struct{ key *secp256k1.PrivateKey }

func someone(name string) person {
	seed := sha256.Sum256([]byte(name))
	return person{secp256k1.PrivKeyFromBytes(seed[:])}
}

func (p person) hash160() [20]byte { return stxtx.Hash160(p.key.PubKey().SerializeCompressed()) }

func (p person) address(mainnet bool) string {
	c := stxtx.SpendingCondition{Signer: p.hash160()}
	return c.Address(mainnet).String()
}

func (p person) sign(hash [32]byte) (s stxtx.Signature) {
	compact := ecdsa.SignCompact(p.key, hash[:], true)
	s[0] = compact[0] - 31
	copy(s[1:], compact[1:])
	return s
}

func (p person) condition(nonce, fee uint64) stxtx.SpendingCondition {
	return stxtx.SpendingCondition{Signer: p.hash160(), Nonce: nonce, Fee: fee}
}

// mainnetTx returns a transaction of p that is not signed yet.
func (p person) mainnetTx(nonce, fee uint64, payload stxtx.Payload) *stxtx.Transaction {
	return &stxtx.Transaction{
		Version: stxtx.VersionMainnet, ChainID: stxtx.ChainIDMainnet,
		Auth:       stxtx.Auth{Type: stxtx.AuthStandard, Origin: p.condition(nonce, fee)},
		AnchorMode: stxtx.AnchorAny, PostConditionMode: stxtx.ModeDeny, Payload: payload,
	}
}

func (p person) testnetTx(nonce, fee uint64, payload stxtx.Payload) *stxtx.Transaction {
	t := p.mainnetTx(nonce, fee, payload)
	t.Version, t.ChainID = stxtx.VersionTestnet, stxtx.ChainIDTestnet
	return t
}

func to(t testing.TB, principal string, amount uint64) stxtx.TokenTransfer {
	t.Helper()
	p, err := clarity.ParsePrincipal(principal)
	if err != nil {
		t.Fatal(err)
	}
	return stxtx.TokenTransfer{Recipient: p, Amount: amount}
}

func encoded(t testing.TB, tx *stxtx.Transaction) []byte {
	t.Helper()
	raw, err := tx.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// signed returns the bytes of tx with the signature of p.
func (p person) signed(t testing.TB, tx *stxtx.Transaction) []byte {
	t.Helper()
	if err := tx.SignOrigin(p.sign); err != nil {
		t.Fatal(err)
	}
	return encoded(t, tx)
}

// post sends a body as a loopback client does.
func post(s http.Handler, target, contentType string, body []byte) *httptest.ResponseRecorder {
	r := httptest.NewRequest("POST", target, bytes.NewReader(body))
	r.Host, r.RemoteAddr = "127.0.0.1:3999", "127.0.0.1:40000"
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

func broadcastRaw(s http.Handler, raw []byte) *httptest.ResponseRecorder {
	return post(s, "/v2/transactions", "application/octet-stream", raw)
}

// accepted posts a transaction that must be taken, and gives its id.
func accepted(t testing.TB, s http.Handler, raw []byte) string {
	t.Helper()
	w := broadcastRaw(s, raw)
	if want := `"` + stxtx.ID(raw) + `"`; w.Code != 200 || w.Body.String() != want {
		t.Fatalf("%d %s, want 200 %s", w.Code, w.Body, want)
	}
	return stxtx.ID(raw)
}

// refused posts a transaction that must be rejected, and gives the reason and
// its data.
func refused(t testing.TB, s http.Handler, raw []byte) (reason, data string) {
	t.Helper()
	w := broadcastRaw(s, raw)
	var body struct {
		Error, Reason, TxID string
		ReasonData          json.RawMessage `json:"reason_data"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil || w.Code != 400 || body.Error != "transaction rejected" || body.TxID != stxtx.ID(raw) {
		t.Fatalf("%d %s is no rejection: %v", w.Code, w.Body, err)
	}
	return body.Reason, string(body.ReasonData)
}

func mine(t testing.TB, s http.Handler, blocks int) {
	t.Helper()
	w := post(s, "/mock/v1/mine", "application/json", fmt.Appendf(nil, `{"blocks":%d}`, blocks))
	if w.Code != 200 {
		t.Fatalf("mine: %d %s", w.Code, w.Body)
	}
}

type blockTxs struct {
	Height     int64    `json:"height"`
	Hash       string   `json:"hash"`
	BurnHeight int64    `json:"burn_block_height"`
	BurnHash   string   `json:"burn_block_hash"`
	TxCount    int      `json:"tx_count"`
	Txs        []string `json:"txs"`
}
