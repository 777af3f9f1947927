package command

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"chainscope/apiclient"
	"chainscope/tui/command/cli"
	"chainscope/tui/nav"
	"chainscope/tui/resource"
	"chainscope/tui/state"
)

// labelled is an account or a contract with its label.
type labelled struct {
	Address string `json:"address"`
	Label   string `json:"label"`
}

func newLabel(app *cli.App) *cobra.Command {
	columns := namedColumnsOf(labelled{})
	return &cobra.Command{
		Use:         "label [ADDRESS|NAME [TEXT]]",
		Annotations: map[string]string{cli.WithRows: strings.Join(columns, ",")},
		Short:       "List labels of addresses, show one, or give one",
		Long: `List your labels of accounts and contracts, show that of one, or give it one in
place of the one before: an empty TEXT removes it. A name such as alice.btc is the address
of its owner, which is requested, and wherever an address is wanted @LABEL is one. Lists and details show a label after
an @, filters find it, and csv has it in a column beside that of the address.`,
		Example: `  chainscope label SPC5KHM41H6WHAST7MWWDD807YSPRQKJ69FSH54J "cold storage"
  chainscope label -o json`,
		GroupID: groupExplore,
		Args:    atMostTwo,
		RunE: func(cmd *cobra.Command, args []string) error {
			store, err := app.OpenStore(app.Notice)
			if err != nil {
				return err
			}
			if len(args) > 0 && apiclient.CheckAccount(args[0]) != nil {
				if args[0], err = ownerOfName(cmd.Context(), app, args[0]); err != nil {
					return err
				}
			}
			if len(args) == 2 {
				return setLabel(store, args[0], args[1])
			}
			all, err := store.Labels()
			if err != nil {
				return err
			}
			if len(args) == 1 {
				label := all[args[0]]
				if err := checkAddress(args[0]); err != nil {
					return err
				}
				if label == "" {
					return &cli.Error{Kind: cli.KindNotFound, Message: args[0] + " has no label"}
				}
				all = map[string]string{args[0]: label}
			}
			return printLabels(cmd.Context(), app, all)
		},
	}
}

// ownerOfName returns the address of the owner of a name, or that of a label.
func ownerOfName(ctx context.Context, app *cli.App, target string) (string, error) {
	if address, err := labelledAs(app, target); err != nil || address != target {
		return address, err
	}
	if strings.Contains(target, ".") && nav.CheckFullName(nav.Registered(strings.ToLower(target))) == nil {
		c, err := app.Connect(ctx)
		if err != nil {
			return "", err
		}
		defer c.Close()
		return owner(ctx, app, c.Client, target)
	}
	return target, nil // what is wrong with it is said where it is used
}

// labelledAs returns the address that has a label, where a label after an @ is given in its place.
func labelledAs(app *cli.App, target string) (string, error) {
	wanted, is := strings.CutPrefix(target, resource.LabelMark)
	if !is {
		return target, nil
	}
	store, err := app.OpenStore(app.Notice)
	if err != nil {
		return "", err
	}
	all, err := store.Labels()
	if err != nil {
		return "", err
	}
	var found []string
	for address, label := range all {
		if strings.EqualFold(label, wanted) {
			found = append(found, address)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return "", &cli.Error{Kind: cli.KindNotFound, Message: fmt.Sprintf("no address has the label %q; chainscope label lists them", wanted)}
	}
	slices.Sort(found)
	return "", &cli.Error{Kind: cli.KindInvalidInput, Message: fmt.Sprintf("several addresses have the label %q: %s", wanted, strings.Join(found, ", "))}
}

// atMostTwo requires no argument, or one or two.
func atMostTwo(cmd *cobra.Command, args []string) error {
	if len(args) > 2 {
		return cli.Usagef("label takes an address and a text: put quotes around a text of several words\nusage: chainscope %s", cmd.Use).
			Try("label", args[0], strings.Join(args[1:], " "))
	}
	return nil
}

func setLabel(store *state.Store, address, typed string) error {
	if err := checkAddress(address); err != nil {
		return err
	}
	label, err := resource.ParseLabel(typed)
	if err != nil {
		return &cli.Error{Kind: cli.KindInvalidInput, Message: err.Error()}
	}
	_, err = store.SetLabel(address, label)
	return err
}

// checkAddress returns why a text is neither an account nor a contract.
func checkAddress(principal string) error {
	if err := apiclient.CheckAccount(principal); err != nil {
		return &cli.Error{Kind: cli.KindInvalidInput, Message: err.Error()}
	}
	return checkSum(principal)
}

func printLabels(ctx context.Context, app *cli.App, labels map[string]string) error {
	all := make([]labelled, 0, len(labels))
	for _, address := range slices.Sorted(maps.Keys(labels)) {
		all = append(all, labelled{address, labels[address]})
	}
	raw, err := json.Marshal(all)
	switch {
	case err != nil:
		return err
	case app.Rows():
		return printRows(ctx, app, apiclient.Answer[labelList]{Raw: raw})
	case app.JSON():
		return app.PrintRaw(ctx, raw)
	}
	t := app.NewTable()
	t.Columns = cli.Columns("ADDRESS", "LABEL")
	for _, one := range all {
		t.Add(one.Address, one.Label)
	}
	return t.Write(app.Streams.Out)
}

// labelList says which columns labels have.
type labelList struct{}

func (labelList) columns() columnSet {
	columns := namedColumnsOf(labelled{})
	return columnSet{first: columns, known: columns, only: true}
}
func (labelList) member(string) any { return nil }
