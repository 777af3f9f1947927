//go:build unix && monkey

package e2e

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

var (
	monkeyTime = flag.Duration("duration", time.Minute, "how long the monkey types")
	monkeySeed = flag.Uint64("seed", 0, "what the monkey types; 0 is another seed each time")
)

// round is how long the monkey types at one process of the program.
const round = 20 * time.Second

// TestMonkey types at random at the program, built with the race detector: keys,
// words, pastes, bursts, mouse reports, rubbish, windows of any size, signals of
// job control, calls of web pages, scenarios of the mock. From time to time the
// program has to answer, and at the end of each round the terminal has to be as it
// was. That it wrote nothing but what it may is checked for every byte.
//
//	go test -tags monkey ./tui/e2e -run TestMonkey -duration 60s -seed 1
func TestMonkey(t *testing.T) {
	seed := *monkeySeed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	t.Logf("-seed %d", seed)
	for end, n := time.Now().Add(*monkeyTime), uint64(0); time.Now().Before(end) && !t.Failed(); n++ {
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
	calls  sync.WaitGroup
	log    []string // what it did last
}

func newMonkey(t *testing.T, r *rand.Rand) *monkey {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	bridge := l.Addr().String()
	_ = l.Close()
	mock := serve(t, "127.0.0.1:0", "--block-interval", "2s", "--names", "20000")
	args := []string{"--api", "http://" + mock.Addr, "--timeout", "2s", "--bridge=" + bridge}
	if r.IntN(2) == 0 {
		args = append(args, "--mouse")
	}
	m := &monkey{Rand: r, mock: mock, bridge: bridge, terminal: open(t, 120, 40, args...)}
	m.mu.Lock()
	m.strict.copying, m.strict.palette, m.shrinks = true, true, true
	m.mu.Unlock()
	m.shows("live")
	return m
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
	_ = m.cmd.Process.Signal(syscall.SIGQUIT)
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
	m.press("\x03")
	m.ended(0)
}

// act does one thing. The weights are those of a person with a cat.
func (m *monkey) act(ctx context.Context) {
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
		m.jobControl()
	case n < 93:
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

// jobControl stops and continues the program, where nothing can really stop it.
// While it gives the terminal back, the system would echo what is typed.
func (m *monkey) jobControl() {
	entered := m.entered()
	defer func() {
		for end := time.Now().Add(2 * time.Second); m.entered() == entered && time.Now().Before(end); {
			time.Sleep(10 * time.Millisecond)
		}
	}()
	switch m.IntN(3) {
	case 0:
		m.types("\x1a")
	case 1:
		m.did("SIGTSTP")
		_ = m.cmd.Process.Signal(syscall.SIGTSTP)
	default:
		m.did("SIGSTOP, SIGCONT")
		_ = m.cmd.Process.Signal(syscall.SIGSTOP)
		time.Sleep(time.Duration(m.IntN(50)) * time.Millisecond)
		_ = m.cmd.Process.Signal(syscall.SIGCONT)
	}
}

// entered counts how often the program took the terminal.
func (m *monkey) entered() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return bytes.Count(m.raw.Bytes(), []byte("\x1b[?1049h"))
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
		m.poke()
		return false
	})
	for range 3 {
		m.press(escapeKey)
		time.Sleep(80 * time.Millisecond)
	}
}
