package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"chainscope/apiclient"
	"chainscope/tui/internal/uitest"
)

func TestNothingThatATerminalObeysReachesTheLogFile(t *testing.T) {
	for name, poison := range map[string]string{
		"C0":          "a\x1b[2Jb\x07\x00c",
		"delete":      "a\x7fb",
		"C1":          "a\u009b31m b\u0090 c\u009c d\u0085e",
		"bidi":        "a\u202e b\u2066 c\u200f",
		"zero width":  "a\u200b b\ufeff c\u00ad d\u2060",
		"separators":  "a\u2028b\u2029c",
		"tags":        "a\U000e0041b",
		"fillers":     "a\u3164b\u115f",
		"no UTF-8":    "a\xff\x9bb",
		"a long text": strings.Repeat("long ", 100_000),
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(http.StatusNotFound)
				if quoted, err := json.Marshal(poison); utf8.ValidString(poison) && err == nil {
					fmt.Fprintf(w, `{"error":%s}`, strings.NewReplacer(`\u2028`, "\u2028", `\u2029`, "\u2029").Replace(string(quoted)))
					return
				}
				fmt.Fprintf(w, `{"error":"%s"}`, poison)
			}))
			defer server.Close()
			path := filepath.Join(t.TempDir(), "log")
			a := &App{Settings: Settings{API: server.URL, Timeout: time.Second, logFile: path}}
			c, err := a.Connect(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			_, _ = c.Client.Blocks(t.Context(), apiclient.Page{})
			c.Close()
			written, err := os.ReadFile(path)
			if err != nil || !strings.Contains(string(written), `"msg":"exchange"`) {
				t.Fatalf("the log holds %q, %v", written, err)
			}
			if r := uitest.Obeyed(written); r >= 0 {
				t.Errorf("the log has %U: %q", r, written)
			}
			for line := range bytes.Lines(written) {
				if len(line) > maxLogLine+10 {
					t.Errorf("a line of %d bytes", len(line))
				}
			}
		})
	}
}

func TestALogLineThatIsNoJSONIsCleanedAndBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	file, err := (&App{Settings: Settings{logFile: path}}).OpenLog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(file, "one \x1b[2J \u202e \u200b \xff\n%s\nlast\n", strings.Repeat("long ", 10_000))
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(path)
	if r := uitest.Obeyed(written); err != nil || r >= 0 {
		t.Errorf("the log has %U: %.200q, %v", r, written, err)
	}
	lines := strings.Split(string(written), "\n")
	if len(lines) != 4 || !strings.HasPrefix(lines[0], "one ") || len(lines[1]) > maxLogLine+10 || lines[2] != "last" {
		t.Errorf("%d lines: %.100q", len(lines), lines)
	}
}

// What others log goes to the file of the process, or nowhere.
func TestTheStandardLoggerGoesToTheLogFile(t *testing.T) {
	before := log.Writer()
	defer log.SetOutput(before)
	log.SetOutput(io.Discard)
	path := filepath.Join(t.TempDir(), "log")
	a := &App{Owner: true, Settings: Settings{logFile: path}}
	file, err := a.OpenLog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	log.Print("Unsolicited response \u009b2J")
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	log.Print("after")
	written, err := os.ReadFile(path)
	if text := string(written); err != nil || !strings.Contains(text, `Unsolicited response \u009b2J`) || strings.Contains(text, "after") {
		t.Errorf("%q, %v", written, err)
	}
}

func FuzzLogLine(f *testing.F) {
	f.Add([]byte("a\x1b[31m"))
	f.Add([]byte(`{"a":"` + "\u202e\u009b" + `"}`))
	f.Add([]byte("{\r\"a\"\t:1}"))
	f.Fuzz(func(t *testing.T, line []byte) {
		line = bytes.ReplaceAll(line, []byte("\n"), nil)
		got := logLine(line)
		if r := uitest.Obeyed(got); r >= 0 {
			t.Errorf("%q becomes %q, which has %U", line, got, r)
		}
		var before, after any
		if len(line) <= maxLogLine && utf8.Valid(line) && json.Unmarshal(line, &before) == nil {
			if err := json.Unmarshal(got, &after); err != nil || fmt.Sprint(before) != fmt.Sprint(after) {
				t.Errorf("%q becomes other JSON: %q", line, got)
			}
		}
	})
}
