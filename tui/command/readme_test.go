package command

import (
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"chainscope/mockserver"
	"chainscope/tui/command/cli"
)

// example is a command line that a help text shows.
type example struct {
	where string
	args  []string
}

// documents returns the texts of README and the guides, by their paths.
func documents(t *testing.T) map[string]string {
	t.Helper()
	paths, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, path := range append(paths, "../../README.md") {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts[strings.TrimPrefix(filepath.ToSlash(path), "../../")] = string(text)
	}
	return texts
}

// helpExamples returns the examples of a command and of those below it.
func helpExamples(t *testing.T, cmd *cobra.Command) []example {
	t.Helper()
	var all []example
	for line := range strings.Lines(cmd.Example) {
		if command, ok := strings.CutPrefix(line, "  chainscope"); ok {
			// The explanation of an example is behind some blanks.
			command = regexp.MustCompile(` {3,}\S.*`).ReplaceAllString(command, "")
			all = append(all, example{cmd.CommandPath() + " --help", shellWords(t, command)})
		}
	}
	for _, sub := range cmd.Commands() {
		all = append(all, helpExamples(t, sub)...)
	}
	return all
}

// shellWords splits a command line as a shell does, up to a comment, a pipe or &.
func shellWords(t *testing.T, line string) []string {
	t.Helper()
	var all []string
	var word strings.Builder
	quote, inWord := rune(0), false
	flush := func() {
		if inWord {
			all = append(all, word.String())
		}
		word.Reset()
		inWord = false
	}
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, inWord = r, true
		case r == ' ' || r == '\n':
			flush()
		case !inWord && (r == '#' || r == '|' || r == '&' || r == '>'):
			return all
		default:
			inWord = true
			word.WriteRune(r)
		}
	}
	if quote != 0 {
		t.Fatalf("an open quote in %q", line)
	}
	flush()
	return all
}

// liveOrServing reports whether an example needs a live API or runs until it is
// ended. Of those only the flags are read.
func liveOrServing(args []string) bool {
	for _, a := range args {
		switch {
		case a == "mock", a == "bridge", a == "--bridge", a == "mainnet", a == "testnet", strings.HasPrefix(a, "https://"):
			return true
		case a == "wallet":
			return false // its networks are those of addresses
		}
	}
	return false
}

// TestEveryExampleOfAHelpTextIsTrue runs the examples of every help text against the mock.
// Those that need a live API or that serve are only parsed, those with a placeholder (…)
// are left out. An example of the explorer must be understood: without a terminal it names
// the command that prints the same. Those of README and the guides are run by tui/e2e.
func TestEveryExampleOfAHelpTextIsTrue(t *testing.T) {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	server, err := mockserver.New(mockserver.Config{Seed: 1, Freeze: &at})
	if err != nil {
		t.Fatal(err)
	}
	mock := httptest.NewServer(server)
	t.Cleanup(func() { mock.Close(); _ = server.Close() })
	examples := helpExamples(t, newRoot(&cli.App{}))
	t.Chdir(t.TempDir())
	const transfer = `{"recipient":"ST2JHG361ZXG51QTKY2NQCVBPPRRE2KZB1HR05NNC","amount":"1","network":"testnet","fee":"200","nonce":"0"}`
	code, stdout, stderr := run(t, t.Context(), "wallet", "request", "stx_transferStx", transfer, "--approve", "always")
	var signed struct{ Transaction string }
	if err := json.Unmarshal([]byte(stdout), &signed); code != 0 || err != nil {
		t.Fatalf("exit %d: %v\n%s", code, err, stderr)
	}
	for name, text := range map[string]string{
		"transfer.json": transfer, "unsigned.psbt": unsignedPSBT, "signed.hex": signed.Transaction,
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ran := 0
	for _, e := range examples {
		line := strings.Join(e.args, " ")
		if strings.Contains(line, "…") {
			continue
		}
		args := slices.Clone(e.args)
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "http://127.0.0.1:3999", mock.URL)
		}
		want, explorer := 0, len(args) == 0 || !slices.ContainsFunc(newRoot(&cli.App{}).Commands(), func(c *cobra.Command) bool {
			return slices.Contains(args, c.Name())
		})
		switch {
		case liveOrServing(args):
			args = append(args, "--help")
		case explorer:
			want = 2
		case slices.Contains(args, "request") && !slices.Contains(args, "--approve"):
			want = 2 // it asks, and there is nobody
		case args[0] == "demo" && !slices.Contains(args, "--record"):
			want = 2 // it performs on a terminal
		}
		code, stdout, stderr := run(t, t.Context(), args...)
		ran++
		if code != want {
			t.Errorf("%s: chainscope %s: exit %d, want %d\n%s%s", e.where, line, code, want, stdout, stderr)
		}
		if explorer && want == 2 && !strings.Contains(stderr, "chainscope ") {
			t.Errorf("%s: chainscope %s: no command is named: %s", e.where, line, stderr)
		}
	}
	if ran < 20 {
		t.Errorf("%d examples were run: help texts have changed their form", ran)
	}
}

// The length of README is bounded, and what it and the guides link to is there.
func TestReadmeIsShortAndLinksAreTrue(t *testing.T) {
	texts := documents(t)
	if n := strings.Count(texts["README.md"], "\n"); n > 150 {
		t.Errorf("README.md has %d lines, want 150 at most: guides are for the rest", n)
	}
	link := regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)
	for where, text := range texts {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join("../..", filepath.Dir(where), m[1])); err != nil {
				t.Errorf("%s links to %s: %v", where, m[1], err)
			}
		}
	}
}

// unsignedPSBT spends a coin of the first account of the public test mnemonic.
const unsignedPSBT = "cHNidP8BAFICAAAAAf2AerzQPP5KCJybumJkP/MZrN5C1CuijRcpd1AUXga3AAAAAAD/////AbaGAQAAAAAAFgAUUsQ960d4y6ya7deLcW6rzuesBXcAAAAAAAEBH1vDAAAAAAAAFgAUwM681sPTyox13F7GLr5VMw75EOIBAwSDAAAAAAA="

// Every page for users shows its point, and no picture or film is made for no page.
func TestEveryGuideHasAPictureAndEveryPictureAPage(t *testing.T) {
	shown := ""
	for path, text := range documents(t) {
		shown += text
		if !strings.Contains(text, ".svg)") && path != "docs/ARCHITECTURE.md" && path != "docs/CONTRIBUTING.md" && path != "docs/CHANGELOG.md" {
			t.Errorf("%s has no picture", path)
		}
	}
	for _, pattern := range []string{"*.svg", "*.cast"} {
		files, err := filepath.Glob("../../docs/" + pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("no %s in docs: %v", pattern, err)
		}
		for _, file := range files {
			if name := filepath.Base(file); !strings.Contains(shown, name+")") {
				t.Errorf("no page shows docs/%s", name)
			}
		}
	}
}
