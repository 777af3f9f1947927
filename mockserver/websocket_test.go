package mockserver

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"chainscope/mockserver/fault"
)

// listener is a client of /extended/v1/ws.
type listener struct {
	t      testing.TB
	socket *websocket.Conn
}

// listen opens a connection to a server at a base URL such as http://127.0.0.1:3999.
func listen(t testing.TB, base string, options *websocket.DialOptions) *listener {
	t.Helper()
	socket, response, err := websocket.Dial(t.Context(), base+webSocketPath, options)
	if err != nil {
		t.Fatalf("%v: %v", response, err)
	}
	socket.SetReadLimit(1 << 20)
	t.Cleanup(func() { _ = socket.CloseNow() })
	return &listener{t, socket}
}

// host serves a mock on a port of its own.
func host(t testing.TB, s *Server) string {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return server.URL
}

func (l *listener) send(text string) {
	l.t.Helper()
	if err := l.socket.Write(l.t.Context(), websocket.MessageText, []byte(text)); err != nil {
		l.t.Fatal(err)
	}
}

func (l *listener) read() string {
	l.t.Helper()
	ctx, done := context.WithTimeout(l.t.Context(), 20*time.Second)
	defer done()
	_, text, err := l.socket.Read(ctx)
	if err != nil {
		l.t.Fatal(err)
	}
	return string(text)
}

// answer sends a request and returns the answer. Frames that come before it are lost.
func (l *listener) answer(method, params string) string {
	l.t.Helper()
	l.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":%q,"params":%s}`, method, params))
	for {
		if text := l.read(); strings.HasPrefix(text, `{"jsonrpc":"2.0","id":7,`) {
			return text
		}
	}
}

func (l *listener) subscribes(params string) {
	l.t.Helper()
	if got := l.answer("subscribe", params); !strings.Contains(got, `"result"`) {
		l.t.Fatal(got)
	}
}

func TestATextFrameThatIsNotUTF8EndsTheConnection(t *testing.T) {
	s, _ := newServer(t, Config{})
	l := listen(t, host(t, s), nil)
	l.send("{\"id\":\"\xff\"}")
	ctx, done := context.WithTimeout(t.Context(), 20*time.Second)
	defer done()
	if kind, text, err := l.socket.Read(ctx); websocket.CloseStatus(err) != websocket.StatusInvalidFramePayloadData {
		t.Errorf("%v %q %v", kind, text, err)
	}
}

const blockEvents = `{"event":"block"}`

// pushedBlock is a block frame.
type pushedBlock struct {
	Method string
	Params struct {
		Canonical bool
		Height    int64
		Hash      string
		Parent    string `json:"parent_block_hash"`
		Index     string `json:"index_block_hash"`
		Txs       []string
	}
}

func (l *listener) block() pushedBlock {
	l.t.Helper()
	var b pushedBlock
	if text := l.read(); json.Unmarshal([]byte(text), &b) != nil || b.Method != "block" {
		l.t.Fatalf("no block: %s", text)
	}
	return b
}

// silent reports whether nothing came until now: the answer to a request comes next.
func (l *listener) silent() {
	l.t.Helper()
	l.send(`{"jsonrpc":"2.0","id":99,"method":"nope"}`)
	if text := l.read(); !strings.Contains(text, `"id":99`) {
		l.t.Errorf("a frame that nobody expects: %.300s", text)
	}
}

// everyVersion runs a test with a listener on each version of the API that was recorded of a real server.
func everyVersion(t *testing.T, test func(t *testing.T, l *listener)) {
	for _, name := range []string{"8", "9", "sunset"} {
		t.Run(name, func(t *testing.T) { test(t, listen(t, host(t, anchored(t, version(name))), nil)) })
	}
}

func TestRequestsAreAnsweredAsTheRealServerAnswersThem(t *testing.T) {
	everyVersion(t, requestsAreAnsweredAsRecorded)
}

func requestsAreAnsweredAsRecorded(t *testing.T, l *listener) {
	requested := 0
	for _, row := range readJSON[[]struct {
		From  string
		Text  *string
		Frame json.RawMessage
	}](t, "recorded/generations/ws-errors.json") {
		text := compactKeepingOrder(t, row.Frame)
		if row.Text != nil {
			text = *row.Text
		}
		if row.From == "client" {
			requested++
			l.send(text)
			continue
		}
		if got := l.read(); got != text {
			t.Errorf("answered %s\nrecorded %s", got, text)
		}
	}
	if requested < 20 {
		t.Errorf("only %d requests were recorded", requested)
	}
	l.silent()
}

// Messages that no client of the service sends, answered as its library reads them.
func TestOddRequestsAreAnsweredAsTheRealServerAnswersThem(t *testing.T) {
	everyVersion(t, oddRequestsAreAnswered)
}

func oddRequestsAreAnswered(t *testing.T, l *listener) {
	const noID = `{"jsonrpc":"2.0","id":null,"error":{"message":"Internal error","code":-32603,"data":"\"id\" must be provided, a string or an integer."}}`
	failed := func(id, message string, code int, data string) string {
		if data != "" {
			data = `,"data":` + data
		}
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"message":%q,"code":%d%s}}`, id, message, code, data)
	}
	noEvent, wrongEvent := failed("1", "Invalid params", -32602, `"subscription requests must include an event name"`), failed("1", "Invalid params", -32602, `"subscription request must use a valid event name"`)
	for _, r := range [][2]string{
		{`null`, failed("null", "Invalid request", -32600, "")},
		{`"x"`, failed("null", "Invalid request", -32600, `"x"`)},
		{`false`, failed("null", "Invalid request", -32600, `false`)},
		{`[null]`, "[" + failed("null", "Invalid request", -32600, "") + "]"},
		{`[{"jsonrpc":"2.0","method":"subscribe","params":{"event":"block"}}]`, `[]`},
		{`{"jsonrpc":"2.0","id":null,"method":"subscribe","params":{"event":"block"}}`, noID},
		{`{"jsonrpc":"2.0","id":9.5,"method":"subscribe","params":{"event":"block"}}`, noID},
		{`{"jsonrpc":"2.0","id":"","method":"subscribe","params":{"event":"block"}}`, noID},
		{`{"jsonrpc":"2.0","id":true,"method":"subscribe","params":{"event":"block"}}`, noID},
		{`{"jsonrpc":"2.0","id":9007199254740993,"method":"nope"}`, noID},
		{`{"jsonrpc":"2.0","id":90e-1,"method":"nope"}`, failed("9", "Method not found", -32601, "")},
		{`{"jsonrpc":"2.0","id":1,"method":5}`, failed("null", "Method not found", -32601, "5")},
		{`{"jsonrpc":"2.0"}`, failed("null", "Method not found", -32601, "")},
		{`{"jsonrpc":"2.0","id":1}`, failed("null", "Invalid request", -32600, `{"jsonrpc":"2.0","id":1}`)},
		{`{"jsonrpc":"2.0","id":1,"method":"subscribe","params":5}`, failed("null", "Invalid params", -32602, "5")},
		{`{"jsonrpc":"2.0","id":1,"method":"subscribe","params":null}`, failed("null", "Invalid params", -32602, "")},
		{`{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"event":5}}`, wrongEvent},
		{`{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"event":{}}}`, wrongEvent},
		{`{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"event":0}}`, noEvent},
		{`{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"event":null}}`, noEvent},
		{`{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"event":"nft_asset_event","asset_identifier":"a.b::c"}}`, `{"jsonrpc":"2.0","id":1,"result":{"asset_identifier":"a.b::c"}}`},
		{`{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"event":"nft_asset_event","value":null}}`, `{"jsonrpc":"2.0","id":1,"result":{"value":null}}`},
		{`{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"event":"nft_collection_event"}}`, `{"jsonrpc":"2.0","id":1,"result":{}}`},
		{`{"jsonrpc":"2.0","id":1,"error":{"message":"x","code":1}}`, failed("1", "Invalid request", -32600, `"unexpected error msg from client"`)},
		{`{"jsonrpc":"2.0","id":null,"error":{"message":"x","code":1}}`, failed("null", "Invalid request", -32600, `"unexpected error msg from client"`)},
		{`{"jsonrpc":"2.0","id":1,"error":null}`, failed("null", "Internal error", -32603, `{"jsonrpc":"2.0","id":1,"error":null}`)},
		{`{"jsonrpc":"2.0","id":null,"result":1}`, noID},
	} {
		l.send(r[0])
		if got := l.read(); got != r[1] {
			t.Errorf("%s\nanswered %s\nwant     %s", r[0], got, r[1])
		}
	}
	l.silent()
}

func TestEveryBlockIsPushedOnce(t *testing.T) {
	for _, name := range APIVersions() {
		s := anchored(t, version(name))
		l := listen(t, host(t, s), nil)
		l.subscribes(blockEvents)
		l.subscribes(blockEvents) // does not double it
		before := s.world.State().View
		for _, n := range []int64{1, 3, 30} {
			if _, err := s.world.Mine(n); err != nil {
				t.Fatal(err)
			}
		}
		v := s.world.State().View
		parent, _ := before.Block(before.Tip())
		hash := parent.Hash.String()
		for h := before.Tip() + 1; h <= v.Tip(); h++ {
			got := l.block().Params
			for !got.Canonical {
				hash = got.Hash // it took the place of the tip
				got = l.block().Params
			}
			if got.Height != h || got.Parent != hash || !got.Canonical {
				t.Fatalf("%s: block %d on %s is pushed where %d on %s comes", name, got.Height, got.Parent, h, hash)
			}
			hash = got.Hash
		}
		tip, _ := v.Block(v.Tip())
		if hash != tip.Hash.String() {
			t.Errorf("%s: the last block pushed is %s, the tip %s", name, hash, tip.Hash)
		}
		l.silent()
		if got := l.answer("unsubscribe", blockEvents); !strings.HasSuffix(got, `"result":{}}`) {
			t.Errorf("%s: %s", name, got)
		}
		if _, err := s.world.Mine(2); err != nil {
			t.Fatal(err)
		}
		l.silent()
	}
}

func TestAPushedBlockIsTheRecordOfV1(t *testing.T) {
	s := anchored(t)
	l := listen(t, host(t, s), nil)
	l.subscribes(blockEvents)
	if _, err := s.world.Mine(1); err != nil {
		t.Fatal(err)
	}
	frame := l.read()
	list := fetch(t, s, blockURL+"?limit=1").Body.String()
	_, record, _ := strings.Cut(list, `"results":[`)
	if want := `{"jsonrpc":"2.0","method":"block","params":` + strings.TrimSuffix(record, "]}") + "}"; frame != want {
		t.Errorf("pushed %s\nlisted %s", frame, want)
	}
}

// TestAReorganizationIsNotReported replaces three blocks: their successors come as blocks
// that have not won, and only the parent of the next one reports that they have.
func TestAReorganizationIsNotReported(t *testing.T) {
	s := anchored(t)
	l := listen(t, host(t, s), nil)
	l.subscribes(blockEvents)
	before := s.world.State().View
	if _, err := s.world.Reorg(3); err != nil {
		t.Fatal(err)
	}
	if _, err := s.world.Mine(1); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	parent, _ := before.Block(before.Tip() - 3)
	last := parent.Hash.String()
	for h := before.Tip() - 2; h <= before.Tip()+1; h++ {
		b := l.block().Params
		if b.Height != h || b.Parent != last || b.Canonical != (h > before.Tip()) || seen[b.Hash] {
			t.Errorf("pushed %+v where %d on %s comes", b, h, last)
		}
		if old, ok := before.Block(h); ok && old.Hash.String() == b.Hash {
			t.Errorf("block %d is pushed though it was replaced", h)
		}
		last, seen[b.Hash] = b.Hash, true
	}
	l.silent()
}

// TestASubscriptionBeginsWithTheNextBlock lets blocks come between two clients.
func TestASubscriptionBeginsWithTheNextBlock(t *testing.T) {
	s := anchored(t)
	base := host(t, s)
	first := listen(t, base, nil)
	first.subscribes(blockEvents)
	for range 20 {
		state, err := s.world.Mine(1)
		if err != nil {
			t.Fatal(err)
		}
		second := listen(t, base, nil)
		second.subscribes(blockEvents)
		if _, err := s.world.Mine(1); err != nil {
			t.Fatal(err)
		}
		b := second.block().Params
		if !b.Canonical {
			b = second.block().Params
		}
		if b.Height != state.View.Tip()+1 {
			t.Fatalf("the first block that comes is %d, the tip at the subscription was %d", b.Height, state.View.Tip())
		}
		_ = second.socket.CloseNow()
	}
}

func TestWhatIsTheNewestBlockAgainAfterGoingBackIsPushed(t *testing.T) {
	s := anchored(t)
	l := listen(t, host(t, s), nil)
	l.subscribes(blockEvents)
	if _, _, err := s.world.Snapshot("start"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		state, err := s.world.Mine(2)
		if err != nil {
			t.Fatal(err)
		}
		for b := l.block().Params; b.Height < state.View.Tip(); b = l.block().Params {
			if b.Height < state.View.Tip()-2 {
				t.Errorf("block %d is pushed", b.Height)
			}
		}
		back, err := s.world.Revert("start")
		if err != nil {
			t.Fatal(err)
		}
		if b := l.block().Params; b.Height != back.View.Tip() || !b.Canonical {
			t.Errorf("block %d is pushed, canonical %t, want the newest, %d", b.Height, b.Canonical, back.View.Tip())
		}
		l.silent()
	}
}

func TestEveryWorldPushesItsOwnBlocks(t *testing.T) {
	s := anchored(t, func(c *Config) { c.Worlds = true })
	base := host(t, s)
	root, one, two := listen(t, base, nil), listen(t, base+"/w/one", nil), listen(t, base+"/w/two", nil)
	for _, l := range []*listener{root, one, two} {
		l.subscribes(blockEvents)
	}
	if w := send(s, "POST", "/w/one/mock/v1/mine", `{"blocks":2}`); w.Code != 200 {
		t.Fatal(w.Body)
	}
	one.block()
	one.block()
	for _, l := range []*listener{root, one, two} {
		l.silent()
	}
}

func TestOnlyAnUpgradeOpensTheConnection(t *testing.T) {
	s := anchored(t)
	w := get(s, webSocketPath)
	if want := `{"message":"Route GET:/extended/v1/ws not found","error":"Not Found","statusCode":404}`; w.Code != 404 || w.Body.String() != want {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	for path, want := range map[string]int{webSocketPath + "/": 400, webSocketPath + "x": 400, "/extended/v1/block": 200, webSocketPath + "?x=1": 101} {
		_, response, err := websocket.Dial(t.Context(), host(t, s)+path, nil)
		if response == nil || response.StatusCode != want {
			t.Errorf("%s: %v, %v", path, response, err)
		}
	}
}

func TestAPageMayListen(t *testing.T) {
	l := listen(t, host(t, anchored(t)), &websocket.DialOptions{HTTPHeader: http.Header{"Origin": {"https://dapp.example"}}})
	l.subscribes(blockEvents)
}

func TestAnOpenConnectionIsListedWhenItOpens(t *testing.T) {
	s := anchored(t)
	l := listen(t, host(t, s), nil)
	l.subscribes(blockEvents)
	all, _ := s.world.Requests.After(0)
	if len(all) != 1 || all[0].Path != webSocketPath || all[0].Status != 101 {
		t.Errorf("%+v", all)
	}
}

// TestRulesChangeWhatIsPushed has one rule about blocks in each server.
func TestRulesChangeWhatIsPushed(t *testing.T) {
	for rule, want := range map[string][]int64{
		"event=block,fault=drop,times=1":    {2, 3, 4},
		"event=bl*,fault=double,times=1":    {1, 1, 2, 3, 4},
		"event=*,fault=reorder,times=1":     {2, 1, 3, 4},
		"event=mempool,fault=drop":          {1, 2, 3, 4},
		"event=block,delay=30,times=1":      {1, 2, 3, 4},
		"event=block,fault=drop,rate=1e-99": {1, 2, 3, 4},
	} {
		parsed, err := fault.ParseRule(rule)
		if err != nil {
			t.Fatal(err)
		}
		s := anchored(t, func(c *Config) { c.Faults = []fault.Rule{parsed} })
		if _, err := s.world.Mine(2); err != nil { // the next four are not replaced
			t.Fatal(err)
		}
		l := listen(t, host(t, s), nil)
		l.subscribes(blockEvents)
		start := s.world.State().Tip().Height
		var got []int64
		for range 4 {
			if _, err := s.world.Mine(1); err != nil {
				t.Fatal(err)
			}
		}
		for range want {
			got = append(got, l.block().Params.Height-start)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: pushed %v, want %v", rule, got, want)
		}
		l.silent()
	}
}

func TestARuleCutsTheConnection(t *testing.T) {
	rule, err := fault.ParseRule("event=block,fault=reset,times=1")
	if err != nil {
		t.Fatal(err)
	}
	s := anchored(t, func(c *Config) { c.Faults = []fault.Rule{rule} })
	base := host(t, s)
	for i := range 2 {
		l := listen(t, base, nil)
		l.subscribes(blockEvents)
		if _, err := s.world.Mine(1); err != nil {
			t.Fatal(err)
		}
		if _, _, err := l.socket.Read(t.Context()); (err != nil) != (i == 0) {
			t.Errorf("connection %d: %v", i, err)
		}
	}
}

func TestAServerThatIsDownCutsItsConnections(t *testing.T) {
	s := anchored(t)
	l := listen(t, host(t, s), nil)
	l.subscribes(blockEvents)
	if w := send(s, "PUT", "/mock/v1/scenario", `{"scenario":"down"}`); w.Code != 200 {
		t.Fatal(w.Body)
	}
	if _, _, err := l.socket.Read(t.Context()); err == nil {
		t.Error("the connection stays open")
	}
}

func TestTheServerEndsWithItsConnectionsOpen(t *testing.T) {
	s := anchored(t)
	l := listen(t, host(t, s), nil)
	l.subscribes(blockEvents)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := l.socket.Read(t.Context()); err == nil {
		t.Error("the connection stays open")
	}
	if w := request(t, s, "GET", webSocketPath, "Upgrade", "websocket"); w.Code != 503 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
