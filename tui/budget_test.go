package tui

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"chainscope/apiclient"
	"chainscope/apiclient/wire"
	"chainscope/tui/screen"
	"chainscope/tui/theme"

	"github.com/charmbracelet/x/ansi"
)

// limited returns a client of a server that reports its limit: 3 of 25 are left, for 40 s.
func limited(t *testing.T, header http.Header) *apiclient.Client {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for name, values := range header {
			w.Header()[name] = values
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"limit":20,"offset":0,"total":0,"results":[]}`))
	}))
	t.Cleanup(s.Close)
	c, err := apiclient.New(apiclient.Options{BaseURL: s.URL, Now: func() time.Time { return noon }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	if _, err := c.Blocks(t.Context(), apiclient.Page{}); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestTheStatusLineSaysWhatAnswersAndWhatIsLeft(t *testing.T) {
	th, err := theme.New("mono", theme.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		header http.Header
		want   []string
	}{
		{
			http.Header{"X-Api-Version": {"v9.0.2 (master:abc)"}, "Ratelimit-Limit": {"25"}, "Ratelimit-Remaining": {"18"}, "Ratelimit-Reset": {"40"}},
			[]string{"API 9 · blocks by v1  18/25", "API 9  18/25", "18/25"},
		},
		{http.Header{"X-Api-Version": {"v8.13.6"}}, []string{"API 8 · blocks by v1", "API 8"}},
		{http.Header{}, []string{"blocks by v1"}},
	} {
		var got []string
		for _, way := range serverWords(th, limited(t, c.header)) {
			got = append(got, ansi.Strip(way))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v: %q, want %q", c.header, got, c.want)
		}
	}
}

// The number of requests left goes before the address of the wallet when few are left,
// and after it when there is no hurry.
func TestAFewRequestsLeftAreAlwaysShown(t *testing.T) {
	th, err := theme.New("mono", theme.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for left, shown := range map[string]bool{"2": true, "20": false} {
		c := limited(t, http.Header{"Ratelimit-Limit": {"25"}, "Ratelimit-Remaining": {left}, "Ratelimit-Reset": {"40"}})
		if _, err := c.BurnBlockBlocks(t.Context(), strings.Repeat("ab", 32), apiclient.Page{}); err != nil {
			t.Fatal(err)
		}
		asked := c.Log().Snapshot()
		f := footer{
			theme: th, width: 120, server: serverWords(th, c), low: c.Gate().Budget().Low(),
			wallet: []string{"o not connected account 0 SP2J6…V9EJ7, mainnet", "o account 0, mainnet", "o mainnet"},
		}
		line := ansi.Strip(f.statusLine(screen.Status{FetchedAt: noon, ExchangeID: asked[len(asked)-1].ID}, c.Log(), noon))
		if strings.Contains(line, left+"/25") != shown || !strings.Contains(line, "mainnet") || ansi.StringWidth(line) > 120 {
			t.Errorf("%s left: %q", left, line)
		}
	}
}

func TestLiveTailKeepsToALimit(t *testing.T) {
	l := liveTail{on: true}
	l.adapt(wire.NewGate(nil), defaultPoll, screen.Status{})
	if l.poll != defaultPoll || !l.due(noon) || l.due(noon.Add(4*time.Second)) || !l.due(noon.Add(5*time.Second)) {
		t.Errorf("without a limit it asks every %s", l.poll)
	}
	few := limited(t, http.Header{"Ratelimit-Limit": {"25"}, "Ratelimit-Remaining": {"18"}, "Ratelimit-Reset": {"40"}})
	l.adapt(few.Gate(), defaultPoll, screen.Status{})
	if l.poll != slowPoll || !l.held.IsZero() {
		t.Errorf("with 18 left of 25 it asks every %s, held until %s", l.poll, l.held)
	}
	// The last five are kept for the user: nothing is asked until the window ends.
	none := limited(t, http.Header{"Ratelimit-Limit": {"25"}, "Ratelimit-Remaining": {"5"}, "Ratelimit-Reset": {"40"}})
	l = liveTail{on: true, next: noon}
	l.adapt(none.Gate(), defaultPoll, screen.Status{})
	if at := l.waiting(screen.Status{}, noon); l.due(noon.Add(39*time.Second)) || !at.Equal(noon.Add(40*time.Second)) || !l.due(noon.Add(41*time.Second)) {
		t.Errorf("with 5 left it waits until %s", at)
	}
	// What changes without a block is asked about more often, but for a small limit.
	l = liveTail{on: true, pushed: true, requestedAt: noon, next: noon.Add(slowPoll)}
	l.adapt(wire.NewGate(nil), defaultPoll, screen.Status{Restless: true})
	if l.due(noon.Add(1900*time.Millisecond)) || !l.due(noon.Add(2*time.Second)) {
		t.Errorf("a transaction that may be dropped is asked about every %s", l.poll)
	}
	if l.adapt(few.Gate(), defaultPoll, screen.Status{Restless: true}); l.poll != slowPoll {
		t.Errorf("with 18 left of 25 it is asked about every %s", l.poll)
	}
	l = liveTail{on: true}
	// Where live tail requests nothing, there is nothing to count down to.
	l.held = noon.Add(time.Minute)
	if at := l.waiting(screen.Status{Still: true}, noon); !at.IsZero() {
		t.Errorf("a place that live tail does not ask is asked again at %s", at)
	}
}

// A request that was held back says nothing about the connection.
func TestWhatWasNotSentIsNotOffline(t *testing.T) {
	c := limited(t, http.Header{"Ratelimit-Limit": {"25"}, "Ratelimit-Remaining": {"5"}, "Ratelimit-Reset": {"40"}})
	if _, err := c.Blocks(wire.AtLowPriority(t.Context()), apiclient.Page{Offset: 30}); apiclient.KindOf(err) != apiclient.RateLimited {
		t.Fatalf("got %v", err)
	}
	var seen connection
	if seen.observe(c.Log()); seen.offline {
		t.Error("it says offline")
	}
}

func TestAPictureOfTheServerCountsAgainstItsLimit(t *testing.T) {
	header := http.Header{"Ratelimit-Limit": {"25"}, "Ratelimit-Remaining": {"0"}, "Ratelimit-Reset": {"40"}}
	client := limited(t, header)
	load := tokenOptions(&Options{Client: client}).Picture
	_, err := load(t.Context(), client.BaseURL()+"/a.png")
	if want := "not sent: the server takes no more requests for 40 s"; err == nil || err.Error() != want {
		t.Errorf("the picture's error is %v, want %q", err, want)
	}
}
