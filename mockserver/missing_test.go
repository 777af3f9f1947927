package mockserver

import (
	"strings"
	"testing"

	"chainscope/mockserver/contracts"
)

// A dapp that reads 404 as "this name is free" must not get it of a route that only the mock
// lacks; one that this version of the service never had is 404 as ever.
func TestARouteThatTheMockLacksIsNotTakenForOneThatDoesNotExist(t *testing.T) {
	rows := []struct {
		version, method, target string
		want                    int
		name                    string // in what was requested and is not described, "" for nothing
	}{
		{"9", "GET", "/extended/v1/pox4/stacker/SP1", 501, "GET /extended/v1/{pox}/stacker/{principal}"},
		{"8", "GET", "/extended/v1/pox4/events/", 501, "GET /extended/v1/{pox}/events"},
		{"8", "GET", "/v3/blocks/height/12", 501, "GET /v3/blocks/height/{height}"},
		{"v3", "GET", "/v3/sortitions/burn_height/12", 501, "GET /v3/sortitions/{key}/{value}"},
		{"sunset", "GET", "/v3/tenures/info", 501, "GET /v3/tenures/info"},
		{"9", "GET", "/signer-metrics/v1/cycles/95/signers?limit=9", 501, "GET /signer-metrics/v1/cycles/{cycle}/signers"},
		{"9", "GET", "/v3/nothing", 404, ""},
		{"9", "POST", "/extended/v1/faucets/sbtc?address=ST1", 501, "POST /extended/v1/faucets/sbtc"},
		{"8", "POST", "/extended/v1/faucets/sbtc", 404, ""},
		{"8", "POST", "/rosetta/v1/construction/derive", 501, "POST /rosetta/v1/construction/{step}"},
		{"9", "POST", "/rosetta/v1/construction/derive", 404, ""},
		{"9", "GET", "/extended/v1/microblock/0xab", 501, "GET /extended/v1/microblock/{hash}"},
		{"sunset", "GET", "/extended/v1/microblock/0xab", 410, ""},
		{"v3", "GET", "/extended/v3/transactions/batch?tx_id=0xab", 501, "GET /extended/v3/transactions/batch"},
		{"9", "GET", "/extended/v3/tokens/stx/holders", 404, ""},
		{"8", "GET", "/extended/v3/tokens/stx/supply", 404, ""},
		{"9", "GET", "/extended/v9/anything", 404, ""},
	}
	for _, r := range rows {
		var log strings.Builder
		s := anchored(t, version(r.version), func(c *Config) { c.AccessLog = &log })
		w := request(t, s, r.method, r.target)
		missing := ""
		if r.want == 501 {
			missing = "1"
		}
		if w.Code != r.want || w.Header().Get("X-Mock-Missing") != missing {
			t.Errorf("%s: %s %s: %d, X-Mock-Missing %q, want %d: %s", r.version, r.method, r.target, w.Code, w.Header().Get("X-Mock-Missing"), r.want, w.Body)
		}
		vain := read[undescribed](t, get(s, "/mock/v1/undescribed"))
		if r.name == "" {
			if len(vain.Undescribed) != 0 {
				t.Errorf("%s: %s is among what was requested and is not described: %+v", r.version, r.target, vain.Undescribed)
			}
			continue
		}
		request(t, s, r.method, r.target)
		vain = read[undescribed](t, get(s, "/mock/v1/undescribed"))
		want := contracts.Lack{N: 2, Kind: "route", Name: r.name}
		if len(vain.Undescribed) != 1 || vain.Contracts != "" || vain.Next != 2 {
			t.Errorf("%s: not described: %+v", r.target, vain)
			continue
		}
		if got := vain.Undescribed[0]; got.N != want.N || got.Kind != want.Kind || got.Name != want.Name || !strings.HasSuffix(got.Args[0], r.target) {
			t.Errorf("%s: not described: %+v", r.target, got)
		}
		if !strings.Contains(log.String(), r.name+": the service has this route, the mock does not serve it") {
			t.Errorf("the log does not name %s: %s", r.name, &log)
		}
	}
}
