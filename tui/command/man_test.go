package command

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"

	"chainscope/tui/command/cli"
)

// manDir is where the manual pages are kept: .ci/release packs them.
var manDir = flag.String("man", "", "write the manual pages into this `directory`")

func TestEveryCommandHasAManPage(t *testing.T) {
	dir := *manDir
	if dir == "" {
		dir = t.TempDir()
		t.Setenv("SOURCE_DATE_EPOCH", "1795416300")
	}
	// The pages of a release depend on nothing but its sources: they carry the date of
	// SOURCE_DATE_EPOCH.
	header := &doc.GenManHeader{Section: "1", Source: "chainscope", Manual: "chainscope"}
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	root := newRoot(&cli.App{})
	root.DisableAutoGenTag = true
	// A page shows the default of a flag, which is not what the flag means without a value.
	root.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Value.Type() == "string" && f.NoOptDefVal != "" {
			f.DefValue = f.NoOptDefVal
		}
	})
	if err := doc.GenManTree(root, header, dir); err != nil {
		t.Fatal(err)
	}
	var check func(cmd *cobra.Command)
	check = func(cmd *cobra.Command) {
		if !cmd.IsAvailableCommand() {
			return
		}
		path := filepath.Join(dir, strings.ReplaceAll(cmd.CommandPath(), " ", "-")+".1")
		page, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
		} else if !strings.Contains(string(page), "SH SYNOPSIS") || !strings.Contains(string(page), cmd.Short) {
			t.Errorf("%s does not say what %s does", path, cmd.CommandPath())
		} else if *manDir == "" && !strings.Contains(string(page), `"Nov 2026"`) || strings.Contains(string(page), home+"/") {
			t.Errorf("%s has another date, or the home folder of whoever made it:\n%s", path, page)
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			// Without a word of ours pflag names the type: "stringArray" is no word of a page.
			if value, _ := pflag.UnquoteUsage(f); value == f.Value.Type() || value == "strings" {
				t.Errorf("%s --%s: %q does not say what is given", cmd.CommandPath(), f.Name, value)
			}
		})
		for _, sub := range cmd.Commands() {
			check(sub)
		}
	}
	check(root)
	if page, err := os.ReadFile(filepath.Join(dir, "chainscope.1")); err != nil || !strings.Contains(string(page), `--bridge\fP[="127.0.0.1:3998"]`) {
		t.Errorf("the page does not say where --bridge listens without a value: %v\n%s", err, page)
	}
}
