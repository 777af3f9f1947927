package apiclient

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const manyEventsID = "0xabababababababababababababababababababababababababababababababab"

// manyEvents is a server of a transaction of 250 events, by some of its routes.
type manyEvents struct {
	gone      []string
	block     string
	skip      int
	requested []string
}

func (m *manyEvents) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if slices.ContainsFunc(m.gone, func(route string) bool { return strings.HasPrefix(r.URL.Path, route) }) {
		answer(w, http.StatusGone, goneBody)
		return
	}
	m.requested = append(m.requested, r.URL.Path)
	number := func(name string) int { n, _ := strconv.Atoi(r.URL.Query().Get(name)); return n }
	v3 := strings.HasPrefix(r.URL.Path, "/extended/v3")
	limit, from := number("event_limit"), number("event_offset")
	if v3 {
		limit, from = number("limit"), number("cursor")
	}
	if from > 0 {
		from += m.skip
	}
	events := []any{}
	for i := from; i < min(250, from+limit); i++ {
		event := map[string]any{"event_index": i, "event_type": "stx_asset", "asset": map[string]any{"asset_event_type": "transfer", "amount": strconv.Itoa(i)}}
		if v3 {
			event = map[string]any{"event_index": i, "type": "stx_asset", "stx_asset": map[string]any{"type": "transfer", "amount": strconv.Itoa(i)}}
		}
		events = append(events, event)
	}
	var body any = map[string]any{"tx_id": manyEventsID, "tx_status": "success", "tx_type": "coinbase", "block_height": 7, "block_hash": m.block, "event_count": 250, "events": events}
	switch {
	case strings.HasSuffix(r.URL.Path, "/events"):
		body = map[string]any{"total": 250, "limit": limit, "cursor": map[string]any{}, "results": events}
	case v3:
		body = map[string]any{"tx_id": manyEventsID, "status": "success", "type": "coinbase", "block": map[string]any{"height": 7, "hash": m.block}, "event_count": 250}
	case strings.HasSuffix(r.URL.Path, "/multiple"):
		body = map[string]any{manyEventsID: map[string]any{"found": true, "result": body}}
	}
	raw, _ := json.Marshal(body)
	answer(w, http.StatusOK, string(raw))
}

// All events of a transaction can be read, with one request for each hundred and none twice,
// by whichever routes there are.
func TestTheEventsAfterTheFirstHundredAreReadPageByPage(t *testing.T) {
	for name, gone := range map[string][]string{
		"all routes":        nil,
		"after the sunset":  {"/extended/v1/tx/0x"},
		"none but those v3": {"/extended/v1"},
	} {
		t.Run(name, func(t *testing.T) {
			m := &manyEvents{gone: gone, block: someHashOf(1)}
			c := servedBy(t, m)
			a, err := c.Transaction(t.Context(), manyEventsID)
			if err != nil {
				t.Fatal(err)
			}
			whole, first, pages := a.Value, len(a.Value.Events), 0
			for ; whole.MissingEvents() > 0; pages++ {
				more, err := c.MoreEvents(t.Context(), &whole)
				if err != nil {
					t.Fatal(err)
				}
				whole = more.Value
			}
			for i, e := range whole.Events {
				if e.Index == nil || *e.Index != int64(i) || e.Asset == nil || e.Asset.Amount != strconv.Itoa(i) || e.Type != EventSTX {
					t.Fatalf("event %d is %+v", i, e)
				}
			}
			if want := (250 - first + MaxEvents - 1) / MaxEvents; len(whole.Events) != 250 || pages != want || len(m.requested) != 1+want {
				t.Errorf("%d events in %d pages: %v", len(whole.Events), pages, m.requested)
			}
			if len(a.Value.Events) != first {
				t.Error("the first answer was changed")
			}
		})
	}
}

// What another block says of a transaction, or a server that leaves events out, is not joined
// to what was read before.
func TestEventsThatDoNotFollowAreRefused(t *testing.T) {
	for name, change := range map[string]struct {
		do   func(*manyEvents)
		want string
	}{
		"another block": {func(m *manyEvents) { m.block = someHashOf(2) }, "the transaction has changed"},
		"a hole":        {func(m *manyEvents) { m.skip = 10 }, "begin with number 110 where number 100"},
		"none":          {func(m *manyEvents) { m.skip = 200 }, "0 events came where 150 are missing"},
	} {
		m := &manyEvents{block: someHashOf(1)}
		c := servedBy(t, m)
		a, err := c.Transaction(t.Context(), manyEventsID)
		if err != nil {
			t.Fatal(err)
		}
		change.do(m)
		if more, err := c.MoreEvents(t.Context(), &a.Value); KindOf(err) != Decode || !strings.Contains(err.Error(), change.want) {
			t.Errorf("%s: %d events, %v", name, len(more.Value.Events), err)
		}
	}
}

func someHashOf(n int) string { return fmt.Sprintf("0x%064x", n) }

func servedBy(t *testing.T, handler http.Handler) *Client {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	c, err := New(Options{BaseURL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}
