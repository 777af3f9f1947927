package service

import (
	"encoding/json"
	"errors"
	"testing"

	"chainscope/tui/state"
	"chainscope/wallet/provider"
	"chainscope/wallet/signer"
	"chainscope/wallet/stxtx"
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

// The simulated user of a call is part of it, whatever the wallet is made to be since.
func TestAReplayHasThePersonaOfTheCall(t *testing.T) {
	d := open(t, Options{Behaviour: provider.Approves})
	send := func(method string) Outcome {
		return d.Request(t.Context(), Request{Method: method, Options: map[string]json.RawMessage{"provider": json.RawMessage(`"` + provider.ChainscopeID + `"`)}})
	}
	for _, p := range Personas() {
		if err := d.SetPersona(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		for _, method := range []string{"getAddresses", "getBalance"} {
			first := send(method)
			for _, now := range Personas() {
				if err := d.SetPersona(t.Context(), now); err != nil {
					t.Fatal(err)
				}
				again := d.Replay(t.Context(), first.Call)
				if string(again.Result) != string(first.Result) || (again.Err == nil) != (first.Err == nil) || again.Call.Persona != first.Call.Persona || again.Call.Account != first.Call.Account {
					t.Errorf("%s of %s, again as %s: %s, %v of %+v, want %s, %v", method, p, now, again.Result, again.Err, again.Call, first.Result, first.Err)
				}
			}
			if err := d.SetPersona(t.Context(), p); err != nil {
				t.Fatal(err)
			}
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

// What the user changed in the dialog is part of the request: sent again, it is changed again, by
// each wallet, also where nothing was signed.
func TestAReplayCarriesWhatWasEdited(t *testing.T) {
	for _, p := range provider.Personalities() {
		for _, approved := range []bool{true, false} {
			d := open(t, Options{Network: "testnet", Provider: p})
			fee, nonce, conditions := uint64(4321), uint64(9), &signer.PostConditions{Mode: stxtx.ModeAllow}
			answer := func(send func() Outcome, edit signer.Edit) (Call, signer.Description) {
				out := make(chan Outcome, 1)
				go func() { out <- send() }()
				a := await[ApprovalNeeded](d)
				if edit != (signer.Edit{}) {
					d.Decide(a.ID, signer.Decision{Edit: edit})
					a = await[ApprovalNeeded](d)
				}
				d.Decide(a.ID, signer.Decision{Approved: approved})
				return (<-out).Call, a.Description
			}
			first, _ := answer(func() Outcome {
				return d.Request(t.Context(), Request{
					Method: "stx_callContract", Params: json.RawMessage(`{"contract":"ST2JHG361ZXG51QTKY2NQCVBPPRRE2KZB1HR05NNC.a","functionName":"b"}`),
					Options: map[string]json.RawMessage{"provider": json.RawMessage(`"` + p.ID() + `"`)},
				})
			}, signer.Edit{Fee: &fee, Nonce: &nonce, Conditions: conditions})
			again, shown := answer(func() Outcome { return d.Replay(t.Context(), first) }, signer.Edit{})
			if tx := shown.Transaction; tx == nil || tx.Fee != fee || tx.Nonce != nonce || tx.PostConditionMode != "allow" {
				t.Errorf("%s, approved %v: the replay requests %+v", p, approved, tx)
			}
			if len(again.Edits) != 3 || string(again.Result) != string(first.Result) || approved == (first.Result == nil) {
				t.Errorf("%s, approved %v: %v\n%s, at first\n%s", p, approved, again.Edits, again.Result, first.Result)
			}
		}
	}
}

// A connection that another program made meanwhile is not ended unseen.
func TestAnotherProgramsConnectionIsNotEndedUnseen(t *testing.T) {
	store, err := state.Open(state.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	one := open(t, Options{Store: store, Behaviour: provider.Approves})
	other := open(t, Options{Store: store, Behaviour: provider.Approves})
	by := func(p provider.Personality) Request {
		return Request{Method: "getAddresses", Options: map[string]json.RawMessage{"provider": json.RawMessage(`"` + p.ID() + `"`)}}
	}
	other.Request(t.Context(), by(provider.PlayChainscope))
	other.Refresh()
	one.Request(t.Context(), by(provider.PlayLeather))
	calls := len(other.Timeline())
	if o := other.Disconnect(t.Context()); !errors.Is(o.Err, ErrOtherConnection) || !other.Library().IsConnected() {
		t.Errorf("unseen: %v", o.Err)
	}
	if n := len(other.Timeline()); n != calls+1 {
		t.Errorf("it shows %d calls, %d before", n, calls)
	}
	if o := other.Disconnect(t.Context()); o.Err != nil || other.Library().IsConnected() {
		t.Errorf("seen: %v", o.Err)
	}
}
