package tui

import (
	"context"
	"errors"
	"strings"

	"chainscope/apiclient"
	"chainscope/tui/mockclient"
	"chainscope/tui/nav"
	"chainscope/tui/overlay/mockpanel"
	"chainscope/tui/resource"
	"chainscope/tui/screen/blocks"
	"chainscope/tui/screen/burnblocks"
	"chainscope/tui/screen/contracts"
	"chainscope/tui/screen/home"
	"chainscope/tui/screen/listing"
	"chainscope/tui/screen/names"
	"chainscope/tui/screen/tokens"
	"chainscope/tui/screen/walletpane"
	"chainscope/tui/state"
	"chainscope/tui/widget/picture"

	"chainscope/wallet/facts"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/colorprofile"
)

// newTabs makes the screens of the explorer, in the order of their tabs.
func newTabs(m *Model) tabs {
	all := tabs{
		{nav.KindHome, "Home", "Home", home.New(m.env, m.theme, m.homeOptions()), nil},
		{nav.KindBlocks, "Blocks", "Blocks", blocks.New(m.env, m.theme), nil},
		{nav.KindBurnBlocks, "Burn blocks", "Burn", burnblocks.New(m.env, m.theme, burnblocks.Options{ReadAhead: m.options.Mock != nil}), nil},
		{nav.KindTokens, "Tokens", "Tokens", tokens.New(m.env, m.theme, tokenOptions(&m.options)), nil},
		{nav.KindNamespaces, "Names", "Names", listing.New(m.env, m.theme, Namespaces(&m.options)), nil},
	}
	if m.options.Wallet != nil {
		o := walletpane.Options{Wallet: m.options.Wallet, Mock: m.options.Mock != nil}
		if mock := m.options.Mock; mock != nil {
			o.Mine = func() tea.Cmd { return mockpanel.Mine(m.options.Context, mock) }
		} else {
			o.API = m.options.Client.BaseURL()
		}
		all = append(all, tab{nav.KindWallet, "Wallet", "Wallet", walletpane.New(m.env, m.theme, o), nil})
	}
	known := NewBackgrounds(m.options.Client)
	known.calls = m.env.CallOf
	list := listing.New(m.env, m.theme, contractsOf(&m.options, m.env))
	all = append(all,
		tab{nav.KindTransactions, "Transactions", "Txs", listing.New(m.env, m.theme, transactions(m.env, known, m.options.Mock != nil, m.replays)), nil},
		tab{nav.KindAccounts, "Accounts", "Accounts", listing.New(m.env, m.theme, accountsOf(&m.options, m.env, known)), nil},
		tab{nav.KindContracts, "Contracts", "Contracts", list, nil},
		tab{nav.KindFT, "Tokens", "", listing.New(m.env, m.theme, Holders(&m.options)), []nav.Part{nav.PartHolders}},
		tab{nav.KindNFT, "Tokens", "", listing.New(m.env, m.theme, TokenMoves(&m.options)), []nav.Part{nav.PartMoves}},
		tab{nav.KindTransaction, "Transactions", "", listing.New(m.env, m.theme, callsMade(m.options.Client, m.options.Mock != nil, m.replays)), []nav.Part{nav.PartTrace}},
		tab{nav.KindContract, "Contracts", "", listing.New(m.env, m.theme, Prints(m.options.Client, m.options.Keys)), []nav.Part{nav.PartPrints}},
		tab{nav.KindContract, "Contracts", "", contracts.New(m.env, m.theme, func(id string) (resource.Contract, bool) {
			row, ok := list.Known(id)
			return row.Of, ok
		}), []nav.Part{nav.PartSource, nav.PartFunction, nav.PartState}},
		tab{nav.KindNames, "Names", "", names.New(m.env, m.theme, nameOptions(&m.options)), nil})
	return append(all, listTab(m, RegisteredNames), listTab(m, Signers), listTab(m, Bonds),
		listTab(m, pastedOf), listTab(m, requests))
}

// listTab makes a place that is a list of one kind of thing.
func listTab[T any](m *Model, of func(*Options) listing.Of[T]) tab {
	described := of(&m.options)
	place := listing.New(m.env, m.theme, described)
	return tab{described.List, place.Title(), "", place, nil}
}

// homeOptions returns those of the home place.
func (m *Model) homeOptions() home.Options {
	o := &m.options
	h := home.Options{Greet: firstStart(o.Store), Greeted: func() { greeted(o.Store) }, Find: "latest, .btc, a block, a contract"}
	if o.Mock != nil {
		h.Scenario = o.Mock.Scenario
		h.Find = "latest, usda-token, muneeb.btc"
		h.Fork = o.fork
	}
	if o.Demo {
		h.Demo = func() tea.Cmd {
			m.left.Demo = true
			return m.quit()
		}
	}
	return h
}

// Left describes what the explorer was left for, and what continues there.
type Left struct {
	Demo  bool   // a demo
	Other bool   // the explorer of another API
	Theme string // that was chosen, "" for none
	Mouse bool
}

// Left returns what the explorer was left for.
func (m *Model) Left() Left {
	left := m.left
	left.Mouse = m.mouse
	if m.chosen {
		left.Theme = m.options.Theme
	}
	return left
}

// greetedDocument exists once a new user has tried something.
const greetedDocument = "greeted"

// firstStart reports whether nothing that is offered to a new user was used with this state
// folder. Without a folder every start is the first.
func firstStart(store *state.Store) bool {
	if store == nil {
		return true
	}
	var greeted bool
	_, err := store.Get(greetedDocument, &greeted)
	return err == nil && !greeted
}

// greeted records that something was tried. Errors are ignored: the next start greets again.
func greeted(store *state.Store) {
	if store == nil {
		return
	}
	_ = state.Update(store, greetedDocument, func(greeted *bool) error {
		*greeted = true
		return nil
	})
}

// colors returns what the terminal can show of a picture.
func colors(o *Options) colorprofile.Profile {
	if o.Look.Plain {
		return colorprofile.NoTTY
	}
	return o.Look.Colors
}

// tokenOptions returns those of the tokens place. The catalogue of a mock is loaded; the API that the
// user named, wherever it is, is trusted with its own pictures.
func tokenOptions(o *Options) tokens.Options {
	t := tokens.Options{Source: o.Network, Store: o.Store, Colors: colors(o)}
	if o.Look.ASCII {
		t.Colors = colorprofile.NoTTY
	}
	base := o.Client.BaseURL()
	if mock := o.Mock; mock != nil {
		t.Catalogue = tokenCatalogue(mock)
		t.List = true
		t.Own = func(address string) bool { return strings.HasPrefix(address, base+"/") }
	}
	t.Owner = func(ctx context.Context, contract, id string) (string, error) {
		return ReadOwner(ctx, o.Client, contract, id)
	}
	t.Picture = picture.NewFetcher(base, o.Client.Limited).Load
	return t
}

// tokenCatalogue requests the tokens of a server. A server that is no mock has
// no catalogue: that is an empty one.
func tokenCatalogue(mock *mockclient.Client) func(context.Context) (tokens.Catalogue, error) {
	return func(ctx context.Context) (tokens.Catalogue, error) {
		all, err := mock.Catalogue(ctx)
		if errors.Is(err, mockclient.ErrNotMock) {
			err = nil
		}
		var out tokens.Catalogue
		for _, t := range all.FT {
			out.FT = append(out.FT, tokens.Entry(t))
		}
		for _, t := range all.NFT {
			out.NFT = append(out.NFT, tokens.Entry(t))
		}
		return out, err
	}
}

// nameOptions returns those of the names of a namespace.
func nameOptions(o *Options) names.Options {
	n := names.Options{Remember: namespacesRead(o).remember, Registry: func() string { return registryWords(o) }, ReadAll: o.Mock != nil}
	if o.Mock != nil {
		n.Count = func(ctx context.Context, namespace string) (int, error) {
			counts, err := namespaceCounts(ctx, o)
			return int(counts[namespace]), err
		}
	}
	return n
}

// registryWords say whose names the API has, on whatever network.
func registryWords(o *Options) string {
	contract := "the first registry"
	switch network := o.Client.About().Network; {
	case o.Mock != nil && (o.fork == nil || o.fork() == ""):
		return "Invented names. A live API has those of the first registry, BNS v1."
	case network != "":
		contract = facts.FirstBNS(network == apiclient.Testnet)
	}
	return "BNS v1 names (" + contract + "); the API does not know BNS v2."
}
