package blocks

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"chainscope/tui/chain"
	"chainscope/tui/nav"
)

func TestAReorganisedChainIsFollowed(t *testing.T) {
	s := begin(t, 120, 36, "mono")
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, s.url+"/mock/v1/scenario", strings.NewReader(`{"scenario":"reorg"}`))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Fatalf("the scenario is not taken: %s", res.Status)
	}
	s.open(nav.Blocks())
	for range 60 {
		s.do(s.screen.Live())
		s.pass(10 * time.Second)
		for i := range s.screen.chain.Rows() {
			r, below := s.screen.chain.At(s.screen.chain.Tip-int64(i)), s.screen.chain.At(s.screen.chain.Tip-int64(i)-1)
			if r == nil || below == nil {
				break
			}
			if r.ParentBlockHash != below.Hash {
				t.Fatalf("block %d stands on another than block %d", r.Height, below.Height)
			}
		}
	}
	if len(s.screen.chain.Orphans) == 0 || len(s.notices) == 0 {
		t.Fatalf("%d replaced blocks in ten minutes, %d notices", len(s.screen.chain.Orphans), len(s.notices))
	}
	s.press("/", "o", "r", "p", "h", "enter")
	s.sees("✗ orphaned")
}

func TestAReplacedBlockIsCalledOrphaned(t *testing.T) {
	s := begin(t, 120, 36, "mono")
	s.open(nav.Blocks())
	old := *s.screen.current()
	other := old
	other.Hash, other.IndexBlockHash = "0x"+strings.Repeat("cd", 32), "0x"+strings.Repeat("ef", 32)
	s.do(s.screen.merge(chain.Page{Blocks: []*chain.Block{&other}, Total: int64(s.screen.chain.Rows())}, false))
	s.sees("✗ orphaned")
	if len(s.notices) != 1 || !strings.Contains(s.notices[0], "1 block replaced") {
		t.Errorf("said %q", s.notices)
	}
	if got := s.screen.current(); got == nil || got.Height != old.Height {
		t.Errorf("the cursor is on %+v", got)
	}
	s.press("j", "enter")
	s.sees("another block is at this height")
}
