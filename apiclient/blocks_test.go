package apiclient

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// blocksPage is an answer of endpoint 6 with n recorded blocks.
func blocksPage(t testing.TB, n int) string {
	t.Helper()
	var rows []json.RawMessage
	if err := json.Unmarshal(testdata(t, "blocks-epoch3.json"), &rows); err != nil {
		t.Fatal(err)
	}
	results, _ := json.Marshal(rows[:n])
	return fmt.Sprintf(`{"limit":%d,"offset":0,"total":50,"results":%s}`, n, results)
}

func TestARecordedPageOfBlocksReadsAsEncodingJSONReadsIt(t *testing.T) {
	body := blocksPage(t, 30)
	c, _ := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if got := r.URL.String(); got != "/extended/v1/block?limit=30" {
			t.Errorf("asked for %s", got)
		}
		answer(w, 200, body)
	})
	got, err := c.Blocks(t.Context(), Rows(30, 0))
	if err != nil {
		t.Fatal(err)
	}
	var want BlockList[Block]
	if err := json.Unmarshal([]byte(body), &want); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got.Value); d != "" {
		t.Error(d)
	}
	if string(got.Raw) != body {
		t.Error("the raw body is not the server's")
	}
}
