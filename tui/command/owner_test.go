package command

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A name belongs to nobody only where its registry says so: a refused call and an answer that
// cannot be read say something else.
func TestANameBelongsToNobodyOnlyWhereTheRegistrySaysSo(t *testing.T) {
	for what, c := range map[string]struct {
		answer string
		code   int
		says   string
	}{
		"nobody's":   {`{"okay":true,"result":"0x09"}`, 3, "neither registry of names has an owner of alice.btc"},
		"refused":    {`{"okay":false,"cause":"Unchecked(NoSuchContract(\"BNS-V2\"))"}`, 5, "the node has no such contract"},
		"unreadable": {`{"okay":true,"result":"0xff"}`, 5, "the owner of alice.btc cannot be read"},
	} {
		t.Run(what, func(t *testing.T) {
			api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				if r.URL.Path == "/v2/info" {
					_, _ = io.WriteString(w, `{"network_id":1}`)
					return
				} else if strings.HasPrefix(r.URL.Path, "/v1/names/") {
					w.WriteHeader(http.StatusNotFound)
					_, _ = io.WriteString(w, `{"error":"cannot find name"}`)
					return
				}
				_, _ = io.WriteString(w, c.answer)
			}))
			defer api.Close()
			code, stdout, stderr := run(t, t.Context(), "account", "alice.btc", "--api", api.URL)
			if code != c.code || stdout != "" || !strings.Contains(stderr, c.says) || what != "nobody's" && strings.Contains(stderr, "neither registry") {
				t.Errorf("exit %d, %s%s", code, stdout, stderr)
			}
		})
	}
}
