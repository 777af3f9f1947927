package command

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"chainscope/apiclient"
	"chainscope/tui"
	"chainscope/tui/command/cli"
	"chainscope/tui/nav"
	"chainscope/tui/resource"
	"chainscope/tui/screen/listing"
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
	var holders tokenList
	cmd := &cobra.Command{
		Use:         "ft PRINCIPAL [--locale L] [--wait] [--holders]" + listUsage,
		Annotations: map[string]string{cli.WithRows: strings.Join(slices.Concat(tokenColumns(apiclient.FungibleToken{}).known, columnsOf(resource.Holders(), nil, nil).known), ",")},
		Short:       "Show a fungible token, or who has it",
		Long: `Show a fungible token.

--holders lists who has it instead, who has the most first: of the token of the contract, or
of the one that PRINCIPAL names, such as ADDRESS.contract::name.`,
		Args:              cli.ExactArgs(1),
		ValidArgsFunction: completer(app, completeFT),
		RunE: func(cmd *cobra.Command, args []string) error {
			if listed, err := holders.check(cmd, app, "a balance changes where it stands"); listed || err != nil {
				if err != nil {
					return err
				}
				return listOfToken(cmd.Context(), app, &holders.listFlags, tui.Holders, nav.Holders(args[0]), tui.HoldersRead)
			}
			return requestAndShow(cmd.Context(), app,
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
	holders.register(cmd, "holders", "list who has it, who has the most first", resource.Holders().Sortable())
	_ = cmd.RegisterFlagCompletionFunc("locale", completer(app, completeLocale))
	return cmd
}

func newNFT(app *cli.App) *cobra.Command {
	var flags tokenFlags
	var moves tokenList
	owner, unread := "", error(nil)
	cmd := &cobra.Command{
		Use:         "nft PRINCIPAL TOKEN_ID|PRINCIPAL::TOKEN_ID [--locale L] [--wait] [--history]" + listUsage,
		Annotations: map[string]string{cli.WithRows: strings.Join(slices.Concat(tokenColumns(apiclient.NonFungibleToken{}).known, columnsOf(resource.TokenMoves(), nil, nil).known), ",")},
		Short:       "Show a non-fungible token with its owner, or its history",
		Long: `Show a non-fungible token. A table begins with its owner, which the contract is called for
(get-owner); -o json is the API's own answer, without it.

--history lists who minted, moved and burned it instead, the newest first.`,
		Args:              contractAndToken,
		ValidArgsFunction: completer(app, completeNFT),
		RunE: func(cmd *cobra.Command, args []string) error {
			args = splitToken(args)
			if listed, err := moves.check(cmd, app, "chainscope nft prints who has it now"); listed || err != nil {
				if err != nil {
					return err
				}
				return listOfToken(cmd.Context(), app, &moves.listFlags, tui.TokenMoves, nav.Moves(args[0], strings.TrimPrefix(args[1], "u")), tui.MovesRead)
			}
			return requestAndShow(cmd.Context(), app,
				func(ctx context.Context, c *apiclient.Client) (apiclient.Answer[apiclient.NonFungibleToken], error) {
					return whenReady(ctx, app, flags.wait, func(ctx context.Context) (apiclient.Answer[apiclient.NonFungibleToken], error) {
						answer, err := c.NonFungibleToken(ctx, args[0], args[1], flags.locale)
						if err == nil && !app.Rows() && !app.JSON() {
							owner, unread = tui.ReadOwner(ctx, c, args[0], args[1])
						}
						return answer, wrongToken(args[0], args[1], err)
					})
				},
				func(t apiclient.NonFungibleToken) error {
					f := app.NewFields()
					switch {
					case unread != nil:
						app.Notice("who has it could not be read: " + text.Line(unread.Error()))
					case owner == "":
						f.Add("owner", "nobody")
					default:
						f.Add("owner", owner)
					}
					f.Join(tokenFieldsOf(app, resource.Token{Principal: args[0], TokenID: args[1], NFT: &t}))
					return f.Write(app.Streams.Out)
				})
		},
	}
	flags.register(cmd.Flags())
	moves.register(cmd, "history", "list who minted, moved and burned it, the newest first", resource.TokenMoves().Sortable())
	_ = cmd.RegisterFlagCompletionFunc("locale", completer(app, completeLocale))
	return cmd
}

// splitToken returns the contract and the id of a token that is given in one word, as the explorer
// copies it; other arguments as they are.
func splitToken(args []string) []string {
	if len(args) == 1 {
		if at := strings.LastIndex(args[0], "::"); at > 0 && cli.IsNumber(strings.TrimPrefix(args[0][at+2:], "u")) {
			return []string{args[0][:at], args[0][at+2:]}
		}
	}
	return args
}

// contractAndToken requires a contract and the id of a token.
func contractAndToken(cmd *cobra.Command, args []string) error {
	args = splitToken(args)
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

// tokenList is the flag that lists what belongs to a token, with those of a list.
type tokenList struct {
	listFlags
	flag   string
	listed bool
}

func (t *tokenList) register(cmd *cobra.Command, flag, help string, columns []string) {
	t.flag = flag
	cmd.Flags().BoolVar(&t.listed, flag, false, help)
	t.listFlags.register(cmd, 0, "rows, with --"+flag, columns)
}

// check reports whether the list is wanted, and what is wrong with its flags.
func (t *tokenList) check(cmd *cobra.Command, app *cli.App, still string) (bool, error) {
	given := t.given(app)
	switch {
	case t.listed && (app.FromCommandLine["locale"] || app.FromCommandLine["wait"]):
		return true, cli.Usagef("%s: --locale and --wait are for the metadata: give --%s without them", cli.CommandName(cmd), t.flag)
	case t.listed:
		return true, errors.Join(t.listFlags.check(cmd, 0, 0), t.cannotFollow(cmd, still))
	case given != "":
		return false, cli.Usagef("%s: --%s is for a list: give it with --%s", cli.CommandName(cmd), given, t.flag)
	}
	return false, nil
}

// listOfToken prints a list of the explorer that belongs to a token.
func listOfToken[T any](ctx context.Context, app *cli.App, flags *listFlags, of func(*tui.Options) listing.Of[T], place nav.Place, size int) error {
	contract := place.Whole().Principal
	if err := apiclient.CheckPrincipal(contract); err != nil {
		return wrongContract(string(place.Kind), contract, &apiclient.Error{Kind: apiclient.InvalidInput, Op: "token", Err: err})
	}
	return printList(ctx, app, flags, func(_ context.Context, c *apiclient.Client) (list[T], error) {
		l := placeList(of(&tui.Options{Client: c}), place)
		l.pageSize = size
		read := l.page
		l.page = func(ctx context.Context, c *apiclient.Client, at position) (page[T], error) {
			p, err := read(ctx, c, at)
			for i := range p.rows {
				p.rows[i].line = nil // each version of the API has other names
			}
			return p, err
		}
		return l, nil
	})
}

// writeToken prints what the server says of a token.
func writeToken(app *cli.App, t resource.Token) error {
	return tokenFieldsOf(app, t).Write(app.Streams.Out)
}

// tokenFieldsOf returns what the server says of a token, without what it does not say.
func tokenFieldsOf(app *cli.App, t resource.Token) *cli.Fields {
	var known []resource.Field
	for _, field := range resource.Tokens(false).Fields(t) {
		if field.Section == "" && (!field.Value.Known() || field.Mark == resource.Remark) {
			continue
		}
		field.Label = text.Truncate(text.Line(strings.TrimSpace(field.Label)), 40)
		known = append(known, field)
	}
	return fieldsOf(app, known)
}
