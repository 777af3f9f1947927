package direct

import (
	"bufio"
	"bytes"
	"maps"
	"net/http"
	"slices"
	"testing"
)

// FuzzPlainRequest holds every request that is read here against net/http.
func FuzzPlainRequest(f *testing.F) {
	const fields = "Host: 127.0.0.1:3999\r\n\r\n"
	for _, s := range []string{
		"GET / HTTP/1.1\r\n" + fields,
		"GET /extended/v1/block?limit=30&offset=7 HTTP/1.1\r\nUser-Agent: a  b\r\naccept:*/*\r\nAccept: x\r\n" + fields,
		"GET /v1/namespaces/btc/names?page=%20+ HTTP/1.1\r\nIf-None-Match: \"0x1\", W/\"2\"\r\n" + fields,
		"GET /../a//b HTTP/1.1\r\nHost: [::1]:80\r\n\r\n",
		"GET //a HTTP/1.1\r\n" + fields, "GET /a? HTTP/1.1\r\n" + fields, "GET /a#b HTTP/1.1\r\n" + fields,
		"GET /a%2Fb HTTP/1.1\r\n" + fields, "GET * HTTP/1.1\r\n" + fields, "GET http://a/ HTTP/1.1\r\n" + fields,
		"GET / HTTP/1.0\r\n" + fields, "HEAD / HTTP/1.1\r\n" + fields, "GET  / HTTP/1.1\r\n" + fields,
		"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n",
		"GET / HTTP/1.1\r\nHost : a\r\n\r\n", "GET / HTTP/1.1\r\n Host: a\r\n\r\n", "GET / HTTP/1.1\nHost: a\n\n",
		"GET / HTTP/1.1\r\nAccept: a\r\n b\r\n" + fields, "GET / HTTP/1.1\rX\r\n" + fields,
		"GET / HTTP/1.1\r\nContent-Length: 4\r\n" + fields, "GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n" + fields,
		"GET / HTTP/1.1\r\nConnection: close\r\n" + fields, "GET / HTTP/1.1\r\nExpect: 100-continue\r\n" + fields,
		"GET / HTTP/1.1\r\n" + fields + "GET / HTTP/1.1\r\n" + fields,
		"GET / HTTP/1.1\r\nPrefer: code=503\r\n" + fields, "\r\n\r", "\r\n\r\n",
	} {
		f.Add([]byte(s), []byte("GET /b?c HTTP/1.1\r\n"+fields))
	}
	f.Fuzz(func(t *testing.T, first, second []byte) {
		r := newRequest("127.0.0.1:1")
		for _, b := range [][]byte{first, second} {
			if len(b) > maxRequest || !r.read(b) {
				return // the connection is net/http's from here on
			}
			rest := bufio.NewReader(bytes.NewReader(b))
			want, err := http.ReadRequest(rest)
			if err != nil {
				t.Fatalf("%q was read, and net/http says %v", b, err)
			}
			if rest.Buffered() > 0 {
				t.Fatalf("%q holds more than one request", b)
			}
			got := &r.http
			if got.Method != want.Method || got.Proto != want.Proto || got.ProtoMajor != want.ProtoMajor || got.ProtoMinor != want.ProtoMinor ||
				got.RequestURI != want.RequestURI || *got.URL != *want.URL || got.URL.EscapedPath() != want.URL.EscapedPath() ||
				got.Host != want.Host || !maps.EqualFunc(got.Header, want.Header, slices.Equal) {
				t.Fatalf("%q was read as %+v (%+v), by net/http as %+v (%+v)", b, got, got.URL, want, want.URL)
			}
			if want.ContentLength != 0 || want.Close || len(want.TransferEncoding) > 0 || want.Body != http.NoBody || len(want.Trailer) > 0 {
				t.Fatalf("%q is not plain: %+v", b, want)
			}
		}
	})
}
