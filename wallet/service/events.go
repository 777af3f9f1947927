package service

import (
	"cmp"
	"encoding/json"

	"chainscope/wallet/bridge"
	"chainscope/wallet/provider"
	"chainscope/wallet/signer"
)

// announceAccount notifies pages that the wallet has another account. Each gets the
// address on its own network.
func (s *Service) announceAccount() {
	b := s.currentBridge()
	if b == nil {
		return
	}
	b.publish(bridge.AccountChange, func(string) any { return map[string]string{"type": "accountChange"} })
	b.publish(bridge.StacksAccountChange, func(network string) any {
		address, env := "", s.env()
		if n, known := signer.NetworkNamed(network); known {
			address, _ = env.StacksAddress(n) // "" without keys
		}
		return map[string]any{"accounts": []map[string]string{{"address": address}}}
	})
}

// announceNetwork notifies pages that the wallet is on another network, and with it
// that the account has other addresses. Pages that had switched to a network of
// their own follow the wallet again.
func (s *Service) announceNetwork() {
	b := s.currentBridge()
	if b == nil {
		return
	}
	b.wallets.each(func(_ string, m *provider.Mock) { m.FollowNetwork() })
	b.publish(bridge.NetworkChange, func(network string) any { return provider.NetworkChange(network) })
	b.publish(bridge.StacksNetworkChange, func(network string) any { return map[string]string{"network": network} })
	s.announceAccount()
}

// publish sends an event to each page that listens, with what data makes of its
// network.
func (b *runningBridge) publish(name string, data func(network string) any) {
	active := b.service.env().Network
	b.server.PublishEach(name, func(origin string) json.RawMessage {
		text, _ := json.Marshal(data(cmp.Or(b.wallets.networkOf(origin), active))) // of strings alone
		return text
	})
}
