package wallet

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"sort"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"chainscope/wallet/internal/vectors"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/provider"
)

// stub is a wallet that answers as configured and writes down its calls.
type stub struct {
	traits       provider.Traits
	reply        json.RawMessage
	err          error
	calls        []stubCall
	disconnected int
}

type stubCall struct {
	method string
	params json.RawMessage
}

func (s *stub) Request(_ context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	s.calls = append(s.calls, stubCall{method, params})
	return s.reply, s.err
}

func (s *stub) Traits() provider.Traits { return s.traits }

var traitsOf = map[string]provider.Traits{
	"generic": {},
	"leather": {IsLeather: true},
	"xverse":  {XverseFunctions: true},
	"fordefi": {IsFordefi: true},
}

func count(t *testing.T, want, got int) {
	t.Helper()
	t.Logf("%d cases", got)
	if got != want {
		t.Errorf("%d cases were tested, want %d", got, want)
	}
}

// thrown is an error as the vectors write it.
type thrown struct {
	Name           string          `json:"name"`
	IsJSONRPCError bool            `json:"isJsonRpcError"`
	Code           *int            `json:"code"`
	Message        *string         `json:"message"`
	Data           json.RawMessage `json:"data"`
	String         string          `json:"string"`
}

func (want *thrown) check(t *testing.T, err error) {
	t.Helper()
	var exception *Exception
	var rpc *jsonrpc.Error
	switch {
	case err == nil:
		t.Fatalf("resolved, want %s", want.String)
	case errors.As(err, &rpc):
		if want.Name != "JsonRpcError" {
			t.Fatalf("got %v, want a %s", err, want.Name)
		}
		if want.Code != nil && rpc.Code != *want.Code {
			t.Errorf("code %d, want %d", rpc.Code, *want.Code)
		}
		if rpc.NoMessage != (want.Message == nil) || want.Message != nil && rpc.Message != *want.Message {
			t.Errorf("message %q (none: %t), want %v", rpc.Message, rpc.NoMessage, want.Message)
		}
		if !sameJSON(rpc.Data, want.Data) {
			t.Errorf("data %s, want %s", rpc.Data, want.Data)
		}
		if want.String != "" && rpc.Error() != want.String {
			t.Errorf("text %q, want %q", rpc.Error(), want.String)
		}
	case errors.As(err, &exception):
		if exception.Name != want.Name || exception.Message != *want.Message || exception.Error() != want.String {
			t.Errorf("got %v, want %s", exception, want.String)
		}
	default:
		t.Fatalf("an error of no known kind: %v", err)
	}
}

func sameJSON(a, b json.RawMessage) bool {
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	var x, y any
	d := json.NewDecoder(bytes.NewReader(a))
	d.UseNumber()
	if d.Decode(&x) != nil {
		return false
	}
	d = json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	return d.Decode(&y) == nil && cmp.Equal(x, y)
}

func TestEveryReplyBecomesWhatTheLibraryMakesOfIt(t *testing.T) {
	file := vectors.Load[struct {
		ErrorCodes map[string]int
		Cases      []struct {
			Via, Name string
			Reply     json.RawMessage
			Resolves  json.RawMessage
			Rejects   *thrown
		}
	}](t, "connect-results.json")
	for name, code := range file.ErrorCodes {
		if jsonrpc.CodeName(code) != name {
			t.Errorf("code %d is called %q, want %q", code, jsonrpc.CodeName(code), name)
		}
	}
	rejections := map[string]error{
		"rejected error envelope":         &provider.Rejection{Value: []byte(`{"jsonrpc":"2.0","id":"x","error":{"code":4001,"message":"rejected by envelope"}}`)},
		"rejected Error with code":        &jsonrpc.Error{Code: -32602, Message: "boom", Data: []byte(`"d"`)},
		"rejected plain Error":            errors.New("plain"),
		"rejected object without message": &provider.Rejection{Value: []byte(`{"code":5}`)},
		"rejected string":                 &provider.Rejection{Value: []byte(`"cancel"`)},
		"rejected undefined":              &provider.Rejection{},
	}
	tested := 0
	for _, c := range file.Cases {
		tested++
		t.Run(c.Via+"/"+c.Name, func(t *testing.T) {
			wallet := &stub{reply: c.Reply}
			if err, ok := rejections[c.Name]; ok {
				wallet.reply, wallet.err = nil, err
			}
			l := New(Config{})
			var result json.RawMessage
			var err error
			switch c.Via {
			case "requestRaw":
				result, err = l.RequestRaw(t.Context(), wallet, "stx_transferStx", nil)
			case "request":
				result, err = l.Request(t.Context(), Options{Provider: wallet}, "stx_transferStx", nil)
			case "request, enableOverrides false":
				result, err = l.Request(t.Context(), Options{Provider: wallet, EnableOverrides: new(false)}, "stx_transferStx", nil)
			default:
				t.Fatalf("no way called %q", c.Via)
			}
			if c.Rejects != nil {
				c.Rejects.check(t, err)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			want := c.Resolves
			if string(want) == `{"$undefined":true}` || sameJSON(want, []byte(`{"$undefined":true}`)) {
				want = nil
			}
			if !sameJSON(result, want) {
				t.Errorf("resolved with %s, want %s", result, want)
			}
		})
	}
	count(t, 63, tested)
}

func TestTheStoredRecordIsWrittenAsTheLibraryWritesIt(t *testing.T) {
	file := vectors.Load[struct {
		Cases []struct {
			Name, WalletKind, Method, SentMethod string
			Raw                                  *string
			Options                              struct{ EnableLocalStorage *bool }
			ProviderResult                       json.RawMessage
			StoredBefore, StoredAfter            json.RawMessage
			StoredAfterHex                       *string
			SelectedProviderAfter                *string
			IsConnected                          *bool
			GetLocalStorage                      json.RawMessage
			Calls                                int
			After                                *struct {
				Selected  *string `json:"STX_PROVIDER"`
				Connect   *string
				OtherKeys []string
			}
		}
	}](t, "connect-storage.json")
	tested := 0
	for _, c := range file.Cases {
		tested++
		t.Run(c.Name, func(t *testing.T) {
			storage := &MemoryStorage{}
			l := New(Config{Storage: storage, Now: func() time.Time { return time.UnixMilli(1750000000000) }})
			if c.After != nil {
				wallet := &disconnectable{}
				l.Registry().SetObject("W", wallet)
				for key, v := range map[string]string{keySelected: "W", keyAddresses: "7b7d", "unrelated": "x"} {
					if err := storage.Set(key, v); err != nil {
						t.Fatal(err)
					}
				}
				if err := l.Disconnect(); err != nil {
					t.Fatal(err)
				}
				keys := slices.Collect(maps.Keys(storage.values))
				sort.Strings(keys)
				want := append([]string{}, c.After.OtherKeys...)
				sort.Strings(want)
				if diff := cmp.Diff(want, keys); diff != "" {
					t.Errorf("keys left behind:\n%s", diff)
				}
				if l.IsConnected() || l.IsProviderSelected() || wallet.disconnected != 1 {
					t.Errorf("connected %t, selected %t, the wallet was notified %d times", l.IsConnected(), l.IsProviderSelected(), wallet.disconnected)
				}
				return
			}
			if len(c.StoredBefore) > 0 && string(c.StoredBefore) != "null" {
				var compact bytes.Buffer
				if err := json.Compact(&compact, c.StoredBefore); err != nil {
					t.Fatal(err)
				}
				if err := storage.Set(keyAddresses, hex.EncodeToString(compact.Bytes())); err != nil {
					t.Fatal(err)
				}
			}
			if c.Raw != nil {
				if err := storage.Set(keyAddresses, *c.Raw); err != nil {
					t.Fatal(err)
				}
			}
			if c.Method != "" {
				wallet := &stub{traits: traitsOf[c.WalletKind], reply: envelope(c.ProviderResult)}
				if _, err := l.Request(t.Context(), Options{Provider: wallet, EnableLocalStorage: c.Options.EnableLocalStorage}, c.Method, nil); err != nil {
					t.Fatal(err)
				}
				if wallet.calls[0].method != c.SentMethod {
					t.Errorf("sent %s, want %s", wallet.calls[0].method, c.SentMethod)
				}
				stored, there, _ := storage.Get(keyAddresses)
				if there != (c.StoredAfterHex != nil) || there && stored != *c.StoredAfterHex {
					t.Errorf("stored %s\nwant %v", stored, c.StoredAfterHex)
				}
				if l.IsProviderSelected() != (c.SelectedProviderAfter != nil) {
					t.Errorf("selected %q, want %v", l.SelectedProviderID(), c.SelectedProviderAfter)
				}
			}
			if l.IsConnected() != *c.IsConnected {
				t.Errorf("connected %t, want %t", l.IsConnected(), *c.IsConnected)
			}
			record, err := json.Marshal(l.LocalStorage())
			if err != nil || !sameJSON(record, c.GetLocalStorage) {
				t.Errorf("record %s, %v, want %s", record, err, c.GetLocalStorage)
			}
		})
	}
	count(t, 14, tested)
}

type disconnectable struct{ stub }

func (d *disconnectable) Disconnect() { d.disconnected++ }

func envelope(result json.RawMessage) json.RawMessage {
	return json.RawMessage(`{"jsonrpc":"2.0","id":"x","result":` + string(result) + `}`)
}

// picker answers the selector as the user in the vectors did.
type picker struct {
	t    *testing.T
	pick string
	rows []Row
	seen bool
}

func (p *picker) Select(_ context.Context, rows []Row) (string, error) {
	p.rows, p.seen = rows, true
	for _, row := range rows {
		if row.Name == p.pick {
			return row.ID, nil
		}
	}
	if p.pick != "escape" && p.pick != "outside" {
		p.t.Errorf("there is no row %q", p.pick)
	}
	return "", ErrCanceled
}

func TestEveryCombinationOfOptionsEndsAsItDoesInABrowser(t *testing.T) {
	file := vectors.Load[struct {
		Cases []struct {
			Name, Call      string
			StoredSelection *string
			Options         map[string]json.RawMessage
			Pick            *string
			ModalShown      bool
			ModalRows       []struct{ Name, Action string }
			ReceivedBy      [][2]string
			Outcome         json.RawMessage
			SelectionAfter  *string
			AddressesStored bool
		}
	}](t, "connect-options.json")
	tested := 0
	for _, c := range file.Cases {
		tested++
		t.Run(c.Name, func(t *testing.T) {
			var received [][2]string
			wallets := map[string]*stub{"A": {}, "Ns.B": {}, leatherID: {traits: provider.Traits{IsLeather: true}}, "OnlyBtcList": {}}
			registry := &Registry{}
			for id, wallet := range wallets {
				wallet.reply = envelope([]byte(`{"addresses":[{"address":"SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J","publicKey":"03"}]}`))
				if c.Name != "no wallet installed" {
					registry.SetObject(id, wallet)
				}
			}
			if c.Name != "no wallet installed" {
				registry.RegisterWBIP(provider.Descriptor{ID: "A", Name: "Wallet A"})
				registry.RegisterWBIP(provider.Descriptor{ID: "Gone", Name: "Wallet Gone"})
				registry.RegisterWebBTC(provider.Descriptor{ID: "Ns.B", Name: "Wallet B"})
			}
			var outcome struct{ Rejected *thrown }
			if c.Outcome[0] == '{' {
				if err := json.Unmarshal(c.Outcome, &outcome); err != nil {
					t.Fatal(err)
				}
				if *outcome.Rejected.Code == jsonrpc.UserRejection {
					for _, wallet := range wallets {
						wallet.reply = json.RawMessage(`{"error":{"code":-32000,"message":"User rejected"}}`)
					}
				}
			}
			person := &picker{t: t}
			if c.Pick != nil {
				person.pick = *c.Pick
			}
			storage := &MemoryStorage{}
			l := New(Config{Storage: storage, Registry: registry, Selector: person})
			if c.StoredSelection != nil {
				if err := l.SetSelectedProviderID(*c.StoredSelection); err != nil {
					t.Fatal(err)
				}
			}
			var o Options
			for name, raw := range c.Options {
				if string(raw) == `"window.A"` {
					raw = json.RawMessage(`"A"`)
				}
				if err := l.SetOption(&o, name, raw); err != nil {
					t.Fatal(err)
				}
			}
			var err error
			if c.Call == "connect" {
				_, err = l.Connect(t.Context(), o, "")
			} else {
				_, err = l.Request(t.Context(), o, c.Call[len("request "):], nil)
			}
			if outcome.Rejected != nil {
				outcome.Rejected.check(t, err)
			} else if err != nil {
				t.Fatal(err)
			}
			if person.seen != c.ModalShown {
				t.Errorf("the selector was shown: %t, want %t", person.seen, c.ModalShown)
			}
			var rows []struct{ Name, Action string }
			for _, row := range person.rows {
				action := row.Action()
				if !row.Installed {
					action += " →"
				}
				rows = append(rows, struct{ Name, Action string }{row.Name, action})
			}
			if len(rows)+len(c.ModalRows) > 0 {
				if diff := cmp.Diff(c.ModalRows, rows); diff != "" {
					t.Errorf("rows:\n%s", diff)
				}
			}
			for id, wallet := range wallets {
				for _, call := range wallet.calls {
					received = append(received, [2]string{id, call.method})
				}
			}
			if len(received)+len(c.ReceivedBy) > 0 {
				if diff := cmp.Diff(c.ReceivedBy, received); diff != "" {
					t.Errorf("received by:\n%s", diff)
				}
			}
			selection := ""
			if c.SelectionAfter != nil {
				selection = *c.SelectionAfter
			}
			if got := l.SelectedProviderID(); got != selection {
				t.Errorf("remembered %q, want %q", got, selection)
			}
			if l.IsConnected() != c.AddressesStored {
				t.Errorf("addresses stored: %t, want %t", l.IsConnected(), c.AddressesStored)
			}
		})
	}
	count(t, 31, tested)
}
