//go:build unix

package command

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestConnectFailsWhenNothingCouldBeStored(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "connection.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	code, _, stderr := run(t, t.Context(), "wallet", "connect", "--state-dir", dir)
	if code != 1 || !strings.Contains(stderr, "nothing could be stored in "+dir) {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}

func TestARecordingSaysAtItsEndWhatItHas(t *testing.T) {
	upstream := answering(t, func(w http.ResponseWriter, _ *http.Request) { jsonAnswer(w, 200, `{}`) })
	for _, c := range []struct {
		requests int
		says     string
	}{{0, "nothing was recorded"}, {1, "recorded 1 answer in"}, {3, "recorded 2 answers in"}} {
		mock := serveCommand(t, "mock API listening on ", "mock", "--addr", "127.0.0.1:0", "--upstream", upstream, "--record", filepath.Join(t.TempDir(), "tape"))
		for n := range c.requests {
			fetch(t, "GET", mock.address+[]string{"/v2/info", "/v2/pox", "/v2/info"}[n], "")
		}
		if code := mock.end(); code != 0 || !strings.Contains(mock.errs.String(), c.says) {
			t.Errorf("%d requests: exit code %d, %q, want %q", c.requests, code, mock.errs, c.says)
		}
	}
}

func TestABridgeBeforeADappSaysWhereItsPagesAreAndWhereTheirRequestsGo(t *testing.T) {
	dapp := httptest.NewServer(http.NotFoundHandler())
	defer dapp.Close()
	b := serveBridge(t, "--approve", "always", "--proxy", dapp.URL)
	eventually(t, "what the bridge does", func() bool {
		said := b.errs.String()
		return strings.Contains(said, "pages of "+dapp.URL+" get the wallet; open them at "+b.address) && strings.Contains(said, "api.hiro.so, ") && strings.Contains(said, " go to http://127.0.0.1:")
	})
	b.end()
}
