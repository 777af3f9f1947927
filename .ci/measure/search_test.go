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

// words are typed letter by letter, each letter a search. They begin differently,
// because fzf keeps what it found for a beginning.
var words = []struct {
	length string
	typed  []string
}{
	{"3 to 5 letters", []string{
		"sato", "muki", "boda", "clav", "naka", "pelo", "grix", "dezu", "fopi", "have", "tric", "zubo", "king", "wolf", "labs", "yivu",
		"jexa", "vish", "007", "365", "era", "ool", "ish", "und",
	}},
	{"6 letters", []string{
		"satosh", "mukive", "bodago", "clavex", "nakamo", "pelozu", "grixer", "dezubo", "fopish", "havenx", "tricky", "zuboel", "kingdo", "wolfpa",
	}},
}

// silence is the longest time from a letter to the first result of a search.
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

// BenchmarkSearch searches 500,000 names as one types, beside fzf over the same.
func BenchmarkSearch(b *testing.B) {
	o := searching(b)
	file := namesFile(b)
	f := start(b, setting{argv: []string{peer(b, "fzf")}, stdin: file})
	exact := start(b, setting{argv: []string{peer(b, "fzf"), "--exact", "--no-sort"}, stdin: file})
	for _, s := range []*session{f, exact} {
		s.until("500000/500000")
		s.settle(500 * time.Millisecond)
	}
	number, err := exec.Command(peer(b, "fzf"), "--version").Output()
	if err != nil {
		b.Fatal(err)
	}
	version := "fzf " + strings.Fields(string(number))[0]
	loaded := o.spent().memory
	o.search("t") // the local time of the last answer, which does not change every second
	o.settle(3 * time.Second)
	o.search("/")

	searched := 0
	for _, w := range words {
		var times [3][]float64
		for _, word := range w.typed {
			for i, s := range []*session{o, f, exact} {
				for letter := range strings.SplitSeq(word, "") {
					times[i] = append(times[i], ms(s.search(letter).last))
				}
				s.search("\x15") // takes the word back
			}
		}
		searched += len(times[0])
		for _, p := range []struct {
			name  string
			share float64
		}{{"p50", 0.5}, {"p99", 0.99}} {
			ours, fuzzy, plain := quantile(times[0], p.share), quantile(times[1], p.share), quantile(times[2], p.share)
			what := fmt.Sprintf("a letter of words of %s over 500,000 names, key to screen, %s of %d", w.length, p.name, len(times[0]))
			report(b, figure{
				ID: "S1", What: what + ", beside fzf, which matches fuzzily and sorts", Goal: "≤ 0.25 × fzf", Ours: msText(ours), Peer: msText(fuzzy) + " " + version,
				Ratio: ratio(ours / fuzzy), Met: ours <= 0.25*fuzzy,
			})
			report(b, figure{
				ID: "S1", What: what + ", beside fzf --exact --no-sort, which looks for a part as chainscope does", Ours: msText(ours),
				Peer: msText(plain) + " " + version, Ratio: ratio(ours / plain),
			})
		}
	}

	memory, fzf := o.spent().memory, f.spent().memory
	report(b, figure{
		ID: "S3", What: "memory of the whole program, 500,000 names loaded", Goal: "≤ 0.5 × fzf", Ours: at(loaded, "MiB"), Peer: at(fzf, "MiB "+version),
		Ratio: ratio(loaded / fzf), Met: loaded <= 0.5*fzf,
	})
	report(b, figure{
		ID: "S3", What: fmt.Sprintf("the same after %d searches", searched), Goal: "≤ 0.5 × fzf", Ours: at(memory, "MiB"), Peer: at(fzf, "MiB "+version),
		Ratio: ratio(memory / fzf), Met: memory <= 0.5*fzf,
	})
	reportFlood(b, o, long(b, file))
}

// reportFlood types beginnings of names that are there, at once and letter by letter.
func reportFlood(b *testing.B, o *session, beginnings []string) {
	b.Helper()
	var flood, single []float64
	for _, ten := range beginnings {
		flood = append(flood, ms(o.search(ten).last))
		if shown := o.screen(); !strings.Contains(shown, ten) {
			b.Fatalf("%s was typed; the screen shows\n%s", ten, shown)
		}
		o.search("\x15")
		for letter := range strings.SplitSeq(ten, "") {
			single = append(single, ms(o.search(letter).last))
		}
		o.search("\x15")
	}
	ten50, one50 := quantile(flood, 0.5), quantile(single, 0.5)
	report(b, figure{
		ID: "S4", What: "ten letters of a name at once, to the last frame, beside the same letters one by one, p50", Goal: "≤ 1.5 × one letter",
		Ours: msText(ten50), Reference: msText(one50) + " one letter", Ratio: ratio(ten50 / one50), Met: ten50 <= 1.5*one50,
	})
}

// long returns the first ten letters of some names of a file that have as many.
func long(b *testing.B, file string) []string {
	b.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		b.Fatal(err)
	}
	var found []string
	names := strings.Fields(string(text))
	for i := 0; i < len(names) && len(found) < 24; i += len(names)/200 + 1 {
		if name, _, _ := strings.Cut(names[i], "."); len(name) >= 10 {
			found = append(found, name[:10])
		}
	}
	if len(found) == 0 {
		b.Fatal("no name has ten letters")
	}
	return found
}

// BenchmarkS2Matching matches without a screen, beside a scan that finds the same.
func BenchmarkS2Matching(b *testing.B) {
	got := goBench(b, "./tui/screen/names/find", ".")
	for _, query := range []string{"s", "sa", "sato", "zqx"} {
		ours, floor := got["BenchmarkSearch/"+query]["ns/op"]/1e6, got["BenchmarkScan/"+query]["ns/op"]/1e6
		report(b, figure{
			ID: "S2", What: fmt.Sprintf("%q matched and ranked in 500,000 names", query), Goal: "≤ 1.5 × scanning them as one text",
			Ours: at(ours, "ms"), Reference: at(floor, "ms scan without ranks"), Ratio: ratio(ours / floor), Met: ours <= 1.5*floor,
		})
	}
}
