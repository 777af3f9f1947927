package cli

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"chainscope/apiclient"
	"chainscope/tui/text"
)

// Rewriting turns the words of a line that was wrong into those of one that is right.
type Rewriting func(typed []string) []string

// Try names a command that is right. It has the same API.
func (e *Error) Try(words ...string) *Error {
	e.Suggest = func(typed []string) []string {
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

// TryWord offers the line that was typed with other words in place of one, or without it.
func (e *Error) TryWord(wrong string, right ...string) *Error {
	e.Suggest = func(typed []string) []string {
		if at := slices.Index(typed, wrong); at >= 0 {
			return slices.Replace(slices.Clone(typed), at, at+1, right...)
		}
		return nil
	}
	return e
}

// TryFlag offers the line that was typed with a value of a flag, in place of the one that it
// has.
func (e *Error) TryFlag(name, value string) *Error {
	e.Suggest = func(typed []string) []string {
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

// TryFlagToo offers the line that was typed with a flag more.
func (e *Error) TryFlagToo(name, value string) *Error {
	e.Suggest = func(typed []string) []string { return append(slices.Clone(typed), "--"+name, value) }
	return e
}

// TryFlagNamed offers the line that was typed with another name of a flag; without the flag
// where there is no other name.
func (e *Error) TryFlagNamed(wrong, right string, takesValue bool) *Error {
	e.Suggest = func(typed []string) []string {
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

// Line returns the line that is right, made of what was typed, "" where none is known.
func (e *Error) Line(typed []string) string {
	if e.Suggest == nil {
		return ""
	}
	words := withoutHeaders(e.Suggest(typed))
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

// MistypedCommand returns the error of a word that is nearly a command.
func MistypedCommand(word, right string) *Error {
	return Usagef("there is no command %q; did you mean %s?", word, right).TryWord(word, strings.Fields(right)[len(strings.Fields(right))-1])
}

// CommandNames returns the names of the commands below one.
func CommandNames(cmd *cobra.Command) []string {
	var names []string
	for _, c := range cmd.Commands() {
		names = append(names, c.Name())
	}
	return names
}

// Nearest returns the command that a word may be a mistyped form of: one edit
// away for short words, two for long ones.
func Nearest(word string, commands []string) string {
	best, found := 3, ""
	for _, c := range commands {
		limit := 0
		switch n := min(len(word), len(c)); {
		case n >= 6:
			limit = 2
		case n >= 4:
			limit = 1
		}
		if d := edits(word, c); d > 0 && d <= limit && d < best {
			best, found = d, c
		}
	}
	return found
}

// edits returns how many insertions, removals, changes and swaps of neighbors turn
// a into b.
func edits(a, b string) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}

// tryWithout offers the line without an argument that a command does not take, or with the
// flag that the argument is meant for.
func (e *Error) tryWithout(cmd *cobra.Command, arg string) *Error {
	has := func(name string) bool { return cmd.Flags().Lookup(name) != nil }
	n, err := strconv.Atoi(arg)
	hyphen := strings.TrimLeft(arg, "‐‑‒–—―−")
	switch what, line := ShownBy(arg); {
	case hyphen != arg && hyphen != "":
		e.Message += "; a flag begins with hyphens, and this is another dash"
		return e.TryWord(arg, "--"+hyphen)
	case err == nil && has("addr"):
		return e.TryWord(arg, "--addr", "127.0.0.1:"+arg)
	case err == nil && n > 0 && n <= 30 && has("limit"):
		return e.TryWord(arg, "--limit", arg)
	case has("of") && (what == "an address" || what == "a contract"):
		return e.TryWord(arg, "--of", arg)
	case what != "" && !strings.HasPrefix(cmd.CommandPath(), "chainscope wallet"):
		return e.Try(line...)
	}
	return e.TryWord(arg)
}

// ShownBy reports what a thing is by its form, and the command that shows it; "" where it may be
// anything.
func ShownBy(target string) (what string, command []string) {
	contract, asset, inContract := strings.Cut(target, "::")
	_, namespace, dotted := strings.Cut(target, ".")
	digits := strings.TrimPrefix(target, "0x")
	switch {
	case inContract && apiclient.CheckPrincipal(contract) == nil && IsNumber(asset):
		return "one token of a contract", []string{"nft", contract, asset}
	case inContract && apiclient.CheckPrincipal(contract) == nil:
		return "an asset of a contract", []string{"contract", contract}
	case apiclient.CheckPrincipal(target) == nil:
		return "a contract", []string{"contract", target}
	case apiclient.CheckAccount(target) == nil:
		return "an address", []string{"account", target}
	case len(digits) == 64 && strings.Trim(strings.ToLower(digits), "0123456789abcdef") == "":
		return "a hash", []string{"tx", target}
	case IsNumber(target):
		return "a number", []string{"block", target}
	case dotted && namespace != "" && strings.Trim(strings.ToLower(target), "abcdefghijklmnopqrstuvwxyz0123456789-_.") == "":
		return "a name", []string{"names", strings.ToLower(target[strings.LastIndex(target, ".")+1:])}
	}
	return "", nil
}

// IsNumber reports whether a text has digits and nothing else.
func IsNumber(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }
