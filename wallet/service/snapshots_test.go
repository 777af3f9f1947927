package service

import (
	"testing"

	"chainscope/tui/state"
)

func TestTheWalletGoesBackWithItsChain(t *testing.T) {
	dir := t.TempDir()
	store, err := state.Open(state.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	d := open(t, Options{Store: store, Behaviour: "approves"})
	methods := func(s *Service) (list []string) {
		for _, c := range s.Timeline() {
			list = append(list, c.Method)
		}
		return list
	}
	d.Snapshot("new")
	connected := make(chan Outcome, 1)
	go func() { connected <- d.Connect(t.Context(), plainWallet, "") }()
	d.Choose(await[SelectionNeeded](d).ID, "ChainscopeProvider")
	if o := <-connected; o.Err != nil {
		t.Fatal(o.Err)
	}
	d.Snapshot("connected")
	<-d.send(t.Context(), "stx_signMessage", `{"message":"forgotten"}`)
	d.Disconnect(t.Context())
	if n := len(methods(d.Service)); n != 3 || d.State().Connected {
		t.Fatalf("%d calls, %+v", n, d.State())
	}

	d.Revert("connected")
	if got := methods(d.Service); len(got) != 1 || got[0] != "getAddresses" || !d.State().Connected {
		t.Errorf("back at the snapshot: %v, connected %t", got, d.State().Connected)
	}
	d.Redo()
	if got := methods(d.Service); len(got) != 3 || d.State().Connected {
		t.Errorf("forward again: %v, connected %t", got, d.State().Connected)
	}
	d.Redo() // there is nothing more
	d.Revert("connected")
	<-d.send(t.Context(), "stx_signMessage", `{"message":"kept"}`)
	d.Revert("unknown")
	d.Redo()
	if got := methods(d.Service); len(got) != 2 {
		t.Errorf("after a revert to what the wallet has no snapshot of: %v", got)
	}
	other := open(t, Options{Store: store})
	other.Refresh()
	if got := methods(other.Service); len(got) != 2 || got[0] != "stx_signMessage" || got[1] != "getAddresses" || string(other.Timeline()[0].Params) != `{"message":"kept"}` {
		t.Errorf("another chainscope sees %v", got)
	}

	d.Revert("new")
	if got := methods(d.Service); len(got) != 0 || d.State().Connected {
		t.Errorf("back at the start: %v, connected %t", got, d.State().Connected)
	}
	d.ForgetSnapshots()
	<-d.send(t.Context(), "stx_signMessage", `{"message":"kept"}`)
	d.Revert("new")
	if got := methods(d.Service); len(got) != 1 {
		t.Errorf("after the snapshots were forgotten: %v", got)
	}
}
