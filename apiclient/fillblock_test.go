package apiclient

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// afterV1 is a block as v2 lists it, without its transactions.
var afterV1 = Block{Height: 7, IndexBlockHash: "0x" + strings.Repeat("7", 64), Lacks: lacksInV2}

func TestTheTransactionsOfABlockAreReadToTheLast(t *testing.T) {
	for name, c := range map[string]struct {
		count, requests int
		known           bool
	}{"none": {0, 1, true}, "a page": {50, 1, true}, "some pages": {120, 3, true}, "more than are read": {501, 10, false}} {
		t.Run(name, func(t *testing.T) {
			requested := 0
			client := serve(t, func(w http.ResponseWriter, r *http.Request) {
				requested++
				if want := "/extended/v3/blocks/" + afterV1.IndexBlockHash + "/transactions"; r.URL.Path != want || r.FormValue("limit") != "50" {
					t.Errorf("requested %s", r.URL)
				}
				first := 0
				_, _ = fmt.Sscanf(r.FormValue("cursor"), "7:0:%d", &first)
				last, next := min(first+50, c.count), "null"
				if last < c.count {
					next = fmt.Sprintf(`"7:0:%d"`, last)
				}
				var rows []string
				for i := first; i < last; i++ {
					rows = append(rows, fmt.Sprintf(`{"tx_id":"0x%064x","status":"success"}`, i))
				}
				answer(w, 200, fmt.Sprintf(`{"total":%d,"limit":50,"cursor":{"next":%s},"results":[%s]}`, c.count, next, strings.Join(rows, ",")))
			})
			b, err := client.Complete(t.Context(), afterV1)
			if err != nil || b.Lacks["txs"] == c.known || (b.Txs != nil) != c.known || requested != c.requests {
				t.Fatalf("%d ids, lacks %v, %d requests, %v", len(b.Txs), b.Lacks, requested, err)
			}
			if c.known && len(b.Txs) != c.count || c.count == 120 && b.Txs[119] != fmt.Sprintf("0x%064x", 119) {
				t.Errorf("read %d: %v", len(b.Txs), b.Txs)
			}
			if !afterV1.Lacks["txs"] || !b.Lacks["microblocks_accepted"] {
				t.Errorf("lacks %v, did %v", b.Lacks, afterV1.Lacks)
			}
		})
	}
}

func TestWhatNoRouteReportsOfABlockStaysUnknown(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		body   string
		kind   Kind
	}{
		"no such route": {404, `{"message":"Route GET:/x not found","error":"Not Found","statusCode":404}`, ""},
		"retired":       {410, goneBody, ""},
		"replaced":      {404, `{"statusCode":404,"error":"Not Found","message":"Block not found"}`, NotFound},
		"broken":        {500, `{"statusCode":500,"error":"Internal Server Error"}`, ServerFault},
	} {
		t.Run(name, func(t *testing.T) {
			client := serve(t, func(w http.ResponseWriter, _ *http.Request) { answer(w, c.status, c.body) })
			b, err := client.Complete(t.Context(), afterV1)
			if KindOf(err) != c.kind || b.Txs != nil || !b.Lacks["txs"] {
				t.Errorf("%v, %v, lacks %v", err, b.Txs, b.Lacks)
			}
		})
	}
}
