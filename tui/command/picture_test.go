package command

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chainscope/mockserver"
	"chainscope/tui/film"
	"chainscope/tui/internal/uitest"
)

// answersScript holds what the picture of a run in CI plays.
const answersScript = `- expect: getAddresses
  answer: approve
- expect: stx_transferStx
  with: {amount: 1500000}
  answer: approve
- expect: stx_signMessage
  answer: reject
`

// The picture of a run in CI: what the bridge says and writes while a page asks it.
func TestThePictureShowsARunInCI(t *testing.T) {
	calls := filepath.Join(t.TempDir(), "calls.jsonl")
	b := serveBridge(t, "--script", write(t, "answers.yaml", answersScript), "--calls", calls)
	b.call(dapp, "getAddresses", `{}`)
	b.call(dapp, "stx_transferStx", `{"recipient":"SP3XHES5990FYDV5BHBZCJRFYFD2Z4X3FMD2N3MGH","amount":"1500000","memo":"rent"}`)
	b.call(dapp, "stx_deployContract", `{"name":"surprise","clarityCode":"(ok true)"}`)
	meanwhile := b.errs.String()
	code := b.end()

	p := &session{}
	p.types("cat answers.yaml")
	for line := range strings.Lines(answersScript) {
		p.says("\x1b[36m" + strings.TrimRight(line, "\n") + "\x1b[m")
	}
	p.types("chainscope bridge --script answers.yaml --calls calls.jsonl & bridge=$!")
	p.says("bridge listening on http://127.0.0.1:3998")
	p.types("npx playwright test        \x1b[22;90m# a dapp with @stacks/connect asks three times")
	p.complains(meanwhile)
	p.types("jq -c '[.method, .shown.transfer, .answer.error]' calls.jsonl")
	for _, line := range calledIn(t, calls) {
		p.says(line)
	}
	p.types("kill -TERM $bridge; wait $bridge; echo $?")
	p.complains(strings.TrimPrefix(b.errs.String(), meanwhile))
	p.says(fmt.Sprint(code))
	p.keeps(t, "../../docs/ci.svg", "a dapp in CI")
}

// session holds what a terminal shows of some commands.
type session struct{ strings.Builder }

func (s *session) says(line string) { fmt.Fprintf(s, " %s\n", line) }

func (s *session) types(command string) { s.says("\x1b[32m$\x1b[m \x1b[1m" + command + "\x1b[m") }

func (s *session) complains(said string) {
	for line := range strings.Lines(said) {
		s.says("\x1b[31m" + strings.TrimRight(line, "\n") + "\x1b[m")
	}
}

// keeps keeps what the terminal shows as a picture.
func (s *session) keeps(t *testing.T, path, title string) {
	t.Helper()
	frame := strings.TrimRight(s.String(), "\n")
	uitest.Document(t, path, func(string) string {
		return film.Picture(frame, 120, strings.Count(frame, "\n")+1, title, film.DarkTerminal)
	})
}

// calledIn returns the calls in a file, a line each.
func calledIn(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.Lines(string(text)) {
		var c struct {
			Method string
			Shown  struct{ Transfer *json.RawMessage }
			Answer struct{ Error *json.RawMessage }
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		row, err := json.Marshal([]any{c.Method, c.Shown.Transfer, c.Answer.Error})
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(row))
	}
	return out
}

// The picture of the routes: what check finds on a mock of two versions of the API.
func TestThePictureShowsWhatCheckFinds(t *testing.T) {
	p := &session{}
	for _, version := range []string{"8", "sunset"} {
		server, err := mockserver.New(mockserver.Config{Seed: 1, Freeze: &pictured, APIVersion: version})
		if err != nil {
			t.Fatal(err)
		}
		mock := httptest.NewServer(server)
		code, stdout, stderr := run(t, t.Context(), "check", mock.URL)
		mock.Close()
		if err := server.Close(); err != nil || code != map[string]int{"8": 0, "sunset": 1}[version] {
			t.Fatalf("exit %d, %v: %s", code, err, stderr)
		}
		p.types("chainscope mock --api-version " + version + " &")
		p.types("chainscope check http://127.0.0.1:3999")
		for line := range strings.Lines(strings.ReplaceAll(stdout, mock.URL, "http://127.0.0.1:3999")) {
			p.says(strings.TrimRight(line, "\n"))
		}
		p.complains(stderr)
		if code == 0 {
			p.says("")
		}
	}
	p.keeps(t, "../../docs/routes.svg", "the routes that a server has")
}

// pictured is the time on the clock of a picture.
var pictured = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
