package measure

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

const manyNames = 500_000

// typed are typed letter by letter, each letter a search. They begin differently,
// since fzf keeps what it found for a beginning.
var typed = []string{
	"sato", "muki", "boda", "clav", "naka", "pelo", "grix", "dezu", "fopi", "have", "tric", "zubo", "king", "wolf", "labs", "yivu",
	"jexa", "vish", "007", "365", "era", "ool", "ish", "und",
}

// silence is how long a search may be silent between the letter and what it finds.
const silence = 100 * time.Millisecond

// search writes keys and gives the frames they caused, to the last byte of what
// was found.
func (s *session) search(keys string) frame {
	s.settle(0)
	since := time.Now()
	if _, err := s.pty.WriteString(keys); err != nil {
		s.b.Fatal(err)
	}
	return s.collect(since, silence, 10*silence)
}

// namesFile writes the names that the mock serves, one a line.
func namesFile(b *testing.B) string {
	b.Helper()
	cmd := exec.Command(program(b), "names", "btc", "--all", "-o", "json", "--mock-seed", "1", "--mock-names", strconv.Itoa(manyNames))
	out, err := cmd.Output()
	if err != nil {
		b.Fatalf("%v: %v", cmd.Args, err)
	}
	var all []string
	if err := json.Unmarshal(out, &all); err != nil {
		b.Fatal(err)
	}
	path := filepath.Join(b.TempDir(), "names.txt")
	if err := os.WriteFile(path, []byte(strings.Join(all, "\n")+"\n"), 0o600); err != nil {
		b.Fatal(err)
	}
	return path
}

// searching starts the explorer on 500,000 names of a mock in its own process,
// and waits until all are read.
func searching(b *testing.B) *session {
	b.Helper()
	url := served(b, "--names", strconv.Itoa(manyNames), "--seed", "1", "--freeze", "2026-01-01T00:00:00Z")
	s := start(b, setting{argv: []string{program(b), "--api", url, ".btc"}})
	s.until("all of them")
	s.settle(500 * time.Millisecond)
	return s
}

// Search as you type over 500,000 names, beside fzf over the same.
func BenchmarkSearch(b *testing.B) {
	o := searching(b)
	f := start(b, setting{argv: []string{peer(b, "fzf")}, stdin: namesFile(b)})
	f.until("500000/500000")
	f.settle(500 * time.Millisecond)
	loaded := o.spent().memory
	o.search("t") // the local time of the last answer, which does not change every second
	o.settle(3 * time.Second)
	o.search("/")

	var times [2][]float64
	for _, word := range typed {
		for i, s := range []*session{o, f} {
			for _, letter := range strings.Split(word, "") {
				times[i] = append(times[i], ms(s.search(letter).last))
			}
			s.search("\x15") // takes the word back
		}
	}
	ours50, peer50 := quantile(times[0], 0.5), quantile(times[1], 0.5)
	ours99, peer99 := quantile(times[0], 0.99), quantile(times[1], 0.99)
	keys := fmt.Sprintf("a letter over 500,000 names, key to screen, %s of %d", "%s", len(times[0]))
	report(b, figure{
		ID: "S1", What: fmt.Sprintf(keys, "p50"), Goal: "≤ 0.25 × fzf", Ours: msText(ours50), Peer: msText(peer50) + " fzf",
		Ratio: ratio(ours50 / peer50), Met: ours50 <= 0.25*peer50,
	})
	report(b, figure{
		ID: "S1", What: fmt.Sprintf(keys, "p99"), Goal: "≤ 0.25 × fzf", Ours: msText(ours99), Peer: msText(peer99) + " fzf",
		Ratio: ratio(ours99 / peer99), Met: ours99 <= 0.25*peer99,
	})

	memory, fzf := o.spent().memory, f.spent().memory
	report(b, figure{
		ID: "S3", What: "memory of the whole program, 500,000 names loaded", Goal: "≤ 40 MiB, ≤ 0.5 × fzf", Ours: at(loaded, "MiB"), Peer: at(fzf, "MiB fzf"),
		Ratio: ratio(loaded / fzf), Met: loaded <= 40,
	})
	report(b, figure{
		ID: "S3", What: fmt.Sprintf("the same after %d searches", len(times[0])), Goal: "≤ 40 MiB, ≤ 0.5 × fzf", Ours: at(memory, "MiB"), Peer: at(fzf, "MiB fzf"),
		Ratio: ratio(memory / fzf), Met: memory <= 40,
	})

	var flood []float64
	for _, word := range typed {
		ten := strings.Repeat(word, 4)[:10]
		flood = append(flood, ms(o.search(ten).last))
		if shown := o.screen(); !strings.Contains(shown, ten) || !strings.Contains(shown, "No name holds") {
			b.Fatalf("%s was typed; the screen shows\n%s", ten, shown)
		}
		o.search("\x15")
	}
	ten50 := quantile(flood, 0.5)
	report(b, figure{
		ID: "S4", What: "ten letters at once, to the last frame, p50", Goal: "≤ 1.5 × one letter", Ours: msText(ten50), Peer: msText(ours50) + " one letter",
		Ratio: ratio(ten50 / ours50), Met: ten50 <= 1.5*ours50,
	})
}

// What a search itself takes, beside the least scan that finds the same.
func BenchmarkS2Matching(b *testing.B) {
	got := goBench(b, "./tui/screen/names/find", ".")
	for _, query := range []string{"s", "sa", "sato", "zqx"} {
		ours, floor := got["BenchmarkSearch/"+query]["ns/op"]/1e6, got["BenchmarkScan/"+query]["ns/op"]/1e6
		report(b, figure{
			ID: "S2", What: fmt.Sprintf("%q matched and ranked in 500,000 names", query), Goal: "≤ 1.5 × scanning them as one text",
			Ours: at(ours, "ms"), Floor: at(floor, "ms scan without ranks"), Ratio: ratio(ours / floor), Met: ours <= 1.5*floor,
		})
	}
}
