package tui

import (
	"context"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"chainscope/apiclient"
	"chainscope/apiclient/wire"
	"chainscope/mockserver"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/keymap"
	"chainscope/tui/nav"
	"chainscope/tui/state"
	"chainscope/tui/text"
	"chainscope/tui/theme"

	tea "github.com/charmbracelet/bubbletea"
)

// breakable is the way to a server: it notes each request, and can be broken.
type breakable struct {
	mu        sync.Mutex
	server    http.Handler
	broken    http.RoundTripper // answers in the server's place, nil for none
	requested []time.Time
}

func (b *breakable) set(server http.Handler, broken http.RoundTripper) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.server, b.broken = server, broken
}

func (b *breakable) RoundTrip(r *http.Request) (*http.Response, error) {
	b.mu.Lock()
	server, broken := b.server, b.broken
	b.requested = append(b.requested, time.Now())
	b.mu.Unlock()
	time.Sleep(20 * time.Millisecond)
	if broken != nil {
		return broken.RoundTrip(r)
	}
	return answered(r, server), nil
}

// requestedBetween reports whether the server received a request in a time.
func (b *breakable) requestedBetween(from, to time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, at := range b.requested {
		if !at.Before(from) && !at.After(to) {
			return true
		}
	}
	return false
}

// answered returns what a handler answers.
func answered(r *http.Request, h http.Handler) *http.Response {
	w := httptest.NewRecorder()
	in := httptest.NewRequest(r.Method, r.URL.RequestURI(), r.Body)
	in.Header, in.Host, in.RemoteAddr = r.Header, "127.0.0.1", "127.0.0.1:1"
	h.ServeHTTP(w, in)
	resp := w.Result()
	resp.Request = r
	return resp
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// answering returns an outage in which the server answers with a status and a body.
func answering(status int, body string, header ...string) roundTripper {
	return func(r *http.Request) (*http.Response, error) {
		return answered(r, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			for i := 0; i+1 < len(header); i += 2 {
				w.Header().Set(header[i], header[i+1])
			}
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		})), nil
	}
}

var outages = map[string]roundTripper{
	"down": func(*http.Request) (*http.Response, error) {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	},
	"reset":               func(*http.Request) (*http.Response, error) { return nil, syscall.ECONNRESET },
	"503 with a reason":   answering(503, `{"error":"maintenance"}`),
	"503 without":         answering(503, ``),
	"database gone":       answering(503, `{"error":"The database service is unavailable"}`),
	"too many requests":   answering(429, `{"error":"slow down"}`, "Retry-After", "20"),
	"an answer cut short": answering(200, `{"limit":20,"off`),
	"slow": func(r *http.Request) (*http.Response, error) {
		<-r.Context().Done()
		return nil, r.Context().Err()
	},
}

// visit is a place, with the keys that are pressed there and what is to be seen.
type visit struct {
	place nav.Place
	keys  string
	sees  string
	// follows is a part of the path that is requested again with a new block, stays of one with
	// another chain alone. A place without either shows nothing that the newest blocks change.
	follows, stays string
	// list is true where it is a list, which need not rest between two blocks, and polls where it
	// is requested without a block, too.
	list  bool
	polls bool
	store *state.Store
}

const (
	followedAccount = "SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J"
	namesContract   = "SP2QEZ06AGJ3RKJPBV14SY1V5BBFNAW33D96YPGZF.BNS-V2"
	harborDollar    = "SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.harbor-dollar"
	harborLights    = "SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.harbor-lights"
	minedTxID       = "0xa3446c86aa2caa176d3eb98cd0445eeae1854ba76408c89909c0656d0d759dc8"
)

// visits are places of all kinds.
var visits = map[string]visit{
	"home":                {place: nav.Home(), sees: "txs per block", follows: "/block", polls: true},
	"blocks":              {place: nav.Blocks(), sees: "BLOCK HASH", follows: "/block", polls: true},
	"blocks, scrolled":    {place: nav.Blocks(), keys: "]]]]]", sees: "BLOCK HASH", follows: "/block", polls: true},
	"blocks, at the end":  {place: nav.Blocks(), keys: "G", sees: "BLOCK HASH", follows: "/block", polls: true},
	"the newest block":    {place: nav.Place{Kind: nav.KindBlock, Ref: nav.Ref{By: nav.ByLatest}}, sees: "index hash", follows: "/block", polls: true},
	"a block":             {place: nav.BlockAtHeight(990_000), sees: "990,000"},
	"a block by its burn": {place: nav.BlockAtBurnHeight(930_366), sees: "index hash"},
	"burn blocks":         {place: nav.BurnBlocks(), keys: "jjj", sees: "BURN BLOCK", follows: "/burn-blocks", polls: true},
	"newest burn block":   {place: nav.LatestBurnBlock(), sees: "BLOCK HASH", follows: "/burn-blocks", polls: true},
	"an old burn block":   {place: nav.BurnBlockAtHeight(930_366), sees: "930,366"},
	"tokens":              {place: nav.Tokens(), sees: "Tokens"},
	"a token":             {place: nav.FT(harborDollar, ""), sees: "Harbor Dollar", follows: "/ft/" + harborDollar},
	"one of a collection": {place: nav.NFT(harborLights, "1", ""), sees: "Harbor Lights", follows: "/nft/" + harborLights},
	"who has a token":     {place: nav.Holders(harborDollar), sees: "HOLDER", follows: "/holders", list: true},
	"whose it was":        {place: nav.Moves(harborLights, "1"), sees: "WHAT", follows: "/nft/history", list: true},
	"a page of names":     {place: nav.Names("btc"), sees: "NAME", follows: "/namespaces/btc/names"},
	"all names":           {place: nav.Names("btc"), keys: "aa", sees: "all of them"},
	"namespaces":          {place: nav.Names(""), sees: "NAMESPACE", follows: "/v1/namespaces", list: true},
	"one namespace":       {place: nav.Listed(nav.KindNamespaces, "id"), sees: "100+", follows: "/namespaces/id/names"},
	"a name":              {place: nav.Name("00fla007.btc"), sees: "BNS v2", follows: "/call-read/"},
	"a name that is free": {place: nav.Name("nobody-has-it.btc"), sees: "neither registry", follows: "/call-read/"},
	"signers":             {place: nav.Listed(nav.KindSigners, ""), sees: "SIGNER", follows: "/signers", list: true},
	"a signer":            {place: nav.Listed(nav.KindSigners, ""), keys: "l", sees: "KEY", follows: "/stakers"},
	"bonds":               {place: nav.Listed(nav.KindBonds, ""), sees: "BOND", follows: "/bonds", list: true},
	"a bond":              {place: nav.Listed(nav.KindBonds, "1"), sees: "Registrations", follows: "/bonds/1"},
	"transactions":        {place: nav.Transactions(), keys: "jjj", sees: "WHAT", follows: "/tx", list: true},
	"those of a block":    {place: nav.TransactionsIn(nav.BlockAtHeight(990_000).Ref), sees: "WHAT", stays: "/990000"},
	"those of an account": {place: nav.TransactionsOf(followedAccount), sees: "12 of 12", follows: "/transactions", list: true},
	"the mempool":         {place: nav.Mempool(), sees: "No transactions", follows: "/mempool", polls: true},
	"a transaction":       {place: nav.Transaction(minedTxID), sees: "invoice 17", stays: "/tx/" + minedTxID},
	"what one called":     {place: nav.Trace(minedTxID), sees: "Not known here", stays: "/trace"},
	"accounts":            {place: nav.Accounts(), sees: "No accounts"},
	"an account":          {place: nav.Account(followedAccount), sees: "next nonce", follows: "/balances/stx"},
	"contracts":           {place: nav.Contracts(), sees: "of the network"},
	"a contract":          {place: nav.Contract(usdaToken), sees: "get-balance", stays: "/contract/" + usdaToken},
	"a source":            {place: nav.Source(usdaToken), sees: "define-fungible-token", stays: "/contract/" + usdaToken},
	"prints":              {place: nav.Prints(usdaToken), sees: "No prints", follows: "/events", list: true},
	"a variable":          {place: nav.Kept(namesContract, "bns-index"), sees: "Result", follows: "/data_var/"},
	"a constant":          {place: nav.Kept(usdaToken, "ERR-NOT-SENDER"), sees: "Result", stays: "/constant_val/"},
	"a map":               {place: nav.Kept(namesContract, "index-to-name"), keys: "1\r\r", sees: "Result", follows: "/map_entry/"},
	"a read-only call":    {place: nav.Function(usdaToken, "get-total-supply"), sees: "Result", follows: "/call-read/"},
}

// trouble are the words of a screen that is not whole.
var trouble = regexp.MustCompile(`OFFLINE|stale|data of|again in|Loading|loading|The server failed|No answer|Too many|cannot be read|Can't reach|Stopped after|no suggestions|maintenance|░{18}|○`)

// waits holds what the first line says while live tail keeps to the server's limit: what is
// shown is whole then.
var waits = regexp.MustCompile(`limited, again in \d+\S*`)

// countdown is the time after which a screen says that it requests again.
var countdown = regexp.MustCompile(`again in (?:(\d+)m)? ?(?:(\d+)s)?`)

// explorer is the program in the time of a test, before a server that can break.
type explorer struct {
	*session
	front *breakable
}

// explore starts the explorer on a server, whose limit it does not know. It ends with end.
func explore(t *testing.T, server http.Handler, clock func() time.Time) (e *explorer, end func()) {
	return exploreAt(t, "http://api.test", server, clock, nil)
}

// exploreAt returns explore with the address of the server, and with a folder of the user, nil for none.
func exploreAt(t *testing.T, base string, server http.Handler, clock func() time.Time, store *state.Store) (e *explorer, end func()) {
	t.Helper()
	front := &breakable{server: server}
	client, err := apiclient.New(apiclient.Options{BaseURL: base, Transport: front, Now: clock, Gate: wire.NewGate(clock)})
	if err != nil {
		t.Fatal(err)
	}
	m, err := New(Options{
		Client: client, Keys: keymap.Default(), Network: "devnet", Theme: "mono", Look: theme.Options{Plain: true},
		Now: clock, Zone: time.UTC, Tick: tea.Tick, Store: store,
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	e = &explorer{&session{t: t, m: m, msgs: make(chan tea.Msg), ctx: ctx, reading: true}, front}
	e.send(tea.WindowSizeMsg{Width: 120, Height: 40})
	e.start(m.Init())
	return e, func() {
		cancel()
		m.leave()
		client.Close()
		e.runs.Wait()
	}
}

// presses presses keys, one a second, enter, esc and ctrl+g by their characters.
func (e *explorer) presses(keys string) {
	for _, k := range keys {
		switch k {
		case '\r':
			e.send(enter)
		case '\x1b':
			e.send(tea.KeyMsg{Type: tea.KeyEsc})
		case '\a':
			e.send(tea.KeyMsg{Type: tea.KeyCtrlG})
		default:
			e.send(letter(k))
		}
		e.passes(time.Second)
	}
}

// keepsWord lets time pass, second by second, and checks that what is counted down to
// happens.
func (e *explorer) keepsWord(d time.Duration) {
	e.t.Helper()
	type promise struct {
		at   time.Time
		view string
	}
	var promised []promise
	for end := time.Now().Add(d); time.Now().Before(end); {
		view := e.passes(time.Second)
		now := time.Now()
		for _, m := range countdown.FindAllStringSubmatch(view, -1) {
			minutes, _ := strconv.Atoi(m[1])
			seconds, _ := strconv.Atoi(m[2])
			if at := now.Add(time.Duration(minutes)*time.Minute + time.Duration(seconds)*time.Second); at.Before(end.Add(-3 * time.Second)) {
				promised = append(promised, promise{at, view})
			}
		}
	}
	for _, p := range promised {
		if !e.front.requestedBetween(p.at.Add(-2500*time.Millisecond), p.at.Add(2500*time.Millisecond)) {
			e.t.Fatalf("nothing was requested when the countdown ended:\n%s", p.view)
		}
	}
}

// wholeWithin waits until a screen is whole, and says how long it took.
func (e *explorer) wholeWithin(limit time.Duration, sees string) time.Duration {
	e.t.Helper()
	began := time.Now()
	for {
		view := e.passes(time.Second)
		if !trouble.MatchString(waits.ReplaceAllString(view, "")) && strings.Contains(view, sees) {
			return time.Since(began)
		}
		if time.Since(began) > limit {
			e.t.Fatalf("after %s it is not whole:\n%s", limit, view)
		}
	}
}

// Whatever a server does, and wherever one looks: what is counted down to is requested, and
// when the server is back the screen is whole within a minute, without a key.
func TestEveryPlaceIsWholeAMinuteAfterAnyOutage(t *testing.T) {
	t.Parallel()
	times, every := 1, 5 // every fifth outage at each place
	switch {
	case uitest.Long():
		times, every = 2, 1
	case testing.Short(): // with the race detector
		every = 15
	}
	places := slices.Sorted(maps.Keys(visits))
	for i, what := range slices.Sorted(maps.Keys(outages)) {
		broken := outages[what]
		t.Run(what, func(t *testing.T) {
			for j, name := range places {
				if (i+j)%every != 0 {
					continue
				}
				at := visits[name]
				t.Run(name, func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						began := time.Now()
						clock := func() time.Time { return noon.Add(time.Since(began)) }
						mock, err := mockserver.New(mockserver.Config{Seed: 1, Names: 1_000, Now: clock, APIVersion: "9"})
						if err != nil {
							t.Fatal(err)
						}
						defer mock.Close()
						e, end := explore(t, mock, clock)
						defer end()
						e.passes(time.Second)
						e.start(e.m.visit(at.place))
						e.passes(5 * time.Second)
						e.presses(at.keys)
						e.wholeWithin(time.Minute, at.sees)
						for range times {
							e.front.set(mock, broken)
							e.start(e.m.refresh())
							e.keepsWord(2 * time.Minute)
							e.front.set(mock, nil)
							took := e.wholeWithin(time.Minute, at.sees)
							e.passes(20 * time.Second)
							e.wholeWithin(time.Second, at.sees)
							t.Logf("whole after %s", took)
						}
					})
				})
			}
		})
	}
}

// A place that is left in an outage and come back to after it is whole again within a minute:
// by its key, by the way back, and with the cursor where it was.
func TestAPlaceThatWasLeftInAnOutageIsWholeWhenOneComesBack(t *testing.T) {
	t.Parallel()
	for name, at := range visits {
		for i, way := range []string{"its key", "the way back"} {
			if testing.Short() && len(name)%2 != i { // with the race detector
				continue
			}
			t.Run(name+", "+way, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					began := time.Now()
					clock := func() time.Time { return noon.Add(time.Since(began)) }
					mock, err := mockserver.New(mockserver.Config{Seed: 1, Names: 1_000, Now: clock, APIVersion: "9"})
					if err != nil {
						t.Fatal(err)
					}
					defer mock.Close()
					e, end := explore(t, mock, clock)
					defer end()
					e.passes(time.Second)
					e.start(e.m.visit(at.place))
					e.passes(5 * time.Second)
					e.presses(at.keys)
					e.wholeWithin(time.Minute, at.sees)
					here := e.m.current
					e.front.set(mock, outages["down"])
					e.start(e.m.refresh())
					e.passes(15 * time.Second)
					elsewhere := nav.Home()
					if at.place.Kind == nav.KindHome {
						elsewhere = nav.Transactions()
					}
					e.start(e.m.visit(elsewhere))
					e.passes(30 * time.Second)
					e.front.set(mock, nil)
					e.passes(15 * time.Second)
					if way == "its key" {
						e.start(e.m.openTab(here))
						e.wholeWithin(time.Minute, "")
					} else {
						e.start(e.m.back())
						e.wholeWithin(time.Minute, at.sees)
					}
					e.passes(20 * time.Second)
					e.wholeWithin(time.Second, "")
				})
			})
		}
	}
}

// What one place has read, another one shows: an outage empties no screen that could be
// filled.
func TestHomeShowsTheBlocksThatBlocksHasInAnOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		clock := func() time.Time { return noon.Add(time.Since(began)) }
		mock, err := mockserver.New(mockserver.Config{Seed: 1, Now: clock})
		if err != nil {
			t.Fatal(err)
		}
		defer mock.Close()
		e, end := explore(t, mock, clock)
		defer end()
		e.start(e.m.visit(nav.Blocks())) // before home has read anything
		e.passes(5 * time.Second)
		e.front.set(mock, outages["down"])
		e.start(e.m.refresh())
		e.passes(5 * time.Second)
		e.start(e.m.visit(nav.Home()))
		view := e.passes(5 * time.Second)
		if tip := text.Count(newest(t, mock)); !strings.Contains(view, "Transactions per block") || strings.Contains(view, "oading") || !strings.Contains(view, tip[:len(tip)-2]) {
			t.Errorf("home has nothing of block %s:\n%s", tip, view)
		}
	})
}
