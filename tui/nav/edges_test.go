package nav

import (
	"slices"
	"strings"
	"testing"
)

// Inputs at the edge of what is understood, each with the readings that lead
// somewhere.
func TestRecogniseAtTheEdges(t *testing.T) {
	var ctx RecogniseContext
	block := "https://explorer.hiro.so/block/"
	tests := []struct {
		name, input string
		want        []string
	}{
		{"the token id of a URL is made plain", "https://api.hiro.so/metadata/v1/nft/" + somePrincipal + "/0042", []string{"nft " + somePrincipal + " 42"}},
		{"blanks group digits", "872 114", []string{"block 872114", "burn-blocks 872114", "block height:872114"}},
		{"the web explorer's newest burn block", "https://explorer.hiro.so/btcblock/latest", []string{"burn-blocks latest"}},
		{"the web explorer's block by height", block + "184203", []string{"block height:184203"}},
		{"64 digits are a hash there, too", block + strings.Repeat("1", 64), []string{"block index:0x" + strings.Repeat("1", 64)}},
		{"the greatest height", "block 2147483647", []string{"block 2147483647"}},
		{"above the greatest height", "block 2147483648", nil},
		{"nothing in quotes is nothing", `""`, nil},
		{"an asset before the token id", somePrincipal + "::my-asset::42", []string{"nft " + somePrincipal + " 42", "ft " + somePrincipal}},
		{"a blank between them", somePrincipal + "::my-asset 42", []string{"nft " + somePrincipal + " 42", "ft " + somePrincipal}},
		{"digits are no asset", somePrincipal + "::42/7", []string{"ft " + somePrincipal}},
		{"the longest name", strings.Repeat("a", 48) + ".btc", []string{"name " + strings.Repeat("a", 48) + ".btc", "names btc filter=" + strings.Repeat("a", 48)}},
		{"a name that is too long", strings.Repeat("a", 49) + ".btc", nil},
		{"the longest namespace", "." + strings.Repeat("a", 20), []string{"names " + strings.Repeat("a", 20)}},
		{"a namespace that is too long", strings.Repeat("a", 21), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var good []string
			for _, line := range outline(Recognise(tt.input, ctx)) {
				if !strings.HasPrefix(line, "✗") {
					good = append(good, line)
				}
			}
			if !slices.Equal(good, tt.want) {
				t.Errorf("%q leads to %q, want %q", tt.input, good, tt.want)
			}
		})
	}
}

func TestAReadingSaysWhereItComesFrom(t *testing.T) {
	var ctx RecogniseContext
	for input, want := range map[string]string{
		"https://api.hiro.so/extended/v1/block":                 "from api.hiro.so",
		"https://explorer.hiro.so/blocks?chain=testnet":         "from explorer.hiro.so, testnet",
		"https://explorer.hiro.so/blocks?chain=\u202eelsewhere": "from explorer.hiro.so",
		"/extended/v1/block":                                    "",
	} {
		got := Recognise(input, ctx)
		if len(got) == 0 || got[0].Note != want {
			t.Errorf("%q: %+v, want the note %q", input, got, want)
		}
	}
}

// What is too long to be a word and has the letters of an address was meant as
// one: the reason is said although it may be a name.
func TestALongWordIsTakenForAnAddress(t *testing.T) {
	for input, want := range map[string]bool{"12345678901234567890.btc": true, "1234567890123456789.btc": false} {
		said := slices.ContainsFunc(Recognise(input, RecogniseContext{}), func(r Reading) bool { return r.Name == "contract principal" && !r.OK() })
		if said != want {
			t.Errorf("%q: said %v, want %v", input, said, want)
		}
	}
}

func TestEmptyQuotesAreNoInput(t *testing.T) {
	if got := Recognise(`""`, RecogniseContext{}); len(got) != 0 {
		t.Errorf("got %+v", got)
	}
}
