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
		"nobody's":   {`{"okay":true,"result":"0x0709"}`, 3, "no account owns the name alice.btc"},
		"refused":    {`{"okay":false,"cause":"Unchecked(NoSuchContract(\"BNS-V2\"))"}`, 3, "the node has no such contract"},
		"unreadable": {`{"okay":true,"result":"0xff"}`, 5, "the owner of alice.btc cannot be read"},
	} {
		t.Run(what, func(t *testing.T) {
			api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				_, _ = io.WriteString(w, c.answer)
			}))
			defer api.Close()
			code, stdout, stderr := run(t, t.Context(), "account", "alice.btc", "--api", api.URL)
			if code != c.code || stdout != "" || !strings.Contains(stderr, c.says) || what != "nobody's" && strings.Contains(stderr, "no account owns") {
				t.Errorf("exit %d, %s%s", code, stdout, stderr)
			}
		})
	}
}
