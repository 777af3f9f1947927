package command

import (
	"context"

	"chainscope/tui/state"
	"chainscope/wallet/keys"
	"chainscope/wallet/provider"
	"chainscope/wallet/service"
)

// openWallet makes the wallet of the explorer, with the bridge when that is
// requested. What it returns closes both.
func (a *app) openWallet(ctx context.Context, flags *explorerFlags, c *connection, store *state.Store) (*service.Service, func(), error) {
	from, err := a.explorerKeys(ctx, &flags.wallet)
	if err != nil {
		return nil, nil, err
	}
	node, err := a.nodeAt(ctx, c.baseURL, c.client)
	if err != nil {
		return nil, nil, err
	}
	onCall, closeLog, err := a.logCalls(ctx)
	if err != nil {
		node.close()
		return nil, nil, err
	}
	end := func() { closeLog(); node.close() }
	wallet, err := service.New(service.Options{
		Store: store, Node: node.client, Nonces: node.nonces, Source: node.source,
		Account: flags.wallet.account, Network: flags.wallet.network, Provider: personality(flags.wallet.provider), Keys: from,
		Go: a.guard.Go, Now: a.now, Persona: service.Persona(flags.wallet.persona), OnCall: onCall,
	})
	if err != nil {
		end()
		return nil, nil, usagef("%v", err)
	}
	end = func() { wallet.Close(); closeLog(); node.close() }
	if err := wallet.Fund(ctx); err != nil {
		end()
		return nil, nil, err
	}
	if addr := bridgeAddr(flags.bridge); addr != "" {
		if err := wallet.StartBridge(service.BridgeOptions{Addr: addr, Isolated: true}); err != nil {
			end()
			return nil, nil, usagef("--bridge: %v", err)
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
func (a *app) explorerKeys(ctx context.Context, w *walletFlags) (service.Keys, error) {
	source, err := a.keySource(w)
	if err != nil {
		return service.Keys{}, err
	}
	switch source {
	case keysOfNobody:
		return a.walletKeys(ctx, w)
	case keysOfTest:
		if w.passphraseFile == "" {
			return service.TestKeys(), nil
		}
	case keysOfKeystore:
		k := service.KeystoreKeys(w.keystore)
		if w.keystorePassphraseFile == "" {
			return k, nil
		}
		k.Ring, err = a.ring(ctx, w)
		return k, err
	}
	k := service.Keys{Source: service.Environment}
	switch {
	case source == keysOfTest:
		k.Source = service.TestMnemonic
	case source == keysOfProject:
		k.Source, k.Path = service.ProjectFile, a.projectSettings()
	case w.mnemonicFile != "":
		k.Source, k.Path = service.MnemonicFile, w.mnemonicFile
	}
	var ring *keys.Ring
	if ring, err = a.ring(ctx, w); err != nil {
		return k, err
	}
	k.Ring = ring
	return k, nil
}
