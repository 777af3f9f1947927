package mockserver

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// sioClient speaks Socket.IO packet by packet, over whatever carries them.
type sioClient struct {
	t    testing.TB
	send func(packet string)
	next func() string // the next packet
}

// socketTo opens a session over a WebSocket.
func socketTo(t testing.TB, base, query string) *sioClient {
	t.Helper()
	socket, _, err := websocket.Dial(t.Context(), base+"/socket.io/?EIO=4&transport=websocket"+query, nil)
	if err != nil {
		t.Fatal(err)
	}
	socket.SetReadLimit(1 << 20)
	t.Cleanup(func() { _ = socket.CloseNow() })
	return &sioClient{t, func(packet string) {
		t.Helper()
		if err := socket.Write(t.Context(), websocket.MessageText, []byte(packet)); err != nil {
			t.Fatal(err)
		}
	}, func() string {
		t.Helper()
		ctx, done := context.WithTimeout(t.Context(), 20*time.Second)
		defer done()
		_, text, err := socket.Read(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}}
}

// pollingTo opens a session that polls, and returns its id.
func pollingTo(t testing.TB, base, query string) (*sioClient, string) {
	t.Helper()
	var waiting []string
	target := base + "/socket.io/?EIO=4&transport=polling" + query
	request := func(method, body string) string {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, target, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		if err != nil || answer.StatusCode != http.StatusOK || answer.Header.Get("Access-Control-Allow-Origin") != "*" {
			t.Fatalf("%s %s: %s %s %v", method, target, answer.Status, text, err)
		}
		return string(text)
	}
	waiting = append(waiting, request("GET", ""))
	id := opening(t, waiting[0]).ID
	target += "&sid=" + id
	return &sioClient{t, func(packet string) {
		t.Helper()
		if got := request("POST", packet); got != "ok" {
			t.Fatal(got)
		}
	}, func() string {
		t.Helper()
		if len(waiting) == 0 {
			waiting = strings.Split(request("GET", ""), "\x1e")
		}
		packet := waiting[0]
		waiting = waiting[1:]
		return packet
	}}, id
}

type openPacket struct {
	ID       string `json:"sid"`
	Upgrades []string
	Interval int `json:"pingInterval"`
	Timeout  int `json:"pingTimeout"`
	Max      int `json:"maxPayload"`
}

func opening(t testing.TB, packet string) (o openPacket) {
	t.Helper()
	if !strings.HasPrefix(packet, "0") || json.Unmarshal([]byte(packet[1:]), &o) != nil || o.ID == "" || o.Interval != 5000 || o.Timeout != 5000 || o.Max != 1_000_000 {
		t.Fatalf("no beginning: %s", packet)
	}
	return o
}

// packet returns the next that is no ping; pings are answered.
func (c *sioClient) packet() string {
	c.t.Helper()
	for {
		if p := c.next(); p == "2" {
			c.send("3")
		} else {
			return p
		}
	}
}

// connects takes part in the namespace.
func (c *sioClient) connects() {
	c.t.Helper()
	c.send("40")
	var id struct{ Sid string }
	if p := c.packet(); !strings.HasPrefix(p, "40") || json.Unmarshal([]byte(p[2:]), &id) != nil || id.Sid == "" {
		c.t.Fatalf("not connected: %s", p)
	}
}

// event returns the name and the arguments of the next event.
func (c *sioClient) event() (name string, args []json.RawMessage) {
	c.t.Helper()
	p := c.packet()
	if !strings.HasPrefix(p, "42[") || json.Unmarshal([]byte(p[2:]), &args) != nil || json.Unmarshal(args[0], &name) != nil {
		c.t.Fatalf("no event: %.300s", p)
	}
	return name, args[1:]
}

func hashOf(t testing.TB, block json.RawMessage) string {
	t.Helper()
	var b struct {
		Hash string
		Txs  []string
	}
	if json.Unmarshal(block, &b) != nil || b.Hash == "" || b.Txs == nil {
		t.Fatalf("no block: %.300s", block)
	}
	return b.Hash
}

// A client subscribes in its first request or later; each topic of the API has its events, with
// what they are about as arguments of their own.
func TestASocketIOClientReceivesWhatItSubscribesTo(t *testing.T) {
	for _, name := range []string{"8", "9", "sunset"} {
		t.Run(name, func(t *testing.T) { aSocketIOClientIsNotified(t, anchored(t, version(name))) })
	}
}

func aSocketIOClientIsNotified(t *testing.T, s *Server) {
	base := host(t, s)
	to := someone("waiting").address(true)
	polling, _ := pollingTo(t, base, "&subscriptions=block")
	for how, c := range map[string]*sioClient{"websocket": socketTo(t, base, "&subscriptions=block,mempool"), "polling": polling} {
		if how == "websocket" {
			if o := opening(t, c.packet()); len(o.Upgrades) != 0 {
				t.Errorf("%+v", o)
			}
		} else if o := opening(t, c.packet()); !slices.Equal(o.Upgrades, []string{"websocket"}) {
			t.Errorf("%+v", o)
		}
		c.connects()
		for i, topic := range []string{"mempool", "address-transaction:" + to, "address-stx-balance:" + to, "nft-event"} {
			c.send(fmt.Sprintf(`42%d["subscribe",%q]`, i, topic))
			if got, want := c.packet(), fmt.Sprintf("43%d[null]", i); got != want {
				t.Fatalf("%s: %s answered %s", how, topic, got)
			}
		}
		c.send(`425["subscribe","nonsense"]`) // is not acknowledged
		sent := read[struct {
			ID string `json:"txId"`
		}](t, request(t, s, "POST", "/extended/v1/faucets/stx?address="+to)).ID
		name, args := c.event()
		var tx struct {
			ID     string `json:"tx_id"`
			Status string `json:"tx_status"`
		}
		if json.Unmarshal(args[0], &tx) != nil || name != "mempool" || tx.ID != sent || tx.Status != "pending" {
			t.Fatalf("%s: %s %+v", how, name, tx)
		}
		c.send(fmt.Sprintf(`426["subscribe","transaction:%s"]`, sent))
		if got := c.packet(); got != "436[null]" {
			t.Fatal(got)
		}
		if _, err := s.world.Mine(1); err != nil {
			t.Fatal(err)
		}
		newest := read[struct{ Hash string }](t, fetch(t, s, "/extended/v2/blocks/latest")).Hash
		seen := map[string]bool{}
		for range 4 {
			name, args := c.event()
			seen[name] = true
			switch name {
			case "block":
				if len(args) != 1 || hashOf(t, args[0]) != newest {
					t.Errorf("%s: %s", how, args)
				}
			case "transaction:" + sent:
				if json.Unmarshal(args[0], &tx) != nil || len(args) != 1 || tx.Status != "success" {
					t.Errorf("%s: %s", how, args)
				}
			case "address-transaction:" + to:
				var moved struct {
					Tx struct {
						Status string `json:"tx_status"`
					}
					Received string `json:"stx_received"`
					Address  string
				}
				if len(args) != 2 || string(args[0]) != `"`+to+`"` || json.Unmarshal(args[1], &moved) != nil || moved.Tx.Status != "success" || moved.Received != "500000000" || moved.Address != "" {
					t.Errorf("%s: %s", how, args)
				}
			case "address-stx-balance:" + to:
				var balance struct{ Balance, Address string }
				if len(args) != 2 || string(args[0]) != `"`+to+`"` || json.Unmarshal(args[1], &balance) != nil || balance.Balance == "" || balance.Address != "" {
					t.Errorf("%s: %s", how, args)
				}
			default:
				t.Errorf("%s: pushed %s", how, name)
			}
		}
		if len(seen) != 4 {
			t.Errorf("%s: pushed %v", how, seen)
		}
		c.send(fmt.Sprintf(`42["unsubscribe","block","mempool","address-transaction:%s","address-stx-balance:%s"]`, to, to))
		c.send(`427["subscribe","microblock"]`)
		if got := c.packet(); got != "437[null]" {
			t.Fatal(got)
		}
		if _, err := s.world.Mine(1); err != nil {
			t.Fatal(err)
		}
		c.send(`428["subscribe","microblock"]`)
		if got := c.packet(); got != "438[null]" {
			t.Errorf("%s: pushed after the end of the subscription: %.300s", how, got)
		}
	}
}

// A session that polls moves to a WebSocket and goes on there.
func TestASessionMovesToAWebSocket(t *testing.T) {
	s := anchored(t, version("9"))
	base := host(t, s)
	polling, id := pollingTo(t, base, "&subscriptions=block")
	opening(t, polling.packet())
	polling.connects()
	polled := make(chan string, 1)
	go func() { polled <- polling.next() }()
	c := socketTo(t, base, "&sid="+id)
	c.send("2probe")
	if got := c.packet(); got != "3probe" {
		t.Fatal(got)
	}
	if got := <-polled; got != "6" { // a ping comes no sooner than five seconds
		t.Fatal(got)
	}
	c.send("5")
	if _, err := s.world.Mine(1); err != nil {
		t.Fatal(err)
	}
	if name, args := c.event(); name != "block" || hashOf(t, args[0]) == "" {
		t.Errorf("%s %s", name, args)
	}
}

func TestWhatSocketIORefuses(t *testing.T) {
	for _, name := range []string{"8", "9", "sunset"} {
		t.Run(name, func(t *testing.T) { socketIORefuses(t, anchored(t, version(name))) })
	}
}

func socketIORefuses(t *testing.T, s *Server) {
	base := host(t, s)
	for query, want := range map[string]string{
		"EIO=4":                                `{"code":0,"message":"Transport unknown"}`,
		"EIO=4&transport=carrier":              `{"code":0,"message":"Transport unknown"}`,
		"EIO=4&transport=polling&sid=nobody":   `{"code":1,"message":"Session ID unknown"}`,
		"EIO=3&transport=polling":              `{"code":5,"message":"Unsupported protocol version"}`,
		"EIO=4&transport=websocket&sid=nobody": `{"code":1,"message":"Session ID unknown"}`,
	} {
		if w := fetch(t, s, "/socket.io/?"+query); w.Code != http.StatusBadRequest || strings.TrimSpace(w.Body.String()) != want {
			t.Errorf("%s: %d %s", query, w.Code, w.Body)
		}
	}
	if w := request(t, s, "POST", "/socket.io/?EIO=4&transport=polling"); strings.TrimSpace(w.Body.String()) != `{"code":2,"message":"Bad handshake method"}` {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	c := socketTo(t, base, "&subscriptions=block,nope,address-transaction:ST1")
	opening(t, c.packet())
	c.send("40")
	if got := c.packet(); got != `44{"message":"Invalid topic: nope, address-transaction:ST1"}` {
		t.Error(got)
	}
	c.send("40/elsewhere,")
	if got := c.packet(); got != `44/elsewhere,{"message":"Invalid namespace"}` {
		t.Error(got)
	}
}
