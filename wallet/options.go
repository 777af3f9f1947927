package wallet

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"chainscope/wallet/provider"
)

// Options are the options of a request. The zero value is the library's
// defaults; a nil pointer or slice counts as not given.
type Options struct {
	// Provider is used instead of the remembered wallet, unless the user is
	// made to select one. It is never remembered.
	Provider provider.Provider
	// ForceWalletSelect makes the user select a wallet. Default false.
	ForceWalletSelect *bool
	// PersistWalletSelect remembers the selected wallet once its request has
	// succeeded. Default true.
	PersistWalletSelect *bool
	// EnableOverrides changes methods, params and results to what the kind of
	// wallet takes and gives. Default true.
	EnableOverrides *bool
	// EnableLocalStorage stores the addresses that a wallet gives. Default true.
	EnableLocalStorage *bool
	// DefaultProviders replaces [DefaultProviders]; an empty list that is not
	// nil leaves only registered wallets.
	DefaultProviders []provider.Descriptor
	// ApprovedProviderIDs are the only wallets that the selector shows; an
	// empty list that is not nil shows none. It filters nothing else.
	ApprovedProviderIDs []string

	// WalletConnect adds [WalletConnectProvider] to the defaults. The options
	// walletConnect and walletConnectProjectId both set it.
	WalletConnect *WalletConnect
}

// WalletConnect is the option walletConnect.
type WalletConnect struct {
	ProjectID string `json:"projectId"`
}

func is(option *bool, otherwise bool) bool {
	if option == nil {
		return otherwise
	}
	return *option
}

func (o Options) forceSelect() bool  { return is(o.ForceWalletSelect, false) }
func (o Options) persist() bool      { return is(o.PersistWalletSelect, true) }
func (o Options) overrides() bool    { return is(o.EnableOverrides, true) }
func (o Options) localStorage() bool { return is(o.EnableLocalStorage, true) }

func (o Options) defaults() []provider.Descriptor {
	list := o.DefaultProviders
	if list == nil {
		list = DefaultProviders()
	}
	if o.WalletConnect != nil {
		list = append(slices.Clip(list), WalletConnectProvider())
	}
	return list
}

func (o Options) approves(id string) bool {
	return o.ApprovedProviderIDs == nil || slices.Contains(o.ApprovedProviderIDs, id)
}

// OptionNames returns the names of all options, as the library spells them.
func OptionNames() []string { return slices.Sorted(maps.Keys(optionSetters)) }

var optionSetters = map[string]func(*Options, json.RawMessage, *Registry) error{
	"provider": func(o *Options, raw json.RawMessage, r *Registry) error {
		var id string
		if json.Unmarshal(raw, &id) != nil {
			return fmt.Errorf("must be the id of a wallet in double quotes")
		}
		if o.Provider = r.Lookup(id); o.Provider == nil {
			return fmt.Errorf("there is no wallet %q", id)
		}
		return nil
	},
	"forceWalletSelect":   boolOption(func(o *Options) **bool { return &o.ForceWalletSelect }),
	"persistWalletSelect": boolOption(func(o *Options) **bool { return &o.PersistWalletSelect }),
	"enableOverrides":     boolOption(func(o *Options) **bool { return &o.EnableOverrides }),
	"enableLocalStorage":  boolOption(func(o *Options) **bool { return &o.EnableLocalStorage }),
	"defaultProviders": func(o *Options, raw json.RawMessage, _ *Registry) error {
		list := []provider.Descriptor{}
		if json.Unmarshal(raw, &list) != nil {
			return fmt.Errorf("must be an array of objects with id and name")
		}
		for i, d := range list {
			if d.ID == "" || d.Name == "" {
				return fmt.Errorf("entry %d must have an id and a name", i)
			}
		}
		o.DefaultProviders = list
		return nil
	},
	"approvedProviderIds": func(o *Options, raw json.RawMessage, _ *Registry) error {
		list := []string{}
		if json.Unmarshal(raw, &list) != nil {
			return fmt.Errorf("must be an array of strings")
		}
		o.ApprovedProviderIDs = list
		return nil
	},
	"walletConnect": func(o *Options, raw json.RawMessage, _ *Registry) error {
		var w WalletConnect
		if json.Unmarshal(raw, &w) != nil || w.ProjectID == "" {
			return fmt.Errorf("must be an object with a projectId")
		}
		o.WalletConnect = &w
		return nil
	},
	"walletConnectProjectId": func(o *Options, raw json.RawMessage, _ *Registry) error {
		var id string
		if json.Unmarshal(raw, &id) != nil || id == "" {
			return fmt.Errorf("must be a string")
		}
		if o.WalletConnect == nil { // walletConnect wins over the older option
			o.WalletConnect = &WalletConnect{ProjectID: id}
		}
		return nil
	},
}

func boolOption(field func(*Options) **bool) func(*Options, json.RawMessage, *Registry) error {
	return func(o *Options, raw json.RawMessage, _ *Registry) error {
		var b bool
		if json.Unmarshal(raw, &b) != nil {
			return fmt.Errorf("must be true or false")
		}
		*field(o) = &b
		return nil
	}
}

// SetOption sets one option from its name and its JSON value, as the command
// line gives it. A provider is named by its id. The value null counts as not
// given.
func (l *Library) SetOption(o *Options, name string, raw json.RawMessage) error {
	set, known := optionSetters[name]
	if !known {
		return fmt.Errorf("option %s: there is no such option, the options are %s", name, strings.Join(OptionNames(), ", "))
	}
	if !json.Valid(raw) {
		return fmt.Errorf("option %s: the value is not JSON", name)
	}
	if bytes.Equal(bytes.TrimSpace(raw), []byte("null")) {
		return nil
	}
	if err := set(o, raw, l.config.Registry); err != nil {
		return fmt.Errorf("option %s: %w", name, err)
	}
	return nil
}
