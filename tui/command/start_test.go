package command

import (
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// frozenChain is a mock that shows the same chain on every run. Its newest block is
// 3,819,070, of burn block 977,383.
var frozenChain = []string{"--mock-freeze", "2026-11-23T06:45:00Z", "--mock-seed", "1"}

func runFrozen(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	return run(t, t.Context(), append(args, frozenChain...)...)
}

func TestABlockIsFoundByWhatItsNumberOrHashCanOnlyMean(t *testing.T) {
	const (
		height = "height 3819050"
		newest = "height 3819070"
	)
	for which, want := range map[string]string{
		"3819050":        height,
		"height:3819050": height,
		"0xbb94a42f0329341f8e8c8df10d97ab99a5d1a62526636f57a4bfdfcf62fd2f89": newest, // its hash
		"0x6c1c60a0aeddcb25": "", // completed below
		"977383":             newest,
		"962180":             "height 2906848",
		"height:962180":      "height 962180",
	} {
		if want == "" {
			_, index, _ := runFrozen(t, "block", "977383", "--jq", ".index_block_hash")
			which, want = strings.TrimSpace(index), newest
		}
		code, stdout, stderr := runFrozen(t, "block", which)
		if code != 0 || !strings.HasPrefix(strings.Join(strings.Fields(stdout), " "), want+" ") {
			t.Errorf("block %s: exit %d, %s%s", which, code, stdout, stderr)
		}
		// A number that is both says how the other is shown.
		both := which == "962180" || which == "977383"
		if told := strings.Contains(stderr, "for the Stacks block at height "+which+": chainscope block height:"+which); told != both {
			t.Errorf("block %s: stderr %q", which, stderr)
		}
	}
	for _, which := range []string{"999999999", "height:999999999", "0x" + strings.Repeat("ab", 32)} {
		if code, stdout, stderr := runFrozen(t, "block", which); code != 3 || stdout != "" || !strings.Contains(stderr, strings.TrimPrefix(which, stacksHeight)) {
			t.Errorf("block %s: exit %d, %s%s", which, code, stdout, stderr)
		}
	}
}

func TestBurnBlocksAreListedWithoutAnArgument(t *testing.T) {
	code, stdout, stderr := runFrozen(t, "burn-blocks", "--limit", "3")
	lines := strings.Split(stdout, "\n")
	if code != 0 || len(lines) != 6 || lines[4] != "1 to 3; there may be more" || !strings.HasPrefix(lines[0], "BURN HEIGHT") || !strings.HasPrefix(strings.TrimSpace(lines[1]), "977383") {
		t.Errorf("exit %d, %s%s", code, stdout, stderr)
	}
	code, stdout, _ = runFrozen(t, "burn-blocks", "--limit", "2", "-o", "csv", "--fields", "burn_block_height,stacks_block_count")
	if code != 0 || !strings.HasPrefix(stdout, "burn_block_height,stacks_block_count\n977383,") {
		t.Errorf("exit %d, %s", code, stdout)
	}
	if code, _, stderr := runFrozen(t, "burn-blocks", "1", "2"); code != 2 || !strings.Contains(stderr, "takes 1 argument, got 2") {
		t.Errorf("exit %d, %s", code, stderr)
	}
}

func TestABurnBlockWithoutAStacksBlockIsNeverAnotherBlock(t *testing.T) {
	for _, c := range []struct {
		line   string
		code   int
		stdout string
	}{
		{"block 977333", 3, "^$"},
		{"burn-blocks 977333", 3, "^$"},
		{"burn-blocks 977333 --mock-api-version v3", 0, "^no blocks\n$"},
		// Its blocks were orphaned: the first version of the API still has one.
		{"block 977316", 0, `^height +3814947\nstate +orphaned \(another block is at this height\)\n`},
		{"block 977316 --mock-api-version v3", 3, "^$"},
		{"burn-blocks 977316", 0, "^no blocks\n$"},
		{"burn-blocks --offset 40 --limit 20 -o csv --fields burn_block_height", 0, `\n977334\n977332\n`},
	} {
		code, stdout, stderr := runFrozen(t, strings.Fields(c.line)...)
		if code != c.code || !regexp.MustCompile(c.stdout).MatchString(stdout) {
			t.Errorf("%s: exit %d, %s%s", c.line, code, stdout, stderr)
		}
	}
}

func TestAnUnreportedTotalIsNotZero(t *testing.T) {
	mock := serveMock(t)
	api := answering(t, func(w http.ResponseWriter, r *http.Request) {
		answer, err := http.Get(mock.address + r.URL.String())
		if err != nil {
			t.Error(err)
			return
		}
		defer answer.Body.Close()
		body, _ := io.ReadAll(answer.Body)
		jsonAnswer(w, answer.StatusCode, regexp.MustCompile(`"total":\d+,`).ReplaceAllString(string(body), ""))
	})
	code, stdout, stderr := run(t, t.Context(), "blocks", "--limit", "3", "--api", api)
	if code != 0 || !strings.HasSuffix(stdout, "1 to 3; there may be more\n") {
		t.Errorf("exit %d: %s%s", code, stdout, stderr)
	}
}
