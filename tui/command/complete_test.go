package command

import (
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"chainscope/tui/command/cli"
)

// completions returns what a shell is offered for a line, without explanations.
func completions(t *testing.T, line ...string) []string {
	t.Helper()
	_, stdout, _ := run(t, t.Context(), append([]string{"__complete"}, line...)...)
	var words []string
	for l := range strings.Lines(stdout) {
		if word, _, _ := strings.Cut(strings.TrimSpace(l), "\t"); word != "" && !strings.HasPrefix(word, ":") {
			words = append(words, word)
		}
	}
	return words
}

func TestTheValuesOfFlagsAreCompleted(t *testing.T) {
	for line, want := range map[string]string{
		"--notify":                   "all bell off",
		"--persona":                  "rich empty no-bitcoin many-accounts locked",
		"--network":                  "mainnet testnet devnet mocknet regtest",
		"--theme":                    "dark light ansi mono high-contrast",
		"blocks --mock-api-version":  "8 9 sunset v3",
		"mock --api-version":         "8 9 sunset v3",
		"mock --scenario":            "healthy slow flaky limited down corrupt reorg",
		"wallet request --approve":   "ask always never",
		"wallet addresses --persona": "rich empty no-bitcoin many-accounts locked",
		"bridge --as":                "chainscope leather xverse",
		"wallet decode --as":         "tx clarity post-condition psbt address literal",
		"check --against":            "mock",
	} {
		if got := strings.Join(completions(t, append(strings.Fields(line), "")...), " "); got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}

// A flag whose help lists words completes them, in whichever command it stands.
func TestWordsThatAHelpListsAreCompleted(t *testing.T) {
	words := regexp.MustCompile(`: [\w.-]+, `)
	checked := 0
	var walk func(cmd *cobra.Command, line []string)
	walk = func(cmd *cobra.Command, line []string) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Value.Type() != "string" || !words.MatchString(f.Usage) {
				return
			}
			checked++
			if len(completions(t, append(line[:len(line):len(line)], "--"+f.Name, "")...)) == 0 {
				t.Errorf("%s: nothing completes --%s, %s", cmd.CommandPath(), f.Name, f.Usage)
			}
		})
		for _, sub := range cmd.Commands() {
			walk(sub, append(line[:len(line):len(line)], sub.Name()))
		}
	}
	walk(newRoot(&cli.App{}), nil)
	if checked < 15 {
		t.Errorf("only %d flags list words: the test looks for another form", checked)
	}
}

func TestColumnsAreCompleted(t *testing.T) {
	for line, want := range map[string]string{
		"blocks --fields he":                       "height",
		"blocks --fields height,":                  "height,canonical height,hash ",
		"blocks --fields height,hash,ind":          "height,hash,index_block_hash height,hash,index",
		"blocks --fields burnh":                    "burnhash",
		"burn-blocks --fields stacks_block_c":      "stacks_block_count",
		"burn-blocks --fields blo":                 "blocks",
		"burn-blocks latest --fields parent_index": "parent_index_block_hash",
		"txs --fields sponsored":                   "sponsored",
		"account x --fields counter":               "counterparty counterparty_label",
		"ft a.b --fields dec":                      "decimals",
		"nft a.b 1 --fields token_":                "token_uri",
		"check --fields ":                          "",
	} {
		words := strings.Split(line, " ")
		if got := strings.Join(completions(t, words...), " "); got != want && (!strings.HasSuffix(want, " ") || !strings.HasPrefix(got, want)) {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}
