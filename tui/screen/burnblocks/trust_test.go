package burnblocks

import (
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
	"chainscope/tui/remote"
	"chainscope/tui/screen"
	"chainscope/tui/text"
)

// within fails when drawing takes longer than a second.
func within(t *testing.T, what string, draw func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		draw()
	}()
	select {
	case <-done:
	case <-time.After(time.Second):
		t.Fatalf("%s: not drawn within a second", what)
	}
}

// extremes are numbers that a server can send and a chain cannot have.
var extremes = []int64{0, -1, math.MinInt64, 1 << 53, 1<<53 + 1, math.MaxInt64 - 1, math.MaxInt64}

func TestNoNumberOfAServerHangsTheScreen(t *testing.T) {
	for _, n := range extremes {
		d := drive(t, http.NotFoundHandler(), "mono")
		d.screen.place = nav.BurnBlocks()
		l := listing{height: n, hash: "0x1", total: n, time: time.Unix(n, 0), blocks: []block{{Block: apiclient.ListedBlock{Height: n, BurnBlockHeight: n, TxCount: n}.Block()}}}
		_, key := d.screen.over.tip.Start(t.Context(), d.Clock)
		within(t, fmt.Sprint("height ", n), func() {
			d.Do(d.screen.tipLoaded(fetched(key, l, d.Clock)))
			for _, keys := range []string{"j", "G", "tab"} {
				d.screen.Key(uitest.Key(keys))
				d.screen.View(d.Clock)
			}
			d.screen.place = nav.LatestBurnBlock()
			_, key := d.screen.one.value.Start(t.Context(), d.Clock)
			d.screen.oneLoaded(fetched(key, l, d.Clock))
			d.screen.ShowList(d.screen.one.list)
			d.screen.Changed()
			d.screen.View(d.Clock)
		})
	}
}

// A server without a block has no newest burn block. That is not a burn block that
// got none.
func TestAnEmptyChainIsCalledEmpty(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		body   string
	}{
		"not found":     {404, `{"statusCode":404,"error":"Not Found","message":"Burn block not found"}`},
		"an empty list": {200, `{"limit":30,"offset":0,"total":0,"results":[]}`},
	} {
		for _, place := range []nav.Place{nav.BurnBlocks(), nav.LatestBurnBlock()} {
			t.Run(fmt.Sprint(name, " at ", place), func(t *testing.T) {
				d := drive(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
					w.Header().Set("Content-Type", "application/json")
					w.WriteHeader(c.status)
					_, _ = w.Write([]byte(c.body))
				}), "mono")
				d.Open(place)
				d.Sees("No blocks yet", "The chain of this server is empty.")
				d.SeesNot("No Stacks block in this burn block", "That is normal", "Not found")
			})
		}
	}
}

func TestABurnBlockIsEmptyOnlyWhenTheServerSaysSo(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		body   string
		want   string
	}{
		"no such burn block": {404, `{"statusCode":404,"error":"Not Found","message":"Burn block not found"}`, "no Stacks block"},
		"an empty list":      {200, `{"limit":30,"offset":0,"total":0,"results":[]}`, "no Stacks block"},
		"a proxy's 404":      {404, `<html><h1>404 Not Found</h1></html>`, "This API does not serve this route"},
		"no such route":      {404, `{"message":"Route GET:/extended/v2/burn-blocks/1/blocks not found"}`, "This API does not serve this route: Route"},
		"not on the tape":    {404, `{"error":"Not recorded"}`, "Not recorded"},
		"a retired route":    {410, `{"error":"This endpoint has been disabled"}`, "disabled"},
	} {
		t.Run(name, func(t *testing.T) {
			m := mock(t, func() time.Time { return uitest.Noon })
			d := drive(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if strings.Contains(r.URL.Path, "latest") {
					m.ServeHTTP(w, r)
					return
				}
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(c.status)
				_, _ = w.Write([]byte(c.body))
			}), "mono")
			d.Open(nav.BurnBlocks())
			d.Press("j")
			d.Sees(c.want)
			if empty := c.want == "no Stacks block"; !empty {
				d.SeesNot("no Stacks block")
			}
			if c.status != http.StatusOK {
				return
			}
			height := d.tip() - 1
			d.Open(nav.BurnBlockAtHeight(height))
			if got := d.screen.Subject().Title; got != "burn block "+text.Count(height) {
				t.Errorf("what is opened is called %q", got)
			}
		})
	}
}

// counting counts the requests to a mock.
func counting(t *testing.T, requested *int, without string) *driver {
	m := mock(t, func() time.Time { return uitest.Noon })
	d := drive(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*requested++
		if r.URL.Path == without {
			w.WriteHeader(http.StatusGone)
			return
		}
		m.ServeHTTP(w, r)
	}), "mono")
	d.screen.ahead = false
	return d
}

func TestWhereBurnBlocksAreListedOpeningCostsTwoRequests(t *testing.T) {
	for _, size := range [][2]int{{80, 20}, {120, 36}, {200, 56}} {
		requested := 0
		d := counting(t, &requested, "")
		d.screen.SetSize(size[0], size[1])
		d.Open(nav.BurnBlocks())
		d.Wait(10 * time.Second)
		d.Sees("930,470      93     344", "no Stacks block")
		pages := 1 + size[1]/40 // more rows than a page
		if requested > 1+pages {
			t.Errorf("%d requests at %v", requested, size)
		}
		for range 5 {
			d.Press("j")
		}
		d.Wait(time.Second)
		i, _ := d.screen.over.list.Cursor()
		if _, read := d.screen.over.read(d.screen.over.height(i)); !read || requested > 2+pages {
			t.Errorf("%d requests after a rest at %v, the row is read: %v", requested, size, read)
		}
		// Further down the list goes on by the page.
		d.Press("G")
		d.Wait(5 * time.Second)
		d.SeesNot("not read yet")
		if requested > 8 {
			t.Errorf("%d requests at the end of the list at %v", requested, size)
		}
	}
}

// The two requests more are those that find out that burn blocks are not listed.
func TestWhereTheyAreNotItCostsAtMostSix(t *testing.T) {
	for _, size := range [][2]int{{80, 20}, {120, 36}, {200, 56}} {
		requested := 0
		d := counting(t, &requested, "/extended/v2/burn-blocks")
		d.screen.SetSize(size[0], size[1])
		d.Open(nav.BurnBlocks())
		d.Wait(10 * time.Second)
		if requested > 6 {
			t.Errorf("%d requests at %v", requested, size)
		}
		d.Sees("not read yet")
		// Rows that the cursor only passes cost nothing.
		for range 12 {
			d.Press("j")
			d.Wait(50 * time.Millisecond)
		}
		if requested > 6 {
			t.Errorf("%d requests while the cursor moves at %v", requested, size)
		}
		d.Wait(time.Second)
		i, _ := d.screen.over.list.Cursor()
		if _, read := d.screen.over.read(d.screen.over.height(i)); !read || requested > 6+atOnce {
			t.Errorf("%d requests after a rest, the row is read: %v", requested, read)
		}
	}
}

func TestItTriesAgainAsItSaidWithoutLiveTail(t *testing.T) {
	for name, place := range map[string]nav.Place{"the list": nav.BurnBlocks(), "one": nav.LatestBurnBlock()} {
		t.Run(name, func(t *testing.T) {
			d := live(t)
			tip := d.tip()
			limited := true
			base, err := url.Parse(d.Env.Client.BaseURL())
			if err != nil {
				t.Fatal(err)
			}
			mock := httputil.NewSingleHostReverseProxy(base)
			front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if limited {
					w.Header().Set("Retry-After", "4")
					w.WriteHeader(http.StatusTooManyRequests)
					return
				}
				mock.ServeHTTP(w, r)
			}))
			t.Cleanup(front.Close)
			d.Env.Client, err = apiclient.New(apiclient.Options{BaseURL: front.URL, MaxAttempts: 1, Now: func() time.Time { return d.Clock }})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(d.Env.Client.Close)
			d.Open(place)
			d.Sees("again in 4s")
			d.Wait(4 * time.Second)
			d.Sees("again in 4s") // requested, and refused once more
			limited = false
			d.Wait(4 * time.Second)
			d.SeesNot("again in", "Too many requests")
			d.Sees(text.Count(tip))
		})
	}
}

func TestALongerRowIsMoreBlocks(t *testing.T) {
	d := live(t)
	d.Open(nav.BurnBlocks())
	th := uitest.Theme(t, "mono")
	var before string
	for _, n := range []int64{1, 2, 20, 118} {
		l := listing{total: n}
		for range min(n, pageSize) {
			l.blocks = append(l.blocks, block{Block: apiclient.ListedBlock{TxCount: 4}.Block()})
		}
		drawn := chartOf(l, 40, d.screen.over.scaleFor(40), -1, th)
		if len([]rune(drawn)) < len([]rune(before)) {
			t.Errorf("%d blocks draw %q, fewer draw %q", n, drawn, before)
		}
		before = drawn
	}
}

func TestAClickChoosesARow(t *testing.T) {
	d := live(t)
	d.Open(nav.BurnBlocks())
	d.Do(d.screen.Click(5, 3+1+7)) // heading, chart, notice; columns; the eighth row
	d.Settle()
	if got := d.screen.List.Position(); got != 7 {
		t.Errorf("the cursor is at row %d", got)
	}
	d.Do(d.screen.Click(90, 3+2))
	if !d.screen.InDetail {
		t.Error("a click on the detail leaves the keys in the list")
	}
}

func TestTheKeysOfEveryPlaceDoSomething(t *testing.T) {
	d := live(t)
	d.screen.SetSize(200, 56)
	for _, place := range []nav.Place{nav.BurnBlocks(), nav.LatestBurnBlock()} {
		d.Open(place)
		for _, k := range []string{"+", "_", "s", "z", "/"} {
			before := d.Frame()
			d.Press(k)
			if d.Frame() == before {
				t.Errorf("%s does nothing in %s", k, place)
			}
		}
		d.Press("esc", "_", "+")
	}
}

type fetchedListing = screen.Fetched[listing]

func fetched(key remote.Key, l listing, at time.Time) (msg fetchedListing) {
	msg.Key, msg.Value, msg.At = key, l, at
	return msg
}

// A server that is slower than live tail polls is waited for.
func TestLiveTailLeavesARequestThatIsUnderWay(t *testing.T) {
	for _, place := range []nav.Place{nav.BurnBlocks(), nav.LatestBurnBlock()} {
		d := drive(t, http.NotFoundHandler(), "mono")
		if d.screen.Open(place, nil) == nil || d.screen.Live() != nil || !d.screen.Status().Busy {
			t.Errorf("%s: it is requested again before the answer is there", place)
		}
	}
}
