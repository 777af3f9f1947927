//go:build browser

package browser

import (
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

var repeat = flag.Int("repeat", 1, "how often each test of the test kit's project is run")

// report holds what Playwright writes of a run.
type report struct {
	Stats struct{ Expected, Unexpected, Flaky int }
}

// playwright runs specs of the kit's project, and returns what it printed.
func (w *workshop) playwright(args ...string) (string, report, error) {
	w.t.Helper()
	results := filepath.Join(w.t.TempDir(), "results")
	file := filepath.Join(results, "report.json")
	cmd := exec.Command("npx", append([]string{"playwright", "test"}, args...)...)
	cmd.Dir = filepath.Join(w.js(), "kit")
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		w.t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(free.Addr().String()) // of a listener, so it is one
	free.Close()
	cmd.Env = append(os.Environ(), "KIT_PORT="+port, "CHAINSCOPE_BIN="+w.binary, "CHROMIUM="+chromium(w.t), "KIT_RESULTS="+results, "KIT_REPORT="+file, "FORCE_COLOR=0")
	out, ran := cmd.CombinedOutput()
	var r report
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	if err != nil {
		w.t.Fatalf("%v, %v\n%s", ran, err, out)
	}
	return string(out), r, ran
}

func TestTheTestKitKeepsFourWorkersApart(t *testing.T) {
	w := setUp(t)
	begun := time.Now()
	out, r, err := w.playwright("pays.spec.mjs", "--retries=1", fmt.Sprintf("--repeat-each=%d", *repeat))
	t.Logf("%d tests in %s", r.Stats.Expected, time.Since(begun).Round(time.Second))
	if err != nil || r.Stats.Expected != 25**repeat || r.Stats.Unexpected != 0 || r.Stats.Flaky != 0 {
		t.Fatalf("%v, %+v\n%s", err, r.Stats, out)
	}
}

func TestATestThatFailsSaysWhatDiffers(t *testing.T) {
	w := setUp(t)
	out, r, err := w.playwright("fails.spec.mjs")
	if err == nil || r.Stats.Unexpected != 7 || r.Stats.Expected != 2 {
		t.Fatalf("%v, %+v\n%s", err, r.Stats, out)
	}
	for _, want := range []string{
		// what was expected, what came, what the approval would have said, where it differs
		`(?s)expected, and did not come: stx_transferStx\n +expected +\{"amount":"2000000"\}\n +came +call 1 of http://127\.0\.0\.1:\d+: \{"recipient":"ST0+2AMW42H","amount":"1500000","memo":"rent"\}`,
		`approval +send 1\.5 STX \(1500000 micro-STX\) to ST0+2AMW42H, memo "rent"`,
		`differs +amount: want "2000000", got "1500000"`,
		`approved by the test, and refused by the wallet: stx_transferStx\n +came +call 1 of http://127\.0\.0\.1:\d+: \{"amount":"x"\}\n +answer +-32602 recipient: is missing`,
		`came unexpected: getAddresses\n +came +call 1`,
		`expected +no call at all`,
		`expected, and did not come: signPsbt\n +expected +any params\n +came +nothing`,
		`the pages of this test are not kept on this machine`,
		`stopped +GET https://prices\.invalid/v1/stx \(2 times\), asked by http://127\.0\.0\.1:\d+`,
		`stopped +WebSocket wss://push\.invalid/feed`,
		`LEFT +GET https://redirected\.invalid/x, asked by `,
		`allowHosts: \['prices\.invalid', 'push\.invalid', 'redirected\.invalid'\]`,
		`a transaction of this test did not succeed\n\n +did not succeed: stx_callContract, abort_by_post_condition`,
		`why +ST\w+ sent .*STX, which no post-condition covers;`,
		`fix +add the condition that ST\w+ sends exactly [0-9.]+ STX, or take the mode allow`,
		`rules answers 400: script, line 1: delay: a duration such as 2s or 300ms is wanted, not "soon"`,
	} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("%s is missing in\n%s", want, out)
		}
	}
}

func TestTheTestKitKeepsPagesOnThisMachine(t *testing.T) {
	w := setUp(t)
	if out, r, err := w.playwright("home.spec.mjs"); err != nil || r.Stats.Expected != 7 {
		t.Fatalf("%v, %+v\n%s", err, r.Stats, out)
	}
}

func TestTheTestKitsOwnTests(t *testing.T) {
	program := filepath.Join(t.TempDir(), "chainscope")
	if out, err := exec.Command("go", "build", "-o", program, "../../..").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command("node", "--test", "--test-reporter=tap") // without a folder, which Node.js 22 takes for a file
	cmd.Dir = "../testkit"
	cmd.Env = append(os.Environ(), "CHAINSCOPE_BIN="+program)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "# fail 0") {
		t.Fatalf("%v\n%s", err, out)
	}
}
