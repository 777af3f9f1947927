package command

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"chainscope/apiclient"
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

func newFT(app *app) *cobra.Command {
	var flags tokenFlags
	cmd := &cobra.Command{
		Use:               "ft PRINCIPAL [--locale L] [--wait]",
		Annotations:       map[string]string{withRows: "true"},
		Short:             "Show a fungible token",
		Args:              exactArgs(1),
		ValidArgsFunction: app.completer(completeFT),
		RunE: func(cmd *cobra.Command, args []string) error {
			return ask(cmd.Context(), app,
				func(ctx context.Context, c *apiclient.Client) (apiclient.Answer[apiclient.FungibleToken], error) {
					return whenReady(ctx, app, flags.wait, func(ctx context.Context) (apiclient.Answer[apiclient.FungibleToken], error) {
						return c.FungibleToken(ctx, args[0], flags.locale)
					})
				},
				func(t apiclient.FungibleToken) error { return fungibleFields(app, t).write(app.streams.Out) })
		},
	}
	flags.register(cmd.Flags())
	_ = cmd.RegisterFlagCompletionFunc("locale", app.completer(completeLocale))
	return cmd
}

func newNFT(app *app) *cobra.Command {
	var flags tokenFlags
	cmd := &cobra.Command{
		Use:               "nft PRINCIPAL TOKEN_ID [--locale L] [--wait]",
		Annotations:       map[string]string{withRows: "true"},
		Short:             "Show a non-fungible token",
		Args:              exactArgs(2),
		ValidArgsFunction: app.completer(completeNFT),
		RunE: func(cmd *cobra.Command, args []string) error {
			return ask(cmd.Context(), app,
				func(ctx context.Context, c *apiclient.Client) (apiclient.Answer[apiclient.NonFungibleToken], error) {
					return whenReady(ctx, app, flags.wait, func(ctx context.Context) (apiclient.Answer[apiclient.NonFungibleToken], error) {
						return c.NonFungibleToken(ctx, args[0], args[1], flags.locale)
					})
				},
				func(t apiclient.NonFungibleToken) error {
					f := app.newFields()
					f.add("contract", args[0])
					f.add("token id", args[1])
					f.add("token URI", t.TokenURI)
					addMetadata(f, t.Metadata)
					return f.write(app.streams.Out)
				})
		},
	}
	flags.register(cmd.Flags())
	_ = cmd.RegisterFlagCompletionFunc("locale", app.completer(completeLocale))
	return cmd
}

// Waits between two requests for a token in progress.
const (
	firstWait = 250 * time.Millisecond
	maxWait   = 2 * time.Second
)

// whenReady calls once or, with wait, until the token is no longer in progress;
// --timeout bounds the whole.
func whenReady[T any](ctx context.Context, a *app, wait bool, call func(context.Context) (T, error)) (T, error) {
	if !wait {
		return call(ctx)
	}
	bounded, cancel := context.WithTimeout(ctx, a.settings.timeout)
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
		if err := a.streams.sleep(bounded, pause); err != nil {
			if ctx.Err() != nil {
				return answer, ctx.Err()
			}
			return answer, stillInProgress(a, inProgress)
		}
	}
}

func stillInProgress(a *app, err error) error {
	e := asError(err)
	e.Message += "; waited " + a.settings.timeout.String()
	return e
}

func fungibleFields(app *app, t apiclient.FungibleToken) *fields {
	f := app.newFields()
	f.add("name", t.Name)
	f.add("symbol", t.Symbol)
	if t.Decimals != nil {
		f.add("decimals", strconv.Itoa(*t.Decimals))
	}
	if t.TotalSupply != nil {
		supply := text.Integer(t.TotalSupply) + " in the smallest unit"
		if t.Decimals != nil && *t.Decimals >= 0 && *t.Decimals <= text.MaxDecimals {
			supply = strings.TrimSpace(text.Amount(t.TotalSupply, *t.Decimals) + " " + t.Symbol)
		}
		f.add("total supply", supply)
	}
	f.add("total supply", t.TotalSupplyText)
	f.add("description", t.Description)
	f.add("token URI", t.TokenURI)
	f.add("image", t.ImageURI)
	f.add("thumbnail", t.ImageThumbnailURI)
	f.add("original image", t.ImageCanonicalURI)
	f.add("asset identifier", t.AssetIdentifier)
	f.add("sender address", t.SenderAddress)
	f.add("deployed by", t.TxID)
	addMetadata(f, t.Metadata)
	return f
}

func addMetadata(f *fields, m *apiclient.Metadata) {
	if m == nil {
		return
	}
	if m.SIP != nil {
		f.add("metadata: SIP", strconv.Itoa(*m.SIP))
	}
	f.add("metadata: name", m.Name)
	f.add("metadata: description", m.Description)
	f.add("metadata: image", m.Image)
	f.add("metadata: cached image", m.CachedImage)
	f.add("metadata: thumbnail", m.CachedThumbnailImage)
	for _, a := range m.Attributes {
		name := a.TraitType
		if a.DisplayType != "" {
			name += " (" + a.DisplayType + ")"
		}
		f.add("attribute: "+text.Truncate(text.Line(name), 40), anyJSON(a.Value))
	}
	names := make([]string, 0, len(m.Properties))
	for name := range m.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		f.add("property: "+text.Truncate(text.Line(name), 40), anyJSON(m.Properties[name]))
	}
	if l := m.Localization; l != nil {
		f.add("locales", strings.Join(l.Locales, ", "))
		f.add("default locale", l.Default)
		f.add("localization URI", l.URI)
	}
}

// anyJSON formats any JSON value on one line, strings without their quotes.
func anyJSON(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return text.CompactJSON(raw)
}
