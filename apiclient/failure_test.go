package apiclient

import (
	"compress/gzip"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
)

// rawServer answers every connection with the same bytes.
func rawServer(t *testing.T, bytes string) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	t.Cleanup(func() {
		_ = l.Close()
		<-ended
	})
	go func() {
		defer close(ended)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			// First the request: an answer before it is unsolicited, and closing
			// with it unread is a reset.
			_, _ = conn.Read(make([]byte, 4096))
			_, _ = conn.Write([]byte(bytes))
			_ = conn.Close()
		}
	}()
	return l.Addr().String()
}

func closedPort(t *testing.T) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func TestFailuresAreSaidInPlainWords(t *testing.T) {
	refused := closedPort(t)
	ssh := rawServer(t, "SSH-2.0-OpenSSH_9.2p1 "+strings.Repeat("x", 5000)+"\r\n")
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = discard()
	secure.StartTLS()
	defer secure.Close()
	insecure := httptest.NewServer(http.NotFoundHandler())
	defer insecure.Close()
	moved := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "https://127.0.0.1:1"+r.URL.Path, http.StatusMovedPermanently)
	}))
	defer moved.Close()
	host := func(s string) string {
		u, _ := url.Parse(s)
		return u.Host
	}
	for _, tc := range []struct {
		name, base string
		kind       Kind
		tries      int
		text, raw  string
	}{
		{"nobody listens", "http://" + refused, Offline, 6, "blocks: cannot reach " + refused + ": connection refused, after 6 attempts", "connect: connection refused"},
		{"no HTTP", "http://" + ssh, Decode, 1, "blocks: cannot decode the answer: " + ssh + " does not speak HTTP", "malformed HTTP"},
		{"a certificate of our own", secure.URL, Offline, 1, "blocks: the certificate of " + host(secure.URL) + " is signed by an unknown authority; SSL_CERT_FILE names a file of further authorities", "x509"},
		{"no TLS", "https://" + host(insecure.URL), Offline, 1, "blocks: " + host(insecure.URL) + " does not speak TLS; use http://" + host(insecure.URL), "HTTP response to HTTPS client"},
		{"a redirect to https", moved.URL, InvalidInput, 1, "blocks: the server requires https; use https://127.0.0.1:1", "the server requires https"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := newClient(t, Options{BaseURL: tc.base, Backoff: 1})
			_, err := c.Blocks(t.Context(), Page{})
			var e *Error
			if !errors.As(err, &e) || e.Kind != tc.kind || e.Attempts != tc.tries {
				t.Fatalf("got %s, %d attempts: %v", KindOf(err), e.Attempts, err)
			}
			if e.Error() != tc.text {
				t.Errorf("says %q, want %q", e, tc.text)
			}
			x, _ := c.Log().Get(e.ExchangeID)
			if !strings.Contains(x.Err, tc.raw) {
				t.Errorf("the exchange says %q, want %q in it", x.Err, tc.raw)
			}
		})
	}
}

func TestEveryFailureOfTheNetworkHasItsWords(t *testing.T) {
	for _, tc := range []struct {
		err   error
		words string
		kind  Kind
		again bool
	}{
		{&net.DNSError{IsNotFound: true}, "cannot reach h: no such host", Offline, true},
		{&net.DNSError{IsTemporary: true}, "cannot reach h: its name cannot be looked up", Offline, true},
		{&net.OpError{Op: "dial", Err: syscall.EHOSTUNREACH}, "cannot reach h: no network route", Offline, true},
		{&net.OpError{Op: "dial", Err: os.ErrDeadlineExceeded}, "h did not answer in time", Timeout, true},
		{&url.Error{Err: io.EOF}, "h closed the connection", Offline, true},
		{syscall.EPIPE, "h closed the connection", Offline, true},
		{x509.HostnameError{Certificate: &x509.Certificate{}}, "the certificate of h is for another host", Offline, false},
		{x509.CertificateInvalidError{Reason: x509.Expired}, "the certificate of h has expired or is not valid yet", Offline, false},
		{x509.CertificateInvalidError{Reason: x509.NotAuthorizedToSign}, "the certificate of h is not valid", Offline, false},
		{tls.AlertError(40), "h refused the TLS connection", Offline, false},
		{gzip.ErrHeader, "its compression is broken", Decode, false},
		{errors.New("something else"), "cannot reach h", Offline, true},
	} {
		if e, again := failureOf(tc.err, "h", nil); e.Err.Error() != tc.words || e.Kind != tc.kind || again != tc.again {
			t.Errorf("%v: %q, %s, %t; want %q, %s, %t", tc.err, e.Err, e.Kind, again, tc.words, tc.kind, tc.again)
		}
	}
}

func TestABodyAboveTheLimitIsRefused(t *testing.T) {
	for name, length := range map[string]bool{"known by its length": true, "found while reading": false} {
		t.Run(name, func(t *testing.T) {
			var n atomic.Int32
			c := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				n.Add(1)
				body := `{"results":[],"x":"` + strings.Repeat("a", 3000) + `"}`
				if length {
					w.Header().Set("Content-Length", fmt.Sprint(len(body)))
				}
				w.Header().Set("Content-Type", "application/json")
				for _, part := range []string{body[:900], body[900:]} {
					_, _ = w.Write([]byte(part))
					if !length {
						w.(http.Flusher).Flush()
					}
				}
			}, func(o *Options) { o.MaxBody = 2048 })
			_, err := c.Blocks(t.Context(), Page{})
			var e *Error
			if !errors.As(err, &e) || e.Kind != Decode || !errors.Is(err, ErrTooLarge) || e.BodyOffset != 2048 || len(e.Body) != 0 || n.Load() != 1 {
				t.Errorf("got %#v after %d", err, n.Load())
			}
			if want := "blocks: cannot decode the answer: it is larger than 2 KiB"; err.Error() != want {
				t.Errorf("says %q, want %q", err, want)
			}
		})
	}
	c := serve(t, func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, emptyList) }, func(o *Options) { o.MaxBody = int64(len(emptyList)) })
	if _, err := c.Blocks(t.Context(), Page{}); err != nil {
		t.Errorf("a body of just the limit: %v", err)
	}
}

func TestSizesAreSaidInTheGreatestUnit(t *testing.T) {
	for n, want := range map[int64]string{8 << 20: "8 MiB", 2048: "2 KiB", 1000: "1000 bytes", 1<<20 + 1: "1048577 bytes", 0: "0 bytes"} {
		if got := byteSize(n); got != want {
			t.Errorf("%d is %s, want %s", n, got, want)
		}
	}
}

func TestDecodeErrorsNameTheFieldAndTheByte(t *testing.T) {
	for _, tc := range []struct {
		name, body, path string
		offset           int64
	}{
		{"a height that is a string", `{"results":[{"height":1},{"height":"x"}]}`, "results[1].height", 35},
		{"a list that is an object", `{"results":{}}`, "results", 11},
		{"a row that is null", `{"results":[null]}`, "results[0]", 12},
		{"a transaction that is a number", `{"results":[{"txs":["a",5]}]}`, "results[0].txs[1]", 24},
		{"a map of counts with text", `{"results":[{"microblock_tx_count":{"0xa":true}}]}`, "results[0].microblock_tx_count.0xa", 42},
		{"an end too early", `{"results":[{"height":12`, "results[0].height", 24},
		{"text behind the end", `{"results":[]} x`, "", 15},
		{"a list in place of the envelope", `[]`, "", 0},
		{"no list", `{"limit":1}`, "", 11},
		{"a height beyond 64 bits", `{"results":[{"height":9223372036854775808}]}`, "results[0].height", 22},
		{"a height no chain can have", `{"results":[{"height":9007199254740992}]}`, "results[0].height", 22},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := serve(t, func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, tc.body) })
			_, err := c.Blocks(t.Context(), Page{})
			var e *Error
			if !errors.As(err, &e) || e.Kind != Decode || e.FieldPath != tc.path || e.BodyOffset != tc.offset {
				t.Errorf("got %v; want %s at %d", err, tc.path, tc.offset)
			}
		})
	}
}

func TestAnEmptyBurnBlockIsOneOfWhichTheServerSaysSo(t *testing.T) {
	for _, tc := range []struct {
		name   string
		status int
		body   string
		want   bool
	}{
		{"the listing", 404, `{"statusCode":404,"error":"Not Found","message":"Burn block not found"}`, true},
		{"one block by height", 404, `{"error":"Not Found","message":"cannot find block by height"}`, true},
		{"one block by height, before API 8", 404, `{"error":"cannot find block by height 5"}`, true},
		{"one block by hash", 404, `{"error":"Not Found","message":"cannot find block by burn block hash"}`, true},
		{"an unknown route", 404, `{"message":"Route GET:/x not found","error":"Not Found","statusCode":404}`, false},
		{"not recorded", 404, `{"error":"Not recorded"}`, false},
		{"a page of nginx", 404, `<html><h1>404 Not Found</h1></html>`, false},
		{"an empty body", 404, ``, false},
		{"a retired route", 410, `{"error":"Gone","message":"Burn block not found"}`, false},
		{"another failure in the same words", 500, `{"error":"Burn block not found"}`, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := serve(t, func(w http.ResponseWriter, _ *http.Request) { answer(w, tc.status, tc.body) })
			_, err := c.BurnBlockBlocks(t.Context(), "5", Page{})
			if EmptyBurnBlock(err) != tc.want {
				t.Errorf("%v: %t", err, !tc.want)
			}
		})
	}
	if EmptyBurnBlock(nil) || EmptyBurnBlock(errors.New("Burn block not found")) {
		t.Error("an error of our own says that a burn block is empty")
	}
}

func TestWaitsAreRoundedUp(t *testing.T) {
	for _, tc := range []struct {
		seconds float64
		want    string
	}{{0.2, "1 s"}, {38, "38 s"}, {119.5, "120 s"}, {241, "5 min"}, {300, "5 min"}, {7201, "3 h"}, {86400, "24 h"}} {
		e := &Error{Kind: RateLimited, Status: 429, RetryAfter: seconds(tc.seconds)}
		if want := "status 429 Too Many Requests; try again in " + tc.want; e.Error() != want {
			t.Errorf("%v s: %q, want %q", tc.seconds, e, want)
		}
	}
}

func TestAPanicInACallIsAnErrorOfThatCall(t *testing.T) {
	for _, store := range []bool{true, false} {
		c := serve(t, func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, `[]`) })
		_, err := fetch(t.Context(), c, request[int]{op: "x", path: "/x", store: store, decode: func([]byte) (int, error) {
			var none []int
			return none[3], nil
		}})
		var e *Error
		if !errors.As(err, &e) || e.Op != "x" || KindOf(err) != "" || !strings.Contains(err.Error(), "internal error: runtime error: index out of range") {
			t.Fatalf("got %v", err)
		}
		x := c.Log().Snapshot()[0]
		if !x.Done || !strings.Contains(x.Err, "failure_test.go") {
			t.Errorf("the exchange does not say where: %+v", x)
		}
	}
}

// Of a list of transactions the row and the field that cannot be read are named, by the route that
// answered.
func TestAnErrorInAListOfTransactionsNamesRowAndField(t *testing.T) {
	row := func(i int, wrong string) string {
		fee := `"180"`
		if i == 3 {
			fee = wrong
		}
		return fmt.Sprintf(`{"tx_id":"0x%02d","nonce":1,"tx_type":"coinbase","fee_rate":%s}`, i, fee)
	}
	list := func(wrap string, wrong string) string {
		rows := make([]string, 5)
		for i := range rows {
			rows[i] = fmt.Sprintf(wrap, row(i, wrong))
		}
		return `{"limit":20,"offset":0,"total":5,"results":[` + strings.Join(rows, ",") + `]}`
	}
	const principal = "SP000000000000000000002Q6VF78"
	for name, c := range map[string]struct {
		of                Among
		route, wrap, path string
	}{
		"the newest":      {Among{}, "/extended/v1/tx", "%s", "results[3].fee_rate"},
		"those that wait": {Among{Mempool: true}, "/extended/v1/tx/mempool", "%s", "results[3].fee_rate"},
		"of a block":      {Among{Block: "5"}, "/extended/v2/blocks/5/transactions", "%s", "results[3].fee_rate"},
		"of an account":   {Among{Principal: principal}, "/extended/v2/addresses/" + principal + "/transactions", `{"tx":%s,"stx_sent":"1","stx_received":"0"}`, "results[3].tx.fee_rate"},
	} {
		for _, wrong := range []string{`180`, `{}`, `["180"]`, `true`} {
			client := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != c.route {
					answer(w, 404, `{"message":"Route GET:/x not found","error":"Not Found","statusCode":404}`)
					return
				}
				answer(w, 200, list(c.wrap, wrong))
			})
			_, err := client.Transactions(t.Context(), c.of, 20, "")
			var e *Error
			if !errors.As(err, &e) || e.Kind != Decode || e.FieldPath != c.path || !strings.Contains(err.Error(), "at "+c.path) {
				t.Errorf("%s with a fee %s: %v, want the field %s", name, wrong, err, c.path)
			}
		}
	}
}
