package command

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"chainscope/tui/command/cli"
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
	case "blocks", "block", "burn-blocks", "tx", "txs", "account", "contract", "call", "var", "map", "ft", "nft", "names", "check", "demo":
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
		"account", "network", "provider", "approve", "persona", "watch",
		"mnemonic-file", "passphrase-file", "keystore", "keystore-passphrase-file",
	}},
	{"API", []string{"api", "header", "timeout"}},
	{"Output", []string{"output", "fields", "jq", "no-color"}},
	{"Files", []string{"config", "state-dir", "log-file"}},
}

const (
	keystoreFlags = "account network keystore keystore-passphrase-file Output Files"
	keyFlags      = keystoreFlags + " mnemonic-file passphrase-file"
)

// uses are the flags of many commands, single ones or groups, that a command can use, where
// it cannot use them all. The help and completion leave out the others.
var uses = map[string]string{
	"completion": "", "help": "", "mock": "Files", "version": "output jq", "label": "Output Files",

	"wallet":           "Wallet",
	"wallet addresses": keyFlags + " persona watch", "wallet status": keyFlags + " watch", "wallet decode": keyFlags,
	"wallet disconnect": "Output Files", "wallet methods": "account network mnemonic-file passphrase-file Output Files",
	"wallet storage": "Output Files", "wallet verify": "Output Files",

	"wallet keystore": keyFlags, "wallet keystore import": keyFlags, "wallet keystore create": keystoreFlags,
	"wallet keystore export": keystoreFlags, "wallet keystore passphrase": keystoreFlags,
}

// mockless reports whether a flag is of an embedded mock that a command never starts. A
// command of the wallet reads the accounts of a project all the same.
func mockless(cmd *cobra.Command, flag string) bool {
	own, of := strings.CutPrefix(flag, cli.MockPrefix)
	return of && own != "project" && cmd.HasParent() && cmd.Parent().Name() == "wallet"
}

// offers reports whether a command can use a flag.
func offers(cmd *cobra.Command, flag string) bool {
	if flag == "fields" && cmd.HasParent() && cmd.Annotations[cli.WithRows] == "" {
		return false
	}
	if mockless(cmd, flag) {
		return false
	}
	list, limited := uses[cli.CommandName(cmd)]
	group := ""
	for _, g := range flagGroups {
		if slices.Contains(g.names, flag) {
			group = g.title
		}
	}
	if strings.HasPrefix(flag, cli.MockPrefix) {
		group = "API"
	}
	used := strings.Fields(list)
	return !limited || group == "" || slices.Contains(used, group) || slices.Contains(used, flag)
}

// hideUseless keeps a shell from completing the flags that the command of a line cannot use.
func hideUseless(root *cobra.Command, line []string) {
	cmd, _, err := root.Find(line)
	if err != nil {
		return
	}
	cmd.InheritedFlags().VisitAll(func(f *pflag.Flag) { f.Hidden = f.Hidden || !offers(cmd, f.Name) })
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
	own := pflag.NewFlagSet("", pflag.ContinueOnError)
	all := map[string]*pflag.Flag{}
	cmd.Flags().VisitAll(func(f *pflag.Flag) { all[f.Name] = f })
	for _, f := range sortedFlags(all) {
		if !slices.Contains(common, f.Name) && !strings.HasPrefix(f.Name, cli.MockPrefix) {
			own.AddFlag(f)
		}
	}
	writeFlagSet(w, "Flags", own)
	for _, g := range flagGroups {
		set := pflag.NewFlagSet("", pflag.ContinueOnError)
		set.SortFlags = false
		for _, name := range g.names {
			if f := all[name]; f != nil && offers(cmd, name) {
				set.AddFlag(f)
			}
		}
		writeFlagSet(w, g.title, set)
	}
	if offers(cmd, cli.MockPrefix+"seed") {
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
