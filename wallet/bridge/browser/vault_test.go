//go:build browser && clarity

package browser

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// A dapp with a contract that runs is driven from its deploy to a call that succeeds, with one between
// them that its post-conditions abort and that is rolled back.
func TestADappWhoseContractRuns(t *testing.T) {
	w := setUp(t)
	engine, err := filepath.Abs("../../../mockserver/engine/chainscope-clarity/chainscope-clarity.js")
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"ENGINE": engine, "VAULT": w.dapp + "vault.html"} {
		if err := os.Setenv(name, value); err != nil {
			t.Fatal(err)
		}
	}
	out, r, err := w.playwright("vault.spec.mjs", "--workers=1")
	if err != nil || r.Stats.Expected != 2 || r.Stats.Unexpected != 0 {
		t.Fatalf("%v, %+v\n%s", err, r.Stats, out)
	}
	t.Log(regexp.MustCompile(`the vault, .* ms`).FindAllString(out, -1))
}
