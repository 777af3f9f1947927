package command

import (
	"encoding/json"
	"strconv"

	"github.com/spf13/cobra"

	"chainscope/wallet/service"
	"chainscope/wallet/signer"
)

func newWallet(app *app) *cobra.Command {
	flags := &walletFlags{}
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
		newWalletRequest(app, flags), newWalletDecode(app, flags), newWalletVerify(app, flags), newWalletKeystore(app, flags),
	)
	return cmd
}

func newWalletConnect(app *app, flags *walletFlags) *cobra.Command {
	var options []string
	cmd := &cobra.Command{
		Use:   "connect",
		Short: "Select a wallet, ask it for its addresses and remember them",
		Long: `Select a wallet, ask it for its addresses (getAddresses), remember both and print
the wallet's result. Running this command counts as approval; use --approve ask to
be prompted.`,
		Args: noArgs,
		RunE: flags.checked(func(cmd *cobra.Command, _ []string) error {
			how := flags.approve
			if !app.fromCommandLine["approve"] {
				how = approveAlways
			}
			s, err := app.openSigning(cmd.Context(), flags, how)
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
				return &Error{Kind: KindUnexpected, Message: "the wallet answered, but nothing could be stored in " + app.settings.stateDir + ": a later command is not connected"}
			}
			return nil
		}),
	}
	cmd.Flags().StringArrayVar(&options, "option", nil, "request option of the library as `name=JSON` (repeatable)")
	return cmd
}

func newWalletDisconnect(app *app, flags *walletFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "disconnect",
		Short: "Forget the wallet and its addresses",
		Args:  noArgs,
		RunE: inSession(app, flags, func(cmd *cobra.Command, s *walletSession) error {
			if o := s.wallet.Disconnect(cmd.Context()); o.Err != nil {
				return o.Err
			}
			if app.json() {
				return app.printJSON(cmd.Context(), map[string]bool{"connected": s.wallet.Library().IsConnected()})
			}
			return app.print("disconnected")
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

func newWalletStatus(app *app, flags *walletFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Show whether a wallet is connected, and which keys would sign",
		Args:  noArgs,
		RunE: inSession(app, flags, func(cmd *cobra.Command, s *walletSession) error {
			library := s.wallet.Library()
			status := walletStatus{Connected: library.IsConnected(), Account: flags.account, Network: flags.network}
			if id := library.SelectedProviderID(); id != "" {
				status.Provider = &id
			}
			var err error
			if status.Keys, err = app.keySource(flags); err != nil {
				return err
			}
			if app.json() {
				return app.printJSON(cmd.Context(), status)
			}
			return status.write(app)
		}),
	}
}

func (s walletStatus) write(app *app) error {
	var f fields
	connected, who := "no", "none remembered"
	if s.Connected {
		connected = "yes"
	}
	if s.Provider != nil {
		who = *s.Provider
	}
	f.add("connected", connected)
	f.add("provider", who)
	f.add("account", strconv.FormatUint(uint64(s.Account), 10))
	f.add("network", s.Network)
	f.add("keys", map[keySource]string{
		keysOfTest: "the public test mnemonic", keysOfMnemonic: "your mnemonic", keysOfKeystore: "a keystore", keysOfProject: "the accounts of the Clarinet project", keysOfNobody: "none: an address is watched",
	}[s.Keys])
	return f.write(app.streams.Out)
}

func newWalletStorage(app *app, flags *walletFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "storage",
		Short: "Print the connection record as JSON, or null",
		Args:  noArgs,
		RunE: inSession(app, flags, func(cmd *cobra.Command, s *walletSession) error {
			record := s.wallet.Library().LocalStorage()
			if record == nil {
				return app.printRaw(cmd.Context(), json.RawMessage("null"))
			}
			return app.printRaw(cmd.Context(), record.Raw)
		}),
	}
}

func newWalletAddresses(app *app, flags *walletFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "addresses",
		Short: "Print the addresses of an account, without approval and without connecting",
		Args:  noArgs,
		RunE: flags.checked(func(cmd *cobra.Command, _ []string) error {
			from, err := app.walletKeys(cmd.Context(), flags)
			if err != nil {
				return err
			}
			network, _ := signer.NetworkNamed(flags.network)
			env := signer.Env{Keys: from.Ring, Account: flags.account, Persona: from.PersonaOf(service.Persona(flags.persona))}
			var list []signer.AddressEntry
			for _, account := range env.GivenOut() {
				env.Account = account
				own, err := env.Own(network)
				if err != nil {
					return err
				}
				list = append(list, own...)
			}
			if app.json() {
				return app.printJSON(cmd.Context(), map[string]any{"addresses": list})
			}
			t := table{columns: leftColumns("symbol", "type", "address", "path"), bold: app.color()}
			for _, a := range list {
				t.add(a.Symbol, a.Type, a.Address, a.DerivationPath)
			}
			return t.write(app.streams.Out)
		}),
	}
}
