package measure

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// httpServer is a server in a process group of its own.
type httpServer struct {
	cmd    *exec.Cmd
	origin string
	ready  time.Duration // from its start to the first 200
	burn   int64         // a settled burn block, once requested
	ended  chan struct{}
}

// startServer runs a server on a free loopback port, which stands for PORT in
// its arguments, until path answers 200.
func startServer(b *testing.B, path string, argv ...string) *httpServer {
	b.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	_ = l.Close()
	for i := range argv {
		argv[i] = strings.ReplaceAll(argv[i], "PORT", port)
	}
	home := b.TempDir()
	s := &httpServer{cmd: exec.Command(argv[0], argv[1:]...), origin: "http://127.0.0.1:" + port, ended: make(chan struct{})}
	s.cmd.Dir = home
	s.cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_STATE_HOME="+home, "NODE_ENV=production")
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	started := time.Now()
	if err := s.cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(s.stop)
	go func() { _ = s.cmd.Wait(); close(s.ended) }()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: longest}
	for {
		if answer, err := client.Get(s.origin + path); err == nil {
			_, _ = io.Copy(io.Discard, answer.Body)
			_ = answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				s.ready = time.Since(started)
				return s
			}
		}
		select {
		case <-s.ended:
			b.Fatalf("%v ended", argv)
		case <-time.After(time.Millisecond):
		}
		if time.Since(started) > longest {
			b.Fatalf("%v does not answer", argv)
		}
	}
}

// stop ends the server and whatever it started.
func (s *httpServer) stop() {
	_ = syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL)
	<-s.ended
}

func startMock(b *testing.B, flags ...string) *httpServer {
	b.Helper()
	return startServer(b, newest30, append([]string{program(b), "mock", "--addr", "127.0.0.1:PORT", "--seed", "1", "--freeze", "2026-01-01T00:00:00Z"}, flags...)...)
}

// startBare serves one body under the path of a target.
func startBare(b *testing.B, target string, body []byte) *httpServer {
	b.Helper()
	path, _, _ := strings.Cut(target, "?")
	return startServer(b, path, beside(b, "bare"), "127.0.0.1:PORT", path, writeTemp(b, "body.json", body))
}

// startPrism gives prism the contract as the mock publishes it, with the page
// and the block as examples.
func startPrism(b *testing.B, page, block []byte) *httpServer {
	b.Helper()
	text, err := os.ReadFile(filepath.Join(root, "mockserver", "api", "openapi.json"))
	if err != nil {
		b.Fatal(err)
	}
	var document map[string]any
	if err := json.Unmarshal(text, &document); err != nil {
		b.Fatal(err)
	}
	for path, example := range map[string][]byte{blocksPath: page, blocksPath + "/by_burn_block_height/{burn_block_height}": block} {
		at := document
		for _, key := range []string{"paths", path, "get", "responses", "200", "content", "application/json"} {
			at, _ = at[key].(map[string]any)
		}
		if at == nil {
			b.Fatalf("the document tells nothing about %s", path)
		}
		at["example"] = json.RawMessage(example)
	}
	file := writeTemp(b, "api.json", encoded(b, document))
	s := startServer(b, newest30, peer(b, "prism"), "mock", "-p", "PORT", "-h", "127.0.0.1", "-v", "silent", file)
	sameLength(b, "prism", s.get(b, newest30), page)
	return s
}

// startMockoon gives Mockoon the page and the block as literal bodies.
func startMockoon(b *testing.B, page, block []byte) *httpServer {
	b.Helper()
	type object = map[string]any
	var routes, order []object
	for i, r := range []struct {
		path string
		body []byte
	}{{blocksPath, page}, {blocksPath + "/by_burn_block_height/:height", block}} {
		id := fmt.Sprintf("00000000-0000-4000-8000-%012d", i+1)
		routes = append(routes, object{
			"uuid": id, "type": "http", "method": "get", "endpoint": r.path[1:], "documentation": "",
			"responses": []object{{
				"uuid": fmt.Sprintf("00000000-0000-4000-8000-%012d", i+101), "body": string(r.body), "bodyType": "INLINE",
				"statusCode": 200, "latency": 0, "label": "", "disableTemplating": true, "default": true,
				"headers": []object{{"key": "Content-Type", "value": "application/json"}}, "rules": []object{}, "rulesOperator": "OR",
			}},
		})
		order = append(order, object{"type": "route", "uuid": id})
	}
	file := writeTemp(b, "mockoon.json", encoded(b, object{
		"uuid": "00000000-0000-4000-8000-000000000000", "lastMigration": 33, "name": "blocks", "port": 3000, "hostname": "127.0.0.1",
		"routes": routes, "rootChildren": order, "folders": []object{}, "headers": []object{}, "data": []object{}, "callbacks": []object{},
	}))
	s := startServer(b, newest30, peer(b, "mockoon-cli"), "start", "-d", file, "-p", "PORT", "-l", "127.0.0.1", "-X", "--disable-admin-api", "--repair")
	sameLength(b, "Mockoon", s.get(b, newest30), page)
	return s
}

func encoded(b *testing.B, v any) []byte {
	b.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		b.Fatal(err)
	}
	return text
}

// sameLength holds that a peer is measured with the page of ours.
func sameLength(b *testing.B, name string, got, want []byte) {
	b.Helper()
	if len(got) != len(want) {
		b.Fatalf("%s answers %d bytes, want %d", name, len(got), len(want))
	}
}

func writeTemp(b *testing.B, name string, text []byte) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), name)
	if err := os.WriteFile(path, text, 0o600); err != nil {
		b.Fatal(err)
	}
	return path
}

func (s *httpServer) get(b *testing.B, target string) []byte {
	b.Helper()
	answer, err := http.Get(s.origin + target)
	if err != nil {
		b.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		b.Fatalf("%s: %s, %v", target, answer.Status, err)
	}
	return body
}

// burnBlock returns the height of a burn block below that of the tip, with 30
// blocks or more.
func (s *httpServer) burnBlock(b *testing.B) int64 {
	b.Helper()
	for offset := 0; s.burn == 0; offset += 30 {
		var page struct {
			Results []struct {
				Burn int64 `json:"burn_block_height"`
			}
		}
		if err := json.Unmarshal(s.get(b, fmt.Sprintf("%s&offset=%d", newest30, offset)), &page); err != nil {
			b.Fatal(err)
		}
		if first, last := page.Results[0].Burn, page.Results[29].Burn; offset > 0 && first == last {
			s.burn = first
		}
	}
	return s.burn
}

func (s *httpServer) blockPath(b *testing.B) string {
	b.Helper()
	return fmt.Sprintf("%s/by_burn_block_height/%d", blocksPath, s.burnBlock(b))
}

// processes returns the fields of /proc/PID/stat from the third on, of every
// process of the server.
func (s *httpServer) processes() (all [][]string) {
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		if fields[2] == strconv.Itoa(s.cmd.Process.Pid) {
			all = append(all, fields)
		}
	}
	return all
}

// spent returns the CPU time of the server so far, in hundredths of a second.
func (s *httpServer) spent() (ticks float64) {
	for _, fields := range s.processes() {
		for _, field := range fields[11:13] {
			n, _ := strconv.ParseFloat(field, 64)
			ticks += n
		}
	}
	return ticks
}

// memory returns the resident memory of the server, in bytes.
func (s *httpServer) memory() (bytes float64) {
	for _, fields := range s.processes() {
		pages, _ := strconv.ParseFloat(fields[21], 64)
		bytes += pages * float64(os.Getpagesize())
	}
	return bytes
}
