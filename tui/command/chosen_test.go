package command

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"chainscope/mockserver"
	"chainscope/tui/internal/uitest"
)

// countedMock serves a version of the API at one time, and counts requests.
func countedMock(t *testing.T, version string) (address string, requests *atomic.Int64) {
	t.Helper()
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	mock, err := mockserver.New(mockserver.Config{Seed: 1, Freeze: &at, APIVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	requests = new(atomic.Int64)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		mock.ServeHTTP(w, r)
	}))
	t.Cleanup(func() { server.Close(); _ = mock.Close() })
	return server.URL, requests
}

// choice is what is typed, and which transactions that are.
type choice struct {
	flags string
	is    func(uitest.ListedTx) bool
	// ended says that a time ends the list, left what the API does not choose after the sunset.
	ended bool
	left  string
}

// choicesOf makes choices of which the list has some.
func choicesOf(t *testing.T, all []uitest.ListedTx) []choice {
	t.Helper()
	at := func(is func(uitest.ListedTx) bool) uitest.ListedTx {
		i := slices.IndexFunc(all, is)
		if i < 0 {
			t.Fatal("the list of the mock has none of a kind")
		}
		return all[i]
	}
	call := at(func(x uitest.ListedTx) bool {
		return x.Call.Function != "" && slices.ContainsFunc(all[:maxSearched], func(y uitest.ListedTx) bool {
			return y.Call.Contract == x.Call.Contract && y.Call.Function != x.Call.Function
		})
	})
	sent := at(func(x uitest.ListedTx) bool { return x.Transfer.To != "" })
	between := func(newest, oldest int) (string, func(uitest.ListedTx) bool) {
		since, until := all[oldest].Time, all[newest].Time
		utc := func(s int64) string { return time.Unix(s, 0).UTC().Format("2006-01-02T15:04:05") }
		return "--since " + utc(since) + " --until " + utc(until), func(x uitest.ListedTx) bool { return x.Time >= since && x.Time <= until }
	}
	times, in := between(100, 120)
	far, inFar := between(maxSearched+100, maxSearched+110)
	return []choice{
		{"--type contract_call", func(x uitest.ListedTx) bool { return x.Type == "contract_call" }, false, "type"},
		{"--type smart_contract,coinbase", func(x uitest.ListedTx) bool { return x.Type == "smart_contract" || x.Type == "coinbase" }, false, "type"},
		{"--from " + sent.Sender, func(x uitest.ListedTx) bool { return x.Sender == sent.Sender }, false, "from"},
		{"--to " + sent.Transfer.To, func(x uitest.ListedTx) bool { return x.Transfer.To == sent.Transfer.To }, false, "to"},
		{"--contract " + call.Call.Contract, func(x uitest.ListedTx) bool { return x.Call.Contract == call.Call.Contract }, false, "contract"},
		{"--function " + call.Call.Function + " --contract " + call.Call.Contract, func(x uitest.ListedTx) bool { return x.Call == call.Call }, false, "contract, function"},
		{times, in, true, "since, until"},
		{far, inFar, true, "since, until"},
		{times + " --type token_transfer", func(x uitest.ListedTx) bool { return in(x) && x.Type == "token_transfer" }, true, "since, until"},
	}
}

// What is chosen by flags is what the whole list of the chain has of it: chosen by the API where
// that can, else from a bounded number of rows, which is said.
func TestTransactionsAreChosenByFlagsOnEveryVersion(t *testing.T) {
	told, _ := countedMock(t, "8")
	all := uitest.ListedTxs(t, told+"/extended/v1/tx")
	for _, version := range []string{"8", "9", "sunset", "v3"} {
		api, requests := countedMock(t, version)
		for _, c := range choicesOf(t, all) {
			here := version == "sunset" || version == "v3" && c.left != "type"
			among := all
			if here && !c.ended {
				among = all[:maxSearched]
			}
			var want []string
			for _, x := range among {
				if c.is(x) && len(want) < 50 {
					want = append(want, x.ID)
				}
			}
			if len(want) == 0 {
				t.Errorf("%s: the mock has none", c.flags)
			}
			requests.Store(0)
			line := append([]string{"txs", "--limit", "50", "-o", "csv", "--fields", "id", "--api", api}, strings.Fields(c.flags)...)
			code, stdout, stderr := run(t, t.Context(), line...)
			if got := strings.Fields(stdout)[1:]; code != 0 || !slices.Equal(got, want) {
				t.Errorf("%s: txs %s: exit %d with %d rows, want %d: %s\n%s", version, c.flags, code, len(got), len(want), stderr, strings.Join(got[:min(3, len(got))], "\n"))
			}
			if most := map[bool]int64{true: 15, false: 2}[here]; requests.Load() > most {
				t.Errorf("%s: txs %s takes %d requests, want %d at most", version, c.flags, requests.Load(), most)
			}
			if says := strings.Contains(stderr, "does not choose by"); says != here || here && !strings.Contains(stderr, c.left) {
				t.Errorf("%s: txs %s says %q", version, c.flags, stderr)
			}
		}
	}
}

func TestAListSaysWhereItsRowsAreCounted(t *testing.T) {
	api, _ := countedMock(t, "8")
	all := uitest.ListedTxs(t, api+"/extended/v1/tx")
	calls := 0
	for _, x := range all {
		if x.Type == "contract_call" {
			calls++
		}
	}
	_, stdout, _ := run(t, t.Context(), "txs", "--type", "contract_call", "--limit", "2", "--api", api)
	if want := fmt.Sprintf("1 to 2 of %d on the chain\n", calls); !strings.HasSuffix(stdout, want) {
		t.Errorf("%q, want %q", stdout, want)
	}
	for _, c := range []struct{ version, flags, out, errs string }{
		// What was not looked up whole is not said to be missing.
		{"sunset", "--from SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7", "none of the 520 transactions that were read\n", "what is below them in the list was not searched"},
		{"8", "--from SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7", "no transactions\n", ""},
		{"sunset", "--limit 1 --type " + all[0].Type, "1 to 1; there may be more\n", "does not choose by type"},
		{"8", "--block 999999 --type poison_microblock", "no transactions\n", "does not choose by type"},
		{"8", "--of " + listedAccount + " --type contract_call --limit 3", "", "chosen from the"},
		{"8", "--mempool --type contract_call", "", "does not choose by type"},
		{"8", "--since 2d --until 2026-01-01", "on the chain\n", ""},
	} {
		api, _ := countedMock(t, c.version)
		code, stdout, stderr := run(t, t.Context(), append(strings.Fields("txs --api "+api), strings.Fields(c.flags)...)...)
		if code != 0 || !strings.HasSuffix(stdout, c.out) || !strings.Contains(stderr, c.errs) || c.errs == "" && strings.Contains(stderr, "choose") {
			t.Errorf("%s: txs %s: exit %d\n%s%s", c.version, c.flags, code, stdout, stderr)
		}
	}
}

// Pending ones are asked for by sender and by recipient.
func TestPendingTransactionsAreChosenByTheAPI(t *testing.T) {
	api, requests := countedMock(t, "9")
	for _, to := range []string{"SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7", "SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR"} {
		signedBy(t, "stx_transferStx", `{"amount":"1","recipient":"`+to+`"}`, "--approve", "always", "--api", api)
	}
	waiting := uitest.ListedTxs(t, api+"/extended/v1/tx/mempool")
	at := slices.IndexFunc(waiting, func(x uitest.ListedTx) bool { return x.Transfer.To != "" })
	if at < 0 {
		t.Fatal("no transfer waits")
	}
	for flag, of := range map[string]func(uitest.ListedTx) string{"from": func(x uitest.ListedTx) string { return x.Sender }, "to": func(x uitest.ListedTx) string { return x.Transfer.To }} {
		var want []string
		for _, x := range waiting {
			if of(x) == of(waiting[at]) {
				want = append(want, x.ID)
			}
		}
		requests.Store(0)
		_, stdout, stderr := run(t, t.Context(), "txs", "--mempool", "--"+flag, of(waiting[at]), "--api", api)
		for _, id := range want {
			if !strings.Contains(stdout, id) {
				t.Errorf("--%s lacks %s:\n%s", flag, id, stdout)
			}
		}
		if want := len(want); want != map[string]int{"from": 2, "to": 1}[flag] || !strings.HasSuffix(stdout, fmt.Sprintf("of %d in the mempool\n", want)) || strings.Contains(stderr, "choose") || requests.Load() > 2 {
			t.Errorf("--%s by %d requests:\n%s%s", flag, requests.Load(), stdout, stderr)
		}
	}
}

func TestWrongChoicesAreRefusedBeforeAnythingIsRead(t *testing.T) {
	for _, c := range []struct{ line, says string }{
		{"txs --type call", "contract_call"},
		{"txs --since yesterday", "want 90m, 12h, 2d"},
		{"txs --since 2026-03-02 --until 2026-03-01", "txs: until 2026-03-01 is before since 2026-03-02"},
		{"txs --until 2d --follow", "--follow or --until"},
		{"account " + listedAccount + " --since 2d", "go with --transactions"},
		{"account " + listedAccount + " --transactions --until 1x", "want 90m"},
	} {
		code, _, stderr := run(t, t.Context(), append(strings.Fields(c.line), "--api", "http://127.0.0.1:1")...)
		if code != 2 || !strings.Contains(stderr, c.says) {
			t.Errorf("%s: exit %d: %s", c.line, code, stderr)
		}
	}
}

// The history of an account is read down to a day, and no further.
func TestADateEndsTheHistoryOfAnAccount(t *testing.T) {
	for _, version := range []string{"8", "9", "sunset", "v3"} {
		api, requests := countedMock(t, version)
		rows := func(flags ...string) []string {
			t.Helper()
			code, stdout, stderr := run(t, t.Context(), append([]string{"account", listedAccount, "--transactions", "-o", "csv", "--fields", "time,tx_id", "--api", api}, flags...)...)
			if code != 0 {
				t.Fatalf("%s %v: exit %d: %s", version, flags, code, stderr)
			}
			return slices.Compact(strings.Fields(stdout))[1:]
		}
		all := rows("--all")
		before := requests.Swap(0)
		var want []string
		for _, row := range all {
			if day := row[:10]; day >= "2025-12-07" && day <= "2025-12-08" {
				want = append(want, row)
			}
		}
		if got := rows("--all", "--since", "2025-12-07", "--until", "2025-12-08"); !slices.Equal(got, want) || len(want) < 2 || len(want) == len(all) {
			t.Errorf("%s: %q, want %q", version, got, want)
		}
		if requests.Load() >= before {
			t.Errorf("%s: two days take %d requests, and all %d", version, requests.Load(), before)
		}
		if _, _, stderr := run(t, t.Context(), "account", listedAccount, "--transactions", "--since", "2025-12-07", "--limit", "1", "--api", api); !strings.Contains(stderr, "others of that time are not printed") {
			t.Errorf("%s: %s", version, stderr)
		}
	}
}
