package command

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"chainscope/mockserver"
)

// afterSunset serves a mock on which the routes that begin with one of gone answer 410.
func afterSunset(t *testing.T, gone ...string) string {
	t.Helper()
	mock, err := mockserver.New(mockserver.Config{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, prefix := range gone {
			if strings.HasPrefix(r.URL.Path, prefix) {
				w.Header().Set("Content-Type", "application/json; charset=utf-8")
				w.WriteHeader(http.StatusGone)
				_, _ = w.Write([]byte(`{"error":"Gone","message":"This endpoint has been disabled."}`))
				return
			}
		}
		mock.ServeHTTP(w, r)
	}))
	t.Cleanup(func() { server.Close(); _ = mock.Close() })
	return server.URL
}

// checked is the JSON of check, whose keys are part of the command line.
type checked struct {
	URL    string `json:"url"`
	Routes []struct {
		Route, State string
		Status       int
		Findings     []struct{ Severity, Request, Where, What string }
	} `json:"routes"`
	Against     string            `json:"against"`
	Differences []json.RawMessage `json:"differences"`
}

func TestCheckExitsByWhatIsServed(t *testing.T) {
	for name, c := range map[string]struct {
		gone []string
		code int
	}{
		"everything": {nil, 0}, "blocks are gone": {[]string{"/extended/v1/block"}, 1},
	} {
		url := afterSunset(t, c.gone...)
		code, stdout, stderr := run(t, t.Context(), "check", url, "-o", "json")
		var got checked
		if err := json.Unmarshal([]byte(stdout), &got); code != c.code || err != nil || got.URL != url || len(got.Routes) != 8 {
			t.Errorf("%s: exit %d, %v\n%s%s", name, code, err, stdout, stderr)
		}
		for _, r := range got.Routes {
			gone := c.gone != nil && strings.HasPrefix(r.Route, "/extended/v1/block")
			// API 9 refuses a page that is no number without a word.
			wordless := r.Route == "/v1/namespaces/{tld}/names"
			if (r.State == "gone") != gone || gone != (r.Status == 410) || (gone || wordless) != (len(r.Findings) == 1) || r.Findings == nil {
				t.Errorf("%s: %+v", name, r)
			}
		}
		if got.Differences != nil || strings.Contains(stderr, `"kind":"unexpected"`) != (code == 1) {
			t.Errorf("%s: %v, %s", name, got.Differences, stderr)
		}
	}
}

func TestCheckComparesWithAnotherServerAndARecording(t *testing.T) {
	t.Parallel()
	sunset, whole := afterSunset(t, "/extended/v1/block"), afterSunset(t)
	for against, want := range map[string]string{
		whole:                                   "here gone, there deprecated",
		"mock":                                  "here gone, there deprecated",
		"../../mockserver/testdata/tape-epoch3": "here gone, there deprecated",
	} {
		code, stdout, stderr := run(t, t.Context(), "check", sunset, "--against", against)
		if code != 1 || !strings.Contains(stdout, want) || !strings.Contains(stdout, "compared with "+against+": ") {
			t.Errorf("%s: exit %d\n%s%s", against, code, stdout, stderr)
		}
	}
	if code, stdout, stderr := run(t, t.Context(), "check", whole, "--against", "mock"); code != 0 || !strings.Contains(stdout, ": 0 differences") {
		t.Errorf("exit %d\n%s%s", code, stdout, stderr)
	}
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{2, `--against: "nowhere" is neither mock, a URL nor a folder`, []string{whole, "--against", "nowhere"}},
		{2, "holds no recorded answer", []string{whole, "--against", t.TempDir()}},
		{2, `unknown API "ftp://x"`, []string{"ftp://x"}},
		{6, "connection refused", []string{"http://127.0.0.1:1"}},
		{6, "connection refused", []string{whole, "--against", "http://127.0.0.1:1"}},
	} {
		if code, _, stderr := run(t, t.Context(), append([]string{"check"}, c.args...)...); code != c.code || !strings.Contains(stderr, c.says) {
			t.Errorf("%q: exit %d: %s", c.args, code, stderr)
		}
	}
}

func TestCheckSaysWhyAServerIsUnavailable(t *testing.T) {
	requested := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requested++
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = w.Write([]byte(`{"error":"Service Unavailable","message":"the database is away"}`))
	}))
	defer server.Close()
	code, stdout, stderr := run(t, t.Context(), "check", server.URL, "--timeout", "600ms")
	if code != 1 || strings.Count(stdout, "is refused with status 503: the database is away") < 8 {
		t.Errorf("exit %d\n%s%s", code, stdout, stderr)
	}
	if most := 17 + 3; requested > most {
		t.Errorf("%d requests to a server that is down, want at most %d", requested, most)
	}
}

func TestCheckNamesWhatItWasGiven(t *testing.T) {
	for _, url := range []string{"ftp://x", "127.0.0.1:99", "nowhere"} {
		code, _, errs := run(t, t.Context(), "check", url)
		if want := fmt.Sprintf("chainscope: check: unknown API %q; use mock, mainnet, testnet or a URL", url); code != 2 || !strings.HasPrefix(errs, want) {
			t.Errorf("%s: %d %s", url, code, errs)
		}
	}
}
