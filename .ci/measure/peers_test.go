package measure

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// BenchmarkT3BesidePeers presses the same keys in a pager over a thousand lines and
// in a browser of 400 commits.
func BenchmarkT3BesidePeers(b *testing.B) {
	const n = 100
	dir := b.TempDir()
	lines := filepath.Join(dir, "lines.txt")
	var text strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&text, "%06d  0x%064x  2026-01-01\n", i, i*0x9e3779b97f4a7c1)
	}
	if err := os.WriteFile(lines, []byte(text.String()), 0o600); err != nil {
		b.Fatal(err)
	}
	repo := filepath.Join(dir, "repo")
	for _, args := range [][]string{{"init", "-q", repo}, {"-C", repo, "fast-import", "--quiet"}, {"-C", repo, "reset", "-q", "--hard", "main"}} {
		cmd := exec.Command(peer(b, "git"), args...)
		if args[len(args)-1] == "--quiet" {
			var in strings.Builder
			for i := range 400 {
				message := fmt.Sprintf("commit %d of a history", i)
				fmt.Fprintf(&in, "commit refs/heads/main\ncommitter A <a@example.org> %d +0000\ndata %d\n%s\nM 644 inline file\ndata %d\n%s\n", 1767225600+i*60, len(message), message, len(message), message)
			}
			cmd.Stdin = strings.NewReader(in.String())
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	names := []string{"less", "tig"}
	sessions := []*session{blockList(b), start(b, setting{argv: []string{peer(b, "less"), lines}}), start(b, setting{argv: []string{peer(b, "tig")}, dir: repo})}
	for i, first := range []string{"999,990", "000030", "commit 390"} {
		sessions[i].until(first)
		sessions[i].settle(300 * time.Millisecond)
	}
	move := []string{"j", "j", "j", "j", "j", "k", "k", "k", "k", "k"}
	frames := rounds(sessions, [][]string{move, move, move}, n)
	o, _ := lasts(frames[0])
	for i, name := range names {
		p, _ := lasts(frames[i+1])
		o50, p50 := quantile(o, 0.5), quantile(p, 0.5)
		report(b, figure{
			ID: "T3", What: fmt.Sprintf("a key in the block list beside %s, p50 / p99 of %d", name, n),
			Ours: fmt.Sprintf("%.2f / %.2f ms", o50, quantile(o, 0.99)), Peer: fmt.Sprintf("%.2f / %.2f ms %s", p50, quantile(p, 0.99), name), Ratio: ratio(o50 / p50),
		})
	}
	floodBesideTig(b, setting{argv: []string{peer(b, "tig")}, dir: repo})
}

// floodBesideTig writes 200 keys at once into fresh programs and looks where the
// cursor of chainscope stands afterwards.
func floodBesideTig(b *testing.B, tig setting) {
	const times = 5
	var flood, peers []float64
	lost := 0
	for range times {
		for _, p := range []struct {
			setting setting
			first   string
			into    *[]float64
		}{{ours(b, "--", "blocks"), "999,990", &flood}, {tig, "commit 390", &peers}} {
			s := start(b, p.setting)
			s.until(p.first)
			s.settle(300 * time.Millisecond)
			*p.into = append(*p.into, ms(s.write(strings.Repeat("j", 200)).last))
			if p.into == &flood && !strings.Contains(s.screen(), "201/1,000,000") {
				lost++
			}
			s.kill()
		}
	}
	f, mid := quantile(flood, 0.5), quantile(peers, 0.5)
	report(b, figure{
		ID: "T8", What: fmt.Sprintf("200 keys at once in the blocks beside tig, p50 of %d", times), Goal: "≤ 0.2 × tig, none lost",
		Ours: fmt.Sprintf("%.2f ms, %d lost", f, lost), Peer: at(mid, "ms tig"), Ratio: ratio(f / mid), Met: f <= 0.2*mid && lost == 0,
	})
}
