package measure

import (
	"bufio"
	"flag"
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// frozen is a mock that shows the same chain on every run, and grows no block.
var frozen = []string{"--mock-seed", "1", "--mock-freeze", "2026-01-01T00:00:00Z"}

// The explorer and what it is measured beside, each with a text of its first frame.
func ours(b *testing.B, args ...string) setting {
	return setting{argv: append(append([]string{program(b)}, frozen...), args...)}
}

// blockList starts the explorer in its list of blocks.
func blockList(b *testing.B, args ...string) *session {
	b.Helper()
	s := start(b, ours(b, append(args, "--", "blocks")...))
	s.until("999,990")
	return s
}

func plain(b *testing.B) setting { return setting{argv: []string{beside(b, "plain")}} }

func floor(b *testing.B) setting { return setting{argv: []string{beside(b, "floor")}} }

// liveOff is the key that stops the live tail.
const liveOff = "R"

// served returns a mock server of the built binary on a free port.
func served(b *testing.B, args ...string) string {
	b.Helper()
	cmd := exec.Command(program(b), append([]string{"mock", "--addr", "127.0.0.1:0"}, args...)...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = cmd.Process.Signal(syscall.SIGTERM); _ = cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	for word := range strings.FieldsSeq(line) {
		if strings.HasPrefix(word, "http://") {
			return word
		}
	}
	b.Fatalf("the mock says no address: %q", line)
	return ""
}

// firsts starts programs in turn and gives, for each, the times to its text.
func firsts(b *testing.B, starts int, texts []string, settings ...setting) [][]float64 {
	b.Helper()
	times := make([][]float64, len(settings))
	for range starts {
		for i, o := range settings {
			s := start(b, o)
			times[i] = append(times[i], ms(s.until(texts[i])))
			s.kill()
		}
	}
	return times
}

// rounds presses keys in programs that run beside each other, in turn of rounds,
// so that what disturbs the machine disturbs all of them.
func rounds(sessions []*session, keys [][]string, n int) [][]frame {
	atOnce := min(n, 25)
	frames := make([][]frame, len(sessions))
	for len(frames[0]) < n {
		for i, s := range sessions {
			for k := range atOnce {
				frames[i] = append(frames[i], s.press(keys[i][k%len(keys[i])]))
			}
		}
	}
	return frames
}

func lasts(frames []frame) (times []float64, lost int) {
	for _, f := range frames {
		if !f.drawn() {
			lost++
			continue
		}
		times = append(times, ms(f.last))
	}
	return times, lost
}

func written(frames []frame) []float64 {
	var n []float64
	for _, f := range frames {
		n = append(n, float64(f.bytes))
	}
	return n
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(max(1, len(values)))
}

// at writes a figure with three digits, and whole thousands as they are.
func at(v float64, unit string) string {
	if v >= 1000 {
		return fmt.Sprintf("%.0f %s", v, unit)
	}
	return fmt.Sprintf("%.3g %s", v, unit)
}

func ratio(v float64) string { return fmt.Sprintf("%.2f", v) }

// BenchmarkT1FirstFrame starts programs in a terminal that answers what they ask,
// and in one that answers nothing.
func BenchmarkT1FirstFrame(b *testing.B) {
	const starts = 11
	o, silent := ours(b), ours(b)
	silent.mute = true
	// The frame without data names its tabs; the first block its height.
	t := firsts(b, starts, []string{"Tokens", "1,000,000", "Tokens", "READY", "READY"}, o, o, silent, plain(b), floor(b))
	mid := func(i int) float64 { return quantile(t[i], 0.5) }
	quietPlain := plain(b)
	quietPlain.mute = true
	mutePlain := firsts(b, 1, []string{"READY"}, quietPlain)[0][0]
	frame, block, mute, peer, least := mid(0), mid(1), mid(2), mid(3), mid(4)
	report(b, figure{
		ID: "T1", What: "first frame, not yet with data, beside the peer's with its list, p50 of 11 starts", Goal: "≤ 0.5 × plain bubbletea",
		Ours: at(frame, "ms"), Peer: at(peer, "ms plain bubbletea"), Reference: at(least, "ms raw"), Ratio: ratio(frame / peer), Met: frame <= 0.5*peer,
	})
	report(b, figure{
		ID: "T2", What: "first block on the screen beside the peer's first frame with its list, p50", Goal: "≤ 0.6 × plain bubbletea",
		Ours: at(block, "ms"), Peer: at(peer, "ms plain bubbletea"), Reference: at(least, "ms raw"), Ratio: ratio(block / peer), Met: block <= 0.6*peer,
	})
	report(b, figure{
		ID: "T2", What: "the same beside chainscope's first frame", Goal: "≤ first frame + 10 ms",
		Ours: at(block, "ms"), Reference: at(frame, "ms first frame"), Ratio: fmt.Sprintf("+%.1f ms", block-frame), Met: block <= frame+10,
	})
	report(b, figure{
		ID: "T7", What: "first frame, silent terminal, p50", Goal: "≤ 0.5 × plain bubbletea that is answered, ≤ 1.2 × answered",
		Ours: at(mute, "ms"), Peer: at(mutePlain, "ms plain bubbletea, 1 start") + " (answered: " + at(peer, "ms") + ")", Reference: at(least, "ms raw"),
		Ratio: fmt.Sprintf("%s; %s", ratio(mute/peer), ratio(mute/frame)), Met: mute <= 0.5*peer && mute <= 1.2*frame,
	})
}

// BenchmarkT3Key moves in the blocks and in the names, with their detail beside them:
// first within the first screenful, where nothing scrolls, then down from the bottom of
// it, where the list scrolls by a quarter of its height at every eighth move.
func BenchmarkT3Key(b *testing.B) {
	blocks := blockList(b)
	names := start(b, ours(b, "--", "podcast"))
	names.until("2,600")
	framework := start(b, plain(b))
	framework.until("READY")
	raw := start(b, floor(b))
	raw.until("READY")
	sessions := []*session{blocks, names, framework, raw}
	for _, s := range sessions {
		s.settle(300 * time.Millisecond)
	}
	still := []string{"j", "j", "j", "j", "j", "k", "k", "k", "k", "k"}
	reportMoves(b, "nothing scrolls", rounds(sessions, [][]string{still, still, still, {"x"}}, 300), [2]float64{400, 400})
	for _, s := range sessions[:3] {
		s.write(strings.Repeat("j", 70))
		s.settle(300 * time.Millisecond)
	}
	reportMoves(b, "going down a long list", rounds(sessions, [][]string{{"j"}, {"j"}, {"j"}, {"x"}}, 200), [2]float64{2000, 400})
	pages := rounds(sessions, [][]string{{"\x1b[6~", "\x1b[5~"}, {"\x1b[6~", "\x1b[5~"}, {"\x1b[6~", "\x1b[5~"}, {"x"}}, 50)
	times, _ := lasts(pages[0])
	raws, _ := lasts(pages[3])
	base, _ := lasts(pages[2])
	o, peer, least50 := quantile(times, 0.5), quantile(base, 0.5), quantile(raws, 0.5)
	report(b, figure{
		ID: "T3", What: "a page in the block list, p50", Goal: "≤ 0.2 × plain bubbletea",
		Ours: at(o, "ms"), Peer: at(peer, "ms plain bubbletea"), Reference: at(least50, "ms raw"), Ratio: ratio(o / peer), Met: o <= 0.2*peer,
	})
	size := quantile(written(pages[0]), 0.5)
	report(b, figure{ID: "T4", What: "bytes of a page, block list, p50", Goal: "≤ the whole screen", Ours: at(size, "B"), Reference: at(quantile(written(pages[3]), 0.5), "B whole screen"), Ratio: ratio(size / quantile(written(pages[3]), 0.5)), Met: size <= quantile(written(pages[3]), 0.5)})
}

// reportMoves reports the times and sizes of moves in the blocks, the names, plain
// bubbletea and the raw program; most are the goals for their bytes.
func reportMoves(b *testing.B, how string, frames [][]frame, most [2]float64) {
	b.Helper()
	base, _ := lasts(frames[2])
	least, _ := lasts(frames[3])
	p50, p99 := quantile(base, 0.5), quantile(base, 0.99)
	for i, where := range []string{"the block list, detail beside it", "the names"} {
		times, lost := lasts(frames[i])
		o50, o99 := quantile(times, 0.5), quantile(times, 0.99)
		report(b, figure{
			ID: "T3", What: fmt.Sprintf("a key in %s, %s, to the last byte, p50 / p99 of %d", where, how, len(frames[i])), Goal: "p50 ≤ 0.2 ×, p99 ≤ 0.25 × plain bubbletea, none lost",
			Ours: fmt.Sprintf("%.2f / %.2f ms", o50, o99), Peer: fmt.Sprintf("%.2f / %.2f ms plain bubbletea", p50, p99),
			Reference: fmt.Sprintf("%.2f / %.2f ms raw", quantile(least, 0.5), quantile(least, 0.99)),
			Ratio:     ratio(o50/p50) + " / " + ratio(o99/p99), Met: o50 <= 0.2*p50 && o99 <= 0.25*p99 && lost == 0,
		})
		size, peer := quantile(written(frames[i]), 0.5), quantile(written(frames[2]), 0.5)
		f := figure{
			ID: "T4", What: fmt.Sprintf("bytes of a move in %s, %s, p50 / mean", where, how), Goal: fmt.Sprintf("p50 ≤ %.0f B", most[i]),
			Ours: fmt.Sprintf("%.0f / %.0f B", size, mean(written(frames[i]))), Peer: at(peer, "B plain bubbletea"), Reference: at(quantile(written(frames[3]), 0.5), "B whole screen"),
			Ratio: ratio(size / peer), Met: size <= most[i],
		}
		if i == 0 {
			f.Why = "a move shows another block: its hashes and transaction ids are other characters"
		}
		report(b, f)
	}
}

// BenchmarkT5Idle touches no key. The live tail is off; ages still count.
func BenchmarkT5Idle(b *testing.B) {
	const watched = 10 * time.Second
	per := func(s *session) (cpu, wakes, bytes float64, now spent) {
		s.watch(2 * time.Second) // what a start leaves to be done
		from, size := s.spent(), len(s.all)
		s.watch(watched)
		now = s.spent()
		seconds := watched.Seconds()
		return ms(now.cpu-from.cpu) / seconds, float64(now.switches-from.switches) / seconds, float64(len(s.all)-size) / seconds, now
	}
	still := start(b, setting{argv: []string{program(b), "--mock-seed", "1"}})
	still.until("0x")
	still.settle(300 * time.Millisecond)
	still.write(liveOff)
	cpu, wakes, bytes, now := per(still)
	live := start(b, setting{argv: []string{program(b), "--mock-seed", "1"}})
	live.until("0x")
	liveCPU, liveWakes, liveBytes, _ := per(live)
	framework := start(b, plain(b))
	framework.until("READY")
	peerCPU, peerWakes, _, peerNow := per(framework)
	report(b, figure{
		ID: "T5", What: "idle, live tail off: CPU, wake-ups, bytes a second", Goal: "CPU ≤ 0.1 × plain bubbletea",
		Ours: fmt.Sprintf("%.2f ms, %.1f, %.0f B", cpu, wakes, bytes), Peer: fmt.Sprintf("%.2f ms, %.1f plain bubbletea", peerCPU, peerWakes), Reference: "0",
		Ratio: ratio(cpu / peerCPU), Met: cpu <= 0.1*peerCPU,
	})
	report(b, figure{
		ID: "T5", What: "idle, live tail on: CPU, wake-ups, bytes a second", Goal: "CPU ≤ 2 ms/s",
		Ours: fmt.Sprintf("%.2f ms, %.1f, %.0f B", liveCPU, liveWakes, liveBytes), Peer: fmt.Sprintf("%.2f ms, %.1f plain bubbletea", peerCPU, peerWakes), Reference: "0",
		Ratio: ratio(liveCPU / peerCPU), Met: liveCPU <= 2,
	})
	report(b, figure{
		ID: "T6", What: "resident memory, explorer with its mock", Goal: "≤ 40 MiB",
		Ours: at(now.memory, "MiB"), Peer: at(peerNow.memory, "MiB plain bubbletea"), Ratio: ratio(now.memory / peerNow.memory), Met: now.memory <= 40,
	})
}

// tailed is the time that the live tail is watched, a block a second.
var tailed = flag.Duration("tail", 15*time.Minute, "how long to watch the memory under live tail")

// BenchmarkT6LiveTail watches the memory of an explorer to which a block comes every
// second: fifteen minutes of it bring as many blocks as two and a half hours of a
// mock with its usual interval. Until the tenth minute bounded caches and the log of
// requests may fill.
func BenchmarkT6LiveTail(b *testing.B) {
	const filled = 10 * time.Minute
	if *tailed <= filled {
		b.Fatalf("-tail is %v: want more than %v", *tailed, filled)
	}
	s := start(b, setting{argv: []string{program(b), "--mock-seed", "1", "--mock-block-interval", "1s"}})
	s.until("0x")
	first := s.memoryAfter(time.Minute)
	full := s.memoryAfter(filled - time.Minute)
	end := s.memoryAfter(*tailed - filled)
	report(b, figure{
		ID: "T6", What: fmt.Sprintf("resident memory after %v of a block a second, beside after %v", *tailed, filled), Goal: "≤ 1.1 ×",
		Ours: at(end, "MiB"), Reference: at(full, "MiB") + " (after 1m0s: " + at(first, "MiB)"), Ratio: ratio(end / full), Met: end <= 1.1*full,
	})
}

// memoryAfter reads what is written in a time and returns the resident memory at its
// end in MiB. What was written is dropped, since it would fill the memory of the
// benchmark.
func (s *session) memoryAfter(d time.Duration) float64 {
	for end := time.Now().Add(d); time.Now().Before(end); s.all = nil {
		s.watch(min(time.Until(end), 10*time.Second))
	}
	return s.spent().memory
}

// BenchmarkT8ManyKeysAtOnce writes 200 keys at once, as a held key over a slow line does.
func BenchmarkT8ManyKeysAtOnce(b *testing.B) {
	var times []float64
	lost := 0
	for range 7 {
		s := start(b, ours(b, "--", "podcast"))
		s.until("2,600")
		s.settle(300 * time.Millisecond)
		f := s.write(strings.Repeat("j", 200))
		times = append(times, ms(f.last))
		if !strings.Contains(s.screen(), "201/2,600") {
			lost++
		}
		s.kill()
	}
	mid := quantile(times, 0.5)
	report(b, figure{
		ID: "T8", What: "200 keys at once, to the last byte, p50 of 7", Goal: "≤ 20 ms, none lost",
		Ours: fmt.Sprintf("%.1f ms, %d lost", mid, lost), Ratio: ratio(mid / 20), Met: mid <= 20 && lost == 0,
	})
}

func BenchmarkT9ResizeAndQuit(b *testing.B) {
	sizes := func(s *session) []float64 {
		var times []float64
		s.settle(300 * time.Millisecond)
		for i := range 40 {
			f := s.resize(120-20*((i+1)%2), 40-10*((i+1)%2))
			if !f.drawn() {
				b.Errorf("resize %d drew nothing", i)
			}
			times = append(times, ms(f.last))
		}
		return times
	}
	o := quantile(sizes(blockList(b)), 0.5)
	p := start(b, plain(b))
	p.until("READY")
	base := quantile(sizes(p), 0.5)
	report(b, figure{
		ID: "T9", What: "resize, p50 of 40", Goal: "≤ 2 ms", Ours: at(o, "ms"), Peer: at(base, "ms plain bubbletea"), Ratio: ratio(o / base), Met: o <= 2,
	})
	var quits, peers []float64
	clean := 0
	for range 9 {
		s := start(b, ours(b))
		s.until("1,000,000")
		s.settle(100 * time.Millisecond)
		took, ok := s.quit("q")
		if ok {
			clean++
		}
		quits = append(quits, ms(took))
		p := start(b, plain(b))
		p.until("READY")
		p.settle(100 * time.Millisecond)
		took, _ = p.quit("q")
		peers = append(peers, ms(took))
	}
	mid := quantile(quits, 0.5)
	report(b, figure{
		ID: "T9", What: "quit, p50 of 9, terminal given back", Goal: "≤ 20 ms, always",
		Ours: fmt.Sprintf("%.1f ms, %d/9", mid, clean), Peer: at(quantile(peers, 0.5), "ms plain bubbletea"), Ratio: ratio(mid / quantile(peers, 0.5)), Met: mid <= 20 && clean == 9,
	})
}

// BenchmarkT10SlowServer presses keys while an answer is awaited for two seconds.
func BenchmarkT10SlowServer(b *testing.B) {
	move := []string{"j", "j", "j", "j", "j", "k", "k", "k", "k", "k"}
	quick, slow := blockList(b), blockList(b, "--mock-latency", "2s")
	for _, s := range []*session{quick, slow} {
		s.settle(300 * time.Millisecond)
	}
	var frames [2][]float64
	for range 12 {
		// An answer takes 2 s, twelve keys less than one.
		slow.write("r")
		since := time.Now()
		for i, f := range rounds([]*session{slow, quick}, [][]string{move, move}, 12) {
			times, _ := lasts(f[:12])
			frames[1-i] = append(frames[1-i], times...)
		}
		slow.settle(max(0, 2500*time.Millisecond-time.Since(since)))
	}
	q, s := quantile(frames[0], 0.5), quantile(frames[1], 0.5)
	report(b, figure{
		ID: "T10", What: "a key while an answer takes 2 s, p50", Goal: "≤ 1.1 × with a quick server", Ours: at(s, "ms"), Reference: at(q, "ms quick server"), Ratio: ratio(s / q), Met: s <= 1.1*q,
	})
}
