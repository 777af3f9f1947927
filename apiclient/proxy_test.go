package apiclient

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"chainscope/apiclient/wire"
)

// What fails at a proxy is said of the proxy, and a password that it requires is not
// sought by trying again.
func TestAFailureBehindAProxyNamesTheProxy(t *testing.T) {
	requested := 0
	answering := func(status int) string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			requested++
			w.WriteHeader(status)
		}))
		t.Cleanup(s.Close)
		return strings.TrimPrefix(s.URL, "http://")
	}
	password, closed, nobody := answering(http.StatusProxyAuthRequired), answering(http.StatusForbidden), closedPort(t)
	for _, c := range []struct {
		base, proxy, says string
		requested         int
	}{
		{"https://api.example.test", password, "the proxy " + password + " requires a password", 1},
		{"http://api.example.test", password, "the proxy requires a password", 1},
		{"https://api.example.test", closed, "the proxy " + closed + " refused the connection: status 403", 1},
		{"https://api.example.test", nobody, "cannot reach the proxy " + nobody + ": connection refused", 0},
		{"http://api.example.test", nobody, "cannot reach the proxy " + nobody + ": connection refused", 0},
	} {
		requested = 0
		tr, err := wire.NewTransport(wire.TransportOptions{})
		if err != nil {
			t.Fatal(err)
		}
		own := tr.Base().(*http.Transport)
		own.Proxy = http.ProxyURL(&url.URL{Scheme: "http", Host: c.proxy})
		client := newClient(t, Options{BaseURL: c.base, Backoff: 1, Transport: own})
		_, err = client.Blocks(t.Context(), Page{})
		var e *Error
		if !errors.As(err, &e) || e.Kind != Offline || !strings.Contains(e.Error(), c.says) || requested != c.requested {
			t.Errorf("%s behind %s: %v, %d requests", c.base, c.proxy, err, requested)
		}
	}
}
