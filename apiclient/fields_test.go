package apiclient

import (
	"fmt"
	"net/http"
	"testing"
)

// TestEveryFieldOfATokenIsReadIntoItsOwn gives each field a value of its own, so that
// one that is lost or read into another is seen.
func TestEveryFieldOfATokenIsReadIntoItsOwn(t *testing.T) {
	const metadata = `{"sip":16,"name":"m-name","description":"m-description","image":"m-image",
		"cached_image":"m-cached","cached_thumbnail_image":"m-thumbnail",
		"attributes":[{"trait_type":"trait","display_type":"display","value":"worth"}],
		"properties":{"collection":"the collection","total_supply":"7"},
		"localization":{"uri":"l-uri","default":"l-default","locales":["en","jp"]}}`
	const fungible = `{"name":"n","symbol":"s","decimals":6,"total_supply":"1234","token_uri":"t-uri",
		"description":"d","image_uri":"i","image_thumbnail_uri":"i-thumbnail","image_canonical_uri":"i-canonical",
		"tx_id":"tx","sender_address":"sender","asset_identifier":"asset","metadata":` + metadata + `}`
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/metadata/v1/ft/"+somePrincipal {
			answer(w, 200, fungible)
			return
		}
		answer(w, 200, `{"token_uri":"nft-uri","metadata":`+metadata+`}`)
	})
	ft, err := c.FungibleToken(t.Context(), somePrincipal, "")
	if err != nil {
		t.Fatal(err)
	}
	nft, err := c.NonFungibleToken(t.Context(), somePrincipal, "1", "")
	if err != nil {
		t.Fatal(err)
	}
	v := ft.Value
	if v.Metadata == nil || nft.Value.Metadata == nil || v.Decimals == nil || v.TotalSupply == nil {
		t.Fatalf("metadata, decimals or supply are lost: %+v, %+v", v, nft.Value)
	}
	want := map[string][2]string{
		"name": {v.Name, "n"}, "symbol": {v.Symbol, "s"}, "decimals": {fmt.Sprint(*v.Decimals), "6"},
		"total_supply": {v.TotalSupply.String(), "1234"}, "token_uri": {v.TokenURI, "t-uri"}, "description": {v.Description, "d"},
		"image_uri": {v.ImageURI, "i"}, "image_thumbnail_uri": {v.ImageThumbnailURI, "i-thumbnail"},
		"image_canonical_uri": {v.ImageCanonicalURI, "i-canonical"}, "tx_id": {v.TxID, "tx"},
		"sender_address": {v.SenderAddress, "sender"}, "asset_identifier": {v.AssetIdentifier, "asset"},
		"token_uri of a non-fungible token": {nft.Value.TokenURI, "nft-uri"},
	}
	for of, m := range map[string]*Metadata{"": v.Metadata, " of a non-fungible token": nft.Value.Metadata} {
		if m.SIP == nil || len(m.Attributes) != 1 || m.Localization == nil || len(m.Localization.Locales) != 2 {
			t.Fatalf("metadata%s: %+v", of, m)
		}
		for name, pair := range map[string][2]string{
			"sip": {fmt.Sprint(*m.SIP), "16"}, "name": {m.Name, "m-name"}, "description": {m.Description, "m-description"},
			"image": {m.Image, "m-image"}, "cached_image": {m.CachedImage, "m-cached"}, "cached_thumbnail_image": {m.CachedThumbnailImage, "m-thumbnail"},
			"trait_type": {m.Attributes[0].TraitType, "trait"}, "display_type": {m.Attributes[0].DisplayType, "display"},
			"value": {string(m.Attributes[0].Value), `"worth"`}, "properties.collection": {string(m.Properties["collection"]), `"the collection"`},
			"properties.total_supply": {string(m.Properties["total_supply"]), `"7"`}, "localization.uri": {m.Localization.URI, "l-uri"},
			"localization.default": {m.Localization.Default, "l-default"}, "localization.locales": {fmt.Sprint(m.Localization.Locales), "[en jp]"},
		} {
			want["metadata."+name+of] = pair
		}
	}
	for name, pair := range want {
		if pair[0] != pair[1] {
			t.Errorf("%s is %q, want %q", name, pair[0], pair[1])
		}
	}
}
