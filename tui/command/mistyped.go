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
		if what, _ := shownBy(bare); what != "" && (i == 0 || !strings.HasPrefix(all[i-1], "-")) {
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
func foreignCommand(words []string) *Error {
	meant, known := foreignCommands[words[0]]
	if !known || len(words) < 2 {
		return nil
	}
	e := usagef("there is no command %q", words[0])
	if meant == "" {
		e.Message += "; give the explorer the thing itself"
		return e.tryWord(words[0])
	}
	e.Message += "; did you mean " + meant + "?"
	return e.tryWord(words[0], meant)
}

// walletLine is the line that does what a word after "chainscope wallet" requests, where no
// command of that name is near.
var walletLine = map[string][]string{
	"sign":     {"wallet", "request", "stx_signMessage", `{"message":"hello"}`, "--approve", "always"},
	"send":     {"wallet", "methods", "stx_transferStx"},
	"transfer": {"wallet", "methods", "stx_transferStx"},
	"call":     {"wallet", "methods", "stx_callContract"},
	"create":   {"wallet", "keystore", "create", "--help"},
	"new":      {"wallet", "keystore", "create", "--help"},
	"import":   {"wallet", "keystore", "import", "--help"},
	"balance":  {"wallet", "addresses"},
	"accounts": {"wallet", "addresses"},
}

// tryWithout offers the line without an argument that a command does not take, or with the
// flag that the argument is meant for.
func (e *Error) tryWithout(cmd *cobra.Command, arg string) *Error {
	has := func(name string) bool { return cmd.Flags().Lookup(name) != nil }
	n, err := strconv.Atoi(arg)
	hyphen := strings.TrimLeft(arg, "‐‑‒–—―−")
	switch what, line := shownBy(arg); {
	case hyphen != arg && hyphen != "":
		e.Message += "; a flag begins with hyphens, and this is another dash"
		return e.tryWord(arg, "--"+hyphen)
	case err == nil && has("addr"):
		return e.tryWord(arg, "--addr", "127.0.0.1:"+arg)
	case err == nil && n > 0 && n <= 30 && has("limit"):
		return e.tryWord(arg, "--limit", arg)
	case has("of") && (what == "an address" || what == "a contract"):
		return e.tryWord(arg, "--of", arg)
	case what != "" && !strings.HasPrefix(cmd.CommandPath(), "chainscope wallet"):
		return e.try(line...)
	}
	return e.tryWord(arg)
}

// shorthandMeant are the flags that a letter may mean which is none here.
var shorthandMeant = map[string]string{"n": "limit", "l": "limit", "p": "port"}

// wrongFlag returns the error of a flag that no command has: one of a single letter, without its
// value, or one that stands for something else here. It is nil for others.
func wrongFlag(cmd *cobra.Command, err error) *Error {
	var unknown *pflag.NotExistError
	if alone, is := errors.AsType[*pflag.ValueRequiredError](err); is {
		return usagef("--%s needs a value", alone.GetFlag().Name)
	}
	if !errors.As(err, &unknown) {
		return nil
	}
	name := unknown.GetSpecifiedName()
	written := "--" + name
	if unknown.GetSpecifiedShortnames() != "" {
		written = "-" + name
	}
	e := usagef("unknown flag: %s", written)
	switch meant := shorthandMeant[name]; {
	case written == "--version" || written == "-v" || written == "-V":
		return e.try("version")
	case written == "--json" || written == "-j":
		return e.tryWord(written, "-o", "json")
	case len(name) == 1 && meant == "port" && cmd.Flags().Lookup("addr") != nil:
		e = e.tryWord(written, "--port")
		renamed := e.suggest
		e.suggest = func(typed []string) []string { return portAsAddress("port")(renamed(typed)) }
		return e
	case len(name) == 1 && cmd.Flags().Lookup(meant) != nil:
		return e.tryWord(written, "--"+meant)
	}
	return nil
}

// rowsWithin refuses a number of rows that the API does not give at once.
func rowsWithin(limit, least, most int) error {
	if limit >= least && limit <= most {
		return nil
	}
	e := &Error{Kind: KindInvalidInput, Message: fmt.Sprintf("--limit: a page has %d to %d rows, not %d", least, most, limit)}
	return e.tryFlag("limit", strconv.Itoa(most))
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
