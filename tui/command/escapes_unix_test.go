//go:build unix

package command

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"chainscope/mockserver"
	"chainscope/tui/command/cli"
	"chainscope/tui/internal/uitest"
)

// harm ends every text of the server that is no id, number or word of the protocol: what a
// terminal obeys, what turns the order of letters, and a line that is not the program's.
const harm = "\x1b[2J\x1b]0;mine\x07\u009b31m\u202e\rovertyped\x00"

// plainText are the texts that stay as they are: without them there is no answer to show.
var plainText = regexp.MustCompile(`^(|0x[0-9a-fA-F]*|-?[0-9.]+|S[PMTN][0-9A-Z]{20}.*|\d{4}-\d\d-\d\dT.*)$`)

// protocolWords are the fields whose words are not free.
var protocolWords = []string{"tx_type", "tx_status", "type", "status", "event_type", "asset_event_type", "cursor", "next", "previous", "prev_cursor", "next_cursor", "current"}

func hostile(v any, field string) any {
	switch v := v.(type) {
	case map[string]any:
		for name, one := range v {
			v[name] = hostile(one, name)
		}
	case []any:
		for i := range v {
			v[i] = hostile(v[i], field)
		}
	case string:
		if !plainText.MatchString(v) && !slices.Contains(protocolWords, field) {
			return v + harm
		}
	}
	return v
}

// hostileAPI returns the mock with such texts; where fails is set every answer is a failure with one.
func hostileAPI(t *testing.T, mock http.Handler, fails int) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := httptest.NewRecorder()
		mock.ServeHTTP(answer, r)
		var body any
		d := json.NewDecoder(bytes.NewReader(answer.Body.Bytes()))
		d.UseNumber()
		raw := answer.Body.Bytes()
		if d.Decode(&body) == nil {
			raw, _ = json.Marshal(hostile(body, ""))
		}
		w.Header().Set("Content-Type", "application/json")
		if fails != 0 {
			raw, _ = json.Marshal(map[string]string{"error": "no " + harm, "message": harm})
			answer.Code = fails
		}
		w.WriteHeader(answer.Code)
		_, _ = w.Write(raw)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// Whatever a server answers: no command that reads writes to a terminal what it obeys, in any
// format, followed or failed. The commands are those of the program with the examples of their
// help.
func TestNoCommandWritesToATerminalWhatItObeys(t *testing.T) {
	frozen := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	mock, err := mockserver.New(mockserver.Config{Seed: 1, Freeze: &frozen})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = mock.Close() })
	good, gone, broken := hostileAPI(t, mock, 0), hostileAPI(t, mock, 404), hostileAPI(t, mock, 400)
	ran := map[string]int{}
	for _, cmd := range newRoot(&cli.App{}).Commands() {
		if cmd.Flags().Lookup("output") == nil && cmd.InheritedFlags().Lookup("output") == nil || slices.Contains([]string{"wallet", "mock", "bridge", "demo", "check", "completion", "help"}, cmd.Name()) {
			continue
		}
		for _, e := range append(helpExamples(t, cmd), example{"by itself", []string{cmd.Name()}}) {
			line := strings.Join(e.args, " ")
			if strings.Contains(line, "…") || liveOrServing(e.args) || slices.Contains(e.args, "--jq") || slices.Contains(e.args, "--follow") || slices.Contains(e.args, "-f") {
				continue
			}
			for _, format := range cli.Formats {
				ran[cmd.Name()] += showsNothingObeyed(t, good, append(slices.Clone(e.args), "-o", format))
			}
			for _, api := range []string{gone, broken} {
				showsNothingObeyed(t, api, e.args)
			}
		}
		if cmd.Flags().Lookup("follow") != nil {
			for _, format := range []string{"table", "ndjson"} {
				ran[cmd.Name()] += showsNothingObeyed(t, good, []string{cmd.Name(), "--follow", "-o", format})
			}
		}
	}
	for _, name := range []string{"block", "blocks", "tx", "txs", "account", "contract", "tokens", "names", "ft", "nft"} {
		if ran[name] == 0 && slices.ContainsFunc(newRoot(&cli.App{}).Commands(), func(c *cobra.Command) bool { return c.Name() == name }) {
			t.Errorf("%s printed nothing", name)
		}
	}
	if len(ran) < 12 {
		t.Errorf("%d commands were run: %v", len(ran), ran)
	}
}

// showsNothingObeyed runs a command on a terminal, and returns 1 where it printed something.
func showsNothingObeyed(t *testing.T, api string, args []string) int {
	t.Helper()
	p, streams, _ := sitDown(t)
	streams.Out = p.slave
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	waits := 0
	streams.Sleep = func(ctx context.Context, _ time.Duration) error {
		if waits++; waits > 2 {
			cancel()
		}
		return ctx.Err()
	}
	Run(ctx, append(slices.Clone(args), "--api", api, "--no-color", "--timeout", "5s"), streams)
	_, _ = p.slave.WriteString("\nthe end\n")
	p.waits("the end")
	shown, _, _ := strings.Cut(p.screen.String(), "\r\nthe end")
	for line := range strings.Lines(strings.ReplaceAll(shown, "\r\n", "\n")) { // as a terminal device ends them
		if wrong := uitest.Obeyed([]byte(strings.ReplaceAll(line, "\t", " "))); wrong >= 0 {
			t.Errorf("chainscope %s writes %q in %q", strings.Join(args, " "), wrong, line)
			break
		}
	}
	if len(shown) > 80 {
		return 1
	}
	return 0
}
