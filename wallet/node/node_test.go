package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const goodCatalogue = `{"seed":"1","tip":{"height":1,"burn_height":2},"ft":[],"nft":[],"namespaces":[],"heights":[]}`

// recorder is a server that counts the POSTs it gets.
type recorder struct {
	*httptest.Server
	posts atomic.Int64
	last  atomic.Value // the body of the last POST
}

func record(t *testing.T, catalogue, seed string, answer func(w http.ResponseWriter, r *http.Request)) *recorder {
	t.Helper()
	rec := &recorder{}
	rec.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			rec.posts.Add(1)
			body, _ := io.ReadAll(r.Body)
			rec.last.Store(string(body))
		}
		if r.URL.Path == "/mock/v1/catalog" && catalogue != "" {
			w.Header().Set("Content-Type", "application/json")
			if seed != "" {
				w.Header().Set("X-Mock-Seed", seed)
			}
			fmt.Fprint(w, catalogue)
			return
		}
		if answer == nil {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		answer(w, r)
	}))
	t.Cleanup(rec.Close)
	return rec
}

func client(t *testing.T, o Options) *Client {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	if o.Transport == nil {
		o.Transport = transport
	}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func accept(w http.ResponseWriter, _ *http.Request) { fmt.Fprintf(w, "%q", strings.Repeat("ab", 32)) }

func TestATransactionIsPostedToAMockOnThisMachine(t *testing.T) {
	rec := record(t, goodCatalogue, "1", accept)
	logged := 0
	c := client(t, Options{BaseURL: rec.URL, Wrap: func(base http.RoundTripper) http.RoundTripper {
		return roundTrip(func(r *http.Request) (*http.Response, error) { logged++; return base.RoundTrip(r) })
	}})
	txid, err := c.Broadcast(t.Context(), []byte("raw octets"))
	if err != nil || txid != strings.Repeat("ab", 32) {
		t.Fatalf("got %q, %v", txid, err)
	}
	if rec.posts.Load() != 1 || rec.last.Load() != "raw octets" || logged != 2 {
		t.Errorf("%d posts, last %q, %d logged", rec.posts.Load(), rec.last.Load(), logged)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// elsewhere is a connection that ends at an address of another machine.
type elsewhere struct{ net.Conn }

func (elsewhere) RemoteAddr() net.Addr {
	return &net.TCPAddr{IP: net.IPv4(203, 0, 113, 5), Port: 80}
}

func TestNothingIsPostedToAnythingButAMockOnThisMachine(t *testing.T) {
	with := func(key, value string) string {
		return strings.TrimSuffix(goodCatalogue, "}") + fmt.Sprintf(`,%q:%s}`, key, value)
	}
	cases := map[string]struct {
		catalogue, seed string
		dial            func(ctx context.Context, network, address string) (net.Conn, error)
		reason          string
	}{
		"a server that is no mock":              {catalogue: "", reason: "answers 404"},
		"a page in place of a catalogue":        {catalogue: "<html>", seed: "1", reason: "is not the catalogue"},
		"an empty object":                       {catalogue: "{}", seed: "1", reason: "is not the catalogue"},
		"a mock with an upstream":               {catalogue: with("upstream", `"https://live.example"`), seed: "1", reason: "with upstream"},
		"a mock that replays":                   {catalogue: with("replay", `"tape"`), seed: "1", reason: "with replay"},
		"an upstream that is only said to be":   {catalogue: with("upstream", `true`), seed: "1", reason: "with upstream"},
		"a catalogue without the header":        {catalogue: goodCatalogue, reason: "X-Mock-Seed"},
		"a catalogue with another seed":         {catalogue: goodCatalogue, seed: "2", reason: "X-Mock-Seed"},
		"a seed that is no number":              {catalogue: strings.Replace(goodCatalogue, `"1"`, `"x"`, 1), seed: "x", reason: "is not the catalogue"},
		"a faked catalogue on another address":  {catalogue: goodCatalogue, seed: "1", dial: dialElsewhere, reason: "203.0.113.5:80 is not on this machine"},
		"a name that leads to another address":  {catalogue: goodCatalogue, seed: "1", dial: dialElsewhere, reason: "not on this machine"},
		"a catalogue longer than any catalogue": {catalogue: strings.Repeat(" ", maxBody+1), seed: "1", reason: "cannot be read"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			rec := record(t, c.catalogue, c.seed, nil)
			base := rec.URL
			if strings.HasPrefix(name, "a name") {
				base = "http://mock.example:80"
				dial := c.dial
				c.dial = func(ctx context.Context, network, _ string) (net.Conn, error) {
					return dial(ctx, network, rec.Listener.Addr().String())
				}
			}
			n := client(t, Options{BaseURL: base, Dial: c.dial})
			_, err := n.Broadcast(t.Context(), []byte("x"))
			var notSent *NotSentError
			if !errors.As(err, &notSent) || !strings.Contains(err.Error(), c.reason) {
				t.Errorf("got %v, want nothing sent: %q", err, c.reason)
			}
			if _, err := n.EstimateFee(t.Context(), []byte("x"), 1); !errors.As(err, &notSent) {
				t.Errorf("estimating a fee: %v", err)
			}
			if rec.posts.Load() != 0 {
				t.Errorf("%d POSTs arrived", rec.posts.Load())
			}
		})
	}
}

// Why an exchange failed is said of the server, in no word of the library's.
func TestAnExchangeThatFailsIsSaidOfTheServer(t *testing.T) {
	gone := make(chan struct{})
	rec := record(t, goodCatalogue, "1", func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/mock/") {
			panic(http.ErrAbortHandler)
		}
		select {
		case <-gone:
		case <-r.Context().Done():
		}
	})
	defer close(gone)
	c := client(t, Options{BaseURL: rec.URL})
	_, err := c.Forecast(t.Context(), "00")
	if want := "foresee how it ends: the server did not answer"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err = c.NextNonce(ctx, "SP000000000000000000002Q6VF78")
	if want := "read the nonce: the server took too long to answer"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	rec.Close()
	_, err = c.NextNonce(t.Context(), "SP000000000000000000002Q6VF78")
	if want := "read the nonce: the server cannot be reached: connection refused"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestAServerThatIsGoneIsSaidToBeGone(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	host := gone.Listener.Addr().String()
	c := client(t, Options{BaseURL: gone.URL})
	gone.Close()
	_, err := c.Forecast(t.Context(), "00")
	var notSent *NotSentError
	if want := host + " cannot be reached: connection refused"; !errors.As(err, &notSent) || notSent.Reason != want {
		t.Errorf("got %v, want %q", err, want)
	}
}

func dialElsewhere(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return elsewhere{conn}, nil
}

func TestAServerThatMovesAfterItsCatalogueGetsNothing(t *testing.T) {
	live := record(t, "", "", accept)
	// The mock closes the connection after its catalogue, so that the POST has
	// to dial again, and then the name leads elsewhere.
	mock := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Connection", "close")
		w.Header().Set("X-Mock-Seed", "1")
		fmt.Fprint(w, goodCatalogue)
	}))
	t.Cleanup(mock.Close)
	dials := 0
	c := client(t, Options{BaseURL: mock.URL, Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
		if dials++; dials > 1 {
			address = live.Listener.Addr().String()
		}
		return (&net.Dialer{}).DialContext(ctx, network, address)
	}})
	_, err := c.Broadcast(t.Context(), []byte("x"))
	var notSent *NotSentError
	if !errors.As(err, &notSent) || live.posts.Load() != 0 || dials != 2 {
		t.Errorf("got %v after %d dials, %d POSTs", err, dials, live.posts.Load())
	}
}

func TestARedirectIsNeverFollowed(t *testing.T) {
	live := record(t, goodCatalogue, "1", accept)
	to := func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, live.URL+r.URL.Path, http.StatusTemporaryRedirect)
	}
	fromCatalogue := httptest.NewServer(http.HandlerFunc(to))
	t.Cleanup(fromCatalogue.Close)
	_, err := client(t, Options{BaseURL: fromCatalogue.URL}).Broadcast(t.Context(), []byte("x"))
	var notSent *NotSentError
	if !errors.As(err, &notSent) {
		t.Errorf("a redirected catalogue: %v", err)
	}
	fromPost := record(t, goodCatalogue, "1", to)
	if _, err := client(t, Options{BaseURL: fromPost.URL}).Broadcast(t.Context(), []byte("x")); err == nil {
		t.Error("a redirected broadcast succeeded")
	}
	if live.posts.Load() != 0 {
		t.Errorf("%d POSTs were redirected", live.posts.Load())
	}
}

func TestAProxyOfTheEnvironmentIsNotUsed(t *testing.T) {
	proxy := record(t, goodCatalogue, "1", accept)
	t.Setenv("HTTP_PROXY", proxy.URL)
	t.Setenv("NO_PROXY", "")
	_, err := client(t, Options{BaseURL: "http://mock.invalid", Dial: func(context.Context, string, string) (net.Conn, error) {
		return nil, errors.New("no such host")
	}}).Broadcast(t.Context(), []byte("x"))
	var notSent *NotSentError
	if !errors.As(err, &notSent) || proxy.posts.Load() != 0 {
		t.Errorf("got %v, %d POSTs", err, proxy.posts.Load())
	}
}

func TestARefusalOfTheNodeIsKeptWhole(t *testing.T) {
	rec := record(t, goodCatalogue, "1", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w, `{"error":"transaction rejected","reason":"BadNonce","reason_data":{"expected":3,"actual":1},"txid":"0xabcd"}`)
	})
	_, err := client(t, Options{BaseURL: rec.URL}).Broadcast(t.Context(), []byte("x"))
	var r *Rejection
	if !errors.As(err, &r) || r.Reason != "BadNonce" || r.TxID != "abcd" || !json.Valid(r.ReasonData) || r.Error() != "transaction rejected: BadNonce" {
		t.Errorf("got %#v", err)
	}
}

func TestAnswersThatCannotBeUsedSayWhy(t *testing.T) {
	cases := map[string]struct {
		status  int
		body    string
		message string
	}{
		"no id":           {200, `"xyz"`, "no transaction id"},
		"an object":       {200, `{}`, "answered 200"},
		"a server error":  {500, `{"error":"on fire"}`, "answered 500: on fire"},
		"a plain refusal": {400, `nope`, "answered 400: nope"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			rec := record(t, goodCatalogue, "1", func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(c.status)
				fmt.Fprint(w, c.body)
			})
			_, err := client(t, Options{BaseURL: rec.URL}).Broadcast(t.Context(), []byte("x"))
			var e *Error
			if !errors.As(err, &e) || !strings.Contains(err.Error(), c.message) {
				t.Errorf("got %v, want %q", err, c.message)
			}
		})
	}
}

func TestReadingNonceAndFees(t *testing.T) {
	rec := record(t, goodCatalogue, "1", func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/v2/accounts/SP1":
			fmt.Fprint(w, `{"balance":"0x000000e8d4a51000","locked":"0x00","unlock_height":0,"nonce":7}`)
		case "/v2/accounts/SP2":
			fmt.Fprint(w, `{"balance":"0x00"}`)
		case "/extended/v1/address/SP3/nonces":
			fmt.Fprint(w, `{"last_executed_tx_nonce":4,"possible_next_nonce":9}`)
		case "/v2/fees/transfer":
			fmt.Fprint(w, `12`)
		case "/v2/fees/transaction":
			fmt.Fprint(w, `{"estimations":[{"fee":1},{"fee":2},{"fee":3}]}`)
		default:
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, `{"error":"no such route"}`)
		}
	})
	c := client(t, Options{BaseURL: rec.URL + "/"})
	if nonce, err := c.NextNonce(t.Context(), "SP2"); err == nil {
		t.Errorf("nonce %d was read where there is none", nonce)
	}
	for principal, want := range map[string]uint64{"SP1": 7, "SP3": 9} {
		if nonce, err := c.NextNonce(t.Context(), principal); err != nil || nonce != want {
			t.Errorf("nonce of %s: %d, %v, want %d", principal, nonce, err, want)
		}
	}
	if rate, err := c.TransferFeeRate(t.Context()); err != nil || rate != 12 {
		t.Errorf("fee rate %d, %v", rate, err)
	}
	if fees, err := c.EstimateFee(t.Context(), []byte{1}, 180); err != nil || fees != [3]uint64{1, 2, 3} {
		t.Errorf("fees %v, %v", fees, err)
	}
}

func TestAURLThatCannotBeUsedIsRefused(t *testing.T) {
	for _, bad := range []string{"", "localhost:1", "ftp://a", "http://", "http://a?b=c", "http://a#b", "http://[::1"} {
		if _, err := New(Options{BaseURL: bad}); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}

func TestOnlyAMockIsRequestedForAForecast(t *testing.T) {
	answer := ""
	rec := record(t, goodCatalogue, "1", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/mock/v1/forecast" {
			fmt.Fprint(w, answer)
		}
	})
	c := client(t, Options{BaseURL: rec.URL})
	answer = `{"admitted":true,"status":"success","sentence":"It would succeed.","certainty":"likely","fix":"f","result":{"hex":"0x07","repr":"(ok u1)"},` +
		`"moves":[{"asset":"STX","words":"1 STX from A to B"}],"post_conditions":[{"condition":"A sends","sent":"1 STX","holds":true}],"left_out":2,` +
		`"exact":{"mode":"deny","conditions":["0001010000000000000005"]}}`
	f, err := c.Forecast(t.Context(), "80")
	if err != nil || rec.last.Load() != `{"tx":"80"}` {
		t.Fatalf("%v after %v", err, rec.last.Load())
	}
	if f.Fails() || !f.Known() || f.Result != "(ok u1)" || f.Fix != "f" || f.LeftOut != 2 || len(f.Moves) != 1 || !f.Conditions[0].Holds || !f.HasExact || len(f.Exact) != 1 {
		t.Errorf("%+v", f)
	}
	for _, bad := range []string{`{}`, `[]`, `{"status":"success","exact":{"mode":"deny","conditions":["00"]}}`} {
		answer = bad
		if f, err := c.Forecast(t.Context(), "80"); err == nil {
			t.Errorf("%s is %+v", bad, f)
		}
	}
	answer = `{"status":"rejected","exact":{"mode":"allow","conditions":[]}}`
	if f, err := c.Forecast(t.Context(), "80"); err != nil || f.HasExact || !f.Fails() {
		t.Errorf("%+v, %v", f, err)
	}
	live := record(t, "", "", nil)
	var notSent *NotSentError
	if _, err := client(t, Options{BaseURL: live.URL}).Forecast(t.Context(), "80"); !errors.As(err, &notSent) || live.posts.Load() != 0 {
		t.Errorf("of what is no mock: %v", err)
	}
}

// What one called that failed in a block is known where a mock runs contracts.
func TestWhatAFailedTransactionCalledIsRead(t *testing.T) {
	rec := record(t, goodCatalogue, "1", func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/trace") {
			fmt.Fprint(w, `{"trace":[{"contract":"ST1.market","function":"buy","arguments":["u5"],"result":"(err u1)","calls":[{"contract":"ST1.coin","function":"take","arguments":[],"error":"DivisionByZero"}]}]}`)
			return
		}
		fmt.Fprint(w, `{"tx_status":"abort_by_response","block_height":7}`)
	})
	tx, err := client(t, Options{BaseURL: rec.URL}).Transaction(t.Context(), strings.Repeat("ab", 32))
	if want := "market.buy(u5)  (err u1)\n  coin.take()  failed"; err != nil || tx.Called != want {
		t.Errorf("%q, %v, want %q", tx.Called, err, want)
	}
}

// A transaction that no block takes is not one that the next block takes.
func TestWhatTheNextBlockIncludesIsDistinguished(t *testing.T) {
	for status, c := range map[string]struct {
		why, words, fix string
		waits           bool
	}{
		"pending":                {`{"status":"pending","sentence":"It waits for a block."}`, "It waits for a block.", "", true},
		"gap":                    {`{"status":"pending","sentence":"It waits for nonce 3.","fix":"send it"}`, "It waits for nonce 3.", "send it", false},
		"dropped_replace_by_fee": {"", "It was dropped: 0xab, which has the same nonce, took its place.", "nothing is to be sent again, unless the transaction that took its place is not what was wanted", false},
	} {
		answer := func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/why") {
				fmt.Fprint(w, c.why)
				return
			}
			if strings.HasSuffix(r.URL.Path, "/trace") {
				t.Errorf("what %s called is requested", status)
			}
			said := status
			if status == "gap" {
				said = "pending"
			}
			fmt.Fprintf(w, `{"tx_status":%q,"replaced_by_tx_id":"0xab"}`, said)
		}
		rec := record(t, goodCatalogue, "1", answer)
		tx, err := client(t, Options{BaseURL: rec.URL}).Transaction(t.Context(), strings.Repeat("ab", 32))
		if err != nil || tx.Waits() != c.waits || tx.Why().Sentence != c.words || tx.Why().Fix != c.fix {
			t.Errorf("%s: %+v, %+v (%v)", status, tx, tx.Why(), err)
		}
	}
}
