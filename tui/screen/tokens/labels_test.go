package tokens

import (
	"encoding/json"
	"math/big"
	"testing"

	"chainscope/apiclient"
	"chainscope/tui/nav"
)

// labeled returns the values of fields by section and label; a section's count is left
// out of its title.
func labeled(sections []section) map[string]string {
	values := map[string]string{}
	for i, s := range sections {
		title := []string{"token", "metadata", "attributes", "properties", "localization"}[i]
		for _, f := range s.Fields {
			values[title+": "+f.Label] = f.Value
			if f.Note != "" {
				values[title+": "+f.Label+", note"] = f.Note
			}
		}
	}
	return values
}

// TestEveryFieldOfATokenIsUnderItsLabel gives each field a value of its own.
func TestEveryFieldOfATokenIsUnderItsLabel(t *testing.T) {
	decimals, sip := 2, 16
	metadata := &apiclient.Metadata{
		SIP: &sip, Name: "m-name", Description: "m-description", Image: "m-image", CachedImage: "m-cached", CachedThumbnailImage: "m-thumbnail",
		Attributes:   []apiclient.Attribute{{TraitType: "m-trait", DisplayType: "m-display", Value: json.RawMessage(`"m-value"`)}},
		Properties:   map[string]json.RawMessage{"collection": json.RawMessage(`"m-collection"`), "total_supply": json.RawMessage(`"77"`)},
		Localization: &apiclient.Localization{URI: "l-uri", Default: "l-default", Locales: []string{"l-en"}},
	}
	ft := describeFungible(nav.FT("SP1.token", ""), apiclient.FungibleToken{
		Name: "t-name", Symbol: "t-symbol", Decimals: &decimals, TotalSupply: big.NewInt(12345), TokenURI: "t-uri", Description: "t-description",
		ImageURI: "t-image", ImageThumbnailURI: "t-thumbnail", ImageCanonicalURI: "t-canonical", TxID: "t-txid", SenderAddress: "t-sender",
		AssetIdentifier: "t-asset", Metadata: metadata,
	})
	ofMetadata := map[string]string{
		"metadata: SIP": "16", "metadata: name": "m-name", "metadata: description": "m-description", "metadata: image": "m-image",
		"metadata: cached image": "m-cached", "metadata: cached thumbnail": "m-thumbnail", "attributes: m-trait": "m-value",
		"attributes: m-trait, note": "m-display", "properties: collection": "m-collection", "properties: total_supply": "77",
		"localization: URI template": "l-uri", "localization: default locale": "l-default", "localization: locales": "l-en",
	}
	want := map[string]string{
		"token: name": "t-name", "token: symbol": "t-symbol", "token: decimals": "2", "token: total supply": "123.45",
		"token: description": "t-description", "token: token URI": "t-uri", "token: image": "t-image", "token: thumbnail": "t-thumbnail",
		"token: original image": "t-canonical", "token: contract": "SP1.token", "token: asset identifier": "t-asset",
		"token: sender address": "t-sender", "token: deployed by": "t-txid",
	}
	compare(t, labeled(ft), want)
	compare(t, labeled(ft), ofMetadata)
	nft := labeled(describeNonFungible(nav.NFT("SP1.token", "42", ""), apiclient.NonFungibleToken{TokenURI: "n-uri", Metadata: metadata}))
	compare(t, nft, map[string]string{"token: contract": "SP1.token", "token: token id": "42", "token: token URI": "n-uri"})
	compare(t, nft, ofMetadata)
}

func compare(t *testing.T, got, want map[string]string) {
	t.Helper()
	for label, value := range want {
		if got[label] != value {
			t.Errorf("%s is %q, want %q", label, got[label], value)
		}
	}
}
