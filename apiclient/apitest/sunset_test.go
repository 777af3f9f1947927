package apitest

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What is made for pages that were not recorded is, for those that were, what the real
// server answered.
func TestPagesAreMadeAsTheRealServerMakesThem(t *testing.T) {
	s := NewSunset()
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
		var got any
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		compared++
		if d := cmp.Diff(want.Body, got); d != "" || status != want.Status {
			t.Errorf("%s: %d %s", path, status, d)
		}
	}
	if compared < 20 {
		t.Errorf("only %d recorded pages were compared", compared)
	}
}
