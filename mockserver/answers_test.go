package mockserver

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// seedOne are requests whose answers by seed 1 may never change: what somebody built
// on the mock, a recording or a screenshot, must still be right with the next
// version. Together they have every field of the contract.
var seedOne = []struct{ name, target string }{
	{"ft-full", "/metadata/v1/ft/SP2SYHR84SDJJDK8M09HFS4KBFXPPCX9H7RZ9YVTS.ft-full"},
	{"ft-localized", "/metadata/v1/ft/SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.harbor-dollar?locale=es-MX"},
	{"nft-full", "/metadata/v1/nft/SP2SYHR84SDJJDK8M09HFS4KBFXPPCX9H7RZ9YVTS.nft/1"},
	{"nft-localized", "/metadata/v1/nft/SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.harbor-lights/2?locale=jp"},
	{"burn-block", "/extended/v2/burn-blocks/840323/blocks?limit=3&offset=2"},
	{"burn-block-of-the-older-era", "/extended/v2/burn-blocks/825991/blocks"},
	{"block-by-height", "/extended/v1/block/by_burn_block_height/840324"},
	{"block-orphaned", "/extended/v1/block/by_burn_block_height/840330"},
	{"block-with-microblocks", "/extended/v1/block/by_burn_block_height/825991"},
	{"blocks", "/extended/v1/block?limit=2&offset=5"},
	{"names", "/v1/namespaces/btc/names?page=7"},
	{"names-unanchored", "/v1/namespaces/id/names?page=9&unanchored=true"},
}

func TestTheAnswersOfSeedOneStay(t *testing.T) {
	s := anchored(t, func(c *Config) { c.Seed = 1 })
	for _, r := range seedOne {
		t.Run(r.name, func(t *testing.T) {
			var got bytes.Buffer
			if err := json.Indent(&got, fetch(t, s, r.target).Body.Bytes(), "", " "); err != nil {
				t.Fatal(err)
			}
			got.WriteByte('\n')
			path := filepath.Join("testdata", "answers", r.name+".json")
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

// TestABlockByItsHashIsTheBlockByItsHeight compares endpoint 5 with endpoint 4.
func TestABlockByItsHashIsTheBlockByItsHeight(t *testing.T) {
	s := anchored(t)
	byHeight := fetch(t, s, "/extended/v1/block/by_burn_block_height/840324")
	var b struct {
		Hash string `json:"burn_block_hash"`
	}
	if err := json.Unmarshal(byHeight.Body.Bytes(), &b); err != nil {
		t.Fatal(err)
	}
	if byHash := fetch(t, s, "/extended/v1/block/by_burn_block_hash/"+b.Hash); byHash.Body.String() != byHeight.Body.String() {
		t.Errorf("by hash %s\nby height %s", byHash.Body, byHeight.Body)
	}
}
