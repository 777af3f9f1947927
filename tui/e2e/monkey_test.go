//go:build unix && monkey

package e2e

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	xterm "github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"
)

// round is the time that the monkey types at one process of the program.
const round = 20 * time.Second

// TestMonkey types at random at the program, built with the race detector: keys,
// words, pastes, bursts, mouse reports, rubbish, windows of any size, suspends and
// signals, calls of web pages, scenarios of the mock. From time to time the
// program has to answer, and at the end of each round the terminal has to be as it
// was. That it wrote nothing but what it may is checked for every byte.
//
//	go test -tags monkey ./tui/e2e -run TestMonkey -duration 60s -seed 1
func TestMonkey(t *testing.T) {
	seed := seedOfRun()
	t.Logf("-seed %d", seed)
	for end, n := time.Now().Add(*soakTime), uint64(0); time.Now().Before(end) && !t.Failed(); n++ {
		t.Run(fmt.Sprintf("round %d of seed %d", n, seed), func(t *testing.T) {
			newMonkey(t, rand.New(rand.NewPCG(seed, n))).round(min(round, time.Until(end)))
		})
	}
}

// monkey is one round at one process.
type monkey struct {
	*terminal
	*rand.Rand
	mock   *server
	bridge string
	shell  bool // a shell runs it, which can stop and continue it
	calls  sync.WaitGroup
	log    []string // what it did last
}

func newMonkey(t *testing.T, r *rand.Rand) *monkey {
	bridge := bridgeAddress(t, r)
	mock := serve(t, "127.0.0.1:0", "--block-interval", "2s", "--names", "20000")
	args := []string{"--api", "http://" + mock.Addr, "--timeout", "2s", "--bridge=" + bridge}
	if r.IntN(2) == 0 {
		args = append(args, "--mouse")
	}
	m := &monkey{Rand: r, mock: mock, bridge: bridge, shell: r.IntN(2) == 0}
	if m.shell {
		m.terminal = openInShell(t, 120, 40, args...)
	} else {
		m.terminal = open(t, 120, 40, args...)
	}
	m.mu.Lock()
	m.strict.copying, m.strict.palette, m.strict.echoes, m.shrinks = true, true, true, true
	m.mu.Unlock()
	m.shows("▶")
	return m
}

// bridgeAddress returns an address on which nothing listens. Its port is below those that
// the system gives to connections, one of which could take it before the bridge does.
func bridgeAddress(t *testing.T, r *rand.Rand) string {
	for range 100 {
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 20_000+r.IntN(10_000)))
		if err != nil {
			continue
		}
		defer l.Close()
		return l.Addr().String()
	}
	t.Fatal("no port is free")
	return ""
}

// did remembers what was done, for the report of a failure.
func (m *monkey) did(format string, args ...any) {
	m.log = append(m.log, fmt.Sprintf(format, args...))
	if len(m.log) > 40 {
		m.log = m.log[1:]
	}
}

// dump fails with what each goroutine of the program does.
func (m *monkey) dump() {
	screen := m.now()
	m.signal(syscall.SIGQUIT)
	m.signal(syscall.SIGCONT) // it may be stopped
	<-m.exited
	m.t.Fatalf("it does not answer; the screen is\n%s\n%s", screen, m.stderr.String())
}

func (m *monkey) round(d time.Duration) {
	defer func() {
		if m.t.Failed() {
			m.t.Logf("what it did last:\n%s", strings.Join(m.log, "\n"))
		}
	}()
	ctx, cancel := context.WithTimeout(m.t.Context(), d+patience)
	defer m.calls.Wait()
	defer cancel()
	next := time.Now().Add(3 * time.Second)
	for end := time.Now().Add(d); time.Now().Before(end); {
		select {
		case <-m.exited:
			m.t.Fatalf("the program ended with %d: %s", m.code, m.stderr.String())
		default:
		}
		m.act(ctx)
		if time.Now().After(next) {
			m.answers()
			next = time.Now().Add(3 * time.Second)
		}
		time.Sleep(time.Duration(m.IntN(30)) * time.Millisecond)
	}
	m.answers()
	m.ends()
}

// act does one thing. The weights are those of the user with a cat.
func (m *monkey) act(ctx context.Context) {
	m.foreground() // what was sent may have stopped it late
	switch n := m.IntN(100); {
	case n < 45:
		m.types(pick(m, keys))
	case n < 53:
		m.types(pick(m, words))
	case n < 60:
		m.paste()
	case n < 68:
		m.burst()
	case n < 76:
		m.mouse()
	case n < 82:
		m.window()
	case n < 86:
		m.rubbish()
	case n < 89:
		m.suspend()
	case n < 90:
		m.signals()
	case n < 91:
		m.freeze()
	case n < 94:
		name := pick(m, scenarios)
		m.did("scenario %s", name)
		m.mock.scenario(name)
	case n < 96:
		m.did("mine")
		m.post(ctx, m.mock.Addr+"/mock/v1/mine", fmt.Sprintf(`{"blocks":%d}`, 1+m.IntN(3)))
	default:
		m.page(ctx)
	}
}

func pick[T any](m *monkey, from []T) T { return from[m.IntN(len(from))] }

var (
	// Keys without q and ctrl+c, which quit. Those that move are there often.
	keys = append(strings.Split("j j j k k g G h l n p / ? : J i y e b B M m t T s z + _ R r c a d f o v u x w 0 1 2 3 4 5 < > { } [ ] - = .", " "),
		" ", enterKey, enterKey, enterKey, escapeKey, escapeKey, escapeKey, goToKey, "\t", "\x7f",
		"\x1b[A", "\x1b[B", "\x1b[B", "\x1b[C", "\x1b[D", "\x1b[H", "\x1b[F", "\x1b[5~", "\x1b[6~", "\x1b[Z",
		"\x04", "\x15", "\x17", "\x18", "\x19", "\x1bx", "\x1bOP", "\x1b[15~", "é", "你")
	words = []string{
		"btc", "872114", "latest", "burn-blocks latest", "muneeb.btc", "names podcast", "height:3000000",
		"SP2SYHR84SDJJDK8M09HFS4KBFXPPCX9H7RZ9YVTS.ft-full", hostileDeployer + "hostile-escapes", hostileDeployer + "hostile-nft::1",
		"stx_signMessage", "zzz!!", "0x" + strings.Repeat("ab", 32), `{"message":"hi"}`, "wallet", "1", "u1", "-5",
	}
	// What may come while the terminal is not ours: the system shows it.
	cooked    = append(strings.Split("j k G l f h 1 5 ? \x04 \x04 \x04 \x13", " "), "jk\x04\x04", "\x1b[A", escapeKey, enterKey)
	scenarios = []string{"healthy", "healthy", "healthy", "slow", "flaky", "limited", "down", "corrupt", "reorg"}
)

func (m *monkey) types(s string) {
	m.did("types %q", s)
	m.press(s)
}

func (m *monkey) paste() {
	text := strings.Repeat(pick(m, words)+"\r\n", 1+m.IntN(40))
	switch m.IntN(4) {
	case 0:
		m.did("paste of %d bytes that is not marked", len(text))
		m.press(strings.NewReplacer("q", "", "\r\n", " ").Replace(text))
	case 1:
		m.did("paste of %d bytes without an end", len(text))
		m.press("\x1b[200~" + text)
	default:
		m.did("paste of %d bytes", len(text))
		m.press("\x1b[200~" + text + "\x1b[201~")
	}
}

// burst sends more than a read takes.
func (m *monkey) burst() {
	unit := pick(m, []string{"\x1b[A", "\x1b[B", "j", "k", "\x1b[<65;30;12M", "\x1b[<64;30;12M", "\x1b[6~"})
	times := 1 + m.IntN(300)
	m.did("%d times %q", times, unit)
	m.press(strings.Repeat(unit, times))
}

func (m *monkey) mouse() {
	button, x, y := pick(m, []int{0, 0, 1, 2, 32, 64, 65}), 1+m.IntN(130), 1+m.IntN(45)
	m.did("mouse button %d at %d, %d", button, x, y)
	m.press(fmt.Sprintf("\x1b[<%d;%d;%dM\x1b[<%d;%d;%dm", button, x, y, button, x, y))
}

func (m *monkey) window() {
	width, height := 1+m.IntN(160), 1+m.IntN(60)
	if m.IntN(5) == 0 {
		width, height = 1, 1
	}
	m.did("window of %dx%d", width, height)
	m.resize(width, height)
}

// rubbish sends broken sequences and bytes that mean nothing, but nothing that
// quits.
func (m *monkey) rubbish() {
	b := make([]byte, 1+m.IntN(40))
	for i := range b {
		for b[i] = byte(m.IntN(256)); strings.IndexByte("q\x03\x1a\x1c", b[i]) >= 0; b[i] = byte(m.IntN(256)) {
		}
		if m.IntN(4) == 0 {
			b[i] = pick(m, []byte{0x1b, '[', ']', 'O', 'P', ';', '<', '~', 'M', 0x9b})
		}
	}
	m.did("rubbish %q", b)
	m.press(string(b))
}

// suspend stops the program and continues it. In a session of its own nothing can
// really stop it, in a shell it is a job. What is typed meanwhile the system shows
// itself, so only what it may show is typed.
func (m *monkey) suspend() {
	entered := m.entered()
	switch m.IntN(4) {
	case 0:
		m.types("\x1a")
	case 1:
		m.types("\x1a")
		time.Sleep(time.Duration(m.IntN(100)) * time.Millisecond)
	case 2:
		m.did("SIGTSTP")
		m.signal(syscall.SIGTSTP)
	default:
		m.did("SIGSTOP, SIGCONT")
		m.signal(syscall.SIGSTOP)
		time.Sleep(time.Duration(m.IntN(50)) * time.Millisecond)
		if !m.shell {
			m.types(pick(m, cooked))
		}
		m.signal(syscall.SIGCONT)
	}
	for range m.IntN(8) {
		m.types(pick(m, cooked))
		time.Sleep(time.Duration(m.IntN(30)) * time.Millisecond)
	}
	m.comesBack(entered)
}

// comesBack waits until the program has taken the terminal again, which a shell has
// to be told.
func (m *monkey) comesBack(entered int) {
	for end := time.Now().Add(2 * time.Second); m.entered() == entered && time.Now().Before(end); {
		if !m.shell {
			time.Sleep(10 * time.Millisecond)
			continue
		}
		m.foreground()
		time.Sleep(50 * time.Millisecond)
	}
}

// foreground tells the shell to continue the program, if it is stopped, until it has
// the terminal in its mode again.
func (m *monkey) foreground() {
	for end := time.Now().Add(patience); m.shell; time.Sleep(50 * time.Millisecond) {
		group, err := unix.IoctlGetInt(int(m.pty.Fd()), unix.TIOCGPGRP)
		now, stateErr := xterm.GetState(m.tty.Fd())
		if err != nil || stateErr != nil || group == m.job && !reflect.DeepEqual(now, m.before) {
			return
		}
		select {
		case <-m.exited:
			return
		default:
		}
		if time.Now().After(end) {
			m.dump()
		}
		if group != m.job {
			// First ctrl+q: ctrl+s may have come before the shell could speak.
			m.types("\x11" + pick(m, []string{"\nfg\n", "\nfg\n", "\nbg\n"}))
		}
	}
}

// signals sends signals that end nothing.
func (m *monkey) signals() {
	for range 1 + m.IntN(5) {
		s := pick(m, []syscall.Signal{syscall.SIGWINCH, syscall.SIGCONT, syscall.SIGCONT, syscall.SIGCHLD, syscall.SIGURG, syscall.SIGTTIN, syscall.SIGTTOU})
		m.did("%v", s)
		m.signal(s)
	}
}

// freeze lets the terminal take nothing for a moment, while keys go on.
func (m *monkey) freeze() {
	m.did("the terminal freezes")
	m.frozen.Lock()
	defer m.frozen.Unlock()
	for range m.IntN(20) {
		m.types(pick(m, keys))
		time.Sleep(time.Duration(m.IntN(30)) * time.Millisecond)
	}
}

// entered counts how often the program took the terminal.
func (m *monkey) entered() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return bytes.Count(m.raw.Bytes(), []byte("\x1b[?1049h"))
}

// ends ends the program in one of its ways, and checks that it does so in time.
func (m *monkey) ends() {
	end := pick(m, []struct {
		keys   string
		signal syscall.Signal
		code   int
	}{{"\x03", 0, 0}, {"", syscall.SIGTERM, 0}, {"", syscall.SIGHUP, 0}, {"", syscall.SIGINT, 130}, {"\x1a", syscall.SIGTERM, 0}})
	if end.keys != "" {
		m.types(end.keys)
	}
	if end.signal != 0 {
		m.did("%v", end.signal)
		m.signal(end.signal)
	}
	// It may stop before the signal reaches it, and ends when the shell continues it.
	for by := time.Now().Add(patience); time.Now().Before(by); time.Sleep(50 * time.Millisecond) {
		m.foreground()
		select {
		case <-m.exited:
		default:
			continue
		}
		break
	}
	m.ended(end.code)
}

// page calls the wallet as a web page does, and may leave before the answer.
func (m *monkey) page(ctx context.Context) {
	call := pick(m, []string{
		`"stx_signMessage","params":{"message":"a \u202e message"}`,
		`"getAddresses","params":{}`,
		`"stx_transferStx","params":{"recipient":"SP2SYHR84SDJJDK8M09HFS4KBFXPPCX9H7RZ9YVTS","amount":"1"}`,
		`"nothing"`,
	})
	patience := time.Duration(100+m.IntN(10_000)) * time.Millisecond
	m.did("a page calls %s", call)
	m.calls.Go(func() {
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		m.post(ctx, m.bridge+"/rpc", `{"jsonrpc":"2.0","id":1,"method":`+call+`}`)
	})
}

// post sends JSON and does not care for the answer.
func (m *monkey) post(ctx context.Context, to, body string) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+to, strings.NewReader(body))
	if err != nil {
		m.t.Error(err)
		return
	}
	request.Header.Set("Content-Type", "application/json")
	if to == m.bridge+"/rpc" {
		request.Header.Set("Origin", "http://localhost:5555")
	}
	if answer, err := http.DefaultClient.Do(request); err == nil {
		_ = answer.Body.Close()
	}
}

// answers checks that the program still lives: whatever is open can be closed,
// and the go-to box opens and takes a word.
func (m *monkey) answers() {
	m.t.Helper()
	m.foreground()
	m.mock.scenario("healthy")
	m.resize(119, 39)
	time.Sleep(50 * time.Millisecond)
	m.resize(120, 40)
	probe := fmt.Sprintf("alive%d", m.IntN(1_000_000))
	m.did("has to answer %s", probe)
	since, end := time.Now(), time.Now().Add(patience-time.Second)
	m.until("it answers", func(screen string) bool {
		if strings.Contains(screen, probe) {
			return true
		}
		if time.Now().After(end) {
			m.dump()
			return true
		}
		// A paste without an end swallows keys for a second, and a dialog may
		// come up at any time: try again and again, with pauses.
		if time.Since(since) > 1500*time.Millisecond {
			since = time.Now()
			for range 6 {
				m.press(escapeKey)
				time.Sleep(80 * time.Millisecond)
			}
			m.press(goToKey)
			time.Sleep(80 * time.Millisecond)
			m.press(probe)
		}
		time.Sleep(20 * time.Millisecond)
		m.foreground()
		m.poke()
		return false
	})
	for range 3 {
		m.press(escapeKey)
		time.Sleep(80 * time.Millisecond)
	}
}
