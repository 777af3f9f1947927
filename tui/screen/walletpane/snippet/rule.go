package snippet

import (
	"bytes"
	"strings"

	"chainscope/tui/text"
	"chainscope/wallet/clarity"
	"chainscope/wallet/provider"
)

// Rule writes the call as a rule of `chainscope bridge --script`, for the wallet that it went to;
// answer holds what it was answered, as YAML has it. What a rule cannot carry is a comment. It is ""
// for what is no request.
func Rule(c Call, w Wallet, wallet, origin, answer string) string {
	if c.Kind != Request && c.Kind != Raw {
		return ""
	}
	words := []string{"chainscope", "bridge", "--script", "FILE"}
	known := false
	for _, p := range provider.Personalities() {
		if p.ID() == wallet {
			words, known = append(words, "--as", string(p)), true
		}
	}
	lines := []string{"# " + text.ShellCommand(append(words, w.flags()...)...)}
	if wallet != "" && !known {
		lines = append(lines, "# it went to "+text.Line(wallet)+", which no bridge plays")
	}
	object := bytes.HasPrefix(c.Params, []byte("{"))
	if len(c.Params) > 0 && !object {
		lines = append(lines, "# a rule cannot compare params that are a list: it fits any")
	}
	lines = append(lines, "- expect: "+clarity.QuoteJSON(c.Method))
	if object {
		lines = append(lines, "  with: "+text.CompactJSON(c.Params))
	}
	if origin != "" {
		lines = append(lines, "  origin: "+clarity.QuoteJSON(origin))
	}
	return strings.Join(append(lines, "  answer: "+answer), "\n") + "\n"
}
