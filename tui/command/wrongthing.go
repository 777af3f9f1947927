package command

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"chainscope/apiclient"
	"chainscope/tui/command/cli"
)

// A contract that both chains have, the mock's and the real one: an example of what can be
// given.
const exampleContract = "SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.usda-token"

// wrongArgument returns the error of an argument of another kind than a command takes, and
// which command shows that. Takes is what the command does take.
func wrongArgument(command, accepts, arg string, err error) error {
	if kind := apiclient.KindOf(err); kind != apiclient.InvalidInput && kind != apiclient.NotFound {
		return err
	}
	what, line := cli.ShownBy(arg)
	e := cli.AsError(err)
	switch right := capitals(arg); {
	case command == "block" && arg == "latest":
		e.Message = "block takes a height or a hash; the newest block is the first of the list"
		return e.Try("blocks", "--limit", "1")
	case right != "":
		e.Message = "an address is written in capital letters"
		return e.TryWord(arg, right)
	case what != "" && line[0] == command && line[1] != arg:
		return e.TryWord(arg, line[1])
	case what == "" || line[0] == command:
		return e
	}
	if e.Kind == cli.KindNotFound {
		e.Message += fmt.Sprintf("\n%s is %s", arg, what)
	} else {
		e.Message = fmt.Sprintf("%s takes %s; %s is %s", command, accepts, arg, what)
	}
	return e.Try(line...)
}

// wrongContract is wrongArgument for an argument that has to be a contract. Where it may be
// anything, the line has one in its place.
func wrongContract(command, arg string, err error) error {
	if err == nil {
		return nil
	}
	if apiclient.CheckPrincipal(arg) == nil {
		return notOfContract(command, arg, err)
	}
	err = wrongArgument(command, "a contract, as ADDRESS.contract-name", arg, err)
	if e := cli.AsError(err); e.Kind == cli.KindInvalidInput {
		if what, line := cli.ShownBy(arg); what == "" || line[0] == "block" {
			e = e.TryWord(arg, exampleContract)
		}
		return e
	}
	return err
}

// notOfContract says of a token that was not found where its contract or its locales are shown.
func notOfContract(command, contract string, err error) error {
	var from *apiclient.Error
	if !errors.As(err, &from) || command == "contract" {
		return err
	}
	e := cli.AsError(err)
	if from.Kind == apiclient.Gone {
		return e.Try("contract", contract)
	} else if from.Kind != apiclient.NotFound {
		return err
	}
	switch from.Detail() {
	case "Locale not found":
		e.Message += "\nwithout --locale the token is shown, with the locales that it has"
		return e.TryFlagNamed("locale", "", true)
	case "Contract not found":
		e.Message += "\nno token of it is known; chainscope contract shows whether there is such a contract"
		return e.Try("contract", contract)
	}
	if command == "ft" && from.Detail() == "Token not found" {
		e.Message += "\nthe contract is known, but no fungible token of it"
		return e.Try("contract", contract)
	}
	return e
}

// otherNetwork refuses an address of the network that the API is not of. An API that does not
// answer that gets the request for the address.
func otherNetwork(ctx context.Context, a *cli.App, c *apiclient.Client, principal string) error {
	network := apiclient.Mainnet
	if strings.Contains("ST SN", principal[:2]) {
		network = apiclient.Testnet
	}
	server, _ := c.Server(ctx) // the zero value is of no network
	if !server.Foreign(network) {
		return nil
	}
	words := fmt.Sprintf("%s is of %s, and --api %s knows nothing of it", principal, network, a.Settings.API)
	if a.Settings.API != server.Network {
		words += ": it is of " + server.Network
	}
	e := &cli.Error{Kind: cli.KindInvalidInput, Message: words}
	return e.TryFlag("api", network)
}
