package apitest

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var versions = []string{Version8, Version9, Sunset}

// What is made for pages that were not recorded is, for those that were, what the real
// server answered.
func TestPagesAreMadeAsTheRealServerMakesThem(t *testing.T) {
	for _, version := range versions {
		s := New(version)
		for height, listing := range read[map[string]any]("burn-listings-epoch3") {
			s.answers["/extended/v2/burn-blocks/"+height+"/blocks"] = answer{Status: http.StatusOK, Body: listing}
		}
		compared := 0
		for path, want := range s.answers {
			u, err := url.Parse(path)
			if err != nil {
				t.Fatal(err)
			}
			if want.Status != 200 || u.Path == "/metadata/v1/ft" || strings.HasPrefix(u.Path, "/v1/namespaces/") || u.Query().Get("limit") == "0" {
				continue
			}
			status, made := s.make(u)
			if status == 0 {
				continue
			}
			text, err := json.Marshal(made)
			if err != nil {
				t.Fatal(err)
			}
			compared++
			if d := cmp.Diff(want.Body, value[any](text)); d != "" || status != want.Status {
				t.Errorf("%s: %s: %d %s", version, path, status, d)
			}
		}
		least := 28
		if version != Version8 {
			least += 5 // transactions of a block
		}
		if compared < least {
			t.Errorf("%s: only %d recorded pages were compared", version, compared)
		}
	}
}

// Each version answers each route with the status and the headers that were recorded of
// it, but where no body of that route was kept.
func TestRoutesLiveAndEndWithTheirVersion(t *testing.T) {
	unkept := []string{
		"/v1/names/user00000.id", "/extended/v1/address/", "/extended/v3/principals/", "/extended/v1/tx/", "/extended/v3/transactions/",
		"/extended/v2/mempool/fees", "/extended/v1/search/", "/extended/v1/info/", "/extended/v1/microblock", "/extended/v2/blocks/50/transactions",
	}
	for _, recorded := range read[[]map[string]json.RawMessage]("generations/by-generation") {
		path := value[string](recorded["path"])
		for _, version := range versions {
			want, w := value[answer](recorded[version]), httptest.NewRecorder()
			New(version).ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
			if want.Status == http.StatusOK && slices.ContainsFunc(unkept, func(prefix string) bool { return strings.HasPrefix(path, prefix) }) {
				continue
			}
			if w.Code != want.Status {
				t.Errorf("%s: %s: status %d, was %d", version, path, w.Code, want.Status)
			}
			for _, header := range []string{"warning", "x-api-version", "location"} {
				if got := w.Header().Get(header); got != want.Headers[header] {
					t.Errorf("%s: %s: %s is %q, was %q", version, path, header, got, want.Headers[header])
				}
			}
		}
	}
}
