package walletservice

import "chainscope/wallet/provider"

// BridgeState tells of the bridge.
type BridgeState struct {
	Running bool
	URL     string // http://127.0.0.1:3998
	As      provider.Personality
	Failed  string // why it ended by itself, "" when it did not
}

// bridging is the bridge that runs.
type bridging struct {
	url, failed string
	as          provider.Personality
}

// StopBridge ends the bridge: what waits of pages is withdrawn. Stopping none
// is nothing.
func (s *Service) StopBridge() {
	s.mu.Lock()
	s.bridge = nil
	s.mu.Unlock()
}

// bridgeState tells of the bridge; s.mu is held.
func (s *Service) bridgeState() BridgeState {
	if s.bridge == nil {
		return BridgeState{}
	}
	return BridgeState{Running: s.bridge.failed == "", URL: s.bridge.url, As: s.bridge.as, Failed: s.bridge.failed}
}

func (s *Service) block(origin string) error { return s.origins.kept.Set(origin, blockedOrigin) }

// publish tells pages of another account or network.
func (s *Service) publish() {}

// waiting lists the calls that the bridge has not handed over yet.
func (b *bridging) waiting(map[uint64]bool) []Waiting { return nil }
