package state

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var bindings = []string{"global.quit", "list.down"}

func TestConfigGivesFlagsTheirValues(t *testing.T) {
	c, err := ParseConfig([]byte(`
api = "testnet"
header = ["x-api-key: k", "a: b"]
timeout = "1m30s"
no-color = true
theme = "light"
[mock]
seed = 18446744073709551
fault = ["status=503"]
latency = "40ms"
names = 7
[wallet]
account = 3
network = "testnet"
[keys]
"global.quit" = "Q"
"list.down" = ["j", "ctrl+n"]
`), bindings)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{
		"api": {"testnet"}, "header": {"x-api-key: k", "a: b"}, "timeout": {"1m30s"}, "no-color": {"true"}, "theme": {"light"},
		"mock-seed": {"18446744073709551"}, "mock-fault": {"status=503"}, "mock-latency": {"40ms"}, "mock-names": {"7"},
		"account": {"3"}, "network": {"testnet"},
	}
	if diff := cmp.Diff(want, c.Flags()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]KeyList{"global.quit": {"Q"}, "list.down": {"j", "ctrl+n"}}, c.Keys); diff != "" {
		t.Error(diff)
	}
	if len(Config{}.Flags()) != 0 {
		t.Error("an empty config sets flags")
	}
}

func TestConfigErrorsSayLineAndColumn(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"an unknown key", "api = \"mock\"\nspeed = 3\n", `line 2, column 1: unknown key "speed"`},
		{"an unknown key in a table", "[mock]\n  sed = 3\n", `line 2, column 3: unknown key "mock.sed"`},
		{"two unknown keys", "a = 1\nb = 2\n", `line 1, column 1: unknown key "a"; line 2, column 1: unknown key "b"`},
		{"approval is never in a file", "[wallet]\napprove = \"always\"\n", `line 2, column 1: unknown key "wallet.approve"`},
		{"an unknown binding", "[keys]\n\"global.quit\" = \"Q\"\n\"global.nope\" = [\"x\"]\n", `line 3, column 1: unknown key "keys.global.nope"`},
		{"a binding without quotes", "[keys]\nlist.down = [\"x\"]\n", `line 2, column `},
		{"broken TOML", "api = \n", "line 1, column "},
		{"a wrong type", "\nno-color = \"yes\"\n", "line 2, column 12: "},
		{"a wrong duration", "timeout = \"fast\"\n", `line 1, column 11: "fast" is not a duration such as 10s or 1m30s`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ParseConfig([]byte(tt.text), bindings)
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("error %v, want %s", err, tt.want)
			}
		})
	}
}

func TestConfigFileMayBeMissingUnlessNamed(t *testing.T) {
	noBindings := func() []string { return nil }
	path := filepath.Join(t.TempDir(), "none.toml")
	if _, err := LoadConfig(path, false, noBindings); err != nil {
		t.Error(err)
	}
	if _, err := LoadConfig(path, true, noBindings); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v does not name the file", err)
	}
	if err := os.WriteFile(path, []byte("x = 1"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadConfig(path, false, noBindings); err == nil || !strings.Contains(err.Error(), path+": line 1") {
		t.Errorf("error %v does not name file and line", err)
	}
}

func FuzzParseConfig(f *testing.F) {
	f.Add([]byte("api = \"mock\"\n[keys]\nquit=[\"q\"]\n"))
	f.Add([]byte("[mock]\nseed = 1e9"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if c, err := ParseConfig(text, bindings); err == nil {
			c.Flags()
		}
	})
}
