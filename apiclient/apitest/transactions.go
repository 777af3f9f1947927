package apitest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// Exchange is a request of the recordings of transactions, accounts and contracts, and
// what the real service answered.
type Exchange struct {
	Name    string            `json:"name"`
	Method  string            `json:"method"`
	Path    string            `json:"path"` // with its query
	Status  int               `json:"status"`
	Headers map[string]string `json:"headers"`
	Body    json.RawMessage   `json:"body"`
}

// Exchanges returns the recordings of a version of the API: Version8, Version9 or Sunset.
func Exchanges(version string) []Exchange {
	return read[[]Exchange]("transactions/" + version)
}

// Transactions serves the recordings of a version, by path and query; what was not
// recorded is an unknown route. Params that only say how many rows are wanted need not be
// those that were recorded. Several transactions by their ids are those of version 9, one
// by one.
func Transactions(version string) http.Handler {
	by := map[string]Exchange{}
	for _, e := range Exchanges(version) {
		if key := exchangeKey(e.Path); by[key].Status != http.StatusOK {
			by[key] = e
		}
	}
	whole := map[string]json.RawMessage{}
	for _, e := range Exchanges(Version9) {
		if id, isOne := strings.CutPrefix(e.Path, "/extended/v1/tx/0x"); isOne && e.Status == http.StatusOK && !strings.ContainsAny(id, "/?") {
			whole["0x"+id] = e.Body
		}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		if id := r.URL.Query().Get("tx_id"); r.URL.Path == "/extended/v1/tx/multiple" {
			body, known := whole[id]
			if !known {
				body = fmt.Appendf(nil, `{"tx_id":%q}`, id)
			}
			fmt.Fprintf(w, `{%q:{"found":%t,"result":%s}}`, id, known, body)
			return
		}
		e, recorded := by[exchangeKey(r.URL.RequestURI())]
		if !recorded {
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprintf(w, `{"message":"Route GET:%s not found","error":"Not Found","statusCode":404}`, r.URL.Path)
			return
		}
		for name, value := range e.Headers {
			w.Header().Set(name, value)
		}
		w.WriteHeader(e.Status)
		_, _ = w.Write(e.Body)
	})
}

// exchangeKey returns what a request is found by.
func exchangeKey(path string) string {
	u, err := url.Parse(path)
	if err != nil {
		return path
	}
	query := u.Query()
	for _, sizes := range []string{"limit", "event_limit", "include", "include_mempool", "include_metadata", "tx_metadata"} {
		query.Del(sizes)
	}
	return u.Path + "?" + query.Encode()
}
