package measure

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

const (
	blocksPath = "/extended/v1/block"
	newest30   = blocksPath + "?limit=30"
	// randomOffsets has wrk ask for 30 blocks anywhere in a million.
	randomOffsets = `request = function() return wrk.format("GET", "/extended/v1/block?limit=30&offset=" .. math.random(0, 990000)) end`
)

// mockRows are the goals of a path: the share of a bare handler's requests a
// second, over 8 connections.
var mockRows = []struct {
	id, what string
	target   func(b *testing.B, s *httpServer) string
	script   string
	share    float64
}{
	{"M1 tip", "the newest 30 blocks", func(*testing.B, *httpServer) string { return newest30 }, "", 0.8},
	{"M1 random", "30 blocks anywhere in a million", func(*testing.B, *httpServer) string { return newest30 }, randomOffsets, 0.5},
	{"M1 limit", "the newest 7 blocks from the 100th", func(*testing.B, *httpServer) string { return blocksPath + "?limit=7&offset=100" }, "", 0.8},
	{"M1 burn", "30 blocks of a burn block", func(b *testing.B, s *httpServer) string {
		return fmt.Sprintf("/extended/v2/burn-blocks/%d/blocks?limit=30", s.burnBlock(b))
	}, "", 0.8},
	{"M1 names", "100 names", func(*testing.B, *httpServer) string { return "/v1/namespaces/btc/names?page=77" }, "", 0.8},
	{"M2 block", "a block by burn height", func(b *testing.B, s *httpServer) string { return s.blockPath(b) }, "", 0.8},
}

// BenchmarkMockServer loads the mock beside a handler of net/http that writes
// the same bodies, prebuilt, and beside the mock servers a user would take.
func BenchmarkMockServer(b *testing.B) {
	wrk := loader{b, peer(b, "wrk")}
	faults := []string{
		"--fault", "delay=2s,path=/metadata/*", "--fault", "status=404,rate=0.5,path=/v1/*",
		"--fault", "status=429,retry_after=1,path=/extended/v2/*", "--fault", "fault=truncate,path=/metadata/v1/nft/*",
	}
	ours, faulted := startMock(b), startMock(b, faults...)
	page, block := ours.get(b, newest30), ours.get(b, ours.blockPath(b))
	var lists, blocks [2]sample // ours and bare
	var healthy sample          // with fault rules
	for _, row := range mockRows {
		target := row.target(b, ours)
		bare := startBare(b, target, ours.get(b, target))
		both := [2]sample{}
		if row.id == "M1 tip" {
			wrk.inTurns(5, 8, target, "", map[*httpServer]*sample{ours: &both[0], bare: &both[1], faulted: &healthy})
			lists = both
		} else {
			wrk.inTurns(3, 8, target, row.script, map[*httpServer]*sample{ours: &both[0], bare: &both[1]})
		}
		if row.id == "M2 block" {
			blocks = both
			var one [2]sample
			wrk.inTurns(3, 1, target, "", map[*httpServer]*sample{ours: &one[0], bare: &one[1]})
			ratio := one[0].p50() / one[1].p50()
			report(b, figure{
				ID: "M2 alone", What: "a block over one connection, p50", Goal: "<= 1.2 x bare handler",
				Ours: fmt.Sprintf("%.0f us", one[0].p50()), Floor: fmt.Sprintf("%.0f us (bare handler)", one[1].p50()),
				Ratio: fmt.Sprintf("%.2f", ratio), Met: ratio <= 1.2,
			})
		}
		bare.stop()
		share := both[0].over(both[1])
		report(b, figure{
			ID: row.id, What: row.what + ", requests a second", Goal: fmt.Sprintf(">= %.1f x bare handler", row.share),
			Ours: perSecond(both[0].rate()), Floor: perSecond(both[1].rate()) + " (bare handler)",
			Ratio: fmt.Sprintf("%.2f", share), Met: share >= row.share,
		})
	}
	reportCPU(b, "M3 page", "the newest 30 blocks", lists)
	reportCPU(b, "M3 block", "a block", blocks)
	kept := healthy.over(lists[0])
	report(b, figure{
		ID: "M5", What: "the newest 30 blocks with four fault rules on other paths", Goal: ">= 0.95 x without rules",
		Ours: perSecond(healthy.rate()), Floor: perSecond(lists[0].rate()) + " (no rules)",
		Ratio: fmt.Sprintf("%.2f", kept), Met: kept >= 0.95,
	})
	loaded := ours.memory()
	faulted.stop()

	prism := startPrism(b, page, block)
	prismIdle := prism.memory()
	wrk.reportPeer("prism", "M1 prism", newest30, prism, ours, 12)
	wrk.reportPeer("prism", "M2 prism", ours.blockPath(b), prism, ours, 9)
	prism.stop()
	mockoon := startMockoon(b, page, block)
	wrk.reportPeer("Mockoon", "M1 Mockoon", newest30, mockoon, ours, 20)
	mockoon.stop()
	ours.stop()
	reportStart(b, prism.ready, prismIdle, loaded)
}

func perSecond(n float64) string { return fmt.Sprintf("%.0f/s", n) }
func mebibytes(n float64) string { return fmt.Sprintf("%.1f MiB", n/(1<<20)) }

func reportCPU(b *testing.B, id, what string, both [2]sample) {
	ours, bare := both[0].cpu(), both[1].cpu()
	report(b, figure{
		ID: id, What: "CPU for " + what, Goal: "<= 1.2 x bare handler",
		Ours: fmt.Sprintf("%.1f us", ours), Floor: fmt.Sprintf("%.1f us (bare handler)", bare),
		Ratio: fmt.Sprintf("%.2f", ours/bare), Met: ours <= 1.2*bare,
	})
}

// reportPeer loads ours and a peer in turns.
func (l loader) reportPeer(name, id, target string, s, mock *httpServer, times float64) {
	var warm, theirs, ours sample
	l.load(s, 8, target, "", &warm)
	l.inTurns(3, 8, target, "", map[*httpServer]*sample{s: &theirs, mock: &ours})
	ratio := ours.over(theirs)
	report(l.b, figure{
		ID: id, What: "the same beside " + name, Goal: fmt.Sprintf(">= %.0f x %s", times, name),
		Ours: perSecond(ours.rate()), Peer: perSecond(theirs.rate()) + " (" + name + ")",
		Ratio: fmt.Sprintf("%.1f", ratio), Met: ratio >= times,
	})
}

// reportStart takes the median of a few starts; loaded is the memory of the
// server that bore the load.
func reportStart(b *testing.B, prism time.Duration, prismIdle, loaded float64) {
	var ready, idle []float64
	for range 5 {
		s := startMock(b)
		ready = append(ready, s.ready.Seconds())
		idle = append(idle, s.memory())
		s.stop()
	}
	start, resting := time.Duration(quantile(ready, 0.5)*float64(time.Second)), quantile(idle, 0.5)
	ratio := start.Seconds() / prism.Seconds()
	report(b, figure{
		ID: "M4 ready", What: "process start to the first answer", Goal: "<= 50 ms, <= 1/15 of prism",
		Ours: milliseconds(start), Peer: milliseconds(prism) + " (prism)", Ratio: fmt.Sprintf("1/%.0f", 1/ratio),
		Met: start <= 50*time.Millisecond && ratio <= 1.0/15,
	})
	report(b, figure{
		ID: "M4 idle", What: "memory after the first answer", Goal: "<= 30 MiB, <= 1/10 of prism",
		Ours: mebibytes(resting), Peer: mebibytes(prismIdle) + " (prism)", Ratio: fmt.Sprintf("1/%.0f", prismIdle/resting),
		Met: resting <= 30<<20 && resting <= prismIdle/10,
	})
	report(b, figure{
		ID: "M4 loaded", What: "memory after the load", Goal: "<= 2 x idle",
		Ours: mebibytes(loaded), Floor: mebibytes(resting) + " (idle)", Ratio: fmt.Sprintf("%.2f", loaded/resting),
		Met: loaded <= 2*resting,
	})
}

func milliseconds(d time.Duration) string { return fmt.Sprintf("%.1f ms", d.Seconds()*1000) }

// httpServer is a server in a process group of its own.
type httpServer struct {
	cmd    *exec.Cmd
	origin string
	ready  time.Duration // from its start to the first 200
	burn   int64         // a settled burn block, once asked for
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
	bare := filepath.Join(now.dir, "bare")
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", bare, "./bare")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	path, _, _ := strings.Cut(target, "?")
	return startServer(b, path, bare, "127.0.0.1:PORT", path, writeTemp(b, "body.json", body))
}

// startPrism gives prism the contract as the mock publishes it, with the page
// and the block as examples.
func startPrism(b *testing.B, page, block []byte) *httpServer {
	b.Helper()
	text, err := os.ReadFile(filepath.Join(root, "mockserver", "openapi.json"))
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

// burnBlock is the height of a burn block below that of the tip, with 30
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

// processes are the fields of /proc/PID/stat from the third on, of every
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

// spent is the CPU time of the server so far, in hundredths of a second.
func (s *httpServer) spent() (ticks float64) {
	for _, fields := range s.processes() {
		for _, field := range fields[11:13] {
			n, _ := strconv.ParseFloat(field, 64)
			ticks += n
		}
	}
	return ticks
}

// memory is the resident memory of the server, in bytes.
func (s *httpServer) memory() (bytes float64) {
	for _, fields := range s.processes() {
		pages, _ := strconv.ParseFloat(fields[21], 64)
		bytes += pages * float64(os.Getpagesize())
	}
	return bytes
}

// sample is what rounds of load on a server showed.
type sample struct {
	rates, p50s   []float64 // requests a second; us
	ticks, served float64   // CPU in 1/100 s, requests
}

func (s *sample) rate() float64 { return quantile(s.rates, 0.5) }
func (s *sample) p50() float64  { return quantile(s.p50s, 0.5) }

// over is the rate as a multiple of another server's, the median of the rounds:
// what slows the machine down for a while slows both sides of a round.
func (s *sample) over(other sample) float64 {
	var ratios []float64
	for i := range s.rates {
		ratios = append(ratios, s.rates[i]/other.rates[i])
	}
	return quantile(ratios, 0.5)
}

// cpu is the server's CPU time for a request, in us.
func (s *sample) cpu() float64 { return s.ticks * 10_000 / max(s.served, 1) }

type loader struct {
	b   *testing.B
	wrk string
}

// inTurns loads the servers one after the other, a second each, in rounds.
func (l loader) inTurns(rounds, conns int, target, script string, servers map[*httpServer]*sample) {
	l.b.Helper()
	order := make([]*httpServer, 0, len(servers))
	for s := range servers {
		order = append(order, s)
	}
	slices.SortFunc(order, func(a, b *httpServer) int { return strings.Compare(a.origin, b.origin) })
	for range rounds {
		for _, s := range order {
			l.load(s, conns, target, script, servers[s])
		}
		slices.Reverse(order)
	}
}

var (
	wrkRate   = regexp.MustCompile(`Requests/sec: +([0-9.]+)`)
	wrkServed = regexp.MustCompile(`([0-9]+) requests in`)
	wrkMedian = regexp.MustCompile(` 50% +([0-9.]+)(us|ms|s)`)
)

// load runs wrk for a second.
func (l loader) load(s *httpServer, conns int, target, script string, into *sample) {
	l.b.Helper()
	args := []string{"-t1", fmt.Sprintf("-c%d", conns), "-d1s", "--latency"}
	if script != "" {
		args = append(args, "-s", writeTemp(l.b, "load.lua", []byte(script)))
	}
	before := s.spent()
	out, err := exec.Command(l.wrk, append(args, s.origin+target)...).CombinedOutput()
	into.ticks += s.spent() - before
	text := string(out)
	if err != nil || strings.Contains(text, "Non-2xx") || strings.Contains(text, "Socket errors") {
		l.b.Fatalf("wrk on %s: %v\n%s", target, err, text)
	}
	into.rates = append(into.rates, found(wrkRate, text))
	into.served += found(wrkServed, text)
	unit := map[string]float64{"us": 1, "ms": 1e3, "s": 1e6}[wrkMedian.FindStringSubmatch(text)[2]]
	into.p50s = append(into.p50s, found(wrkMedian, text)*unit)
}

func found(pattern *regexp.Regexp, text string) float64 {
	if m := pattern.FindStringSubmatch(text); m != nil {
		n, _ := strconv.ParseFloat(m[1], 64)
		return n
	}
	return math.NaN()
}
