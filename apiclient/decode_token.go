package apiclient

import (
	"encoding/json"

	"chainscope/apiclient/internal/jsoncursor"
)

var (
	fungibleDecoder = newDecoder(requireObject(func(c *jsoncursor.Cursor, t *FungibleToken) {
		fungibleFields.decode(c, t, &t.Extra)
	}))
	nonFungibleDecoder = newDecoder(requireObject(func(c *jsoncursor.Cursor, t *NonFungibleToken) {
		nonFungibleFields.decode(c, t, &t.Extra)
	}))
)

var fungibleFields = fieldTable[FungibleToken]{
	{"name", func(c *jsoncursor.Cursor, t *FungibleToken) { t.Name = c.String() }},
	{"symbol", func(c *jsoncursor.Cursor, t *FungibleToken) { t.Symbol = c.String() }},
	{"decimals", func(c *jsoncursor.Cursor, t *FungibleToken) { t.Decimals = smallInt(c) }},
	{"total_supply", func(c *jsoncursor.Cursor, t *FungibleToken) { t.TotalSupply, t.TotalSupplyText = supply(c) }},
	{"token_uri", func(c *jsoncursor.Cursor, t *FungibleToken) { t.TokenURI = c.String() }},
	{"description", func(c *jsoncursor.Cursor, t *FungibleToken) { t.Description = c.String() }},
	{"image_uri", func(c *jsoncursor.Cursor, t *FungibleToken) { t.ImageURI = c.String() }},
	{"image_thumbnail_uri", func(c *jsoncursor.Cursor, t *FungibleToken) { t.ImageThumbnailURI = c.String() }},
	{"image_canonical_uri", func(c *jsoncursor.Cursor, t *FungibleToken) { t.ImageCanonicalURI = c.String() }},
	{"tx_id", func(c *jsoncursor.Cursor, t *FungibleToken) { t.TxID = c.String() }},
	{"sender_address", func(c *jsoncursor.Cursor, t *FungibleToken) { t.SenderAddress = c.String() }},
	{"asset_identifier", func(c *jsoncursor.Cursor, t *FungibleToken) { t.AssetIdentifier = c.String() }},
	{"metadata", func(c *jsoncursor.Cursor, t *FungibleToken) { t.Metadata = metadata(c) }},
}

var nonFungibleFields = fieldTable[NonFungibleToken]{
	{"token_uri", func(c *jsoncursor.Cursor, t *NonFungibleToken) { t.TokenURI = c.String() }},
	{"metadata", func(c *jsoncursor.Cursor, t *NonFungibleToken) { t.Metadata = metadata(c) }},
}

var metadataFields = fieldTable[Metadata]{
	{"sip", func(c *jsoncursor.Cursor, m *Metadata) { m.SIP = smallInt(c) }},
	{"name", func(c *jsoncursor.Cursor, m *Metadata) { m.Name = c.String() }},
	{"description", func(c *jsoncursor.Cursor, m *Metadata) { m.Description = c.String() }},
	{"image", func(c *jsoncursor.Cursor, m *Metadata) { m.Image = c.String() }},
	{"cached_image", func(c *jsoncursor.Cursor, m *Metadata) { m.CachedImage = c.String() }},
	{"cached_thumbnail_image", func(c *jsoncursor.Cursor, m *Metadata) { m.CachedThumbnailImage = c.String() }},
	{"attributes", func(c *jsoncursor.Cursor, m *Metadata) { m.Attributes = attributes(c) }},
	{"properties", func(c *jsoncursor.Cursor, m *Metadata) { m.Properties = properties(c) }},
	{"localization", func(c *jsoncursor.Cursor, m *Metadata) { m.Localization = localization(c) }},
}

var attributeFields = fieldTable[Attribute]{
	{"trait_type", func(c *jsoncursor.Cursor, a *Attribute) { a.TraitType = c.String() }},
	{"display_type", func(c *jsoncursor.Cursor, a *Attribute) { a.DisplayType = c.String() }},
	{"value", func(c *jsoncursor.Cursor, a *Attribute) { a.Value = json.RawMessage(c.Skip()) }},
}

var localizationFields = fieldTable[Localization]{
	{"uri", func(c *jsoncursor.Cursor, l *Localization) { l.URI = c.String() }},
	{"default", func(c *jsoncursor.Cursor, l *Localization) { l.Default = c.String() }},
	{"locales", func(c *jsoncursor.Cursor, l *Localization) { l.Locales = texts(c) }},
}

// metadata reads a token's metadata; null and "" are nil.
func metadata(c *jsoncursor.Cursor) *Metadata {
	if !c.Here('{') {
		c.Object() // unknown, or an error
		return nil
	}
	m := &Metadata{}
	metadataFields.decode(c, m, &m.Extra)
	return m
}

func attributes(c *jsoncursor.Cursor) []Attribute {
	if !c.Array() {
		return nil
	}
	var out []Attribute
	for c.Item() {
		var a Attribute
		attributeFields.decode(c, &a, &a.Extra)
		out = append(out, a)
	}
	return out
}

func properties(c *jsoncursor.Cursor) map[string]json.RawMessage {
	if !c.Object() {
		return nil
	}
	out := map[string]json.RawMessage{}
	for {
		key, ok := c.Key()
		if !ok {
			return out
		}
		out[key] = json.RawMessage(c.Skip())
	}
}

// localization reads the locales of a document; null and "" are nil.
func localization(c *jsoncursor.Cursor) *Localization {
	if !c.Here('{') {
		c.Object() // unknown, or an error
		return nil
	}
	l := &Localization{}
	localizationFields.decode(c, l, &l.Extra)
	return l
}
