package mockserver_test

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"chainscope/mockserver"
)

// A Server is an http.Handler: a test of an API client needs no more than this.
// The clock of the chain is stopped, so that every run sees the same blocks,
// until a block is mined.
func Example() {
	midnight := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	mock, err := mockserver.New(mockserver.Config{Seed: 1, Freeze: &midnight})
	if err != nil {
		log.Fatal(err)
	}
	defer mock.Close()
	api := httptest.NewServer(mock)
	defer api.Close()

	show := func(when string) {
		res, err := http.Get(api.URL + "/extended/v1/block?limit=2")
		if err != nil {
			log.Fatal(err)
		}
		defer res.Body.Close()
		var page struct {
			Total   int
			Results []struct {
				Height int
				Txs    []string
			}
		}
		if err := json.NewDecoder(res.Body).Decode(&page); err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %d blocks\n", when, page.Total)
		for _, block := range page.Results {
			fmt.Printf("  block %d with %d transactions\n", block.Height, len(block.Txs))
		}
	}

	show("at first")
	res, err := http.Post(api.URL+"/mock/v1/mine", "application/json", strings.NewReader(`{"blocks":1}`))
	if err != nil {
		log.Fatal(err)
	}
	res.Body.Close()
	show("mined")
	// Output:
	// at first: 1000000 blocks
	//   block 1000000 with 4 transactions
	//   block 999999 with 6 transactions
	// mined: 1000001 blocks
	//   block 1000001 with 7 transactions
	//   block 1000000 with 4 transactions
}
