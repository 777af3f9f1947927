package names

import (
	"fmt"
	"math"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"chainscope/apiclient"
	"chainscope/mockserver"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
)

// limited returns a user of a live API, which counts requests and takes 25 of them a minute.
func limited(t *testing.T, asked *atomic.Int64, opt Options) *driver {
	t.Helper()
	m := uitest.Mock(t, mockserver.Config{Seed: 7, Names: 5000, Freeze: &uitest.Noon})
	d := drive(t, uitest.Client(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		w.Header().Set("RateLimit-Limit", "25")
		w.Header().Set("RateLimit-Remaining", "25")
		m.ServeHTTP(w, r)
	})), opt)
	d.screen.opt.ReadAll = false
	return d
}

func TestALiveNamespaceOpensOnOnePage(t *testing.T) {
	var asked atomic.Int64
	d := limited(t, &asked, Options{})
	d.Open(nav.Names("btc"))
	d.Sees("page 1", "100 names", "a all names")
	if asked.Load() > 2 { // one more to learn how the server counts pages
		t.Errorf("%d requests", asked.Load())
	}
	if d.Screen.Place().Page != 1 {
		t.Errorf("the place is %s", d.Screen.Place())
	}
}

func TestLookingUpANameReadsNoNamespaceUnasked(t *testing.T) {
	var asked atomic.Int64
	d := limited(t, &asked, Options{})
	place := nav.Names("btc")
	place.Filter = "muneeb"
	d.Open(place)
	if asked.Load() > 2 {
		t.Errorf("%d requests", asked.Load())
	}
	d.Sees("Only this page was searched", "a read all names")
}

func TestAllNamesAreReadAfterTheirCostWasSaid(t *testing.T) {
	var asked atomic.Int64
	d := limited(t, &asked, Options{})
	d.Open(nav.Names("btc"))
	d.Press("a")
	d.Sees("minutes at 25 a minute", "a again reads them")
	d.Press("esc")
	d.SeesNot("25 a minute")
	d.Press("a", "a")
	d.Sees("5,000 names, all of them")
}

func TestTheCostIsFoundOutWhereTheServerDoesNotReportIt(t *testing.T) {
	var asked atomic.Int64
	d := limited(t, &asked, Options{})
	d.Open(nav.Names("btc"))
	before := asked.Load()
	d.Press("a")
	pages := d.screen.weight
	b, ok := pages.Get()
	if want := 50; !ok || b.low > want || b.high < want || b.high-b.low > want/4 {
		t.Errorf("%d pages are bracketed as %+v", want, b)
	}
	if spent := asked.Load() - before; spent > 10 {
		t.Errorf("%d requests to find that out", spent)
	}
	d.Sees(fmt.Sprintf("about %d requests, about 2 minutes at 25 a minute", b.pages()), "a again reads them")
}

func TestItTriesAgainAsItSaidWithoutLiveTail(t *testing.T) {
	refused := &apiclient.Error{Kind: apiclient.RateLimited, Status: 429, RetryAfter: 4 * time.Second}
	d := drive(t, &stuck{name: numbered, err: refused}, Options{})
	d.Open(nav.Names("btc"))
	d.Sees("again in 4s")
	d.Wait(4 * time.Second)
	d.Sees("again in 4s") // asked, and refused once more
	d.screen.api = &stuck{pages: 5, of: 5, name: numbered, ends: true}
	d.Wait(4 * time.Second)
	d.Sees("500 names, all of them")
}

// A server that limits requests may interrupt a reading for long. What is waited for
// is said, and that nobody need wait.
func TestAReadingThatHasToWaitSaysSo(t *testing.T) {
	for name, pages := range map[string]int{"before the first page": 0, "midway": 3} {
		t.Run(name, func(t *testing.T) {
			d := drive(t, &stuck{pages: pages, of: 9, name: numbered, until: uitest.Noon.Add(38 * time.Second)}, Options{})
			d.Do(d.Screen.Open(nav.Names("btc"), nil))
			for d.screen.progress.until.IsZero() {
				d.Step()
			}
			d.Sees("again in 38s", "r tries now")
			d.Clock = d.Clock.Add(39 * time.Second)
			d.SeesNot("again in")
			d.Drop()
			d.Screen.Leave()
		})
	}
}

func TestNoNumberOfAPageHangsTheScreen(t *testing.T) {
	live, err := apiclient.New(apiclient.Options{BaseURL: "http://api.test"}) // nothing is sent to it
	if err != nil {
		t.Fatal(err)
	}
	defer live.Close()
	for _, n := range []int64{0, -1, math.MinInt64, 1 << 53, 1<<53 + 1, math.MaxInt64 - 1, math.MaxInt64} {
		drawn := make(chan struct{})
		go func() {
			defer close(drawn)
			d := drive(t, &stuck{pages: 3, of: 3, name: numbered, ends: true}, Options{})
			d.Env.Client = live
			d.screen.opt.ReadAll = false
			place := nav.Names("btc")
			place.Page = int(n)
			d.Open(place)
			for _, k := range []string{"j", "G", "a", "a", "]", "[", "enter", "tab"} {
				d.Press(k)
				d.Frame()
			}
		}()
		select {
		case <-drawn:
		case <-time.After(5 * time.Second):
			t.Fatalf("%d: not drawn in time", n)
		}
	}
}

func TestThePlaceSaysWhichRegistryItShows(t *testing.T) {
	d := drive(t, &stuck{pages: 2, of: 2, name: numbered, ends: true}, Options{Registry: func() string { return "These are the names of the first registry." }})
	d.Open(nav.Names("btc"))
	d.Sees("These are the names of the first registry.")
}

func TestAServerWithoutALimitIsReadAtOnce(t *testing.T) {
	d := drive(t, uitest.Client(t, uitest.Mock(t, mockserver.Config{Seed: 7, Names: 5000, Freeze: &uitest.Noon})), Options{})
	d.screen.opt.ReadAll = false
	d.Open(nav.Names("btc"))
	d.Press("a")
	d.Sees("5,000 names, all of them")
	d.SeesNot("a minute")
}

// A search in the first page of many speaks of that page, not of the namespace; only once all is
// read it says that no name matches.
func TestASearchInAPartSpeaksOfThatPart(t *testing.T) {
	var asked atomic.Int64
	d := limited(t, &asked, Options{})
	d.Open(nav.Names("btc"))
	d.Press("/")
	d.Type("zzqqx")
	d.Sees("No match in the", "loaded")
	d.SeesNot("No name contains")
	m := uitest.Mock(t, mockserver.Config{Seed: 7, Names: 300, Freeze: &uitest.Noon})
	partly := drive(t, uitest.Client(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("page") == "2" {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		m.ServeHTTP(w, r)
	})), Options{})
	partly.Open(nav.Names("btc"))
	partly.Press("/")
	partly.Type("zzqqx")
	partly.Sees("No match in the", "loaded")
	partly.SeesNot("No name contains")
	whole := drive(t, mock(t, 300, ""), Options{})
	whole.Open(nav.Names("btc"))
	whole.Press("/")
	whole.Type("zzqqx")
	whole.Sees("No name contains “zzqqx”", "All ")
	whole.SeesNot("No match in the")
}
