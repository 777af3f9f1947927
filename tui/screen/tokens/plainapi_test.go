package tokens

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"chainscope/tui/nav"
)

// withoutTokens answers for the routes of token metadata as a Stacks API without them does.
type withoutTokens struct{ next http.RoundTripper }

func (p withoutTokens) RoundTrip(r *http.Request) (*http.Response, error) {
	if !strings.HasPrefix(r.URL.Path, "/metadata/") {
		return p.next.RoundTrip(r)
	}
	w := httptest.NewRecorder()
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(http.StatusNotFound)
	_, _ = w.WriteString(`{"message":"Route GET:` + r.URL.Path + ` not found","error":"Not Found","statusCode":404}`)
	resp := w.Result()
	resp.Request = r
	return resp, nil
}

func TestAServerWithoutTokenMetadataIsCalledSo(t *testing.T) {
	// The catalogue is empty: only what the server lists would be there.
	s := setup{wrap: func(real http.RoundTripper) http.RoundTripper { return withoutTokens{real} }}
	s.noCatalogue, s.opts.List = true, true
	d := start(t, s)
	d.open(nav.Tokens())
	d.sees("This API has no token metadata", "A Stacks API by itself has none", "go to the contract of one")
	d.seesNot("No tokens yet", "again in", "type a", "find one by its name")
	d.open(nav.FT("SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.usda-token", ""))
	d.sees("This API has no token metadata", "A Stacks API by itself has none", "usda-token", "the contract")
	d.seesNot("Route GET", "again in", "change what was typed")
}
