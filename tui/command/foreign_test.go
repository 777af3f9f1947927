package command

import (
	"testing"

	"chainscope/apiclient"
)

// A mock takes accounts of both networks; a live API is asked only about its own.
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
