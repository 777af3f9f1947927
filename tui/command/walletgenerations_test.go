package command

import (
	"net/http"
	"strings"
	"testing"

	"chainscope/wallet/node"
)

// The wallet requests nonces and for what became of a transaction by routes of v1, which
// the real API is retiring: where they are gone it goes on by those of v3.
func TestTheWalletWorksOnEveryVersionOfTheAPI(t *testing.T) {
	for _, version := range []string{"8", "9", "sunset", "v3"} {
		t.Run(version, func(t *testing.T) {
			mock := serveMock(t, "--api-version", version)
			transport := &http.Transport{}
			defer transport.CloseIdleConnections()
			asks, err := node.New(node.Options{BaseURL: mock.address, Transport: transport})
			if err != nil {
				t.Fatal(err)
			}
			for i, nonce := range []string{`"nonce":"0"`, `"nonce":"1"`} {
				s, stderr := signedBy(t, "stx_transferStx", rentParams, "--approve", "always", "--api", mock.address)
				if strings.Contains(stderr, "warning") {
					t.Errorf("stderr of transfer %d: %s", i, stderr)
				}
				// The first is in the mempool only: the second follows it.
				if _, explained, _ := run(t, t.Context(), "wallet", "decode", s.Transaction, "-o", "json"); !strings.Contains(explained, nonce) {
					t.Errorf("transfer %d lacks %s: %s", i, nonce, explained)
				}
				if tx, err := asks.Transaction(t.Context(), s.TxID); err != nil || tx.Status != "pending" || !tx.Waits() {
					t.Errorf("before a block: %+v, %v", tx, err)
				}
				if i == 1 {
					mines(t, mock)
					tx, err := asks.Transaction(t.Context(), s.TxID)
					if err != nil || tx.Status != "success" || tx.BlockHeight != 1_000_001 {
						t.Errorf("in a block: %+v, %v", tx, err)
					}
				}
			}
			if tx, err := asks.Transaction(t.Context(), strings.Repeat("ab", 32)); err != nil || tx != (node.Transaction{}) {
				t.Errorf("one that nobody knows: %+v, %v", tx, err)
			}
		})
	}
}

func mines(t *testing.T, mock *serving) {
	t.Helper()
	if status, body := fetch(t, "POST", mock.address+"/mock/v1/mine", `{"blocks":1}`); status != 200 {
		t.Fatalf("mining answers %d %s", status, body)
	}
}
