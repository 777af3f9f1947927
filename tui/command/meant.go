package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"chainscope/apiclient"
	"chainscope/wallet/clarity/abi"
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

// commandMeant are commands of other programs, and the one that does the same here; "" where
// what follows is enough.
var commandMeant = map[string]string{
	"transaction": "tx", "transactions": "txs", "address": "account", "balance": "account", "balances": "account",
	"token": "ft", "contracts": "contract", "name": "", "search": "", "find": "", "open": "", "show": "", "get": "", "goto": "",
}

// foreignCommand returns the error of a line that begins with a command of another program, nil
// for others.
func foreignCommand(words []string) *Error {
	meant, known := commandMeant[words[0]]
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

// walletLine is the line that does what a word after "chainscope wallet" asks for, where no
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

// exampleArgs are arguments that a command takes, for one that was given none.
var exampleArgs = map[string][]string{
	"block": {"872114"}, "account": {"muneeb.btc"}, "contract": {exampleContract}, "ft": {exampleContract},
	"tx": {"--help"}, "call": {exampleContract, "get-decimals"}, "var": {"--help"}, "map": {"--help"},
	"nft": {"SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.harbor-lights", "1"}, "names": {"btc"}, "wallet request": {"stx_signMessage", `{"message":"hello"}`, "--approve", "always"},
}

// tryExample offers a command with arguments that it takes, if it was given none.
func (e *Error) tryExample(cmd *cobra.Command, args []string) *Error {
	if example := exampleArgs[commandName(cmd)]; example != nil && len(args) == 0 {
		return e.try(append(strings.Fields(commandName(cmd)), example...)...)
	}
	return e
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
	var alone *pflag.ValueRequiredError
	if errors.As(err, &alone) {
		f := alone.GetFlag()
		e := usagef("--%s needs a value", f.Name)
		if right := exampleValue(f); right != "" {
			return e.tryFlag(f.Name, right)
		}
		return e
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
		renamed := e.mend
		e.mend = func(typed []string) []string { return portAsAddress("port")(renamed(typed)) }
		return e
	case len(name) == 1 && cmd.Flags().Lookup(meant) != nil:
		return e.tryWord(written, "--"+meant)
	}
	return nil
}

// exampleValue returns a value that a flag takes, "" where none is known.
func exampleValue(f *pflag.Flag) string {
	switch right := f.DefValue; f.Value.Type() {
	case "int", "uint32", "uint64":
		if right == "0" {
			return "1"
		}
		return right
	case "duration":
		if right == "0s" {
			return "10s"
		}
		return right
	case "bool":
		return ""
	default:
		if f.Name == "approve" {
			return approveAlways
		}
		return right
	}
}

// approveMeant returns the way to approve that a word means.
func approveMeant(word string) string {
	if slices.Contains([]string{"no", "n", "false", "reject", "deny", "none"}, strings.ToLower(word)) {
		return approveNever
	}
	return approveAlways
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

// The parts of JSON that a shell or a habit of JavaScript leaves wrong.
var (
	bareKey   = regexp.MustCompile(`([{,]\s*)([A-Za-z_]\w*)\s*:`)
	bareValue = regexp.MustCompile(`(:\s*)([A-Za-z][\w.-]*)(\s*[,}])`)
)

// jsonMeant returns JSON for a text that lacks its quotes or has others, "" where it stays
// wrong.
func jsonMeant(typed string) string {
	right := strings.ReplaceAll(typed, "'", `"`)
	if !json.Valid([]byte(right)) {
		right = bareKey.ReplaceAllString(right, `$1"$2":`)
	}
	if !json.Valid([]byte(right)) {
		right = bareValue.ReplaceAllString(right, `$1"$2"$3`)
	}
	if !json.Valid([]byte(right)) || !strings.HasPrefix(strings.TrimSpace(right), "{") {
		return ""
	}
	return right
}

// groupedDigits is a number with a comma before each three digits.
var groupedDigits = regexp.MustCompile(`^\d{1,3}(,\d{3})+$`)

// microSTX reads an amount as a person writes one, which a wallet does not take: 1.5 and
// 1 STX are of STX, 1,000 is of micro-STX. It is nil for others.
func microSTX(written string) *big.Int {
	number, unit, _ := strings.Cut(strings.ToLower(strings.TrimSpace(written)), " ")
	for _, known := range []string{"microstx", "ustx", "stx"} {
		if rest, has := strings.CutSuffix(number, known); has && unit == "" {
			number, unit = rest, known
		}
	}
	whole := groupedDigits.MatchString(number)
	if whole {
		number = strings.ReplaceAll(number, ",", "")
	}
	amount, is := new(big.Rat).SetString(number)
	switch {
	case !is || amount.Sign() < 0:
		return nil
	case unit == "stx", unit == "" && !amount.IsInt():
		amount.Mul(amount, big.NewRat(1_000_000, 1))
	case unit == "" && !whole, unit != "" && unit != "ustx" && unit != "microstx":
		return nil
	}
	if !amount.IsInt() {
		return nil
	}
	return amount.Num()
}

// tryCall offers a call with a literal of its type for each argument.
func (e *Error) tryCall(contract string, f *abi.Function) *Error {
	line := []string{"call", contract, f.Name}
	for _, arg := range f.Args {
		literal := strings.TrimPrefix(arg.Type.Example(), "'")
		if strings.Contains(literal, "…") {
			return e
		}
		if strings.HasPrefix(literal, "-") && !slices.Contains(line, "--") {
			line = append(line, "--")
		}
		line = append(line, literal)
	}
	return e.try(line...)
}
