package apiclient_test

import (
	"net/http/httptest"
	"reflect"
	"testing"

	"chainscope/apiclient"
	"chainscope/apiclient/apitest"
)

// Holders, moves and holdings are read from what each version of the API answered, by the routes
// of v1 and v2 and, after the sunset, by those of v3 where there are some.
func TestWhoHasATokenIsReadAsTheAPIAnswers(t *testing.T) {
	const (
		owner  = "STAW66WC3G8WA5F28JVNG1NTRJ6H76E7EMHDBMBN"
		other  = "ST11NJTTKGVT6D1HY4NJRVQWMQM7TVAR091EJ8P2Y"
		token  = owner + ".demo-token::demo"
		ticket = owner + ".demo-token::ticket"
		first  = "0x0100000000000000000000000000000001"
		minted = "0x839fdbb890c272b8624272de6c0ff4894be2f5b329113754d3bbcc69bdbc02fd"
	)
	for _, version := range []string{apitest.Version8, apitest.Version9, apitest.Sunset} {
		t.Run(version, func(t *testing.T) {
			server := httptest.NewServer(apitest.Transactions(version))
			t.Cleanup(server.Close)
			c, err := apiclient.New(apiclient.Options{BaseURL: server.URL})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(c.Close)
			holders, err := c.FungibleHolders(t.Context(), token, 100, "")
			if want := []apiclient.Holder{{Principal: owner, Balance: "997499"}, {Principal: other, Balance: "2500"}}; err != nil || !reflect.DeepEqual(holders.Value.Results, want) || holders.Value.Total != 2 || holders.Value.Next != "" {
				t.Errorf("holders: %+v, %v", holders.Value, err)
			}
			moves, err := c.NonFungibleHistory(t.Context(), ticket, first, 50, "")
			if err != nil || len(moves.Value.Results) != 1 || moves.Value.Total != 1 || moves.Value.Next != "" {
				t.Fatalf("moves: %+v, %v", moves.Value, err)
			}
			if m := moves.Value.Results[0]; m.Sender != "" || m.Recipient != owner || m.TxID != minted || m.Index == nil || *m.Index != 1 {
				t.Errorf("a move is %+v", m)
			}
			ft, err := c.FungibleHoldings(t.Context(), owner)
			if err != nil || ft.Value.Total != 1 || len(ft.Value.Results) != 1 || ft.Value.Results[0].AssetID != token || ft.Value.Results[0].Balance != "997499" {
				t.Errorf("fungible holdings: %+v, %v", ft.Value, err)
			}
			nft, err := c.NonFungibleHoldings(t.Context(), owner)
			if err != nil || nft.Value.Total != 1 || len(nft.Value.Results) != 1 || nft.Value.Results[0].AssetID != ticket || nft.Value.Results[0].Value.Hex != first {
				t.Errorf("non-fungible holdings: %+v, %v", nft.Value, err)
			}
		})
	}
}
