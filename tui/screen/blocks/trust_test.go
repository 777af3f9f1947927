package blocks

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/chain"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
	"chainscope/tui/widget/detail"
	"chainscope/wallet/service"
)

func TestNoNumberOfAServerHangsTheScreen(t *testing.T) {
	for _, n := range []int64{0, -1, math.MinInt64, 1 << 53, 1<<53 + 1, math.MaxInt64 - 1, math.MaxInt64} {
		for field, set := range map[string]func(*chain.Block){
			"height":            func(r *chain.Block) { r.Height = n },
			"burn_block_height": func(r *chain.Block) { r.BurnBlockHeight = n },
			"block_time":        func(r *chain.Block) { r.BlockTime, r.BurnBlockTime = n, n },
			"tenure_height":     func(r *chain.Block) { r.TenureHeight = &n },
			"cost":              func(r *chain.Block) { r.Runtime, r.ReadCount = n, n },
			"microblock":        func(r *chain.Block) { r.ParentMicroblockSequence = n },
		} {
			s := begin(t, 120, 36, "mono")
			records := span("a", 100, 71)
			set(records[3])
			drawn := make(chan struct{})
			go func() {
				defer close(drawn)
				s.screen.merge(chain.Page{Blocks: records, Total: n}, false)
				for _, k := range []string{"j", "G", "enter", "tab"} {
					s.screen.Key(uitest.Key(k))
					s.screen.View(s.now)
				}
			}()
			select {
			case <-drawn:
			case <-time.After(time.Second):
				t.Fatalf("%s %d: not drawn within a second", field, n)
			}
		}
	}
}

// fork replaces the two newest blocks of a page.
func fork(p chain.Page) chain.Page {
	out := p
	out.Blocks = append([]*chain.Block(nil), p.Blocks...)
	first, second := *p.Blocks[0], *p.Blocks[1]
	second.Hash, second.IndexBlockHash = "0x"+strings.Repeat("ee", 32), "0x"+strings.Repeat("e1", 32)
	first.Hash, first.IndexBlockHash = "0x"+strings.Repeat("dd", 32), "0x"+strings.Repeat("cc", 32)
	first.ParentBlockHash = second.Hash
	second.Raw, first.Raw = json.RawMessage(`{"second":1}`), json.RawMessage(`{"first":1}`)
	out.Blocks[0], out.Blocks[1] = &first, &second
	return out
}

func TestABlockThatIsReadStaysOpenWhenItIsReplaced(t *testing.T) {
	s := begin(t, 120, 36, "mono")
	p := chain.Page{Blocks: span("a", 130, 100), Total: 31}
	for _, r := range p.Blocks {
		r.Txs = []string{"0x1", "0x2"}
	}
	s.do(s.screen.Open(nav.Blocks(), nil))
	s.screen.chain = chain.Chain{}
	s.screen.List.SetSource(s.screen)
	s.do(s.screen.merge(p, false))
	s.press("j", "enter", "j", "j")
	reading := *s.screen.current()
	row, _ := s.screen.Detail.Cursor()
	s.do(s.screen.merge(fork(p), false))
	now := s.screen.current()
	if now == nil || now.ID() != reading.ID() || now.Canonical || !s.screen.InDetail {
		t.Fatalf("the open block is %+v, was %s", now, reading.ID())
	}
	if after, _ := s.screen.Detail.Cursor(); after.Label != row.Label {
		t.Errorf("the cursor went from %s to %s", row.Label, after.Label)
	}
	s.sees("orphaned", "replaced by", "2 orphaned")
	var to *nav.Place
	for _, r := range s.screen.Detail.Rows() {
		if r.Label == "replaced by" {
			to = r.To
		}
	}
	if want := nav.BlockByIndexHash("0x" + strings.Repeat("e1", 32)); to == nil || *to != want {
		t.Errorf("replaced by leads to %v", to)
	}
	// The row keeps what the block says of itself, and the count is the API's.
	line := s.screen.Row(s.screen.chain.OrphanRow(now), 70)
	if !strings.Contains(line, reading.Hash) || !strings.Contains(line, " 2") || strings.Contains(line, reading.IndexBlockHash) {
		t.Errorf("the row of the replaced block is %q", line)
	}
	s.screen.Enter(false)
	s.screen.List.Select(0)
	if got := s.screen.Status().Position; got != "1/31" {
		t.Errorf("the position is %s", got)
	}
	if len(s.notices) == 0 || !strings.Contains(s.notices[len(s.notices)-1], "2 blocks replaced") {
		t.Errorf("said %q", s.notices)
	}
}

// The real service's list is wrong about what was streamed in the era of microblocks.
func TestMicroblocksAreThoseOfTheSingleRecord(t *testing.T) {
	s := begin(t, 120, 60, "mono")
	records := span("a", 46, 20)
	records[0].MicroblocksStreamed = []string{"0xa58e1ede"}
	records[0].MicroblocksAccepted = []string{"0x1111"}
	single := records[0].Block
	single.MicroblocksStreamed = []string{"0xa41c53f3", "0x19a7b2cd"}
	asked := 0
	s.front = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.Contains(r.URL.Path, "by_burn_block_height") {
			http.NotFound(w, r)
			return
		}
		asked++
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(single)
	})
	s.do(s.screen.merge(chain.Page{Blocks: records, Total: 46}, false))
	s.sees("0xa58e1ede", "may be wrong")
	if asked != 0 {
		t.Error("the single record is read before the block is opened")
	}
	s.press("enter")
	s.do(s.screen.Changed())
	s.sees("0xa41c53f3", "0x19a7b2cd")
	s.seesNot("0xa58e1ede", "may be wrong")
	s.do(s.screen.merge(chain.Page{Blocks: records, Total: 46}, false))
	s.sees("0xa41c53f3")
	if asked != 1 {
		t.Errorf("asked %d times", asked)
	}
}

func TestARetiredRouteIsCalledSo(t *testing.T) {
	s := begin(t, 120, 36, "mono")
	s.front = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusGone)
		_, _ = w.Write([]byte(`{"error":"This endpoint has been disabled"}`))
	})
	s.open(nav.Blocks())
	s.sees("retired", "This endpoint has been disabled", "/extended/v2/blocks")
	s.seesNot("Not found")
}

// value returns what a detail shows under a label, with its note.
func value(rows []detail.Row, label string) (values []string) {
	for _, r := range rows {
		if r.Label == label {
			values = append(values, strings.TrimSpace(r.Value+" "+r.Note))
		}
	}
	return values
}

func TestEveryFieldOfABlockIsShownUnderItsName(t *testing.T) {
	s := begin(t, 120, 60, "mono")
	tenure := int64(77)
	r := &chain.Block{Block: apiclient.Block{
		Canonical: true, Height: 12345, Hash: "0xhash", IndexBlockHash: "0xindex", ParentBlockHash: "0xparent",
		BurnBlockHeight: 678, BurnBlockHash: "0xburn", MinerTxID: "0xminer", TenureHeight: &tenure,
		ParentMicroblockHash: "0xmicroparent", ParentMicroblockSequence: 3, Txs: []string{"0xtx"},
		MicroblocksAccepted: []string{"0xaccepted"}, MicroblocksStreamed: []string{"0xstreamed"}, MicroblockTxCount: map[string]int64{"0xaccepted": 9},
	}}
	for _, c := range []struct {
		label string
		want  []string
	}{
		{"state", []string{"✓ canonical"}},
		{"height", []string{"12,345"}},
		{"hash", []string{"0xhash"}},
		{"index hash", []string{"0xindex"}},
		{"parent", []string{"0xparent", "0xmicroparent sequence 3"}},
		{"tenure", []string{"77"}},
		{"burn block", []string{"678"}},
		{"burn hash", []string{"0xburn"}},
		{"miner tx", []string{"0xminer"}},
		{"1", []string{"0xtx"}},
		{"accepted", []string{"0xaccepted 9 txs"}},
		{"streamed", []string{"0xstreamed"}},
	} {
		if got := value(s.screen.fields(r), c.label); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s shows %q, want %q", c.label, got, c.want)
		}
	}
	r.Canonical = false
	if got := value(s.screen.fields(r), "state"); len(got) != 1 || !strings.Contains(got[0], "orphaned") {
		t.Errorf("the state of a block that is not canonical is %q", got)
	}
}

func TestAHintPromisesOnlyWhatEnterDoes(t *testing.T) {
	s := begin(t, 120, 60, "mono")
	s.open(nav.Blocks())
	s.press("enter")
	seen := map[bool]int{}
	for range s.screen.Detail.Rows() {
		row, ok := s.screen.Detail.Cursor()
		if !ok {
			break
		}
		hint := s.screen.Status().Hint
		if promises := strings.Contains(hint, "follow") || strings.Contains(hint, "show") || strings.Contains(hint, "open"); promises != row.Acts() {
			t.Errorf("on %q the hint is %q", row.Label, hint)
		}
		seen[row.Acts()]++
		s.press("j")
	}
	if seen[true] == 0 || seen[false] == 0 {
		t.Errorf("rows that act: %v", seen)
	}
}

// Enter on a transaction opens the transaction, also on one of ours: its page leads to the call.
func TestEnterOnATransactionOfOursOpensTheTransaction(t *testing.T) {
	s := begin(t, 120, 60, "mono")
	call := service.Call{ID: 7, Time: noon, Method: "stx_transferStx"}
	s.open(nav.Blocks())
	ours := s.screen.current().Txs[0]
	s.screen.calls = func(txid string) (service.Call, bool) { return call, txid == ours }
	s.do(s.screen.Changed())
	s.sees("yours: stx_transferStx")
	s.press("enter")
	for range s.screen.Detail.Rows() {
		if row, _ := s.screen.Detail.Cursor(); row.Value == ours {
			break
		}
		s.press("j")
	}
	if hint := s.screen.Status().Hint; !strings.Contains(hint, "open the transaction") {
		t.Errorf("the hint is %q", hint)
	}
	s.press("enter")
	if s.went != nav.Transaction(ours) {
		t.Errorf("went to %v", s.went)
	}
}

// FuzzNumbers replaces a number of an answer by another: the screen is drawn, or
// the answer is refused, but nothing hangs.
func FuzzNumbers(f *testing.F) {
	for i, n := range []int64{0, -1, math.MinInt64, 1 << 53, math.MaxInt64 - 1, math.MaxInt64} {
		f.Add(uint(i), n)
		f.Add(uint(3+7*i), n)
	}
	numbers := regexp.MustCompile(`: ?-?\d+`)
	f.Fuzz(func(t *testing.T, which uint, n int64) {
		s := begin(t, 120, 36, "mono")
		asked := 0
		s.front = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if asked++; asked > 150 {
				t.Errorf("asks and asks: %s", r.URL)
				runtime.Goexit()
			}
			rec := httptest.NewRecorder()
			s.server.ServeHTTP(rec, r)
			body := rec.Body.Bytes()
			if at := numbers.FindAllIndex(body, -1); len(at) > 0 {
				one := at[int(which%uint(len(at)))]
				body = slices.Concat(body[:one[0]], fmt.Appendf(nil, ":%d", n), body[one[1]:])
			}
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(rec.Code)
			_, _ = w.Write(body)
		})
		done := make(chan struct{})
		go func() {
			defer close(done)
			s.do(s.screen.Open(nav.Blocks(), nil))
			s.screen.View(s.now)
			s.do(s.screen.Open(nav.BlockAtBurnHeight(930_471), nil))
			s.screen.View(s.now)
		}()
		select {
		case <-done:
		case <-time.After(10 * time.Second):
			t.Fatal("not drawn in time")
		}
	})
}

func TestAClickChoosesARow(t *testing.T) {
	s := begin(t, 120, 36, "mono")
	s.open(nav.Blocks())
	s.do(s.screen.Click(5, 3+1+7))
	if got := s.screen.List.Position(); got != 7 {
		t.Errorf("the cursor is at row %d", got)
	}
}

func TestNothingIsRequestedTwiceUnderOneKey(t *testing.T) {
	s := begin(t, 120, 36, "mono")
	s.open(nav.Blocks())
	keys := map[string]string{"u": "URL", "c": "curl", "j": "JSON", "l": "command line", "w": "web explorer"} // the root's own
	for _, c := range s.screen.Subject().Copies {
		if other, double := keys[c.Key]; double {
			t.Errorf("%s is %q and %q", c.Key, other, c.Label)
		}
		keys[c.Key] = c.Label
	}
}

// What is loaded lies far apart, with a replaced block in it: a filter and a file have all of it, and
// nothing else.
func TestAFilterAndAFileHaveWhatIsLoadedWhereverItIs(t *testing.T) {
	s := begin(t, 120, 36, "mono")
	p := chain.Page{Blocks: span("a", 130, 101), Total: 131}
	s.screen.merge(p, false)
	s.screen.merge(fork(p), false)
	s.screen.merge(chain.Page{Blocks: span("a", 70, 61), Total: 131, Offset: 60}, false)
	heights := func() (out []string) {
		for _, row := range s.screen.Export().Rows {
			out = append(out, row[0])
		}
		return out
	}
	if got := heights(); len(got) != 42 || got[0] != "130" || got[1] != "130" || got[41] != "61" {
		t.Errorf("the file has %q", got)
	}
	s.screen.Narrow("height:<64")
	if got := heights(); !slices.Equal(got, []string{"63", "62", "61"}) || s.screen.List.Len() != 3 || s.screen.current().Height != 63 {
		t.Errorf("filtered the file has %q, and the list %d rows", got, s.screen.List.Len())
	}
	s.sees("3 of 42 loaded blocks")
}
