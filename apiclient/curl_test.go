package apiclient

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheCopiedCommandPrintsTheBody(t *testing.T) {
	const etag = `"0x1"`
	body := blocksPage(t, 3)
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", etag)
		if r.Header.Get("If-None-Match") == etag || r.Header.Get("If-Modified-Since") != "" {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		answer(w, 200, body)
	}, func(o *Options) { o.Header = http.Header{"X-Odd": {"it's $HOME `id`"}} })
	var id uint64
	for range 2 {
		a, err := c.Blocks(t.Context(), rows(3, 0))
		if err != nil {
			t.Fatal(err)
		}
		id = a.ExchangeID
	}
	e, _ := c.Log().Get(id)
	if e.Status != http.StatusNotModified || e.RequestHeader.Get("If-None-Match") != etag {
		t.Fatalf("the second request was not conditional: %+v", e)
	}
	e.RequestHeader = e.RequestHeader.Clone()
	e.RequestHeader.Set("If-Modified-Since", "Thu, 01 Jan 2026 00:00:00 GMT")

	// A directory in which this program is called curl.
	here, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := os.Symlink(here, filepath.Join(bin, "curl")); err != nil {
		t.Fatal(err)
	}
	sh := exec.CommandContext(t.Context(), "sh", "-c", e.Curl())
	sh.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), asCurl+"=1")
	out, err := sh.Output()
	if err != nil || string(out) != body {
		t.Errorf("%s prints %q, %v", e.Curl(), out, err)
	}
}

// asCurl, in the environment, makes this program do what curl does with the
// options that Exchange.Curl writes, so that the test needs no curl.
const asCurl = "CHAINSCOPE_TEST_CURL"

func beCurl() bool {
	if os.Getenv(asCurl) == "" || filepath.Base(os.Args[0]) != "curl" {
		return false
	}
	req := &http.Request{Method: http.MethodGet, Header: http.Header{}}
	for args := os.Args[1:]; len(args) > 0; args = args[1:] {
		switch args[0] {
		case "-H":
			name, value, _ := strings.Cut(args[1], ": ")
			req.Header.Add(name, value)
			args = args[1:]
		case "-X":
			req.Method = args[1]
			args = args[1:]
		default:
			to, err := http.NewRequest(req.Method, args[0], nil)
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(3)
			}
			req.URL = to.URL
		}
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(7)
	}
	defer resp.Body.Close()
	_, _ = io.Copy(os.Stdout, resp.Body)
	return true
}
