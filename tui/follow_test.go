package tui

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chainscope/apiclient"
	"chainscope/mockserver"
	"chainscope/tui/nav"
	"chainscope/tui/state"
	"github.com/charmbracelet/x/ansi"
)

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

// How blocks come to a mock: every ten seconds, or when they are mined.
const (
	blocksCome = true
	onlyMined  = false
)

// following opens a place before a mock; the client takes its limit to be 25 requests a minute.
func following(t *testing.T, place nav.Place, come bool, then func(e *explorer, server *noted, mock *mockserver.Server)) {
	followingAt(t, "http://api.test", visit{place: place}, come, then)
}

func followingAt(t *testing.T, base string, at visit, come bool, then func(e *explorer, server *noted, mock *mockserver.Server)) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		clock := func() time.Time { return noon.Add(time.Since(began)) }
		chain := clock
		if !come {
			chain = func() time.Time { return noon }
		}
		mock, err := mockserver.New(mockserver.Config{Seed: 1, Names: 1_000, APIVersion: "9", Now: chain})
		if err != nil {
			t.Fatal(err)
		}
		defer mock.Close()
		server := &noted{Handler: mock}
		e, end := exploreAt(t, base, server, clock, at.store)
		defer end()
		e.passes(time.Second)
		e.start(e.m.visit(at.place))
		e.passes(5 * time.Second)
		e.presses(at.keys)
		e.passes(5 * time.Second)
		server.reset()
		then(e, server, mock)
	})
}

// newestBlock returns the newest block of a mock.
func newestBlock(t *testing.T, mock http.Handler) apiclient.Block {
	t.Helper()
	client, err := apiclient.New(apiclient.Options{BaseURL: "http://api.test", Transport: roundTripper(func(r *http.Request) (*http.Response, error) { return answered(r, mock), nil })})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	a, err := client.Blocks(t.Context(), apiclient.Page{})
	if err != nil || len(a.Value.Results) == 0 {
		t.Fatal(err)
	}
	return a.Value.Results[0]
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

// Wherever one is, what is on screen is read again when a block has come, and what only another
// chain changes when there is one; nothing is read before.
func TestEveryPlaceFollowsTheChain(t *testing.T) {
	t.Parallel()
	for name, at := range visits {
		t.Run(name, func(t *testing.T) {
			followingAt(t, "http://api.test", at, onlyMined, func(e *explorer, server *noted, mock *mockserver.Server) {
				reads := func(what, path string, want bool) {
					e.t.Helper()
					if view := e.passes(32 * time.Second); path != "" && len(server.of(path)) > 0 != want {
						e.t.Errorf("%s: %s was requested: %v, want %v\n%s", what, path, !want, want, view)
					}
					server.reset()
				}
				any := at.follows + at.stays
				if !at.polls {
					reads("no block", any, false)
				}
				control(e.t, mock, "mine", `{"blocks":1}`)
				reads("a block", any, at.follows != "")
				control(e.t, mock, "reorg", `{"depth":2}`)
				reads("another chain", any, true)
				if !at.polls {
					reads("no block after it", any, false)
				}
			})
		})
	}
}

// A pushed block is followed at once, one on another parent as another chain, though nothing is
// polled for another ten seconds.
func TestEveryPlaceFollowsPushedBlocks(t *testing.T) {
	for name, at := range visits {
		any := at.follows + at.stays
		if any == "" || strings.HasPrefix(any, "/block") {
			continue // which shows the block that was pushed, without a request
		}
		t.Run(name, func(t *testing.T) {
			followingAt(t, "http://127.0.0.1:1", at, onlyMined, func(e *explorer, server *noted, mock *mockserver.Server) {
				reads := func(what string, want bool) {
					e.t.Helper()
					b := newestBlock(e.t, mock)
					e.send(pushedMsg{apiclient.Pushed{Open: true, Block: &b}})
					if view := e.passes(3 * time.Second); len(server.of(any)) > 0 != want {
						e.t.Errorf("%s was pushed, and %s requested: %v, want %v\n%s", what, any, !want, want, view)
					}
					e.passes(2 * time.Second)
					server.reset()
				}
				e.send(pushedMsg{apiclient.Pushed{Open: true}})
				e.passes(16 * time.Second)
				server.reset()
				control(e.t, mock, "mine", `{"blocks":1}`)
				reads("a block", at.follows != "")
				control(e.t, mock, "reorg", `{"depth":2}`)
				reads("another chain", true)
			})
		})
	}
}

// Wherever one is, what is on screen is no older than a minute, or says by how many blocks; what
// nobody waits for takes at most half of the limit.
func TestEveryPlaceIsFreshOrSaysHowOldItIs(t *testing.T) {
	t.Parallel()
	for name, at := range visits {
		t.Run(name, func(t *testing.T) {
			followingAt(t, "http://api.test", at, blocksCome, func(e *explorer, server *noted, _ *mockserver.Server) {
				e.passes(time.Minute)
				server.reset()
				thing, aged := at.follows != "" && !at.list && !at.polls, false
				for range 3 * 6 {
					view := e.passes(10 * time.Second)
					since := strings.Contains(view, "since r read again")
					aged = aged || since
					age := e.m.options.Now().Sub(e.m.currentScreen().Status().FetchedAt)
					if !strings.Contains(view, at.sees) || at.follows != "" && age < time.Hour && age > 30*time.Second && !since {
						e.t.Fatalf("it is not whole, or %s old and does not say so:\n%s", age, view)
					}
				}
				if thing && name != "a name that is free" && !aged || name == "all names" && !aged {
					e.t.Error("it never says how old it is")
				}
				for i, reads := 1, server.of(at.follows); thing && i < len(reads); i++ {
					if d := reads[i].Sub(reads[i-1]); d > time.Second && d < 29*time.Second {
						e.t.Errorf("it was read %s after the time before", d)
					}
				}
				if n := len(server.of("")); n > 3*12+1 {
					e.t.Errorf("%d requests in three minutes: %q", n, server.paths)
				}
			})
		})
	}
}

// The balances in the list of accounts are as old as the list says, at a server with a limit too:
// those that were read are read again, one after the other.
func TestTheListOfAccountsFollowsTheChain(t *testing.T) {
	store, err := state.Open(state.Options{Dir: folder(t)})
	if err != nil {
		t.Fatal(err)
	}
	for _, principal := range []string{"SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7", someone} {
		recently{store, "devnet", "accounts", 40}.remember(principal)
	}
	followingAt(t, "http://api.test", visit{place: nav.Accounts(), store: store}, onlyMined, func(e *explorer, server *noted, mock *mockserver.Server) {
		if view := e.passes(40 * time.Second); len(server.of("/balances/stx")) > 0 || strings.Contains(view, "since r") {
			e.t.Errorf("no balance was looked at, and it is read:\n%s", view)
		}
		e.presses("\r\x1bj\r\x1b") // an account, back to the list, and another one
		e.passes(40 * time.Second)
		server.reset()
		control(e.t, mock, "mine", `{"blocks":2}`)
		if view := e.passes(16 * time.Second); !strings.Contains(view, "2 blocks since r read again") {
			e.t.Errorf("a balance is older than two blocks and does not say so:\n%s", view)
		}
		view := e.passes(50 * time.Second)
		if n := len(server.of("/balances/stx")); n != 2 || strings.Contains(view, "since r") {
			e.t.Errorf("of two balances that were read %d are read again:\n%s", n, view)
		}
		control(e.t, mock, "mine", `{"blocks":1}`)
		e.passes(16 * time.Second)
		e.send(letter('r'))
		if view := e.passes(5 * time.Second); strings.Contains(view, "since r") {
			e.t.Errorf("r leaves balances as they were:\n%s", view)
		}
	})
}

// The network of a server is requested once, though it does not name one or refuses. Where it
// fails, it is requested again at most once a minute, and the addresses that it shows count.
func TestTheNetworkOfAServerIsRequestedOnce(t *testing.T) {
	says := func(body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, body)
		}
	}
	for name, server := range map[string]struct {
		info   http.HandlerFunc
		asked  [3]int // at start, with live updates, after some minutes of them
		header string
	}{
		"named":     {says(`{"network_id":2147483648}`), [3]int{1, 1, 1}, "devnet testnet"},
		"not named": {says(`{}`), [3]int{1, 1, 1}, "devnet ~mainnet"},
		"not there": {http.NotFound, [3]int{1, 1, 1}, "devnet ~mainnet"},
		"refused":   {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }, [3]int{1, 1, 1}, "devnet ~mainnet"},
		"failed":    {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }, [3]int{1, 1, 4}, "devnet ~mainnet"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				clock := func() time.Time { return noon.Add(time.Since(began)) }
				mock, err := mockserver.New(mockserver.Config{Seed: 1, Now: clock})
				if err != nil {
					t.Fatal(err)
				}
				defer mock.Close()
				routes := http.NewServeMux()
				routes.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { mock.ServeHTTP(plain{w}, r) })
				routes.HandleFunc("/v2/info", server.info)
				front := &noted{Handler: routes}
				e, end := explore(t, front, clock)
				defer end()
				e.start(e.m.visit(nav.Transactions()))
				for i, passes := range []time.Duration{time.Second, 30 * time.Second, 3 * time.Minute} {
					if e.passes(passes); len(front.of("/v2/info")) != server.asked[i] {
						t.Errorf("after %s more it was requested %d times", passes, len(front.of("/v2/info")))
					}
				}
				if head, _, _ := strings.Cut(ansi.Strip(e.m.View()), "\n"); !strings.Contains(head, server.header) {
					t.Errorf("the header is %q, without %q", head, server.header)
				}
			})
		})
	}
}

// plain is an answer without the header by which a mock is known.
type plain struct{ http.ResponseWriter }

func (p plain) WriteHeader(status int) {
	p.Header().Del("X-Mock-Scenario")
	p.ResponseWriter.WriteHeader(status)
}

// A transaction stays "success" on screen no longer than its block is in the chain.
func TestATransactionIsReadAgainWhenItsBlockWasReplaced(t *testing.T) {
	following(t, nav.Home(), onlyMined, func(e *explorer, server *noted, mock *mockserver.Server) {
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
	following(t, nav.Account(followedAccount), blocksCome, func(e *explorer, server *noted, _ *mockserver.Server) {
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
	following(t, nav.Transactions(), onlyMined, func(e *explorer, _ *noted, mock *mockserver.Server) {
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
	following(t, nav.Contract(usdaToken), onlyMined, func(e *explorer, _ *noted, _ *mockserver.Server) {
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

// Where the server allows 25 requests a minute and blocks come every ten seconds, no place takes
// more than half of them for what is live, nor reads one thing twice in half a minute.
func TestEveryPlaceKeepsToTheLimit(t *testing.T) {
	t.Parallel()
	for name, at := range visits {
		t.Run(name, func(t *testing.T) {
			followingAt(t, "http://api.test", at, blocksCome, func(e *explorer, server *noted, _ *mockserver.Server) {
				e.passes(time.Minute) // what was still to be read
				server.reset()
				e.passes(3 * time.Minute)
				if n := len(server.of("")); n > 3*25/2 {
					e.t.Errorf("%d requests in three minutes: %q", n, server.paths)
				}
				if at.follows == "" || at.list || at.polls {
					return
				}
				times := server.of(at.follows)
				if len(times) == 0 {
					e.t.Errorf("%s was not read again in three minutes", at.follows)
				}
				for i := 1; i < len(times); i++ {
					if d := times[i].Sub(times[i-1]); d > time.Second && d < 29*time.Second {
						e.t.Errorf("%s was read again after %s", at.follows, d)
					}
				}
			})
		})
	}
}
