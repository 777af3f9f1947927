//go:build unix

package command

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"chainscope/tui/command/cli"
)

// namedPath is something that a flag can name, made in a folder of the test's own.
type namedPath struct {
	path string
	// read returns what was written to it.
	read func() string
}

func newNamedPath(t *testing.T, kind, content string) namedPath {
	t.Helper()
	p := namedPath{path: filepath.Join(t.TempDir(), "it.cast")}
	target := filepath.Join(t.TempDir(), "target")
	p.read = func() string { text, _ := os.ReadFile(p.path); return string(text) }
	stream := func(file *os.File) {
		got, over := &safeBuffer{}, make(chan struct{})
		t.Cleanup(func() { close(over); file.Close() })
		go func() { // a pipe and a device hold little
			text := make([]byte, 1<<14)
			for {
				n, err := file.Read(text)
				got.Write(text[:n])
				select {
				case <-over:
					return
				case <-time.After(map[bool]time.Duration{true: 5 * time.Millisecond}[err != nil]):
				}
			}
		}()
		p.read = func() string {
			for range 500 {
				if got.String() != "" {
					break
				}
				time.Sleep(10 * time.Millisecond)
			}
			return got.String()
		}
	}
	var err error
	switch kind {
	case "file":
		err = os.WriteFile(p.path, []byte(content), 0o600)
	case "link":
		err = errors.Join(os.WriteFile(target, []byte(content), 0o600), os.Symlink(target, p.path))
	case "directory":
		err = os.Mkdir(p.path, 0o700)
	case "pipe":
		if err = unix.Mkfifo(p.path, 0o600); err == nil {
			file, opened := os.OpenFile(p.path, os.O_RDONLY|unix.O_NONBLOCK, 0)
			stream(file)
			err = opened
		}
	case "device":
		master, device, opened := pty.Open()
		if opened != nil {
			t.Fatal(opened)
		}
		t.Cleanup(func() { device.Close() })
		err = os.Symlink(device.Name(), p.path)
		stream(master)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Each flag that names what is written, as each kind of thing: "writes" is what is in
// it afterwards, "" where the kind is refused in words that name the path.
func TestAPathThatAFlagNamesStaysWhatItIs(t *testing.T) {
	mock := serveMock(t)
	upstream := answering(t, func(w http.ResponseWriter, _ *http.Request) { jsonAnswer(w, 200, `{"live":true}`) })
	pass := filepath.Join(t.TempDir(), "pass")
	if err := os.WriteFile(pass, []byte("secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	sealed, err := os.ReadFile(newKeystore(t))
	if err != nil {
		t.Fatal(err)
	}
	served := func(t *testing.T, prefix, request string, args ...string) (int, string) {
		ctx, end := context.WithCancel(t.Context())
		defer end()
		out, errs := &firstLine{line: make(chan string, 1)}, &safeBuffer{}
		code := start(ctx, cli.Streams{In: strings.NewReader(""), Out: out, Err: errs, Env: stateIn(t.TempDir())}, args...)
		select {
		case line := <-out.line:
			address, _ := strings.CutPrefix(line, prefix)
			if method, path, _ := strings.Cut(request, " "); path != "" {
				fetch(t, method, address+path, `{"blocks":1}`)
			} else if e := (&serving{t: t, address: address}).call(dapp, request, `{"message":"hello"}`); e.Error != nil {
				t.Errorf("%+v", e.Error)
			}
			end()
			return <-code, errs.String()
		case code := <-code:
			return code, errs.String()
		}
	}
	for _, c := range []struct {
		flag    string
		before  string // content of a file
		writes  string
		refused string // kinds
		keeps   bool   // a file that is there is not written at all
		do      func(t *testing.T, path string) (int, string)
	}{
		{flag: "--report", before: "old", writes: `"ok": true`, refused: "directory", do: func(t *testing.T, path string) (int, string) {
			return served(t, "bridge listening on ", "stx_signMessage", "bridge", "--addr", "127.0.0.1:0", "--approve", "always", "--report", path)
		}},
		{flag: "--calls", before: "old\n", writes: "stx_signMessage", refused: "directory", do: func(t *testing.T, path string) (int, string) {
			return served(t, "bridge listening on ", "stx_signMessage", "bridge", "--addr", "127.0.0.1:0", "--approve", "always", "--calls", path)
		}},
		{flag: "--log-file", before: "old\n", writes: `"msg":"exchange"`, refused: "directory", do: func(t *testing.T, path string) (int, string) {
			code, _, stderr := run(t, t.Context(), "blocks", "--limit", "1", "--api", mock.address, "--log-file", path)
			return code, stderr
		}},
		{flag: "--state", writes: `"do":"mine"`, refused: "directory pipe device", do: func(t *testing.T, path string) (int, string) {
			return served(t, "mock API listening on ", "POST /mock/v1/mine", "mock", "--addr", "127.0.0.1:0", "--state", path)
		}},
		{flag: "--record", refused: "file link pipe device", do: func(t *testing.T, path string) (int, string) {
			return served(t, "mock API listening on ", "GET /v2/info", "mock", "--addr", "127.0.0.1:0", "--upstream", upstream, "--record", path)
		}},
		{flag: "demo --record", before: "old", writes: `"version":2`, refused: "directory", do: func(t *testing.T, path string) (int, string) {
			code, _, stderr := run(t, t.Context(), "demo", "explore", "--record", path)
			return code, stderr
		}},
		{flag: "a keystore that is there", before: string(sealed), writes: "AGE ENCRYPTED FILE", refused: "directory pipe device", do: func(t *testing.T, path string) (int, string) {
			code, _, stderr := run(t, t.Context(), "wallet", "keystore", "passphrase", "--keystore", path, "--keystore-passphrase-file", pass, "--new-passphrase-file", pass)
			return code, stderr
		}},
		{flag: "a new keystore", before: "old", refused: "file link directory pipe device", do: func(t *testing.T, path string) (int, string) {
			code, _, stderr := run(t, t.Context(), "wallet", "keystore", "create", "--keystore", path, "--keystore-passphrase-file", pass)
			return code, stderr
		}},
		{flag: "keystore export", before: "old", refused: "file link directory pipe device", do: func(t *testing.T, path string) (int, string) {
			keystore := newKeystore(t)
			code, _, stderr := run(t, t.Context(), "wallet", "keystore", "export", "--keystore", keystore, "--keystore-passphrase-file", pass, path)
			return code, stderr
		}},
	} {
		for _, kind := range []string{"file", "link", "directory", "pipe", "device"} {
			t.Run(c.flag+"/"+kind, func(t *testing.T) {
				t.Parallel()
				p := newNamedPath(t, kind, c.before)
				before, err := os.Lstat(p.path)
				if err != nil {
					t.Fatal(err)
				}
				var code int
				var stderr string
				done := make(chan struct{})
				go func() { defer close(done); code, stderr = c.do(t, p.path) }()
				select {
				case <-done:
				case <-time.After(derivation):
					t.Fatal("the command never ended")
				}
				if strings.Contains(c.refused, kind) {
					if code == 0 || !strings.Contains(stderr, p.path) {
						t.Errorf("exit code %d, %q", code, stderr)
					}
					if kind == "file" && p.read() != c.before {
						t.Errorf("it holds %q", p.read())
					}
				} else if got := p.read(); code != 0 || !strings.Contains(got, c.writes) {
					t.Errorf("exit code %d, %q, it holds %q", code, stderr, got)
				}
				if after, err := os.Lstat(p.path); err != nil || after.Mode() != before.Mode() {
					t.Errorf("it was %v and is %v, %v", before.Mode(), after, err)
				}
			})
		}
	}
}
