//go:build unix

package e2e

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// What a page asks of a public API is answered by the explorer's own chain.
func TestAPageOfTheExplorersBridgeReadsItsChain(t *testing.T) {
	t.Parallel()
	address := freeAddress(t)
	s := explorer(t, 80, 24, "--bridge="+address)
	s.shows("1,000,000")
	response, err := http.Get("http://" + address + "/.chainscope/api/api.hiro.so/extended/v1/block?limit=1")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if text, err := io.ReadAll(response.Body); err != nil || !strings.Contains(string(text), `"height":1000000,`) {
		t.Errorf("%v %.200s", err, text)
	}
	s.quit()
}
