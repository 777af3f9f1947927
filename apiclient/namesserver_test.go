package apiclient

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// namesServer, in the environment, makes this program a server of names until
// its input ends: the time each answer takes, and the pages there are. What it
// costs is then not in the figures of a benchmark.
const namesServer = "CHAINSCOPE_TEST_NAMES_SERVER"

// serveBenchmarks returns the server's side; false when nobody requested one.
func serveBenchmarks() bool {
	delayed, pages, ok := strings.Cut(os.Getenv(namesServer), " ")
	if !ok {
		return false
	}
	delay, _ := time.ParseDuration(delayed)
	count, _ := strconv.Atoi(pages)
	bodies := make([]string, count)
	for i, page := range somePages(full(count)...) {
		b, _ := json.Marshal(page)
		bodies[i] = string(b)
	}
	var flying, most atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/most" {
			answer(w, 200, strconv.Itoa(int(most.Swap(0))))
			return
		}
		now := flying.Add(1)
		defer flying.Add(-1)
		for m := most.Load(); now > m && !most.CompareAndSwap(m, now); m = most.Load() {
		}
		time.Sleep(delay)
		page, _ := strconv.Atoi(r.URL.Query().Get("page"))
		if page > count {
			answer(w, 400, `{"error":"Invalid page"}`)
			return
		}
		answer(w, 200, bodies[max(page, 1)-1])
	}))
	defer s.Close()
	fmt.Println(s.URL)
	_, _ = io.Copy(io.Discard, os.Stdin)
	return true
}

// serveNames starts a server of so many pages, each answered after a delay.
func serveNames(b *testing.B, delay time.Duration, pages int) (url string) {
	b.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s %d", namesServer, delay, pages))
	stdin, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = stdin.Close()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	return strings.TrimSpace(line)
}
