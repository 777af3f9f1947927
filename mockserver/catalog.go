package mockserver

import (
	"net/http"

	"chainscope/mockserver/api"
	"chainscope/mockserver/chain"
	"chainscope/mockserver/tape"
	"chainscope/mockserver/tokens"
	"chainscope/mockserver/world"
)

// Namespace is a row of the catalogue's namespaces.
type Namespace struct {
	Name  string `json:"name"`
	Count int64  `json:"count"`
}

// catalogBody is the answer of GET /mock/v1/catalog. Upstream and Replay are
// absent on a pure mock: a wallet broadcasts only where both are.
type catalogBody struct {
	Seed       string           `json:"seed"`
	Tip        world.Tip        `json:"tip"`
	FT         []fungibleRow    `json:"ft"`
	NFT        []nftRow         `json:"nft"`
	Namespaces []Namespace      `json:"namespaces"`
	Heights    []chain.Landmark `json:"heights"`
	Upstream   string           `json:"upstream,omitempty"`
	Replay     string           `json:"replay,omitempty"`
}

type fungibleRow struct {
	Principal string      `json:"principal"`
	What      tokens.What `json:"what"`
	Locales   []string    `json:"locales"`
}

type nftRow struct {
	Principal string      `json:"principal"`
	TokenID   string      `json:"token_id"`
	Name      string      `json:"name,omitempty"`
	What      tokens.What `json:"what"`
	Locales   []string    `json:"locales"`
}

func (s *Server) catalog(x *api.Exchange) {
	body := catalogBody{
		Seed: s.seed[0], Upstream: s.cfg.Upstream, Replay: s.cfg.Replay,
		FT: []fungibleRow{}, NFT: []nftRow{}, Namespaces: []Namespace{}, Heights: []chain.Landmark{},
	}
	switch {
	case s.tape != nil:
		body.fromTape(s.tape.Contents())
	case s.fork != nil:
		state := x.World.State()
		body.Tip, body.Heights = state.Tip(), state.View.Landmarks()
	case s.live != nil:
		// What a live API holds is not known before a request.
	default:
		body.fromTokens(s.service.Tokens())
		state := x.World.State()
		body.Tip = state.Tip()
		for _, n := range s.service.Names.All() {
			body.Namespaces = append(body.Namespaces, Namespace{n.Name(), n.Count(false)})
		}
		body.Heights = state.View.Landmarks()
	}
	x.Value(http.StatusOK, body)
}

func (b *catalogBody) fromTokens(c *tokens.Catalogue) {
	for _, e := range c.Fungibles() {
		b.FT = append(b.FT, fungibleRow{e.Principal, e.What, e.Locales})
	}
	for _, e := range c.NonFungibles() {
		b.NFT = append(b.NFT, nftRow{e.Principal, e.TokenID, e.Name, e.What, e.Locales})
	}
}

// fromTape lists what was recorded, as far as the answers show.
func (b *catalogBody) fromTape(c tape.Contents) {
	b.Tip = world.Tip{Height: c.TipHeight, BurnHeight: c.TipBurnHeight}
	for _, t := range c.Tokens {
		if t.TokenID == "" {
			b.FT = append(b.FT, fungibleRow{t.Principal, tokens.Plain, t.Locales})
			continue
		}
		b.NFT = append(b.NFT, nftRow{t.Principal, t.TokenID, "", tokens.Plain, t.Locales})
	}
	for _, n := range c.Namespaces {
		b.Namespaces = append(b.Namespaces, Namespace{n.Name, n.Count})
	}
	for _, h := range c.Heights {
		b.Heights = append(b.Heights, chain.Landmark{Height: h.Height, BurnHeight: h.BurnHeight, What: "recorded"})
	}
}
