package tui

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"chainscope/apiclient"
	"chainscope/tui/keymap"
	"chainscope/tui/nav"
	"chainscope/tui/overlay"
	"chainscope/tui/resource"
	"chainscope/tui/screen"
	"chainscope/tui/screen/listing"
	"chainscope/tui/text"
	"chainscope/wallet/signer"
)

// accountsOf returns how the place of accounts is made.
func accountsOf(o *Options, env *screen.Env, known *Backgrounds) listing.Of[resource.Account] {
	history := recently{o.Store, o.Network, "accounts", 40}
	k := &o.Keys.Accounts
	return listing.Of[resource.Account]{
		Kind: resource.Accounts(), Title: accountsTitle, Ops: []string{"balance", "nonces", "fungible tokens of an account", "non-fungible tokens of an account"}, Home: nav.Accounts(),
		At: func(a resource.Account) nav.Place { return nav.Account(a.Principal) },
		IDOf: func(p nav.Place) string {
			if p.Kind != nav.KindAccount {
				return ""
			}
			return p.Principal
		},
		ID: func(a resource.Account) string { return a.Principal },
		// Blocks change an account, and its list is this program's own.
		Remember:  history.remember,
		Pace:      func(nav.Place) listing.Pace { return listing.Never },
		ReadAhead: func(nav.Place) int { return rowsAhead(o.Mock != nil, true) },
		Web:       func(a resource.Account) string { return "/address/" + a.Principal },
		Known:     withListed,
		Scope:     "accounts",
		Keys: []listing.Key[resource.Account]{
			{Binding: &k.Type, Uses: &o.Keys.Global.GoTo},
			listing.KeyTo(&k.Transactions, func(a resource.Account) nav.Place { return nav.TransactionsOf(a.Principal) }),
			listing.KeyTo(&k.Waiting, func(a resource.Account) nav.Place { return nav.WaitingOf(a.Principal) }),
			{Binding: &k.Gap, Do: fillGap(env), Named: hasGap},
		},
		None: "Those that you open or bookmark are listed here: " + keymap.First(k.Type) + " takes any, by its address.",
		Page: func(context.Context, nav.Place, string) (listing.Page[resource.Account], error) {
			return savedAccounts(o, env, history)
		},
		One: func(ctx context.Context, principal string) (listing.Row[resource.Account], error) {
			a, err := ReadAccount(ctx, env.Guard.Go, o.Client, principal)
			if err != nil {
				return listing.Row[resource.Account]{}, err
			}
			a.Value.Units = known.Units(a.Value.Tokens())
			return listing.Row[resource.Account]{Of: a.Value.WithFields(), Raw: a.Raw, Exchange: a.ExchangeID}, nil
		},
		Fill: func(ctx context.Context, a resource.Account) (resource.Account, error) {
			left := 0
			switch {
			case o.Mock != nil && env.Limit() == 0:
				left = maxExplained
			case a.Nonces == nil:
				left = 1
			}
			return ExplainAccount(ctx, o.Client, known, a, left), nil
		},
		More: func(ctx context.Context, a resource.Account) (listing.Row[resource.Account], error) {
			return ReadStaking(ctx, o.Client, a)
		},
		Rest: resource.RestOfStaking,
	}
}

// withListed returns an account that was just read, with what its row in the list knew besides.
func withListed(listed, read resource.Account) resource.Account {
	read.Why = listed.Why
	if read.Names == nil { // they are read after it
		read.Names = listed.Names
	}
	if read.Staking == nil {
		read.Staking = listed.Staking
	}
	return read.WithFields()
}

// rowsAhead returns of how many rows all is read ahead: of those in sight where a list shows what
// only that loads, else of the one under the cursor; of none where reading is not free.
func rowsAhead(free, shows bool) int {
	switch {
	case !free:
		return 0
	case !shows:
		return 1
	}
	return math.MaxInt
}

// maxExplained limits how many requests explain an account on a mock that has no limit. Elsewhere
// an account takes four requests in all, and a contract three of them.
const maxExplained = 24

// ExplainAccount reads the units of an account's tokens and the names that it owns, by as many
// requests as are left. What cannot be read stays unknown.
func ExplainAccount(ctx context.Context, c *apiclient.Client, known *Backgrounds, a resource.Account, left int) resource.Account {
	a.Units = known.ReadUnits(ctx, a.Tokens(), &left)
	a.Names = map[resource.NameNumber]string{}
	for _, n := range a.NumberedNames() {
		if left == 0 {
			break
		}
		left--
		answer, err := c.CallReadOnly(ctx, n.Contract, resource.NameFunction, "", []string{n.ID})
		if err != nil {
			break
		}
		a.Names[n] = resource.NameIn(answer.Value.Result)
	}
	return a.WithFields()
}

func accountsTitle(p nav.Place) string {
	if p.Kind == nav.KindAccount {
		return "Account " + text.Middle(p.Principal, 41)
	}
	return "Accounts"
}

// savedAccounts lists the accounts that there is a reason to look at: those of the wallet,
// those that are bookmarked, and those that were visited. It sends no request.
func savedAccounts(o *Options, env *screen.Env, history recently) (listing.Page[resource.Account], error) {
	var page listing.Page[resource.Account]
	seen := map[string]bool{}
	add := func(principal, why string) {
		if !seen[principal] && apiclient.CheckAccount(principal) == nil {
			seen[principal] = true
			page.Rows = append(page.Rows, listing.Row[resource.Account]{Of: resource.Account{Principal: principal, Why: why}})
		}
	}
	for _, own := range ownAccounts(o, env) {
		add(own.Principal, own.Why)
	}
	if o.Store != nil {
		marked, err := overlay.NamedBookmarks(o.Store, o.Network)
		if err != nil && len(page.Rows) == 0 {
			return page, err
		}
		for _, b := range marked {
			if b.Place.Kind == nav.KindAccount || b.Place.Kind == nav.KindTransactions {
				add(b.Place.Principal, "bookmarked")
			}
		}
	}
	for _, principal := range history.recent() {
		add(principal, "opened before")
	}
	page.Total = int64(len(page.Rows))
	return page, nil
}

// walletAccounts is the number of accounts of the wallet that are listed.
const walletAccounts = 10

// ownAccounts returns accounts of the wallet, the active one first.
func ownAccounts(o *Options, env *screen.Env) []resource.Account {
	if env.Wallet == nil {
		return nil
	}
	state, keys := env.Wallet.State(), env.Wallet.Keys()
	if keys.Watched != "" {
		return []resource.Account{{Principal: keys.Watched, Why: "watched by the wallet"}}
	}
	network := state.Network
	if server := o.Client.About(); server.Network != "" && !server.Mock {
		network = server.Network
	}
	n, ok := signer.NetworkNamed(network)
	if keys.Ring == nil || !ok {
		return nil
	}
	var all []resource.Account
	add := func(account uint32, why string) {
		if address, err := (signer.Env{Keys: keys.Ring, Account: account}).StacksAddress(n); err == nil {
			all = append(all, resource.Account{Principal: address, Why: why})
		}
	}
	add(state.Account, "active account")
	for i := range uint32(walletAccounts) {
		if i != state.Account {
			add(i, fmt.Sprintf("own account %d", i))
		}
	}
	return all
}

// accountBody is the JSON of an account: the API's own answers.
type accountBody struct {
	Address     string          `json:"address"`
	STX         json.RawMessage `json:"stx"`
	Nonces      json.RawMessage `json:"nonces,omitempty"`
	Fungible    json.RawMessage `json:"fungible_tokens"`
	NonFungible json.RawMessage `json:"non_fungible_tokens"`
}

// ReadAccount reads all that there is of an account, by four requests at once. A contract has
// no nonces: it takes three.
func ReadAccount(ctx context.Context, start func(func()), c *apiclient.Client, principal string) (apiclient.Answer[resource.Account], error) {
	a, body, exchange := resource.Account{Principal: principal}, accountBody{Address: principal}, uint64(0)
	reads := []func() error{
		func() error {
			answer, err := c.AccountBalance(ctx, principal)
			a.STX, body.STX, exchange = &answer.Value, answer.Raw, answer.ExchangeID
			return err
		},
		func() error {
			if strings.Contains(principal, ".") {
				return nil
			}
			answer, err := c.AccountNonces(ctx, principal)
			a.Nonces, body.Nonces = &answer.Value, answer.Raw
			return err
		},
		func() error {
			answer, err := c.FungibleHoldings(ctx, principal)
			a.Fungible, body.Fungible = answer.Value.Results, answer.Raw
			a.MoreFungible = max(0, answer.Value.Total-int64(len(a.Fungible)))
			return err
		},
		func() error {
			answer, err := c.NonFungibleHoldings(ctx, principal)
			a.NonFungible, body.NonFungible = answer.Value.Results, answer.Raw
			a.MoreNonFungible = max(0, answer.Value.Total-int64(len(a.NonFungible)))
			return err
		},
	}
	done := make(chan error, len(reads))
	for _, read := range reads {
		start(func() { done <- read() })
	}
	var failed error
	for range reads {
		failed = cmp.Or(failed, <-done)
	}
	if failed != nil {
		return apiclient.Answer[resource.Account]{}, failed
	}
	raw, err := json.Marshal(body)
	return apiclient.Answer[resource.Account]{Value: a, Raw: raw, ExchangeID: exchange}, err
}
