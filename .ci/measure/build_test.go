package measure

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// base is the least program with what chainscope stands on: bubbletea with
// bubbles and lipgloss, a client with resty, a server, signing for Stacks and for
// Bitcoin. Each is called, so that it is linked in.
const base = `package main

import (
	"bytes"
	"fmt"
	"net/http"
	"os"

	"github.com/btcsuite/btcd/psbt/v2"
	"github.com/btcsuite/btcd/txscript/v2"
	"github.com/charmbracelet/bubbles/list"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"
	"github.com/go-resty/resty/v2"
)

type model struct{ list list.Model }

func (m model) Init() tea.Cmd { return nil }

func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	m.list, cmd = m.list.Update(msg)
	return m, cmd
}

func (m model) View() string { return lipgloss.NewStyle().Bold(true).Render(m.list.View()) }

func main() {
	if len(os.Args) > 1 && os.Args[1] == "version" {
		fmt.Println("base")
		return
	}
	go func() { _ = http.ListenAndServe("127.0.0.1:0", nil) }()
	page, err := resty.New().R().Get("http://127.0.0.1:3999/extended")
	if err != nil {
		fmt.Println(err)
		return
	}
	key := secp256k1.PrivKeyFromBytes(page.Body())
	fmt.Printf("%x\n", ecdsa.SignCompact(key, page.Body()[:32], true))
	if packet, err := psbt.NewFromRawBytes(bytes.NewReader(page.Body()), false); err == nil {
		fmt.Println(txscript.NewTxSigHashes(packet.UnsignedTx, txscript.NewMultiPrevOutFetcher(nil)))
	}
	_, _ = tea.NewProgram(model{list.New(nil, list.NewDefaultDelegate(), 80, 24)}).Run()
}
`

const empty = "package main\n\nfunc main() {}\n"

// module writes a program as a module of its own with our versions.
func module(b *testing.B, source string) string {
	b.Helper()
	dir := b.TempDir()
	write := func(name string, text []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			b.Fatal(err)
		}
		write(name, bytes.Replace(text, []byte("module chainscope\n"), []byte("module base\n"), 1))
	}
	write("main.go", []byte(source))
	return dir
}

// run runs a command and gives how long it took in seconds.
func run(b *testing.B, dir string, env []string, argv ...string) float64 {
	b.Helper()
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	since := time.Now()
	out, err := cmd.CombinedOutput()
	took := time.Since(since).Seconds()
	if err != nil {
		b.Fatalf("%v: %v\n%s", argv, err, clip(out))
	}
	return took
}

// built gives the path of a program that is built as ours is.
func built(b *testing.B, dir string) string {
	b.Helper()
	path := filepath.Join(dir, "program")
	if err := install(dir, path); err != nil {
		b.Fatal(err)
	}
	return path
}

// fresh returns an environment with empty caches.
func fresh(b *testing.B, modules bool) []string {
	b.Helper()
	env := []string{"GOCACHE=" + b.TempDir()}
	if modules { // the files are writable, so that they can be removed again
		env = append(env, "GOMODCACHE="+b.TempDir(), "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -modcacherw"))
	}
	return env
}

// downloads reports whether modules can be downloaded here.
func downloads(b *testing.B) bool {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.Context(), 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "github.com/charmbracelet/bubbletea")
	cmd.Dir, cmd.Env = root, append(os.Environ(), fresh(b, true)...)
	return cmd.Run() == nil
}

func seconds(v float64) string { return at(v, "s") }

// The first go run of somebody who has just cloned the repository; every run has
// caches of its own. Ours goes first in both turns: the standard library's files
// are in memory for the base program.
func BenchmarkFirstRun(b *testing.B) {
	chainscope, other := root, module(b, base)
	for _, modules := range []bool{true, false} {
		what := "`go run . version`, modules there, build cache empty"
		if modules {
			what = "`go run . version`, no modules, build cache empty"
			if !downloads(b) {
				b.Log("modules cannot be downloaded here: that line is left out")
				continue
			}
		}
		o := run(b, chainscope, fresh(b, modules), "go", "run", ".", "version")
		p := run(b, other, fresh(b, modules), "go", "run", ".", "version")
		report(b, figure{
			ID: "B1", What: what, Goal: "≤ 1.6 × a base program with the same libraries",
			Ours: seconds(o), Reference: seconds(p), Ratio: ratio(o / p), Met: o <= 1.6*p,
		})
	}
}

func BenchmarkWarmRun(b *testing.B) {
	chainscope, other := root, module(b, base)
	var o, p []float64
	for range 6 { // the first of each fills the cache
		o = append(o, run(b, chainscope, nil, "go", "run", ".", "version"))
		p = append(p, run(b, other, nil, "go", "run", ".", "version"))
	}
	mid, floor := quantile(o[1:], 0.5), quantile(p[1:], 0.5)
	report(b, figure{ID: "B1", What: "`go run . version`, warm, median of 5", Goal: "≤ 0.2 s", Ours: seconds(mid), Reference: seconds(floor), Ratio: ratio(mid / floor), Met: mid <= 0.2})
}

func BenchmarkBinarySize(b *testing.B) {
	size := func(path string) float64 {
		info, err := os.Stat(path)
		if err != nil {
			b.Fatal(err)
		}
		return float64(info.Size()) / 1e6
	}
	o, p := size(program(b)), size(built(b, module(b, base)))
	report(b, figure{ID: "B2", What: "stripped binary, no cgo", Goal: "≤ 30 MB", Ours: at(o, "MB"), Reference: at(p, "MB"), Ratio: ratio(o / p), Met: o <= 30})
}

func BenchmarkVersion(b *testing.B) {
	const starts = 100
	programs := []string{program(b), built(b, module(b, base)), built(b, module(b, empty))}
	times := make([][]float64, len(programs))
	for range starts {
		for i, path := range programs {
			times[i] = append(times[i], 1000*run(b, "", nil, path, "version"))
		}
	}
	o, p, f := quantile(times[0], 0.5), quantile(times[1], 0.5), quantile(times[2], 0.5)
	report(b, figure{
		ID: "B3", What: fmt.Sprintf("`chainscope version`, median of %d", starts), Goal: "≤ 20 ms",
		Ours: msText(o), Peer: msText(p) + " base program", Reference: msText(f) + " empty program", Ratio: ratio(o / f), Met: o <= 20,
	})
}

// Every ordinary test without a C compiler. What they are made of is compiled
// before; the binaries are linked in the time that counts.
func BenchmarkTests(b *testing.B) {
	env := []string{"CGO_ENABLED=0"}
	run(b, root, env, "go", "vet", "./...")
	run(b, root, env, "go", "test", "-run", "^$", "./...")
	o := run(b, root, env, "go", "test", "-count=1", "./...")
	report(b, figure{ID: "B4", What: "`CGO_ENABLED=0 go test -count=1 ./...`, packages compiled before", Goal: "≤ 60 s", Ours: seconds(o), Ratio: ratio(o / 60), Met: o <= 60})
}
