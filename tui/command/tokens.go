package command

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"chainscope/apiclient"
	"chainscope/tui/command/cli"
	"chainscope/tui/resource"
	"chainscope/tui/text"
)

// tokenFlags are those of ft and nft.
type tokenFlags struct {
	locale string
	wait   bool
}

func (t *tokenFlags) register(fs *pflag.FlagSet) {
	fs.StringVar(&t.locale, "locale", "", "`locale` of the metadata, such as es-MX")
	fs.BoolVar(&t.wait, "wait", false, "wait for a token in progress until it is ready, or --timeout")
}

func newFT(app *cli.App) *cobra.Command {
	var flags tokenFlags
	cmd := &cobra.Command{
		Use:               "ft PRINCIPAL [--locale L] [--wait]",
		Annotations:       map[string]string{cli.WithRows: strings.Join(tokenColumns(apiclient.FungibleToken{}).known, ",")},
		Short:             "Show a fungible token",
		Args:              cli.ExactArgs(1),
		ValidArgsFunction: completer(app, completeFT),
		RunE: func(cmd *cobra.Command, args []string) error {
			return ask(cmd.Context(), app,
				func(ctx context.Context, c *apiclient.Client) (apiclient.Answer[apiclient.FungibleToken], error) {
					return whenReady(ctx, app, flags.wait, func(ctx context.Context) (apiclient.Answer[apiclient.FungibleToken], error) {
						answer, err := c.FungibleToken(ctx, args[0], flags.locale)
						return answer, wrongContract("ft", args[0], err)
					})
				},
				func(t apiclient.FungibleToken) error {
					return writeToken(app, resource.Token{Principal: args[0], FT: &t})
				})
		},
	}
	flags.register(cmd.Flags())
	_ = cmd.RegisterFlagCompletionFunc("locale", completer(app, completeLocale))
	return cmd
}

func newNFT(app *cli.App) *cobra.Command {
	var flags tokenFlags
	cmd := &cobra.Command{
		Use:               "nft PRINCIPAL TOKEN_ID [--locale L] [--wait]",
		Annotations:       map[string]string{cli.WithRows: strings.Join(tokenColumns(apiclient.NonFungibleToken{}).known, ",")},
		Short:             "Show a non-fungible token",
		Args:              contractAndToken,
		ValidArgsFunction: completer(app, completeNFT),
		RunE: func(cmd *cobra.Command, args []string) error {
			return ask(cmd.Context(), app,
				func(ctx context.Context, c *apiclient.Client) (apiclient.Answer[apiclient.NonFungibleToken], error) {
					return whenReady(ctx, app, flags.wait, func(ctx context.Context) (apiclient.Answer[apiclient.NonFungibleToken], error) {
						answer, err := c.NonFungibleToken(ctx, args[0], args[1], flags.locale)
						return answer, wrongToken(args[0], args[1], err)
					})
				},
				func(t apiclient.NonFungibleToken) error {
					return writeToken(app, resource.Token{Principal: args[0], TokenID: args[1], NFT: &t})
				})
		},
	}
	flags.register(cmd.Flags())
	_ = cmd.RegisterFlagCompletionFunc("locale", completer(app, completeLocale))
	return cmd
}

// contractAndToken requires a contract and the id of a token.
func contractAndToken(cmd *cobra.Command, args []string) error {
	err := cli.ExactArgs(2)(cmd, args)
	if err == nil || len(args) != 1 {
		return err
	}
	contract, id, joined := strings.Cut(args[0], "::")
	switch e := cli.AsError(err); {
	case joined:
		return e.Try("nft", contract, id)
	case cli.IsNumber(args[0]):
		e.Message = "nft takes a contract before the id of the token\nusage: chainscope " + cmd.Use
		return e.Try("nft", exampleNFT, args[0])
	default:
		e.Message = "nft takes the id of a token after the contract\nusage: chainscope " + cmd.Use
		return e.TryWord(args[0], args[0], "1")
	}
}

// exampleNFT is a contract of the mock with non-fungible tokens.
const exampleNFT = "SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX.harbor-lights"

// wrongToken returns what is wrong with a contract and the id of a token.
func wrongToken(contract, id string, err error) error {
	if err == nil {
		return nil
	}
	if apiclient.KindOf(err) == apiclient.InvalidInput && cli.IsNumber(contract) && apiclient.CheckPrincipal(id) == nil {
		e := &cli.Error{Kind: cli.KindInvalidInput, Message: "nft takes the contract first, then the id of the token"}
		return e.Try("nft", id, contract)
	}
	err = wrongContract("nft", contract, err)
	if e := cli.AsError(err); e.Kind == cli.KindInvalidInput && e.Suggest == nil && !cli.IsNumber(id) {
		if digits := strings.TrimPrefix(id, "u"); cli.IsNumber(digits) {
			return e.TryWord(id, digits)
		}
		return e.TryWord(id, "1")
	}
	return err
}

// Waits between two requests for a token in progress.
const (
	firstWait = 250 * time.Millisecond
	maxWait   = 2 * time.Second
)

// whenReady calls once or, with wait, until the token is no longer in progress;
// --timeout bounds the whole.
func whenReady[T any](ctx context.Context, a *cli.App, wait bool, call func(context.Context) (T, error)) (T, error) {
	if !wait {
		return call(ctx)
	}
	bounded, cancel := context.WithTimeout(ctx, a.Settings.Timeout)
	defer cancel()
	var inProgress error
	for pause := firstWait; ; pause = min(2*pause, maxWait) {
		answer, err := call(bounded)
		switch apiclient.KindOf(err) {
		case apiclient.InProgress:
			inProgress = err
		case apiclient.Timeout, apiclient.Canceled:
			if inProgress != nil && ctx.Err() == nil {
				return answer, stillInProgress(a, inProgress)
			}
			return answer, err
		default:
			return answer, err
		}
		if err := a.Streams.Wait(bounded, pause); err != nil {
			if ctx.Err() != nil {
				return answer, ctx.Err()
			}
			return answer, stillInProgress(a, inProgress)
		}
	}
}

func stillInProgress(a *cli.App, err error) error {
	e := cli.AsError(err)
	e.Message += "; waited " + a.Settings.Timeout.String()
	return e
}

// writeToken prints what the server says of a token, without what it does not say.
func writeToken(app *cli.App, t resource.Token) error {
	var known []resource.Field
	for _, field := range resource.Tokens(false).Fields(t) {
		if field.Section == "" && (!field.Value.Known() || field.Mark == resource.Remark) {
			continue
		}
		field.Label = text.Truncate(text.Line(strings.TrimSpace(field.Label)), 40)
		known = append(known, field)
	}
	return fieldsOf(app, known).Write(app.Streams.Out)
}
