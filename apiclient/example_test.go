package apiclient_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"chainscope/apiclient"
	"chainscope/apiclient/apitest"
)

// The two newest blocks of a list are read from a server that answers with
// recorded blocks, and then a block that this server does not have.
func Example() {
	recorded, err := apitest.Recorded.ReadFile("recorded/blocks-epoch3.json")
	if err != nil {
		panic(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Path != "/extended/v1/block" {
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, `{"error":"Not Found","message":"cannot find block by height"}`)
			return
		}
		fmt.Fprintf(w, `{"limit":2,"offset":0,"total":50,"results":%s}`, recorded)
	}))
	defer server.Close()

	client, err := apiclient.New(apiclient.Options{BaseURL: server.URL})
	if err != nil {
		panic(err)
	}
	defer client.Close()

	ctx := context.Background()
	blocks, err := client.Blocks(ctx, apiclient.Page{Limit: 2})
	if err != nil {
		panic(err)
	}
	for _, b := range blocks.Value.Results[:2] {
		fmt.Println(b.Height, b.Hash[:10], len(b.Txs), "transactions")
	}
	fmt.Println("of", blocks.Value.Total)

	_, err = client.BlockByBurnHeight(ctx, 5)
	fmt.Println(apiclient.KindOf(err), apiclient.EmptyBurnBlock(err))
	fmt.Println(err)

	for _, e := range client.Log().Snapshot() {
		fmt.Println(e.Method, e.URL[len(server.URL):], e.Status)
	}
	// Output:
	// 50 0x5705546e 3 transactions
	// 49 0xd50977f9 1 transactions
	// of 50
	// not_found true
	// block by burn height: cannot find block by height (status 404)
	// GET /extended/v1/block?limit=2 200
	// GET /extended/v1/block/by_burn_block_height/5 404
}
