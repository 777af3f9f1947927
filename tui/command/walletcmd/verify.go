package walletcmd

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"chainscope/tui/command/cli"
	"chainscope/tui/text"
	"chainscope/wallet/clarity"
	"chainscope/wallet/jsonrpc"
	"chainscope/wallet/verify"
)

// verifyFlags are the flags of `wallet verify`.
type verifyFlags struct {
	message, domain, signature, by string
}

func newWalletVerify(app *cli.App, flags *Flags) *cobra.Command {
	var v verifyFlags
	cmd := &cobra.Command{
		Use:   "verify [TRANSACTION|@FILE|-]",
		Short: "Check a signature: of a message or a transaction",
		Long: `Check a signature, using public data only. Without flags the argument is a Stacks
transaction in hexadecimal digits. With --message it is a signature of a text, by a Stacks key or address or by a Bitcoin address (BIP-322
or ECDSA); with --domain too it is a structured message (SIP-018), and both are
Clarity values: hexadecimal digits, JSON or literals. @FILE reads a file, -
standard input. A signature that is not valid is an error of kind wallet; what cannot
be read is one of kind invalid_input.`,
		Example: `  chainscope wallet verify @signed.hex
  chainscope wallet verify --message 'Hello World' --signature 0bdb…01 --by SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J
  chainscope wallet verify --message u7 --domain '{name: "app", version: "1", chain-id: u1}' --signature 5e…00 --by 03d5…0c
  chainscope wallet verify --message 'Hello World' --signature AkcwRA… --by bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu`,
		Args: cobra.MaximumNArgs(1),
		RunE: flags.checked(func(cmd *cobra.Command, args []string) error {
			result, err := verifyBy(cmd.Context(), app, v, cmd.Flags().Changed("message"), args)
			if err != nil {
				return err
			}
			if result.Unreadable {
				return &cli.Error{Kind: cli.KindInvalidInput, Message: text.Line(result.Text)}
			}
			if err := printVerified(cmd.Context(), app, result); err != nil || result.Valid {
				return err
			}
			return &cli.Error{Kind: cli.KindWallet, Message: text.Line(result.Text)}
		}),
	}
	cmd.Flags().StringVar(&v.message, "message", "", "the `text` that was signed, or with --domain a Clarity value")
	cmd.Flags().StringVar(&v.domain, "domain", "", "the `domain` of a structured message (SIP-018), a Clarity value")
	cmd.Flags().StringVar(&v.signature, "signature", "", "the `signature`: hexadecimal digits (RSV), or base64 for a Bitcoin address")
	cmd.Flags().StringVar(&v.by, "by", "", "the `signer`: a public key, a Stacks address or a Bitcoin address")
	return cmd
}

// verifyBy checks what the flags or the argument name.
func verifyBy(ctx context.Context, a *cli.App, v verifyFlags, message bool, args []string) (verify.Result, error) {
	if !message {
		if v.domain+v.signature+v.by != "" {
			return verify.Result{}, cli.Usagef("--signature, --by and --domain go with --message")
		}
		if len(args) == 0 {
			return verify.Result{}, cli.Usagef("give a transaction, or a message with --message, --signature and --by")
		}
		raw, _, err := a.ReadArgument(ctx, "TRANSACTION", args[0], jsonrpc.MaxRequestBytes)
		if err != nil {
			return verify.Result{}, err
		}
		return verify.Transaction(strings.TrimSpace(string(raw)), ""), nil
	}
	if len(args) > 0 {
		return verify.Result{}, cli.Usagef("a transaction and --message cannot be checked at once")
	}
	if v.signature == "" || v.by == "" {
		return verify.Result{}, cli.Usagef("--message needs --signature and --by")
	}
	if v.domain != "" {
		return v.structured()
	}
	if strings.HasPrefix(v.by, "S") || len(strings.TrimPrefix(v.by, "0x")) == 66 {
		return verify.Message(v.message, v.signature, v.by), nil
	}
	return verify.BitcoinMessage(v.by, v.message, v.signature), nil
}

func (v verifyFlags) structured() (verify.Result, error) {
	domain, err := clarity.ParseAny(v.domain)
	if err != nil {
		return verify.Result{}, cli.Usagef("--domain: %v", err)
	}
	message, err := clarity.ParseAny(v.message)
	if err != nil {
		return verify.Result{}, cli.Usagef("--message: %v", err)
	}
	return verify.Structured(domain, message, v.signature, v.by), nil
}

func printVerified(ctx context.Context, a *cli.App, r verify.Result) error {
	if a.JSON() {
		return a.PrintJSON(ctx, r)
	}
	if !r.Valid {
		return nil // the error says it
	}
	return a.Print("valid: " + text.Line(r.Text))
}
