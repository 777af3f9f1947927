package tokens

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"chainscope/apiclient"
	"chainscope/apiclient/apitest"
	"chainscope/tui/nav"
	"chainscope/tui/resource"
)

const somePrincipal = "SP2SYHR84SDJJDK8M09HFS4KBFXPPCX9H7RZ9YVTS.hello-world"

var (
	someFT      = nav.FT(somePrincipal, "")
	someNFT     = nav.NFT(somePrincipal, "7", "")
	someHostile = nav.NFT(hostile+"hostile-nft", "3", "")
)

// describeFungible and describeNonFungible are the fields of a token at a place.
func describeFungible(p nav.Place, t apiclient.FungibleToken) []section {
	return sectionsOf(resource.Token{Principal: p.Principal, Locale: p.Locale, FT: &t})
}

func describeNonFungible(p nav.Place, t apiclient.NonFungibleToken) []section {
	return sectionsOf(resource.Token{Principal: p.Principal, TokenID: p.TokenID, Locale: p.Locale, NFT: &t})
}

// find returns the first field with that label at or after a section.
func find(sections []section, title, label string) (field, bool) {
	for _, s := range sections {
		if !strings.HasPrefix(s.Title, title) {
			continue
		}
		for _, f := range s.Fields {
			if f.Label == label {
				return f, true
			}
		}
	}
	return field{}, false
}

func recorded(t *testing.T, name string) map[string]json.RawMessage {
	t.Helper()
	data, err := apitest.Recorded.ReadFile("recorded/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// leaves lists every scalar of a JSON value as it would be read on screen.
func leaves(raw json.RawMessage) []string {
	var v any
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return nil
	}
	var out []string
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, each := range v {
				walk(each)
			}
		case []any:
			for _, each := range v {
				walk(each)
			}
		case nil:
		case string:
			if v != "" {
				out = append(out, v)
			}
		default:
			out = append(out, fmt.Sprint(v))
		}
	}
	walk(v)
	return out
}

// digits leaves out how a number is grouped.
func digits(s string) string { return strings.ReplaceAll(s, ",", "") }

func everythingIn(t *testing.T, sections []section, raw json.RawMessage) {
	t.Helper()
	var shown strings.Builder
	for _, s := range sections {
		for _, f := range s.Fields {
			shown.WriteString(f.Label + "\n" + f.Value + "\n" + digits(f.Value) + "\n" + f.Note + "\n")
		}
	}
	for _, leaf := range leaves(raw) {
		quoted, _ := json.Marshal(leaf)
		if !strings.Contains(shown.String(), leaf) && !strings.Contains(shown.String(), strings.Trim(string(quoted), `"`)) {
			t.Errorf("%q is nowhere in the detail", leaf)
		}
	}
}

func TestEveryValueOfARecordedFungibleTokenIsShown(t *testing.T) {
	for name, raw := range recorded(t, "ft-metadata.json") {
		all := []json.RawMessage{raw}
		if raw[0] == '[' {
			if err := json.Unmarshal(raw, &all); err != nil {
				t.Fatal(err)
			}
		}
		for i, raw := range all {
			t.Run(fmt.Sprintf("%s %d", name, i), func(t *testing.T) {
				everythingIn(t, describeFungible(someFT, decodeFungible(t, raw)), raw)
			})
		}
	}
}

func TestEveryValueOfARecordedNonFungibleTokenIsShown(t *testing.T) {
	for name, raw := range recorded(t, "nft-metadata.json") {
		all := map[string]json.RawMessage{"": raw}
		if name == "raw_sip16_documents" {
			if err := json.Unmarshal(raw, &all); err != nil {
				t.Fatal(err)
			}
			for document, raw := range all { // a document is the metadata of an answer
				all[document] = json.RawMessage(`{"metadata":` + string(raw) + `}`)
			}
		}
		for document, raw := range all {
			t.Run(name+" "+document, func(t *testing.T) {
				everythingIn(t, describeNonFungible(someNFT, decodeNonFungible(t, raw)), raw)
			})
		}
	}
}

func TestTheSupplyIsShownThroughTheDecimals(t *testing.T) {
	most, _ := new(big.Int).SetString("340282366920938463463374607431768211455", 10)
	of := func(n int) *int { return &n }
	for name, c := range map[string]struct {
		supply    *big.Int
		decimals  *int
		want      string
		note      string
		remark    string
		smallUnit bool
	}{
		"six decimals":              {big.NewInt(21000000500000), of(6), "21,000,000.5", "TRY", "", true},
		"none":                      {big.NewInt(1250000), of(0), "1,250,000", "TRY", "", false},
		"the highest supply":        {most, of(18), "340,282,366,920,938,463,463.374607431768211455", "TRY", "", true},
		"the most decimals":         {big.NewInt(5), of(77), "0." + strings.Repeat("0", 76) + "5", "TRY", "", true},
		"too many are not believed": {big.NewInt(1500000), of(78), "1,500,000", "in the smallest unit", "not from 0 to 77", false},
		"negative are not believed": {big.NewInt(1500000), of(-1), "1,500,000", "in the smallest unit", "not from 0 to 77", false},
		"unknown decimals":          {big.NewInt(1500000), nil, "1,500,000", "in the smallest unit", "", false},
		"unknown supply":            {nil, of(6), "unknown", "", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			sections := describeFungible(someFT, apiclient.FungibleToken{Symbol: "TRY", TotalSupply: c.supply, Decimals: c.decimals})
			if f, _ := find(sections, "Fungible", "total supply"); f.Value != c.want || f.Note != c.note {
				t.Errorf("supply %q %q", f.Value, f.Note)
			}
			if f, _ := find(sections, "Fungible", "decimals"); !strings.Contains(f.Note, c.remark) || (c.remark == "") != (f.Note == "") {
				t.Errorf("decimals %q %q", f.Value, f.Note)
			}
			if _, there := find(sections, "Fungible", "  smallest unit"); there != c.smallUnit {
				t.Errorf("smallest unit shown: %v", there)
			}
		})
	}
}

func TestASupplyThatIsNoNumberIsShownAsItIs(t *testing.T) {
	sections := describeFungible(someFT, decodeFungible(t, json.RawMessage(`{"total_supply":"lots\u001b[2J","tx_id":"0x1"}`)))
	f, _ := find(sections, "Fungible", "total supply")
	if f.Value != "lots\x1b[2J" || f.Note == "" || f.Hidden != 1 {
		t.Errorf("got %+v", f)
	}
}

func TestAttributesOfEveryJSONKindAreShown(t *testing.T) {
	sections := describeNonFungible(someNFT, decodeNonFungible(t, json.RawMessage(`{"metadata":{"attributes":[
		{"trait_type":"text","display_type":"string","value":"calm"},
		{"trait_type":"whole","value":340282366920938463463374607431768211455},
		{"trait_type":"small","value":-1.5e-7},
		{"trait_type":"yes","value":true},
		{"trait_type":"nothing","value":null},
		{"trait_type":"blank","value":""},
		{"trait_type":"list","value":[1, "two", [3]]},
		{"trait_type":"object","value":{"a": {"b": null}}},
		{"trait_type":"more","value":1,"rarity":0.5}]}}`)))
	for label, want := range map[string]struct {
		value, note string
		emphasis    emphasis
	}{
		"text":        {value: "calm", note: "string"},
		"whole":       {value: "340282366920938463463374607431768211455", emphasis: number},
		"small":       {value: "-1.5e-7", emphasis: number},
		"yes":         {value: "true"},
		"nothing":     {value: "null", emphasis: missing},
		"blank":       {value: "(empty text)", emphasis: missing},
		"list":        {value: `[1,"two",[3]]`, emphasis: code},
		"object":      {value: `{"a":{"b":null}}`, emphasis: code},
		"more.rarity": {value: "0.5", emphasis: number, note: "not in the API's description"},
	} {
		got, there := find(sections, "Attributes", label)
		if !there || got.Value != want.value || got.Note != want.note || got.Emphasis != want.emphasis || got.Hidden != 0 {
			t.Errorf("%s: got %+v, want %+v", label, got, want)
		}
	}
}

func TestWhatIsMissingIsSaid(t *testing.T) {
	sections := describeFungible(someFT, apiclient.FungibleToken{})
	for _, label := range []string{"name", "symbol", "decimals", "total supply", "description", "token URI", "image", "thumbnail", "original image", "asset identifier", "sender address", "deployed by"} {
		if f, there := find(sections, "Fungible", label); !there || f.Emphasis != missing || f.Value == "" {
			t.Errorf("%s: %+v", label, f)
		}
	}
	if f, there := find(sections, "Metadata", "metadata"); !there || f.Emphasis != missing {
		t.Errorf("metadata: %+v", f)
	}
}

func TestOnlyHonestWebAddressesAreOpened(t *testing.T) {
	for in, ok := range map[string]bool{
		"https://tokens.example/full.json":        true,
		"http://127.0.0.1:3999/pictures/full.png": true,
		"HTTPS://tokens.example/":                 true,
		"":                                        false,
		"javascript:alert(1)":                     false,
		"file:///etc/passwd":                      false,
		"data:image/png;base64,AAAA":              false,
		"ipfs://Qm/1.json":                        false,
		"//tokens.example/":                       false,
		"https://":                                false,
		"https://\u202egnp.example/":              false,
		"https://tokens.example/\x1b[2J":          false,
		"http://localhost.example@127.0.0.1:22/x": false,
	} {
		address, reason := openable(in)
		if (address != "") != ok || (reason == "") != ok {
			t.Errorf("%q: %q, %q", in, address, reason)
		}
	}
}

func TestHiddenCharactersAreCountedWhereverTheyAre(t *testing.T) {
	sections := describeFungible(someFT, decodeFungible(t, json.RawMessage(`{
		"name":"a\u202eb","symbol":"\u001b[31mX","description":"two\nlines\tand a tab","tx_id":"0x1",
		"metadata":{"properties":{"\u200bkey":{"deep":["\u200b\u200b"]}},"attributes":[{"trait_type":"t","display_type":"\u0007","value":"v"}]}}`)))
	count, labels := hiddenIn(sections)
	if count != 6 {
		t.Errorf("found %d", count)
	}
	if got := strings.Join(labels, "|"); got != "name|symbol|t|\u200bkey" {
		t.Errorf("in %q", got)
	}
}

func TestATokenThatClaimsTooMuchIsShownInPart(t *testing.T) {
	traits := strings.Repeat(`{"trait_type":"t","value":1},`, 5000)
	sections := describeNonFungible(someNFT, decodeNonFungible(t, json.RawMessage(
		`{"metadata":{"description":"`+strings.Repeat("long ", 200_000)+`","attributes":[`+traits+`{"trait_type":"t","value":1}]}}`)))
	if _, there := find(sections, "Attributes 5,001", ""); !there {
		t.Error("nothing says that there are more attributes")
	}
	rows := start(t, setup{}).s.rowsOf(sections, 80)
	if len(rows) > 2100 {
		t.Errorf("%d rows", len(rows))
	}
	for _, r := range rows {
		if len(r.Value) > laidOut {
			t.Errorf("row %s lays out %d bytes", r.Label, len(r.Value))
		}
		if r.Label == "description" && (r.Do == nil || !strings.Contains(r.Note, "1.0 MB in all")) {
			t.Errorf("the description: %q", r.Note)
		}
	}
}

// TestEveryFieldOfAFungibleTokenIsShownUnderItsName has a value of its own in
// each field, so that none can stand for another.
func TestEveryFieldOfAFungibleTokenIsShownUnderItsName(t *testing.T) {
	decimals := 2
	sections := describeFungible(someFT, apiclient.FungibleToken{
		Name: "a name", Symbol: "SYM", Decimals: &decimals, TotalSupply: big.NewInt(12345), TokenURI: "https://uri.example/t.json",
		Description: "a description", ImageURI: "https://uri.example/image", ImageThumbnailURI: "https://uri.example/thumb",
		ImageCanonicalURI: "https://uri.example/canonical", TxID: "0xtxid", SenderAddress: "SPSENDER", AssetIdentifier: "SPCONTRACT.c::asset",
	})
	for label, want := range map[string]string{
		"name": "a name", "symbol": "SYM", "decimals": "2", "total supply": "123.45", "token URI": "https://uri.example/t.json",
		"description": "a description", "image": "https://uri.example/image", "thumbnail": "https://uri.example/thumb",
		"original image": "https://uri.example/canonical", "deployed by": "0xtxid", "sender address": "SPSENDER", "asset identifier": "SPCONTRACT.c::asset",
	} {
		if f, ok := find(sections, "Fungible", label); !ok || f.Value != want {
			t.Errorf("%s shows %q, want %q", label, f.Value, want)
		}
	}
}
