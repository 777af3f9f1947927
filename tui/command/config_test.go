package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chainscope/tui/command/cli"
	"chainscope/tui/keymap"
	"chainscope/tui/state"
)

func configFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAWrongValueOfTheConfigIsNamedByItsLine(t *testing.T) {
	for _, c := range []struct{ text, command, want string }{
		{"timeout = 20\n", "blocks", `line 1, column 11: "20" is not a duration`},
		{"\ntimeout = \"-5s\"\n", "blocks", "line 2, column 1: timeout: -5s must be more than 0"},
		{"api = \"nowhere\"\n", "blocks", `line 1, column 1: api: unknown API "nowhere"`},
		{"[mock]\n  scenario = \"x\"\n", "blocks", `line 2, column 3: mock.scenario: no scenario "x"`},
		{"[mock]\nscenario = \"x\"\n", "mock", `line 2, column 1: mock.scenario: no scenario "x"`},
		{"[wallet]\nnetwork = \"x\"\n", "wallet", `line 2, column 1: wallet.network: unknown network "x"; use mainnet`},
		{"log-file = \"/no/such/folder\"\n", "blocks", "line 1, column 1: log-file: "},
		{"[keys]\n\"global.quit\" = \"y\"\n", "blocks", `line 2, column 1: keys: "y" is bound to both`},
		{"[keys]\n\"list.up\" = \"foo+bar\"\n", "blocks", `line 2, column 1: keys: list.up: there is no key "foo+bar"`},
	} {
		path := configFile(t, c.text)
		args := []string{c.command, "--config", path}
		if c.command == "wallet" {
			args = append(args, "addresses")
		}
		code, stdout, stderr := run(t, t.Context(), args...)
		if want := "chainscope: config " + path + ": " + c.want; code != 2 || stdout != "" || !strings.HasPrefix(stderr, want) {
			t.Errorf("%q: exit %d, stderr %s, want %s", c.text, code, stderr, want)
		}
	}
	code, _, stderr := run(t, t.Context(), "blocks", "--config", configFile(t, "timeout = \"-5s\"\n"), "--timeout", "-4s")
	if code != 2 || !strings.HasPrefix(stderr, "chainscope: --timeout: -4s") {
		t.Errorf("exit %d, a flag of the command line is not named: %s", code, stderr)
	}
}

func TestAWrongCommandOfTheConfigIsNamedByItsLine(t *testing.T) {
	const good = "[[command]]\nkey = \"ctrl+e\"\nrun = [\"cat\"]\n"
	for text, want := range map[string]string{
		good + "[[command]]\nrun = [\"cat\"]\n":                                     "line 4, column 3: command 2: key is missing",
		good + "[[command]]\nkey = \"ctrl+e\"\nrun = [\"cat\"]\n":                   `line 5, column 1: command 2: key "ctrl+e" is taken by cat`,
		good + "[[command]]\nkey = \"y\"\nrun = [\"cat\"]\n":                        `line 5, column 1: command 2: key "y" is taken by `,
		good + "[[command]]\nkey = \"Ctrl+W\"\nrun = [\"cat\"]\n":                   `line 5, column 1: command 2: there is no key "Ctrl+W": write "ctrl+w"`,
		good + "[[command]]\nkey = \"ctrl+w\"\n  run = [\"cat\", \"{nosuch}\"]\n":   "line 6, column 3: command 2: run has {nosuch}",
		good + "[[command]]\nkey = \"ctrl+w\"\nrun = [\"cat\"]\nstdin = \"hash\"\n": "line 7, column 1: command 2: stdin is",
	} {
		path := configFile(t, text)
		config, err := state.LoadConfig(path, true, func() []string { return nil })
		if err != nil {
			t.Fatal(err)
		}
		_, err = ownCommands((&cli.App{Config: config, Keys: keymap.Default()}))
		if want := "config " + path + ": " + want; err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
