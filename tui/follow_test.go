package tui

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chainscope/apiclient"
	"chainscope/mockserver"
	"chainscope/tui/nav"
	"github.com/charmbracelet/x/ansi"
)

const followedAccount = "SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J"

// noted is a server that notes the paths of its requests, with when they came.
type noted struct {
	http.Handler

	mu    sync.Mutex
	paths []string
	times []time.Time
}

func (n *noted) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n.mu.Lock()
	n.paths, n.times = append(n.paths, r.URL.Path), append(n.times, time.Now())
	n.mu.Unlock()
	n.Handler.ServeHTTP(w, r)
}

// of returns when requests came whose path contains a word.
func (n *noted) of(word string) []time.Time {
	n.mu.Lock()
	defer n.mu.Unlock()
	var out []time.Time
	for i, p := range n.paths {
		if strings.Contains(p, word) {
			out = append(out, n.times[i])
		}
	}
	return out
}

func (n *noted) reset() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.paths, n.times = nil, nil
}

// following opens a place before a mock whose blocks come as often as is said; the client takes
// its limit to be 25 requests a minute.
func following(t *testing.T, place nav.Place, every time.Duration, then func(e *explorer, server *noted, mock *mockserver.Server)) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		clock := func() time.Time { return noon.Add(time.Since(began)) }
		mock, err := mockserver.New(mockserver.Config{Seed: 1, Now: clock, BlockInterval: every, BurnInterval: time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		defer mock.Close()
		server := &noted{Handler: mock}
		e, end := explore(t, server, clock)
		defer end()
		e.passes(time.Second)
		e.start(e.m.visit(place))
		e.passes(10 * time.Second)
		server.reset()
		then(e, server, mock)
	})
}

// A newest transaction of a mock, which a reorg takes out of its block.
func newestTransaction(t *testing.T, mock http.Handler) string {
	t.Helper()
	client, err := apiclient.New(apiclient.Options{BaseURL: "http://api.test", Transport: roundTripper(func(r *http.Request) (*http.Response, error) { return answered(r, mock), nil })})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	a, err := client.Transactions(t.Context(), apiclient.Among{}, 20, "")
	if err != nil || len(a.Value.Results) == 0 {
		t.Fatal(err)
	}
	return a.Value.Results[0].ID
}

// The balance of an account, the history of one and the newest transactions are read again
// when a block has come, and not before.
func TestWhatIsOnScreenIsReadAgainAfterABlock(t *testing.T) {
	for name, c := range map[string]struct {
		place nav.Place
		path  string
	}{
		"an account":          {nav.Account(followedAccount), "/balances/stx"},
		"those of an account": {nav.TransactionsOf(followedAccount), "/transactions"},
		"transactions":        {nav.Transactions(), "/extended/v1/tx"},
		"prints":              {nav.Prints(usdaToken), "/events"},
	} {
		t.Run(name, func(t *testing.T) {
			following(t, c.place, 10*time.Minute, func(e *explorer, server *noted, mock *mockserver.Server) {
				e.passes(40 * time.Second)
				if got := server.of(c.path); len(got) > 0 {
					t.Errorf("without a block it was read %d times more", len(got))
				}
				control(e.t, mock, "mine", `{"blocks":1}`)
				if view := e.passes(17 * time.Second); len(server.of(c.path)) == 0 {
					t.Errorf("a block came and nothing was read again:\n%s", view)
				}
			})
		})
	}
}

// A transaction stays "success" on screen no longer than its block is in the chain.
func TestATransactionIsReadAgainWhenItsBlockWasReplaced(t *testing.T) {
	following(t, nav.Home(), 10*time.Minute, func(e *explorer, server *noted, mock *mockserver.Server) {
		id := newestTransaction(e.t, mock)
		e.start(e.m.visit(nav.Transaction(id)))
		e.passes(16 * time.Second)
		server.reset()
		control(e.t, mock, "mine", `{"blocks":1}`)
		e.passes(17 * time.Second)
		if got := server.of(id); len(got) > 0 {
			t.Errorf("a block above it, and it was read %d times", len(got))
		}
		control(e.t, mock, "reorg", `{"depth":2}`)
		if view := e.passes(17 * time.Second); len(server.of(id)) == 0 {
			t.Errorf("its block was replaced, and it was not read again:\n%s", view)
		}
	})
}

// Where the server allows few requests a page of one thing is read at most every half minute,
// live tail takes at most half of them, and what is older than the chain says by how much.
func TestAPageOfOneThingKeepsToTheLimit(t *testing.T) {
	following(t, nav.Account(followedAccount), 10*time.Second, func(e *explorer, server *noted, _ *mockserver.Server) {
		aged := false
		for range 5 * 60 {
			view := e.passes(time.Second)
			aged = aged || strings.Contains(view, "blocks since r read again")
		}
		reads := server.of("/balances/stx")
		for i := 1; i < len(reads); i++ {
			if d := reads[i].Sub(reads[i-1]); d < 29*time.Second {
				t.Errorf("it was read %s after the time before", d)
			}
		}
		if n := len(server.of("")); len(reads) < 5 || n > 5*12 || !aged {
			t.Errorf("in five minutes the account was read %d times, by %d requests in all; it says how old it is: %v", len(reads), n, aged)
		}
	})
}

// New rows come into view at the top of a list of transactions; further down it says how many
// are above.
func TestNewTransactionsAreSeenOrCounted(t *testing.T) {
	following(t, nav.Transactions(), 10*time.Minute, func(e *explorer, _ *noted, mock *mockserver.Server) {
		first := func() string {
			return ansi.Truncate(ansi.Strip(e.m.currentScreen().View(e.m.options.Now())[4]), 60, "") // without its age
		}
		before := first()
		control(e.t, mock, "mine", `{"blocks":3}`)
		if view := e.passes(17 * time.Second); first() == before || strings.Contains(view, "new transaction") {
			t.Errorf("at the top the new ones do not come into view:\n%s", view)
		}
		for range 30 {
			e.send(letter('j'))
		}
		e.passes(16 * time.Second)
		before = first()
		control(e.t, mock, "mine", `{"blocks":3}`)
		if view := e.passes(17 * time.Second); first() != before || !strings.Contains(view, "new transactions g shows") {
			t.Errorf("further down it does not say how many came, or moves:\n%s", view)
		}
		e.send(letter('g'))
		if view := e.passes(time.Second); strings.Contains(view, "new transactions") {
			t.Errorf("they are in sight, and counted as new:\n%s", view)
		}
	})
}

// Wherever one is, the parent of a pushed block says that the block before was replaced: what
// changes with the chain alone is to be read again.
func TestAPushedBlockOnAnotherParentIsNoticedAtAContract(t *testing.T) {
	following(t, nav.Contract(usdaToken), 10*time.Minute, func(e *explorer, _ *noted, _ *mockserver.Server) {
		push := func(hash, parent string, above int64) {
			b := apiclient.Block{Canonical: true, Height: e.m.env.Tip.Height + above, Hash: hash, IndexBlockHash: hash, ParentBlockHash: parent}
			e.send(pushedMsg{apiclient.Pushed{Open: true, Block: &b}})
		}
		push("0xa1", e.m.tip.known[e.m.env.Tip.Height].Hash, 1)
		if e.m.currentScreen().Live() != nil {
			t.Error("a block that follows, and the contract is read again")
		}
		push("0xc1", "0xc0", 1)
		if e.m.currentScreen().Live() == nil {
			t.Error("a block on another parent, and what is on screen is not read again")
		}
	})
}
