package uitest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
)

// ListedTx is a transaction in a list of v1. The zero value means what it lacks.
type ListedTx struct {
	ID       string `json:"tx_id"`
	Type     string `json:"tx_type"`
	Sender   string `json:"sender_address"`
	Time     int64  `json:"block_time"`   // Unix seconds
	Received int64  `json:"receipt_time"` // Unix seconds
	Transfer struct {
		To string `json:"recipient_address"`
	} `json:"token_transfer"`
	Call struct {
		Contract string `json:"contract_id"`
		Function string `json:"function_name"`
	} `json:"contract_call"`
}

// ListedTxs reads a list of v1 at a URL to its end, without the client that is tested.
func ListedTxs(t testing.TB, url string) (all []ListedTx) {
	t.Helper()
	for {
		answer, err := http.Get(fmt.Sprintf("%s?limit=50&offset=%d", url, len(all)))
		if err != nil {
			t.Fatal(err)
		}
		var page struct {
			Total   int
			Results []ListedTx
		}
		err = json.NewDecoder(answer.Body).Decode(&page)
		_ = answer.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		if all = append(all, page.Results...); len(all) >= page.Total || len(page.Results) == 0 {
			return all
		}
	}
}
