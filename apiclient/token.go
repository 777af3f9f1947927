package apiclient

import (
	"encoding/json"
	"math/big"
)

// FungibleToken is the metadata of a SIP-010 token. "" and nil mean not known.
type FungibleToken struct {
	Name   string `json:"name,omitempty"`
	Symbol string `json:"symbol,omitempty"`
	// Decimals is nil when it is not known.
	Decimals *int `json:"decimals,omitempty"`
	// TotalSupply is in the token's smallest unit, before Decimals is applied.
	TotalSupply *big.Int `json:"-"`
	// TotalSupplyText holds what came in place of a whole number, "" when one did.
	TotalSupplyText   string    `json:"-"`
	TokenURI          string    `json:"token_uri,omitempty"`
	Description       string    `json:"description,omitempty"`
	ImageURI          string    `json:"image_uri,omitempty"`
	ImageThumbnailURI string    `json:"image_thumbnail_uri,omitempty"`
	ImageCanonicalURI string    `json:"image_canonical_uri,omitempty"`
	TxID              string    `json:"tx_id"`
	SenderAddress     string    `json:"sender_address"`
	AssetIdentifier   string    `json:"asset_identifier"`
	Metadata          *Metadata `json:"metadata,omitempty"`
	// Extra holds the fields REST does not name, as they came.
	Extra map[string]json.RawMessage `json:",embed"`
}

// decodeFungible decodes a token.
func decodeFungible(body []byte) (FungibleToken, error) {
	t, err := decodeBut[FungibleToken](body)
	if err == nil {
		t.TotalSupply, t.TotalSupplyText, err = extractSupply(&t.Extra)
	}
	return t, err
}

// NonFungibleToken is the metadata of one SIP-009 token.
type NonFungibleToken struct {
	TokenURI string                     `json:"token_uri,omitempty"`
	Metadata *Metadata                  `json:"metadata,omitempty"`
	Extra    map[string]json.RawMessage `json:",embed"`
}

// Metadata is a token's SIP-016 document as the service indexed it.
type Metadata struct {
	// SIP is the number of the metadata standard; nil when not known.
	SIP                  *int        `json:"sip,omitempty"`
	Name                 string      `json:"name,omitempty"`
	Description          string      `json:"description,omitempty"`
	Image                string      `json:"image,omitempty"`
	CachedImage          string      `json:"cached_image,omitempty"`
	CachedThumbnailImage string      `json:"cached_thumbnail_image,omitempty"`
	Attributes           []Attribute `json:"attributes,omitempty"`
	// Properties are free: each value is any JSON.
	Properties   map[string]json.RawMessage `json:"properties,omitempty"`
	Localization *Localization              `json:"localization,omitempty"`
	Extra        map[string]json.RawMessage `json:",embed"`
}

// Attribute is one trait of a token; Value is any JSON.
type Attribute struct {
	TraitType   string                     `json:"trait_type"`
	DisplayType string                     `json:"display_type"`
	Value       json.RawMessage            `json:"value"`
	Extra       map[string]json.RawMessage `json:",embed"`
}

// Localization says in which locales a document exists.
type Localization struct {
	// URI is a template that holds the placeholder {locale}.
	URI     string                     `json:"uri"`
	Default string                     `json:"default"`
	Locales []string                   `json:"locales"`
	Extra   map[string]json.RawMessage `json:",embed"`
}
