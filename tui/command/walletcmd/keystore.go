package walletcmd

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"chainscope/tui/command/cli"
	"chainscope/wallet/keys"
	"chainscope/wallet/signer"
)

func newWalletKeystore(app *cli.App, flags *Flags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "keystore COMMAND",
		Short: "Store a mnemonic in an encrypted file",
		Long: `Store a mnemonic in a file that is encrypted with a passphrase (age, armored).
--keystore names the file. The passphrase is asked for, or read from
--keystore-passphrase-file.`,
		RunE: group,
	}
	cmd.AddCommand(
		newKeystoreCreate(app, flags), newKeystoreImport(app, flags),
		newKeystoreExport(app, flags), newKeystorePassphrase(app, flags),
	)
	return cmd
}

// onKeystore checks that a keystore is named before a command runs.
func onKeystore(flags *Flags, run func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return flags.checked(func(cmd *cobra.Command, args []string) error {
		if flags.keystore == "" {
			return cli.Usagef("%s needs to know the file; give --keystore FILE", cmd.CommandPath())
		}
		return run(cmd, args)
	})
}

func newKeystoreCreate(app *cli.App, flags *Flags) *cobra.Command {
	return &cobra.Command{
		Use:   "create",
		Short: "Create a mnemonic of 24 words and store it",
		Args:  cli.NoArgs,
		RunE: onKeystore(flags, func(cmd *cobra.Command, _ []string) error {
			if variable, _ := app.Streams.Env(MnemonicVariable); flags.mnemonicFile != "" || flags.passphraseFile != "" || variable != "" {
				return cli.Usagef("keystore create makes new words, and a mnemonic is given\nuse keystore import to store it, or leave out --mnemonic-file, --passphrase-file and %s", MnemonicVariable)
			}
			passphrase, err := freshPassphrase(cmd.Context(), app, flags.keystorePassphraseFile, "--keystore-passphrase-file")
			if err != nil {
				return err
			}
			contents, err := keys.Keystore{Path: flags.keystore}.Create(passphrase)
			if err != nil {
				return keystoreError(err)
			}
			return printKeystore(cmd.Context(), app, flags, contents)
		}),
	}
}

func newKeystoreImport(app *cli.App, flags *Flags) *cobra.Command {
	return &cobra.Command{
		Use:   "import",
		Short: "Store a mnemonic that you have",
		Long: `Store the mnemonic of --mnemonic-file or CHAINSCOPE_MNEMONIC, with the BIP39
passphrase of --passphrase-file if there is one. Without either you are asked for
the mnemonic on the terminal, which does not show it.`,
		Args: cli.NoArgs,
		RunE: onKeystore(flags, func(cmd *cobra.Command, _ []string) error {
			var contents keys.Contents
			var err error
			variable, _ := app.Streams.Env(MnemonicVariable)
			if flags.mnemonicFile != "" || variable != "" {
				contents, err = flags.mnemonic(cmd.Context(), app)
			} else if contents.Mnemonic, err = app.Passphrase(cmd.Context(), "", "--mnemonic-file", "mnemonic: "); err == nil && flags.passphraseFile != "" {
				contents.Passphrase, err = app.SecretFile(cmd.Context(), "--passphrase-file", flags.passphraseFile)
			}
			if err != nil {
				return err
			}
			if _, err := keys.CleanMnemonic(contents.Mnemonic); err != nil {
				return invalidMnemonic(err)
			}
			passphrase, err := freshPassphrase(cmd.Context(), app, flags.keystorePassphraseFile, "--keystore-passphrase-file")
			if err != nil {
				return err
			}
			if err := (keys.Keystore{Path: flags.keystore}).Import(contents, passphrase); err != nil {
				return keystoreError(err)
			}
			return printKeystore(cmd.Context(), app, flags, contents)
		}),
	}
}

func newKeystoreExport(app *cli.App, flags *Flags) *cobra.Command {
	return &cobra.Command{
		Use:   "export [FILE]",
		Short: "Print the mnemonic in plain text, or write it to a new file",
		Long: `Print the mnemonic in plain text on standard output, or write it to a new FILE that
only you can read, which --mnemonic-file takes. A BIP39 passphrase is not
included.`,
		Args: cobra.MaximumNArgs(1),
		RunE: onKeystore(flags, func(cmd *cobra.Command, args []string) error {
			if app.JSON() {
				return cli.Usagef("a mnemonic is never printed as JSON; leave out -o json")
			}
			contents, err := flags.openKeystore(cmd.Context(), app)
			if err != nil {
				return err
			}
			if !contents.Passphrase.Empty() {
				fmt.Fprintln(app.Streams.Err, "chainscope: the keys need the BIP39 passphrase too, which stays in the keystore")
			}
			if len(args) == 0 {
				return app.Print(contents.Mnemonic.Reveal())
			}
			return writeNewFile(args[0], contents.Mnemonic.Reveal()+"\n")
		}),
	}
}

// writeNewFile writes a file that only its owner can read and that was not
// there.
func writeNewFile(path, text string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return &cli.Error{Kind: cli.KindInvalidInput, Message: err.Error(), Err: err}
	}
	_, err = file.WriteString(text)
	return errors.Join(err, file.Close())
}

func newKeystorePassphrase(app *cli.App, flags *Flags) *cobra.Command {
	var newFile string
	cmd := &cobra.Command{
		Use:   "passphrase",
		Short: "Change the passphrase of a keystore",
		Args:  cli.NoArgs,
		RunE: onKeystore(flags, func(cmd *cobra.Command, _ []string) error {
			if err := (keys.Keystore{Path: flags.keystore}).There(); err != nil {
				return keystoreError(err)
			}
			old, err := app.Passphrase(cmd.Context(), flags.keystorePassphraseFile, "--keystore-passphrase-file", "passphrase of the keystore: ")
			if err != nil {
				return err
			}
			fresh, err := freshPassphrase(cmd.Context(), app, newFile, "--new-passphrase-file")
			if err != nil {
				return err
			}
			if err := (keys.Keystore{Path: flags.keystore}).ChangePassphrase(old, fresh); err != nil {
				return keystoreError(err)
			}
			if app.JSON() {
				return app.PrintJSON(cmd.Context(), map[string]string{"keystore": flags.keystore})
			}
			return app.Print("the passphrase is changed")
		}),
	}
	cmd.Flags().StringVar(&newFile, "new-passphrase-file", "", "read the new passphrase from a `file` (default: a prompt)")
	_ = cmd.Flags().SetAnnotation("new-passphrase-file", cli.FlagOnly, []string{"true"})
	return cmd
}

// freshPassphrase reads a passphrase that is to be set; it is requested twice.
func freshPassphrase(ctx context.Context, a *cli.App, file, flag string) (keys.Secret, error) {
	fresh, err := a.Passphrase(ctx, file, flag, "new passphrase: ")
	if err != nil {
		return fresh, err
	}
	if fresh.Empty() {
		if file == "" {
			return fresh, cli.Usagef("the passphrase is empty")
		}
		return fresh, cli.Usagef("%s: the passphrase is empty", flag)
	}
	if file == "" {
		again, err := a.Passphrase(ctx, "", flag, "Repeat passphrase: ")
		if err != nil {
			return fresh, err
		}
		if !again.Equal(fresh) {
			return fresh, cli.Usagef("the two passphrases are not the same")
		}
	}
	return fresh, nil
}

// keystoreInfo holds what may be shown of a keystore.
type keystoreInfo struct {
	Keystore    string `json:"keystore"`
	Fingerprint string `json:"fingerprint"` // of the master key
	Address     string `json:"address"`     // Stacks, of the account of the flags
}

func printKeystore(ctx context.Context, a *cli.App, flags *Flags, contents keys.Contents) error {
	ring, err := contents.Ring()
	if err != nil {
		return invalidMnemonic(err)
	}
	network, _ := signer.NetworkNamed(flags.network)
	address, err := signer.Env{Keys: ring, Account: flags.account}.StacksAddress(network)
	if err != nil {
		return err
	}
	info := keystoreInfo{Keystore: flags.keystore, Fingerprint: ring.Fingerprint(), Address: address}
	if a.JSON() {
		return a.PrintJSON(ctx, info)
	}
	var f cli.Fields
	f.Add("keystore", info.Keystore)
	f.Add("fingerprint", info.Fingerprint)
	f.Add("address", info.Address)
	return f.Write(a.Streams.Out)
}
