package measure

import (
	"fmt"
	"math"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

const (
	blocksPath = "/extended/v1/block"
	newest30   = blocksPath + "?limit=30"
	// randomOffsets has wrk request 30 blocks anywhere in a million.
	randomOffsets = `request = function() return wrk.format("GET", "/extended/v1/block?limit=30&offset=" .. math.random(0, 990000)) end`
)

// mockRows are the paths that are loaded over 8 connections.
var mockRows = []struct {
	id, what string
	target   func(b *testing.B, s *httpServer) string
	script   string
}{
	{"M1 tip", "the newest 30 blocks", func(*testing.B, *httpServer) string { return newest30 }, ""},
	{"M1 random", "30 blocks anywhere in a million", func(*testing.B, *httpServer) string { return newest30 }, randomOffsets},
	{"M1 limit", "the newest 7 blocks from the 100th", func(*testing.B, *httpServer) string { return blocksPath + "?limit=7&offset=100" }, ""},
	{"M1 burn", "30 blocks of a burn block", func(b *testing.B, s *httpServer) string {
		return fmt.Sprintf("/extended/v2/burn-blocks/%d/blocks?limit=30", s.burnBlock(b))
	}, ""},
	{"M1 names", "100 names", func(*testing.B, *httpServer) string { return "/v1/namespaces/btc/names?page=77" }, ""},
	{"M2 block", "a block by burn height", func(b *testing.B, s *httpServer) string { return s.blockPath(b) }, ""},
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
				ID: "M2 alone", What: "a block over one connection, p50",
				Ours: fmt.Sprintf("%.0f us", one[0].p50()), Reference: fmt.Sprintf("%.0f us bare handler", one[1].p50()),
				Ratio: fmt.Sprintf("%.2f", ratio),
			})
		}
		bare.stop()
		report(b, figure{
			ID: row.id, What: row.what + ", requests a second",
			Ours: perSecond(both[0].rate()), Reference: perSecond(both[1].rate()) + " bare handler",
			Ratio: fmt.Sprintf("%.2f", both[0].over(both[1])),
		})
	}
	reportCPU(b, "M3 page", "the newest 30 blocks", lists)
	reportCPU(b, "M3 block", "a block", blocks)
	kept := healthy.over(lists[0])
	report(b, figure{
		ID: "M5", What: "the newest 30 blocks with four fault rules on other paths", Goal: ">= 0.95 x without rules",
		Ours: perSecond(healthy.rate()), Reference: perSecond(lists[0].rate()) + " no rules",
		Ratio: fmt.Sprintf("%.2f", kept), Met: kept >= 0.95,
	})
	loaded := ours.memory()
	faulted.stop()

	startPrism(b, page, block).stop() // the first start reads its files from the disk
	var prismStarts []float64
	prism := startPrism(b, page, block)
	for range 2 {
		prismStarts = append(prismStarts, prism.ready.Seconds())
		prism.stop()
		prism = startPrism(b, page, block)
	}
	prismStart := time.Duration(quantile(append(prismStarts, prism.ready.Seconds()), 0.5) * float64(time.Second))
	prismIdle := prism.memory()
	wrk.reportPeer("prism", "M1 prism", "the newest 30 blocks", newest30, prism, ours, 1)
	wrk.reportPeer("prism", "M2 prism", "a block by burn height", ours.blockPath(b), prism, ours, 8)
	prism.stop()
	mockoon := startMockoon(b, page, block)
	wrk.reportPeer("Mockoon", "M1 Mockoon", "the newest 30 blocks", newest30, mockoon, ours, 1)
	mockoon.stop()
	ours.stop()
	reportStart(b, prismStart, prismIdle, loaded)
}

func perSecond(n float64) string { return fmt.Sprintf("%.0f/s", n) }
func mebibytes(n float64) string { return fmt.Sprintf("%.1f MiB", n/(1<<20)) }

func reportCPU(b *testing.B, id, what string, both [2]sample) {
	ours, bare := both[0].cpu(), both[1].cpu()
	report(b, figure{
		ID: id, What: "CPU for " + what,
		Ours: fmt.Sprintf("%.1f us", ours), Reference: fmt.Sprintf("%.1f us bare handler", bare),
		Ratio: fmt.Sprintf("%.2f", ours/bare),
	})
}

// reportPeer loads the mock and a peer in turns.
func (l loader) reportPeer(name, id, what, target string, s, mock *httpServer, times float64) {
	var warm, theirs, ours sample
	l.load(s, 8, target, "", &warm)
	l.inTurns(3, 8, target, "", map[*httpServer]*sample{s: &theirs, mock: &ours})
	ratio := ours.over(theirs)
	report(l.b, figure{
		ID: id, What: what + " beside " + name + ", requests a second", Goal: fmt.Sprintf(">= %.0f x %s", times, name),
		Ours: perSecond(ours.rate()), Peer: perSecond(theirs.rate()) + " " + name,
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
		ID: "M4 ready", What: "process start to the first answer, warm, p50 of 5 and of prism's 3", Goal: "<= 50 ms, <= 1/15 of prism",
		Ours: milliseconds(start), Peer: milliseconds(prism) + " prism", Ratio: fmt.Sprintf("1/%.0f", 1/ratio),
		Met: start <= 50*time.Millisecond && ratio <= 1.0/15,
	})
	report(b, figure{
		ID: "M4 idle", What: "memory after the first answer", Goal: "<= 30 MiB, <= 1/10 of prism",
		Ours: mebibytes(resting), Peer: mebibytes(prismIdle) + " prism", Ratio: fmt.Sprintf("1/%.0f", prismIdle/resting),
		Met: resting <= 30<<20 && resting <= prismIdle/10,
	})
	report(b, figure{
		ID: "M4 loaded", What: "memory after the load", Goal: "<= 2 x idle",
		Ours: mebibytes(loaded), Reference: mebibytes(resting) + " idle", Ratio: fmt.Sprintf("%.2f", loaded/resting),
		Met: loaded <= 2*resting,
	})
}

func milliseconds(d time.Duration) string { return fmt.Sprintf("%.1f ms", d.Seconds()*1000) }

// sample is what rounds of load on a server showed.
type sample struct {
	rates, p50s   []float64 // requests a second; us
	ticks, served float64   // CPU in 1/100 s, requests
}

func (s *sample) rate() float64 { return quantile(s.rates, 0.5) }
func (s *sample) p50() float64  { return quantile(s.p50s, 0.5) }

// over returns the rate as a multiple of another server's, the median of the rounds:
// what slows the machine down for a while slows both sides of a round.
func (s *sample) over(other sample) float64 {
	var ratios []float64
	for i := range s.rates {
		ratios = append(ratios, s.rates[i]/other.rates[i])
	}
	return quantile(ratios, 0.5)
}

// cpu returns the server's CPU time for a request, in us.
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
