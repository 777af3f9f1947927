package home

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"chainscope/apiclient"
	"chainscope/mockserver"
	"chainscope/tui/chain"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
	"chainscope/tui/screen"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/wallet/service"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// driver is a user of home, who counts the requests.
type driver struct {
	*uitest.Driver
	screen *Screen

	mu      sync.Mutex
	asked   []string
	fails   bool
	orphans bool // all blocks are said to be replaced
}

func (d *driver) count(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d.mu.Lock()
		d.asked = append(d.asked, r.URL.RequestURI())
		fails := d.fails
		d.mu.Unlock()
		if fails {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusInternalServerError)
			_, _ = w.Write([]byte(`{"error":"out of order"}`))
			return
		}
		if d.orphans {
			answer := httptest.NewRecorder()
			h.ServeHTTP(answer, r)
			w.Header().Set("Content-Type", answer.Header().Get("Content-Type"))
			_, _ = io.WriteString(w, strings.ReplaceAll(answer.Body.String(), `"canonical":true`, `"canonical":false`))
			return
		}
		h.ServeHTTP(w, r)
	})
}

// begin opens home in a window on a mock chain that has the driver's clock.
func begin(t *testing.T, themed string, width, height int) *driver {
	t.Helper()
	d := &driver{}
	m := uitest.Mock(t, mockserver.Config{
		Seed: 1, BlockInterval: 10 * time.Second, BurnInterval: 10 * time.Minute, Now: func() time.Time {
			if d.Driver == nil {
				return uitest.Noon
			}
			return d.Clock
		},
	})
	d.Driver = uitest.NewDriver(t, uitest.Client(t, d.count(m)))
	d.screen = New(d.Env, uitest.Theme(t, themed), Options{
		Greet: true, Find: "872114", Scenario: func(context.Context) (string, error) { return "healthy", nil },
	})
	d.Screen = d.screen
	d.screen.SetSize(width, height)
	return d
}

func (d *driver) plain() string { return ansi.Strip(d.Frame()) }

// What home shows costs at most two requests beyond the first page of blocks, and
// nothing more while the chain stands.
func TestHomeMakesFewRequests(t *testing.T) {
	d := begin(t, "dark", 120, 36)
	d.Open(nav.Home())
	d.mu.Lock()
	first := len(d.asked)
	d.mu.Unlock()
	if first > 3 || first < 2 || d.asked[0] != "/extended/v1/block?limit=30" {
		t.Errorf("home asked %q, want the first page and at most two more", d.asked)
	}
	d.Wait(5 * time.Second)
	d.Do(d.screen.Live())
	d.Settle()
	if more := d.asked[first:]; len(more) != 1 || more[0] != d.asked[0] {
		t.Errorf("live tail asked %q, want the first page", more)
	}
}

// The processors are left to the first blocks: what is beside them is requested when
// they are there, or when they do not come.
func TestTheFirstBlocksComeBeforeWhatIsBesideThem(t *testing.T) {
	for _, fails := range []bool{false, true} {
		d := begin(t, "mono", 120, 36)
		d.fails = fails
		loaded := -1
		d.screen.opt.Scenario = func(context.Context) (string, error) {
			loaded = len(d.screen.chain.blocks)
			return "slow", nil
		}
		d.Open(nav.Home())
		if fails {
			d.SeesNot("slow")
			d.Wait(calm)
		}
		d.Sees("slow")
		if (loaded == 0) != fails {
			t.Errorf("the API fails %v: the scenario was asked for when %d blocks were there", fails, loaded)
		}
	}
}

// Every loaded block is a column of the box of its burn block, and the oldest burn
// block says how many are missing.
func TestTheBurnBlocksAreGroupsOfTheirStacksBlocks(t *testing.T) {
	d := begin(t, "mono", 120, 36)
	d.Open(nav.Home())
	groups := d.screen.chain.groups
	loaded := 0
	for i, g := range groups {
		loaded += len(g.blocks)
		a, err := d.Env.Client.BurnBlockBlocks(d.Env.Context, fmt.Sprint(g.height), apiclient.Page{})
		if err != nil {
			t.Fatal(err)
		}
		if g.total != a.Value.Total || g.whole != (i < len(groups)-1 || int64(len(g.blocks)) == a.Value.Total) {
			t.Errorf("burn block %d: %d blocks, whole %v; the server has %d and %d are loaded", g.height, g.total, g.whole, a.Value.Total, len(g.blocks))
		}
	}
	if loaded != 2*pageSize {
		t.Errorf("%d blocks are loaded, want two pages", loaded)
	}
	d.Sees("Burn blocks, newest first", fmt.Sprintf("%d of %d blocks loaded", len(groups[len(groups)-1].blocks), groups[len(groups)-1].total))
}

// A replaced block is shown beside the one that stands there now and does not count, and a chain
// that was reset loses what it had more.
func TestPagesAreJoined(t *testing.T) {
	d := begin(t, "mono", 120, 36)
	d.Open(nav.Home()) // the client learns that it is a mock
	s := d.screen
	s.chain = view{total: map[int64]int64{}}
	page := func(offset int, burn int64, heights ...int64) chain.Page {
		p := chain.Page{Offset: offset, Requested: s.env.Now()}
		for _, h := range heights {
			// Block 10 is on block 9 of burn block 6, each other one on a block of burn block 7.
			below := fmt.Sprint(7, h-1)
			if h <= 10 {
				below = fmt.Sprint(6, h-1)
			}
			if n := len(p.Blocks); n > 0 {
				p.Blocks[n-1].ParentBlockHash = fmt.Sprint(burn, h)
			}
			id := fmt.Sprint(burn, h)
			p.Blocks = append(p.Blocks, &chain.Block{Block: apiclient.Block{Canonical: true, Height: h, BurnBlockHeight: burn, IndexBlockHash: id, Hash: id, ParentBlockHash: below}})
		}
		return p
	}
	said := func() string {
		var words []string
		for _, b := range s.chain.blocks {
			word := b.IndexBlockHash
			if b.orphaned {
				word += "x"
			}
			words = append(words, word)
		}
		for _, g := range s.chain.groups {
			words = append(words, fmt.Sprint(g.height, "=", g.count))
		}
		return strings.Join(words, ",")
	}
	s.join(page(0, 7, 12, 11, 10))
	s.join(page(3, 6, 9, 8))
	s.join(page(0, 8, 13, 12))
	if got, want := said(), "8 13,8 12,7 12x,7 11,7 10,6 9,6 8,8=2,7=2,6=2"; got != want {
		t.Errorf("joined: %s, want %s", got, want)
	}
	if intervals, txs := s.pace.intervals, s.pace.txs; len(intervals) != 6 || len(txs) != 6 || intervals[0] == intervals[0] {
		t.Errorf("the oldest block has an interval, or a replaced one counts: %v", intervals)
	}
	s.join(page(0, 7, 11, 10))
	if got, want := said(), "7 11,7 10,6 9,6 8,7=2,6=2"; got != want {
		t.Errorf("after a reset: %s, want %s", got, want)
	}
	if change := s.join(page(0, 9, 4, 3)); said() != "9 4,9 3,9=2" || !change.Other {
		t.Errorf("on another chain: %s, %+v", said(), change)
	}
	if s.join(page(0, 9, 30, 29)); said() != "9 30,9 29,9=2" {
		t.Errorf("after blocks that do not meet the others: %s", said())
	}
}

// Orphans and blocks with a transaction of ours have a sign of their own, also where
// there is no color, and a column over the scale is marked.
func TestThePictureHasASignForEveryKindOfBlock(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		d := begin(t, "mono", 120, 36)
		if ascii {
			th, err := theme.New("mono", theme.Options{ASCII: true, Plain: true})
			if err != nil {
				t.Fatal(err)
			}
			d.screen.SetTheme(th)
		}
		blocks := []block{{txs: 4}, {txs: 4, orphaned: true}, {txs: 4, call: "1-1"}, {txs: 400}, {txs: 0}, {txs: 4}}
		lines := d.screen.columns(spot{group: group{blocks: blocks}, columns: 6, unknown: 2, cells: 1}, 3, 8)
		g := d.screen.Theme.Glyphs
		full, half := string(g.Chart.Column[len(g.Chart.Column)-1]), string(g.Chart.Column[len(g.Chart.Column)/2-1])
		if ascii {
			half = string(g.Chart.Column[3]) // seven heights: the half is a little more
		}
		unknown := string(g.Chart.Unknown)
		want := []string{
			"   " + string(g.Chart.Capped) + "    ",
			half + half + half + full + " " + half + "  ",
			full + g.Cross + g.Dot + full + " " + full + unknown + unknown,
		}
		for i := range want {
			if got := ansi.Strip(lines[i]); got != want[i] {
				t.Errorf("ascii %v, row %d is %q, want %q", ascii, i, got, want[i])
			}
		}
	}
}

// Wherever one is, enter leads on, and tab goes to every tile and around.
func TestEveryTileLeadsSomewhere(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 20}, {40, 8}} {
		d := begin(t, "mono", size[0], size[1])
		d.Open(nav.Home())
		seen := map[string]bool{}
		for range d.screen.tiles() {
			at := d.screen.current()
			if strings.Count(d.plain(), "▸") != 1 {
				t.Errorf("%v: the tile %s is not marked, or others are:\n%s", size, at.id, d.plain())
			}
			var sent tea.Msg
			send := d.Env.Send
			d.Env.Send = func(msg tea.Msg) { sent = msg }
			if _, taken := d.screen.Key(uitest.Key("enter")); !taken {
				t.Fatalf("%v: enter on %s does nothing", size, at.id)
			}
			d.Env.Send = send
			switch sent.(type) {
			case screen.GoMsg, screen.UseMsg:
			default:
				t.Errorf("%v: enter on %s gives %T", size, at.id, sent)
			}
			seen[at.id] = true
			d.Press("tab")
		}
		if len(seen) != len(d.screen.tiles()) || d.screen.current().id != tipID {
			t.Errorf("%v: tab came to %d of %d tiles", size, len(seen), len(d.screen.tiles()))
		}
	}
}

// A demo and three things to try, each with one key, are offered until one of them was used.
func TestANewcomerIsOfferedThingsUntilOneIsUsed(t *testing.T) {
	for _, key := range []string{"d", "ctrl+g", "?", "M", "x"} {
		d := begin(t, "mono", 120, 36)
		noted, demos := 0, 0
		d.screen.opt.Greeted = func() { noted++ }
		d.screen.opt.Demo = func() tea.Cmd { demos++; return nil }
		d.Open(nav.Home())
		d.Wait(5 * time.Second)
		if d.Sees("A demo, and three things to try", "d        watch a demo"); noted != 0 {
			t.Errorf("looking at the things to try is noted as if one was used")
		}
		if d.Press(key); noted != 1 || demos > 0 != (key == "d") {
			t.Errorf("%s: noted %d times, with %d demos", key, noted, demos)
		}
	}
}

// A key hides what can be tried, and shows it again.
func TestTheThingsToTryCanBeHidden(t *testing.T) {
	d := begin(t, "mono", 120, 36)
	d.Open(nav.Home())
	d.Sees("Three things to try", "go to anything: 872114")
	d.Press("x")
	d.SeesNot("Three things to try")
	if len(d.Notices) == 0 || d.Notices[len(d.Notices)-1] != "x shows the things to try again" {
		t.Errorf("no way back is said: %q", d.Notices)
	}
	d.Press("x")
	d.Sees("Three things to try")
	again := New(d.Env, uitest.Theme(t, "mono"), Options{})
	again.SetSize(120, 36)
	if strings.Contains(strings.Join(again.View(uitest.Noon), "\n"), "Three things") {
		t.Error("a later start greets, too")
	}
}

// Nothing moves when the answers come, and a failure is said where the blocks would be.
func TestEveryStateIsDrawnInPlace(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 20}, {40, 8}} {
		d := begin(t, "mono", size[0], size[1])
		empty := strings.Split(d.plain(), "\n")
		d.Open(nav.Home())
		for y, line := range strings.Split(d.plain(), "\n") {
			for _, label := range []string{"Tip ", "─ API ─", "Seconds between", "Cost per block", "Three things", " Wallet", " Calls"} {
				if strings.Contains(line, label) && !strings.Contains(empty[y], label) {
					t.Errorf("%v: %q was not in line %d before: %q", size, label, y, empty[y])
				}
			}
		}
		failing := begin(t, "mono", size[0], size[1])
		failing.fails = true
		failing.Open(nav.Home())
		failing.Sees("The server failed")
		stale := begin(t, "mono", max(60, size[0]), max(17, size[1]))
		stale.Open(nav.Home())
		stale.fails = true
		stale.Do(stale.screen.Refresh())
		stale.Settle()
		stale.Sees("The server failed", "1,004,3")
		failing.FitsEverySize()
	}
}

// A tip that was replaced is said to be, in the color of what is bad; one that is in that of
// what is good.
func TestATipThatWasReplacedHasTheColorOfWhatIsBad(t *testing.T) {
	th := uitest.Theme(t, "dark")
	good, bad := th.OK.Render("✓ canonical"), th.Bad.Render("✗ orphaned")
	if good == ansi.Strip(good) || bad == ansi.Strip(bad) {
		t.Fatal("the theme has no colors")
	}
	for _, size := range [][2]int{{120, 36}, {80, 20}} {
		for _, orphans := range []bool{false, true} {
			d := begin(t, "dark", size[0], size[1])
			d.orphans = orphans
			d.Open(nav.Home())
			if strings.Contains(d.Frame(), bad) != orphans || strings.Contains(d.Frame(), good) == orphans {
				t.Errorf("%v, replaced %v:\n%s", size, orphans, d.Frame())
			}
		}
	}
}

// The wallet's calls are listed as they come, with the newest first.
func TestCallsAreListed(t *testing.T) {
	d := begin(t, "mono", 160, 36)
	d.Open(nav.Home())
	w, err := service.New(service.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	d.Env.Wallet = w
	d.screen.wallet.calls = []service.Call{
		{Method: "stx_transferStx", Time: d.Clock.Add(-2 * time.Minute), Done: true, TxID: "0x01"},
		{Method: "stx_signMessage", Time: d.Clock.Add(-3 * time.Minute), Done: true, Decision: service.RejectedByPerson},
	}
	d.Sees("stx_transferStx  sent", "stx_signMessage  rejected by you", "2m", "3m")
}

// The words of a scale leave a gap to the title of the chart, however many columns are
// higher than it.
func TestAScaleIsSeparatedFromItsTitle(t *testing.T) {
	d := begin(t, "mono", 120, 36)
	d.Open(nav.Home())
	values := make([]float64, 100)
	for i := range values {
		values[i] = float64(i%3) + 1.7
	}
	for i := range 12 {
		values[i*8] = 95.5
	}
	for width := 24; width <= 100; width++ {
		for _, title := range []string{"Cost per block, of the limit", "Latency of requests"} {
			head := ansi.Strip(d.screen.chart(title, "%", values, width, 2, false)[0])
			if text.Width(head) > width || !strings.HasPrefix(head, " "+title+"  ") && !strings.HasPrefix(title, strings.Trim(strings.TrimRight(strings.Split(head+" full", " full")[0], " "), " …")) {
				t.Errorf("in %d cells: %q", width, head)
			}
		}
	}
}

func TestHomeFitsEverySize(t *testing.T) {
	d := begin(t, "mono", 120, 36)
	d.Open(nav.Home())
	d.FitsEverySize()
}

// A server that is not there is told while the client still tries.
func TestWhileItTriesAgainTheReasonIsSaid(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 20}, {56, 10}} {
		d := begin(t, "mono", size[0], size[1])
		_ = d.screen.Open(nav.Home(), nil) // nothing is answered
		d.Env.Attempt = func() *apiclient.Attempt {
			return &apiclient.Attempt{Op: "blocks", Number: 3, Of: 6, Cause: &apiclient.Error{Kind: apiclient.Offline, Err: errors.New("connection refused")}}
		}
		d.Clock = d.Clock.Add(time.Second)
		d.Sees("attempt 3 of 6: connection refused")
	}
}
