//go:build unix

package command

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// typist sits at a pseudo-terminal.
type typist struct {
	t      *testing.T
	master *os.File
	screen *safeBuffer
	seen   int
	more   chan struct{}
}

// sitDown opens a terminal and the streams of a run on it.
func sitDown(t *testing.T) (*typist, Streams, *safeBuffer) {
	t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := pty.Setsize(master, &pty.Winsize{Rows: 40, Cols: 90}); err != nil {
		t.Fatal(err)
	}
	p := &typist{t: t, master: master, screen: &safeBuffer{}, more: make(chan struct{}, 1)}
	t.Cleanup(func() { slave.Close(); master.Close() })
	go func() {
		buffer := make([]byte, 4096)
		for {
			n, err := master.Read(buffer)
			p.screen.Write(buffer[:n])
			select {
			case p.more <- struct{}{}:
			default:
			}
			if err != nil {
				return
			}
		}
	}()
	out := &safeBuffer{}
	return p, Streams{In: slave, Out: out, Err: slave, Env: stateIn(t.TempDir())}, out
}

// waits until the screen shows a text that was not yet waited for.
func (p *typist) waits(text string) {
	p.t.Helper()
	deadline := time.After(10 * time.Second)
	for {
		shown := p.screen.String()
		if i := strings.Index(shown[p.seen:], text); i >= 0 {
			p.seen += i + len(text)
			return
		}
		select {
		case <-p.more:
		case <-deadline:
			p.t.Fatalf("the terminal never shows %q: %s", text, shown)
		}
	}
}

func (p *typist) types(line string) {
	p.t.Helper()
	if _, err := p.master.WriteString(line + "\n"); err != nil {
		p.t.Fatal(err)
	}
}

func start(ctx context.Context, streams Streams, args ...string) chan int {
	code := make(chan int, 1)
	go func() { code <- Run(ctx, args, streams) }()
	return code
}

func TestAPersonApprovesOnTheTerminal(t *testing.T) {
	for answer, want := range map[string]int{"a": 0, "A": 0, "": 7, "y": 7, "approve": 7} {
		p, streams, out := sitDown(t)
		code := start(t.Context(), streams, "wallet", "request", "stx_transferStx", rentParams, "--no-color")
		for _, line := range []string{"Send STX", "1.5 STX (1,500,000 micro-STX)", "ST3AB6B5T5C6JBWQNDQWR1QB9E3R75T2P01B157A", "memo", "rent", "default", "testnet", "approve? [a/N] "} {
			p.waits(line)
		}
		p.types(answer)
		if got := <-code; got != want || strings.Contains(out.String(), "txid") != (want == 0) {
			t.Errorf("after %q: exit %d, stdout %s", answer, got, out)
		}
	}
}

func TestAPersonEditsFeeAndNonceAndIsAskedAgain(t *testing.T) {
	p, streams, out := sitDown(t)
	code := start(t.Context(), streams, "wallet", "request", "stx_transferStx", rentParams, "--no-color")
	p.waits("approve? [a/N] ")
	p.types("fee 4,000")
	p.waits("0.004 STX (4,000 micro-STX, edited)")
	p.waits("approve? [a/N] ")
	p.types("nonce x")
	p.waits("nonce is a whole number")
	p.waits("approve? [a/N] ")
	p.types("nonce 12")
	p.waits("12 (edited)")
	p.waits("approve? [a/N] ")
	p.types("a")
	if got := <-code; got != 0 {
		t.Fatalf("exit %d: %s", got, p.screen)
	}
	var transaction string
	if _, after, ok := strings.Cut(out.String(), `"transaction":"`); ok {
		transaction, _, _ = strings.Cut(after, `"`)
	}
	_, explained, _ := run(t, t.Context(), "wallet", "decode", transaction, "-o", "json")
	if !strings.Contains(explained, `"fee":"4000"`) || !strings.Contains(explained, `"nonce":"12"`) {
		t.Errorf("signed: %s", explained)
	}
}

// typing sends a line when a question is printed.
type typing struct{ lines chan string }

func (t typing) Write(p []byte) (int, error) {
	t.lines <- "no"
	return len(p), nil
}

func TestAtTheBridgeWhatWasTypedBeforeTheQuestionDoesNotAnswerIt(t *testing.T) {
	lines := make(chan string, 4)
	lines <- "a"
	lines <- "a"
	p := &prompter{out: typing{lines}, lines: lines, fresh: true}
	if answer, err := p.ask(t.Context(), "?"); err != nil || answer != "no" {
		t.Errorf("answered %q, %v", answer, err)
	}
}

func TestAPersonAtTheBridgeIsAskedForOriginAndCall(t *testing.T) {
	p, streams, _ := sitDown(t)
	out := &firstLine{line: make(chan string, 1)}
	streams.Out = out
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	code := start(ctx, streams, "bridge", "--addr", "127.0.0.1:0", "--no-color")
	address, _ := strings.CutPrefix(<-out.line, "bridge listening on ")
	b := &serving{t: t, address: address}
	answers := make(chan envelope, 1)
	call := func(origin, method, params string) { go func() { answers <- b.call(origin, method, params) }() }

	call("https://app.example", "stx_signMessage", `{"message":"hello \u202e"}`)
	p.waits("https://app.example wants to talk to the wallet")
	p.waits("[a/b/N] ")
	p.types("a")
	p.waits("https://app.example asks")
	p.waits("Sign a message")
	p.waits(`hello \u202e`)
	p.waits("approve? [a/N] ")
	p.types("a")
	if e := <-answers; e.Error != nil {
		t.Errorf("%+v", e.Error)
	}

	call("https://app.example", "stx_signMessage", `{"message":"again"}`)
	p.waits("again")
	p.waits("approve? [a/N] ")
	p.types("")
	if e := <-answers; e.code() != -32000 {
		t.Errorf("%+v", e.Error)
	}

	call("https://evil.example", "getAddresses", `{}`)
	p.waits("https://evil.example wants")
	p.waits("[a/b/N] ")
	p.types("b")
	if e := <-answers; e.code() != -32002 {
		t.Errorf("%+v", e.Error)
	}
	call("https://evil.example", "getAddresses", `{}`)
	if e := <-answers; e.code() != -32002 {
		t.Errorf("%+v", e.Error)
	}
	cancel()
	if got := <-code; got != 0 {
		t.Errorf("exit %d: %s", got, p.screen)
	}
}
