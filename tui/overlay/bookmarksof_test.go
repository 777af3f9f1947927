package overlay

import (
	"testing"
	"time"

	"chainscope/tui/nav"
	"chainscope/tui/state"
)

func TestEachNetworkHasBookmarksOfItsOwn(t *testing.T) {
	store, err := state.Open(state.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	// One that was kept before networks were noted belongs to all.
	if err := store.Set(bookmarksDocument, bookmarkList{[]bookmark{{Place: "burn-blocks"}}}); err != nil {
		t.Fatal(err)
	}
	for _, network := range []string{"mainnet", "testnet"} {
		ToggleBookmark(store, network, nav.Blocks(), "", time.Time{})()
	}
	listed := func(network string) (out []nav.Kind) {
		all, err := NamedBookmarks(store, network)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range all {
			out = append(out, b.Place.Kind)
		}
		return out
	}
	if all := listed("mainnet"); len(all) != 2 || all[0] != nav.KindBurnBlocks || all[1] != nav.KindBlocks {
		t.Errorf("mainnet has %v", all)
	}
	ToggleBookmark(store, "mainnet", nav.Blocks(), "", time.Time{})()
	if all := listed("mainnet"); len(all) != 1 {
		t.Errorf("mainnet has %v", all)
	}
	if all := listed("testnet"); len(all) != 2 {
		t.Errorf("testnet has %v", all)
	}
	if all := listed("MOCK"); len(all) != 1 {
		t.Errorf("the mock has %v", all)
	}
}
