package blocks

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"chainscope/tui/nav"
)

func TestTheNewestBlocksAreShown(t *testing.T) {
	s := begin(t, 80, 20, "mono")
	s.open(nav.Blocks())
	tip, _ := s.screen.Tips()
	if tip < 1_000_000 {
		t.Fatalf("the tip is %d", tip)
	}
	s.sees("HEIGHT", "BLOCK HASH", "BURN", "TXS", "COST", "AGE", "block interval", comma(tip), comma(tip-5))
	if st := s.screen.Status(); st.Position != "1/"+comma(int64(s.screen.chain.Rows())) || st.ExchangeID == 0 || st.FetchedAt.IsZero() {
		t.Errorf("the status is %+v", st)
	}
}

func TestScrollingDownLoadsMore(t *testing.T) {
	s := begin(t, 80, 20, "mono")
	s.open(nav.Blocks())
	tip, _ := s.screen.Tips()
	for range 120 {
		s.press("j")
	}
	if got := s.cursorHeight(); got != tip-120 {
		t.Fatalf("the cursor is on %d, want %d", got, tip-120)
	}
	if s.screen.current() == nil {
		t.Error("the block under the cursor is not loaded")
	}
	for h := tip; h >= tip-120; h-- {
		if s.screen.chain.At(h) == nil {
			t.Fatalf("block %d was passed over", h)
		}
	}
	if s.sent.Load() > 8 {
		t.Errorf("%d requests for 120 rows", s.sent.Load())
	}
}

func TestAHeightIsReachedByPaging(t *testing.T) {
	s := begin(t, 120, 36, "mono")
	s.open(nav.BlockAtHeight(500_000))
	s.sees("Block 500,000", "canonical", "500,001", "499,999")
	if s.cursorHeight() != 500_000 || s.screen.Place() != nav.BlockAtHeight(500_000) {
		t.Errorf("the cursor is on %d, the place %s", s.cursorHeight(), s.screen.Place())
	}
	if s.sent.Load() > 4 {
		t.Errorf("%d requests", s.sent.Load())
	}
	s.open(nav.BlockAtHeight(900_000_000))
	s.sees("There is no block 900,000,000 yet")
}

func TestABlockIsFoundByItsBurnBlock(t *testing.T) {
	s := begin(t, 120, 36, "mono")
	s.open(nav.Blocks())
	r := s.screen.current()
	for name, p := range map[string]nav.Place{
		"by height": nav.BlockAtBurnHeight(r.BurnBlockHeight), "by hash": nav.BlockAtBurnHash(r.BurnBlockHash),
	} {
		t.Run(name, func(t *testing.T) {
			s.T = t
			s.open(p)
			s.sees("Block "+comma(r.Height), comma(r.BurnBlockHeight))
			if s.screen.Place() != p {
				t.Errorf("the place is %s", s.screen.Place())
			}
		})
	}
	s.T = t
	s.open(nav.BlockAtBurnHeight(2_000_000_000))
	s.sees("Not found")
	s.open(nav.BlockByIndexHash("0x" + strings.Repeat("ab", 32)))
	s.sees("Not found")
}

func TestAnyBlockIsFoundByHeightAndByEveryHash(t *testing.T) {
	s := begin(t, 120, 36, "mono")
	a, err := s.client.Block(t.Context(), "500000")
	if err != nil {
		t.Fatal(err)
	}
	s.open(nav.Blocks())
	for name, p := range map[string]nav.Place{
		"height": nav.BlockAtHeight(500_000), "index hash": nav.BlockByIndexHash(a.Value.IndexBlockHash),
		"block hash": nav.BlockByIndexHash(a.Value.Hash), "as a burn hash": nav.BlockAtBurnHash(a.Value.Hash),
	} {
		s.screen = New(s.screen.env, s.screen.Theme)
		s.screen.SetSize(s.w, s.h)
		s.open(p)
		s.sees("Block 500,000")
		if r := s.screen.current(); r == nil || r.ID() != a.Value.IndexBlockHash {
			t.Errorf("%s: the cursor is on %+v", name, r)
		}
	}
}

func TestAServerWithoutALookupByHashIsDistinguishedFromOneWithoutTheBlock(t *testing.T) {
	s := begin(t, 120, 36, "mono")
	s.open(nav.Blocks())
	unknown := nav.BlockByIndexHash("0x" + strings.Repeat("ab", 32))
	s.open(unknown)
	s.sees("Not found")
	s.front = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/extended/v2/blocks/") || strings.HasPrefix(r.URL.Path, "/extended/v3/") {
			w.WriteHeader(http.StatusGone)
			return
		}
		s.server.ServeHTTP(w, r)
	})
	s.open(unknown)
	s.sees("This block is not loaded", "no lookup by block hash")
}

func TestEveryFieldThatNamesSomethingLeadsThere(t *testing.T) {
	s := begin(t, 120, 36, "mono")
	s.open(nav.Blocks())
	r := s.screen.current()
	s.press("enter")
	follow := func(label string) nav.Place {
		s.Helper()
		s.press("g")
		for range 30 {
			if row, _ := s.screen.Detail.Cursor(); row.Label == label {
				s.press("enter")
				return s.went
			}
			s.press("j")
		}
		s.Fatalf("there is no field %q", label)
		return nav.Place{}
	}
	parent := s.screen.chain.At(r.Height - 1)
	if got := follow("parent"); got != nav.BlockByIndexHash(parent.IndexBlockHash) {
		t.Errorf("the parent leads to %s", got)
	}
	if got := follow("burn block"); got != nav.BurnBlockAtHeight(r.BurnBlockHeight) {
		t.Errorf("the burn block leads to %s", got)
	}
	if got := follow("burn hash"); got != nav.BurnBlockAtHash(r.BurnBlockHash) {
		t.Errorf("the burn hash leads to %s", got)
	}
	follow("tenure")
	s.sees(fmt.Sprintf("/ tenure:%d", *r.TenureHeight))
	for _, row := range s.screen.List.Rows() {
		f := s.screen.chain.InRow(row)
		if *f.TenureHeight != *r.TenureHeight {
			t.Errorf("block %d is of tenure %d", f.Height, *f.TenureHeight)
		}
	}
	s.press("esc")
	s.seesNot("filter tenure")
}

func TestNewBlocksDoNotMoveTheCursor(t *testing.T) {
	s := begin(t, 120, 36, "mono")
	s.open(nav.Blocks())
	tip, _ := s.screen.Tips()
	for range 25 {
		s.press("j")
	}
	at := s.screen.List.Place()
	s.now = s.now.Add(30 * time.Second)
	s.do(s.screen.Live())
	if got := s.cursorHeight(); got != tip-25 {
		t.Errorf("the cursor went to %d from %d", got, tip-25)
	}
	after := s.screen.List.Place()
	if at.Top > 0 && after.Cursor-after.Top != at.Cursor-at.Top {
		t.Errorf("the row moved on screen from %d to %d", at.Cursor-at.Top, after.Cursor-after.Top)
	}
	if at.Top > 0 {
		if n := s.screen.Status().NewRows; n != 3 {
			t.Errorf("%d new rows are announced", n)
		}
	}
	s.press("n")
	if got := s.cursorHeight(); got != tip+3 || s.screen.Status().NewRows != 0 {
		t.Errorf("n goes to %d with %d new rows", got, s.screen.Status().NewRows)
	}
}

func TestAFilterNarrowsTheLoadedBlocks(t *testing.T) {
	s := begin(t, 80, 20, "mono")
	s.open(nav.Blocks())
	tx := s.screen.chain.Loaded()
	var want string
	for _, r := range tx {
		if len(r.Txs) > 0 {
			want = r.Txs[0]
			break
		}
	}
	s.press("/")
	if !s.screen.Typing() {
		t.Fatal("keys are no text")
	}
	for _, r := range want {
		s.press(string(r))
	}
	s.press("enter")
	s.sees("1 of 30 loaded blocks")
	s.press("/", "z", "z", "enter")
	s.sees("No loaded block matches")
	s.press("esc")
	s.seesNot("loaded block")
}

func TestComingBackRestoresCursorScrollAndFilter(t *testing.T) {
	s := begin(t, 80, 20, "mono")
	s.open(nav.Blocks())
	for range 40 {
		s.press("j")
	}
	want, left := s.text(), s.screen.State()
	s.screen.Leave()
	s.open(nav.BlockAtHeight(10))
	s.sees("Block 10")
	s.do(s.screen.Open(nav.Blocks(), left))
	if got := s.text(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestLeavingCancelsWhatWasRequested(t *testing.T) {
	s := begin(t, 80, 20, "mono")
	come, gone := make(chan struct{}), make(chan struct{})
	s.front = http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(come)
		<-r.Context().Done()
		close(gone)
	})
	cmd := s.screen.Open(nav.Blocks(), nil)
	done := make(chan struct{})
	go func() { answers(cmd); close(done) }()
	<-come
	s.screen.Leave()
	<-done
	<-gone
}

// The id of a transaction that a loaded block has leads to the transaction, and then to its block.
func TestATransactionOfALoadedBlockIsFoundByItsID(t *testing.T) {
	s := begin(t, 120, 36, "mono")
	s.open(nav.Blocks())
	r := s.screen.current()
	readings := nav.Recognise(r.Txs[0], nav.RecogniseContext{Loaded: s.screen.Loaded})
	if len(readings) < 2 || readings[0].Place != nav.Transaction(r.Txs[0]) || readings[1].Place != nav.BlockByIndexHash(r.IndexBlockHash) {
		t.Errorf("it is read as %v", readings)
	}
}
