package walletcmd

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"chainscope/tui/command/cli"
	"chainscope/tui/decoded"
	"chainscope/wallet/bitcoin"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/keys"
)

// bitcoinReader finds which inputs of a PSBT are ours.
type bitcoinReader struct {
	network bitcoin.Network
	owner   func() *bitcoin.Owner
}

func newWalletDecode(app *cli.App, flags *Flags) *cobra.Command {
	var as string
	cmd := &cobra.Command{
		Use:   "decode HEX|BASE64|ADDRESS|LITERAL|@FILE|-",
		Short: "Explain a transaction, a value, a post-condition, a PSBT or an address",
		Long: `Explain what bytes mean: a Stacks transaction, a Clarity value, a post-condition
or a PSBT. Without --as they are tried in that order, strictly; the first that
fits is explained, others that fit are named. @FILE reads a file, - standard
input: hexadecimal digits, base64 or the bytes themselves.

An address of Stacks or Bitcoin is explained with those of the same key on the other
networks, and of a Clarity literal such as '{a: u1}' the bytes are printed.`,
		Example: `  chainscope wallet decode 0x0100000000000000000000000000000001
  chainscope wallet decode @unsigned.psbt --as psbt -o json
  chainscope wallet decode SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7`,
		Args: cli.ExactArgs(1),
		RunE: flags.checked(func(cmd *cobra.Command, args []string) error {
			if as != "" && !slices.Contains(decoded.Kinds(), as) {
				return cli.Usagef("--as: unknown kind %q; use one of %s", as, strings.Join(decoded.Kinds(), ", "))
			}
			raw, where, err := app.ReadArgument(cmd.Context(), "the argument", args[0], jsonrpc.MaxRequestBytes*2)
			if err != nil {
				return err
			}
			of, err := flags.bitcoinReader(cmd.Context(), app)
			if err != nil {
				return err
			}
			found, failures := decoded.Read(raw, decoded.Options{As: as, File: where != "", Now: time.Now(), Network: of.network, Owner: of.owner})
			if len(found) == 0 {
				return &cli.Error{Kind: cli.KindInvalidInput, Message: fmt.Sprintf("the argument%s is of no known kind\n%s", where, strings.Join(failures, "\n"))}
			}
			return printDecoded(cmd.Context(), app, found)
		}),
	}
	cmd.Flags().StringVar(&as, "as", "", "read the bytes as one `kind` only: "+strings.Join(decoded.Kinds(), ", "))
	cli.CompleteFlag(cmd, "as", decoded.Kinds())
	return cmd
}

// bitcoinReader reads PSBTs as the account of the flags. Nobody is asked for
// the passphrase of a keystore: without it nothing is ours.
func (w *Flags) bitcoinReader(ctx context.Context, a *cli.App) (*bitcoinReader, error) {
	network, err := bitcoin.NetworkNamed(w.network)
	if err != nil {
		return nil, cli.Usagef("--network: %v", err)
	}
	source, err := w.source(a)
	if err != nil {
		return nil, err
	}
	reader := &bitcoinReader{network: network, owner: func() *bitcoin.Owner { return nil }}
	if source == keysOfKeystore && w.keystorePassphraseFile == "" {
		return reader, nil
	}
	reader.owner = func() *bitcoin.Owner {
		ring, err := w.ring(ctx, a)
		if err != nil {
			return nil
		}
		wpkh, err := ring.Bitcoin(keys.P2WPKH, network.CoinType(), w.account)
		if err != nil {
			return nil
		}
		tr, err := ring.Bitcoin(keys.P2TR, network.CoinType(), w.account)
		if err != nil {
			return nil
		}
		account, err := bitcoin.NewAccount(network, wpkh.Secp256k1(), tr.Secp256k1())
		if err != nil {
			return nil
		}
		return &account.Owner
	}
	return reader, nil
}

// printDecoded prints the first reading and names the others.
func printDecoded(ctx context.Context, a *cli.App, found []decoded.Reading) error {
	var others []string
	for _, d := range found[1:] {
		others = append(others, d.Kind)
	}
	if len(others) > 0 {
		also := "it can also be read as " + strings.Join(others, " and ") + ", see --as"
		fmt.Fprintln(a.Streams.Err, "chainscope: "+also)
	}
	if a.JSON() {
		value, err := json.Marshal(found[0].Value)
		if err != nil {
			return err
		}
		return a.PrintJSON(ctx, struct {
			Kind  string          `json:"kind"`
			Value json.RawMessage `json:"value"`
		}{found[0].Kind, value})
	}
	var b strings.Builder
	writeSections(&b, found[0].Sections, sectionStyle{bold: a.Color(), width: widthOf(a.Streams.Out)})
	_, err := a.Streams.Out.Write([]byte(strings.TrimPrefix(b.String(), "\n")))
	return err
}
