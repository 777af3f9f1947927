package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/command/cli"
	"chainscope/tui/nav"
	"chainscope/tui/text"
)

// Run returns Main with a context that ends as the first SIGINT or SIGTERM would
// end the command.
func Run(ctx context.Context, args []string, streams cli.Streams) int {
	return execute(ctx, &cli.App{Streams: streams}, args)
}

// run runs the program in this process, with an empty environment and home.
func run(t *testing.T, ctx context.Context, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	return runAsleep(t, ctx, func() {}, args...)
}

// runAsleep returns run, and does something in place of each wait.
func runAsleep(t *testing.T, ctx context.Context, asleep func(), args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	none := filepath.Join(t.TempDir(), "config.toml")
	streams := cli.Streams{
		In: strings.NewReader(""), Out: &out, Err: &errs,
		Env: func(name string) (string, bool) {
			if name == "CHAINSCOPE_STATE_DIR" {
				return filepath.Dir(none), true
			}
			return "", false
		},
		Sleep: func(ctx context.Context, _ time.Duration) error {
			asleep()
			return ctx.Err()
		},
	}
	code = Run(ctx, args, streams)
	return code, out.String(), errs.String()
}

// answering returns an API that gives one answer to everything.
func answering(t *testing.T, handle http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(handle)
	t.Cleanup(server.Close)
	return server.URL
}

func jsonAnswer(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

const fullToken = `{"tx_id":"0x12","sender_address":"SP1","asset_identifier":"SP1.a::b", "name":"A \u0026 B<>","unknown":{"deep":[1.50,1e3,null]}}`

func TestJSONIsTheExactAnswerOfTheAPI(t *testing.T) {
	api := answering(t, func(w http.ResponseWriter, _ *http.Request) { jsonAnswer(w, 200, fullToken) })
	code, stdout, stderr := run(t, t.Context(), "ft", "SP000000000000000000002Q6VF78.pox", "-o", "json", "--api", api)
	if code != 0 || stdout != fullToken+"\n" || stderr != "" {
		t.Errorf("exit %d, stdout %q, stderr %q", code, stdout, stderr)
	}
}

func TestWaitPollsUntilTheTokenIsReady(t *testing.T) {
	var requested atomic.Int32
	api := answering(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !strings.HasPrefix(r.URL.Path, "/metadata/"): // the owner, whom the contract is called for
			jsonAnswer(w, 200, `{"okay":true,"result":"0x0709"}`)
		case requested.Add(1) < 4:
			jsonAnswer(w, 422, `{"error":"Token metadata fetch in progress"}`)
		default:
			jsonAnswer(w, 200, `{"token_uri":"ipfs://x"}`)
		}
	})
	code, stdout, _ := run(t, t.Context(), "nft", "SP000000000000000000002Q6VF78.pox", "1", "--wait", "--api", api)
	if code != 0 || requested.Load() != 4 || !strings.Contains(stdout, "ipfs://x") {
		t.Errorf("exit %d after %d requests: %s", code, requested.Load(), stdout)
	}
}

func TestWaitGivesUpOnAnyOtherError(t *testing.T) {
	api := answering(t, func(w http.ResponseWriter, _ *http.Request) {
		jsonAnswer(w, 422, `{"error":"Token error","message":"\u001b[31mred\u202e"}`)
	})
	code, stdout, stderr := run(t, t.Context(), "ft", "SP000000000000000000002Q6VF78.pox", "--wait", "--api", api)
	if code != 5 || stdout != "" || text.Line(strings.TrimSuffix(stderr, "\n")) != strings.TrimSuffix(stderr, "\n") {
		t.Errorf("exit %d, stdout %q, stderr %q", code, stdout, stderr)
	}
}

func TestAllThatFailsMidwayPrintsNothing(t *testing.T) {
	page := make([]string, 100)
	for i := range page {
		page[i] = fmt.Sprintf("name%d.btc", i)
	}
	body, _ := json.Marshal(page)
	api := answering(t, func(w http.ResponseWriter, r *http.Request) {
		if n := r.URL.Query().Get("page"); n != "" && n != "0" && n != "1" {
			jsonAnswer(w, 500, `{"error":"broken"}`)
			return
		}
		jsonAnswer(w, 200, string(body))
	})
	code, stdout, stderr := run(t, t.Context(), "names", "btc", "--all", "-o", "json", "--api", api)
	if code != 5 || stdout != "" || !strings.Contains(stderr, `"kind":"server"`) {
		t.Errorf("exit %d, stdout of %d bytes, stderr %q", code, len(stdout), stderr)
	}
}

func TestAnInterruptedCommandIsCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	hold := make(chan struct{})
	api := answering(t, func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		select {
		case <-r.Context().Done():
		case <-hold:
		}
	})
	defer close(hold)
	code, stdout, stderr := run(t, ctx, "blocks", "-o", "json", "--api", api)
	if want := `{"error":{"kind":"canceled","message":"canceled"}}` + "\n"; code != 130 || stdout != "" || stderr != want {
		t.Errorf("exit %d, stdout %q, stderr %q", code, stdout, stderr)
	}
}

func TestHeadersOfTheUserAreSent(t *testing.T) {
	var got string
	api := answering(t, func(w http.ResponseWriter, r *http.Request) {
		got = r.Header.Get("X-Api-Key")
		jsonAnswer(w, 200, fullToken)
	})
	if code, _, stderr := run(t, t.Context(), "ft", "SP000000000000000000002Q6VF78.pox", "--api", api, "--header", "x-api-key: k: v"); code != 0 || got != "k: v" {
		t.Errorf("exit %d, header %q, %s", code, got, stderr)
	}
}

// firstLine gives what is written up to a newline, and keeps the rest.
type firstLine struct {
	line chan string
	text bytes.Buffer
}

func (f *firstLine) Write(p []byte) (int, error) {
	before := strings.Contains(f.text.String(), "\n")
	f.text.Write(p)
	if first, _, ok := strings.Cut(f.text.String(), "\n"); ok && !before {
		f.line <- first
	}
	return len(p), nil
}

func TestTheMockSaysWhereItListensAndEndsCleanly(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	out := &firstLine{line: make(chan string, 1)}
	var errs bytes.Buffer
	code := make(chan int, 1)
	go func() {
		code <- Run(ctx, []string{"mock", "--addr", "127.0.0.1:0", "--seed", "7", "--freeze", "2026-01-01T00:00:00Z"},
			cli.Streams{In: strings.NewReader(""), Out: out, Err: &errs, Env: func(string) (string, bool) { return "", false }})
	}()
	line := <-out.line
	address, ok := strings.CutPrefix(line, "mock API listening on ")
	if !ok || !strings.HasPrefix(address, "http://127.0.0.1:") {
		t.Fatalf("first line %q", line)
	}
	answer, err := http.Get(address + "/extended/v1/block?limit=1")
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	if err != nil || answer.StatusCode != 200 || answer.Header.Get("X-Mock-Seed") != "7" || !bytes.Contains(body, []byte(`"height":1000000`)) {
		t.Errorf("%v %d %s", err, answer.StatusCode, body)
	}
	cancel()
	if c := <-code; c != 0 || out.text.String() != line+"\n" || errs.Len() > 0 {
		t.Errorf("exit %d, stdout %q, stderr %q", c, out.text.String(), errs.String())
	}
}

func TestAPortInUseIsAClearError(t *testing.T) {
	api := answering(t, func(http.ResponseWriter, *http.Request) {})
	code, _, stderr := run(t, t.Context(), "mock", "--addr", strings.TrimPrefix(api, "http://"))
	if code != 1 || !strings.Contains(stderr, "in use") {
		t.Errorf("exit %d, stderr %q", code, stderr)
	}
}

func TestEveryKindHasItsExitCode(t *testing.T) {
	want := map[cli.Kind]int{
		cli.KindUnexpected: 1, cli.KindUsage: 2, cli.KindInvalidInput: 2, cli.KindNotFound: 3, cli.KindInProgress: 4, cli.KindTokenError: 5, cli.KindGone: 5,
		cli.KindRateLimited: 5, cli.KindServer: 5, cli.KindDecode: 5, cli.KindOffline: 6, cli.KindTimeout: 6, cli.KindWallet: 7, cli.KindCanceled: 130,
	}
	for kind, code := range want {
		if got := kind.ExitCode(); got != code {
			t.Errorf("%s exits %d, want %d", kind, got, code)
		}
	}
	for _, kind := range []apiclient.Kind{
		apiclient.InvalidInput, apiclient.NotFound, apiclient.Gone, apiclient.InProgress, apiclient.TokenError, apiclient.RateLimited,
		apiclient.ServerFault, apiclient.Offline, apiclient.Timeout, apiclient.Decode, apiclient.Canceled,
	} {
		if _, known := want[cli.Kind(kind)]; !known {
			t.Errorf("the client's kind %s has no exit code", kind)
		}
	}
	if e := cli.AsError(errors.New("boom")); e.ExitCode() != 1 || e.Kind != cli.KindUnexpected {
		t.Errorf("an unknown error is %+v", e)
	}
}

func TestTheRecogniserAndTheClientAgreeOnPrincipals(t *testing.T) {
	const address = "SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE"
	for _, s := range []string{
		address + ".a", address, address + ".", "." + address, address[:28] + ".a", address[:27] + ".a", address + "0.a", address + "00.a",
		strings.ToLower(address) + ".a", "I" + address[1:] + ".a", address + ".1", address + ".a-_9", address + "." + strings.Repeat("a", 40),
		address + "." + strings.Repeat("a", 41), address + ".é", "", address + ".a::b", address + ".a\n", "Ł" + address + ".a",
	} {
		if a, b := nav.CheckPrincipal(s), apiclient.CheckPrincipal(s); (a == nil) != (b == nil) {
			t.Errorf("%q: the recogniser says %v, the client %v", s, a, b)
		}
	}
}

func FuzzPlainJSON(f *testing.F) {
	f.Add(fullToken)
	f.Add("{\"a\":\"\u202e\u200b\U000e0041\u0085\x7f\"}")
	f.Add("\"\xff\"")
	f.Fuzz(func(t *testing.T, s string) {
		var before, after any
		if json.Unmarshal([]byte(s), &before) != nil {
			return
		}
		plain := cli.PlainJSON([]byte(s))
		if err := json.Unmarshal(plain, &after); err != nil || !reflect.DeepEqual(before, after) {
			t.Fatalf("%q became %q: %v", s, plain, err)
		}
		for _, r := range string(plain) {
			if r != '\n' && r != '\r' && r != '\t' && len(text.Hidden(string(r))) > 0 {
				t.Fatalf("%q became %q, which holds %q", s, plain, r)
			}
		}
	})
}
