package command

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"chainscope/apiclient"
)

// A contract that both chains have, the mock's and the real one: an example of what can be
// given.
const exampleContract = "SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.usda-token"

// wrongThing says of an argument that a command did not take that it is something else, and
// which command shows that. Takes is what the command does take.
func wrongThing(command, takes, arg string, err error) error {
	if kind := apiclient.KindOf(err); kind != apiclient.InvalidInput && kind != apiclient.NotFound {
		return err
	}
	what, line := shownBy(arg)
	e := asError(err)
	switch right := capitals(arg); {
	case command == "block" && arg == "latest":
		e.Message = "block takes a height or a hash; the newest block is the first of the list"
		return e.try("blocks", "--limit", "1")
	case right != "":
		e.Message = "an address is written in capital letters"
		return e.tryWord(arg, right)
	case what != "" && line[0] == command && line[1] != arg:
		return e.tryWord(arg, line[1])
	case what == "" || line[0] == command:
		return e
	}
	if e.Kind == KindNotFound {
		e.Message += fmt.Sprintf("\n%s is %s", arg, what)
	} else {
		e.Message = fmt.Sprintf("%s takes %s; %s is %s", command, takes, arg, what)
	}
	return e.try(line...)
}

// wrongContract is wrongThing for an argument that has to be a contract. Where it may be
// anything, the line has one in its place.
func wrongContract(command, arg string, err error) error {
	if err == nil {
		return nil
	}
	if apiclient.CheckPrincipal(arg) == nil {
		return notOfContract(command, arg, err)
	}
	err = wrongThing(command, "a contract, as ADDRESS.contract-name", arg, err)
	if e := asError(err); e.Kind == KindInvalidInput {
		if what, line := shownBy(arg); what == "" || line[0] == "block" {
			e = e.tryWord(arg, exampleContract)
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
	e := asError(err)
	if from.Kind == apiclient.Gone {
		return e.try("contract", contract)
	} else if from.Kind != apiclient.NotFound {
		return err
	}
	switch from.Detail() {
	case "Locale not found":
		e.Message += "\nwithout --locale the token is shown, with the locales that it has"
		return e.tryFlagNamed("locale", "", true)
	case "Contract not found":
		e.Message += "\nno token of it is known; chainscope contract shows whether there is such a contract"
		return e.try("contract", contract)
	}
	if command == "ft" && from.Detail() == "Token not found" {
		e.Message += "\nthe contract is known, but no fungible token of it"
		return e.try("contract", contract)
	}
	return e
}

// otherNetwork refuses an address of the network that the API is not of. An API that does not
// answer that gets the request for the address.
func (a *app) otherNetwork(ctx context.Context, c *apiclient.Client, principal string) error {
	network := apiclient.Mainnet
	if strings.Contains("ST SN", principal[:2]) {
		network = apiclient.Testnet
	}
	server, _ := c.Server(ctx) // the zero value is of no network
	if !server.Foreign(network) {
		return nil
	}
	words := fmt.Sprintf("%s is of %s, and --api %s knows nothing of it", principal, network, a.settings.api)
	if a.settings.api != server.Network {
		words += ": it is of " + server.Network
	}
	e := &Error{Kind: KindInvalidInput, Message: words}
	return e.tryFlag("api", network)
}
