package measure

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// figure is one row of the table. Peer is the figure of what one would use instead,
// Reference that of a program which does only the part in question, and Ratio is
// chainscope's figure as a multiple of one of them, as What or Goal says. A row
// without a Goal is there for comparison only. Each text has its unit.
type figure struct {
	ID, What, Goal               string
	Ours, Peer, Reference, Ratio string
	Met                          bool
	Why                          string // why the goal is missed, where that is known
}

// verdict returns the last column of the row.
func (f figure) verdict() string {
	switch {
	case f.Goal == "":
		return "no goal"
	case f.Met:
		return "yes"
	case f.Why == "":
		return "no"
	}
	return "no: " + f.Why
}

// sitting is one run of the benchmarks: the programs that were built for it and
// the figures they gave.
type sitting struct {
	dir string

	mu      sync.Mutex
	figures []figure
}

var now sitting

// root is the directory of the main module.
const root = "../.."

var fill = flag.Bool("fill", false, "fill the table in docs/performance.md with what was measured")

func TestMain(m *testing.M) {
	flag.Parse()
	code, err := now.run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func (s *sitting) run(m *testing.M) (int, error) {
	dir, err := os.MkdirTemp("", "chainscope-measure-")
	if err != nil {
		return 1, err
	}
	defer os.RemoveAll(dir)
	s.dir = dir
	for name, from := range map[string]string{"chainscope": root, "plain": "plain", "floor": "floor", "bare": "bare"} {
		if err := install(from, filepath.Join(dir, name)); err != nil {
			return 1, err
		}
	}
	code := m.Run()
	if len(s.figures) == 0 {
		return code, nil
	}
	// By letter and number, T2 before T10; lines of one goal as they came.
	slices.SortStableFunc(s.figures, func(a, b figure) int { return order(a.ID) - order(b.ID) })
	fmt.Printf("\n%s\n", s.table())
	if *fill && code == 0 {
		err = s.fillPage(filepath.Join(root, "docs", "performance.md"))
	}
	return code, err
}

// install compiles the program of a folder, ours as a release has it, and installs it.
// What the linker itself has written lies in smaller pieces in the memory that the system
// keeps of files, and begins almost a millisecond later.
func install(dir, path string) error {
	compiled := path + ".compiled"
	build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", compiled, ".")
	if dir == root {
		build = exec.Command("bash", filepath.Join(root, ".ci", "packaging", "compile"), compiled)
	} else {
		build.Dir = dir
	}
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%s does not build: %w\n%s", dir, err, out)
	}
	if out, err := exec.Command("install", "-m", "755", compiled, path).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// order returns the position of a goal in the table.
func order(id string) int {
	id, _, _ = strings.Cut(id, " ")
	n, _ := strconv.Atoi(id[1:])
	return strings.IndexByte("TMCSGB", id[0])*1000 + n
}

func (s *sitting) table() string {
	var b strings.Builder
	b.WriteString("| | What | Goal | chainscope | Peer | Reference | Ratio | Met |\n|---|---|---|--:|--:|--:|--:|---|\n")
	for _, f := range s.figures {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s | %s |\n", f.ID, f.What, f.Goal, f.Ours, f.Peer, f.Reference, f.Ratio, f.verdict())
	}
	return b.String()
}

// marks stand round the table in docs/performance.md.
const (
	begins = "<!-- figures: filled by `bash .ci/measure/run` -->\n"
	ends   = "<!-- end of figures -->\n"
)

func (s *sitting) fillPage(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	head, rest, ok := bytes.Cut(text, []byte(begins))
	_, tail, ok2 := bytes.Cut(rest, []byte(ends))
	if !ok || !ok2 {
		return fmt.Errorf("%s has no place for the table: want %q and %q", path, begins, ends)
	}
	when := fmt.Sprintf("Measured on %s, %d cores, %s/%s, %s:\n\n", time.Now().UTC().Format(time.DateOnly), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version())
	return os.WriteFile(path, slices.Concat(head, []byte(begins), []byte(when), []byte(s.table()), []byte(ends), tail), 0o644)
}

// report adds a line to the table and shows it.
func report(b *testing.B, f figure) {
	b.Helper()
	now.mu.Lock()
	defer now.mu.Unlock()
	// The framework may run a benchmark again with a greater N; the last run counts.
	now.figures = slices.DeleteFunc(now.figures, func(o figure) bool { return o.ID == f.ID && o.What == f.What })
	now.figures = append(now.figures, f)
	b.Logf("%s %s: goal %s, ours %s, peer %s, reference %s, ratio %s, met %s", f.ID, f.What, f.Goal, f.Ours, f.Peer, f.Reference, f.Ratio, f.verdict())
	b.ReportMetric(0, "ns/op")
}

// program returns the path of the stripped binary under measurement.
func program(b *testing.B) string { b.Helper(); return filepath.Join(now.dir, "chainscope") }

// beside returns the path of a program of this package.
func beside(b *testing.B, name string) string { b.Helper(); return filepath.Join(now.dir, name) }

// peer returns the path of an installed program.
func peer(b *testing.B, name string) string {
	b.Helper()
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	path := filepath.Join(os.Getenv("CHAINSCOPE_PEERS"), "node_modules", ".bin", name)
	if _, err := os.Stat(path); err != nil {
		b.Fatalf("%s is not installed: run bash .ci/measure/run, which installs every peer by its package name", name)
	}
	return path
}

// goBench runs benchmarks of a package of chainscope three times and returns the
// median of every unit, by the name of the benchmark without its processors.
func goBench(b *testing.B, pkg, pattern string) map[string]map[string]float64 {
	b.Helper()
	cmd := exec.Command("go", "test", "-run", "^$", "-bench", pattern, "-benchmem", "-count", "3", pkg)
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	if err != nil {
		b.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
	runs := map[string]map[string][]float64{}
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		if len(f) < 4 || !strings.HasPrefix(f[0], "Benchmark") {
			continue
		}
		name := strings.TrimSuffix(f[0], "-"+strconv.Itoa(runtime.GOMAXPROCS(0)))
		if runs[name] == nil {
			runs[name] = map[string][]float64{}
		}
		for i := 2; i+1 < len(f); i += 2 {
			if v, err := strconv.ParseFloat(f[i], 64); err == nil {
				runs[name][f[i+1]] = append(runs[name][f[i+1]], v)
			}
		}
	}
	if len(runs) == 0 {
		b.Fatalf("%v ran no benchmark:\n%s", cmd.Args, out)
	}
	medians := map[string]map[string]float64{}
	for name, units := range runs {
		medians[name] = map[string]float64{}
		for unit, values := range units {
			medians[name][unit] = quantile(values, 0.5)
		}
	}
	return medians
}

// quantile returns the value below which a share of the sample lies, 0 of none.
func quantile(sample []float64, share float64) float64 {
	if len(sample) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(sample))
	return sorted[int(share*float64(len(sorted)-1)+0.5)]
}
