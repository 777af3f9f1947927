package bridgetest_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"chainscope/mockserver"
	"chainscope/wallet/bridge/bridgetest"
	"chainscope/wallet/jsonrpc"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func newMock(t testing.TB, worlds bool) *mockserver.Server {
	t.Helper()
	midnight := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	mock, err := mockserver.New(mockserver.Config{Seed: 1, Freeze: &midnight, Automine: true, Worlds: worlds})
	if err != nil {
		t.Fatal(err)
	}
	return mock
}

var rent = map[string]any{"recipient": "ST000000000000000000002AMW42H", "amount": "1500000", "memo": "rent"}

// seen is a test that is only looked at.
type seen struct {
	testing.TB
	failures []string
	cleanups []func()
}

func (s *seen) Errorf(format string, args ...any) {
	s.failures = append(s.failures, fmt.Sprintf(format, args...))
}
func (s *seen) Fatalf(format string, args ...any) { s.Errorf(format, args...) }
func (s *seen) Cleanup(f func())                  { s.cleanups = append(s.cleanups, f) }

func TestATestThatIsNotPlayedAsWrittenFailsWithWhatDiffers(t *testing.T) {
	s := &seen{TB: t}
	k := bridgetest.Start(s, bridgetest.Options{Mock: newMock(t, false), Network: "testnet"})
	k.Expect("stx_transferStx", map[string]any{"amount": "2000000"}).Approve()
	k.Expect("signPsbt", nil).After(-time.Second).Times(0).Approve()
	_, err := k.Request(t.Context(), "stx_transferStx", map[string]any{"recipient": rent["recipient"], "amount": "1500000", "memo": "a\u202e\x1b"})
	var refused *jsonrpc.Error
	if !errors.As(err, &refused) || refused.Code != -32000 {
		t.Errorf("%v", err)
	}
	if _, err := k.RequestFrom(t.Context(), "https://far.example", "getAddresses", nil); !errors.As(err, &refused) || refused.Code != -32002 {
		t.Errorf("an origin that is not named: %v", err)
	}
	for _, f := range s.cleanups {
		f()
	}
	if len(s.failures) != 1 {
		t.Fatalf("%q", s.failures)
	}
	for _, want := range []string{
		"expected, and did not come: stx_transferStx (0 of 1 came)\n  came      call 1 of http://localhost:3000: {",
		`  differs   amount: want "2000000", got "1500000"`, `  approval  {`, `"amount":"1500000"`, `\u202e`,
		`Expect(signPsbt): POST /.chainscope/control/rules answers 400: script, line 1: times: a number from 1`,
	} {
		if !strings.Contains(s.failures[0], want) {
			t.Errorf("%q is missing in\n%s", want, s.failures[0])
		}
	}
	if strings.ContainsAny(s.failures[0], "\u202e\x1b") {
		t.Errorf("a character of the page acts: %q", s.failures[0])
	}
	failing := &seen{TB: t}
	if bridgetest.Start(failing, bridgetest.Options{Wallet: "metamask"}) != nil || len(failing.failures) != 1 {
		t.Errorf("an unknown wallet: %q", failing.failures)
	}
}

func TestAHandlerIsTestedAgainstAWalletAndItsChain(t *testing.T) {
	k := bridgetest.Start(t, bridgetest.Options{Mock: newMock(t, false), Network: "testnet", Origins: []string{"https://far.example"}})
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	send := func(method string, params any) string {
		t.Helper()
		result, err := k.Request(t.Context(), method, params)
		must(err)
		return string(result)
	}
	k.Expect("stx_transferStx", nil).Times(2).Approve()
	must(k.Chain.Snapshot("begin"))
	first := send("stx_transferStx", rent)
	must(k.Chain.Reorg(1))
	must(k.Chain.Advance(3 * time.Hour))
	must(k.Chain.Mine(1))
	must(k.Chain.Revert("begin"))
	if again := send("stx_transferStx", rent); again != first {
		t.Errorf("after a revert the transaction is another: %s, %s", first, again)
	}
	call, err := k.NextCall(t.Context(), "stx_transferStx")
	if err != nil || call.N != 1 || !strings.Contains(string(call.Shown), `"nonce":"0"`) {
		t.Errorf("%v %+v", err, call)
	}
	must(k.SwitchAccount(2))
	must(k.SwitchNetwork("mainnet"))
	k.Expect("getAddresses", nil).From("https://far.example").Approve()
	result, err := k.RequestFrom(t.Context(), "https://far.example", "getAddresses", nil)
	if err != nil || !strings.Contains(string(result), `"SP`) {
		t.Errorf("%v %s", err, result)
	}
	k.Expect("signPsbt", nil).AnyTimes().Fail(4001, "not today")
	k.Expect("stx_signMessage", nil).Answer(map[string]string{"signature": "none"})
	if got := send("stx_signMessage", map[string]string{"message": "x"}); got != `{"signature":"none"}` {
		t.Errorf("%s", got)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := k.NextCall(gone, "nothing"); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	must(k.Chain.Fund("ST000000000000000000002AMW42H", 5))
	must(k.Chain.Read("ST000000000000000000002AMW42H.counter", "get-count", "(ok u5)"))
	if err := k.Chain.Mine(0); err == nil || !strings.Contains(err.Error(), `{"blocks":1}`) {
		t.Errorf("%v", err)
	}
	script, err := k.Provider()
	if err != nil || !strings.Contains(script, k.URL()+"/.chainscope/rpc") {
		t.Errorf("%v", err)
	}
}

func TestTransactionsAreHeldDroppedAndReleased(t *testing.T) {
	mock := newMock(t, false)
	k := bridgetest.Start(t, bridgetest.Options{Mock: mock, Network: "testnet"})
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	k.Expect("stx_transferStx", nil).Times(4).Approve()
	transfer := func(amount string) string {
		t.Helper()
		result, err := k.Request(t.Context(), "stx_transferStx", map[string]any{"recipient": rent["recipient"], "amount": amount})
		must(err)
		var sent struct {
			TxID string `json:"txid"`
		}
		must(json.Unmarshal(result, &sent))
		return sent.TxID
	}
	status := func(id string) string {
		w := httptest.NewRecorder()
		mock.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://127.0.0.1/extended/v1/tx/0x"+id, nil))
		var tx struct {
			Status string `json:"tx_status"`
		}
		must(json.Unmarshal(w.Body.Bytes(), &tx))
		return tx.Status
	}
	must(k.Chain.Hold())
	ids := []string{transfer("1"), transfer("2"), transfer("3")}
	must(k.Chain.Mine(1))
	must(k.Chain.Drop(ids[2], ""))
	must(k.Chain.Drop(ids[1], "problematic"))
	if err := k.Chain.Drop(ids[1], "problematic"); err == nil || !strings.Contains(err.Error(), "waits in the mempool") {
		t.Errorf("dropped twice: %v", err)
	}
	if got := status(ids[0]); got != "pending" {
		t.Errorf("while it is held: %s", got)
	}
	must(k.Chain.Release())
	ids = append(ids, transfer("4")) // takes the nonce that is free again
	for i, want := range []string{"success", "dropped_problematic", "dropped_stale_garbage_collect", "success"} {
		if got := status(ids[i]); got != want {
			t.Errorf("transaction %d: %s, want %s", i, got, want)
		}
	}
}

func TestAResetBeginsTheNextCaseOfATest(t *testing.T) {
	k := bridgetest.Start(t, bridgetest.Options{})
	if _, err := k.Request(t.Context(), "getAddresses", nil); err == nil || k.Verdict() == nil {
		t.Fatalf("nobody expects it: %v", err)
	}
	k.Expect("signPsbt", nil).Times(0).Approve() // no rule
	k.Expect("getAddresses", nil).Times(3).Approve()
	if err := k.Reset(); err != nil || k.Verdict() != nil {
		t.Fatalf("%v, %v", err, k.Verdict())
	}
	k.Expect("getAddresses", nil).Approve()
	if _, err := k.Request(t.Context(), "getAddresses", nil); err != nil {
		t.Error(err)
	}
	if call, err := k.NextCall(t.Context(), "*"); err != nil || call.N != 1 {
		t.Errorf("%v, call %d", err, call.N)
	}
}

func TestAWalletWithoutAChainSignsAndSendsNothing(t *testing.T) {
	k := bridgetest.Start(t, bridgetest.Options{Wallet: "xverse"})
	k.Expect("wallet_connect", nil).Approve()
	if _, err := k.Request(t.Context(), "wallet_connect", map[string]any{}); err != nil {
		t.Error(err)
	}
	if k.Chain != nil {
		t.Error("there is a chain")
	}
}

var each = flag.Int("each", 4, "how often each of fifty worlds pays; 200 makes 10,000 calls of the wallet")

// Fifty worlds of one mock, each with a wallet, used at once: every call and every
// rule is there at the end, nothing of another world, and as much memory is in use as
// after the first few.
func TestFiftyWorldsAtOnceLoseNothing(t *testing.T) {
	server := httptest.NewServer(newMock(t, true))
	t.Cleanup(server.Close)
	api := server.URL
	const worlds, first = 50, 2
	kits := make([]*bridgetest.Kit, worlds)
	for w := range kits {
		kits[w] = bridgetest.Start(t, bridgetest.Options{API: fmt.Sprintf("%s/w/%d", api, w), Network: "testnet"})
	}
	playAll := func(times int) uint64 {
		errs := make(chan error, worlds)
		for _, k := range kits {
			go func() { errs <- errors.Join(play(t.Context(), k, times), k.Reset()) }()
		}
		for range worlds {
			if err := <-errs; err != nil {
				t.Error(err)
			}
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before, begun := playAll(first), time.Now()
	after := playAll(*each - first)
	t.Logf("%d calls of the wallet in %s; the heap has %d kB, after the first %d calls %d kB",
		worlds*(*each-first), time.Since(begun).Round(time.Millisecond), after>>10, worlds*first, before>>10)
	const log = 1_000 * 300 // bytes of the last requests that each world remembers
	if grown := int64(after) - int64(before); grown > worlds*log {
		t.Errorf("%d bytes more are in use", grown)
	}
}

// play pays a number of times, each time from the same snapshot.
func play(ctx context.Context, k *bridgetest.Kit, times int) error {
	if err := k.Chain.Snapshot("begin"); err != nil {
		return err
	}
	first := ""
	for range times {
		k.Expect("stx_transferStx", rent).Approve()
		result, err := k.Request(ctx, "stx_transferStx", rent)
		if err != nil {
			return err
		}
		if first == "" {
			first = string(result)
		}
		if string(result) != first {
			return fmt.Errorf("another transaction: %s, %s", result, first)
		}
		if _, err := k.NextCall(ctx, "stx_transferStx"); err != nil {
			return err
		}
		if err := k.Chain.Revert("begin"); err != nil {
			return err
		}
	}
	return nil
}
