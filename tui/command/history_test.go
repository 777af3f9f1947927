package command

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"chainscope/mockserver"
	"chainscope/tui/command/cli"
)

// ledgerOf is a server with the transfers of an account, which change before a page.
type ledgerOf struct {
	nonces []int // the newest first
	before func(page int, l *ledgerOf) (status int)
	total  func(int) int
	pages  int
	// retryAfter is the header of a refusal, "" for none.
	retryAfter string
	fork       string // ends the hashes of blocks from height 157 on
}

const historyOwner = "SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR"

func (l *ledgerOf) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	if !strings.Contains(r.URL.Path, "/transactions") {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	l.pages++
	l.retryAfter = "1"
	if l.before != nil {
		if status := l.before(l.pages, l); status != 0 {
			if l.retryAfter != "" {
				w.Header().Set("Retry-After", l.retryAfter)
			}
			w.WriteHeader(status)
			fmt.Fprint(w, `{"error":"not now"}`)
			return
		}
	}
	limit, offset := 20, 0
	_, _ = fmt.Sscan(r.URL.Query().Get("limit"), &limit)
	_, _ = fmt.Sscan(r.URL.Query().Get("offset"), &offset)
	from := min(offset, len(l.nonces))
	results := []any{}
	for _, n := range l.nonces[from:min(from+limit, len(l.nonces))] {
		results = append(results, map[string]any{"stx_sent": "0", "stx_received": "1", "tx": map[string]any{
			"tx_id": hashOf(fmt.Sprint(n)), "nonce": n, "tx_status": "success", "block_height": 100 + n, "block_hash": hashOf(l.block(n)), "tx_type": "token_transfer",
			"fee_rate": "180", "sender_address": "SP000000000000000000002Q6VF78", "token_transfer": map[string]any{"recipient_address": historyOwner, "amount": "1000000", "memo": "0x"},
		}})
	}
	total := len(l.nonces)
	if l.total != nil {
		total = l.total(total)
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"limit": limit, "offset": offset, "total": total, "results": results})
}

func (l *ledgerOf) block(n int) string {
	if n < 57 {
		return fmt.Sprint("block", n)
	}
	return fmt.Sprint("block", n, l.fork)
}

func (l *ledgerOf) fill(n int) *ledgerOf {
	for i := range n {
		l.nonces = slices.Insert(l.nonces, 0, i)
	}
	return l
}

// print runs account --transactions of the ledger, and returns the nonces of the rows of csv.
func (l *ledgerOf) print(t *testing.T, args ...string) (code int, nonces []string, stdout, stderr string, slept []time.Duration) {
	t.Helper()
	server := httptest.NewServer(l)
	defer server.Close()
	var out, errs bytes.Buffer
	code = Run(t.Context(), append([]string{"account", historyOwner, "--transactions", "--timeout", "3s", "--api", server.URL}, args...), cli.Streams{
		In: strings.NewReader(""), Out: &out, Err: &errs, Env: stateIn(t.TempDir()),
		Sleep: func(ctx context.Context, d time.Duration) error {
			slept = append(slept, d)
			if d <= time.Second { // a server that says when it takes requests again refuses them before
				time.Sleep(d)
			}
			return ctx.Err()
		},
	})
	return code, strings.Fields(out.String()), out.String(), errs.String(), slept
}

func TestAHistoryThatShiftsIsPrintedWholeAndOnce(t *testing.T) {
	for name, change := range map[string]func(l *ledgerOf){
		"rows came":    func(l *ledgerOf) { l.nonces = slices.Insert(l.nonces, 0, 203, 202, 201) },
		"many came":    func(l *ledgerOf) { l.fill2(300, 80) },
		"a row left":   func(l *ledgerOf) { l.nonces = l.nonces[1:] },
		"a reorg":      func(l *ledgerOf) { l.nonces = append([]int{300, 301}, l.nonces[2:]...) },
		"nothing came": func(*ledgerOf) {},
	} {
		l := &ledgerOf{before: func(page int, l *ledgerOf) int {
			if page == 2 {
				change(l)
			}
			return 0
		}}
		l.fill(120)
		always := slices.Clone(l.nonces)
		code, nonces, _, stderr, _ := l.print(t, "--all", "-o", "csv", "--fields", "nonce")
		seen := map[string]bool{}
		for _, n := range nonces[1:] {
			if seen[n] {
				t.Errorf("%s: %s is printed twice", name, n)
			}
			seen[n] = true
		}
		for _, n := range always {
			if slices.Contains(l.nonces, n) && !seen[fmt.Sprint(n)] {
				t.Errorf("%s: %d is missing, exit code %d: %s", name, n, code, stderr)
			}
		}
		if name == "a row left" != (code == 5) || name == "a row left" && !strings.Contains(stderr, "1 are not in it any more") {
			t.Errorf("%s: exit code %d: %s", name, code, stderr)
		}
	}
}

func (l *ledgerOf) fill2(from, n int) {
	for i := range n {
		l.nonces = slices.Insert(l.nonces, 0, from+i)
	}
}

func TestAHistoryIsReadToItsEndWhateverTheServerCounts(t *testing.T) {
	for _, total := range []int{0, 1, 50} {
		l := (&ledgerOf{total: func(int) int { return total }}).fill(120)
		if code, nonces, _, stderr, _ := l.print(t, "--all", "-o", "csv", "--fields", "nonce"); code != 0 || len(nonces) != 121 {
			t.Errorf("total %d: exit code %d, %d lines: %s", total, code, len(nonces), stderr)
		}
	}
	l := (&ledgerOf{}).fill(120)
	if code, nonces, _, stderr, _ := l.print(t, "--limit", "70", "-o", "csv", "--fields", "nonce"); code != 0 || len(nonces) != 71 {
		t.Errorf("exit code %d, %d lines: %s", code, len(nonces), stderr)
	}
}

// A server that limits requests is waited for as it says, one that is broken for a while too;
// nothing is printed twice after it.
func TestAHistoryWaitsForAServer(t *testing.T) {
	t.Parallel()
	for status, words := range map[int]string{429: "the server limits requests; reading continues in 1s", 503: "not now (status 503)"} {
		l := (&ledgerOf{before: func(page int, _ *ledgerOf) int {
			if page == 2 || status == 503 && page < 6 && page > 1 {
				return status
			}
			return 0
		}}).fill(120)
		// A request that may last as long as the server wants it to wait does so itself.
		code, nonces, _, stderr, slept := l.print(t, "--all", "-o", "csv", "--fields", "nonce", "--timeout", "900ms")
		if code != 0 || len(nonces) != 121 || !strings.Contains(stderr, words) || len(slept) == 0 || slept[0] != time.Second {
			t.Errorf("%d: exit code %d, %d lines, waited %v: %s", status, code, len(nonces), slept, stderr)
		}
	}
}

// What was printed can be gone on with: csv without a second header. Where nothing was
// printed nothing is said of it.
func TestAHistoryGoesOnBelowWhatWasPrinted(t *testing.T) {
	t.Parallel()
	broken := func(page int, _ *ledgerOf) int {
		if page > 1 {
			return 500
		}
		return 0
	}
	code, first, _, stderr, _ := (&ledgerOf{before: broken}).fill(120).print(t, "--all", "-o", "csv", "--fields", "nonce")
	_, after, found := strings.Cut(stderr, "to go on: --after ")
	if code != 5 || !found {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	after = strings.Fields(after)[0]
	code, rest, _, stderr, _ := (&ledgerOf{}).fill(120).print(t, "--all", "-o", "csv", "--fields", "nonce", "--after", after)
	all := append(first, rest...)
	if code != 0 || len(all) != 121 || len(slices.Compact(slices.Sorted(slices.Values(all)))) != 121 {
		t.Errorf("exit code %d, %d and %d lines: %s", code, len(first), len(rest), stderr)
	}
	for _, format := range []string{"json", "table"} {
		code, _, stdout, stderr, _ := (&ledgerOf{before: broken}).fill(120).print(t, "--all", "-o", format)
		if code != 5 || stdout != "" || strings.Contains(stderr, "to go on") {
			t.Errorf("%s: exit code %d, %q: %s", format, code, stdout, stderr)
		}
	}
}

// A server says how long to wait, and is not bothered before; one that is away is given that long
// too.
func TestAHistoryWaitsAsLongAsTheServerSays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status int
		after  string
		least  time.Duration
	}{{429, "7", 7 * time.Second}, {503, "4", 4 * time.Second}, {503, "", time.Second}} {
		l := (&ledgerOf{before: func(page int, l *ledgerOf) int {
			l.retryAfter = c.after
			if page == 2 || c.status == 503 && page < 8 && page > 1 {
				return c.status
			}
			return 0
		}}).fill(120)
		code, _, _, stderr, slept := l.print(t, "--all", "-o", "csv", "--fields", "nonce", "--timeout", "2s")
		if len(slept) == 0 || slept[0] < c.least || slept[0] > c.least+time.Second {
			t.Errorf("%d with Retry-After %q: exit code %d, waited %v: %s", c.status, c.after, code, slept, stderr)
		}
	}
}

// Where the metadata of a token does not say its decimals its contract does; where neither
// does, amounts are blank, named, and the exit code says so. No column has two units.
func TestAmountsOfATokenAreInOneUnitOrBlank(t *testing.T) {
	const account = "SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J"
	frozen := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	mock, err := mockserver.New(mockserver.Config{Seed: 1, Freeze: &frozen})
	if err != nil {
		t.Fatal(err)
	}
	defer mock.Close()
	amounts := func(change func(w http.ResponseWriter, path string) bool) (code int, rows []string, stderr string) {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !change(w, r.URL.Path) {
				mock.ServeHTTP(w, r)
			}
		}))
		defer server.Close()
		var out, errs bytes.Buffer
		code = Run(t.Context(), []string{"account", account, "--transactions", "--all", "--timeout", "3s", "--api", server.URL, "-o", "csv", "--fields", "asset,amount"}, cli.Streams{
			In: strings.NewReader(""), Out: &out, Err: &errs, Env: stateIn(t.TempDir()), Sleep: func(context.Context, time.Duration) error { return nil },
		})
		return code, strings.Split(strings.TrimSpace(out.String()), "\n"), errs.String()
	}
	answers := func(w http.ResponseWriter, status int, body string) bool {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		fmt.Fprint(w, body)
		return true
	}
	code, healthy, stderr := amounts(func(http.ResponseWriter, string) bool { return false })
	tokens := slices.DeleteFunc(slices.Clone(healthy), func(row string) bool { return !strings.Contains(row, "::") || strings.Contains(row, " ") })
	if code != 0 || len(tokens) == 0 {
		t.Fatalf("exit code %d, rows %v: %s", code, healthy, stderr)
	}
	for name, metadata := range map[string]func(w http.ResponseWriter) bool{
		"unknown": func(w http.ResponseWriter) bool { return answers(w, 404, `{"error":"Token not found"}`) },
		"in progress": func(w http.ResponseWriter) bool {
			return answers(w, 422, `{"error":"Token metadata fetch in progress"}`)
		},
		"without decimals": func(w http.ResponseWriter) bool {
			return answers(w, 200, `{"name":"x","symbol":"X","tx_id":"0x","sender_address":"SP","asset_identifier":"x"}`)
		},
	} {
		code, rows, stderr := amounts(func(w http.ResponseWriter, path string) bool {
			return strings.Contains(path, "/metadata/") && metadata(w)
		})
		if code != 0 || !slices.Equal(rows, healthy) {
			t.Errorf("%s, the contract tells: exit code %d, %v, want %v: %s", name, code, rows, healthy, stderr)
		}
		for silent, refuses := range map[string]string{"refuses": `{"okay":false,"cause":"NoSuchPublicFunction"}`, "answers no number": `{"okay":true,"result":"0x0703"}`, "answers nonsense": `{"okay":true,"result":"0x07010000000000000000000000000000ffff"}`} {
			code, rows, stderr = amounts(func(w http.ResponseWriter, path string) bool {
				switch {
				case strings.Contains(path, "/metadata/"):
					return metadata(w)
				case strings.HasSuffix(path, "/get-decimals"):
					return answers(w, 200, refuses)
				}
				return false
			})
			if code != 5 || len(rows) != len(healthy) {
				t.Errorf("%s, the contract %s: exit code %d, %d rows of %d: %s", name, silent, code, len(rows), len(healthy), stderr)
				continue
			}
			for i, row := range rows {
				asset, amount, _ := strings.Cut(healthy[i], ",")
				if slices.Contains(tokens, healthy[i]) {
					amount = ""
				}
				if row != asset+","+amount {
					t.Errorf("%s, the contract %s: row %q, want %q", name, silent, row, asset+","+amount)
				}
				if amount == "" && asset != "" && !strings.Contains(stderr, asset) {
					t.Errorf("%s, the contract %s: %s is not named: %s", name, silent, asset, stderr)
				}
			}
		}
	}
}
