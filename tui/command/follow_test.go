package command

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"chainscope/tui/command/cli"
)

// growing is a server whose chain grows and forks when it is told to. Blocks are requested,
// and a channel for those that are pushed, at the same time.
type growing struct {
	sync.Mutex
	hashes []string // by height
	fail   bool
}

func (g *growing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.Lock()
	defer g.Unlock()
	w.Header().Set("Content-Type", "application/json")
	if g.fail {
		w.WriteHeader(http.StatusInternalServerError)
		fmt.Fprint(w, `{"error":"broken"}`)
		return
	}
	limit, offset := 20, 0
	_, _ = fmt.Sscan(r.URL.Query().Get("limit"), &limit)
	_, _ = fmt.Sscan(r.URL.Query().Get("offset"), &offset)
	list := map[string]any{"limit": limit, "offset": offset, "total": len(g.hashes)}
	results := []any{}
	for h := len(g.hashes) - 1 - offset; h >= 0 && len(results) < limit; h-- {
		results = append(results, map[string]any{
			"canonical": true, "height": h, "hash": hashOf(g.hashes[h]), "index_block_hash": hashOf(g.hashes[h]), "txs": []string{},
		})
	}
	list["results"] = results
	_ = json.NewEncoder(w).Encode(list)
}

func hashOf(word string) string { return fmt.Sprintf("0x%064x", word) }

// Each pause of the command, the chain has changed; after the last it is
// interrupted.
func TestFollowPrintsEachNewBlockOnce(t *testing.T) {
	g := &growing{hashes: []string{"a0", "a1", "a2"}}
	var steps []func()
	steps = append(steps,
		func() {},
		func() { g.hashes = append(g.hashes, "a3", "a4") },
		func() { g.fail = true },
		func() {
			g.fail = false
			g.hashes = append(g.hashes[:4], "b4", "b5")
		},
		func() { // more than a page
			for h := 6; h < 12; h++ {
				g.hashes = append(g.hashes, fmt.Sprint("b", h))
			}
		},
	)
	server := httptest.NewServer(g)
	defer server.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var out, errs bytes.Buffer
	var pauses []time.Duration
	streams := cli.Streams{
		In: strings.NewReader(""), Out: &out, Err: &errs, Env: stateIn(t.TempDir()),
		Sleep: func(ctx context.Context, d time.Duration) error {
			pauses = append(pauses, d)
			if len(steps) == 0 {
				cancel()
				return ctx.Err()
			}
			g.Lock()
			steps[0]()
			g.Unlock()
			steps = steps[1:]
			return nil
		},
	}
	code := Run(ctx, []string{"blocks", "--follow", "--limit", "2", "-o", "csv", "--fields", "height,hash", "--api", server.URL}, streams)
	if code != 130 {
		t.Errorf("exit code %d: %s", code, errs.String())
	}
	want := "height,hash\n"
	for _, b := range []string{"1 a1", "2 a2", "3 a3", "4 a4", "4 b4", "5 b5", "6 b6", "7 b7", "8 b8", "9 b9", "10 b10", "11 b11"} {
		height, word, _ := strings.Cut(b, " ")
		want += height + "," + hashOf(word) + "\n"
	}
	if out.String() != want {
		t.Errorf("printed\n%swant\n%s", out.String(), want)
	}
	if !strings.Contains(errs.String(), "block 4 was replaced: "+hashOf("a4")+" by "+hashOf("b4")) || !strings.Contains(errs.String(), "trying again in 10s") {
		t.Errorf("stderr %q", errs.String())
	}
	if len(pauses) < 4 || pauses[2] != followPause || pauses[3] != 2*followPause {
		t.Errorf("paused %v", pauses)
	}
}

// followReorg runs blocks --follow on a chain that gains a3 and a4, and then a block in place
// of a4, and returns what it prints and says.
func followReorg(t *testing.T, args ...string) (stdout, stderr string) {
	t.Helper()
	g := &growing{hashes: []string{"a0", "a1", "a2"}}
	server := httptest.NewServer(g)
	defer server.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	steps := []func(){
		func() { g.hashes = append(g.hashes, "a3", "a4") },
		func() { g.hashes = append(g.hashes[:4], "b4") },
	}
	var out, errs bytes.Buffer
	streams := cli.Streams{
		In: strings.NewReader(""), Out: &out, Err: &errs, Env: stateIn(t.TempDir()),
		Sleep: func(ctx context.Context, _ time.Duration) error {
			if len(steps) == 0 {
				cancel()
				return ctx.Err()
			}
			if len(steps) == 1 && errs.Len() > 0 {
				t.Errorf("said too early: %s", errs.String())
			}
			g.Lock()
			steps[0]()
			g.Unlock()
			steps = steps[1:]
			return nil
		},
	}
	if code := Run(ctx, append([]string{"blocks", "--follow", "--api", server.URL}, args...), streams); code != 130 {
		t.Errorf("exit code %d: %s", code, errs.String())
	}
	return out.String(), errs.String()
}

func TestFollowSaysInEveryFormatThatABlockWasReplaced(t *testing.T) {
	what := "block 4 was replaced: " + hashOf("a4") + " by " + hashOf("b4")
	for format, want := range map[string]string{
		"table": "chainscope: " + what + "\n", "csv": "chainscope: " + what + "\n",
		"ndjson": `{"notices":["` + what + `"]}` + "\n", "json": `{"notices":["` + what + `"]}` + "\n",
	} {
		if _, stderr := followReorg(t, "-o", format); !strings.HasPrefix(stderr, want) {
			t.Errorf("%s: stderr %q, want %q first", format, stderr, want)
		}
	}
}

func TestFollowBeginsWithAsManyBlocksAsWereRequested(t *testing.T) {
	for limit, want := range map[string]string{
		"0": "3 a3 4 a4 4 b4", "1": "2 a2 3 a3 4 a4 4 b4", "20": "0 a0 1 a1 2 a2 3 a3 4 a4 4 b4",
	} {
		var lines []string
		for _, b := range strings.SplitAfter(want, " ") {
			lines = append(lines, strings.TrimSpace(b))
		}
		rows := "height,hash\n"
		for i := 0; i < len(lines); i += 2 {
			rows += lines[i] + "," + hashOf(lines[i+1]) + "\n"
		}
		if stdout, _ := followReorg(t, "-o", "csv", "--fields", "height,hash", "--limit", limit); stdout != rows {
			t.Errorf("--limit %s prints\n%swant\n%s", limit, stdout, rows)
		}
		if stdout, _ := followReorg(t, "--limit", limit); strings.Count(stdout, "BLOCK HASH") != 1 || strings.Count(stdout, "\n") != len(lines)/2+1 {
			t.Errorf("--limit %s prints\n%s", limit, stdout)
		}
	}
}

// A column that is not there is refused at once, also when no block is printed yet.
func TestFollowRefusesAColumnBeforeItWaitsForABlock(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	code, _, stderr := run(t, ctx, "blocks", "--follow", "--limit", "0", "--fields", "none")
	if code != 2 || !strings.Contains(stderr, `there is no column "none"; the columns are`) {
		t.Errorf("exit %d: %s", code, stderr)
	}
}

// After an outage the blocks that came meanwhile are printed, though they fill more pages of
// --limit than one would read.
func TestFollowPrintsAllBlocksThatCameDuringAnOutage(t *testing.T) {
	g := &growing{hashes: []string{"0"}}
	server := httptest.NewServer(g)
	defer server.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var out, errs bytes.Buffer
	began := false
	Run(ctx, []string{"blocks", "--follow", "--limit", "0", "-o", "csv", "--fields", "height", "--api", server.URL}, cli.Streams{
		In: strings.NewReader(""), Out: &out, Err: &errs, Env: stateIn(t.TempDir()),
		Sleep: func(ctx context.Context, _ time.Duration) error {
			if began {
				cancel()
				return ctx.Err()
			}
			began = true
			g.Lock()
			for n := range 700 {
				g.hashes = append(g.hashes, fmt.Sprint(n+1))
			}
			g.Unlock()
			return nil
		},
	})
	want := "height\n"
	for n := range 700 {
		want += fmt.Sprintln(n + 1)
	}
	if out.String() != want {
		t.Errorf("%d lines, want %d: %s", strings.Count(out.String(), "\n"), strings.Count(want, "\n"), errs.String())
	}
}

// What a message leaves out is counted, to the last one.
func TestNamesThatAreLeftOutAreCounted(t *testing.T) {
	for _, n := range []int{1, maxNamed - 1, maxNamed, maxNamed + 1, maxNamed + 7} {
		names := make([]string, n)
		for i := range names {
			names[i] = fmt.Sprintf("name-%03d", i)
		}
		err := missing("SP.c", "function", "zzz", names, func(s string) string { return s }).Error()
		want := ""
		if n > maxNamed {
			want = fmt.Sprintf(" and %d more", n-maxNamed)
		}
		if named := strings.Count(err, "name-"); named != min(n, maxNamed) || !strings.HasSuffix(err, names[named-1]+want) {
			t.Errorf("of %d it names %d: %s", n, named, err)
		}
	}
	for n, want := range map[int]string{-3: "", 0: "", 1: ", and 1 more", 12: ", and 12 more"} {
		if got := more(n); got != want {
			t.Errorf("%d more: %q, want %q", n, got, want)
		}
	}
}

// A name in capitals is no unknown word: the command says how names are written, and which it
// is.
func TestANameInCapitalsIsOfferedInSmallLetters(t *testing.T) {
	api := answering(t, func(w http.ResponseWriter, _ *http.Request) { jsonAnswer(w, 404, `{"error":"none"}`) })
	for typed, want := range map[string]string{"Alice.btc": "alice.btc", "ALICE.BTC": "alice.btc", "aLICE-2.id": "alice-2.id"} {
		for _, line := range [][]string{{"account", typed}, {"txs", "--of", typed}} {
			code, _, stderr := run(t, t.Context(), append(line, "--api", api)...)
			if code != 2 || !strings.Contains(stderr, "small letters") || !strings.Contains(stderr, want) || strings.Contains(stderr, "is a name") {
				t.Errorf("%v: exit %d: %s", line, code, stderr)
			}
		}
	}
}
