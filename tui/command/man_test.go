package command

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"
)

// manDir is where the manual pages are kept: .ci/release packs them.
var manDir = flag.String("man", "", "write the manual pages into this `directory`")

func TestEveryCommandHasAManPage(t *testing.T) {
	dir := *manDir
	if dir == "" {
		dir = t.TempDir()
	}
	// The pages of a release depend on nothing but its sources.
	at := time.Unix(0, 0).UTC()
	header := &doc.GenManHeader{Title: "CHAINSCOPE", Section: "1", Source: "chainscope", Manual: "chainscope", Date: &at}
	root := newRoot(&app{})
	root.DisableAutoGenTag = true
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
}
