package command

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"chainscope/tui/text"
)

// Groups of the commands, in the order of the help.
const (
	groupExplore = "explore"
	groupMock    = "mock"
	groupWallet  = "wallet"
)

var commandGroups = []*cobra.Group{
	{ID: groupExplore, Title: "Explore the chain:"},
	{ID: groupMock, Title: "Mock the API:"},
	{ID: groupWallet, Title: "Be the wallet:"},
}

// groupOf returns the group of a command, "" for none.
func groupOf(name string) string {
	switch name {
	case "blocks", "block", "burn-blocks", "ft", "nft", "names", "check":
		return groupExplore
	case "mock":
		return groupMock
	case "wallet", "bridge":
		return groupWallet
	}
	return ""
}

// flagGroups are the flags that many commands have, in the order of the help.
var flagGroups = []struct {
	title string
	names []string
}{
	{"Wallet", []string{
		"account", "network", "provider", "approve",
		"mnemonic-file", "passphrase-file", "keystore", "keystore-passphrase-file",
	}},
	{"API", []string{"api", "header", "timeout"}},
	{"Output", []string{"output", "fields", "jq", "no-color"}},
	{"Files", []string{"config", "state-dir", "log-file"}},
}

const mockHelp = `Embedded mock (with --api mock):
  Every flag of "chainscope mock" but --addr, --upstream and --record, with the
  prefix --mock-: --mock-seed 7, --mock-scenario slow, --mock-freeze TIME;
  --mock-addr gives it a fixed port. See chainscope mock --help.
`

// usage writes the usage of a command: its commands and flags in groups.
func usage(cmd *cobra.Command) error {
	w := cmd.OutOrStderr()
	fmt.Fprintf(w, "Usage:\n  %s\n", cmd.UseLine())
	if cmd.HasAvailableSubCommands() {
		writeCommands(w, cmd)
	}
	if cmd.Example != "" {
		fmt.Fprintf(w, "\nExamples:\n%s\n", cmd.Example)
	}
	writeFlags(w, cmd)
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(w, "\nSee %s COMMAND --help for more about a command.\n", cmd.CommandPath())
	}
	return nil
}

// writeCommands lists the commands below a command by their groups.
func writeCommands(w io.Writer, cmd *cobra.Command) {
	list := func(title, group string) {
		began := false
		for _, c := range cmd.Commands() {
			if c.GroupID != group || !c.IsAvailableCommand() && c.Name() != "help" {
				continue
			}
			if !began {
				fmt.Fprintf(w, "\n%s\n", title)
				began = true
			}
			fmt.Fprintf(w, "  %s  %s\n", text.Pad(c.Name(), cmd.NamePadding()), c.Short)
		}
	}
	for _, g := range cmd.Groups() {
		list(g.Title, g.ID)
	}
	title := "Commands:"
	if len(cmd.Groups()) > 0 {
		title = "Other:"
	}
	list(title, "")
}

// writeFlags lists the flags of a command: its own, then those of many commands.
func writeFlags(w io.Writer, cmd *cobra.Command) {
	var common []string
	for _, g := range flagGroups {
		common = append(common, g.names...)
	}
	isMock := isMock(cmd)
	own := pflag.NewFlagSet("", pflag.ContinueOnError)
	all := map[string]*pflag.Flag{}
	cmd.Flags().VisitAll(func(f *pflag.Flag) { all[f.Name] = f })
	for _, f := range sortedFlags(all) {
		if !slices.Contains(common, f.Name) && !strings.HasPrefix(f.Name, mockPrefix) {
			own.AddFlag(f)
		}
	}
	writeFlagSet(w, "Flags", own)
	for _, g := range flagGroups {
		set := pflag.NewFlagSet("", pflag.ContinueOnError)
		set.SortFlags = false
		for _, name := range g.names {
			// What a mock server says is not for it to ask or to format.
			if f := all[name]; f != nil && (!isMock || g.title == "Files") {
				set.AddFlag(f)
			}
		}
		writeFlagSet(w, g.title, set)
	}
	if all[mockPrefix+"seed"] != nil && !isMock {
		fmt.Fprintf(w, "\n%s", mockHelp)
	}
}

func sortedFlags(all map[string]*pflag.Flag) []*pflag.Flag {
	var list []*pflag.Flag
	for _, f := range all {
		list = append(list, f)
	}
	slices.SortFunc(list, func(a, b *pflag.Flag) int { return strings.Compare(a.Name, b.Name) })
	return list
}

func writeFlagSet(w io.Writer, title string, set *pflag.FlagSet) {
	if set.HasAvailableFlags() {
		fmt.Fprintf(w, "\n%s:\n%s", title, set.FlagUsages())
	}
}
