package tui

import (
	"context"
	"encoding/json"

	"chainscope/apiclient"
	"chainscope/tui/keymap"
	"chainscope/tui/nav"
	"chainscope/tui/resource"
	"chainscope/tui/screen"
	"chainscope/tui/screen/listing"
	"chainscope/tui/screen/tokens"
	"chainscope/tui/text"
	"chainscope/wallet/facts"
)

// contractsOf returns how the place of contracts is made.
func contractsOf(o *Options, env *screen.Env) listing.Of[resource.Contract] {
	history := recently{o.Store, o.Network, "contracts", 40}
	k := &o.Keys.Contracts
	return listing.Of[resource.Contract]{
		Kind: resource.Contracts(), Title: contractsTitle, Ops: []string{"contract"}, Home: nav.Contracts(),
		At: func(c resource.Contract) nav.Place { return nav.Contract(c.ID) },
		IDOf: func(p nav.Place) string {
			if p.Kind != nav.KindContract {
				return ""
			}
			return p.Principal
		},
		ID: func(c resource.Contract) string { return c.ID },
		// A contract in a block changes with the chain alone.
		Settled:  func(resource.Contract) bool { return true },
		Remember: history.remember,
		Pace:     func(nav.Place) listing.Pace { return listing.Never },
		Web:      func(c resource.Contract) string { return "/txid/" + c.ID },
		Known:    func(listed, read resource.Contract) resource.Contract { return read.ListedAs(listed.Why) },
		Scope:    "contracts",
		Keys: []listing.Key[resource.Contract]{
			{Binding: &k.Type, Uses: &o.Keys.Global.GoTo},
			listing.KeyTo(&k.Source, func(c resource.Contract) nav.Place { return nav.Source(c.ID) }),
			listing.KeyTo(&k.Calls, func(c resource.Contract) nav.Place { return nav.TransactionsOf(c.ID) }),
			listing.KeyTo(&k.Prints, func(c resource.Contract) nav.Place { return nav.Prints(c.ID) }),
		},
		None: "Those that you open are listed here: " + keymap.First(o.Keys.Contracts.Type) + " takes any, by its principal.",
		Page: func(ctx context.Context, _ nav.Place, _ string) (listing.Page[resource.Contract], error) {
			return knownContracts(ctx, o, env, history)
		},
		One: func(ctx context.Context, id string) (listing.Row[resource.Contract], error) {
			a, err := o.Client.Contract(ctx, id)
			if err != nil {
				return listing.Row[resource.Contract]{}, err
			}
			return listing.Row[resource.Contract]{Of: resource.ContractOf(&a.Value), Raw: a.Raw, Exchange: a.ExchangeID}, nil
		},
	}
}

// PrintsRead is the number of prints that are read at a time.
const PrintsRead = 50

// Prints returns how the list of what a contract printed is made.
func Prints(c *apiclient.Client, keys *keymap.Map) listing.Of[resource.Print] {
	of := func(to func(string) nav.Place) func(nav.Place, *resource.Print) nav.Place {
		return func(at nav.Place, _ *resource.Print) nav.Place { return to(at.Principal) }
	}
	return listing.Of[resource.Print]{
		Kind: resource.Prints(), Ops: []string{"events of a contract"},
		Title: func(p nav.Place) string { return "Prints of " + text.Middle(p.Principal, 40) },
		ID:    resource.Print.ID,
		IDOf:  func(nav.Place) string { return "" },
		// What was printed changes with the chain alone.
		Settled: func(resource.Print) bool { return true },
		Web:     func(p resource.Print) string { return "/txid/" + p.TxID },
		Scope:   "contracts",
		Keys: []listing.Key[resource.Print]{
			{Binding: &keys.Contracts.Source, To: of(nav.Source)},
			{Binding: &keys.Contracts.Calls, To: of(nav.TransactionsOf)},
		},
		Page: func(ctx context.Context, of nav.Place, cursor string) (listing.Page[resource.Print], error) {
			a, err := c.ContractEvents(ctx, of.Principal, PrintsRead, cursor)
			page := listing.Page[resource.Print]{Total: a.Value.Total, Next: a.Value.Next, Raw: a.Raw}
			raw := apiclient.Results(a.Raw, len(a.Value.Results))
			for i := range a.Value.Results {
				page.Rows = append(page.Rows, listing.Row[resource.Print]{Of: resource.PrintOf(&a.Value.Results[i]), Raw: raw[i], Exchange: a.ExchangeID})
			}
			return page, err
		},
	}
}

func contractsTitle(p nav.Place) string {
	if p.Kind == nav.KindContract {
		return "Contract " + text.Middle(p.Principal, 40)
	}
	return "Contracts"
}

// knownContracts lists the contracts that there is a reason to look at: those that the
// wallet deployed, those that were visited, and those of the catalogue of a mock.
func knownContracts(ctx context.Context, o *Options, env *screen.Env, history recently) (listing.Page[resource.Contract], error) {
	var page listing.Page[resource.Contract]
	seen := map[string]bool{}
	add := func(id, why string) {
		if !seen[id] && apiclient.CheckPrincipal(id) == nil {
			seen[id] = true
			c := resource.Contract{Contract: &apiclient.Contract{ID: id}, Why: why}
			page.Rows = append(page.Rows, listing.Row[resource.Contract]{Of: c})
		}
	}
	listed := func(t tokens.Entry, why string) {
		if !t.ForTests() {
			add(t.Principal, why)
		}
	}
	for _, id := range deployedHere(env) {
		add(id, "deployed by the wallet")
	}
	for _, id := range history.recent() {
		add(id, "opened before")
	}
	if o.Mock == nil {
		server, err := o.Client.Server(ctx)
		if err != nil && len(page.Rows) == 0 {
			return page, err
		}
		for _, id := range bootContracts[server.Network] {
			add(id, "of the network")
		}
	}
	if o.Mock != nil {
		all, err := tokenCatalogue(o.Mock)(ctx)
		if err != nil && len(page.Rows) == 0 {
			return page, err
		}
		for _, t := range all.FT {
			listed(t, "fungible token")
		}
		for _, t := range all.NFT {
			listed(t, "non-fungible token")
		}
	}
	page.Total = int64(len(page.Rows))
	return page, nil
}

// bootContracts are contracts that every node of a network has.
var bootContracts = map[string][]string{apiclient.Mainnet: facts.Offered(false), apiclient.Testnet: facts.Offered(true)}

// deployedHere returns the contracts that the wallet has deployed, the newest first.
func deployedHere(env *screen.Env) []string {
	if env.Wallet == nil {
		return nil
	}
	var all []string
	for _, call := range env.Wallet.Timeline() {
		if call.TxID == "" || call.NotSent != "" {
			continue
		}
		var params struct {
			Name string `json:"name"`
		}
		if call.Method != "stx_deployContract" || json.Unmarshal(call.Params, &params) != nil || params.Name == "" {
			continue
		}
		addresses, err := env.Wallet.Addresses(call.Account, call.Network)
		if err != nil {
			continue
		}
		for _, a := range addresses {
			if a.Symbol == "STX" {
				all = append(all, a.Address+"."+params.Name)
			}
		}
	}
	return all
}
