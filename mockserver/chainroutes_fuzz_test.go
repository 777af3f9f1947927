package mockserver

import (
	"encoding/json"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// FuzzAddresses sends anything at all to every route of the chain: the answer
// is one of the contract's, and JSON.
func FuzzAddresses(f *testing.F) {
	for _, seed := range []string{"latest", "756066", "-1", "0x" + zeros, "0X" + zeros, "1e300", "btc", "\x1b[2J", "../..", "%2f", "0xzz", "2147483648", ""} {
		f.Add(seed, "limit=1")
	}
	f.Add("latest", "limit=30&offset=9e18")
	f.Add("btc", "page=2.5&unanchored=true")
	f.Add("btc", "page=-Infinity")
	s := anchored(f)
	f.Fuzz(func(t *testing.T, address, query string) {
		for _, path := range []string{byHeight + "%s", byHash + "%s", burnURL + "%s/blocks", "/v1/namespaces/%s/names", blockURL} {
			r := httptest.NewRequest("GET", "http://127.0.0.1/", nil)
			before, after, found := strings.Cut(path, "%s")
			escaped := before
			if found {
				escaped += url.PathEscape(address) + after
			}
			u, err := url.Parse(escaped)
			if err != nil {
				return // no client can send it
			}
			u.RawQuery = query
			r.URL, r.RequestURI = u, u.RequestURI()
			w := httptest.NewRecorder()
			s.ServeHTTP(w, r)
			switch w.Code {
			case 200, 400, 404:
				if !json.Valid(w.Body.Bytes()) {
					t.Fatalf("%s?%s: %s", escaped, query, w.Body)
				}
			case 302:
				if w.Body.Len() > 0 || w.Header().Get("Location") == "" {
					t.Fatalf("%s?%s: redirected to %q", escaped, query, w.Header().Get("Location"))
				}
			default:
				t.Fatalf("%s?%s: status %d", escaped, query, w.Code)
			}
		}
	})
}
