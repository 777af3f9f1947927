package tokens

import "strconv"

func nonFungible(deployer, name, asset string, tokens ...*token) *contract {
	return &contract{principal: deployer + "." + name, standard: sip009, asset: asset, tokens: tokens}
}

func nonFungibleContracts() []*contract {
	mosaic := nonFungible(lantern, "mosaic", "tile")
	for id := uint64(1); id <= 6; id++ {
		number := strconv.FormatUint(id, 10)
		mosaic.tokens = append(mosaic.tokens, &token{
			id: id, what: Plain, uri: "ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi/" + number + ".json",
			meta: (Metadata{
				SIP: 16, Name: "Mosaic #" + number, Description: "One tile of a floor of six.",
				Attributes: []Attribute{{"Row", "number", raw(strconv.FormatUint((id+1)/2, 10))}, {"Colour", "", raw(`"` + []string{"ochre", "teal", "rust"}[id%3] + `"`)}},
				Properties: raw(`{"collection":"Mosaic","total_supply":"7"}`),
			}).picture("mosaic-" + number),
		})
	}
	mosaic.tokens = append(mosaic.tokens, &token{
		id: 1<<53 - 1, what: Plain, uri: "https://tokens.example/mosaic/last.json",
		meta: &Metadata{SIP: 16, Name: "Mosaic, the last exact id"},
	})

	failing := nonFungible(recorded, "nft-invalid", "broken")
	for i, f := range tokenFailures {
		failing.tokens = append(failing.tokens, &token{id: uint64(i) + 1, what: Error, failure: f.failure})
	}

	return []*contract{
		nonFungible(recorded, "nft", "nft",
			&token{id: 1, what: Full, uri: "https://tokens.example/nft/1.json", meta: (Metadata{
				SIP: 16, Name: "Harbor Piece #1", Description: "Every field of the contract has a value here.",
				Attributes: everyKindOfAttribute(), Properties: everyKindOfProperty(),
				Localization: &Localization{URI: "https://tokens.example/nft/1.{locale}.json", Default: "en", Locales: []string{"en"}},
			}).picture("piece"), locales: []locale{{"en", (Metadata{
				SIP: 16, Name: "Harbor Piece #1", Description: "Every field of the contract has a value here.",
			}).picture("piece")}}},
			&token{id: 2, what: Minimal},
		),
		nonFungible(harbor, "harbor-lights", "light", localizedLight(1, "North Light"), localizedLight(2, "South Light")),
		nonFungible(rehearsal, "rehearsal-pass", "pass",
			&token{id: 1, what: Plain, uri: "https://tokens.example/pass/1.json", meta: &Metadata{SIP: 16, Name: "Rehearsal Pass #1"}},
		),
		mosaic,
		nonFungible(orchard, "bare-uri", "seed", &token{id: 1, what: Plain, uri: "ipfs://ipfs/QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG/1.json"}),
		nonFungible(recorded, "nft-pending", "pending", &token{
			id: 1, what: Pending, pending: true, uri: "https://tokens.example/nft-pending/1.json",
			meta: (Metadata{SIP: 16, Name: "Patience #1", Description: "Fetched five seconds after it was first asked for."}).picture("patience-1"),
		}),
		{principal: recorded + ".nft-notoken", standard: sip009, asset: "none", what: NoToken},
		failing,
		{principal: recorded + ".nft-ct-invalid", standard: sip009, asset: "broken", failure: failClarity, what: Error},
	}
}

func localizedLight(id uint64, english string) *token {
	number := strconv.FormatUint(id, 10)
	about := &Localization{URI: "https://tokens.example/lights/" + number + "/{locale}", Default: "en", Locales: []string{"en", "es-MX", "jp"}}
	texts := []string{english + ", the harbor's lamp.", "La lámpara del puerto.", "港の灯。"}
	names := []string{english, "Luz del Puerto #" + number, "灯台 #" + number}
	t := &token{id: id, what: Localized, uri: "https://tokens.example/lights/" + number}
	for i, code := range about.Locales {
		meta := (Metadata{
			SIP: 16, Name: names[i], Description: texts[i], Localization: about,
			Properties: raw(`{"collection":"Harbor Lights","total_supply":"2"}`),
		}).picture("light-" + number)
		t.locales = append(t.locales, locale{code, meta})
	}
	t.meta = t.locales[0].meta
	return t
}
