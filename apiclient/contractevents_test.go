package apiclient

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"chainscope/apiclient/apitest"

	jsonv2 "github.com/go-json-experiment/json"
)

// Each generation has another route, and all answer the same; a page costs one request.
func TestWhatAContractPrintedIsReadOnEveryGeneration(t *testing.T) {
	for version, generation := range map[string]int{apitest.Version8: 1, apitest.Version9: 1, apitest.Sunset: 2} {
		c := recordedClient(t, version)
		a, err := c.ContractEvents(t.Context(), demoToken, 2, "")
		if err != nil || a.Generation != generation || len(a.Value.Results) != 1 || a.Value.Next != "" {
			t.Fatalf("%s: %+v, %v", version, a, err)
		}
		e := a.Value.Results[0]
		if e.TxID != "0xa11d1be9ff2319c1a17b324e8823d2b2225e39a25e33414884810e7a8b7e75e6" || e.Type != EventLog || *e.Index != 0 ||
			e.Log.ContractID != demoToken || e.Log.Topic != "print" || e.Log.Value.Repr != `(tuple (amount u2500) (op "transfer"))` || len(e.Extra) > 0 {
			t.Errorf("%s: %+v %+v", version, e, e.Log)
		}
		if total := int64(generation - 1); a.Value.Total != total {
			t.Errorf("%s: total %d, want %d", version, a.Value.Total, total)
		}
	}
	c := recordedClient(t, apitest.Version9, "/extended/v1/contract")
	if a, err := c.ContractEvents(t.Context(), demoToken, 2, ""); err != nil || a.Generation != 2 || a.Value.Total != 1 {
		t.Errorf("without the route of v1: %+v, %v", a, err)
	}
}

// A page leads to the next by the route that it came by.
func TestPagesOfWhatAContractPrintedAreWalked(t *testing.T) {
	for _, first := range []string{"v1", "v2"} {
		requested := 0
		c := nodeServer(t, func(w http.ResponseWriter, r *http.Request, _ string) {
			requested++
			q := r.URL.Query()
			switch {
			case strings.HasPrefix(r.URL.Path, "/extended/v1/"):
				if first == "v2" {
					answer(w, http.StatusGone, goneBody)
					return
				}
				rows := `{"tx_id":"0x01","event_index":0,"event_type":"smart_contract_log"}`
				if q.Get("offset") == "" {
					rows += "," + rows
				}
				answer(w, http.StatusOK, fmt.Sprintf(`{"limit":2,"offset":%d,"results":[%s]}`, len(q.Get("offset"))*2, rows))
			case q.Get("cursor") == "":
				answer(w, http.StatusOK, `{"limit":2,"offset":0,"total":3,"next_cursor":"9:1:0:0","results":[{"tx_id":"0x03"},{"tx_id":"0x02"}]}`)
			case q.Get("cursor") == "9:1:0:0":
				answer(w, http.StatusOK, `{"limit":2,"offset":0,"total":3,"next_cursor":null,"results":[{"tx_id":"0x01"}]}`)
			default:
				t.Errorf("requested %s", r.URL)
			}
		})
		rows, cursor := 0, ""
		for page := range 3 {
			a, err := c.ContractEvents(t.Context(), demoToken, 2, cursor)
			if err != nil {
				t.Fatalf("%s: page %d: %v", first, page+1, err)
			}
			rows += len(a.Value.Results)
			if cursor = a.Value.Next; cursor == "" {
				break
			}
		}
		if want := map[string]int{"v1": 2, "v2": 3}[first]; rows != 3 || cursor != "" || requested != want {
			t.Errorf("%s: %d rows by %d requests, then %q", first, rows, requested, cursor)
		}
	}
}

func TestWhatIsNoPageOfPrintsIsNotRequested(t *testing.T) {
	c := nodeServer(t, func(_ http.ResponseWriter, r *http.Request, _ string) { t.Errorf("requested %s", r.URL) })
	for name, send := range map[string]func() error{
		"account": func() error {
			_, err := c.ContractEvents(t.Context(), "STAW66WC3G8WA5F28JVNG1NTRJ6H76E7EMHDBMBN", 5, "")
			return err
		},
		"limit":  func() error { _, err := c.ContractEvents(t.Context(), demoToken, 101, ""); return err },
		"cursor": func() error { _, err := c.ContractEvents(t.Context(), demoToken, 5, "offset:-1"); return err },
	} {
		if err := send(); KindOf(err) != InvalidInput {
			t.Errorf("%s: %v", name, err)
		}
	}
	broken := nodeServer(t, func(w http.ResponseWriter, _ *http.Request, _ string) { answer(w, http.StatusOK, `{"limit":2}`) })
	if _, err := broken.ContractEvents(t.Context(), demoToken, 5, ""); KindOf(err) != Decode {
		t.Errorf("a page without rows: %v", err)
	}
}

// What any text is read as can be written and read again.
func FuzzContractEvents(f *testing.F) {
	for _, e := range named(apitest.Sunset, "v2-contract-logs") {
		f.Add([]byte(e.Body))
	}
	f.Add([]byte(`{"limit":-1,"offset":9223372036854775807,"results":[{"tx_id":1,"event_index":-1,"contract_log":null}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		page, err := contractEvents(func(l *pageOfEvents) string { return l.NextCursor })(body)
		if err != nil {
			return
		}
		raw, err := jsonv2.Marshal(page)
		if err != nil {
			return // a text that is no UTF-8
		}
		again, err := contractEvents(func(l *pageOfEvents) string { return "" })(raw)
		if err != nil || len(again.Results) != len(page.Results) || again.Total != page.Total {
			t.Fatalf("%s, then %v: %v", raw, again, err)
		}
	})
}
