package wallet

import (
	"slices"
	"sync"

	"chainscope/wallet/provider"
)

// Registry holds what a page's window is to the library: the objects of the
// wallets by id, and the two lists in which wallets register themselves. It is
// safe for concurrent use; the zero value is empty and ready.
//
// An entry of a list counts as installed whether or not its object is there;
// the object is looked up when it is used.
type Registry struct {
	mu      sync.RWMutex
	objects map[string]provider.Provider
	wbip    []provider.Descriptor
	webbtc  []provider.Descriptor
}

// SetObject puts a wallet's object at an id (a dotted path on window). A nil
// provider removes it.
func (r *Registry) SetObject(id string, p provider.Provider) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if p == nil {
		delete(r.objects, id)
		return
	}
	if r.objects == nil {
		r.objects = map[string]provider.Provider{}
	}
	r.objects[id] = p
}

// RegisterWBIP appends to wbip_providers, once for each id.
func (r *Registry) RegisterWBIP(d provider.Descriptor) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !contains(r.wbip, d.ID) {
		r.wbip = append(r.wbip, d)
	}
}

// RegisterWebBTC appends to webbtc_stx_providers, the older list, which comes
// first in the selector. Once for each id.
func (r *Registry) RegisterWebBTC(d provider.Descriptor) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !contains(r.webbtc, d.ID) {
		r.webbtc = append(r.webbtc, d)
	}
}

// Lookup returns the object at an id, nil when there is none.
func (r *Registry) Lookup(id string) provider.Provider {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.objects[id]
}

// Installed returns the wallets in the order of the selector: those of
// webbtc_stx_providers, those of wbip_providers, then the defaults that have an
// object and did not register.
func (r *Registry) Installed(defaults []provider.Descriptor) []provider.Descriptor {
	r.mu.RLock()
	defer r.mu.RUnlock()
	registered := slices.Concat(r.webbtc, r.wbip)
	installed := registered
	for _, d := range defaults {
		if !contains(registered, d.ID) && r.objects[d.ID] != nil {
			installed = append(installed, d)
		}
	}
	return installed
}

func contains(list []provider.Descriptor, id string) bool {
	return slices.ContainsFunc(list, func(d provider.Descriptor) bool { return d.ID == id })
}

// Ids of the wallets that are built into the library.
const (
	leatherID       = "LeatherProvider"
	xverseID        = "XverseProviders.BitcoinProvider"
	asignaID        = "AsignaProvider"
	fordefiID       = "FordefiProviders.UtxoProvider"
	walletConnectID = "WalletConnectProvider"
)

// DefaultProviders returns the wallets that the selector lists by
// default, in its order.
func DefaultProviders() []provider.Descriptor {
	return []provider.Descriptor{
		{
			ID: leatherID, Name: "Leather", WebURL: "https://leather.io",
			ChromeWebStoreURL: "https://chrome.google.com/webstore/detail/hiro-wallet/ldinpeekobnhjjdofggfgjlcehhmanlj",
			MozillaAddOnsURL:  "https://leather.io/install-extension",
		},
		{
			ID: xverseID, Name: "Xverse Wallet", WebURL: "https://xverse.app",
			ChromeWebStoreURL: "https://chrome.google.com/webstore/detail/xverse-wallet/idnnbdplmphpflfnlkomgpfbpcgelopg",
			MozillaAddOnsURL:  "https://www.xverse.app/download",
			GooglePlayURL:     "https://play.google.com/store/apps/details?id=com.secretkeylabs.xverse",
			IOSAppStoreURL:    "https://apps.apple.com/app/xverse-bitcoin-web3-wallet/id1552272513",
		},
		{ID: asignaID, Name: "Asigna Multisig", WebURL: "https://asigna.io", ChromeWebStoreURL: "https://stx.asigna.io/"},
		{
			ID: fordefiID, Name: "Fordefi", WebURL: "https://www.fordefi.com/",
			ChromeWebStoreURL: "https://chromewebstore.google.com/detail/fordefi/hcmehenccjdmfbojapcbcofkgdpbnlle",
		},
	}
}

// WalletConnectProvider returns the wallet that the option walletConnect adds to the
// defaults.
func WalletConnectProvider() provider.Descriptor {
	return provider.Descriptor{ID: walletConnectID, Name: "WalletConnect", WebURL: "https://walletconnect.com/"}
}
