package command

import (
	"encoding/json"
	"errors"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/rogpeppe/go-internal/testscript"

	"chainscope/mockserver"
	"chainscope/mockserver/engine/enginetest"
)

// asProgram makes the test binary the program.
const asProgram = "COMMAND_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	enginetest.ServeIfRequested()
	if os.Getenv(asProgram) != "" {
		os.Exit(Main(os.Args[1:]))
	}
	// Most of what these tests do is to wait for programs that they start.
	_ = flag.Set("test.parallel", "8") // before the command line is read, which may say another
	testscript.Main(m, map[string]func(){
		"chainscope": func() { os.Exit(Main(os.Args[1:])) },
	})
}

// besides are the scripts whose commands do several things at a time.
var besides = []string{"blocks", "bridge", "check", "contracts", "faults", "transactions", "wallet_request"}

// TestStories runs the scripts of testdata/script against the built command. The short run,
// which is for the race detector, leaves out those whose commands do one thing after another.
func TestStories(t *testing.T) {
	var files []string
	for _, name := range besides {
		files = append(files, "testdata/script/"+name+".txtar")
	}
	if !testing.Short() {
		all, err := filepath.Glob("testdata/script/*.txtar")
		if err != nil {
			t.Fatal(err)
		}
		files = all
	}
	testscript.Run(t, testscript.Params{
		Files:               files,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"} {
				env.Setenv(name, env.WorkDir+"/home")
			}
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits":     exits,
			"errorkind": errorKind,
			"jsonlen":   jsonLength,
			"printable": printable,
			"pastes":    pastes,
			"serves":    serves,
			"asks":      asks,
		},
	})
}

// exits CODE COMMAND… runs a command that must end with that code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND…")
	}
	got := 0
	var failed *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &failed) {
		got = failed.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit code %d, want %s", got, args[0])
	}
}

// errorkind KIND [STATUS] checks that stdout is empty and stderr is one error
// object of that kind, with nothing but the keys agreed on.
func errorKind(ts *testscript.TestScript, neg bool, args []string) {
	if out := ts.ReadFile("stdout"); out != "" {
		ts.Fatalf("stdout holds %q", out)
	}
	stderr := ts.ReadFile("stderr")
	if strings.Count(stderr, "\n") != 1 || !strings.HasSuffix(stderr, "\n") {
		ts.Fatalf("stderr is not one line: %q", stderr)
	}
	var object struct {
		Error   map[string]any `json:"error"`
		Notices []string       `json:"notices"`
	}
	d := json.NewDecoder(strings.NewReader(stderr))
	d.DisallowUnknownFields()
	ts.Check(d.Decode(&object))
	e := object.Error
	for key := range e {
		if !slices.Contains([]string{"kind", "message", "status", "retry_after", "code", "data"}, key) {
			ts.Fatalf("unknown key %s", key)
		}
	}
	if e["kind"] != args[0] || e["message"] == "" || e["message"] == nil {
		ts.Fatalf("stderr holds %s, want kind %s", stderr, args[0])
	}
	switch status, has := e["status"]; {
	case len(args) > 1 && (!has || strconv.Itoa(int(status.(float64))) != args[1]):
		ts.Fatalf("status %v, want %s", status, args[1])
	case len(args) == 1 && has:
		ts.Fatalf("status %v, want none", status)
	}
}

// pastes CODE [WORD…] runs the line that the last error offers, with further words at its
// end, as it would run in a shell. It must end with that code.
func pastes(ts *testscript.TestScript, neg bool, args []string) {
	_, line, offered := strings.Cut(ts.ReadFile("stderr"), "try: ")
	line, rest, _ := strings.Cut(line, "\n")
	switch {
	case neg || len(args) < 1:
		ts.Fatalf("usage: pastes CODE [WORD…]")
	case !offered || rest != "" || !strings.HasPrefix(line, "chainscope "):
		ts.Fatalf("the error does not end with a line to paste: %s", ts.ReadFile("stderr"))
	}
	ts.Logf("[pasted] %s", line)
	exits(ts, false, []string{args[0], "sh", "-c", strings.Join(append([]string{line}, args[1:]...), " ")})
}

// serves NAME mock|page sets a variable to the host and port of a mock, or of a server that
// has nothing to do with the API.
func serves(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: serves NAME mock|page")
	}
	handler := http.NotFoundHandler()
	if args[1] == "mock" {
		mock, err := mockserver.New(mockserver.Config{})
		ts.Check(err)
		ts.Defer(func() { _ = mock.Close() })
		handler = mock
	}
	server := httptest.NewServer(handler)
	ts.Defer(server.Close)
	ts.Setenv(args[0], strings.TrimPrefix(server.URL, "http://"))
}

// asks ORIGIN FILE asks the bridge, whose first line of output is in a file, for addresses as
// a page of that origin does.
func asks(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: asks ORIGIN FILE")
	}
	address := ""
	for address == "" {
		_, address, _ = strings.Cut(strings.TrimSpace(ts.ReadFile(args[1])), "listening on ")
		time.Sleep(10 * time.Millisecond)
	}
	r, err := http.NewRequest(http.MethodPost, address+"/rpc", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"getAddresses"}`))
	ts.Check(err)
	r.Header.Set("Origin", args[0])
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	ts.Check(err)
	ts.Check(answer.Body.Close())
}

// jsonlen N [KEY] checks the length of the array on stdout, or of a member's.
func jsonLength(ts *testscript.TestScript, neg bool, args []string) {
	raw := json.RawMessage(ts.ReadFile("stdout"))
	if len(args) > 1 {
		var object map[string]json.RawMessage
		ts.Check(json.Unmarshal(raw, &object))
		raw = object[args[1]]
	}
	var list []json.RawMessage
	ts.Check(json.Unmarshal(raw, &list))
	if strconv.Itoa(len(list)) != args[0] {
		ts.Fatalf("%d elements, want %s", len(list), args[0])
	}
}

// printable FILE… checks that a terminal would obey no character of a file.
func printable(ts *testscript.TestScript, neg bool, args []string) {
	for _, file := range args {
		for i, r := range ts.ReadFile(file) {
			if r != '\n' && !unicode.IsPrint(r) {
				ts.Fatalf("%s holds %q at byte %d", file, r, i)
			}
		}
	}
}
