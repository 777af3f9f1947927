package walletcmd

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"chainscope/apiclient"
)

// A mock takes accounts of both networks; a live API gets requests only about its own.
func TestAMockIsOfBothNetworks(t *testing.T) {
	for _, mock := range []bool{true, false} {
		c, err := apiclient.New(apiclient.Options{BaseURL: "http://127.0.0.1:1", Network: apiclient.Mainnet, Mock: mock})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.Close)
		s := chainSource{server: c}
		if s.foreign(t.Context(), true) || s.foreign(t.Context(), false) == mock {
			t.Errorf("mock %t: mainnet foreign %t, testnet foreign %t", mock, s.foreign(t.Context(), true), s.foreign(t.Context(), false))
		}
	}
}

// A proxy may drop the headers by which a mock is known.
func TestAMockBehindAProxyIsOfBothNetworks(t *testing.T) {
	for version, foreign := range map[string]bool{"stacks-node 4.0.0.0.0 (chainscope mock)": false, "stacks-node 4.0.0.0.0": true} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"network_id":1,"server_version":%q}`, version)
		}))
		t.Cleanup(server.Close)
		c, err := apiclient.New(apiclient.Options{BaseURL: server.URL})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.Close)
		if got := (chainSource{server: c}).foreign(t.Context(), false); got != foreign {
			t.Errorf("%s: testnet is foreign: %t", version, got)
		}
	}
}
