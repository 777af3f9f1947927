package apiclient

import (
	"encoding/json"

	"chainscope/apiclient/internal/jsoncursor"
)

var (
	fungibleDecoder    = record(decodeFungible)
	nonFungibleDecoder = record(decodeNonFungible)
)

func decodeFungible(c *jsoncursor.Cursor, t *FungibleToken) {
	if !c.Object() {
		return
	}
	for {
		key, ok := c.Key()
		if !ok {
			return
		}
		switch key {
		case "name":
			t.Name = c.String()
		case "symbol":
			t.Symbol = c.String()
		case "decimals":
			t.Decimals = optionalInt(c)
		case "total_supply":
			t.TotalSupply, t.TotalSupplyText = supply(c)
		case "token_uri":
			t.TokenURI = c.String()
		case "description":
			t.Description = c.String()
		case "image_uri":
			t.ImageURI = c.String()
		case "image_thumbnail_uri":
			t.ImageThumbnailURI = c.String()
		case "image_canonical_uri":
			t.ImageCanonicalURI = c.String()
		case "tx_id":
			t.TxID = c.String()
		case "sender_address":
			t.SenderAddress = c.String()
		case "asset_identifier":
			t.AssetIdentifier = c.String()
		case "metadata":
			t.Metadata = metadata(c)
		default:
			keep(c, &t.Extra, key)
		}
	}
}

func decodeNonFungible(c *jsoncursor.Cursor, t *NonFungibleToken) {
	if !c.Object() {
		return
	}
	for {
		key, ok := c.Key()
		if !ok {
			return
		}
		switch key {
		case "token_uri":
			t.TokenURI = c.String()
		case "metadata":
			t.Metadata = metadata(c)
		default:
			keep(c, &t.Extra, key)
		}
	}
}

func metadata(c *jsoncursor.Cursor) *Metadata {
	if !c.Object() {
		return nil
	}
	m := &Metadata{}
	for {
		key, ok := c.Key()
		if !ok {
			return m
		}
		switch key {
		case "sip":
			m.SIP = optionalInt(c)
		case "name":
			m.Name = c.String()
		case "description":
			m.Description = c.String()
		case "image":
			m.Image = c.String()
		case "cached_image":
			m.CachedImage = c.String()
		case "cached_thumbnail_image":
			m.CachedThumbnailImage = c.String()
		case "attributes":
			m.Attributes = attributes(c)
		case "properties":
			m.Properties = properties(c)
		case "localization":
			m.Localization = localization(c)
		default:
			keep(c, &m.Extra, key)
		}
	}
}

func attributes(c *jsoncursor.Cursor) []Attribute {
	if !c.Array() {
		return nil
	}
	var out []Attribute
	for c.Item() {
		var a Attribute
		decodeAttribute(c, &a)
		out = append(out, a)
	}
	return out
}

func decodeAttribute(c *jsoncursor.Cursor, a *Attribute) {
	if !c.Object() {
		return
	}
	for {
		key, ok := c.Key()
		if !ok {
			return
		}
		switch key {
		case "trait_type":
			a.TraitType = c.String()
		case "display_type":
			a.DisplayType = c.String()
		case "value":
			a.Value = json.RawMessage(c.Skip())
		default:
			keep(c, &a.Extra, key)
		}
	}
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

func localization(c *jsoncursor.Cursor) *Localization {
	if !c.Object() {
		return nil
	}
	l := &Localization{}
	for {
		key, ok := c.Key()
		if !ok {
			return l
		}
		switch key {
		case "uri":
			l.URI = c.String()
		case "default":
			l.Default = c.String()
		case "locales":
			l.Locales = texts(c)
		default:
			keep(c, &l.Extra, key)
		}
	}
}
