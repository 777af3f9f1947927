package nav

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const (
	someHash      = "0x00000000000000000001c1b3a0e2c0c1b1b6f8a8a9f3e3d2c1b0a99887766554"
	somePrincipal = "SP3K8BC0PPEVCV7NZ6QSRWPQ2JE9E5B6N3PA0KBR9.my-token"
)

func TestPlacesAreWrittenInWords(t *testing.T) {
	tests := []struct {
		name  string
		place Place
		want  string
	}{
		{"the list of blocks", Blocks(), "blocks"},
		{"a block by burn height", BlockAtBurnHeight(872114), "block 872114"},
		{"a block by burn hash", BlockAtBurnHash(someHash), "block " + someHash},
		{"a block by its own height", BlockAtHeight(0), "block height:0"},
		{"a loaded block", BlockByIndexHash(someHash), "block index:" + someHash},
		{"the burn blocks tab", BurnBlocks(), "burn-blocks"},
		{"the newest burn block", LatestBurnBlock(), "burn-blocks latest"},
		{"a burn block by height", BurnBlockAtHeight(7), "burn-blocks 7"},
		{"a fungible token", FT(somePrincipal, ""), "ft " + somePrincipal},
		{"a fungible token in a locale", FT(somePrincipal, "es-MX"), "ft " + somePrincipal + " locale=es-MX"},
		{"a token without id", NFT(somePrincipal, "", ""), "nft " + somePrincipal},
		{"a token with id and locale", NFT(somePrincipal, "42", "jp"), "nft " + somePrincipal + " 42 locale=jp"},
		{"a namespace", Names("btc"), "names btc"},
		{"a page of a namespace", Place{Kind: KindNames, Namespace: "btc", Page: 3}, "names btc page=3"},
		{"a filter with a blank is quoted", Place{Kind: KindNames, Namespace: "btc", Filter: "a b"}, `names btc filter="a b"`},
		{"a bidi override is escaped", Place{Kind: KindNames, Namespace: "b\u202etc"}, `names "b\u202etc"`},
		{"the list of namespaces", Listed(KindNamespaces, ""), "namespaces"},
		{"one of a list", Listed(KindNamespaces, "btc"), "namespaces btc"},
		{"a name", Name("muneeb.btc"), "name muneeb.btc"},
		{"the list of accounts", Accounts(), "accounts"},
		{"an account", Account("SP3K8BC0PPEVCV7NZ6QSRWPQ2JE9E5B6N3PA0KBR9"), "account SP3K8BC0PPEVCV7NZ6QSRWPQ2JE9E5B6N3PA0KBR9"},
		{"a contract as an account", Account(somePrincipal), "account " + somePrincipal},
		{"the source of a contract", Source(somePrincipal), "contract " + somePrincipal + " source"},
		{"a function", Function(somePrincipal, "get"), "contract " + somePrincipal + " function name=get"},
		{"what a contract printed", Prints(somePrincipal), "contract " + somePrincipal + " prints"},
		{"a line of a source", SourceLine(somePrincipal, 17), "contract " + somePrincipal + " source name=17"},
		{"what a transaction called", Trace(someHash), "tx " + someHash + " trace"},
		{"the wallet", Wallet(), "wallet"},
		{"a call of the wallet", WalletCall("1767225600000000000-5"), "wallet call=1767225600000000000-5"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.place.String(); got != tt.want {
				t.Fatalf("String() = %s, want %s", got, tt.want)
			}
			back, err := Parse(tt.want)
			if err != nil {
				t.Fatal(err)
			}
			if back != tt.place {
				t.Errorf("Parse gave %#v, want %#v", back, tt.place)
			}
		})
	}
}

func TestParseRefusesWhatIsNoPlace(t *testing.T) {
	for _, s := range []string{
		"", " ", "nowhere", "blocks 5", "block", "block latest", "block -1", "block 0x12", "block height:x",
		"block index:zz", "burn-blocks 1 2", "ft", "ft a b", "nft", "names btc page=0", "names btc page=x",
		"names btc locale=es", "names btc filter=a btc", `names "btc`, `names "b"tc`, "block  7", "block 007",
		"names btc unanchored=false", `names "btc"`, "wallet x", "wallet call=", "names btc call=1",
		"contract a.b other", "contract a.b function", "contract a.b state", "contract a.b prints name=x",
	} {
		if p, err := Parse(s); err == nil {
			t.Errorf("Parse(%q) = %v, want an error", s, p)
		} else if !strings.Contains(err.Error(), "place") {
			t.Errorf("Parse(%q): error %q does not say place", s, err)
		}
	}
}

func TestAnyPlaceSurvivesWritingAndReading(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyPlace(t)
		text, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		var back Place
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if back != p {
			t.Fatalf("%s came back as %#v, was %#v", text, back, p)
		}
		for _, r := range p.String() {
			if r < 0x20 || r > 0x7e {
				t.Fatalf("%q holds %q", p.String(), r)
			}
		}
	})
}

func anyPlace(t *rapid.T) Place {
	height := rapid.Int64Range(0, 1<<62).Draw(t, "height")
	text := rapid.String().Filter(func(s string) bool { return s != "" })
	locale := rapid.String().Draw(t, "locale")
	switch rapid.IntRange(0, 10).Draw(t, "kind") {
	case 0:
		return Blocks()
	case 1:
		return BlockAtBurnHeight(height)
	case 2:
		return BlockAtHeight(height)
	case 3:
		return BurnBlockAtHeight(height)
	case 4:
		return BlockByIndexHash(someHash)
	case 5:
		return FT(text.Draw(t, "principal"), locale)
	case 6:
		return NFT(text.Draw(t, "principal"), rapid.String().Draw(t, "id"), locale)
	case 7:
		return Place{
			Kind: KindNames, Namespace: rapid.String().Draw(t, "namespace"), Filter: rapid.String().Draw(t, "filter"),
			Page: rapid.IntRange(0, 9999).Draw(t, "page"), Unanchored: rapid.Bool().Draw(t, "unanchored"),
		}
	case 8:
		return WalletCall(text.Draw(t, "call"))
	case 9:
		return Listed(KindNamespaces, rapid.String().Draw(t, "id"))
	default:
		return Wallet()
	}
}

func TestEveryPlaceNamesTheCommandThatPrintsIt(t *testing.T) {
	tests := []struct {
		place Place
		want  string
		exact bool
	}{
		{Blocks(), "blocks", true},
		{BlockAtBurnHeight(5), "block 5", true},
		{BlockAtHeight(5), "block height:5", true},
		{BlockByIndexHash(someHash), "block " + someHash, true},
		{BurnBlocks(), "burn-blocks", true},
		{BurnBlockAtHash(someHash), "burn-blocks " + someHash, true},
		{Tokens(), "ft PRINCIPAL", false},
		{FT("a.b", "jp"), "ft a.b --locale jp", true},
		{NFT("a.b", "", ""), "nft a.b TOKEN_ID", false},
		{NFT("a.b", "1", ""), "nft a.b 1", true},
		{Names(""), "namespaces", true},
		{Names("btc"), "names btc --all", true},
		{Place{Kind: KindNames, Namespace: "btc", Page: 2, Unanchored: true}, "names btc --page 2 --unanchored", true},
		{Place{Kind: KindNames, Namespace: "btc", Filter: "x"}, "names btc --all", false},
		{Source("a.b"), "contract a.b --source", true},
		{Prints("a.b"), "contract a.b --prints", true},
		{Trace(someHash), "tx " + someHash + " --trace", true},
		{Wallet(), "wallet status", true},
		{WalletCall("1-5"), "wallet status", false},
	}
	for _, tt := range tests {
		args, exact := tt.place.Command()
		if got := strings.Join(args, " "); got != tt.want || exact != tt.exact {
			t.Errorf("%v.Command() = %q, %v; want %q, %v", tt.place, got, exact, tt.want, tt.exact)
		}
	}
}

func TestHistoryGoesBackAndForwardWithItsViews(t *testing.T) {
	var h History[int]
	if _, ok := h.Current(); ok || h.CanBack() || h.CanForward() {
		t.Fatal("an empty history is somewhere")
	}
	h.Save(9) // nowhere: nothing to keep
	h.Visit(Blocks())
	h.Save(17)
	h.Visit(BlockAtBurnHeight(5))
	if h.Visit(BlockAtBurnHeight(5)) {
		t.Error("visiting where one is made an entry")
	}
	h.Save(3)
	e, ok := h.Back()
	if want := (Entry[int]{Blocks(), 17}); !ok || e != want {
		t.Fatalf("Back gave %v, want %v", e, want)
	}
	if _, ok := h.Back(); ok {
		t.Error("went back before the first")
	}
	e, _ = h.Forward()
	if want := (Entry[int]{BlockAtBurnHeight(5), 3}); e != want {
		t.Fatalf("Forward gave %v, want %v", e, want)
	}
	h.Back()
	h.Visit(Names("btc"))
	h.Replace(Names("id"))
	if h.CanForward() {
		t.Error("a visit kept what lay ahead")
	}
	trail, at := h.Trail()
	want := []Entry[int]{{Blocks(), 17}, {Names("id"), 0}}
	if diff := cmp.Diff(want, trail); diff != "" || at != 1 {
		t.Errorf("trail at %d: %s", at, diff)
	}
}

func TestHistoryIsBounded(t *testing.T) {
	var h History[string]
	for i := range 3 * maxHistory {
		h.Visit(BlockAtHeight(int64(i)))
	}
	trail, at := h.Trail()
	if len(trail) != 200 || at != 199 || trail[at].Place != BlockAtHeight(3*maxHistory-1) {
		t.Errorf("%d entries, at %d, newest %v", len(trail), at, trail[at].Place)
	}
}
