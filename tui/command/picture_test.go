package command

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chainscope/tui/film"
	"chainscope/tui/internal/uitest"
)

// answersScript is what the picture of a run in CI plays.
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

	var screen strings.Builder
	say := func(line string) { fmt.Fprintf(&screen, " %s\n", line) }
	types := func(command string) { say("\x1b[32m$\x1b[m \x1b[1m" + command + "\x1b[m") }
	types("cat answers.yaml")
	for line := range strings.Lines(answersScript) {
		say("\x1b[36m" + strings.TrimRight(line, "\n") + "\x1b[m")
	}
	types("chainscope bridge --script answers.yaml --calls calls.jsonl & bridge=$!")
	say("bridge listening on http://127.0.0.1:3998")
	types("npx playwright test        \x1b[22;90m# a dapp with @stacks/connect asks three times")
	complain := func(said string) {
		for line := range strings.Lines(said) {
			say("\x1b[31m" + strings.TrimRight(line, "\n") + "\x1b[m")
		}
	}
	complain(meanwhile)
	types("jq -c '[.method, .shown.transfer, .answer.error]' calls.jsonl")
	for _, line := range calledIn(t, calls) {
		say(line)
	}
	types("kill -TERM $bridge; wait $bridge; echo $?")
	complain(strings.TrimPrefix(b.errs.String(), meanwhile))
	say(fmt.Sprint(code))
	frame := strings.TrimRight(screen.String(), "\n")
	uitest.Document(t, "../../docs/ci.svg", func(string) string {
		return film.Picture(frame, 120, strings.Count(frame, "\n")+1, "a dapp in CI", film.DarkTerminal)
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
