package service

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"chainscope/tui/state"
	"chainscope/wallet/bridge"
	"chainscope/wallet/node"
	"chainscope/wallet/provider"
	"chainscope/wallet/signer"
)

// page is a web page that calls the wallet.
type page struct {
	t      testing.TB
	url    string
	origin string
}

func (d *desk) startBridge() page {
	d.t.Helper()
	if err := d.StartBridge(BridgeOptions{Addr: "127.0.0.1:0"}); err != nil {
		d.t.Fatal(err)
	}
	return page{d.t, d.State().Bridge.URL, "https://dapp.example"}
}

type reply struct {
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
	}
}

// call sends a request and returns where its reply comes; nothing comes when
// the page goes.
func (p page) call(ctx context.Context, method, params string) <-chan reply {
	out := make(chan reply, 1)
	body := `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":` + params + `}`
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url+"/rpc", bytes.NewReader([]byte(body)))
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set("Origin", p.origin)
	req.Header.Set("Content-Type", "application/json")
	go func() {
		defer close(out)
		client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		response, err := client.Do(req)
		if err != nil {
			return
		}
		defer response.Body.Close()
		raw, err := io.ReadAll(response.Body)
		if err != nil {
			return
		}
		var r reply
		if json.Unmarshal(raw, &r) == nil {
			out <- r
		}
	}()
	return out
}

func TestARequestOfAPageToAPublicAPIGoesToTheNodeOfTheWallet(t *testing.T) {
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "here ", r.URL.Path) }))
	t.Cleanup(api.Close)
	for name, c := range map[string]struct {
		api      string
		isolated bool
		want     string // of a page's request to api.hiro.so
	}{
		"on this machine": {api.URL + "/w/one", true, "here /w/one/v2/info"},
		"by a name":       {strings.Replace(api.URL, "127.0.0.1", "localhost", 1), true, "here /v2/info"},
		"on another":      {"https://api.testnet.hiro.so", true, "404 page not found\n"},
		"not wanted":      {api.URL, false, "404 page not found\n"},
	} {
		t.Run(name, func(t *testing.T) {
			n, err := node.New(node.Options{BaseURL: c.api})
			if err != nil {
				t.Fatal(err)
			}
			d := open(t, Options{Node: n})
			if err := d.StartBridge(BridgeOptions{Addr: "127.0.0.1:0", Isolated: c.isolated}); err != nil {
				t.Fatal(err)
			}
			client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
			for path, want := range map[string]string{"/.chainscope/api/api.hiro.so/v2/info": c.want, "/provider.js": "ChainscopeProvider"} {
				response, err := client.Get(d.State().Bridge.URL + path)
				if err != nil {
					t.Fatal(err)
				}
				text, err := io.ReadAll(response.Body)
				response.Body.Close()
				if err != nil || !strings.Contains(string(text), want) {
					t.Errorf("%s: %v %.200s", path, err, text)
				}
				if home := strings.Contains(string(text), "__chainscopeHome"); path == "/provider.js" && home != strings.HasPrefix(c.want, "here") {
					t.Errorf("the script turns requests home: %v", home)
				}
			}
		})
	}
}

func TestAPageIsPromptedThenItsRequestAndTheTimelineHasIt(t *testing.T) {
	store, err := state.Open(state.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	d := open(t, Options{Store: store})
	p := d.startBridge()
	out := p.call(t.Context(), "stx_signMessage", `{"message":"hello"}`)
	o := await[OriginNeeded](d)
	if o.Origin != p.origin || o.Waiting != 1 {
		t.Errorf("asked: %+v", o)
	}
	if q := d.Queue(); len(q) != 1 || q[0].Requester.Origin != p.origin {
		t.Errorf("queue: %+v", q)
	}
	d.DecideOrigin(o.ID, bridge.Allowed)
	a := await[ApprovalNeeded](d)
	if a.Requester.Origin != p.origin || a.Description.Message.Text != "hello" {
		t.Errorf("asked: %+v", a)
	}
	if n := len(d.Queue()); n != 1 {
		t.Errorf("one request is %d in the queue", n)
	}
	d.Decide(a.ID, signer.Decision{Approved: true})
	if r := <-out; r.Error != nil || !bytes.Contains(r.Result, []byte("signature")) {
		t.Errorf("answered %+v", r)
	}
	if c := d.Timeline()[0]; c.Kind != KindPage || c.Origin != p.origin || c.Decision != Approved {
		t.Errorf("timeline: %+v", c)
	}
	again := p.call(t.Context(), "getAddresses", `{}`)
	a = await[ApprovalNeeded](d) // the origin is known now
	d.Decide(a.ID, signer.Decision{})
	if r := <-again; r.Error == nil || r.Error.Code != -32000 {
		t.Errorf("rejected with %+v", r)
	}
	origins, err := d.Origins()
	if err != nil || len(origins) != 1 || origins[0].Blocked {
		t.Errorf("origins: %v, %v", origins, err)
	}
}

func TestTheCallOfARefusedOriginIsInTheTimeline(t *testing.T) {
	d := open(t, Options{})
	p := d.startBridge()
	out := p.call(t.Context(), "getAddresses", `{}`)
	d.DecideOrigin(await[OriginNeeded](d).ID, bridge.Undecided)
	if r := <-out; r.Error == nil || r.Error.Code != -32000 {
		t.Errorf("answered %+v", r)
	}
	if calls := d.Timeline(); len(calls) != 1 || calls[0].Decision != OriginRefused || calls[0].Origin != p.origin || calls[0].Method != "getAddresses" {
		t.Errorf("timeline: %+v", calls)
	}
}

func TestAPageThatGoesWithdrawsItsRequest(t *testing.T) {
	d := open(t, Options{})
	p := d.startBridge()
	if err := d.SetOrigin(p.origin, bridge.Allowed); err != nil {
		t.Fatal(err)
	}
	ctx, leave := context.WithCancel(t.Context())
	p.call(ctx, "getAddresses", `{}`)
	a := await[ApprovalNeeded](d)
	leave()
	if w := await[Withdrawn](d); w.ID != a.ID || w.Reason != "the page has gone" {
		t.Errorf("withdrawn: %+v", w)
	}
}

func TestBlockingAnOriginWithdrawsAllThatItHasWaiting(t *testing.T) {
	d := open(t, Options{})
	p := d.startBridge()
	if err := d.SetOrigin(p.origin, bridge.Allowed); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second) // a call that is never answered fails
	defer cancel()
	var outs []<-chan reply
	for range 5 {
		outs = append(outs, p.call(ctx, "getAddresses", `{}`))
	}
	a := await[ApprovalNeeded](d)
	for len(d.Queue()) < 5 {
		await[QueueChanged](d)
	}
	d.Decide(a.ID, signer.Decision{})
	if err := d.SetOrigin(p.origin, bridge.Blocked); err != nil {
		t.Fatal(err)
	}
	denied := 0
	for _, out := range outs {
		if r := <-out; r.Error != nil && r.Error.Code == -32002 {
			denied++
		}
	}
	if denied < 4 {
		t.Errorf("%d of 5 calls were denied", denied)
	}
	for range 50 { // it goes on
		<-p.call(ctx, "getAddresses", `{}`)
	}
	if ctx.Err() != nil {
		t.Fatal("a call of a blocked origin was not answered")
	}
	refused := 0
	for _, c := range d.Timeline() {
		if c.Decision == OriginRefused {
			refused++
		}
	}
	// One that had its turn when its origin was blocked may be between.
	if refused < maxRefusals || refused > maxRefusals+len(outs) {
		t.Errorf("the timeline has %d refusals, want about %d", refused, maxRefusals)
	}
}

func TestTheBridgeIsSwitchedOnAndOff(t *testing.T) {
	d := open(t, Options{})
	if err := d.StartBridge(BridgeOptions{Addr: "0.0.0.0:0"}); err == nil {
		t.Error("it listens to the world")
	}
	if err := d.StartBridge(BridgeOptions{Addr: "3998"}); err == nil {
		t.Error("a port alone is an address")
	}
	p := d.startBridge()
	if err := d.StartBridge(BridgeOptions{Addr: "127.0.0.1:0"}); !errors.Is(err, ErrBridgeRuns) {
		t.Errorf("started twice: %v", err)
	}
	out := p.call(t.Context(), "getAddresses", `{}`)
	o := await[OriginNeeded](d)
	d.StopBridge()
	if w := await[Withdrawn](d); w.ID != o.ID {
		t.Errorf("withdrawn: %+v", w)
	}
	if r, ok := <-out; ok {
		t.Errorf("answered %+v", r)
	}
	if d.State().Bridge.Running {
		t.Error("it runs")
	}
	p = d.startBridge()
	if err := d.SetOrigin(p.origin, bridge.Allowed); err != nil {
		t.Fatal(err)
	}
	d.SetBehaviour(provider.PlayChainscope, provider.Approves)
	if r := <-p.call(t.Context(), "getAddresses", `{}`); r.Error != nil || r.Result == nil {
		t.Errorf("once on again it answers %+v", r)
	}
}

func TestTheWalletOfTheOriginUsedLeastRecentlyIsForgotten(t *testing.T) {
	made := 0
	w := newPageWallets(func(string) *provider.Mock { made++; return provider.NewMock(provider.PlayXverse, nil) })
	first, second := w.of("https://0.example"), w.of("https://1.example")
	for n := 2; n < maxPageWallets; n++ {
		w.of(fmt.Sprintf("https://%d.example", n))
	}
	w.of("https://0.example")
	w.of("https://one-more.example") // takes the place of the second
	if w.of("https://0.example") != first {
		t.Error("an origin that was just used lost its wallet")
	}
	if made != maxPageWallets+1 || len(w.byOrigin) != maxPageWallets {
		t.Errorf("%d wallets were made, %d are kept", made, len(w.byOrigin))
	}
	if w.of("https://1.example") == second {
		t.Error("the one used least recently kept its wallet")
	}
}

// Whoever owns the terminal starts the goroutines, to restore it after a panic.
func TestTheBridgeRunsInAGoroutineOfItsOwner(t *testing.T) {
	started := 0
	s, err := New(Options{Go: func(f func()) { started++; go f() }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.StartBridge(BridgeOptions{Addr: "127.0.0.1:0"}); err != nil {
		t.Fatal(err)
	}
	if started != 1 {
		t.Errorf("%d goroutines were started through the option", started)
	}
}
