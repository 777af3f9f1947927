package walletcmd

import (
	"context"

	"chainscope/tui/command/cli"
	"chainscope/tui/state"
	"chainscope/wallet/provider"
	"chainscope/wallet/service"
)

// Open makes the wallet of the explorer, with the bridge if it has an address. What it
// returns closes both.
func (w *Flags) Open(ctx context.Context, a *cli.App, bridge string, c *cli.Connection, store *state.Store) (*service.Service, func(), error) {
	from, err := w.explorerKeys(ctx, a)
	if err != nil {
		return nil, nil, err
	}
	node, err := nodeAt(ctx, a, c.BaseURL, c.Client)
	if err != nil {
		return nil, nil, err
	}
	onCall, closeLog, err := logCalls(ctx, a)
	if err != nil {
		node.close()
		return nil, nil, err
	}
	end := func() { closeLog(); node.close() }
	wallet, err := service.New(service.Options{
		Store: store, API: a.Settings.NameOf(c.BaseURL), Node: node.client, Nonces: node.nonces, Source: node.source,
		Account: w.account, Network: w.network, Provider: personality(w.provider), Keys: from,
		Go: a.Guard.Go, Now: a.Now, Persona: service.Persona(w.persona), OnCall: onCall,
	})
	if err != nil {
		end()
		return nil, nil, cli.Usagef("%v", err)
	}
	end = func() { wallet.Close(); closeLog(); node.close() }
	if err := wallet.Fund(ctx); err != nil {
		end()
		return nil, nil, err
	}
	if addr := bridgeAddr(bridge); addr != "" {
		if err := wallet.StartBridge(service.BridgeOptions{Addr: addr, Isolated: true}); err != nil {
			end()
			return nil, nil, cli.Usagef("--bridge: %v", err)
		}
	}
	return wallet, end, nil
}

// bridgeAddr reads --bridge, which the environment may give as a yes or no.
func bridgeAddr(value string) string {
	switch value {
	case "", "0", "false", "no", "off":
		return ""
	case "1", "true", "yes", "on":
		return service.DefaultBridgeAddr
	}
	return value
}

// personality returns the mock wallet of an id, "" for none.
func personality(id string) provider.Personality {
	for _, p := range provider.Personalities() {
		if p.ID() == id {
			return p
		}
	}
	return ""
}

// explorerKeys returns the keys that the flags name. A keystore stays locked, to be
// opened in the wallet, unless a file gives its passphrase.
func (w *Flags) explorerKeys(ctx context.Context, a *cli.App) (service.Keys, error) {
	source, err := w.source(a)
	if err != nil {
		return service.Keys{}, err
	}
	if source == keysOfKeystore && w.keystorePassphraseFile == "" {
		return w.named(a, source), nil
	}
	return w.keys(ctx, a)
}
