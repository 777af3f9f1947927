package mockclient_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"chainscope/tui/mockclient"
)

func TestWhatAServerAnswersInsteadOfACatalogue(t *testing.T) {
	for name, c := range map[string]struct {
		mock   bool
		status int
		body   string
		want   string // in the error
	}{
		"no such path":         {false, 404, `{"error":"not found"}`, "not a mock"},
		"a page of its own":    {false, 200, `<html>`, "not a mock"},
		"a mock's refusal":     {true, 403, `{}`, "answered 403"},
		"a mock's garbage":     {true, 200, `{"ft":1}`, "cannot unmarshal"},
		"far too much":         {true, 200, strings.Repeat(" ", 1<<20+1), "larger than 1 MiB"},
		"a redirect elsewhere": {true, 302, ``, "answered 302"},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/mock/v1/catalog" {
					t.Errorf("asked %s", r.URL.Path)
				}
				if c.mock {
					w.Header().Set("X-Mock-Scenario", "healthy")
				}
				w.Header().Set("Location", "/elsewhere")
				w.WriteHeader(c.status)
				_, _ = w.Write([]byte(c.body))
			}))
			defer server.Close()
			got, err := mockclient.New(server.URL+"/", nil).Catalogue(t.Context())
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v", err)
			}
			if len(got.FT)+len(got.NFT)+len(got.Namespaces) > 0 {
				t.Errorf("got tokens: %+v", got)
			}
		})
	}
}
