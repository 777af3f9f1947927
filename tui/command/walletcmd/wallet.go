package walletcmd

import (
	"encoding/json"
	"strconv"

	"github.com/spf13/cobra"

	"chainscope/tui/command/cli"
	"chainscope/wallet/service"
	"chainscope/wallet/signer"
)

// New returns the command of the wallet.
func New(app *cli.App) *cobra.Command {
	flags := &Flags{}
	cmd := &cobra.Command{
		Use:   "wallet COMMAND",
		Short: "Use the test wallet: connect, sign, decode",
		Long: `Work with the wallet as a web page does: connect to it, call its methods, see
what the connection library remembers. The wallet signs with real keys, by
default those of the public test mnemonic, and sends nothing to a live network.`,
		RunE: group,
	}
	flags.register(cmd.PersistentFlags())
	cmd.AddCommand(
		newWalletConnect(app, flags), newWalletDisconnect(app, flags), newWalletStatus(app, flags),
		newWalletStorage(app, flags), newWalletAddresses(app, flags), newWalletMethods(app, flags),
		newWalletRequest(app, flags), newWalletReplace(app, flags), newWalletCancel(app, flags), newWalletSponsor(app, flags), newWalletDecode(app, flags), newWalletVerify(app, flags), newWalletKeystore(app, flags),
	)
	return cmd
}

func newWalletConnect(app *cli.App, flags *Flags) *cobra.Command {
	var options []string
	cmd := &cobra.Command{
		Use:   "connect",
		Short: "Select a wallet, ask it for its addresses and remember them",
		Long: `Select a wallet, ask it for its addresses (getAddresses), remember both and print
the wallet's result. Running this command counts as approval; use --approve ask to
be prompted.`,
		Args: cli.NoArgs,
		RunE: flags.checked(func(cmd *cobra.Command, _ []string) error {
			how := flags.approve
			if !app.FromCommandLine["approve"] {
				how = approveAlways
			}
			s, err := openSigning(cmd.Context(), app, flags, how)
			if err != nil {
				return err
			}
			defer s.close()
			if err := s.setOptions(options, false, true); err != nil {
				return err
			}
			network := ""
			if cmd.Flags().Changed("network") {
				network = flags.network
			}
			if err := s.finish(cmd.Context(), s.wallet.Connect(cmd.Context(), s.options, network)); err != nil {
				return err
			}
			if !s.wallet.Library().IsConnected() {
				return &cli.Error{Kind: cli.KindUnexpected, Message: "the wallet answered, but nothing could be stored in " + app.Settings.StateDir + ": a later command is not connected"}
			}
			return nil
		}),
	}
	cmd.Flags().StringArrayVar(&options, "option", nil, "request option of the library as `name=JSON` (repeatable)")
	return cmd
}

func newWalletDisconnect(app *cli.App, flags *Flags) *cobra.Command {
	return &cobra.Command{
		Use:   "disconnect",
		Short: "Forget the wallet and its addresses",
		Args:  cli.NoArgs,
		RunE: inSession(app, flags, func(cmd *cobra.Command, s *walletSession) error {
			if o := s.wallet.Disconnect(cmd.Context()); o.Err != nil {
				return o.Err
			}
			if app.JSON() {
				return app.PrintJSON(cmd.Context(), map[string]bool{"connected": s.wallet.Library().IsConnected()})
			}
			return app.Print("disconnected")
		}),
	}
}

// walletStatus is the JSON of `wallet status`.
type walletStatus struct {
	Connected bool      `json:"connected"`
	Provider  *string   `json:"provider"` // null when no wallet is remembered
	Account   uint32    `json:"account"`
	Network   string    `json:"network"`
	Keys      keySource `json:"keys"`
}

func newWalletStatus(app *cli.App, flags *Flags) *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Show whether a wallet is connected, and which keys would sign",
		Args:  cli.NoArgs,
		RunE: inSession(app, flags, func(cmd *cobra.Command, s *walletSession) error {
			library := s.wallet.Library()
			status := walletStatus{Connected: library.IsConnected(), Account: flags.account, Network: flags.network}
			if id := library.SelectedProviderID(); id != "" {
				status.Provider = &id
			}
			var err error
			if status.Keys, err = flags.source(app); err != nil {
				return err
			}
			if app.JSON() {
				return app.PrintJSON(cmd.Context(), status)
			}
			return status.write(app)
		}),
	}
}

func (s walletStatus) write(app *cli.App) error {
	var f cli.Fields
	connected, who := "no", "none remembered"
	if s.Connected {
		connected = "yes"
	}
	if s.Provider != nil {
		who = *s.Provider
	}
	f.Add("connected", connected)
	f.Add("provider", who)
	f.Add("account", strconv.FormatUint(uint64(s.Account), 10))
	f.Add("network", s.Network)
	f.Add("keys", map[keySource]string{
		keysOfTest: "the public test mnemonic", keysOfMnemonic: "your mnemonic", keysOfKeystore: "a keystore", keysOfProject: "the accounts of the Clarinet project", keysOfNobody: "none: an address is watched",
	}[s.Keys])
	return f.Write(app.Streams.Out)
}

func newWalletStorage(app *cli.App, flags *Flags) *cobra.Command {
	return &cobra.Command{
		Use:   "storage",
		Short: "Print the connection record as JSON, or null",
		Args:  cli.NoArgs,
		RunE: inSession(app, flags, func(cmd *cobra.Command, s *walletSession) error {
			record := s.wallet.Library().LocalStorage()
			if record == nil {
				return app.PrintRaw(cmd.Context(), json.RawMessage("null"))
			}
			return app.PrintRaw(cmd.Context(), record.Raw)
		}),
	}
}

func newWalletAddresses(app *cli.App, flags *Flags) *cobra.Command {
	return &cobra.Command{
		Use:   "addresses",
		Short: "Print the addresses of an account, without approval and without connecting",
		Args:  cli.NoArgs,
		RunE: flags.checked(func(cmd *cobra.Command, _ []string) error {
			from, err := flags.keys(cmd.Context(), app)
			if err != nil {
				return err
			}
			network, _ := signer.NetworkNamed(flags.network)
			env := signer.Env{Keys: from.Ring, Account: flags.account, Persona: from.PersonaOf(service.Persona(flags.persona))}
			var list []signer.AddressEntry
			for _, account := range env.SharedAccounts() {
				env.Account = account
				own, err := env.Own(network)
				if err != nil {
					return err
				}
				list = append(list, own...)
			}
			if app.JSON() {
				return app.PrintJSON(cmd.Context(), map[string]any{"addresses": list})
			}
			t := cli.Table{Columns: cli.Columns("symbol", "type", "address", "path"), Bold: app.Color()}
			for _, a := range list {
				t.Add(a.Symbol, a.Type, a.Address, a.DerivationPath)
			}
			return t.Write(app.Streams.Out)
		}),
	}
}
