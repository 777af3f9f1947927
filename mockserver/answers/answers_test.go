// Package answers_test holds what the mock answers by seed 1. It is a package of its
// own because .ci/mutate builds it once for each change of the mock.
package answers_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chainscope/mockserver"
)

var update = flag.Bool("update", false, "write the answers under testdata again")

// seedOne are requests whose answers by seed 1 may never change: what somebody built
// on the mock, a recording or a screenshot, must still be right with the next
// version. Together they have every field of the contract.
var seedOne = []struct{ name, target string }{
	{"ft-full", "/metadata/v1/ft/SP2SYHR84SDJJDK8M09HFS4KBFXPPCX9H7RZ9YVTS.ft-full"},
	{"ft-localized", "/metadata/v1/ft/SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.harbor-dollar?locale=es-MX"},
	{"nft-full", "/metadata/v1/nft/SP2SYHR84SDJJDK8M09HFS4KBFXPPCX9H7RZ9YVTS.nft/1"},
	{"nft-localized", "/metadata/v1/nft/SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.harbor-lights/2?locale=jp"},
	{"burn-block", "/extended/v2/burn-blocks/930389/blocks?limit=3&offset=2"},
	{"burn-block-of-the-older-era", "/extended/v2/burn-blocks/916057/blocks"},
	{"block-by-height", "/extended/v1/block/by_burn_block_height/930390"},
	{"block-orphaned", "/extended/v1/block/by_burn_block_height/930396"},
	{"block-with-microblocks", "/extended/v1/block/by_burn_block_height/916057"},
	{"blocks", "/extended/v1/block?limit=2&offset=5"},
	{"names", "/v1/namespaces/btc/names?page=7"},
	{"names-unanchored", "/v1/namespaces/id/names?page=9&unanchored=true"},
}

func TestTheAnswersOfSeedOneStay(t *testing.T) {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) // height 1,000,000
	s, err := mockserver.New(mockserver.Config{Seed: 1, Freeze: &at})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	for _, r := range seedOne {
		t.Run(r.name, func(t *testing.T) {
			answer := httptest.NewRecorder()
			s.ServeHTTP(answer, httptest.NewRequest("GET", "http://127.0.0.1"+r.target, nil))
			var got bytes.Buffer
			if err := json.Indent(&got, answer.Body.Bytes(), "", " "); err != nil {
				t.Fatal(err)
			}
			got.WriteByte('\n')
			path := filepath.Join("testdata", r.name+".json")
			if *update {
				if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if got.String() != string(want) {
				g, w := strings.Split(got.String(), "\n"), strings.Split(string(want), "\n")
				for i := range min(len(g), len(w)) {
					if g[i] != w[i] {
						t.Fatalf("%s: line %d is\n%s\nand was\n%s", r.target, i+1, g[i], w[i])
					}
				}
				t.Fatalf("%s: %d lines, there were %d", r.target, len(g), len(w))
			}
		})
	}
}
