package apiclient_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"chainscope/apiclient"
	"chainscope/mockserver"
)

// onV3 is a client of a mock that serves blocks by v3 alone, whose newest has the height
// 1,000,000, and how often it asked for the list.
func onV3(t *testing.T) (c *apiclient.Client, url string, asked func() int) {
	t.Helper()
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	mock, err := mockserver.New(mockserver.Config{Seed: 1, Freeze: &at, APIVersion: "v3"})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(mock)
	c, err = apiclient.New(apiclient.Options{BaseURL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(); server.Close(); _ = mock.Close() })
	before := 0
	return c, server.URL, func() int {
		n := 0
		for _, e := range c.Log().Snapshot() {
			if strings.Contains(e.URL, "/extended/v3/blocks") {
				n++
			}
		}
		n, before = n-before, n
		return n
	}
}

// Who scrolls where only v3 lists blocks pays one request for each page, as far as they
// go; who opens a page far down pays for those before it.
func TestTheListOfV3IsWalkedOn(t *testing.T) {
	c, url, asked := onV3(t)
	limit := 30
	reads := func(offset, requests int, newest int64) {
		t.Helper()
		a, err := c.Blocks(t.Context(), apiclient.Page{Limit: &limit, Offset: offset})
		if err != nil || a.Value.Results[0].Height != newest-int64(offset) || a.Value.Offset != int64(offset) {
			t.Fatalf("offset %d: %v, begins at %+v", offset, err, a.Value.Results)
		}
		if n := asked(); n != requests {
			t.Errorf("offset %d took %d requests", offset, n)
		}
	}
	for offset := 0; offset <= 600; offset += 30 {
		reads(offset, 1, 1_000_000)
	}
	reads(615, 2, 1_000_000)
	reads(300, 1, 1_000_000)
	if _, err := c.Blocks(t.Context(), apiclient.Page{Limit: &limit, Offset: 2000}); apiclient.KindOf(err) != apiclient.InvalidInput || asked() != 0 {
		t.Errorf("offset 2000: %v", err)
	}
	mine(t, url)
	reads(0, 1, 1_000_001)
	reads(31, 1, 1_000_001)
	a, err := c.BurnBlockBlocks(t.Context(), "latest", apiclient.Page{Offset: 500})
	if err != nil || len(a.Value.Results) != 0 {
		t.Errorf("past the end of a burn block: %+v, %v", a.Value, err)
	}
}

// listV3 is a list of a thousand blocks. A cursor leads lower than it did when era has
// changed since it was given.
func listV3(era *int) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Path != "/extended/v3/blocks" {
			w.WriteHeader(http.StatusGone)
			_, _ = w.Write([]byte(`{"error":"Gone"}`))
			return
		}
		limit, of, first := 20, *era, 1000
		_, _ = fmt.Sscan(r.FormValue("limit"), &limit)
		_, _ = fmt.Sscanf(r.FormValue("cursor"), "%d:%d", &of, &first)
		if of != *era {
			first -= 5
		}
		var rows []string
		for h := first; h > first-limit; h-- {
			rows = append(rows, fmt.Sprintf(`{"height":%d,"hash":"0x%064x"}`, h, h))
		}
		fmt.Fprintf(w, `{"total":1000,"limit":%d,"cursor":{"next":"%d:%d"},"results":[%s]}`, limit, *era, first-limit, strings.Join(rows, ","))
	})
}

// A server may count by cursors that lead elsewhere after blocks were replaced.
func TestACursorOfV3ThatLeadsElsewhereIsForgotten(t *testing.T) {
	era := 0
	server := httptest.NewServer(listV3(&era))
	t.Cleanup(server.Close)
	c, err := apiclient.New(apiclient.Options{BaseURL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	limit := 30
	for _, step := range []struct{ era, offset int }{{0, 0}, {0, 30}, {1, 60}, {1, 90}} {
		era = step.era
		a, err := c.Blocks(t.Context(), apiclient.Page{Limit: &limit, Offset: step.offset})
		if want := int64(1000 - step.offset); err != nil || a.Value.Results[0].Height != want {
			t.Errorf("offset %d: %v, begins at %+v", step.offset, err, a.Value.Results)
		}
	}
}
