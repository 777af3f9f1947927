package walletcmd

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"chainscope/apiclient"
	"chainscope/tui/command/cli"
	"chainscope/wallet/keys"
	"chainscope/wallet/provider"
	"chainscope/wallet/service"
	"chainscope/wallet/signer"
)

// How requests are approved.
const (
	approveAsk    = "ask"
	approveAlways = "always"
	approveNever  = "never"
)

// Flags are the flags of every wallet command and of the bridge.
type Flags struct {
	account  uint32
	network  string
	provider string
	approve  string
	persona  string
	watch    string

	mnemonicFile           string
	passphraseFile         string
	keystore               string
	keystorePassphraseFile string
}

func (w *Flags) register(fs *pflag.FlagSet) {
	w.RegisterKeys(fs)
	fs.StringVar(&w.approve, "approve", approveAsk, "`how` requests are approved: ask, always or never")
	_ = fs.SetAnnotation("approve", cli.FlagOnly, []string{"true"})
}

// RegisterKeys registers all flags but how requests are approved.
func (w *Flags) RegisterKeys(fs *pflag.FlagSet) {
	w.approve = approveAsk
	fs.Uint32Var(&w.account, "account", 0, "`number` of the account, from 0")
	fs.StringVar(&w.network, "network", "mainnet", "`network` of requests that name none: mainnet, testnet, devnet, mocknet or regtest")
	fs.StringVar(&w.provider, "provider", "", "`ID` of the wallet to select: "+strings.Join(providerIDs(), ", ")+" (default the remembered one, else the first)")
	fs.StringVar(&w.persona, "persona", "", "simulated `user` of the wallet: "+strings.Join(personaNames(), ", ")+" (default rich)")
	fs.StringVar(&w.watch, "watch", "", "connect with a Stacks `address` and no keys; only a mock that impersonates it takes its transactions")
	fs.StringVar(&w.mnemonicFile, "mnemonic-file", "", "read the mnemonic from a `file` (default CHAINSCOPE_MNEMONIC, else the public test mnemonic)")
	fs.StringVar(&w.passphraseFile, "passphrase-file", "", "read the mnemonic's BIP39 passphrase from a `file`")
	fs.StringVar(&w.keystore, "keystore", "", "take the mnemonic from an encrypted `file`")
	fs.StringVar(&w.keystorePassphraseFile, "keystore-passphrase-file", "", "read the keystore's passphrase from a `file` (default: a prompt)")
}

func personaNames() []string {
	var names []string
	for _, p := range service.Personas() {
		names = append(names, string(p))
	}
	return names
}

// FlagValues returns the words that the flags take.
func FlagValues() map[string][]string {
	return map[string][]string{
		"approve":  {approveAsk, approveAlways, approveNever},
		"network":  networks,
		"provider": providerIDs(),
		"persona":  personaNames(),
	}
}

// networks are those that a request to a wallet can name.
var networks = []string{"mainnet", "testnet", "devnet", "mocknet", "regtest"}

// Check refuses values that no command could use.
func (w *Flags) Check() error {
	if w.account > keys.MaxAccount {
		return cli.Usagef("--account: %d is beyond the last account, %d", w.account, uint32(keys.MaxAccount))
	}
	if _, known := signer.NetworkNamed(w.network); !known {
		return cli.Usagef("--network: unknown network %q; use mainnet, testnet, devnet, mocknet or regtest", w.network).TryFlag("network", suggestNetwork(w.network))
	}
	if _, err := service.ParsePersona(w.persona); err != nil {
		return cli.Usagef("--persona: %v", err)
	}
	if w.watch != "" {
		if _, err := service.WatchedKeys(w.watch); err != nil {
			return cli.Usagef("--watch: %v", err)
		}
	}
	switch w.approve {
	case approveAsk, approveAlways, approveNever:
	default:
		return cli.Usagef("--approve: unknown way to approve %q; use ask, always or never", w.approve)
	}
	if w.keystorePassphraseFile != "" && w.keystore == "" {
		return cli.Usagef("--keystore-passphrase-file is of a keystore, and none is named; give --keystore FILE too")
	}
	if w.provider != "" {
		id, err := providerID(w.provider)
		if err != nil {
			return err
		}
		w.provider = id
	}
	return nil
}

// Follow puts the wallet on testnet where no network was set and contracts run on the
// embedded mock: they have testnet addresses.
func (w *Flags) Follow(cmd *cobra.Command, m *cli.MockFlags) {
	if m.Runs() && !cmd.Flags().Changed("network") {
		w.network = "testnet"
	}
}

// FollowAPI puts the wallet on the network of an API, where none was set.
func (w *Flags) FollowAPI(a *cli.App) {
	if network := a.Settings.Known(); network != "" && w.free(a) {
		w.network = network
	}
}

// FollowsServer reports whether the wallet is on the network that the server of the API reports.
func (w *Flags) FollowsServer(a *cli.App) bool { return a.Settings.Known() == "" && w.free(a) }

// free reports whether nobody said which network the wallet is on.
func (w *Flags) free(a *cli.App) bool {
	return !a.FromCommandLine["network"] && w.network == apiclient.Mainnet
}

// suggestNetwork returns the network that a word means which names none.
func suggestNetwork(word string) string {
	return cmp.Or(cli.Nearest(word, networks), "testnet")
}

// providerIDs returns the ids of the mock wallets.
func providerIDs() []string {
	var ids []string
	for _, p := range provider.Personalities() {
		ids = append(ids, p.ID())
	}
	return ids
}

// providerID finds a mock wallet by its id or by the name it plays.
func providerID(text string) (string, error) {
	for _, p := range provider.Personalities() {
		if text == p.ID() || text == string(p) {
			return p.ID(), nil
		}
	}
	return "", cli.Usagef("--provider: there is no wallet %q here; there are %s", text, strings.Join(providerIDs(), ", "))
}

// checked lets a wallet command run only with flags that make sense.
func (w *Flags) checked(run func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		if err := w.Check(); err != nil {
			return err
		}
		return run(cmd, args)
	}
}

// group refuses what is no command of a group, and else explains the group.
func group(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cmd.Help()
	}
	names := cli.CommandNames(cmd)
	if suggestion := cli.Nearest(args[0], names); suggestion != "" {
		return cli.MistypedCommand(args[0], cmd.Name()+" "+suggestion)
	}
	e := cli.Usagef("there is no command %q; there are %s", cmd.Name()+" "+args[0], strings.Join(names, ", "))
	if line := walletLine[args[0]]; line != nil && cmd.Name() == "wallet" {
		return e.Try(line...)
	}
	return e
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
