package command

import (
	"regexp"
	"strings"
	"testing"

	"chainscope/tui/command/cli"
)

// A help and a shell offer the flags that a command can use, and those alone.
func TestOnlyFlagsThatACommandCanUseAreOffered(t *testing.T) {
	for _, c := range []struct{ command, offered, not string }{
		{"version", "--output --jq", "--api --header --timeout --mock-seed --fields --config --log-file --no-color"},
		{"help", "--help", "--api --jq --mock-seed --output --config"},
		{"completion", "--help", "--api --jq --mock-seed --output --config"},
		{"mock", "--seed --config", "--api --jq --mock-seed --output"},
		{"blocks", "--api --fields --limit --follow --config --jq --mock-seed", "--persona --keystore --approve"},
		{"check", "--api --output --mock-seed --jq", "--fields --persona"},
		{"wallet", "--network --persona --keystore", "--api --output --config --mock-seed --jq"},
		{"wallet request", "--api --approve --persona --watch --keystore", "--fields --mock-seed --mock-automine"},
		{"wallet methods", "--output --config --jq --account --network --mnemonic-file", "--persona --watch --keystore --approve --api --mock-seed --fields"},
		{"wallet decode", "--as --network --keystore --mnemonic-file", "--persona --watch --approve --api --mock-seed"},
		{"wallet verify", "--message --output", "--persona --watch --keystore --api --mock-seed"},
		{"wallet keystore create", "--keystore --account", "--persona --watch --mnemonic-file --approve --api --mock-seed"},
		{"wallet keystore import", "--keystore --mnemonic-file", "--persona --watch --approve --api"},
		{"wallet addresses", "--persona --watch --keystore", "--approve --provider --api"},
	} {
		words := strings.Fields(c.command)
		_, help, _ := run(t, t.Context(), append(words, "--help")...)
		_, completed, _ := run(t, t.Context(), append(append([]string{"__complete"}, words...), "--")...)
		both := func(flag string) (inHelp, inCompletion bool) {
			line := regexp.MustCompile(`(?m)^ +(-\w, )?` + flag + `[ \[]|^  prefix ` + flag[:min(len(flag), len("--mock-"))] + `:`)
			return line.MatchString(help), strings.Contains("\n"+completed, "\n"+flag+"\t")
		}
		for _, flag := range strings.Fields(c.offered) {
			if inHelp, inCompletion := both(flag); !inHelp || !inCompletion {
				t.Errorf("%s: %s is in the help: %t, in the completion: %t", c.command, flag, inHelp, inCompletion)
			}
		}
		for _, flag := range strings.Fields(c.not) {
			if inHelp, inCompletion := both(flag); inHelp || inCompletion {
				t.Errorf("%s has no use for %s, which is in the help: %t, in the completion: %t", c.command, flag, inHelp, inCompletion)
			}
		}
	}
}

func TestWhatACommandUsesAreCommandsAndFlagsThatThereAre(t *testing.T) {
	root := newRoot(&cli.App{})
	for name, list := range uses {
		cmd, rest, err := root.Find(strings.Fields(name))
		if err != nil || len(rest) > 0 || cmd == root && name != "" {
			t.Errorf("there is no command %q", name)
			continue
		}
		for _, used := range strings.Fields(list) {
			if !isGroup(used) && cmd.Flag(used) == nil {
				t.Errorf("%s has no flag %s, and there is no such group", name, used)
			}
		}
	}
}

func isGroup(title string) bool {
	for _, g := range flagGroups {
		if g.title == title {
			return true
		}
	}
	return false
}
