package tokens

import (
	"encoding/json"
	"slices"

	"chainscope/wallet/facts"
)

// Deployers of the catalogue. The first is the address under which the error
// answers of the real service were recorded; every checksum holds.
const (
	recorded  = "SP2SYHR84SDJJDK8M09HFS4KBFXPPCX9H7RZ9YVTS"
	harbor    = "SP1148E87HXPVC70NK84YASYS9B5G2H9QX8Z4FQFX"
	orchard   = "SP3MDNVYN9Z9M623G9DZYRZH51NMDF18MST31V4KK"
	lantern   = "SP1EF7J5EXB5JZNV0D8DR0RP12EBD2K1WGXTZSZJM"
	council   = "SM3Z5DBR2ZZCY31R3WHZRGQR5H7Q11WHV3PZSZVW7" // several signers
	rehearsal = "ST355K6K7CD8HGWKR67E5PZ9CP18274XGZ7NB44PK" // testnet
	nightfall = "SP2F4QJRVHR4DPRVMKHAPSS45EBVFPWXQ8Y3SY9V9" // hostile
)

// Deployers of tokens that Stacks developers know by name, on mainnet. Only
// the principals are theirs; the catalogue's data about the tokens is made up.
const (
	usdaDeployer = "SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR"
	madeUp       = "Made-up data of a mock: only the contract's name is that of a token on mainnet."
)

// maxSupply is 2^128-1, the highest uint of Clarity.
const maxSupply = "340282366920938463463374607431768211455"

// The messages of a "Token error", every one the service has.
const (
	failMetadataSize    Failure = "Metadata size is too large to process"
	failImageSize       Failure = "Image size is too large to process"
	failMetadataTimeout Failure = "Metadata could not be processed because it took too long to respond"
	failImageTimeout    Failure = "Image could not be processed because it took too long to respond"
	failMetadataParse   Failure = "Metadata could not be parsed or it does not conform to SIP-016"
	failImageParse      Failure = "Image processing failed because it could not be parsed"
	failMetadataHTTP    Failure = "Metadata could not be processed because the server responded with an error"
	failImageHTTP       Failure = "Image could not be processed because the server responded with an error"
	failClarity         Failure = "The token contract produced a Clarity error when trying to fetch metadata"
	failUnknown         Failure = "Unknown error"
)

// tokenFailures are the failures of single tokens with the names of the
// contracts that show them; failClarity is one of a whole contract.
var tokenFailures = []struct {
	name    string
	failure Failure
}{
	{"ft-invalid", failMetadataParse},
	{"ft-metadata-too-large", failMetadataSize},
	{"ft-image-too-large", failImageSize},
	{"ft-metadata-too-slow", failMetadataTimeout},
	{"ft-image-too-slow", failImageTimeout},
	{"ft-image-unreadable", failImageParse},
	{"ft-metadata-refused", failMetadataHTTP},
	{"ft-image-refused", failImageHTTP},
	{"ft-unknown-error", failUnknown},
}

func decimals(n int) *int { return &n }

func raw(text string) json.RawMessage { return json.RawMessage(text) }

// picture fills the three image fields with pictures of the mock itself.
func (m Metadata) picture(name string) *Metadata {
	m.Image = ownScheme + "/pictures/" + name + ".png?original"
	m.CachedImage = ownScheme + "/pictures/" + name + ".png"
	m.CachedThumbnailImage = ownScheme + "/pictures/" + name + "-thumb.png"
	return &m
}

func fungible(deployer, name, asset string, t token) *contract {
	t.id = 1
	return &contract{principal: deployer + "." + name, standard: sip010, asset: asset, tokens: []*token{&t}}
}

func fungibleContracts() []*contract {
	contracts := slices.Concat(wellKnownFungibles(), ordinaryFungibles(), exampleFungibles())
	for _, f := range tokenFailures {
		contracts = append(contracts, fungible(recorded, f.name, "broken", token{what: Error, failure: f.failure}))
	}
	return contracts
}

// exampleFungibles show a token with every field, and one with none.
func exampleFungibles() []*contract {
	return []*contract{
		fungible(recorded, "ft-full", "full", token{
			what: Full, name: "Harbor Full Coin", symbol: "FULL", decimals: decimals(6), supply: "21000000000000",
			uri: "https://tokens.example/full.json",
			meta: (Metadata{
				SIP: 16, Name: "Harbor Full Coin", Description: "Every field of the contract has a value here.",
				Attributes: everyKindOfAttribute(), Properties: everyKindOfProperty(),
			}).picture("full"),
		}),
		fungible(recorded, "ft-minimal", "minimal", token{what: Minimal}),
	}
}

// wellKnownFungibles returns what a newcomer types first.
func wellKnownFungibles() []*contract {
	return []*contract{
		fungible(usdaDeployer, "usda-token", "usda", token{
			what: Plain, name: "USDA", symbol: "USDA", decimals: decimals(6), supply: "3141592653589",
			uri:  "https://tokens.example/usda.json",
			meta: (Metadata{SIP: 16, Name: "USDA", Description: madeUp}).picture("usda"),
		}),
		fungible(facts.SBTC(false), "sbtc-token", "sbtc-token", token{
			what: Plain, name: "sBTC", symbol: "sBTC", decimals: decimals(8), supply: "271828182845",
			uri:  "https://tokens.example/sbtc.json",
			meta: (Metadata{SIP: 16, Name: "sBTC", Description: madeUp}).picture("sbtc"),
		}),
	}
}

func ordinaryFungibles() []*contract {
	return []*contract{
		fungible(harbor, "harbor-dollar", "harbor-dollar", localizedDollar()),
		fungible(harbor, "harbor-point", "point", token{
			what: Plain, name: "Harbor Point", symbol: "POINT", decimals: decimals(0), supply: "1250000",
			uri:  "ipfs://bafkreihq5nwyn3mfd3gmzqrvd2xqc3kk2wvr7tbxtpjqkxqk4u6vzz2m5y/point.json",
			meta: (Metadata{SIP: 16, Name: "Harbor Point", Description: "A whole number of points: no decimals."}).picture("point"),
		}),
		fungible(orchard, "wrapped-ether", "weth", token{
			what: Plain, name: "Wrapped Ether", symbol: "wETH", decimals: decimals(18), supply: maxSupply,
			uri:  "ar://8nVgT5vZl3wKcm1xO2yq6D4rE9uJ7sHfBpLkXaZt0Yc",
			meta: (Metadata{SIP: 16, Name: "Wrapped Ether", Description: "The highest supply that a contract can report."}).picture("ether"),
		}),
		fungible(orchard, "orchard-bitcoin", "obtc", token{
			what: Plain, name: "Orchard Bitcoin", symbol: "oBTC", decimals: decimals(8), supply: "312500000042",
			uri: "https://tokens.example/obtc.json",
		}),
		fungible(orchard, "empty-vault", "vault", token{
			what: Plain, name: "Empty Vault", symbol: "", decimals: decimals(6), supply: "0",
			meta: &Metadata{SIP: 16, Name: "Empty Vault"},
		}),
		fungible(council, "council-vote", "vote", token{
			what: Plain, name: "Council Vote", symbol: "VOTE", decimals: decimals(2), supply: "700",
			uri: "https://tokens.example/vote.json",
		}),
		fungible(rehearsal, "rehearsal-token", "rehearsal", token{
			what: Plain, name: "Rehearsal Token", symbol: "TRY", decimals: decimals(6), supply: "1000000000000",
		}),
		fungible(lantern, "dust", "dust", token{
			what: Plain, name: "Lantern Dust", symbol: "DUST", decimals: decimals(77), supply: "115792089237316195423570985008687907853",
		}),
		fungible(recorded, "ft-nulls", "ft-token", token{
			what: Plain,
			meta: &Metadata{
				SIP: 16, Name: "x", Attributes: []Attribute{{TraitType: "a", Value: raw("1.5")}}, Properties: raw(`{"b":true}`),
			},
		}),
		{principal: recorded + ".ft-notoken", standard: sip010, asset: "none", what: NoToken},
		fungible(recorded, "ft-pending", "pending", token{
			what: Pending, pending: true, name: "Patience", symbol: "WAIT", decimals: decimals(6), supply: "5000000",
			uri:  "https://tokens.example/patience.json",
			meta: (Metadata{SIP: 16, Name: "Patience", Description: "Fetched five seconds after it was first asked for."}).picture("patience"),
		}),
		{principal: recorded + ".ct-invalid", standard: sip010, asset: "broken", failure: failClarity, what: Error},
	}
}

func everyKindOfAttribute() []Attribute {
	return []Attribute{
		{"Mood", "string", raw(`"calm"`)},
		{"Strength", "number", raw(`105`)},
		{"Weight", "", raw(`-1.5e-7`)},
		{"Rare", "boolean", raw(`true`)},
		{"Forged", "", raw(`false`)},
		{"Powers", "array", raw(`[1,2,4,"eight",[16]]`)},
		{"Place", "object", raw(`{"harbor":"north","pier":{"number":7}}`)},
		{"Nothing", "", raw(`[null,{"nothing":null}]`)},
		{"Born", "date", raw(`1767225600`)},
		{"Exact", "", raw(`340282366920938463463374607431768211455`)},
		{"", "", raw(`""`)},
	}
}

func everyKindOfProperty() json.RawMessage {
	return raw(`{"collection":"Harbor Collection","total_supply":"10000","number":42,"float":2.5,"yes":true,"no":false,"list":["a",1,{"b":[]},null],"object":{"deep":{"deeper":"still"}},"empty":""}`)
}

// localizedDollar has four languages; name and symbol stay what the contract says.
func localizedDollar() token {
	names := []struct{ code, name, description string }{
		{"en", "Harbor Dollar", "A dollar for every harbor."},
		{"es-MX", "Dólar del Puerto", "Un dólar para cada puerto."},
		{"jp", "港ドル", "すべての港のためのドル。"},
		{"de", "Hafendollar", "Ein Dollar für jeden Hafen."},
	}
	about := &Localization{URI: "https://tokens.example/dollar.{locale}.json", Default: "en"}
	for _, n := range names {
		about.Locales = append(about.Locales, n.code)
	}
	t := token{
		what: Localized, name: "Harbor Dollar", symbol: "HBD", decimals: decimals(8), supply: "9999980000000",
		uri: "https://tokens.example/dollar.json",
	}
	for _, n := range names {
		meta := (Metadata{SIP: 16, Name: n.name, Description: n.description, Localization: about}).picture("dollar-" + n.code)
		t.locales = append(t.locales, locale{n.code, meta})
	}
	t.meta = t.locales[0].meta
	return t
}
