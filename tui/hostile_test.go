package tui

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"chainscope/apiclient"
	"chainscope/mockserver"
	"chainscope/tui/internal/uitest"
	"chainscope/tui/nav"
	"chainscope/tui/resource"
	"chainscope/tui/screen/listing"
	"chainscope/tui/text"
	"chainscope/tui/theme"
	"chainscope/wallet/clarity"

	"github.com/charmbracelet/x/ansi"
)

const (
	someTxID = "0xabababababababababababababababababababababababababababababababab"
	someone  = "SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J"
	// evil holds what a terminal would obey, hide, or draw in another order.
	evil = "\x1b[2J\x1b]0;owned\x07\u009b31m\u202e evil \u2066 a\u200b\u200d\ufeff\u2060 \r\n\t\x00"
)

// hostileTransactions returns transactions that are large, deep, or written by somebody who means
// no good, as the API would tell them.
func hostileTransactions(t testing.TB) map[string]string {
	deep := clarity.Value(clarity.UTF8("evil \u202e \u200b"))
	for range clarity.MaxDepth - 1 {
		deep = clarity.Tuple{Fields: []clarity.Field{{Name: "in", Value: deep}}}
	}
	long := make(clarity.List, 65_000)
	for i := range long {
		long[i] = clarity.Bool(i%3 == 0)
	}
	events := make([]any, 2000)
	for i := range events {
		events[i] = map[string]any{"event_index": i, "event_type": "fungible_token_asset", "tx_id": someTxID, "asset": map[string]any{
			"asset_event_type": "transfer", "asset_id": fmt.Sprintf("%s.token-%d::gold", someone, i%700), "sender": someone, "recipient": fmt.Sprintf("%s.a%d", someone, i), "amount": "-" + strings.Repeat("9", 1+i%300),
		}}
	}
	prints := make([]any, 2000)
	for i := range prints {
		prints[i] = map[string]any{"event_index": i, "event_type": "smart_contract_log", "contract_log": map[string]any{"contract_id": evil, "topic": evil, "value": map[string]any{"hex": evil, "repr": evil}}}
	}
	conditions := make([]any, 3000)
	for i := range conditions {
		conditions[i] = map[string]any{"principal": map[string]any{"type_id": evil, "address": evil}, "condition_code": evil, "amount": strings.Repeat("9", 400), "type": "fungible", "asset": map[string]any{"asset_name": evil, "contract_address": evil, "contract_name": evil}}
	}
	call := func(args ...clarity.Value) map[string]any {
		var all []any
		for _, v := range args {
			digits, err := clarity.EncodeHex(v)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, map[string]any{"hex": "0x" + strings.TrimPrefix(digits, "0x"), "repr": clarity.Repr(v), "name": evil, "type": evil})
		}
		return map[string]any{"tx_type": "contract_call", "contract_call": map[string]any{"contract_id": someone + ".vault", "function_name": "take" + evil, "function_signature": evil, "function_args": all}}
	}
	all := map[string]map[string]any{
		"2,000 events":              {"events": events, "event_count": 2000},
		"more events than are sent": {"events": events[:100], "event_count": 1 << 40},
		"2,000 prints":              {"events": prints, "event_count": 2000},
		"3,000 conditions":          {"post_conditions": conditions},
		"a tuple 32 deep":           call(deep, deep),
		"a list of 65,000":          call(long),
		"many arguments":            call(make32(deep)...),
		"a memo":                    {"tx_type": "token_transfer", "token_transfer": map[string]any{"recipient_address": evil, "amount": strings.Repeat("9", 500), "memo": fmt.Sprintf("0x%x", evil)}},
		"words":                     {"tx_status": evil, "tx_type": evil, "vm_error": evil, "sender_address": evil, "fee_rate": evil, "sponsor_address": evil},
		"an error":                  {"tx_status": "abort_by_response", "vm_error": strings.Repeat(evil, 2000), "tx_result": map[string]any{"hex": "0x08", "repr": evil}},
		"a deploy":                  {"tx_status": "pending", "tx_type": "smart_contract", "smart_contract": map[string]any{"contract_id": someone + ".x", "source_code": strings.Repeat(evil+"\n", 5000)}},
	}
	out := map[string]string{}
	for name, changes := range all {
		record := map[string]any{"tx_id": someTxID, "nonce": 3, "fee_rate": "-5", "sender_address": someone, "tx_status": "success", "tx_type": "coinbase", "block_height": 7, "block_time": 1, "tx_index": 0, "post_condition_mode": "deny", "event_count": 0}
		for key, value := range changes {
			record[key] = value
		}
		raw, err := json.Marshal(record)
		if err != nil {
			t.Fatal(err)
		}
		out[name] = string(raw)
	}
	return out
}

// TestTheDetailShowsAtOnceWhatTheListHas presses enter, and looks at the frame before
// anything was answered.
func TestTheDetailShowsAtOnceWhatTheListHas(t *testing.T) {
	d := listsTransactions(t, 80, 24)
	cmd, _ := d.Screen.Key(uitest.Key("enter"))
	frame := strings.Join(d.Screen.View(d.Clock), "\n")
	for _, want := range []string{" called ", "status", "success", "sender", "function", "fee "} {
		if !strings.Contains(frame, want) {
			t.Errorf("%q is not in the first frame:\n%s", want, frame)
		}
	}
	if cmd == nil {
		t.Error("nothing is requested")
	}
}

// BenchmarkFirstFrameOfADetail is enter on a transaction in a list, and the way back: goal
// 16 ms.
func BenchmarkFirstFrameOfADetail(b *testing.B) {
	d := listsTransactions(b, 120, 40)
	for b.Loop() {
		for _, key := range []string{"enter", "esc"} {
			d.Screen.Key(uitest.Key(key))
			d.Screen.View(d.Clock)
		}
	}
}

// listsTransactions shows the newest transactions of a mock.
func listsTransactions(t testing.TB, width, height int) *uitest.Driver {
	t.Helper()
	mock, err := mockserver.New(mockserver.Config{Seed: 1, Now: func() time.Time { return uitest.Noon }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = mock.Close() })
	server := httptest.NewServer(mock)
	t.Cleanup(server.Close)
	d := showsTransactions(t, server.URL, width, height)
	d.Do(d.Screen.Open(nav.Transactions(), nil))
	d.Settle()
	return d
}

func make32(v clarity.Value) []clarity.Value {
	all := make([]clarity.Value, 32)
	for i := range all {
		all[i] = v
	}
	return all
}

// readsTransaction opens a transaction that a server sends.
func readsTransaction(t testing.TB, record string, width, height int) *uitest.Driver {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if !strings.HasPrefix(r.URL.Path, "/extended/v1/tx/0x") {
			w.WriteHeader(http.StatusNotFound)
			record := `{"error":"Not Found"}`
			_, _ = w.Write([]byte(record))
			return
		}
		_, _ = w.Write([]byte(record))
	}))
	t.Cleanup(server.Close)
	d := showsTransactions(t, server.URL, width, height)
	d.Do(d.Screen.Open(nav.Transaction(someTxID), nil))
	d.Settle()
	return d
}

// showsTransactions returns the place of transactions on a server.
func showsTransactions(t testing.TB, url string, width, height int) *uitest.Driver {
	t.Helper()
	client, err := apiclient.New(apiclient.Options{BaseURL: url})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	th, err := theme.New("mono", theme.Options{Plain: true})
	if err != nil {
		t.Fatal(err)
	}
	d := uitest.NewDriver(t, client)
	d.Screen = listing.New(d.Env, th, transactions(d.Env, NewBackgrounds(client), false, &replays{}))
	d.Screen.SetSize(width, height)
	return d
}

// Whatever a transaction is: it is drawn within the window, nothing of it is obeyed, and the
// rest is said to be left out.
func TestHostileTransactionsAreDrawnWithinTheWindow(t *testing.T) {
	t.Parallel()
	uitest.NotRaced(t)
	for name, record := range hostileTransactions(t) {
		t.Run(name, func(t *testing.T) {
			for _, size := range [][2]int{{80, 20}, {120, 36}, {200, 56}, {20, 5}} {
				d := readsTransaction(t, record, size[0], size[1])
				drawsWithin(t, d, size, "j", "ctrl+d", "G", "k", "g")
			}
			if d := readsTransaction(t, record, 80, 20); !strings.Contains(strings.Join(d.Screen.View(d.Clock), "\n"), "▸ status ") {
				t.Errorf("its detail is not shown:\n%s", strings.Join(d.Screen.View(d.Clock), "\n"))
			}
		})
	}
}

// drawsWithin presses keys, and checks that each frame is within the window and that nothing
// in it is obeyed.
func drawsWithin(t *testing.T, d *uitest.Driver, size [2]int, keys ...string) {
	t.Helper()
	for _, key := range append([]string{""}, keys...) {
		if key != "" {
			cmd, _ := d.Screen.Key(uitest.Key(key))
			d.Do(cmd)
			d.Settle()
		}
		frame := d.Screen.View(d.Clock)
		if len(frame) > size[1] {
			t.Fatalf("%d lines at %v", len(frame), size)
		}
		for _, line := range frame {
			if plain := ansi.Strip(line); text.Line(plain) != plain || text.Width(plain) > size[0] {
				t.Fatalf("at %v after %q: %q is obeyed or too wide", size, key, plain)
			}
		}
	}
}

// BenchmarkHostileTransactions makes the fields of each and draws a frame: goal 50 ms.
func BenchmarkHostileTransactions(b *testing.B) {
	for name, record := range hostileTransactions(b) {
		b.Run(name, func(b *testing.B) {
			d := readsTransaction(b, record, 120, 36)
			var t apiclient.Transaction
			if err := json.Unmarshal([]byte(record), &t); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				resource.Transaction{Transaction: &t}.With(resource.Background{})
				d.Screen.Redraw()
				d.Screen.View(d.Clock)
			}
		})
	}
}
