package command

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"chainscope/apiclient"
	"chainscope/tui/keymap"
	"chainscope/tui/theme"
	"chainscope/tui/widget/placeholder"
)

// What a server does wrong is said in plain words on the command line, in its
// JSON and on a card of the explorer. HOST stands for the server's address.
func TestFailuresOfAServerAreSaidEverywhere(t *testing.T) {
	for _, tc := range []struct {
		name   string
		handle http.HandlerFunc
		secure bool
		within time.Duration // 0 is a second
		code   int
		text   string
		object string
		card   []string
		not    string
	}{
		{
			name: "a limit",
			handle: func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Retry-After", "300")
				jsonAnswer(w, 429, `{"error":"slow down"}`)
			},
			code: 5, text: "blocks: slow down (status 429); try again in 5 min (a longer --timeout waits for it)",
			object: `{"kind":"rate_limited","message":"blocks: slow down (status 429); try again in 5 min","status":429,"retry_after":300}`,
			card:   []string{"Too many requests", "“slow down”"},
		},
		{
			name: "a redirect to https",
			handle: func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, "https://"+r.Host+r.URL.Path, http.StatusMovedPermanently)
			},
			code: 2, text: "blocks: the server requires https; use https://HOST",
			object: `{"kind":"invalid_input","message":"blocks: the server requires https; use https://HOST"}`,
			card:   []string{"the server requires https; use https://HOST"},
		},
		{
			name: "a certificate that is not trusted", handle: http.NotFound, secure: true,
			code: 6, text: "blocks: the certificate of HOST is signed by an unknown authority; SSL_CERT_FILE names a file of further authorities",
			object: `{"kind":"offline","message":"blocks: the certificate of HOST is signed by an unknown authority; SSL_CERT_FILE names a file of further authorities"}`,
			card:   []string{"unknown authority; SSL_CERT_FILE"}, not: "x509",
		},
		{
			name: "a body cut short",
			handle: func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Length", "500")
				jsonAnswer(w, 200, `{"results":[`)
			},
			code: 6, text: "blocks: HOST closed the connection, after 6 attempts",
			object: `{"kind":"offline","message":"blocks: HOST closed the connection, after 6 attempts"}`,
			card:   []string{"Offline", "HOST closed the connection"}, not: "status 200",
		},
		{
			name: "a body without end",
			handle: func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				_, _ = w.Write([]byte(`{"results":["` + strings.Repeat("a", 9<<20)))
			},
			within: time.Minute, // the race detector reads 8 MiB slowly on a busy machine
			code:   5, text: "blocks: cannot decode the answer: it is larger than 8 MiB",
			object: `{"kind":"decode","message":"blocks: cannot decode the answer: it is larger than 8 MiB","status":200}`,
			card:   []string{"The answer is too large", "it is larger than 8 MiB"}, not: "what came",
		},
		{
			name:   "a retired route",
			handle: func(w http.ResponseWriter, _ *http.Request) { jsonAnswer(w, 410, `{"error":"Gone"}`) },
			code:   5, text: "blocks: Gone (status 410); the server has retired this route",
			object: `{"kind":"gone","message":"blocks: Gone (status 410); the server has retired this route","status":410}`,
			card:   []string{"This route is retired", "status 410"}, not: "Not found",
		},
		{
			name: "no HTTP",
			handle: func(w http.ResponseWriter, _ *http.Request) {
				conn, _, _ := w.(http.Hijacker).Hijack()
				_, _ = conn.Write([]byte("SSH-2.0-OpenSSH " + strings.Repeat("x", 5000) + "\r\n"))
				_ = conn.Close()
			},
			code: 5, text: "blocks: cannot decode the answer: HOST does not speak HTTP",
			object: `{"kind":"decode","message":"blocks: cannot decode the answer: HOST does not speak HTTP"}`,
			card:   []string{"The answer cannot be read", "HOST does not speak HTTP"}, not: "malformed",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			server := httptest.NewUnstartedServer(tc.handle)
			server.Config.ErrorLog = log.New(io.Discard, "", 0)
			if tc.secure {
				server.StartTLS()
			} else {
				server.Start()
			}
			defer server.Close()
			host := server.Listener.Addr().String()
			here := func(s string) string { return strings.ReplaceAll(s, "HOST", host) }

			within := cmp.Or(tc.within, time.Second)
			args := []string{"blocks", "--api", server.URL, "--timeout", within.String()}
			code, stdout, stderr := run(t, t.Context(), args...)
			if code != tc.code || stdout != "" || stderr != here("chainscope: "+tc.text+"\n") {
				t.Errorf("exit code %d: %q, want %d: %q", code, stderr, tc.code, here(tc.text))
			}
			_, _, stderr = run(t, t.Context(), append(args, "-o", "json")...)
			if want := here(`{"error":` + tc.object + "}\n"); stderr != want || !json.Valid([]byte(stderr)) {
				t.Errorf("got %s, want %s", stderr, want)
			}

			client, err := apiclient.New(apiclient.Options{BaseURL: server.URL, Timeout: within})
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			_, err = client.Blocks(t.Context(), apiclient.Page{})
			card := strings.Join(cardOf(t, err), "\n")
			for _, want := range tc.card {
				if !strings.Contains(card, here(want)) {
					t.Errorf("the card has no %q:\n%s", here(want), card)
				}
			}
			if tc.not != "" && strings.Contains(card, tc.not) {
				t.Errorf("the card says %q:\n%s", tc.not, card)
			}
		})
	}
}

func TestAServerThatIsNotThereIsSaidEverywhere(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	host := l.Addr().String()
	_ = l.Close()
	code, _, stderr := run(t, t.Context(), "blocks", "--api", "http://"+host, "--timeout", "1s")
	want := "chainscope: blocks: cannot reach " + host + ": connection refused, after 6 attempts\n" +
		"no server is there; chainscope mock starts one, and without --api a command has one of its own\n" +
		"try: chainscope mock --addr " + host + "\n"
	if code != 6 || stderr != want {
		t.Errorf("exit code %d: %q, want %q", code, stderr, want)
	}
	client, err := apiclient.New(apiclient.Options{BaseURL: "http://" + host, MaxAttempts: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	_, err = client.Blocks(t.Context(), apiclient.Page{})
	card := strings.Join(cardOf(t, err), "\n")
	if !strings.Contains(card, "cannot reach "+host+": connection refused") || strings.Contains(card, "dial tcp") {
		t.Error(card)
	}
	var e *apiclient.Error
	if x, _ := client.Log().Get(1); !errors.As(err, &e) || !strings.Contains(x.Err, "dial tcp") {
		t.Errorf("the exchange says %q", x.Err)
	}
}

func cardOf(t *testing.T, err error) []string {
	t.Helper()
	th, problem := theme.New("mono", theme.Options{Plain: true})
	if problem != nil {
		t.Fatal(problem)
	}
	return placeholder.Failure(th, keymap.Default(), "", err, time.Time{}, nil, time.Now(), 160, 20)
}
