package command

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"chainscope/tui/command/cli"
)

// listCase is a list command, and where the mock has the same rows.
type listCase struct {
	line, route string
	// member leads to what tells a row apart in the answer of the route; "." is the row itself.
	member string
	// column holds what the command calls it.
	column string
	// still reports why --follow has no use, "" where it has one. Parts says that a row of the
	// route becomes several.
	still string
	parts bool
	// mines is the number of blocks that are mined at most until one brings a row, 0 for one block that
	// may bring none.
	mines int
}

const (
	listedAccount  = "SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J"
	listedContract = "SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.harbor-guestbook"
)

var listCases = []listCase{
	{line: "blocks", route: "/extended/v1/block?limit=30", member: "hash", column: "hash", mines: 1},
	{line: "burn-blocks", route: "/extended/v2/burn-blocks?limit=30", member: "burn_block_height", column: "height", mines: 200},
	{line: "burn-blocks 930400", route: "/extended/v2/burn-blocks/930400/blocks?limit=30", member: "hash", column: "hash", still: "one burn block has an end"},
	{line: "txs", route: "/extended/v1/tx?limit=50", member: "tx_id", column: "id", mines: 1},
	{line: "txs --of " + listedAccount, route: "/extended/v2/addresses/" + listedAccount + "/transactions?limit=50", member: "tx.tx_id", column: "id"},
	{line: "txs --block 999999", route: "/extended/v2/blocks/999999/transactions?limit=50", member: "tx_id", column: "id", still: "no transaction is added to a block"},
	{line: "account " + listedAccount + " --transactions", route: "/extended/v2/addresses/" + listedAccount + "/transactions?limit=50", member: "tx.tx_id", column: "tx_id", parts: true},
	{line: "names btc", route: "/v1/namespaces/btc/names", member: ".", column: "name", still: "a new name can be anywhere"},
	{line: "namespaces", route: "/v1/namespaces", member: ".", column: "namespace", still: "what is new does not come first"},
	{line: "signers", route: "/extended/v3/staking/signers?limit=200", member: "signer", column: "signer", still: "what is new does not come first"},
	{line: "bonds", route: "/extended/v3/staking/bonds?limit=50", member: "index", column: "bond", still: "what is new does not come first"},
	{line: "contract " + listedContract + " --prints", route: "/extended/v1/contract/" + listedContract + "/events?limit=50", member: "tx_id", column: "tx", mines: 30},
}

// rowsAt returns what tells the rows of an answer apart.
func rowsAt(t *testing.T, raw []byte, member string) (keys []string) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var answer any
	if err := d.Decode(&answer); err != nil {
		t.Fatalf("%v: %.200s", err, raw)
	}
	if object, ok := answer.(map[string]any); ok {
		answer = object["results"]
		if answer == nil {
			answer = object["namespaces"]
		}
	}
	for _, row := range answer.([]any) {
		for _, name := range strings.Split(strings.Trim(member, "."), ".") {
			if name != "" {
				row = row.(map[string]any)[name]
			}
		}
		switch v := row.(type) {
		case json.Number:
			keys = append(keys, v.String())
		case string:
			keys = append(keys, v)
		}
	}
	return keys
}

// has returns what tells the rows apart that the mock has.
func (c listCase) has(t *testing.T, mock *serving) []string {
	t.Helper()
	answer, err := http.Get(mock.address + c.route)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	raw, _ := io.ReadAll(answer.Body)
	return rowsAt(t, raw, c.member)
}

// prints returns what tells the rows apart that the command prints in a format.
func (c listCase) prints(t *testing.T, format, stdout string) (keys []string) {
	t.Helper()
	switch format {
	case "csv":
		rows, err := csv.NewReader(strings.NewReader(stdout)).ReadAll()
		if err != nil || len(rows) == 0 {
			t.Fatalf("%s: %v: %s", c.line, err, stdout)
		}
		at := slices.Index(rows[0], c.column)
		for _, row := range rows[1:] {
			keys = append(keys, row[at])
		}
	case "ndjson":
		keys = rowsAt(t, []byte("["+strings.ReplaceAll(strings.TrimSpace(stdout), "\n", ",")+"]"), c.column)
	case "json":
		member := c.member
		if c.parts {
			member = c.column // it is no answer of the API
		}
		keys = rowsAt(t, []byte(stdout), member)
	case "table":
		lines := strings.Split(strings.TrimSpace(stdout), "\n")
		for _, line := range lines[1:] {
			keys = append(keys, strings.Fields(line)[0])
		}
	}
	if c.parts {
		keys = slices.Compact(keys)
	}
	return keys
}

// args returns those of a line in a format; but for JSON, which has all fields, only the column that
// tells rows apart.
func (c listCase) args(mock *serving, format string, more ...string) []string {
	args := append(strings.Fields(c.line), "-o", format, "--api", mock.address)
	if format != "json" {
		args = append(args, "--fields", c.column)
	}
	return append(args, more...)
}

// Every list has the same flags, and they mean the same in every format: what is printed is
// what the mock has.
func TestEveryListHasTheSameFlagsAndFormats(t *testing.T) {
	mock := serveMock(t, "--seed", "1", "--names", "250")
	for _, c := range listCases {
		has := c.has(t, mock)
		if len(has) < 3 {
			t.Errorf("%s: the mock has %d rows: too few", c.line, len(has))
			continue
		}
		sorted := slices.Clone(has[:3])
		sort.SliceStable(sorted, func(i, j int) bool {
			a, wrong := strconv.Atoi(sorted[i])
			b, _ := strconv.Atoi(sorted[j])
			return wrong == nil && a < b || wrong != nil && strings.ToLower(sorted[i]) < strings.ToLower(sorted[j])
		})
		last := slices.Clone(sorted)
		slices.Reverse(last)
		of := func(key string) []string {
			return slices.DeleteFunc(slices.Clone(has[:3]), func(k string) bool { return k != key })
		}
		explorers := strings.Replace(c.column, "index", "bond", 1)
		for _, want := range []struct {
			flags string
			keys  []string
		}{
			{"--limit 2", has[:2]},
			{"--limit 2 --offset 1", has[1:3]},
			{"--limit 3 --sort " + explorers, sorted},
			{"--limit 3 --sort " + explorers + ":desc", last},
			{"--limit 3 --filter " + explorers + ":=" + has[1], of(has[1])},
			{"--limit 3 --filter " + explorers + ":=1234567890", nil},
		} {
			for _, format := range cli.Formats {
				code, stdout, stderr := run(t, t.Context(), c.args(mock, format, strings.Fields(want.flags)...)...)
				got, none := c.prints(t, format, stdout), strings.Contains(stderr, "that were read matches "+explorers+":=1234567890")
				if code != 0 || !slices.Equal(got, compacted(want.keys, c.parts)) || none != (want.keys == nil) {
					t.Errorf("%s %s -o %s: exit %d, rows %v, want %v\n%s", c.line, want.flags, format, code, got, want.keys, stderr)
				}
			}
		}
		for _, wrong := range []string{"--limit=-1", "--offset=-1", "--sort nothing", "--sort " + explorers + ":up", "--filter nothing:x", "--fields nothing"} {
			if code, stdout, stderr := run(t, t.Context(), c.args(mock, "csv", strings.Fields(wrong)...)...); code != 2 || stdout != "" || !strings.Contains(stderr, strings.Fields(strings.ReplaceAll(wrong, "=", " "))[0]) {
				t.Errorf("%s %s: exit %d, %s%s", c.line, wrong, code, stdout, stderr)
			}
		}
	}
}

func compacted(keys []string, parts bool) []string {
	if parts {
		return slices.Compact(slices.Clone(keys))
	}
	return keys
}

// Of a page that is printed as it came, JSON is the very answer of the API.
func TestTheJSONOfAListIsTheAnswerOfTheAPI(t *testing.T) {
	mock := serveMock(t, "--seed", "1")
	for line, route := range map[string]string{
		"blocks --limit 2 --offset 1": "/extended/v1/block?limit=2&offset=1",
		"burn-blocks --limit 2":       "/extended/v2/burn-blocks?limit=2",
		"txs --limit 2":               "/extended/v1/tx?limit=2",
		"names btc":                   "/v1/namespaces/btc/names",
		"namespaces":                  "/v1/namespaces",
		"signers":                     "/extended/v3/staking/signers?limit=200",
		"contract " + listedContract + " --prints": "/extended/v1/contract/" + listedContract + "/events?limit=50",
	} {
		answer, err := http.Get(mock.address + route)
		if err != nil {
			t.Fatal(err)
		}
		raw, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		if code, stdout, stderr := run(t, t.Context(), append(strings.Fields(line), "-o", "json", "--api", mock.address)...); code != 0 || strings.TrimSpace(stdout) != strings.TrimSpace(string(raw)) {
			t.Errorf("%s: exit %d, %.200s, want %.200s%s", line, code, stdout, raw, stderr)
		}
	}
}

// A list that grows at its top is followed: its newest rows, the oldest first, and then those
// that a block brings. Another says why it is not.
func TestEveryListIsFollowedOrSaysWhyNot(t *testing.T) {
	for _, c := range listCases {
		mock := serveMock(t, "--seed", "1", "--names", "250")
		if c.still != "" {
			if code, _, stderr := run(t, t.Context(), c.args(mock, "csv", "--follow")...); code != 2 || !strings.Contains(stderr, "no --follow: "+c.still) {
				t.Errorf("%s: exit %d, %s", c.line, code, stderr)
			}
			continue
		}
		for _, format := range []string{"csv", "ndjson", "table"} {
			mock := serveMock(t, "--seed", "1")
			before := c.has(t, mock)
			code, stdout, stderr := c.follows(t, mock, before[0], c.args(mock, format, "--follow", "--limit", "2")...)
			after := c.has(t, mock)
			at := slices.Index(after, before[0])
			if at < 0 {
				t.Fatalf("%s: after some blocks the mock has none of %v: %v", c.line, before[:2], after)
			}
			want := append(slices.Clone(after[:at]), before[:2]...)
			slices.Reverse(want)
			if got := c.prints(t, format, stdout); code != 130 || !slices.Equal(got, compacted(want, c.parts)) {
				t.Errorf("%s --follow -o %s: exit %d, rows %v, want %v\n%s", c.line, format, code, got, want, stderr)
			}
		}
		for _, wrong := range []string{"--offset 1", "--sort " + c.column} {
			if code, _, stderr := run(t, t.Context(), c.args(mock, "csv", append(strings.Fields(wrong), "--follow")...)...); code != 2 || !strings.Contains(stderr, "not both") {
				t.Errorf("%s %s --follow: exit %d, %s", c.line, wrong, code, stderr)
			}
		}
	}
}

// follows runs a line that follows the list. In the first pause blocks are mined until one brings
// a row; what was there before them is old. Once the row is printed the list is read once more, and
// the line is interrupted.
func (c listCase) follows(t *testing.T, mock *serving, old string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var out, errs safeBuffer
	var pause sync.Mutex // a pause that a pushed block ends goes on beside the next
	newest, pauses, printed := "", 0, 0
	code = Run(ctx, args, cli.Streams{
		In: strings.NewReader(""), Out: &out, Err: &errs, Env: stateIn(t.TempDir()),
		Sleep: func(context.Context, time.Duration) error {
			pause.Lock()
			defer pause.Unlock()
			if newest == "" {
				for mined := 0; mined == 0 || mined < c.mines && newest == old; mined++ {
					answer, err := http.Post(mock.address+"/mock/v1/mine", "application/json", nil)
					if err != nil {
						t.Error(err)
						break
					}
					answer.Body.Close()
					newest = c.has(t, mock)[0]
				}
				if newest == old && c.mines > 0 {
					t.Errorf("%s: %d blocks bring no row", c.line, c.mines)
				}
				return nil
			}
			time.Sleep(time.Millisecond)
			if strings.Contains(out.String(), newest) {
				printed++
			}
			if pauses++; pauses > 1000 || printed > 1 {
				cancel()
			}
			return nil
		},
	})
	return code, out.String(), errs.String()
}

// Rows that come while a list is read move those below them: none is printed twice or left out.
func TestAListThatGrowsWhileItIsReadHasEachRowOnce(t *testing.T) {
	for _, grows := range []int{0, 1, 7} {
		api := answering(t, (&stream{nonces: 200, grows: grows}).ServeHTTP)
		code, stdout, stderr := run(t, t.Context(), "txs", "--offset", "48", "--limit", "10", "-o", "csv", "--fields", "nonce", "--api", api)
		want := "nonce\n"
		for nonce := 151; nonce > 141; nonce-- {
			want += fmt.Sprintln(nonce)
		}
		if code != 0 || stdout != want {
			t.Errorf("by %d rows a request: exit %d, %q, want %q\n%s", grows, code, stdout, want, stderr)
		}
	}
}

// The rows before one that cannot be printed are printed.
func TestRowsBeforeAFailureArePrinted(t *testing.T) {
	api := answering(t, (&stream{nonces: 200}).ServeHTTP)
	for _, format := range []string{"ndjson", "csv"} {
		args := []string{"txs", "--limit", "3", "-o", format, "--api", api}
		want := "nonce\n199\n198\n197\n"
		if format == "ndjson" {
			args, want = append(args, "--jq", `if .nonce == 198 then error("no") else .nonce end`), "199\n"
		} else {
			args = append(args, "--fields", "nonce")
		}
		if code, stdout, stderr := run(t, t.Context(), args...); (code == 0) != (format == "csv") || stdout != want {
			t.Errorf("-o %s: exit %d, %q, want %q\n%s", format, code, stdout, want, stderr)
		}
	}
}

// Without --limit a list that has pages of one size begins with a page, and a table that goes on
// has the columns that only later rows may fill.
func TestAListIsFollowedFromAPageOn(t *testing.T) {
	mock := serveMock(t, "--seed", "1")
	for line, lines := range map[string]int{
		"contract " + listedContract + " --prints -o csv":                 51,
		"account " + listedAccount + " --transactions --limit 2 -o table": 3,
	} {
		ctx, cancel := context.WithCancel(t.Context())
		code, stdout, stderr := runAsleep(t, ctx, cancel, append(strings.Fields(line), "--follow", "--api", mock.address)...)
		header, _, _ := strings.Cut(stdout, "\n")
		if got := strings.Count(stdout, "\n"); code != 130 || got != lines || strings.HasSuffix(line, "table") && !strings.HasSuffix(header, "FEE (STX)") {
			t.Errorf("%s: exit %d, %d lines, want %d under %q\n%s", line, code, got, lines, header, stderr)
		}
	}
}

// What a shell offers for --sort are the columns of the list.
func TestTheOrderOfAListIsCompleted(t *testing.T) {
	for _, c := range listCases {
		words := completions(t, append(strings.Fields(c.line), "--sort", "")...)
		if len(words) < 2 || !slices.ContainsFunc(words, func(w string) bool { return strings.HasSuffix(w, ":desc") }) {
			t.Errorf("%s: %v", c.line, words)
		}
	}
}
