package names

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"

	"github.com/charmbracelet/x/ansi"
)

// stuck serves some pages of a namespace and then nothing until it is given up,
// or an error.
type stuck struct {
	pages int
	err   error
	ends  bool          // it is all there is
	gate  chan struct{} // when not nil, what comes after the first page waits for it
	of    int           // pages there are, for probes
	name  func(i int) string
	until time.Time // when not zero, what comes after the pages waits for it
}

func (s *stuck) page(page int) []string {
	out := make([]string, 100)
	for i := range out {
		out[i] = s.name((page-1)*100 + i)
	}
	return out
}

func (s *stuck) Names(_ context.Context, _ string, q apiclient.NamesQuery) (apiclient.Answer[[]string], error) {
	if q.Page > s.of {
		return apiclient.Answer[[]string]{}, &apiclient.Error{Kind: apiclient.InvalidInput, ServerError: "Invalid page", Status: 400}
	}
	return apiclient.Answer[[]string]{Value: s.page(max(1, q.Page))}, nil
}

func (s *stuck) NamesPages(ctx context.Context, _ string, q apiclient.AllNamesQuery, yield func(int, []string) error) error {
	for page := 1; page <= s.pages; page++ {
		if err := yield(page, s.page(page)); err != nil {
			return err
		}
		if s.gate == nil {
			continue
		}
		select {
		case <-s.gate:
		case <-ctx.Done():
			return &apiclient.Error{Kind: apiclient.Canceled, Err: ctx.Err()}
		}
	}
	if s.err != nil || s.ends {
		return s.err
	}
	if !s.until.IsZero() {
		q.OnWait(s.until)
	}
	<-ctx.Done()
	return &apiclient.Error{Kind: apiclient.Canceled, Err: ctx.Err()}
}

func numbered(i int) string { return fmt.Sprintf("name-%05d.btc", i) }

// partial reads until so many names are shown, and leaves the rest under way.
func (d *driver) partial(names int) {
	d.Helper()
	for {
		if c, ok := d.screen.names.Get(); ok && c.list.Len() >= names {
			return
		}
		if d.Pending() == 0 {
			d.Fatal("the names never came")
		}
		d.Step()
	}
}

func TestGoldenScreens(t *testing.T) {
	open := func(d *driver) { d.Open(nav.Names("btc")) }
	for _, c := range []struct {
		name, theme string
		w, h        int
		api         API // nil for the mock
		act         func(*driver)
	}{
		{"states#unknown", "mono", 80, 20, nil, func(d *driver) { d.Open(nav.Names("Btc")) }},
		{"all-80x24", "mono", 80, 20, nil, open},
		{"all-120x40", "mono", 120, 36, nil, open},
		{"all-200x60", "mono", 200, 56, nil, open},
		{"search-120x40", "mono", 120, 36, nil, func(d *driver) { open(d); d.Press("/"); d.Type("ma"); d.Press("down") }},
		{"search-dark-80x24", "dark", 80, 20, nil, func(d *driver) { open(d); d.Press("/"); d.Type("ma"); d.Press("enter", "j") }},
		{"states#nothing-found", "mono", 80, 20, nil, func(d *driver) { open(d); d.Press("/"); d.Type("nowhere") }},
		{"detail-80x24", "mono", 80, 20, nil, func(d *driver) { open(d); d.Press("enter") }},
		{"below-80x44", "mono", 80, 40, nil, open},
		{"page-120x40", "mono", 120, 36, nil, func(d *driver) { open(d); d.Press("a", "]") }},
		{"states#past-the-end", "mono", 80, 20, nil, func(d *driver) { p := nav.Names("btc"); p.Page = 99; d.Open(p) }},
		{"states#no-names", "mono", 80, 20, nil, func(d *driver) { d.Open(nav.Names("graphite")) }},
		{"states#loading", "mono", 80, 20, nil, func(d *driver) {
			d.Do(d.Screen.Open(nav.Names("btc"), nil))
			d.Drop()
			d.Clock = d.Clock.Add(4 * time.Second)
		}},
		{"states#reading", "mono", 80, 20, &stuck{pages: 30, of: 250, name: numbered}, func(d *driver) {
			d.Do(d.Screen.Open(nav.Names("btc"), nil))
			d.partial(3000)
			d.screen.opt.Count = func(context.Context, string) (int, error) { return 25_000, nil }
			d.screen.Update(d.screen.weigh()())
			d.Clock = d.Clock.Add(3 * time.Second)
		}},
		{"states#failed-midway", "mono", 80, 20, &stuck{pages: 30, of: 30, name: numbered, err: &apiclient.Error{Kind: apiclient.ServerFault, Status: 503, ServerError: "maintenance"}}, open},
		{"states#offline", "mono", 80, 20, &stuck{name: numbered, err: &apiclient.Error{Kind: apiclient.Offline, Err: errors.New("connection refused")}}, open},
		{"states#broken", "mono", 80, 20, &stuck{name: numbered, err: &apiclient.Error{Kind: apiclient.Decode, Status: 200, FieldPath: "[3]", BodyOffset: 41}}, open},
		{"states#rate-limited", "mono", 80, 20, &stuck{name: numbered, err: &apiclient.Error{Kind: apiclient.RateLimited, Status: 429, RetryAfter: 30 * time.Second}}, open},
	} {
		t.Run(c.name, func(t *testing.T) {
			api := c.api
			if api == nil {
				api = mock(t, 5000, "")
			}
			d := drive(t, api, Options{})
			d.screen.SetTheme(uitest.Theme(t, c.theme))
			d.screen.SetSize(c.w, c.h)
			c.act(d)
			if c.theme == "mono" {
				uitest.Golden(t, c.name, d.Frame(), c.w, c.h)
			} else {
				uitest.GoldenStyled(t, c.name, d.Frame(), c.w, c.h)
			}
			d.Screen.Leave()
		})
	}
}

func TestALimitMidwayIsNamed(t *testing.T) {
	limit := &apiclient.Error{Kind: apiclient.RateLimited, Status: 429, RetryAfter: 30 * time.Second}
	d := drive(t, &stuck{pages: 30, of: 30, name: numbered, err: limit}, Options{})
	d.Open(nav.Names("btc"))
	d.Sees("3,000 names so far", "Stopped after 3,000 names  Too many requests  again in 30s  r tries now", "name-00000.btc")
}

func TestAStoppedReadingKeepsItsNamesAndCanBeBegunAgain(t *testing.T) {
	api := &stuck{pages: 30, of: 30, name: numbered}
	d := drive(t, api, Options{})
	d.Do(d.Screen.Open(nav.Names("btc"), nil))
	d.partial(3000)
	d.Sees("3,000 names so far")
	d.screen.Key(uitest.Key("esc"))
	d.Settle()
	d.Sees("Stopped after 3,000 names", "name-00000.btc")
	d.Press("/")
	d.Type("name-0299")
	d.Sees("10 found")
	d.Press("esc")
	// Fewer names than are shown do not replace them.
	d.screen.api = &stuck{pages: 10, of: 10, name: numbered, err: &apiclient.Error{Kind: apiclient.Offline}}
	d.Do(d.Screen.Refresh())
	d.Settle()
	d.Sees("3,000 names so far", "Offline")
}

func TestAFailureMidwayIsSaidAndReadingGoesOnAfterTheWait(t *testing.T) {
	api := &stuck{pages: 3, of: 3, name: numbered, err: &apiclient.Error{Kind: apiclient.RateLimited, Status: 429, RetryAfter: 30 * time.Second}}
	d := drive(t, api, Options{})
	d.Open(nav.Names("btc"))
	d.Sees("Stopped after 300 names", "Too many requests", "again in 30s")
	d.screen.api = &stuck{pages: 5, of: 5, name: numbered, ends: true}
	d.Wait(29 * time.Second)
	d.Sees("Stopped after 300 names", "again in 1s")
	d.Wait(time.Second)
	d.Sees("500 names, all of them")
}

func TestLeavingWhileNamesComeGoesOnWhenOneIsBack(t *testing.T) {
	d := drive(t, &stuck{pages: 3, of: 3, name: numbered}, Options{})
	d.Do(d.Screen.Open(nav.Names("btc"), nil))
	d.partial(300)
	d.Screen.Leave()
	d.Settle()
	if d.Screen.Status().Busy {
		t.Error("the reading goes on behind another place")
	}
	d.Do(d.Screen.Open(nav.Names("btc"), nil))
	if !d.Screen.Status().Busy {
		t.Error("the reading does not go on")
	}
	d.Screen.Leave()
	d.Settle()
}

func TestASearchFollowsTheNamesThatCome(t *testing.T) {
	gate := make(chan struct{})
	d := drive(t, &stuck{pages: 300, of: 300, ends: true, gate: gate, name: numbered}, Options{})
	d.Do(d.Screen.Open(nav.Names("btc"), nil))
	d.partial(100)
	d.screen.Key(uitest.Key("/"))
	for _, r := range "name-2999" {
		d.screen.Key(uitest.Key(string(r)))
	}
	d.Sees("0 found", "100 names so far")
	close(gate)
	d.Settle()
	d.Sees("10 found", "30,000 names, all of them")
}

// hostileNames returns names as an attacker would register them, were they let.
func hostileNames() []string {
	return []string{
		"plain.btc", "\x1b[31mred\x1b[0m.btc", "\x1b]0;title\x07.btc", "a\u202ebtc.lave.btc", "zero\u200bwidth.btc", "tab\tline\nbreak.btc",
		"\u0007bell.btc", "\x9b2J.btc", "wide\u4e16\u754c.btc", strings.Repeat("long", 2000) + ".btc", "\xff\xfe.btc", "e" + strings.Repeat("\u0301", 40) + ".btc", "", ".btc", "btc",
	}
}

func TestHostileNamesAreShownHarmlessly(t *testing.T) {
	names := hostileNames()
	d := drive(t, &stuck{pages: 1, of: 1, name: func(i int) string { return names[i%len(names)] }}, Options{})
	d.Do(d.Screen.Open(nav.Names("btc"), nil))
	d.partial(100)
	harmless := func() {
		t.Helper()
		frame := d.Frame()
		if strings.ContainsAny(ansi.Strip(frame), "\x1b\x07\u009b\u202e\u200b\t\r") || strings.Contains(frame, "\x1b]0;") || strings.Contains(frame, "[31m") && strings.Contains(frame, "\x1b[31m") {
			t.Errorf("a hostile name reached the screen: %q", frame)
		}
	}
	for range names {
		harmless()
		d.screen.Key(uitest.Key("j"))
	}
	d.screen.Key(uitest.Key("g"))
	d.screen.Key(uitest.Key("j"))
	d.Sees("Hidden characters", "This name is not what it looks like")
	for _, q := range []string{"\x1b[31m", "\u202e", "b", "世", "\xff"} {
		d.screen.Narrow(q)
		harmless()
	}
	d.FitsEverySize()
	d.Screen.Leave()
}

func TestEverySizeIsFilledExactly(t *testing.T) {
	d := drive(t, mock(t, 3000, ""), Options{})
	d.Open(nav.Names("btc"))
	for _, keys := range [][]string{nil, {"enter"}, {"esc", "/", "m"}, {"esc", "a"}, {"+"}, {"enter", "_", "_"}} {
		d.Press(keys...)
		d.FitsEverySize()
	}
}

func TestWhatIsNotFoundIsNotCalledAMistakeOfTheServer(t *testing.T) {
	client := uitest.Client(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte(`{"error":"No such namespace"}`))
	}))
	d := drive(t, client, Options{})
	p := nav.Names("nope")
	p.Page = 3
	d.Open(p)
	d.Sees("No such namespace")
	d.SeesNot("The server failed")
}
