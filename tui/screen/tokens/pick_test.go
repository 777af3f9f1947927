package tokens

import "testing"

// Ordinary tokens come first, in the catalogue's order; those that a mock has to test
// clients with come last.
func TestOrdinaryTokensComeBeforeTestCases(t *testing.T) {
	const address = "SP2SYHR84SDJJDK8M09HFS4KBFXPPCX9H7RZ9YVTS."
	all := picks(Catalogue{
		FT: []Entry{
			{Principal: address + "evil", What: "hostile"},
			{Principal: address + "waits", What: "pending"},
			{Principal: address + "harbor", What: "full"},
			{Principal: address + "broken", What: "error"},
		},
		NFT: []Entry{{Principal: address + "lantern", TokenID: "1", What: "plain"}, {Principal: address + "none", TokenID: "1", What: "no_token"}},
	}, nil, nil)
	var got string
	for _, p := range all {
		got += p.Label() + " "
	}
	if want := "harbor lantern #1 waits broken none #1 evil "; got != want {
		t.Errorf("the list is %q, want %q", got, want)
	}
}
