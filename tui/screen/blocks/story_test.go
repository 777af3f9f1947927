package blocks

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"chainscope/apiclient"
	"chainscope/mockserver"
	"chainscope/mockserver/fault"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/keymap"
	"chainscope/tui/nav"
	"chainscope/tui/screen"
	"chainscope/tui/theme"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// noon is what the clock shows when a story begins: a block was just mined.
var noon = time.Date(2026, 1, 1, 12, 0, 3, 0, time.UTC)

// story is a user in front of the screen, with the real mock server behind it.
type story struct {
	*testing.T
	now     time.Time
	server  *mockserver.Server
	front   http.Handler // what answers; the server unless a test puts another before it
	url     string
	client  *apiclient.Client
	screen  *Screen
	notices []string
	went    nav.Place
	later   []later // what the screen waits for
	sent    atomic.Int64
	w, h    int
}

type later struct {
	at  time.Time
	msg tea.Msg
}

func begin(t *testing.T, w, h int, themeName string, rules ...string) *story {
	t.Helper()
	s := &story{T: t, now: noon, w: w, h: h}
	var faults []fault.Rule
	for _, r := range rules {
		rule, err := fault.ParseRule(r)
		if err != nil {
			t.Fatal(err)
		}
		faults = append(faults, rule)
	}
	server, err := mockserver.New(mockserver.Config{
		Seed: 1, BlockInterval: 10 * time.Second, BurnInterval: 10 * time.Minute,
		Faults: faults, Now: func() time.Time { return s.now },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	s.server, s.front = server, server
	ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.sent.Add(1)
		s.front.ServeHTTP(w, r)
	}))
	t.Cleanup(ts.Close)
	s.url = ts.URL
	s.client, err = apiclient.New(apiclient.Options{
		BaseURL: ts.URL, Now: func() time.Time { return s.now },
		Backoff: time.Nanosecond, Timeout: 5 * time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.client.Close)
	th, err := theme.New(themeName, theme.Options{Dark: themeName != "light", Colors: colorprofile.TrueColor})
	if err != nil {
		t.Fatal(err)
	}
	env := &screen.Env{
		Context: t.Context(), Client: s.client, Keys: keymap.Default(), Now: func() time.Time { return s.now },
		Times: &screen.Times{Zone: time.UTC}, Web: "https://explorer.example", WebQuery: "?chain=mainnet",
		Tick: func(d time.Duration, make func(time.Time) tea.Msg) tea.Cmd {
			s.later = append(s.later, later{s.now.Add(d), make(s.now.Add(d))})
			return nil
		},
	}
	s.screen = New(env, s.client, th)
	s.screen.SetSize(w, h)
	return s
}

// do runs a command and all that follow from it.
func (s *story) do(cmd tea.Cmd) {
	s.Helper()
	for _, msg := range answers(cmd) {
		switch msg := msg.(type) {
		case screen.NoticeMsg:
			s.notices = append(s.notices, msg.Text)
		case screen.GoMsg:
			s.went = msg.Place
		default:
			s.do(s.screen.Update(msg))
		}
	}
}

// answers runs a command and returns its messages.
func answers(cmd tea.Cmd) []tea.Msg {
	if cmd == nil {
		return nil
	}
	switch msg := cmd().(type) {
	case nil:
		return nil
	case tea.BatchMsg:
		var all []tea.Msg
		for _, c := range msg {
			all = append(all, answers(c)...)
		}
		return all
	default:
		return []tea.Msg{msg}
	}
}

// pass lets time go by; what was to happen by then happens.
func (s *story) pass(d time.Duration) {
	s.Helper()
	s.now = s.now.Add(d)
	due := s.later
	s.later = nil
	for _, l := range due {
		if l.at.After(s.now) {
			s.later = append(s.later, l)
			continue
		}
		s.do(s.screen.Update(l.msg))
	}
}

func (s *story) open(p nav.Place) { s.Helper(); s.do(s.screen.Open(p, nil)) }

// press presses keys, named as the key map names them.
func (s *story) press(names ...string) {
	s.Helper()
	special := map[string]tea.KeyType{
		"enter": tea.KeyEnter, "esc": tea.KeyEsc, "tab": tea.KeyTab, "down": tea.KeyDown,
		"ctrl+d": tea.KeyCtrlD, "ctrl+u": tea.KeyCtrlU, "backspace": tea.KeyBackspace,
	}
	for _, name := range names {
		msg := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
		if typ, ok := special[name]; ok {
			msg = tea.KeyMsg{Type: typ}
		}
		cmd, _ := s.screen.Key(msg)
		s.do(cmd)
	}
}

func (s *story) frame() string { return strings.Join(s.screen.View(s.now), "\n") }

func (s *story) text() string { return ansi.Strip(s.frame()) }

func (s *story) sees(words ...string) {
	s.Helper()
	uitest.Size(s.T, s.frame(), s.w, s.h)
	for _, w := range words {
		if !strings.Contains(s.text(), w) {
			s.Fatalf("%q is not on screen:\n%s", w, s.text())
		}
	}
}

func (s *story) seesNot(words ...string) {
	s.Helper()
	for _, w := range words {
		if strings.Contains(s.text(), w) {
			s.Fatalf("%q is on screen:\n%s", w, s.text())
		}
	}
}

func (s *story) cursorHeight() int64 {
	i, ok := s.screen.List.Cursor()
	if !ok {
		s.Fatal("there is no cursor")
	}
	return s.screen.source.height(i)
}

func TestTheNewestBlocksAreShown(t *testing.T) {
	s := begin(t, 80, 20, "mono")
	s.open(nav.Blocks())
	tip, _ := s.screen.Tips()
	if tip < 1_000_000 {
		t.Fatalf("the tip is %d", tip)
	}
	s.sees("HEIGHT", "BLOCK HASH", "BURN", "TXS", "COST", "AGE", "block interval", comma(tip), comma(tip-5))
	if st := s.screen.Status(); st.Position != "1/"+comma(int64(s.screen.chain.rows())) || st.ExchangeID == 0 || st.FetchedAt.IsZero() {
		t.Errorf("the status is %+v", st)
	}
}

func comma(n int64) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
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
		if s.screen.chain.at[h] == nil {
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
		s.screen = New(s.screen.env, s.client, s.screen.Theme)
		s.screen.SetSize(s.w, s.h)
		s.open(p)
		s.sees("Block 500,000")
		if r := s.screen.current(); r == nil || r.id() != a.Value.IndexBlockHash {
			t.Errorf("%s: the cursor is on %+v", name, r)
		}
	}
	// A server that has retired the lookup is told apart from one without the block.
	s.front = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/extended/v2/blocks/") || strings.HasPrefix(r.URL.Path, "/extended/v3/") {
			w.WriteHeader(http.StatusGone)
			return
		}
		s.server.ServeHTTP(w, r)
	})
	s.open(nav.BlockByIndexHash("0x" + strings.Repeat("ab", 32)))
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
	parent := s.screen.chain.at[r.Height-1]
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
	for _, f := range s.screen.source.filtered {
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
	tx := s.screen.chain.loaded()
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

func TestFailuresAreSaidAndOldRowsStay(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		body   string
		banner string
		first  []string
	}{
		"a server that fails":   {503, `{"error":"out of order"}`, "out of order", []string{"The server failed", "out of order", "try again"}},
		"too many requests":     {429, `{"error":"slow down"}`, "slow down", []string{"Too many requests", "again in"}},
		"an answer of no use":   {200, `{"limit":"x","results":[{"height":{}}]}`, "cannot be read", []string{"The answer cannot be read", "what came"}},
		"an answer that is cut": {200, `{"limit":20,"resu`, "cannot be read", []string{"The answer cannot be read"}},
	} {
		t.Run(name, func(t *testing.T) {
			bad := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				if c.status == 429 {
					w.Header().Set("Retry-After", "7")
				}
				w.WriteHeader(c.status)
				_, _ = w.Write([]byte(c.body))
			})
			s := begin(t, 80, 20, "mono")
			s.front = bad
			s.open(nav.Blocks())
			s.sees(c.first...)
			if subject := s.screen.Subject(); string(subject.Raw) != c.body {
				t.Errorf("the raw view has %q", subject.Raw)
			}
			s.front = s.server
			s.now = s.now.Add(7 * time.Second)
			s.do(s.screen.Refresh())
			tip, _ := s.screen.Tips()
			s.sees(comma(tip))
			s.front = bad
			s.now = s.now.Add(42 * time.Second)
			s.do(s.screen.Refresh())
			s.sees(comma(tip), "data of 42s ago", c.banner)
			if s.screen.Status().Err == nil {
				t.Error("the status has no error")
			}
		})
	}
}

func TestTheServersWishToWaitIsCountedDownAndKept(t *testing.T) {
	s := begin(t, 80, 20, "mono")
	s.front = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Retry-After", "60")
		w.WriteHeader(http.StatusTooManyRequests)
		_, _ = w.Write([]byte(`{"error":"slow down"}`))
	})
	s.open(nav.Blocks())
	s.sees("Too many requests", "again in 1m", "r asks now")
	before := s.sent.Load()
	s.pass(20 * time.Second)
	s.do(s.screen.Live())
	s.sees("again in 40s")
	if s.sent.Load() != before {
		t.Errorf("asked %d times while told to wait", s.sent.Load()-before)
	}
	s.front = s.server
	s.pass(40 * time.Second)
	tip, _ := s.screen.Tips()
	s.sees(comma(tip))
}

func TestAPageThatFailedIsAskedForAgain(t *testing.T) {
	s := begin(t, 80, 20, "mono")
	s.open(nav.Blocks())
	s.front = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = w.Write([]byte(`{"error":"out of order"}`))
	})
	s.press("]", "]", "]")
	s.sees("out of order", "░░░░")
	before := s.sent.Load()
	s.press("j", "k", "j")
	if s.sent.Load() != before {
		t.Error("every key asks again")
	}
	s.front = s.server
	s.pass(retryPause)
	s.seesNot("out of order")
	if s.screen.current() == nil {
		t.Error("the block under the cursor is not loaded")
	}
}

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
		for i := range s.screen.chain.rows() {
			r, below := s.screen.chain.at[s.screen.chain.tip-int64(i)], s.screen.chain.at[s.screen.chain.tip-int64(i)-1]
			if r == nil || below == nil {
				break
			}
			if r.ParentBlockHash != below.Hash {
				t.Fatalf("block %d stands on another than block %d", r.Height, below.Height)
			}
		}
	}
	if len(s.screen.chain.orphans) == 0 || len(s.notices) == 0 {
		t.Fatalf("%d replaced blocks in ten minutes, %d notices", len(s.screen.chain.orphans), len(s.notices))
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
	s.do(s.screen.merge(page{records: []*record{&other}, total: int64(s.screen.chain.rows())}))
	s.sees("✗ orphaned")
	if len(s.notices) != 1 || !strings.Contains(s.notices[0], "1 block replaced") {
		t.Errorf("said %q", s.notices)
	}
	if got := s.screen.current(); got == nil || got.Height != old.Height {
		t.Errorf("the cursor is on %+v", got)
	}
	s.press("j", "enter")
	s.sees("another block stands at this height")
}

func TestLeavingCancelsWhatWasAskedFor(t *testing.T) {
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

func TestGoldenScreens(t *testing.T) {
	for _, c := range []struct {
		name, theme string
		w, h        int
		act         func(*story)
	}{
		{"list-80x24", "mono", 80, 20, func(s *story) { s.open(nav.Blocks()) }},
		{"detail-80x24", "mono", 80, 20, func(s *story) { s.open(nav.Blocks()); s.press("j", "enter") }},
		{"split-120x40", "mono", 120, 36, func(s *story) { s.open(nav.Blocks()); s.press("j", "j", "enter", "j", "j") }},
		{"below-80x44", "mono", 80, 40, func(s *story) { s.open(nav.Blocks()) }},
		{"wide-200x60", "mono", 200, 56, func(s *story) { s.open(nav.Blocks()) }},
		{"wide-json-200x60", "mono", 200, 56, func(s *story) { s.open(nav.Blocks()); s.press("z") }},
		{"microblocks-120x40", "mono", 120, 36, func(s *story) { s.open(nav.BlockAtHeight(30_000)); s.press("_", "+", "+", "G") }},
		{"loading-80x24", "mono", 80, 20, func(s *story) { s.screen.Open(nav.Blocks(), nil); s.now = s.now.Add(4 * time.Second) }},
		{"dark-80x24", "dark", 80, 20, func(s *story) { s.open(nav.Blocks()) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := begin(t, c.w, c.h, c.theme)
			c.act(s)
			if c.theme == "mono" {
				uitest.Golden(t, c.name, s.frame(), c.w, c.h)
			} else {
				uitest.GoldenStyled(t, c.name, s.frame(), c.w, c.h)
			}
		})
	}
}

func TestEverySizeIsFilledExactly(t *testing.T) {
	s := begin(t, 80, 20, "dark")
	s.open(nav.Blocks())
	for _, keys := range [][]string{nil, {"enter"}, {"+"}, {"_", "_"}, {"z"}, {"s"}, {"/", "x"}} {
		s.press(keys...)
		for w := 0; w <= 300; w += 19 {
			for h := 0; h <= 100; h += 7 {
				s.screen.SetSize(w, h)
				lines := s.screen.View(s.now)
				if len(lines) != h {
					t.Fatalf("%d lines in %dx%d after %v", len(lines), w, h, keys)
				}
				for i, line := range lines {
					if got := ansi.StringWidth(line); got > w {
						t.Fatalf("line %d is %d wide in %dx%d after %v: %q", i, got, w, h, keys, line)
					}
				}
			}
		}
	}
}

func BenchmarkKeyAndView(b *testing.B) {
	s := benchStory(b)
	down, up := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("j")}, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("k")}
	i := 0
	for b.Loop() {
		msg := down
		if i/10%2 == 1 {
			msg = up
		}
		i++
		s.Key(msg)
		s.View(noon)
	}
}

// benchStory is the screen at 120x40 with thirty blocks.
func benchStory(b *testing.B) *Screen {
	th, err := theme.New("dark", theme.Options{Dark: true, Colors: colorprofile.TrueColor})
	if err != nil {
		b.Fatal(err)
	}
	env := &screen.Env{Context: b.Context(), Keys: keymap.Default(), Now: func() time.Time { return noon }, Times: &screen.Times{Zone: time.UTC}}
	s := New(env, nil, th)
	s.SetSize(120, 36)
	records := span("a", 1_000_000, 999_941)
	for _, r := range records {
		r.Txs = make([]string, 12)
		for i := range r.Txs {
			r.Txs[i] = "0x" + strings.Repeat("ab", 32)
		}
		r.BlockTime = noon.Unix() - (1_000_000-r.Height)*10
	}
	s.chain.page(records, 1_000_001, 0)
	s.changed()
	return s
}
