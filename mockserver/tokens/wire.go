package tokens

import (
	"bytes"
	"encoding/json"
	"strings"

	"chainscope/mockserver/internal/plainjson"
)

// Fungible is the answer about a fungible token, keys in the order of the wire.
// An unknown value is absent.
type Fungible struct {
	Name              string    `json:"name,omitempty"`
	Symbol            string    `json:"symbol,omitempty"`
	Decimals          *int      `json:"decimals,omitempty"`
	TotalSupply       string    `json:"total_supply,omitempty"` // decimal, in the token's smallest unit
	TokenURI          string    `json:"token_uri,omitempty"`
	Description       string    `json:"description,omitempty"`
	ImageURI          string    `json:"image_uri,omitempty"`
	ImageThumbnailURI string    `json:"image_thumbnail_uri,omitempty"`
	ImageCanonicalURI string    `json:"image_canonical_uri,omitempty"`
	TxID              string    `json:"tx_id"`
	SenderAddress     string    `json:"sender_address"`
	AssetIdentifier   string    `json:"asset_identifier"`
	Metadata          *Metadata `json:"metadata,omitempty"`
}

// NonFungible is the answer about one token of a non-fungible contract.
type NonFungible struct {
	TokenURI string    `json:"token_uri,omitempty"`
	Metadata *Metadata `json:"metadata,omitempty"`
}

// Metadata is a SIP-016 document as the service gives it: an unknown text is
// "", never absent; lists and objects that are empty are absent.
type Metadata struct {
	SIP                  int             `json:"sip"`
	Name                 string          `json:"name"`
	Description          string          `json:"description"`
	Image                string          `json:"image"`
	CachedImage          string          `json:"cached_image"`
	CachedThumbnailImage string          `json:"cached_thumbnail_image"`
	Attributes           []Attribute     `json:"attributes,omitempty"`
	Properties           json.RawMessage `json:"properties,omitempty"`
	Localization         *Localization   `json:"localization,omitempty"`
}

// Attribute is a trait; Value is any JSON.
type Attribute struct {
	TraitType   string          `json:"trait_type"`
	DisplayType string          `json:"display_type"`
	Value       json.RawMessage `json:"value"`
}

// Localization names the locales of a token. URI holds the placeholder {locale}.
type Localization struct {
	URI     string   `json:"uri"`
	Default string   `json:"default"`
	Locales []string `json:"locales"`
}

// ownScheme begins the URIs that the mock itself serves; encode puts the
// server's own origin in its place.
const ownScheme = "mock://here"

// encode writes v as JSON; origin is "http://host:port".
func encode(v any, origin string) []byte {
	return bytes.ReplaceAll(plainjson.Encode(v), []byte(ownScheme), []byte(strings.Trim(string(encodeString(origin)), `"`)))
}

func encodeString(s string) []byte {
	b, _ := json.Marshal(s) // a string always encodes
	return b
}
