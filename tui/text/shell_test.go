package text_test

import (
	"testing"

	"chainscope/tui/text"
)

func TestAWordIsQuotedOnlyWhereAShellWouldReadItOtherwise(t *testing.T) {
	for name, c := range map[string]struct{ word, want string }{
		"a plain word":              {"SP2J6.token", "SP2J6.token"},
		"nothing":                   {"", "''"},
		"JSON":                      {`{"a":"b c"}`, `'{"a":"b c"}'`},
		"a quote":                   {`it's`, `'it'\''s'`},
		"a variable and a command":  {"$HOME `id`", "'$HOME `id`'"},
		"a word that begins with ~": {"~x", "'~x'"},
		"a line feed":               {"a\nb", "'a\nb'"},
	} {
		if got := text.ShellWord(c.word); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	if got, want := text.ShellCommand("chainscope", "wallet request", "{}"), "chainscope 'wallet request' '{}'"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
