package apiclient

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// blocksPage returns an answer of endpoint 6 with n recorded blocks.
func blocksPage(t testing.TB, n int) string {
	t.Helper()
	var rows []json.RawMessage
	if err := json.Unmarshal(recorded(t, "blocks-epoch3.json"), &rows); err != nil {
		t.Fatal(err)
	}
	results, _ := json.Marshal(rows[:n])
	return fmt.Sprintf(`{"limit":%d,"offset":0,"total":50,"results":%s}`, n, results)
}

func TestARecordedPageOfBlocksReadsAsEncodingJSONReadsIt(t *testing.T) {
	body := blocksPage(t, 30)
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if got := r.URL.String(); got != "/extended/v1/block?limit=30" {
			t.Errorf("requested %s", got)
		}
		answer(w, 200, body)
	})
	got, err := c.Blocks(t.Context(), rows(30, 0))
	if err != nil {
		t.Fatal(err)
	}
	var want List[Block]
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

func TestEveryRecordedBlockAndListingReadsAsEncodingJSONReadsIt(t *testing.T) {
	var blocks []json.RawMessage
	if err := json.Unmarshal(recorded(t, "blocks-mainnet-2021.json"), &blocks); err != nil {
		t.Fatal(err)
	}
	for _, body := range blocks {
		var want Block
		if err := json.Unmarshal(body, &want); err != nil {
			t.Fatal(err)
		}
		got, err := decode[Block](body)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Error(d)
		}
	}
	for _, name := range []string{"burn-listings-epoch3.json", "burn-listings-mainnet-2021.json"} {
		var listings map[string]json.RawMessage
		if err := json.Unmarshal(recorded(t, name), &listings); err != nil {
			t.Fatal(err)
		}
		for height, body := range listings {
			c := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/extended/v2/burn-blocks/"+height+"/blocks" {
					t.Errorf("requested %s", r.URL)
				}
				answer(w, 200, string(body))
			})
			got, err := c.BurnBlockBlocks(t.Context(), height, Page{})
			if err != nil {
				t.Fatal(err)
			}
			var want List[ListedBlock]
			if err := json.Unmarshal(body, &want); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want, got.Value); d != "" {
				t.Error(d)
			}
		}
	}
}

func TestABlockOfAnOlderShapeHasNoTenureHeight(t *testing.T) {
	var examples struct{ Block json.RawMessage }
	if err := json.Unmarshal(recorded(t, "block-doc-examples.json"), &examples); err != nil {
		t.Fatal(err)
	}
	b, err := decode[Block](examples.Block)
	if err != nil || b.TenureHeight != nil || b.Height == 0 || b.ExecutionCost == (ExecutionCost{}) {
		t.Errorf("got %+v, %v", b, err)
	}
	for body, want := range map[string]bool{`{"tenure_height":-1}`: false, `{"tenure_height":null}`: false, `{"tenure_height":7}`: true} {
		if b, err := decode[Block]([]byte(body)); err != nil || (b.TenureHeight != nil) != want {
			t.Errorf("%s: %v, %v", body, b.TenureHeight, err)
		}
	}
}

func TestABlockIsReadWithFloatsNullsAndUnknownFields(t *testing.T) {
	b, err := decode[Block]([]byte(`{"height":12.0,"block_time":1.7e9,"burn_block_time":1700000000.9,"hash":null,"txs":null,
		"parent_microblock_sequence":null,"execution_cost_runtime":5e3,"microblock_tx_count":"","canonical":null,
		"signer_bitvec":"0x1","a":{"b":[1]}}`))
	if err != nil {
		t.Fatal(err)
	}
	if b.Height != 12 || b.BlockTime != 1700000000 || b.BurnBlockTime != 1700000000 || b.Runtime != 5000 ||
		b.ParentMicroblockSequence != -1 || b.Hash != "" || len(b.Txs) != 0 {
		t.Errorf("got %+v", b)
	}
	if string(b.Extra["signer_bitvec"]) != `"0x1"` || string(b.Extra["a"]) != `{"b":[1]}` || len(b.Extra) != 2 {
		t.Errorf("kept %s", b.Extra)
	}
}

// A page of blocks has 40 kB, and one block of it may be kept for long.
func TestWhatIsDecodedSharesNoMemoryWithItsBody(t *testing.T) {
	sharesNothing := func(name string, decode func([]byte) (any, error), body string) {
		memory := []byte(body)
		got, err := decode(memory)
		if err != nil {
			t.Fatal(err)
		}
		clear(memory)
		want, _ := decode([]byte(body))
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s changed with the memory of its body: %s", name, d)
		}
	}
	page := blocksPage(t, 3)
	sharesNothing("a page", func(b []byte) (any, error) { return listOf[Block](nil)(b) }, page)
	sharesNothing("a page of v3", func(b []byte) (any, error) { return listWith[Block](lenientV3, nil)(b) }, page)
	sharesNothing("a token", func(b []byte) (any, error) { return decodeFungible(b) },
		`{"name":"a token","metadata":{"properties":{"a":"b"},"attributes":[{"value":[1]}]},"more":["x"]}`)
}
