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
	want := map[string]FlagValue{
		"api": {"api", []string{"testnet"}}, "header": {"header", []string{"x-api-key: k", "a: b"}},
		"timeout": {"timeout", []string{"1m30s"}}, "no-color": {"no-color", []string{"true"}}, "theme": {"theme", []string{"light"}},
		"mock-seed": {"mock.seed", []string{"18446744073709551"}}, "mock-fault": {"mock.fault", []string{"status=503"}},
		"mock-latency": {"mock.latency", []string{"40ms"}}, "mock-names": {"mock.names", []string{"7"}},
		"account": {"wallet.account", []string{"3"}}, "network": {"wallet.network", []string{"testnet"}},
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
		{"a wrong type", "\nno-color = \"yes\"\n", "line 2, column 12: no-color is of the type string: want true or false"},
		{"a number for a text", "[mock]\nscenario = 3\n", "line 2, column 12: mock.scenario is of the type integer: want a text in quotes"},
		{"a text for a number", "[mock]\nseed = \"3\"\n", "line 2, column 8: mock.seed is of the type string: want a whole number"},
		{"a number below what is possible", "[wallet]\naccount = -1\n", "line 2, column 11: negative integer value -1 is out of range: want a whole number"},
		{"a text for a list", "header = \"a: b\"\n", "line 1, column 10: header is of the type string: want a list of texts in quotes"},
		{"a number in a list", "header = [3]\n", "line 1, column 11: header is of the type integer: want a text in quotes"},
		{"a number for a table", "mock = 3\n", "line 1, column 8: mock is of the type integer: want a table such as [mock]"},
		{"a table for a text", "[api]\nx = 1\n", "line 1, column 2: api is of the type table: want a text in quotes"},
		{"a date for a duration", "timeout = 2026-01-01\n", "line 1, column 11: "},
		{"a boolean for a duration", "timeout = true\n", "line 1, column 11: "},
		{"a list for a duration", "timeout = [1]\n", "line 1, column 11: timeout is of the type array: want a duration"},
		{"a number for a command", "[[command]]\nrun = [1]\n", "line 2, column 8: command.run is of the type integer: want a text in quotes"},
		{"a wrong duration", "timeout = \"fast\"\n", `line 1, column 11: "fast" is not a duration such as "10s" or "1m30s"`},
		{"a duration without a unit", "timeout = 20\n", `line 1, column 11: "20" is not a duration such as "10s" or "1m30s"`},
		{"a duration of the mock without a unit", "[mock]\nlatency = 1.5\n", `line 2, column 11: "1.5" is not a duration`},
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

func TestAByteOrderMarkIsNoPartOfAConfig(t *testing.T) {
	c, err := ParseConfig([]byte("\ufeffapi = \"testnet\"\n"), bindings)
	if err != nil || c.API == nil || *c.API != "testnet" {
		t.Errorf("%v, %v", c.API, err)
	}
	if _, err := ParseConfig([]byte("\ufeffspeed = 3\n"), bindings); err == nil || !strings.HasPrefix(err.Error(), "line 1, column 1: ") {
		t.Error(err)
	}
}

func TestAProblemThatIsFoundLaterSaysLineAndColumn(t *testing.T) {
	c, err := ParseConfig([]byte("api = \"x\"\nmock = {names = 3, seed = 1}\n[[command]]\nkey = \"a\"\n[[command]]\n  key = \"b\"\n[keys]\n\"global.quit\" = [\"Q\"]\n"), bindings)
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{
		"api": "line 1, column 1: ", "mock.seed": "line 2, column 20: ", "command.0.key": "line 4, column 1: ",
		"command.1.key": "line 6, column 3: ", "command.1": "line 5, column 3: ", "keys.global.quit": "line 8, column 1: ", "theme": "",
	} {
		if got, want := c.Problem("wrong", "none", key).Error(), "config : "+want+"wrong"; got != want {
			t.Errorf("%s: %s, want %s", key, got, want)
		}
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
