//go:build unix

package command

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"chainscope/tui/command/cli"
	"chainscope/wallet/keys"
)

// typist sits at a pseudo-terminal.
type typist struct {
	t      *testing.T
	master *os.File
	slave  *os.File
	screen *safeBuffer
	seen   int
	more   chan struct{}
}

// sitDown opens a terminal and the streams of a run on it.
func sitDown(t *testing.T) (*typist, cli.Streams, *safeBuffer) {
	t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := pty.Setsize(master, &pty.Winsize{Rows: 40, Cols: 90}); err != nil {
		t.Fatal(err)
	}
	p := &typist{t: t, master: master, slave: slave, screen: &safeBuffer{}, more: make(chan struct{}, 1)}
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
	return p, cli.Streams{In: slave, Out: out, Err: slave, Env: stateIn(t.TempDir())}, out
}

// waits until the screen shows a text that was not yet waited for.
func (p *typist) waits(text string) {
	p.t.Helper()
	deadline := time.After(derivation)
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

// taken waits until the program has read all that was typed. A terminal hands on what was
// typed after a moment, and shows it then, so the caller waits for that before.
func (p *typist) taken() {
	p.t.Helper()
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		unread := []unix.PollFd{{Fd: int32(p.slave.Fd()), Events: unix.POLLIN}}
		if _, err := unix.Poll(unread, 0); err == nil && unread[0].Revents&unix.POLLIN == 0 {
			return
		}
	}
	p.t.Fatal("what was typed is never read")
}

func start(ctx context.Context, streams cli.Streams, args ...string) chan int {
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

func TestFeeAndNonceAreEditedAndThePromptReturns(t *testing.T) {
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

func TestAtTheBridgeWhatWasTypedBeforeTheQuestionDoesNotAnswerIt(t *testing.T) {
	p, streams, _ := sitDown(t)
	b := p.bridge(streams)
	for range 2 {
		p.types("a")
		p.waits("a\r\n")
	}
	p.taken()
	answers := make(chan envelope, 1)
	go func() { answers <- b.call("https://app.example", "stx_signMessage", `{"message":"hello"}`) }()
	p.waits("[a/b/N] ")
	p.types("no")
	select {
	case e := <-answers:
		if e.Error == nil {
			t.Error("it was allowed")
		}
	case <-time.After(derivation):
		t.Errorf("the page gets no answer, the terminal shows %s", p.screen)
	}
}

// bridge starts a bridge at the terminal.
func (p *typist) bridge(streams cli.Streams, args ...string) *serving {
	out := &firstLine{line: make(chan string, 1)}
	streams.Out = out
	code := start(p.t.Context(), streams, append([]string{"bridge", "--addr", "127.0.0.1:0", "--no-color"}, args...)...)
	p.t.Cleanup(func() {
		if got := <-code; got != 0 {
			p.t.Errorf("exit %d: %s", got, p.screen)
		}
	})
	if len(args) > 0 {
		p.waits("passphrase of the keystore: ")
		// As the key sends it: a line feed behind it could answer the next question.
		if _, err := p.master.WriteString("secret\r"); err != nil {
			p.t.Fatal(err)
		}
	}
	address, _ := strings.CutPrefix(<-out.line, "bridge listening on ")
	return &serving{t: p.t, address: address}
}

// newKeystore makes a keystore whose passphrase is "secret", which takes less work to open
// than those of the command.
func newKeystore(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "keystore")
	if _, err := (keys.Keystore{Path: path, WorkFactor: 4}).Create(keys.NewSecret("secret")); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestTheBridgePromptsForPassphraseOriginAndCall(t *testing.T) {
	p, streams, _ := sitDown(t)
	b := p.bridge(streams, "--keystore", newKeystore(t))
	answers := make(chan envelope, 1)
	go func() { answers <- b.call("https://app.example", "stx_signMessage", `{"message":"hello"}`) }()
	p.waits("[a/b/N] ")
	p.types("a")
	p.waits("approve? [a/N] ")
	p.types("a")
	if e := <-answers; e.Error != nil {
		t.Errorf("%+v", e.Error)
	}
}

func TestTheBridgePromptsForOriginAndCall(t *testing.T) {
	p, streams, _ := sitDown(t)
	b := p.bridge(streams)
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
}

// With a mock behind it, a question says how the transaction would end, and exact writes the
// post-conditions that let through just that.
func TestAPersonSeesTheForecastAndTakesItsConditions(t *testing.T) {
	mock := serveMock(t)
	p, streams, out := sitDown(t)
	code := start(t.Context(), streams, "wallet", "request", "stx_callContract", `{"contract":"SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.usda-token","functionName":"transfer",`+
		`"functionArgs":[{"type":"uint","value":"25000000"},{"type":"address","value":"SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J"},`+
		`{"type":"address","value":"SP3XHES5990FYDV5BHBZCJRFYFD2Z4X3FMD2N3MGH"},{"type":"none"}],"postConditions":[]}`, "--api", mock.address, "--no-color")
	p.waits("It would fail: ")
	p.waits("exact for the post-conditions of the forecast")
	p.waits("approve? [a/N] ")
	p.types("exact")
	p.waits("must send exactly 25000000 units of")
	p.waits("would hold")
	p.waits("It would succeed.")
	p.waits("(a approves; fee N or nonce N changes")
	p.waits("approve? [a/N] ")
	p.types("a")
	if got := <-code; got != 0 || !strings.Contains(out.String(), "txid") {
		t.Fatalf("exit %d: %s", got, p.screen)
	}
}
