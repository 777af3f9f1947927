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
	"sync"
	"testing"
	"time"

	"chainscope/tui/command/cli"
)

// stream is a server with a list of transactions that grows: nonces of one sender.
type stream struct {
	sync.Mutex // transactions are requested, and a channel for those that are pushed, at the same time
	nonces     int
	fail       bool
	hidden     int // those from 60 to below it are not listed
	grows      int // how many come after each request
}

func (s *stream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.Lock()
	defer s.Unlock()
	w.Header().Set("Content-Type", "application/json")
	limit, offset := 20, 0
	_, _ = fmt.Sscan(r.URL.Query().Get("limit"), &limit)
	_, _ = fmt.Sscan(r.URL.Query().Get("offset"), &offset)
	if s.fail && offset > 0 {
		w.WriteHeader(http.StatusInternalServerError)
		fmt.Fprint(w, `{"error":"broken"}`)
		return
	}
	results := []any{}
	for n := s.nonces - 1 - offset; n >= 0 && len(results) < limit; n-- {
		if n >= 60 && n < s.hidden {
			break
		}
		status := "success"
		if n%2 == 1 {
			status = "abort_by_response"
		}
		results = append(results, map[string]any{"tx_id": hashOf(fmt.Sprint(n)), "nonce": n, "tx_status": status, "block_height": 100 + n, "tx_type": "coinbase", "fee_rate": "0", "sender_address": "SP000000000000000000002Q6VF78"})
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"limit": limit, "offset": offset, "total": s.nonces, "results": results})
	s.nonces += s.grows
}

// follow runs txs --follow on the stream, which a step changes before each further request, until
// no step is left.
func (s *stream) follow(t *testing.T, steps []func(), args ...string) (out, errs string, code int) {
	t.Helper()
	server := httptest.NewServer(s)
	defer server.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var stdout, stderr bytes.Buffer
	code = Run(ctx, append([]string{"txs", "--follow", "-o", "csv", "--fields", "nonce", "--api", server.URL}, args...), cli.Streams{
		In: strings.NewReader(""), Out: &stdout, Err: &stderr, Env: stateIn(t.TempDir()),
		Sleep: func(ctx context.Context, _ time.Duration) error {
			if len(steps) == 0 {
				cancel()
				return ctx.Err()
			}
			s.Lock()
			steps[0]()
			s.Unlock()
			steps = steps[1:]
			return nil
		},
	})
	return stdout.String(), stderr.String(), code
}

// What was there before the first page is not new, though the first page has more room than
// what was requested, and older ones come into it when newer ones leave the list.
func TestFollowPrintsNothingThatWasThereBefore(t *testing.T) {
	s := &stream{nonces: 200}
	steps := []func(){func() { s.nonces = 201 }, func() { s.nonces = 190 }, func() { s.nonces = 202 }}
	out, errs, _ := s.follow(t, steps, "--limit", "2")
	if want := "nonce\n198\n199\n200\n201\n"; out != want {
		t.Errorf("printed\n%swant\n%s%s", out, want, errs)
	}
}

// Each new transaction that matches is printed once, the oldest first, also when more came
// than a page has and a page failed meanwhile.
func TestFollowPrintsEachNewTransactionThatMatchesOnce(t *testing.T) {
	s := &stream{nonces: 4}
	steps := []func(){
		func() {}, func() { s.nonces = 7 }, func() { s.nonces, s.fail = 127, true }, func() { s.fail = false }, func() {},
	}
	out, errs, code := s.follow(t, steps, "--limit", "3", "--filter", "status:failed")
	if code != 130 {
		t.Errorf("exit code %d: %s", code, errs)
	}
	want := "nonce\n"
	for n := 1; n < 127; n += 2 { // of the newest three at first 1 and 3
		want += fmt.Sprintln(n)
	}
	if out != want {
		t.Errorf("printed\n%swant\n%s", out, want)
	}
	if !strings.Contains(errs, "trying again in 10s") {
		t.Errorf("stderr %q", errs)
	}
	for _, wrong := range [][]string{{"--block", "1"}, {"--limit", "51"}, {"--limit", "0"}, {"--filter", "colour:red"}} {
		if _, _, code := s.follow(t, nil, wrong...); code != 2 {
			t.Errorf("%v exits %d", wrong, code)
		}
	}
}

// What the list loses and what comes in its place is said, as blocks --follow says it.
func TestFollowSaysThatABlockOfTransactionsWasReplaced(t *testing.T) {
	l := (&ledgerOf{}).fill(60)
	server := httptest.NewServer(l)
	defer server.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var stdout, stderr bytes.Buffer
	steps := []func(){
		func() { l.fork = "b"; l.nonces = slices.Insert(l.nonces[3:], 0, 58, 57) },
		func() { l.nonces = slices.Insert(l.nonces, 0, 61) },
	}
	Run(ctx, []string{"txs", "--follow", "--of", historyOwner, "--limit", "1", "-o", "csv", "--fields", "nonce", "--api", server.URL}, cli.Streams{
		In: strings.NewReader(""), Out: &stdout, Err: &stderr, Env: stateIn(t.TempDir()),
		Sleep: func(ctx context.Context, _ time.Duration) error {
			if len(steps) == 0 {
				cancel()
				return ctx.Err()
			}
			steps[0]()
			steps = steps[1:]
			return nil
		},
	})
	if want := "nonce\n59\n57\n58\n61\n"; stdout.String() != want {
		t.Errorf("printed\n%swant\n%s", stdout.String(), want)
	}
	for _, want := range []string{
		"block 158 was replaced: " + hashOf("block58") + " by " + hashOf("block58b"),
		"in no block any more, as theirs was replaced: " + hashOf("59") + " of block 159",
	} {
		if strings.Count(stderr.String(), want) != 1 {
			t.Errorf("stderr has not once %q:\n%s", want, stderr.String())
		}
	}
}

// After an outage all that came meanwhile is printed, however many pages it fills.
func TestFollowPrintsAllThatCameDuringAnOutage(t *testing.T) {
	s := &stream{nonces: 4}
	out, errs, _ := s.follow(t, []func(){func() { s.nonces = 1500 }}, "--limit", "1")
	if got := strings.Count(out, "\n"); got != 1498 {
		t.Errorf("%d lines: %s", got, errs)
	}
}

// A list that is cut off below its newest rows is said not to reach back.
func TestFollowSaysWhatAListThatIsCutOffLeavesOut(t *testing.T) {
	s := &stream{nonces: 60}
	out, errs, _ := s.follow(t, []func(){func() { s.nonces, s.hidden = 900, 700 }}, "--limit", "1")
	if want := "transactions of the blocks 160 to 800 may have been left out"; !strings.Contains(errs, want) || !strings.HasPrefix(out, "nonce\n59\n700\n701\n") || strings.Contains(errs, "in no block") {
		t.Errorf("stderr has not %q:\n%s%.40s", want, errs, out)
	}
}
