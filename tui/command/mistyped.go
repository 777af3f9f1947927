package command

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"chainscope/apiclient"
	"chainscope/tui/command/cli"
	"chainscope/tui/command/walletcmd"
)

// withoutBlanks takes the blanks off a hash, an address or a name that was pasted with some
// around it. What may be a text stays as it is: values of flags, arguments of functions.
func withoutBlanks(args []string) []string {
	all := slices.Clone(args)
	if slices.Contains(all, "call") || slices.Contains(all, "map") {
		return all
	}
	for i, arg := range all {
		bare := strings.TrimSpace(arg)
		if what, _ := cli.ShownBy(bare); what != "" && (i == 0 || !strings.HasPrefix(all[i-1], "-")) {
			all[i] = bare
		}
	}
	return all
}

// foreignCommands are commands of other programs, and the one that does the same here; "" where
// what follows is enough.
var foreignCommands = map[string]string{
	"transaction": "tx", "transactions": "txs", "address": "account", "balance": "account", "balances": "account",
	"token": "ft", "contracts": "contract", "name": "", "search": "", "find": "", "open": "", "show": "", "get": "", "goto": "",
}

// foreignCommand returns the error of a line that begins with a command of another program, nil
// for others.
func foreignCommand(words []string) *cli.Error {
	suggestion, known := foreignCommands[words[0]]
	if !known || len(words) < 2 {
		return nil
	}
	e := cli.Usagef("there is no command %q", words[0])
	if suggestion == "" {
		e.Message += "; give the explorer the thing itself"
		return e.TryWord(words[0])
	}
	e.Message += "; did you mean " + suggestion + "?"
	return e.TryWord(words[0], suggestion)
}

// suggestedFlags are the flags that a letter may mean which is none here.
var suggestedFlags = map[string]string{"n": "limit", "l": "limit", "p": "port"}

// wrongFlag returns the error of a flag that no command has: one of a single letter, without its
// value, or one that means something else here. It is nil for others.
func wrongFlag(cmd *cobra.Command, err error) *cli.Error {
	var unknown *pflag.NotExistError
	if alone, is := errors.AsType[*pflag.ValueRequiredError](err); is {
		return cli.Usagef("--%s needs a value", alone.GetFlag().Name)
	}
	if !errors.As(err, &unknown) {
		return nil
	}
	name := unknown.GetSpecifiedName()
	written := "--" + name
	if unknown.GetSpecifiedShortnames() != "" {
		written = "-" + name
	}
	e := cli.Usagef("unknown flag: %s", written)
	switch suggestion := suggestedFlags[name]; {
	case written == "--version" || written == "-v" || written == "-V":
		return e.Try("version")
	case written == "--json" || written == "-j":
		return e.TryWord(written, "-o", "json")
	case len(name) == 1 && suggestion == "port" && cmd.Flags().Lookup("addr") != nil:
		e = e.TryWord(written, "--port")
		renamed := e.Suggest
		e.Suggest = func(typed []string) []string { return portAsAddress("port")(renamed(typed)) }
		return e
	case len(name) == 1 && cmd.Flags().Lookup(suggestion) != nil:
		return e.TryWord(written, "--"+suggestion)
	}
	return nil
}

// rowsWithin refuses a number of rows that the API does not give at once.
func rowsWithin(limit, least, most int) error {
	if limit >= least && limit <= most {
		return nil
	}
	e := &cli.Error{Kind: cli.KindInvalidInput, Message: fmt.Sprintf("--limit: a page has %d to %d rows, not %d", least, most, limit)}
	return e.TryFlag("limit", strconv.Itoa(most))
}

// capitals returns an address in small letters as it is written, "" for anything else.
func capitals(arg string) string {
	address, contract, _ := strings.Cut(arg, ".")
	right := strings.ToUpper(address) + strings.TrimPrefix(arg, address)
	if right == arg || contract != "" && apiclient.CheckPrincipal(right) != nil || apiclient.CheckAccount(right) != nil {
		return ""
	}
	return right
}

// A mnemonic is recognised by mnemonicLength words in a row, mnemonicWords of them from the list:
// one or two may be mistyped.
const (
	mnemonicLength = 12
	mnemonicWords  = 10
)

// refuseMnemonic refuses a mnemonic among the arguments. Its words are not printed.
func refuseMnemonic(args []string, known func(string) bool) error {
	var row []bool
	for _, arg := range args {
		if _, value, joined := strings.Cut(arg, "="); joined && strings.HasPrefix(arg, "--") {
			arg = value
		}
		for word := range strings.FieldsSeq(arg) {
			if strings.ContainsFunc(word, func(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') }) {
				row = nil
				continue
			}
			row = append(row, known(strings.ToLower(word)))
			if n := len(row); n >= mnemonicLength && count(row[n-mnemonicLength:]) >= mnemonicWords {
				return cli.Usagef("a mnemonic was given as an argument, where every program of this machine and the history of the shell can read it: take its keys as known to others\n"+
					"a command asks for the mnemonic, or reads it from a file (--mnemonic-file) or from %s", walletcmd.MnemonicVariable).
					Try("wallet", "keystore", "import", "--keystore", "wallet.age")
			}
		}
	}
	return nil
}

func count(of []bool) int {
	n := 0
	for _, one := range of {
		if one {
			n++
		}
	}
	return n
}

// flagSynonyms is the flag that a name means which no flag has here.
var flagSynonyms = map[string]string{"port": "addr", "url": "api", "network": "api", "format": "output"}

// unknownFlag returns the error of a flag that a command does not have. It names the one that is
// meant, or the command that has it.
func unknownFlag(cmd *cobra.Command, name string) *cli.Error {
	problem := cli.Usagef("unknown flag: --%s", name)
	var names []string
	for _, set := range []*pflag.FlagSet{cmd.Flags(), cmd.InheritedFlags()} {
		set.VisitAll(func(f *pflag.Flag) {
			if offers(cmd, f.Name) {
				names = append(names, f.Name)
			}
		})
	}
	suggestion := cli.Nearest(name, names)
	for _, candidate := range []string{cli.MockPrefix + name, strings.TrimPrefix(name, cli.MockPrefix), flagSynonyms[name]} {
		if candidate != name && slices.Contains(names, candidate) {
			suggestion = candidate
		}
	}
	if suggestion != "" {
		problem.Message += "; did you mean --" + suggestion + "?"
		if problem = problem.TryFlagNamed(name, suggestion, true); suggestion == "addr" {
			problem.Suggest = portAsAddress(name)
		}
		return problem
	}
	if others, takesValue := commandsWith(cmd, name); len(others) > 0 {
		problem.Message += "; it is a flag of " + strings.Join(others, " and ")
		return problem.TryFlagNamed(name, "", takesValue)
	}
	problem.Message += "\nsee: " + cmd.CommandPath() + " --help"
	return problem
}

// commandsWith returns the other commands that have a flag, and whether it takes a value.
func commandsWith(cmd *cobra.Command, flag string) (others []string, takesValue bool) {
	for _, other := range append(cmd.Root().Commands(), cmd.Root()) {
		f := other.Flags().Lookup(flag)
		if f == nil {
			f = other.PersistentFlags().Lookup(flag)
		}
		switch {
		case f == nil || other == cmd || !offers(other, flag):
			continue
		case other.HasParent():
			others = append(others, "chainscope "+cli.CommandName(other))
		default:
			others = append(others, "the explorer")
		}
		takesValue = f.NoOptDefVal == ""
	}
	return others, takesValue
}

// portAsAddress offers a port as the address to listen on.
func portAsAddress(flag string) cli.Rewriting {
	return func(typed []string) []string {
		renamed := (&cli.Error{}).TryFlagNamed(flag, "addr", true).Suggest(typed)
		at := slices.IndexFunc(renamed, func(word string) bool { return strings.HasPrefix(word, "--addr") })
		if at < 0 {
			return nil
		}
		if _, port, joined := strings.Cut(renamed[at], "="); joined {
			renamed[at] = "--addr=127.0.0.1:" + port
		} else if at+1 < len(renamed) {
			renamed[at+1] = "127.0.0.1:" + renamed[at+1]
		}
		return renamed
	}
}
