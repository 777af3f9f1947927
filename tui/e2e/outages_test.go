//go:build unix && outages

package e2e

import (
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

const (
	// outageEvery is the time from one outage to the next, shorter in a short run.
	outageEvery = 2 * time.Minute
	// wholeWithin is how long after the server's return a screen may still be broken.
	wholeWithin = time.Minute
	// sampleEvery is the time between two samples of the memory.
	sampleEvery = 5 * time.Second
)

// looker is an explorer at a place, with a server of its own.
type looker struct {
	*terminal
	place  string
	sees   string
	front  *front
	memory []int // KiB, one a sample
}

// lookers are the places that are looked at, and what is to be seen there.
var lookers = []struct {
	place, at, keys, sees string
}{
	{"Blocks scrolled", "blocks", "\x04\x04\x04\x04\x04", "BLOCK HASH"},
	{"burn blocks", "burn-blocks", "jjj", "BURN BLOCK"},
	{"a token", "SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.harbor-dollar", "", "Harbor Dollar"},
	{"names --all", "names btc", "aa", "2,000 names, all of them"},
	{"home", "home", "", "txs per block"},
}

// broken are the words of a screen that is not whole.
var broken = regexp.MustCompile(`OFFLINE|stale|data of|again in|[Ll]oading|The server failed|No answer|Too many|cannot be read|Can't reach|Stopped after|unavailable|░{18}|○ 5`)

// limitedTail holds what the first line says while live tail keeps to the server's limit: what
// is shown is whole then.
var limitedTail = regexp.MustCompile(`limited, again in \S+`)

func (l *looker) whole() bool {
	screen := l.now()
	return strings.Contains(screen, l.sees) && !broken.MatchString(limitedTail.ReplaceAllString(screen, ""))
}

// recovery is the time that a screen took to be whole after an outage.
type recovery struct {
	kind, place string
	took        time.Duration
}

// TestOutages looks at five places while their servers go and come back at random, in
// six ways. A minute after each return every screen is whole, without a key; the
// requests keep to the server's limit; memory does not grow. It prints its figures.
//
//	go test -count=1 -v -tags outages -timeout 90m ./tui/e2e -run TestOutages -duration 1h
func TestOutages(t *testing.T) {
	seed := seedOfRun()
	t.Logf("-seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	mock := serve(t, "127.0.0.1:0", "--names", "2000")
	var all []*looker
	for _, at := range lookers {
		l := &looker{place: at.place, sees: at.sees, front: newFront(t, mock.Addr)}
		l.terminal = open(t, 120, 40, "--api", "http://"+l.front.addr, "--restore=false")
		l.shows("txs per block")
		l.goTo(at.at)
		for _, k := range at.keys {
			time.Sleep(500 * time.Millisecond)
			l.press(string(k))
		}
		all = append(all, l)
	}
	for _, l := range all {
		l.until(l.place+" is whole", func(string) bool { time.Sleep(50 * time.Millisecond); l.poke(); return l.whole() })
	}
	recovered := outagesOf(t, r, all)
	report(t, all, recovered)
	for _, l := range all {
		l.quit()
	}
}

// outagesOf lets the servers go and come back for as long as the flag says.
func outagesOf(t *testing.T, r *rand.Rand, all []*looker) []recovery {
	t.Helper()
	var recovered []recovery
	cycle := min(outageEvery, *soakTime/3)
	var deck []string
	for end := time.Now().Add(*soakTime); time.Now().Before(end); {
		if len(deck) == 0 {
			deck = slices.Clone(outageKinds)
			r.Shuffle(len(deck), func(i, j int) { deck[i], deck[j] = deck[j], deck[i] })
		}
		kind, next := deck[0], time.Now().Add(cycle)
		deck = deck[1:]
		lasts := cycle/8 + time.Duration(r.Int64N(int64(cycle)*3/8))
		for _, l := range all {
			l.front.goes(kind, r.IntN(2) == 0)
			if r.IntN(2) == 0 || l.sees == "Harbor Dollar" {
				l.press("r") // somebody looks again
			}
		}
		pass(t, all, lasts)
		for _, l := range all {
			l.front.comesBack()
		}
		recovered = append(recovered, recoveries(t, kind, all)...)
		t.Logf("%-22s %5s, whole after %s", kind, lasts.Round(time.Second), slowest(recovered[len(recovered)-len(all):]))
		if rest := time.Until(next); rest > 0 {
			pass(t, all, rest)
		}
	}
	return recovered
}

// pass lets time pass, and looks at the memory of each program.
func pass(t *testing.T, all []*looker, d time.Duration) {
	t.Helper()
	for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(min(sampleEvery, max(0, time.Until(end)))) {
		for _, l := range all {
			select {
			case <-l.exited:
				t.Fatalf("%s ended with %d: %s", l.place, l.code, l.stderr.String())
			default:
			}
			l.memory = append(l.memory, resident(l.cmd.Process.Pid))
		}
	}
}

// resident returns the memory of a process in KiB, 0 where the system does not say.
func resident(pid int) int {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(after(string(status), "VmRSS:"))
	if len(fields) == 0 {
		return 0
	}
	n, _ := strconv.Atoi(fields[0])
	return n
}

// recoveries waits until every screen is whole, and for who is late fails.
func recoveries(t *testing.T, kind string, all []*looker) []recovery {
	t.Helper()
	back, waiting := time.Now(), slices.Clone(all)
	var out []recovery
	for len(waiting) > 0 && time.Since(back) < wholeWithin {
		waiting = slices.DeleteFunc(waiting, func(l *looker) bool {
			whole := l.whole()
			if whole {
				out = append(out, recovery{kind, l.place, time.Since(back)})
			}
			return whole
		})
		time.Sleep(100 * time.Millisecond)
	}
	for _, l := range waiting {
		t.Errorf("%s after %s: not whole after %s:\n%s", l.place, kind, wholeWithin, l.now())
		out = append(out, recovery{kind, l.place, time.Since(back)})
	}
	return out
}

// slowest returns the longest of some recoveries.
func slowest(all []recovery) time.Duration {
	return slices.MaxFunc(all, func(a, b recovery) int { return int(a.took - b.took) }).took.Round(100 * time.Millisecond)
}

// report prints the figures, and fails where requests or memory went beyond their bounds.
func report(t *testing.T, all []*looker, recovered []recovery) {
	t.Helper()
	const row = "%-22s %8s %10s %10s"
	t.Logf(row, "outage", "screens", "median", "max")
	for _, kind := range outageKinds {
		of := slices.DeleteFunc(slices.Clone(recovered), func(r recovery) bool { return r.kind != kind })
		if len(of) > 0 {
			t.Logf(row, kind, strconv.Itoa(len(of)), median(of), slowest(of))
		}
	}
	t.Logf(row, "all", strconv.Itoa(len(recovered)), median(recovered), slowest(recovered))
	for _, l := range all {
		most, mean := l.front.busiest()
		t.Logf("%-16s requests a minute: most %d, mean %.1f, limit %d; beyond it %d", l.place, most, mean, frontLimit, l.front.over)
		if l.front.over > 0 {
			t.Errorf("%s: %d requests beyond the server's limit", l.place, l.front.over)
		}
		t.Logf("%-16s MiB: %s", l.place, curve(l.memory))
		checkFlat(t, l)
	}
}

func median(all []recovery) time.Duration {
	sorted := slices.Clone(all)
	slices.SortFunc(sorted, func(a, b recovery) int { return int(a.took - b.took) })
	return sorted[len(sorted)/2].took.Round(100 * time.Millisecond)
}

// curve returns the memory at twelve times, in MiB.
func curve(kib []int) string {
	var out []string
	for i := range min(12, len(kib)) {
		out = append(out, fmt.Sprint(kib[i*len(kib)/12]>>10))
	}
	return strings.Join(out, " ")
}

// checkFlat compares the last quarter with the second one: what grows with each outage
// or each minute shows there.
func checkFlat(t *testing.T, l *looker) {
	t.Helper()
	quarter := len(l.memory) / 4
	if quarter == 0 || *soakTime < 10*time.Minute {
		return // a start is no measure
	}
	mean := func(kib []int) int {
		sum := 0
		for _, k := range kib {
			sum += k
		}
		return sum / len(kib)
	}
	before, now := mean(l.memory[quarter:2*quarter]), mean(l.memory[3*quarter:])
	if now > before*5/4+8<<10 {
		t.Errorf("%s: memory grew from %d to %d MiB", l.place, before>>10, now>>10)
	}
}
