package command

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"chainscope/mockserver"
	"chainscope/tui/command/cli"
	"chainscope/tui/command/walletcmd"
	"chainscope/tui/term"
	"chainscope/tui/text"
	"chainscope/tui/theme"
)

// completionTime bounds how long a completion waits for the mock.
const completionTime = 2 * time.Second

// catalog holds what a mock says is worth looking at.
type catalog struct {
	FT, NFT []struct {
		Principal string
		TokenID   string `json:"token_id"`
		What      string
		Locales   []string
	}
	Namespaces []struct {
		Name  string
		Count int
	}
	Heights []struct {
		BurnHeight int64 `json:"burn_height"`
		What       string
	}
}

// completer completes the arguments of a command with what a mock has.
func completer(a *cli.App, complete func(c *catalog, args []string) []cobra.Completion) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		ctx, cancel := context.WithTimeout(cmd.Context(), completionTime)
		defer cancel()
		c, err := readCatalog(ctx, a, cmd)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return unique(complete(c, args)), cobra.ShellCompDirectiveNoFileComp
	}
}

// unique drops completions that occur twice, and those that a terminal would not
// show as they are.
func unique(list []cobra.Completion) []cobra.Completion {
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(c cobra.Completion) bool {
		what, _, _ := strings.Cut(c, "\t")
		known := seen[what]
		seen[what] = true
		return known || text.Line(what) != what
	})
}

// readCatalog reads that of the mock of --api, the embedded one or one on this machine. A live
// API is not requested: it has no list to complete from, and counts requests.
func readCatalog(ctx context.Context, a *cli.App, cmd *cobra.Command) (*catalog, error) {
	if err := a.Layer(cmd); err != nil {
		return nil, err
	}
	base, err := a.Settings.BaseURL()
	if err != nil {
		return nil, err
	}
	if base != "" && !onLoopback(base) {
		return nil, errors.New("not a mock")
	}
	a.FullScreen = true // nothing may be printed
	c, err := a.Connect(ctx)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.BaseURL+"/mock/v1/catalog", nil)
	if err != nil {
		return nil, err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = answer.Body.Close() }()
	found := new(catalog)
	return found, json.NewDecoder(io.LimitReader(answer.Body, 4<<20)).Decode(found)
}

// onLoopback reports whether an address is one of this machine.
func onLoopback(base string) bool {
	u, err := url.Parse(base)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// suggestion returns a completion with a description.
func suggestion(what, description string) cobra.Completion {
	return cobra.CompletionWithDesc(what, text.Line(description))
}

func completeFT(c *catalog, args []string) (list []cobra.Completion) {
	if len(args) > 0 {
		return nil
	}
	for _, t := range c.FT {
		list = append(list, suggestion(t.Principal, t.What))
	}
	return list
}

// completeNFT completes a contract, and then one of its tokens.
func completeNFT(c *catalog, args []string) (list []cobra.Completion) {
	for _, t := range c.NFT {
		switch {
		case len(args) == 0:
			list = append(list, suggestion(t.Principal, t.What))
		case len(args) == 1 && args[0] == t.Principal:
			list = append(list, suggestion(t.TokenID, t.What))
		}
	}
	return list
}

func completeNamespace(c *catalog, args []string) (list []cobra.Completion) {
	if len(args) > 0 {
		return nil
	}
	for _, n := range c.Namespaces {
		list = append(list, suggestion(n.Name, text.Plural(n.Count, "name")))
	}
	return list
}

func completeBurnHeight(c *catalog, args []string) (list []cobra.Completion) {
	if len(args) > 0 {
		return nil
	}
	for _, h := range c.Heights {
		list = append(list, suggestion(strconv.FormatInt(h.BurnHeight, 10), h.What))
	}
	return list
}

func completeBurnBlock(c *catalog, args []string) []cobra.Completion {
	if len(args) > 0 {
		return nil
	}
	return append(completeBurnHeight(c, args), suggestion("latest", "the newest burn block"))
}

// completeTarget completes where the explorer can start.
func completeTarget(c *catalog, args []string) []cobra.Completion {
	if len(args) > 0 {
		return nil
	}
	list := append(completeBurnBlock(c, args), completeNamespace(c, args)...)
	list = append(list, completeFT(c, args)...)
	for _, t := range c.NFT {
		list = append(list, suggestion(t.Principal+"::"+t.TokenID, t.What))
	}
	return list
}

// completeLocale completes --locale with the locales of a token.
func completeLocale(c *catalog, args []string) (list []cobra.Completion) {
	for _, t := range append(c.FT[:len(c.FT):len(c.FT)], c.NFT...) {
		for _, l := range t.Locales {
			if len(args) == 0 || args[0] == t.Principal {
				list = append(list, l)
			}
		}
	}
	return list
}

// flagValues returns the words that flags take, those of the embedded mock without its prefix.
func flagValues() map[string][]string {
	values := map[string][]string{
		"api":         {cli.APIMock, "mainnet", "testnet"},
		"output":      cli.Formats,
		"theme":       theme.Names(),
		"notify":      {string(term.CallLoud), string(term.CallBell), string(term.CallOff)},
		"scenario":    cli.Scenarios(),
		"api-version": mockserver.APIVersions(),
		"epoch":       mockserver.Epochs(),
		"fork":        {"mainnet", "testnet"},
	}
	maps.Copy(values, walletcmd.FlagValues())
	return values
}

// completeFlags completes the values of the flags that are words, of a command and of
// those below it.
func completeFlags(cmd *cobra.Command, values map[string][]string) {
	register := func(f *pflag.Flag) {
		if words := values[strings.TrimPrefix(f.Name, cli.MockPrefix)]; words != nil {
			cli.CompleteFlag(cmd, f.Name, words)
		}
	}
	cmd.PersistentFlags().VisitAll(register)
	cmd.Flags().VisitAll(register)
	for _, c := range cmd.Commands() {
		completeFlags(c, values)
	}
}

// completeFields completes --fields, a list, with the columns that the rows of a command
// have.
func completeFields(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	known := cmd.Annotations[cli.WithRows]
	if ofOne := cmd.Annotations[cli.WithRowsOfOne]; len(args) > 0 && ofOne != "" {
		known = ofOne
	}
	before := typed[:strings.LastIndexByte(typed, ',')+1]
	given := strings.Split(before, ",")
	var list []cobra.Completion
	for name := range strings.SplitSeq(known, ",") {
		if !slices.Contains(given, name) && !slices.Contains(list, before+name) && strings.HasPrefix(before+name, typed) {
			list = append(list, before+name)
		}
	}
	return list, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// cleanUsage takes the marks out of the descriptions of flags, which a completion
// would print as they are.
func cleanUsage(cmd *cobra.Command) {
	clean := func(f *pflag.Flag) { _, f.Usage = pflag.UnquoteUsage(f) }
	cmd.PersistentFlags().VisitAll(clean)
	cmd.Flags().VisitAll(clean)
	for _, c := range cmd.Commands() {
		cleanUsage(c)
	}
}
