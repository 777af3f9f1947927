package nav

import (
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
)

const address = "SP3K8BC0PPEVCV7NZ6QSRWPQ2JE9E5B6N3PA0KBR9"

var bareHash = strings.TrimPrefix(someHash, "0x")

// outline writes readings for comparison: good ones as their place, failed ones
// as "name: reason".
func outline(readings []Reading) []string {
	var lines []string
	for _, r := range readings {
		switch {
		case !r.OK():
			lines = append(lines, "✗ "+r.Name+": "+r.Reason)
		default:
			lines = append(lines, r.Place.String())
		}
	}
	return lines
}

func TestRecogniseShowsEveryReadingBestFirst(t *testing.T) {
	var ctx RecogniseContext
	height := func(n string) []string {
		return []string{"block " + n, "burn-blocks " + n, "block height:" + n, "names " + n}
	}
	bareHeight := func(n string) []string { return height(n)[:3] }
	contract := []string{"contract " + somePrincipal, "ft " + somePrincipal, "nft " + somePrincipal, "account " + somePrincipal}
	token := []string{"ft " + somePrincipal, "contract " + somePrincipal, "nft " + somePrincipal, "account " + somePrincipal}
	anyAccount := []string{"account " + address, "txs of=" + address}
	asset := []string{"ft " + somePrincipal, "nft " + somePrincipal}
	nft42 := []string{"nft " + somePrincipal + " 42", "ft " + somePrincipal}
	burnHash := []string{"block " + someHash, "burn-blocks " + someHash, "hash " + someHash, "block index:" + someHash, "tx " + someHash}
	const other = "0xfcb55061007134f533c798e6e0da2c2bb4e6eafe8bbbfbc1d19d1b0aa2ae5e11"
	otherHash := []string{"hash " + other, "block " + other, "burn-blocks " + other, "block index:" + other, "tx " + other}
	tests := []struct {
		name, input string
		want        []string
	}{
		{"nothing is no reading", "  ", nil},
		{"digits are a height", "872114", height("872114")},
		{"commas in digits", "872,114", bareHeight("872114")},
		{"underscores in digits", "872_114", []string{"block 872114", "burn-blocks 872114", "block height:872114", "names 872_114"}},
		{"a number sign before digits", "#872114", bareHeight("872114")},
		{"a height with leading zeros", "007", []string{"block 7", "burn-blocks 7", "block height:7", "names 007"}},
		{"a burn hash", someHash, burnHash},
		{"a hash in upper case with 0X", "0X" + strings.ToUpper(bareHash), burnHash},
		{"a bare hash", bareHash, burnHash},
		{"any other hash", other, otherHash},
		{"without its 0x", strings.TrimPrefix(other, "0x"), otherHash},
		{"an address", address, anyAccount},
		{"the command of an account", "chainscope account " + address, []string{"account " + address}},
		{"the command of its history", "account " + address + " --transactions --after 0x12", []string{"txs of=" + address}},
		{"the word of the list of accounts", "accounts", []string{"accounts", "names accounts", "name accounts.btc"}},
		{"the path of a balance", "/extended/v2/addresses/" + address + "/balances/stx", []string{"account " + address}},
		{"the path of what a contract has in v3", "https://api.hiro.so/extended/v3/principals/" + somePrincipal + "/balances/ft", []string{"account " + somePrincipal}},
		{"the path of nonces", "extended/v1/address/" + address + "/nonces", []string{"account " + address}},
		{"the path of a history", "/extended/v3/principals/" + address + "/transactions", []string{"txs of=" + address}},
		{"the path of what waits of an account", "/extended/v1/address/" + address + "/mempool", []string{"txs of=" + address + " mempool=true"}},
		{"the node's path of an account", "/v2/accounts/" + address + "?proof=0", []string{"account " + address}},
		{"a path of no account", "/extended/v1/address/me/stx", []string{"✗ API path: address part has the lower-case letter 'm' at position 1; addresses are upper case"}},
		{"the path of who has a token", "/extended/v1/tokens/ft/" + somePrincipal + "::gold/holders", []string{"ft " + somePrincipal + "::gold holders"}},
		{"the same in v3", "/extended/v3/tokens/ft/" + somePrincipal + "::gold/holders", []string{"ft " + somePrincipal + "::gold holders"}},
		{"the path of a token's history", "/extended/v1/tokens/nft/history?asset_identifier=" + somePrincipal + "::punk&value=0x0100000000000000000000000000000102", []string{"nft " + somePrincipal + "::punk 258 moves"}},
		{"the same in v3 too", "/extended/v3/tokens/nft/" + somePrincipal + "::punk/0x0100000000000000000000000000000102/history", []string{"nft " + somePrincipal + "::punk 258 moves"}},
		{"the path of a node's pending transaction", "/v2/transactions/unconfirmed/" + strings.TrimPrefix(other, "0x"), []string{"tx " + other}},
		{"the path of a transaction", "/extended/v1/tx/" + other + "?event_limit=0", []string{"tx " + other}},
		{"the path of a transaction of v3", "extended/v3/transactions/" + other, []string{"tx " + other}},
		{"the web explorer's transaction", "https://explorer.hiro.so/txid/" + other + "?chain=mainnet", []string{"tx " + other}},
		{"the web explorer's address", "https://explorer.hiro.so/address/" + address, anyAccount},
		{"what a block's transactions are called", "txs block=184203", []string{"txs block=184203", "✗ txs: takes no argument"}},
		{"the command of a block's transactions", "chainscope txs --block 184,203", []string{"txs block=184203"}},
		{"the command of chosen transactions", "chainscope txs --mempool --type contract_call,coinbase --since=2d", []string{`txs mempool=true filter="type:contract_call,coinbase since:2d"`}},
		{"the command of a time of a history", "account " + address + " --transactions --until 2026-03-01", []string{"txs of=" + address + " filter=until:2026-03-01"}},
		{"the command of what waits of an account", "txs --mempool --of " + address, []string{"txs of=" + address + " mempool=true"}},
		{"64 digits are a hash", strings.Repeat("1", 64), []string{
			"hash 0x" + strings.Repeat("1", 64), "block 0x" + strings.Repeat("1", 64), "burn-blocks 0x" + strings.Repeat("1", 64), "block index:0x" + strings.Repeat("1", 64), "tx 0x" + strings.Repeat("1", 64),
		}},
		{"the height of a Stacks block, said so", "height:184203", []string{"block height:184203"}},
		{"latest", "latest", []string{"burn-blocks latest", "names latest", "name latest.btc"}},
		{"a contract principal", somePrincipal, contract},
		{"a principal as Clarity writes it", "'" + somePrincipal, contract},
		{"a principal in quotes", `"` + somePrincipal + `"`, contract},
		{"principal::id", somePrincipal + "::42", nft42},
		{"principal/id", somePrincipal + "/42", nft42},
		{"principal #id", somePrincipal + " #42", nft42},
		{"principal id", somePrincipal + " 42", nft42},
		{"principal::asset", somePrincipal + "::my-asset", asset},
		{"principal::asset #id", somePrincipal + "::my-asset #42", nft42},
		{"a namespace", "btc", []string{"names btc"}},
		{"a namespace with its dot", ".btc", []string{"names btc"}},
		{"name.namespace", "alice.btc", []string{"name alice.btc", "names btc filter=alice"}},
		{"a subdomain", "id.alice.btc", []string{"name id.alice.btc", "names btc filter=alice"}},
		{"the words of the command line", "burn-blocks 872,114", []string{"burn-blocks 872114"}},
		{"a pasted command line", "$ chainscope names btc --page 2", []string{"names btc page=2"}},
		{"nft as on the command line", "nft " + somePrincipal + " 42 --locale jp", []string{"nft " + somePrincipal + " 42 locale=jp"}},
		{"a word that is a tab and a namespace", "wallet", []string{"wallet", "names wallet", "name wallet.btc"}},
		{"a word", "muneeb", []string{"names muneeb", "name muneeb.btc"}},
		{"what a place writes", "names btc filter=alice", []string{
			"names btc filter=alice",
			"✗ names: takes a namespace",
		}},

		{"the path of the block list", "/extended/v1/block", []string{"blocks"}},
		{"the path of the block list with its slash", "/extended/v1/block/?limit=5", []string{"blocks"}},
		{"the path of a block by burn height", "/extended/v1/block/by_burn_block_height/5", []string{"block 5", "burn-blocks 5"}},
		{"the path of a block by burn hash", "extended/v1/block/by_burn_block_hash/" + someHash, burnHash[:2]},
		{"the path of a burn block", "/extended/v2/burn-blocks/latest/blocks", []string{"burn-blocks latest"}},
		{"the path of a fungible token", "/metadata/v1/ft/" + somePrincipal + "?locale=es-MX", []string{"ft " + somePrincipal + " locale=es-MX"}},
		{"the path of a contract", "/extended/v1/contract/" + somePrincipal, []string{"contract " + somePrincipal}},
		{"the path of a source", "/v2/contracts/source/" + strings.Replace(somePrincipal, ".", "/", 1) + "?proof=0", []string{"contract " + somePrincipal + " source"}},
		{"the path of a call", "v2/contracts/call-read/" + strings.Replace(somePrincipal, ".", "/", 1) + "/get-balance", []string{"contract " + somePrincipal + " function name=get-balance"}},
		{"the path of a variable", "/v2/data_var/" + strings.Replace(somePrincipal, ".", "/", 1) + "/last?proof=0", []string{"contract " + somePrincipal + " state name=last"}},
		{"the command of a contract", "chainscope contract " + somePrincipal + " --source", []string{"contract " + somePrincipal + " source"}},
		{"the command of a call", "call " + somePrincipal + " get-balance u1 u2", []string{"contract " + somePrincipal + " function name=get-balance"}},
		{"the URL of a non-fungible token", "https://api.hiro.so/metadata/v1/nft/" + somePrincipal + "/42", []string{"nft " + somePrincipal + " 42"}},
		{"the URL of names", "http://127.0.0.1:3999/v1/namespaces/btc/names?page=2&unanchored=true", []string{"names btc page=2 unanchored=true"}},
		{"a pasted curl command", "curl -s 'https://api.hiro.so/extended/v2/burn-blocks/5/blocks?limit=1' | jq .", []string{"burn-blocks 5"}},
		{"the web explorer's burn block", "https://explorer.hiro.so/btcblock/" + someHash + "?chain=mainnet", burnHash[:2]},
		{"the web explorer's token", "https://explorer.hiro.so/token/" + somePrincipal + "?chain=testnet", token},
		{"the web explorer's contract", "https://explorer.hiro.so/txid/" + somePrincipal, contract},
		{
			"the web explorer's block", "https://explorer.hiro.so/block/" + someHash,
			[]string{"block index:" + someHash},
		},
		{"the web explorer's front page", "https://explorer.hiro.so/", []string{"blocks"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, outline(Recognise(tt.input, ctx))); diff != "" {
				t.Errorf("readings of %q (-want +got):\n%s", tt.input, diff)
			}
		})
	}
}

func TestRecogniseSaysWhyAReadingFailed(t *testing.T) {
	tests := []struct {
		name, input, want string
	}{
		{"an address one too short", address[:27] + ".token", "contract principal: address part has 27 characters, needs 28 to 41"},
		{"an address too long", address + "0.token", "contract principal: address part has 42 characters, needs 28 to 41"},
		{"an address in lower case", strings.ToLower(somePrincipal), "contract principal: address part has the lower-case letter 's' at position 1; addresses are upper case"},
		{"a letter that addresses lack", "SPO" + address[3:] + ".token", "contract principal: address part has the letter 'O' at position 3; I, L, O and U do not occur in addresses"},
		{"a contract name that starts with a digit", address + ".1token", "contract principal: contract name starts with '1', needs a letter"},
		{"an empty contract name", address + ".", "contract principal: contract name is empty"},
		{"a contract name of 41 characters", address + "." + strings.Repeat("a", 41), "contract principal: contract name has 41 characters, at most 40 are allowed"},
		{"a hash one too short", someHash[:65], "hash: hash has 63 hex digits, needs 64"},
		{"a hash with a letter that is no digit", someHash[:65] + "g", "hash: invalid hex digit 'g' at position 66"},
		{"a shortened hash", "0x7f3a…c91e", "hash: a shortened hash; all 64 hex digits are needed"},
		{"a height too great", "2147483648", "height: above 2,147,483,647, the greatest height there can be"},
		{"a negative height", "-5", "height: heights are not negative"},
		{"a fraction", "1.5", "height: heights are whole numbers"},
		{"a token id with letters", somePrincipal + "/4a", "non-fungible token: invalid digit 'a' in the token id"},
		{"a token id past 128 bits", somePrincipal + "::340282366920938463463374607431768211456", "non-fungible token: token id is above 2^128-1"},
		{"an unknown path", "/extended/v1/nothing/0x12", "path: no path of the API and no page of the web explorer that chainscope can show"},
		{"a wrong height in a path", "/extended/v1/block/by_burn_block_height/abc", `API path: height "abc" is not a whole number`},
		{"a token id that is no uint in a path", "/extended/v3/tokens/nft/" + somePrincipal + "::punk/0x0000000000000000000000000000000102/history", `API path: "0x0000000000000000000000000000000102" is no token id: want a Clarity uint in hexadecimal digits, such as 0x0100000000000000000000000000000001`},
		{"a page below the first in a path", "/v1/namespaces/btc/names?page=-1", `API path: page "-1" is not a number from 1`},
		{"block latest", "block latest", "block: takes a burn height or burn hash; latest goes with burn-blocks"},
		{"a namespace with a control character", "b\x1b[31mtc", `namespace: namespace has the character '\x1b' at position 2; a-z, 0-9, - and _ are allowed`},
		{"a namespace in capitals", "BTC", "namespace: namespace has the capital letter 'B' at position 1; namespaces are lower case"},
		{"far too much", strings.Repeat("x", 40_000), "input: 40000 bytes long; nothing one can go to is longer than 32768"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := outline(Recognise(tt.input, RecogniseContext{}))
			for _, line := range got {
				if line == "✗ "+tt.want {
					return
				}
			}
			t.Errorf("no reading fails with\n  %s\ngot\n  %s", tt.want, strings.Join(got, "\n  "))
		})
	}
}

func TestRecogniseOffersAnInputThatWouldWork(t *testing.T) {
	for input, want := range map[string]string{
		strings.ToLower(address) + ".token": address + ".token",
		"BTC":                               "btc",
		"Alice.BTC":                         "alice.btc",
		"872.114":                           "872114",
		somePrincipal + "/x1":               somePrincipal,
	} {
		var fixes []string
		for _, r := range Recognise(input, RecogniseContext{}) {
			if r.Fix != "" {
				fixes = append(fixes, r.Fix)
			}
		}
		if len(fixes) != 1 || fixes[0] != want {
			t.Errorf("fixes of %q: %q, want %q", input, fixes, want)
			continue
		}
		if again := Recognise(fixes[0], RecogniseContext{}); !again[0].OK() {
			t.Errorf("the fix %q is not understood: %v", fixes[0], outline(again))
		}
	}
}

func TestRecogniseOffersEverythingWhenNothingFits(t *testing.T) {
	got := Recognise("what is this?", RecogniseContext{})
	var names []string
	for _, r := range got {
		if r.OK() {
			t.Errorf("%v is understood", r)
		}
		names = append(names, r.Name)
	}
	if diff := cmp.Diff([]string{"height", "hash", "contract principal", "namespace"}, names); diff != "" {
		t.Error(diff)
	}
}

// A name with pictures is the one that it is registered as; what looks like punycode and is none
// is shown as it is.
func TestANameWithPicturesIsTheRegisteredOne(t *testing.T) {
	got := Recognise("🦋.btc", RecogniseContext{})[0]
	if got.Place != Name("xn--bt9h.btc") || got.About != "xn--bt9h.btc" || got.Note != "as it is registered" {
		t.Errorf("🦋.btc is %+v", got)
	}
	for name, want := range map[string]string{"xn--bt9h.btc": "🦋.btc", "a.xn--bt9h.btc": "a.🦋.btc", "muneeb.btc": "", "xn--.btc": "", "xn--a.btc": "", "XN--BT9H.btc": ""} {
		if got := Pictured(name); got != want {
			t.Errorf("%s is shown as %q, want %q", name, got, want)
		}
	}
}

// A principal that is typed in a tab is first what the tab has of it, elsewhere a contract.
func TestAPrincipalIsFirstWhatTheTabHasOfIt(t *testing.T) {
	for here, want := range map[Place]Place{
		Blocks(): Contract(somePrincipal), Home(): Contract(somePrincipal), Tokens(): FT(somePrincipal, ""), Contracts(): Contract(somePrincipal), Source(somePrincipal): Contract(somePrincipal), Accounts(): Account(somePrincipal),
	} {
		readings := Recognise(somePrincipal, RecogniseContext{Here: here})
		if len(readings) != 4 || readings[0].Place != want {
			t.Errorf("at %s it is %v", here, readings)
		}
	}
}

func TestRecogniseTakesTheSurroundingsIntoAccount(t *testing.T) {
	ctx := RecogniseContext{
		Here:    NFT(somePrincipal, "", ""),
		Tip:     500_000,
		BurnTip: 900_000,
		Loaded: func(hash string) []Loaded {
			if hash != someHash {
				return nil
			}
			return []Loaded{{What: "index block hash", Place: BlockByIndexHash(someHash)}}
		},
	}
	tests := []struct {
		name, input string
		want        []string
	}{
		{"a number above the newest block", "872114", []string{
			"block 872114", "nft " + somePrincipal + " 872114", "burn-blocks 872114", "names 872114",
			"✗ block height: above the newest block height seen, 500000",
		}},
		{"a number above both", "950000", []string{
			"nft " + somePrincipal + " 950000", "block 950000", "burn-blocks 950000", "names 950000",
			"✗ block height: above the newest block height seen, 500000",
		}},
		{"the hash of a loaded block", someHash, []string{"block index:" + someHash, "block " + someHash, "burn-blocks " + someHash}},
		{"the web explorer's page of it", "https://explorer.hiro.so/block/" + someHash, []string{"block index:" + someHash}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, outline(Recognise(tt.input, ctx))); diff != "" {
				t.Error(diff)
			}
		})
	}
	if got := Recognise("700000", RecogniseContext{BurnTip: 600_000}); got[0].Place != BlockAtHeight(700_000) {
		t.Errorf("above the newest burn height, the block height should come first: %v", outline(got))
	}
}

func FuzzRecognise(f *testing.F) {
	for _, seed := range []string{
		"", "872,114", someHash, somePrincipal + "::42", "alice.btc", ":theme", "latest", "https://explorer.hiro.so/btcblock/" + someHash,
		"/metadata/v1/nft/" + somePrincipal + "/1?locale=%ff", "names btc --page", "b\u202etc", "\x1b[2J", "0x…", "::", ":", "curl http://", "chainscope -- blocks",
		`names "a b" filter="c"`, "/v1/namespaces/%2e%2e/names", "SP.::", "''", "<>", "block index:" + someHash,
	} {
		f.Add(seed)
	}
	ctx := RecogniseContext{Tip: 10, BurnTip: 20}
	f.Fuzz(func(t *testing.T, input string) {
		failed := false
		for _, r := range Recognise(input, ctx) {
			if !r.OK() {
				failed = true
				for _, c := range r.Reason + r.Name {
					if unicode.IsControl(c) || unicode.Is(unicode.Cf, c) {
						t.Fatalf("reason %q of %q holds %q", r.Reason, input, c)
					}
				}
				continue
			}
			if failed {
				t.Fatalf("%q: a good reading after a failed one", input)
			}
			back, err := Parse(r.Place.String())
			if err != nil || back != r.Place {
				t.Fatalf("%q: place %q does not come back: %v", input, r.Place, err)
			}
			for _, c := range r.Note + r.Name {
				if unicode.IsControl(c) || unicode.Is(unicode.Cf, c) {
					t.Fatalf("note %q of %q holds %q", r.Note, input, c)
				}
			}
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add("names btc filter=\"a b\" unanchored=true")
	f.Add("nft " + somePrincipal + " 42 locale=jp")
	f.Add("block height:5")
	f.Fuzz(func(t *testing.T, s string) {
		if p, err := Parse(s); err == nil && p.String() != s {
			t.Fatalf("Parse took %q, which is written %q", s, p.String())
		}
	})
}

// An address of Bitcoin is named as one, with one reason, and whatever else has its letters is
// read as before.
func TestAnAddressOfBitcoinIsNamedAsOne(t *testing.T) {
	for _, address := range []string{
		"bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu", "BC1QCR8TE4KR609GCAWUTMRZA0J4XV80JY8Z306FYU", "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx",
		"bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy", "mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn",
	} {
		all := Recognise(address, RecogniseContext{})
		if len(all) != 1 || all[0].OK() || all[0].Name != "Bitcoin address" || !strings.Contains(all[0].Reason, "SP or ST") {
			t.Errorf("%s: %+v", address, all)
		}
	}
	for _, other := range []string{"bc1.btc", "1234567890", "SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7", strings.Repeat("1a", 32), "muneeb.btc", "bc1q", "latest"} {
		for _, one := range Recognise(other, RecogniseContext{}) {
			if one.Name == "Bitcoin address" {
				t.Errorf("%s: %+v", other, one)
			}
		}
	}
}

func TestWhatIsTypedAfterAKindIsChecked(t *testing.T) {
	for _, typed := range []string{"nft SP000.x 5", "ft SP000.x", "account SP000", "bonds x", "contract SP000.x"} {
		for _, r := range Recognise(typed, RecogniseContext{}) {
			if r.OK() && !r.Guess {
				t.Errorf("%s: leads to %s", typed, r.Place)
			}
		}
	}
	for _, r := range Recognise("hash x", RecogniseContext{}) {
		if strings.HasPrefix(r.Reason, "takes") {
			t.Errorf("hash is a word: %s", r.Reason)
		}
	}
}
