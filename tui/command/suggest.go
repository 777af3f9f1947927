package command

import (
	"net/url"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"chainscope/tui/text"
)

// rewriting turns the words of a line that was wrong into those of one that is right.
type rewriting func(typed []string) []string

// try names a command that is right. It asks the API that was asked.
func (e *Error) try(words ...string) *Error {
	e.suggest = func(typed []string) []string {
		if words[0] == "mock" || words[0] == "wallet" {
			return words
		}
		return slices.Concat(words, flagsOf(typed, "api", "config", "state-dir"))
	}
	return e
}

// flagsOf returns the flags of a line that have these names, with their values.
func flagsOf(typed []string, names ...string) (found []string) {
	for i, word := range typed {
		name, _, joined := strings.Cut(word, "=")
		switch {
		case word == "--":
			return found
		case !strings.HasPrefix(name, "--") || !slices.Contains(names, name[2:]):
		case joined:
			found = append(found, word)
		case i+1 < len(typed):
			found = append(found, word, typed[i+1])
		}
	}
	return found
}

// tryWord offers the line that was typed with other words in place of one, or without it.
func (e *Error) tryWord(wrong string, right ...string) *Error {
	e.suggest = func(typed []string) []string {
		if at := slices.Index(typed, wrong); at >= 0 {
			return slices.Replace(slices.Clone(typed), at, at+1, right...)
		}
		return nil
	}
	return e
}

// tryFlag offers the line that was typed with a value of a flag, in place of the one that it
// has.
func (e *Error) tryFlag(name, value string) *Error {
	e.suggest = func(typed []string) []string {
		for i, word := range typed {
			switch given, _, joined := strings.Cut(word, "="); {
			case word == "--":
				return slices.Insert(slices.Clone(typed), i, "--"+name, value)
			case given != "--"+name && (name != "output" || !strings.HasPrefix(word, "-o")):
			case joined || word != "--"+name && word != "-o":
				return slices.Replace(slices.Clone(typed), i, i+1, "--"+name, value)
			default:
				return slices.Replace(slices.Clone(typed), i, min(i+2, len(typed)), "--"+name, value)
			}
		}
		return append(slices.Clone(typed), "--"+name, value)
	}
	return e
}

// tryFlagToo offers the line that was typed with a flag more.
func (e *Error) tryFlagToo(name, value string) *Error {
	e.suggest = func(typed []string) []string { return append(slices.Clone(typed), "--"+name, value) }
	return e
}

// tryFlagNamed offers the line that was typed with another name of a flag; without the flag
// where there is no other name.
func (e *Error) tryFlagNamed(wrong, right string, takesValue bool) *Error {
	e.suggest = func(typed []string) []string {
		for i, word := range typed {
			given, value, joined := strings.Cut(word, "=")
			switch {
			case given != "--"+wrong:
			case right != "" && joined:
				return slices.Replace(slices.Clone(typed), i, i+1, "--"+right+"="+value)
			case right != "":
				return slices.Replace(slices.Clone(typed), i, i+1, "--"+right)
			case joined || !takesValue:
				return slices.Delete(slices.Clone(typed), i, i+1)
			default:
				return slices.Delete(slices.Clone(typed), i, min(i+2, len(typed)))
			}
		}
		return nil
	}
	return e
}

// line returns the line that is right, made of what was typed, "" where none is known.
func (e *Error) line(typed []string) string {
	if e.suggest == nil {
		return ""
	}
	words := withoutHeaders(e.suggest(typed))
	if len(words) == 0 || slices.ContainsFunc(words, hasPassword) {
		return ""
	}
	return text.ShellCommand(append([]string{"chainscope"}, words...)...)
}

// withoutHeaders leaves out the headers of a line, which are secret.
func withoutHeaders(words []string) []string {
	var left []string
	for i := 0; i < len(words); i++ {
		switch {
		case words[i] == "--header":
			i++
		case !strings.HasPrefix(words[i], "--header="):
			left = append(left, words[i])
		}
	}
	return left
}

// hasPassword reports whether a word is a URL with a user or a password in it.
func hasPassword(word string) bool {
	_, value, joined := strings.Cut(word, "=")
	if !joined || !strings.HasPrefix(word, "--") {
		value = word
	}
	u, err := url.Parse(value)
	return err == nil && u.User != nil || err != nil && strings.Contains(value, "@")
}

// A mnemonic is recognised by mnemonicLength words in a row, mnemonicKnown of them from the list:
// one or two may be mistyped.
const (
	mnemonicLength = 12
	mnemonicKnown  = 10
)

// givenMnemonic refuses a mnemonic among the arguments. It says nothing of its words.
func givenMnemonic(args []string, known func(string) bool) error {
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
			if n := len(row); n >= mnemonicLength && count(row[n-mnemonicLength:]) >= mnemonicKnown {
				return usagef("a mnemonic was given as an argument, where every program of this machine and the history of the shell can read it: take its keys as known to others\n"+
					"a command asks for the mnemonic, or reads it from a file (--mnemonic-file) or from %s", mnemonicVariable).
					try("wallet", "keystore", "import", "--keystore", "wallet.age")
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

// flagMeant is the flag that a name means which no flag has here.
var flagMeant = map[string]string{"port": "addr", "url": "api", "network": "api", "format": "output"}

// unknownFlag returns the error of a flag that a command does not have. It names the one that is
// meant, or the command that has it.
func unknownFlag(cmd *cobra.Command, name string) *Error {
	problem := usagef("unknown flag: --%s", name)
	var names []string
	for _, set := range []*pflag.FlagSet{cmd.Flags(), cmd.InheritedFlags()} {
		set.VisitAll(func(f *pflag.Flag) {
			if offers(cmd, f.Name) {
				names = append(names, f.Name)
			}
		})
	}
	meant := nearest(name, names)
	for _, candidate := range []string{mockPrefix + name, strings.TrimPrefix(name, mockPrefix), flagMeant[name]} {
		if candidate != name && slices.Contains(names, candidate) {
			meant = candidate
		}
	}
	if meant != "" {
		problem.Message += "; did you mean --" + meant + "?"
		if problem = problem.tryFlagNamed(name, meant, true); meant == "addr" {
			problem.suggest = portAsAddress(name)
		}
		return problem
	}
	if others, takesValue := commandsWith(cmd, name); len(others) > 0 {
		problem.Message += "; it is a flag of " + strings.Join(others, " and ")
		return problem.tryFlagNamed(name, "", takesValue)
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
			others = append(others, "chainscope "+commandName(other))
		default:
			others = append(others, "the explorer")
		}
		takesValue = f.NoOptDefVal == ""
	}
	return others, takesValue
}

// portAsAddress offers a port as the address to listen on.
func portAsAddress(flag string) rewriting {
	return func(typed []string) []string {
		renamed := (&Error{}).tryFlagNamed(flag, "addr", true).suggest(typed)
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

// mistypedCommand returns the error of a word that is nearly a command.
func mistypedCommand(word, meant string) *Error {
	return usagef("there is no command %q; did you mean %s?", word, meant).tryWord(word, strings.Fields(meant)[len(strings.Fields(meant))-1])
}

// commandNames returns the names of the commands below one.
func commandNames(cmd *cobra.Command) []string {
	var names []string
	for _, c := range cmd.Commands() {
		names = append(names, c.Name())
	}
	return names
}
