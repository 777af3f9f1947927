package mockserver

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An old host of an API sends everybody to its new one. The answer is on the tape, and
// neither a client of the recording nor one of its replay is sent to the network.
func TestARecordingFollowsAnUpstreamThatMoved(t *testing.T) {
	live := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, name := range []string{"X-Api-Key", "Authorization", "Referer"} {
			if r.Header.Get(name) != "" {
				t.Errorf("%s was sent to another host", name)
			}
		}
		fmt.Fprint(w, `{"live":true}`)
	}))
	defer live.Close()
	old := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var to string
		path := strings.TrimPrefix(r.URL.Path, "/base")
		switch path {
		case "/slash":
			to = "/base/slash/" // a path, within the upstream
		case "/outside":
			to = "/elsewhere" // a path, out of the upstream's
		case "/round":
			to = "http://" + strings.Replace(r.Host, "127.0.0.1", "localhost", 1) + r.URL.Path
		default:
			to = live.URL + r.URL.RequestURI()
		}
		if r.URL.Path == "/elsewhere" {
			fmt.Fprint(w, `{"elsewhere":true}`)
			return
		}
		w.Header().Set("Location", to)
		w.WriteHeader(301)
	}))
	defer old.Close()
	dir := filepath.Join(t.TempDir(), "tape")
	recorder, _ := newServer(t, Config{Upstream: old.URL + "/base", Record: dir})
	key := []string{"X-Api-Key", secretKey, "Authorization", "Bearer " + secretKey}
	want := map[string]string{
		"/v2/info": "200  {\"live\":true}", "/slash": "301 /slash/ ", "/outside": "200  {\"elsewhere\":true}",
	}
	for target, want := range want {
		w := get(recorder, target, key...)
		if got := fmt.Sprint(w.Code, " ", w.Header().Get("Location"), " ", w.Body); got != want {
			t.Errorf("%s: %s, want %s", target, got, want)
		}
	}
	if w := get(recorder, "/round"); w.Code != 502 || !strings.Contains(w.Body.String(), "redirects") {
		t.Errorf("a redirect that never ends: %d %s", w.Code, w.Body)
	}
	replay, _ := newServer(t, Config{Replay: dir})
	for target, want := range want {
		w := get(replay, target)
		if got := fmt.Sprint(w.Code, " ", w.Header().Get("Location"), " ", w.Body); got != want {
			t.Errorf("replayed %s: %s, want %s", target, got, want)
		}
	}
}

// HEAD says how long the body would be, an answer in an encoding says so, and an
// estimate of a fee sends nothing.
func TestATapeKeepsTheLengthOfHeadTheEncodingAndTheEstimateOfAFee(t *testing.T) {
	live := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.Method {
		case http.MethodHead:
			w.Header().Set("Content-Length", "66")
		case http.MethodPost:
			body, err := io.ReadAll(r.Body)
			fmt.Fprintf(w, `{"asked":%q,"error":%t}`, body, err != nil)
		default:
			w.Header().Set("Content-Encoding", "deflate") // which nobody here undoes
			_, _ = w.Write([]byte("deflated"))
		}
	}))
	defer live.Close()
	dir := filepath.Join(t.TempDir(), "tape")
	recorder, _ := newServer(t, Config{Upstream: live.URL, Record: dir})
	for range 2 {
		if w := call(recorder, "HEAD", "/v2/info"); w.Code != 200 || w.Header().Get("Content-Length") != "66" {
			t.Errorf("HEAD: %d %v", w.Code, w.Header())
		}
		if w := get(recorder, "/v2/pox"); w.Header().Get("Content-Encoding") != "deflate" || w.Body.String() != "deflated" {
			t.Errorf("an encoding: %v %q", w.Header(), w.Body)
		}
		if w := post(recorder, "/v2/fees/transaction", "application/json", []byte(`{"transaction_payload":"00"}`)); w.Code != 200 || !strings.Contains(w.Body.String(), "transaction_payload") {
			t.Errorf("the estimate: %d %s", w.Code, w.Body)
		}
		recorder, _ = newServer(t, Config{Replay: dir})
	}
}

func TestAKeyOfTheMockIsForwardedUnlessTheClientHasOne(t *testing.T) {
	live := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `{"key":%q}`, r.Header.Values("X-Api-Key"))
	}))
	defer live.Close()
	s, _ := newServer(t, Config{Upstream: live.URL, Header: http.Header{"X-Api-Key": {"of the mock"}}})
	if w := get(s, "/v2/info"); w.Body.String() != `{"key":["of the mock"]}` {
		t.Error(w.Body)
	}
	if w := get(s, "/v2/info", "X-Api-Key", "of the client"); w.Body.String() != `{"key":["of the client"]}` {
		t.Error(w.Body)
	}
}

// Each place of a secret by itself: one that is removed must not hide another that stays.
func TestASecretInAnyOnePlaceIsNotOnTheTape(t *testing.T) {
	for place, c := range map[string]struct {
		query  string
		header []string
		own    http.Header
	}{
		"of the mock":   {own: http.Header{"X-Api-Key": {secretKey}}},
		"X-Api-Key":     {header: []string{"X-Api-Key", secretKey}},
		"Authorization": {header: []string{"Authorization", secretKey}},
		"Bearer":        {header: []string{"Authorization", "Bearer " + secretKey}},
		"api_key":       {query: "?api_key=" + secretKey},
		"apikey":        {query: "?ApiKey=" + secretKey},
		"token":         {query: "?token=" + secretKey},
		"access_token":  {query: "?page=1&access_token=" + secretKey},
	} {
		t.Run(place, func(t *testing.T) {
			live := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Link", "<https://a.example/?key="+secretKey+">")
				fmt.Fprintf(w, `{"key":%q}`, secretKey)
			}))
			defer live.Close()
			dir := filepath.Join(t.TempDir(), "tape")
			recorder, _ := newServer(t, Config{Upstream: live.URL, Record: dir, Header: c.own})
			if w := get(recorder, "/v2/info"+c.query, c.header...); w.Code != 200 {
				t.Fatal(w.Code)
			}
			files, err := filepath.Glob(filepath.Join(dir, "*"))
			if err != nil || len(files) != 1 {
				t.Fatal(files, err)
			}
			if text, err := os.ReadFile(files[0]); err != nil || strings.Contains(files[0]+string(text), secretKey) {
				t.Errorf("%s, %v", text, err)
			}
		})
	}
}
