package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Tables have the columns that the config names, in its order, by the names of the explorer and of
// files; files and --fields are as before.
func TestTablesHaveTheColumnsOfTheConfig(t *testing.T) {
	api, _ := countedMock(t, "9")
	config := filepath.Join(t.TempDir(), "config.toml")
	printed := func(text, line string) (int, string, string) {
		t.Helper()
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return run(t, t.Context(), append(strings.Fields(line), "--config", config, "--api", api)...)
	}
	const own = "[columns]\ntransactions = [\"nonce\", \"tx_type\", \"id\"]\nblocks = [\"age\", \"height\"]\n"
	for line, want := range map[string]string{
		"txs --limit 1":                              "NONCE TYPE TRANSACTION",
		"blocks --limit 1":                           "TIME (UTC) HEIGHT",
		"txs --limit 1 --fields type":                "TYPE",
		"txs --limit 1 -o csv --fields nonce,status": "nonce,status",
	} {
		_, stdout, stderr := printed(own, line)
		if head, _, _ := strings.Cut(stdout, "\n"); !strings.EqualFold(strings.Join(strings.Fields(head), " "), want) {
			t.Errorf("%s: %q, want %q: %s", line, head, want, stderr)
		}
	}
	_, history, _ := printed("[columns]\nentries = [\"what\", \"amount\"]\n", "account "+listedAccount+" --transactions --limit 1")
	if head, _, _ := strings.Cut(history, "\n"); strings.Join(strings.Fields(head), " ") != "WHAT AMOUNT" {
		t.Errorf("the table of a history has %q", head)
	}
	// What a thing has not is empty, as in the explorer.
	if _, stdout, _ := printed("[columns]\ntransactions = [\"type\", \"amount\", \"fn\", \"sponsor\"]\n", "txs --limit 20"); strings.Contains(stdout, "unknown") || !strings.Contains(stdout, "SPONSOR") {
		t.Errorf("a call has no amount:\n%s", stdout)
	}
	for text, want := range map[string]string{
		"[columns]\nblocks = [\"heigt\"]\n":          `line 2, column 1: columns: blocks: there is no column "heigt"; the columns are height, hash`,
		"[columns]\nblock = [\"height\"]\n":          `there is no list "block": want accounts, blocks`,
		"[columns]\nblocks = []\n":                   "want the names of columns",
		"[columns]\nblocks = [\"age\", \"age\"]\n":   `"age" is there twice`,
		"[columns]\ntransactions = [\"contract\"]\n": `there is no column "contract"`,
	} {
		if code, _, stderr := printed(text, "blocks"); code != 2 || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit %d: %s", text, code, stderr)
		}
	}
}
