package mockserver

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chainscope/wallet/clarity"
)

// A project that changes is deployed again, and what was done to the chain is done again.
func TestAProjectThatChangesIsDeployedAgain(t *testing.T) {
	dir := t.TempDir()
	alice := someone("alice").address(false)
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const wallets = "genesis:\n  wallets: []\nplan:\n  batches:\n  - transactions:\n"
	deploy := func(name string) string {
		return "    - {transaction-type: emulated-contract-publish, contract-name: " + name + ", emulated-sender: " + alice + ", path: " + name + ".clar}\n"
	}
	write("Clarinet.toml", "")
	write("c.clar", "(ok u1)")
	write("d.clar", "(ok u1)")
	write("plan.yaml", wallets+deploy("c")+deploy("d"))
	cfg := fakeEngine()
	cfg.Project = dir
	var reported []string
	cfg.Report = func(line string) { reported = append(reported, line) }
	d := newTroupe(t, cfg)
	d.s.reloader.stop() // from here on the test says when the files are checked
	d.control("snapshot", `{"name":"start"}`)
	d.does(d.calls(1, "c", "add", clarity.NewUInt(5)), "(ok u5)")
	d.does(d.calls(1, "d", "add", clarity.NewUInt(2)), "(ok u2)")
	reload := func(want ...string) {
		t.Helper()
		reported = nil
		d.s.reloader.reload()
		if len(reported) != len(want) {
			t.Fatalf("the messages are %q, want %q", reported, want)
		}
		for i := range want {
			if !strings.Contains(reported[i], want[i]) {
				t.Errorf("the messages are %q, want %q", reported[i], want[i])
			}
		}
	}
	source := func() string {
		return read[struct{ Source string }](t, get(d.s, "/v2/contracts/source/"+alice+"/c?proof=0")).Source
	}
	const again = "the project has changed and is deployed again"

	reload() // nothing has changed
	write("c.clar", "(ok u22)")
	reload(again)
	d.wants(source(), "(ok u22)")
	d.wants(d.reads("c", "total"), "u5")
	d.wants(d.reads("d", "total"), "u2")

	write("c.clar", "(define-constant a (broken))")
	reload("cannot be deployed, so the contracts stay as they were: c.clar:1:21: the contract c: use of unresolved function 'broken'")
	d.wants(source(), "(ok u22)")

	write("c.clar", "(ok u333)")
	write("plan.yaml", wallets+deploy("c")+"    - {transaction-type: emulated-contract-call, contract-id: "+alice+".c, emulated-sender: "+alice+", method: add, parameters: [u9]}\n")
	reload(again, "broadcast of 12:00", "add of c (")
	if !slices.ContainsFunc(reported, func(line string) bool { return strings.Contains(line, "NoSuchContract") }) || !strings.HasSuffix(reported[2], "answered (ok u5), and answers (ok u14)") {
		t.Errorf("the messages are %q", reported)
	}
	d.wants(d.reads("c", "total"), "u14")
	d.nonces[1] = 1
	d.does(d.calls(1, "c", "add", clarity.NewUInt(1)), "(ok u15)")
	d.control("revert", `{"to":"start"}`)
	d.wants(d.reads("c", "total"), "u9")
	d.control("reset", `{}`)
	d.wants(d.reads("c", "total"), "u9")
}
