package service

import (
	"encoding/json"
	"testing"

	"chainscope/tui/state"
	"chainscope/wallet/provider"
)

// A replay is the same request: by the same wallet, account and network, whatever was selected
// since, and without a selector.
func TestAReplaySignsTheSameBytes(t *testing.T) {
	for _, p := range provider.Personalities() {
		d := open(t, Options{Network: "testnet", Account: 1})
		d.SetBehaviour(p, provider.Approves)
		first := d.Request(t.Context(), Request{
			Method: "stx_transferStx", Params: json.RawMessage(`{"recipient":"ST2JHG361ZXG51QTKY2NQCVBPPRRE2KZB1HR05NNC","amount":"7","fee":"300","nonce":"4"}`),
			Options: map[string]json.RawMessage{"provider": json.RawMessage(`"` + p.ID() + `"`)},
		})
		if first.Err != nil {
			t.Fatal(p, first.Err)
		}
		if err := d.SetAccount(3); err != nil {
			t.Fatal(err)
		}
		if err := d.SetNetwork("mainnet"); err != nil {
			t.Fatal(err)
		}
		c := first.Call
		c.Options = map[string]json.RawMessage{"forceWalletSelect": json.RawMessage("true")} // the wallet was picked
		again := d.Replay(t.Context(), c)
		var a, b struct{ Transaction string }
		if again.Err != nil || json.Unmarshal(first.Result, &a) != nil || json.Unmarshal(again.Result, &b) != nil {
			t.Fatal(p, again.Err)
		}
		same := p == provider.PlayXverse || a.Transaction == b.Transaction // Xverse counts nonces itself
		if !same || a.Transaction == "" {
			t.Errorf("%s signed\n%s, then\n%s", p, a.Transaction, b.Transaction)
		}
		if again.Call.Account != 1 || again.Call.Network != "testnet" || again.Call.Wallet != p {
			t.Errorf("the replay is of %s, account %d on %s", again.Call.Wallet, again.Call.Account, again.Call.Network)
		}
	}
}

// Two programs on one state see each other: what one connects or disconnects, the other has
// after its next poll.
func TestAnotherProgramsConnectionIsSeen(t *testing.T) {
	store, err := state.Open(state.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	one := open(t, Options{Store: store, Behaviour: provider.Approves})
	other := open(t, Options{Store: store})
	other.Refresh()
	one.Request(t.Context(), Request{
		Method: "getAddresses", Options: map[string]json.RawMessage{"provider": json.RawMessage(`"` + provider.LeatherID + `"`)},
	})
	if other.Poll(t.Context()); !other.State().Connected {
		t.Error("what another program connected is not seen")
	}
	one.Disconnect(t.Context())
	if other.Poll(t.Context()); other.State().Connected {
		t.Error("what another program disconnected is not seen")
	}
}
