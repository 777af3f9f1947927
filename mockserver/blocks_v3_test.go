package mockserver

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"chainscope/apiclient"
)

// cursorsV3 are the cursors of a page of v3.
type cursorsV3 struct{ Next, Previous, Current *string }

// heightsV3 is a page of blocks or of Bitcoin blocks.
type heightsV3 struct {
	Cursor  cursorsV3
	Results []struct{ Height int64 }
}

// TestPagesOfV3HoldEveryBlockOnce walks down and up again while blocks come in.
func TestPagesOfV3HoldEveryBlockOnce(t *testing.T) {
	for _, path := range []string{"/extended/v3/blocks", "/extended/v3/bitcoin-blocks"} {
		rapid.Check(t, func(r *rapid.T) {
			s := young(t, rapid.Int64Range(1, 60).Draw(r, "blocks"), version("v3"))
			limit := rapid.IntRange(1, 30).Draw(r, "limit")
			page := func(cursor *string) heightsV3 {
				if rapid.IntRange(0, 2).Draw(r, "grows") == 0 {
					if _, err := s.world.Mine(1); err != nil {
						t.Fatal(err)
					}
				}
				return read[heightsV3](t, fetch(t, s, fmt.Sprintf("%s?limit=%d%s", path, limit, at(cursor))))
			}
			var down, up []int64
			p := page(nil)
			for {
				for _, b := range p.Results {
					down = append(down, b.Height)
				}
				if p.Cursor.Next == nil {
					break
				}
				p = page(p.Cursor.Next)
			}
			for i, h := range down {
				if h != down[0]-int64(i) {
					r.Fatalf("%s: walked down over %v", path, down)
				}
			}
			for {
				for i := range p.Results {
					// The last page, which leads to the top, holds some of the one before.
					if h := p.Results[len(p.Results)-1-i].Height; len(up) == 0 || h > up[len(up)-1] {
						up = append(up, h)
					}
				}
				if p.Cursor.Previous == nil {
					break
				}
				p = page(p.Cursor.Previous)
			}
			for i, h := range up {
				if h != down[len(down)-1]+int64(i) {
					r.Fatalf("%s: walked up over %v", path, up)
				}
			}
			if up[len(up)-1] < down[0] {
				r.Fatalf("%s: the walk up ends at %d, it began at %d", path, up[len(up)-1], down[0])
			}
		})
	}
}

// TestTheClientReadsEveryGeneration sends the same requests to four servers over one
// chain: the blocks are the same by every route.
func TestTheClientReadsEveryGeneration(t *testing.T) {
	type answers struct {
		Blocks, OfBurn, Burns string
		One, ByBurn           string
	}
	var first answers
	for _, name := range APIVersions() {
		server := httptest.NewServer(anchored(t, version(name)))
		t.Cleanup(server.Close)
		c, err := apiclient.New(apiclient.Options{BaseURL: server.URL})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.Close)
		var got answers
		ctx := t.Context()
		blocks, err := c.Blocks(ctx, apiclient.Page{Limit: 3, Offset: 4})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var burn int64
		for _, b := range blocks.Value.Results {
			got.Blocks += fmt.Sprintln(b.Height, b.Hash, b.IndexBlockHash, b.BlockTime, b.BurnBlockHeight, b.BurnBlockHash, *b.TenureHeight)
			burn = b.BurnBlockHeight
		}
		if blocks.Value.Total != 1_000_000 {
			t.Errorf("%s: total %d", name, blocks.Value.Total)
		}
		ofBurn, err := c.BurnBlockBlocks(ctx, fmt.Sprint(burn-1), apiclient.Page{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, b := range ofBurn.Value.Results {
			got.OfBurn += fmt.Sprintln(b.Height, b.Hash, b.TxCount)
		}
		byBurn, err := c.BlockByBurnHeight(ctx, burn-1)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got.ByBurn = fmt.Sprint(byBurn.Value.Height, byBurn.Value.Hash)
		one, err := c.Block(ctx, blocks.Value.Results[0].IndexBlockHash)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got.One = fmt.Sprint(one.Value.Height, one.Value.ParentBlockHash, one.Value.ExecutionCost)
		burns, err := c.BurnBlocks(ctx, apiclient.Page{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		listed := 0
		for _, b := range burns.Value.Results {
			if b.Blocks != nil && *b.Blocks > 0 && listed < 15 { // v3 lists those without too
				got.Burns += fmt.Sprintln(b.Height, b.Hash, *b.Blocks)
				listed++
			}
		}
		if first == (answers{}) {
			first = got
		}
		if got != first {
			t.Errorf("%s:\n%+v\nby 8:\n%+v", name, got, first)
		}
		if strings.Count(got.Blocks, "\n") != 3 || listed != 15 {
			t.Errorf("%s: %d burn blocks, %s", name, listed, got.Blocks)
		}
	}
}

func TestTheThirdVersionReportsWhatItsReleaseNotesName(t *testing.T) {
	old, newest := anchored(t), anchored(t, version("v3"))
	for _, target := range []string{"/extended/v3/blocks/1000000", "/extended/v3/bitcoin-blocks/latest", "/extended/v3/blocks?limit=1", "/extended/v3/transactions?limit=1"} {
		body := fetch(t, newest, target).Body.String()
		if n := strings.Count(body, `"time":`); n == 0 || n != strings.Count(body, `"time_iso":"20`) {
			t.Errorf("%s has a time without its text: %s", target, body)
		}
	}
	if body := fetch(t, old, "/extended/v3/transactions?limit=1").Body.String(); strings.Contains(body, "time_iso") {
		t.Errorf("9.0 has no time_iso: %s", body)
	}
	block := read[map[string]any](t, fetch(t, newest, "/extended/v3/blocks/1000000"))
	hash, _ := block["hash"].(string)
	if size, _ := block["size"].(float64); size < 100 || len(hash) != 66 {
		t.Fatalf("%v", block)
	}
	id := read[struct {
		Results []struct {
			ID string `json:"tx_id"`
		}
	}](t, fetch(t, newest, "/extended/v3/transactions?limit=1")).Results[0].ID
	for _, path := range []string{"/extended/v3/blocks/" + hash, "/extended/v3/transactions/" + id, "/extended/v3/transactions/" + id + "/events"} {
		w := fetch(t, newest, strings.Replace(path, "0x", "", 1))
		if w.Code != 302 || w.Header().Get("Location") != path || fetch(t, newest, path).Code != 200 {
			t.Errorf("%s without 0x: %d %s", path, w.Code, w.Header().Get("Location"))
		}
	}
	for target, want := range map[string]int{
		"/extended/v3/bitcoin-blocks?limit=30": 200, "/extended/v3/bitcoin-blocks?limit=31": 400, "/extended/v3/bitcoin-blocks?limit=0": 400,
		"/extended/v3/bitcoin-blocks?cursor=930000": 200, "/extended/v3/bitcoin-blocks?cursor=12345678901": 400, "/extended/v3/bitcoin-blocks?cursor=-1": 400,
	} {
		if got := fetch(t, newest, target).Code; got != want {
			t.Errorf("%s: %d, want %d", target, got, want)
		}
	}
	for _, target := range []string{"/extended/v1/tx/multiple?tx_id=" + id, "/extended/v1/search/" + id, "/extended/v1/tx/mempool/stats"} {
		if w := fetch(t, newest, target); w.Code != 200 || w.Header().Get("Warning") == "" || fetch(t, old, target).Header().Get("Warning") != "" {
			t.Errorf("%s: %d, warning %q", target, w.Code, w.Header().Get("Warning"))
		}
	}
}
