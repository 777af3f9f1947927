package snippet

import (
	"strconv"

	"chainscope/tui/text"
)

// Wallet is the wallet that a command line names by its flags; defaults are left out.
type Wallet struct {
	Account  uint32
	Network  string // mainnet is the default
	Keystore string // the path of a keystore, "" for none
	Mnemonic string // the path of a mnemonic file, "" for none
	// Passphrase is the path of the file of its passphrase, "" for none.
	Passphrase string
	API        string // what --api is given, "" for the default
	Watch      string // the address in place of keys, "" for none
	Persona    string // rich is the default
	Lost       string // what of a call no flag and no param can carry, "" for nothing
}

// Command writes the call as a command line. The wallet that the user picks in
// the selector is named by Provider where the options name none: a command
// shows no selector.
func Command(c Call, w Wallet, provider string) string {
	words := []string{"chainscope", "wallet"}
	switch c.Kind {
	case Disconnect:
		return text.ShellCommand(append(words, "disconnect")...)
	case Connect:
		words = append(words, "connect")
	default:
		words = append(words, "request", c.Method)
		if len(c.Params) > 0 {
			words = append(words, text.CompactJSON(c.Params))
		}
	}
	if c.Kind == Raw {
		words = append(words, "--raw", "--option", "provider="+strconv.Quote(c.Raw))
	} else {
		for _, name := range orderOf(c.Options) {
			words = append(words, "--option", name+"="+text.CompactJSON(c.Options[name]))
		}
		if _, named := c.Options["provider"]; !named && provider != "" {
			words = append(words, "--provider", provider)
		}
	}
	return w.comment("#") + text.ShellCommand(append(words, w.flags()...)...)
}

// comment returns a line of what cannot be carried.
func (w Wallet) comment(mark string) string {
	if w.Lost == "" {
		return ""
	}
	return mark + " " + text.Line(w.Lost) + "\n"
}

func (w Wallet) flags() []string {
	var out []string
	if w.Account != 0 {
		out = append(out, "--account", strconv.FormatUint(uint64(w.Account), 10))
	}
	for _, f := range []struct{ name, value, usual string }{
		{"--network", w.Network, "mainnet"}, {"--keystore", w.Keystore, ""}, {"--mnemonic-file", w.Mnemonic, ""}, {"--passphrase-file", w.Passphrase, ""}, {"--api", w.API, ""}, {"--watch", w.Watch, ""}, {"--persona", w.Persona, "rich"},
	} {
		if f.value != "" && f.value != f.usual {
			out = append(out, f.name, f.value)
		}
	}
	return out
}
