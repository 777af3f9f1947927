package service

import (
	"encoding/json"
	"slices"
	"testing"
)

// logged is a store that keeps the lines of one log.
type logged struct {
	Store
	lines []json.RawMessage
}

func (l *logged) Append(_ string, value any) error {
	raw, err := json.Marshal(value)
	l.lines = append(l.lines, raw)
	return err
}

func (l *logged) Last(string, int) ([]json.RawMessage, error) { return l.lines, nil }

func (l *logged) Shorten(string, int64) error { return nil }

func TestTheTimelineHasTheCallsOfItsAPI(t *testing.T) {
	log := &logged{}
	for _, c := range []Call{{ID: 1, API: "mainnet", Method: "a"}, {ID: 2, API: "MOCK", Method: "b"}, {ID: 3, Method: "c"}} {
		if err := (&timeline{store: log}).write(c); err != nil {
			t.Fatal(err)
		}
	}
	for api, want := range map[string][]string{"": {"a", "b", "c"}, "mainnet": {"a", "c"}, "MOCK": {"b", "c"}, "testnet": {"c"}} {
		of := &timeline{store: log, api: api}
		if err := of.load(); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range of.all() {
			got = append(got, c.Method)
		}
		if !slices.Equal(got, want) {
			t.Errorf("of %q it has %q, want %q", api, got, want)
		}
		if id := of.nextID(); id != 4 {
			t.Errorf("of %q the next id is %d, which another call has", api, id)
		}
	}
}
