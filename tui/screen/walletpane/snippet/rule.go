package snippet

import (
	"strings"

	"chainscope/tui/text"
	"chainscope/wallet/clarity"
)

// Rule writes the call as a rule of `chainscope bridge --script`, for the wallet that it went to;
// answer holds what it was answered, as YAML has it. What a rule cannot carry is a comment. It is ""
// for what is no request.
func Rule(c Call, w Wallet, provider, origin, answer string) string {
	if c.Kind != Request && c.Kind != Raw {
		return ""
	}
	lines := []string{"# " + text.ShellCommand(append([]string{"chainscope", "bridge", "--script", "FILE"}, w.flags()...)...)}
	if provider != "" {
		lines = append(lines, "# it went to "+text.Line(provider)+": --as names the wallet that pages see")
	}
	lines = append(lines, "- expect: "+clarity.QuoteJSON(c.Method))
	if len(c.Params) > 0 {
		lines = append(lines, "  with: "+text.CompactJSON(c.Params))
	}
	if origin != "" {
		lines = append(lines, "  origin: "+clarity.QuoteJSON(origin))
	}
	return strings.Join(append(lines, "  answer: "+answer), "\n") + "\n"
}
