//go:build browser

package browser

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"chainscope/wallet/bitcoin"
	"chainscope/wallet/keys"
	"chainscope/wallet/provider"
)

// workshop holds the built binary and the installed packages.
type workshop struct {
	t        *testing.T
	dir      string
	binary   string
	dapp     string // address of the dapp's own server
	isolated bool   // requests to public APIs stay on this machine
}

// made holds what all tests share: the program and the installed packages.
var made struct {
	sync.Once
	dir string
}

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "chainscope-browser-")
	if err != nil {
		panic(err)
	}
	made.dir = dir
	_ = os.Setenv("TMPDIR", dir) // what programs leave that are killed
	code := m.Run()
	_ = os.RemoveAll(dir) // a folder that stays is no failure
	os.Exit(code)
}

// setUp builds and installs what is not there yet, and serves the dapp.
func setUp(t *testing.T) *workshop {
	t.Helper()
	w := &workshop{t: t, dir: made.dir, binary: filepath.Join(made.dir, "chainscope")}
	made.Do(w.install)
	if _, err := os.Stat(filepath.Join(w.js(), "node_modules", "chainscope")); err != nil {
		t.Fatal("the packages could not be installed for an earlier test")
	}
	serve := w.start(nil, w.js(), "node", "serve.mjs")
	w.dapp = strings.TrimSpace(serve.line())
	return w
}

func (w *workshop) js() string { return filepath.Join(w.dir, "js") }

// install builds the program, and installs the packages and the test kit as a user
// does: packed, and by file.
func (w *workshop) install() {
	w.t.Helper()
	w.run("../../..", "go", "build", "-o", w.binary, ".")
	if err := os.CopyFS(w.js(), os.DirFS("js")); err != nil {
		w.t.Fatal(err)
	}
	for _, name := range []string{"hex.mjs", "keys.mjs", "schemas.mjs", "verifiers.mjs"} {
		data, err := os.ReadFile(filepath.Join("../../interop/js", name))
		if err != nil {
			w.t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(w.js(), "dapp", name), data, 0o600); err != nil {
			w.t.Fatal(err)
		}
	}
	packed := strings.TrimSpace(string(w.run("../testkit", "npm", "pack", "--loglevel=error", "--pack-destination", w.dir)))
	// Not "ci": it refuses a lock file that leaves out packages of other systems.
	// Without scripts: one would compile a faster secp256k1, which takes a minute.
	w.run(w.js(), "npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", filepath.Join(w.dir, packed))
}

func (w *workshop) run(dir, name string, args ...string) []byte {
	w.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		w.t.Fatalf("%s %v: %v\n%s%s", name, args, err, stdout.Bytes(), stderr.Bytes())
	}
	return stdout.Bytes()
}

// process is a started program with its pipes.
type process struct {
	t      *testing.T
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout *bufio.Scanner
	stderr *bytes.Buffer
	ended  bool
}

func (w *workshop) start(env []string, dir, name string, args ...string) *process {
	w.t.Helper()
	p := &process{t: w.t, cmd: exec.Command(name, args...), stderr: new(bytes.Buffer)}
	p.cmd.Dir = dir
	p.cmd.Env = append(os.Environ(), env...)
	p.cmd.Stderr = p.stderr
	stdin, err := p.cmd.StdinPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		w.t.Fatal(err)
	}
	p.stdin, p.stdout = stdin, bufio.NewScanner(stdout)
	if err := p.cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() {
		if !p.ended {
			p.stdin.Close()
			p.cmd.Process.Kill()
			p.cmd.Wait()
		}
	})
	return p
}

func (p *process) line() string {
	p.t.Helper()
	if !p.stdout.Scan() {
		p.t.Fatalf("%s ended: %s", p.cmd.Path, p.stderr)
	}
	return p.stdout.Text()
}

// end waits for the process and returns its exit code.
func (p *process) end() int {
	p.ended = true
	for p.stdout.Scan() {
	}
	err := p.cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	if err != nil {
		p.t.Fatal(err)
	}
	return 0
}

func (w *workshop) bridge(args ...string) (*process, string) {
	w.t.Helper()
	p := w.start(nil, w.dir, w.binary, append([]string{"bridge", "--addr", "127.0.0.1:0", "--mock-any-contract", "--state-dir", filepath.Join(w.t.TempDir(), "state")}, args...)...)
	line := p.line()
	address, ok := strings.CutPrefix(line, "bridge listening on ")
	if !ok {
		w.t.Fatalf("first line %q", line)
	}
	return p, address
}

// coin is an output that the account could spend, as the dapp's verifiers read it.
type coin struct {
	TxID   string `json:"txid"`
	Index  uint32 `json:"index"`
	Script string `json:"script"`
	Amount uint64 `json:"amount"` // satoshis
}

// coins returns the mock coins of the first account on testnet, as JSON.
func (w *workshop) coins() string {
	w.t.Helper()
	ring := keys.NewTestRing()
	wpkh, err := ring.Bitcoin(keys.P2WPKH, bitcoin.Testnet.CoinType(), 0)
	if err != nil {
		w.t.Fatal(err)
	}
	tr, err := ring.Bitcoin(keys.P2TR, bitcoin.Testnet.CoinType(), 0)
	if err != nil {
		w.t.Fatal(err)
	}
	account, err := bitcoin.NewAccount(bitcoin.Testnet, wpkh.Secp256k1(), tr.Secp256k1())
	if err != nil {
		w.t.Fatal(err)
	}
	var list []coin
	for _, c := range bitcoin.MockCoins(&account.Owner) {
		list = append(list, coin{c.TxID, c.Vout, hex.EncodeToString(account.P2WPKH.Script), c.Amount})
	}
	out, err := json.Marshal(list)
	if err != nil {
		w.t.Fatal(err)
	}
	return string(out)
}

func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatal("Chromium is needed")
	return ""
}

// play drives the dapp to its end; quit ends the terminal in the middle of a
// request.
func (w *workshop) play(mode, address string, quit func()) {
	w.t.Helper()
	env := []string{"COINS=" + w.coins()}
	if w.isolated {
		env = append(env, "AT_HOME=1")
	}
	w.follow(w.start(env, filepath.Join(w.dir, "js"), "node", "drive.mjs", chromium(w.t), address, mode, w.dapp), quit)
}

// follow reads what a driver prints until it ends, and checks that it comes to
// its end.
func (w *workshop) follow(driver *process, quit func()) {
	w.t.Helper()
	done := time.AfterFunc(5*time.Minute, func() { driver.cmd.Process.Kill() })
	defer done.Stop()
	last := ""
	for driver.stdout.Scan() {
		last = driver.stdout.Text()
		w.t.Log(last)
		if last != "please quit" {
			continue
		}
		quit()
		io.WriteString(driver.stdin, "done\n")
	}
	if code := driver.end(); code != 0 || !strings.HasSuffix(last, " checks") {
		w.t.Fatalf("the dapp fails with %d: %s", code, driver.stderr)
	}
}

// TestRealDapps plays dapps that are built with the libraries of wallets, one
// after the other: they share the built binary and the installed packages.
func TestRealDapps(t *testing.T) {
	w := setUp(t)
	for name, play := range map[string]func(*workshop){
		"in a scripted terminal":        inAScriptedTerminal,
		"with a person at the terminal": withAPerson,
		"of each wallet":                ofEachWallet,
		"by copied JavaScript":          copiedJavaScript,
	} {
		t.Run(name, func(t *testing.T) { play(w.with(t)) })
	}
}

// with returns the workshop for a part of the test.
func (w *workshop) with(t *testing.T) *workshop {
	part := *w
	part.t = t
	return &part
}

// ofEachWallet plays apps on sats-connect and on @stacks/connect, with every
// method of each wallet; while they run, account and network are switched and
// the page is loaded again.
func ofEachWallet(w *workshop) {
	args := []string{"drive-wallets.mjs", chromium(w.t), w.dapp}
	for _, p := range provider.Personalities() {
		_, address := w.bridge("--as", string(p), "--approve", "always")
		args = append(args, string(p)+"="+address)
	}
	w.follow(w.start(nil, filepath.Join(w.dir, "js"), "node", args...), nil)
}

func inAScriptedTerminal(w *workshop) {
	t := w.t
	script, err := filepath.Abs("script.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range []string{"script", "proxy"} {
		t.Run(mode, func(t *testing.T) {
			w := w.with(t)
			w.isolated = true
			calls := filepath.Join(t.TempDir(), "calls")
			args := []string{"--script", script, "--calls", calls}
			if mode == "proxy" {
				args = append(args, "--proxy", strings.TrimSuffix(w.dapp, "/"))
			} else {
				args = append(args, "--api-for", "https://api.hiro.so")
			}
			terminal, address := w.bridge(args...)
			w.play(mode, address, func() {
				if err := terminal.cmd.Process.Signal(syscall.SIGTERM); err != nil {
					t.Fatal(err)
				}
				if code := terminal.end(); code != 0 {
					t.Errorf("the bridge ends with %d: %s", code, terminal.stderr)
				}
				if reported := "asks faraway.invalid, which is not on this machine"; strings.Count(terminal.stderr.String(), reported) != 1 {
					t.Errorf("the terminal does not say once what leaves the machine: %s", terminal.stderr)
				}
				if reported := "/worker.js?quiet, whose requests are not seen"; strings.Contains(terminal.stderr.String(), reported) != (mode == "script") {
					t.Errorf("of a worker that is not seen the terminal says: %s", terminal.stderr)
				}
			})
			checkCalls(t, calls)
		})
	}
}

// checkCalls reads what the bridge wrote down.
func checkCalls(t *testing.T, file string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	for _, line := range lines {
		var call struct{ Origin, Method string }
		if err := json.Unmarshal([]byte(line), &call); err != nil || call.Origin == "" || call.Method == "" {
			t.Errorf("%v in %s", err, line)
		}
	}
	if len(lines) < 18 {
		t.Errorf("%d calls were written down", len(lines))
	}
}
