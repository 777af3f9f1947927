package node

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// answering is a transport that gives one answer to everything.
type answering struct {
	status int
	body   string
}

func (a answering) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: a.status, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(a.body)), Request: r,
	}, nil
}

// Whatever a node answers, the client returns, and claims no nonce that the
// answer does not hold.
func FuzzAnswers(f *testing.F) {
	f.Add(200, `{"balance":"0x0000000000000000000000000000000a","nonce":5}`)
	f.Add(200, `1`)
	f.Add(404, `{"error":"x"}`)
	f.Add(200, `{"balance":"zz","nonce":-1}`)
	f.Add(200, `{"tx_status":"success"}`)
	f.Fuzz(func(t *testing.T, status int, body string) {
		if status < 100 || status > 599 {
			return
		}
		client, err := New(Options{BaseURL: "http://127.0.0.1:3999", Transport: answering{status, body}})
		if err != nil {
			t.Fatal(err)
		}
		const address = "ST000000000000000000002AMW42H"
		if nonce, err := client.NextNonce(t.Context(), address); err == nil && status != http.StatusOK {
			t.Errorf("%d %q: %d", status, body, nonce)
		}
		_, _ = client.TransferFeeRate(t.Context())
		_, _ = client.Transaction(t.Context(), strings.Repeat("00", 32))
		_, _ = client.Transaction(t.Context(), strings.Repeat("00", 32))
	})
}
