package command

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// growing is a server whose chain grows and forks when it is told to.
type growing struct {
	hashes []string // by height
	fail   bool
}

func (g *growing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
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
	streams := Streams{
		In: strings.NewReader(""), Out: &out, Err: &errs, Env: stateIn(t.TempDir()),
		Sleep: func(ctx context.Context, d time.Duration) error {
			pauses = append(pauses, d)
			if len(steps) == 0 {
				cancel()
				return ctx.Err()
			}
			steps[0]()
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
