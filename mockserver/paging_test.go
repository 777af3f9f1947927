package mockserver

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chainscope/mockserver/chain"
)

// cursorBody is a page of a list of v2.
type cursorBody struct {
	listBody
	Next *string `json:"next_cursor"`
	Prev *string `json:"prev_cursor"`
	At   *string `json:"cursor"`
}

func at(cursor *string) string {
	if cursor == nil {
		return ""
	}
	return "&cursor=" + *cursor
}

// young returns a mock whose chain has few blocks.
func young(t testing.TB, blocks int64, change ...func(*Config)) *Server {
	t.Helper()
	s := anchored(t, append(change, func(c *Config) {
		c.Seed = 3
		params, err := chain.New(chain.Params{Seed: 3, BlockInterval: defaultBlockInterval, BurnInterval: defaultBurnInterval})
		if err != nil {
			t.Fatal(err)
		}
		at := params.FirstBlock()
		c.Freeze = &at
	})...)
	if _, err := s.world.Mine(blocks); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestPagesOfV2HoldEveryBlockOnce walks the list down and up again while blocks
// come in, with every size of page.
func TestPagesOfV2HoldEveryBlockOnce(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		blocks := rapid.Int64Range(1, 60).Draw(r, "blocks")
		limit := rapid.Int64Range(1, 30).Draw(r, "limit")
		s := young(t, blocks)
		page := func(cursor *string) cursorBody {
			// The tip may be replaced by what comes; its cursor is lost then.
			tip := s.world.State().View
			settled := cursor == nil || *cursor != tip.TipIndex().String()
			if settled && rapid.IntRange(0, 2).Draw(r, "grows") == 0 {
				if _, err := s.world.Mine(1); err != nil {
					t.Fatal(err)
				}
			}
			p := read[cursorBody](t, fetch(t, s, fmt.Sprintf("/extended/v2/blocks?limit=%d%s", limit, at(cursor))))
			if p.Total != s.world.State().Tip().Height || p.At == nil || *p.At != p.Results[0].Index {
				r.Fatalf("total %d, cursor %v", p.Total, p.At)
			}
			return p
		}
		p := page(nil)
		newest := p.Results[0].Height
		var down []int64
		for {
			for _, b := range p.Results {
				down = append(down, b.Height)
			}
			if p.Prev == nil {
				break
			}
			p = page(p.Prev)
		}
		for i, h := range down {
			if h != newest-int64(i) {
				r.Fatalf("walked down over %v from %d", down, newest)
			}
		}
		if last := down[len(down)-1]; last != 1 {
			r.Fatalf("the walk ends at %d", last)
		}
		// Up again: pages of whole limits, until fewer than a page are newer.
		up := []int64{}
		for {
			heights := []int64{}
			for _, b := range p.Results {
				heights = append(heights, b.Height)
			}
			slices.Reverse(heights)
			up = append(up, heights...)
			if p.Next == nil {
				break
			}
			p = page(p.Next)
		}
		for i, h := range up {
			if h != int64(i)+1 {
				r.Fatalf("walked up over %v", up)
			}
		}
		if tip := s.world.State().Tip().Height; tip-up[len(up)-1] >= limit {
			r.Fatalf("the walk up ends at %d of %d with pages of %d", up[len(up)-1], tip, limit)
		}
	})
}

// TestOffsetsCountFromTheCursor holds every page against the list without cursors.
func TestOffsetsCountFromTheCursor(t *testing.T) {
	s := young(t, 40)
	tip := s.world.State().Tip().Height
	all := read[cursorBody](t, fetch(t, s, "/extended/v2/blocks?limit=30")).Results
	all = append(all, read[cursorBody](t, fetch(t, s, "/extended/v2/blocks?limit=30&offset=30")).Results...)
	rapid.Check(t, func(r *rapid.T) {
		from := rapid.Int64Range(0, tip-1).Draw(r, "from")
		offset := rapid.Int64Range(-40, 40).Draw(r, "offset")
		limit := rapid.Int64Range(1, 30).Draw(r, "limit")
		w := fetch(t, s, fmt.Sprintf("/extended/v2/blocks?limit=%d&offset=%d&cursor=%s", limit, offset, all[from].Index))
		first := from + offset
		if first < 0 || first >= tip {
			if w.Code != 404 || w.Body.String() != thrown(404, "Cursor not found") {
				r.Fatalf("offset %d from %d: %d %s", offset, from, w.Code, w.Body)
			}
			return
		}
		p := read[cursorBody](t, w)
		if p.Offset != offset || p.Limit != limit || int64(len(p.Results)) != min(limit, tip-first) || p.Results[0].Index != all[first].Index {
			r.Fatalf("offset %d from %d: %+v", offset, from, p)
		}
		if (p.Next == nil) != (first < limit) || p.Next != nil && *p.Next != all[first-limit].Index {
			r.Fatalf("next of %d with pages of %d: %v", first, limit, p.Next)
		}
		if (p.Prev == nil) != (first+limit >= tip) || p.Prev != nil && *p.Prev != all[first+limit].Index {
			r.Fatalf("prev of %d with pages of %d: %v", first, limit, p.Prev)
		}
	})
}

// TestACursorOfAReplacedBlockIsNotFound reorganizes under a walk.
func TestACursorOfAReplacedBlockIsNotFound(t *testing.T) {
	s := anchored(t)
	page := read[cursorBody](t, fetch(t, s, "/extended/v2/blocks?limit=2"))
	if _, err := s.world.Reorg(3); err != nil {
		t.Fatal(err)
	}
	for cursor, want := range map[string]int{*page.At: 404, *page.Prev: 404, page.Results[0].Index: 404} {
		if w := fetch(t, s, "/extended/v2/blocks?cursor="+cursor); w.Code != want {
			t.Errorf("%s: %d %s", cursor, w.Code, w.Body)
		}
	}
	if w := fetch(t, s, "/extended/v2/blocks/"+page.Results[0].Index); w.Code != 404 || w.Body.String() != thrown(404, "Block not found") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	deep := read[cursorBody](t, fetch(t, s, "/extended/v2/blocks?limit=1&offset=3")).Results[0]
	if w := fetch(t, s, "/extended/v2/blocks?cursor="+deep.Index); w.Code != 200 {
		t.Errorf("a settled block is no cursor any more: %d %s", w.Code, w.Body)
	}
}

// TestABlockIsFoundByEveryAddressOfV2 requests one block in all ways.
func TestABlockIsFoundByEveryAddressOfV2(t *testing.T) {
	s := anchored(t)
	list := read[cursorBody](t, fetch(t, s, "/extended/v2/blocks?limit=1&offset=5"))
	one := fetch(t, s, fmt.Sprintf("/extended/v2/blocks/%d", list.Results[0].Height))
	hash := read[struct{ Hash string }](t, one).Hash
	index := list.Results[0].Index
	if got := one.Header().Get("Etag"); got != `"`+index+`:true"` {
		t.Errorf("ETag %s", got)
	}
	for _, address := range []string{hash, hash[2:], "0x" + strings.ToUpper(hash[2:]), index, index[2:]} {
		w := fetch(t, s, "/extended/v2/blocks/"+address)
		if w.Body.String() != one.Body.String() {
			t.Errorf("%s: %d %s", address, w.Code, w.Body)
		}
		byHash := strings.EqualFold(strings.TrimPrefix(address, "0x"), hash[2:])
		if tag := w.Header().Get("Etag"); (tag == "") != byHash {
			t.Errorf("%s: ETag %q", address, tag)
		}
	}
	if w := fetch(t, s, "/extended/v2/blocks/"+index, "If-None-Match", `"`+index+`:true"`); w.Code != 304 {
		t.Errorf("%d with If-None-Match", w.Code)
	}
}

// TestBurnBlocksListTheBlocksWithoutAGap reads the chain by both lists.
func TestBurnBlocksListTheBlocksWithoutAGap(t *testing.T) {
	for _, c := range []struct {
		name   string
		s      *Server
		offset int64
	}{
		{"newest", anchored(t), 0},
		{"short tenures", anchored(t, func(c *Config) { c.BlockInterval, c.BurnInterval = time.Second, 2*time.Second }), 40},
		{"older era", young(t, 50), 3},
	} {
		type burnBody struct {
			Height int64    `json:"burn_block_height"`
			Blocks []string `json:"stacks_blocks"`
			Txs    int      `json:"total_tx_count"`
		}
		list := read[struct {
			Total   int64
			Results []burnBody
		}](t, fetch(t, c.s, fmt.Sprintf("/extended/v2/burn-blocks?limit=4&offset=%d", c.offset)))
		tip := c.s.world.State().Tip().Height
		if list.Total != tip || len(list.Results) != 4 {
			t.Fatalf("%s: total %d of %d, %d results", c.name, list.Total, tip, len(list.Results))
		}
		next := read[listBodyV2](t, fetch(t, c.s, "/extended/v2/blocks/"+list.Results[0].Blocks[0]))
		height := next.Height
		for i, burn := range list.Results {
			if i > 0 && burn.Height >= list.Results[i-1].Height {
				t.Errorf("%s: burn block %d after %d", c.name, burn.Height, list.Results[i-1].Height)
			}
			txs := 0
			for _, hash := range burn.Blocks {
				b := read[listBodyV2](t, fetch(t, c.s, fmt.Sprintf("/extended/v2/blocks/%d", height)))
				if b.Hash != hash || b.Burn != burn.Height {
					t.Errorf("%s: burn block %d has %s where block %d is %s of %d", c.name, burn.Height, hash, height, b.Hash, b.Burn)
				}
				height, txs = height-1, txs+b.Txs
			}
			if txs != burn.Txs {
				t.Errorf("%s: burn block %d has %d transactions, its blocks %d", c.name, burn.Height, burn.Txs, txs)
			}
			one := fetch(t, c.s, fmt.Sprintf("/extended/v2/burn-blocks/%d", burn.Height))
			if got := read[burnBody](t, one); fmt.Sprint(got) != fmt.Sprint(burn) {
				t.Errorf("%s: alone it is %v, listed %v", c.name, got, burn)
			}
		}
	}
}

// listBodyV2 is a block of v2.
type listBodyV2 struct {
	Height int64
	Hash   string
	Burn   int64 `json:"burn_block_height"`
	Txs    int   `json:"tx_count"`
	Tenure int64 `json:"tenure_height"`
}

func TestOnlyTheNewestTenureIsFoundWithoutACursor(t *testing.T) {
	s := anchored(t)
	tip := read[cursorBody](t, fetch(t, s, "/extended/v2/blocks?limit=1")).Results[0]
	newest := read[listBodyV2](t, fetch(t, s, "/extended/v2/blocks/latest")).Tenure
	tenure := func(n int64, more string) cursorBody {
		return read[cursorBody](t, fetch(t, s, fmt.Sprintf("/extended/v2/block-tenures/%d/blocks?limit=30%s", n, more)))
	}
	if p := tenure(newest, ""); p.Total == 0 || p.Results[0].Index != tip.Index {
		t.Errorf("the newest tenure: %+v", p)
	}
	if p := tenure(newest-1, ""); p.Total != 0 || len(p.Results) != 0 || p.At != nil {
		t.Errorf("the tenure before: %+v", p)
	}
	if p := tenure(0, ""); p.Total != 1_000_000 {
		t.Errorf("tenure 0 is no filter, but total is %d", p.Total)
	}
	list := read[struct {
		Results []struct {
			Blocks []string `json:"stacks_blocks"`
		}
	}](t, fetch(t, s, "/extended/v2/burn-blocks?limit=1&offset=1"))
	blocks := list.Results[0].Blocks
	one := read[blockBody](t, fetch(t, s, "/extended/v2/blocks/"+blocks[len(blocks)-1]))
	p := tenure(newest-1, "&cursor="+one.Index)
	if p.Total != int64(len(blocks)) || len(p.Results) != 1 || p.Prev != nil {
		t.Errorf("by its first block: %+v", p)
	}
	p = tenure(newest-1, fmt.Sprintf("&offset=%d&cursor=%s", 1-len(blocks), one.Index))
	if len(p.Results) != min(30, len(blocks)) || p.Next != nil {
		t.Errorf("by a negative offset: %+v", p)
	}
}
