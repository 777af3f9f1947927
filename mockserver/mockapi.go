package mockserver

import (
	"net/http"
	"strings"

	"chainscope/mockserver/chain"
	"chainscope/mockserver/fault"
	"chainscope/mockserver/tape"
	"chainscope/mockserver/tokens"
)

// controlPrefix is the control interface. It is never faulted, has no CORS and
// answers clients on this machine only.
const controlPrefix = "/mock/v1"

func isControl(path string) bool {
	return path == controlPrefix || strings.HasPrefix(path, controlPrefix+"/")
}

func (s *Server) controlRoutes() []route {
	return []route{
		{method: "GET", pattern: controlPrefix + "/catalog", kind: controlRoute, handle: s.catalog},
		{method: "GET", pattern: controlPrefix + "/scenario", kind: controlRoute, handle: s.readScenario},
		{method: "PUT", pattern: controlPrefix + "/scenario", kind: controlRoute, handle: s.switchScenario},
		{method: "POST", pattern: controlPrefix + "/mine", kind: controlRoute, handle: s.mine},
		{method: "POST", pattern: controlPrefix + "/reset", kind: controlRoute, handle: s.reset},
	}
}

func (s *Server) serveControl(x *exchange, path string) {
	h := x.w.Header()
	h["X-Mock-Scenario"] = []string{string(s.faults.Scenario())}
	if !s.replaced() {
		h["X-Mock-Seed"] = s.seed
	}
	if !fromLoopback(x.r) {
		x.value(http.StatusForbidden, bareBody{Error: "Forbidden", Message: "the control interface answers clients on this machine only"})
		return
	}
	if err := http.NewCrossOriginProtection().Check(x.r); err != nil {
		x.value(http.StatusForbidden, bareBody{Error: "Forbidden", Message: "the control interface takes no request of a web page"})
		return
	}
	if x.route, x.params = s.control.match(x.r.Method, path); x.route == nil {
		x.unknownRoute()
		return
	}
	x.route.handle(x)
}

// replaced reports whether a tape or a live API answers in place of the mock chain.
func (s *Server) replaced() bool { return s.tape != nil || s.live != nil }

// catalogBody is the answer of GET /mock/v1/catalog. Upstream and Replay are
// absent on a pure mock: a wallet broadcasts only where both are.
type catalogBody struct {
	Seed       string        `json:"seed"`
	Tip        tipBody       `json:"tip"`
	FT         []fungibleRow `json:"ft"`
	NFT        []nftRow      `json:"nft"`
	Namespaces []Namespace   `json:"namespaces"`
	Heights    []Landmark    `json:"heights"`
	Upstream   string        `json:"upstream,omitempty"`
	Replay     string        `json:"replay,omitempty"`
}

type tipBody struct {
	Height     int64 `json:"height"`
	BurnHeight int64 `json:"burn_height"`
}

type fungibleRow struct {
	Principal string      `json:"principal"`
	What      tokens.What `json:"what"`
	Locales   []string    `json:"locales"`
}

type nftRow struct {
	Principal string      `json:"principal"`
	TokenID   string      `json:"token_id"`
	What      tokens.What `json:"what"`
	Locales   []string    `json:"locales"`
}

func (s *Server) catalog(x *exchange) {
	body := catalogBody{
		Seed: s.seed[0], Upstream: s.cfg.Upstream, Replay: s.cfg.Replay,
		FT: []fungibleRow{}, NFT: []nftRow{}, Namespaces: []Namespace{}, Heights: []Landmark{},
	}
	switch {
	case s.tape != nil:
		body.fromTape(s.tape.Contents())
	case s.live != nil:
		// What a live API holds is not known before it was asked.
	default:
		body.fromTokens(s.tokens)
		if s.chain != nil {
			body.Tip = s.tip()
			body.Namespaces = append(body.Namespaces, s.chain.Namespaces()...)
			body.Heights = append(body.Heights, s.chain.Landmarks()...)
		}
	}
	x.value(http.StatusOK, body)
}

func (b *catalogBody) fromTokens(c *tokens.Catalogue) {
	for _, e := range c.Fungibles() {
		b.FT = append(b.FT, fungibleRow{e.Principal, e.What, e.Locales})
	}
	for _, e := range c.NonFungibles() {
		b.NFT = append(b.NFT, nftRow{e.Principal, e.TokenID, e.What, e.Locales})
	}
}

// fromTape lists what was recorded, as far as the answers tell.
func (b *catalogBody) fromTape(c tape.Contents) {
	b.Tip = tipBody{c.TipHeight, c.TipBurnHeight}
	for _, t := range c.Tokens {
		if t.TokenID == "" {
			b.FT = append(b.FT, fungibleRow{t.Principal, tokens.Plain, t.Locales})
			continue
		}
		b.NFT = append(b.NFT, nftRow{t.Principal, t.TokenID, tokens.Plain, t.Locales})
	}
	for _, n := range c.Namespaces {
		b.Namespaces = append(b.Namespaces, Namespace{n.Name, n.Count})
	}
	for _, h := range c.Heights {
		b.Heights = append(b.Heights, Landmark{h.Height, h.BurnHeight, "recorded"})
	}
}

func (s *Server) tip() tipBody {
	height, burn := s.chain.Tip()
	return tipBody{height, burn}
}

type scenarioBody struct {
	Scenario  fault.Scenario   `json:"scenario"`
	Scenarios []fault.Scenario `json:"scenarios"`
}

func (s *Server) readScenario(x *exchange) {
	x.value(http.StatusOK, scenarioBody{s.faults.Scenario(), fault.Scenarios()})
}

func (s *Server) switchScenario(x *exchange) {
	var asked struct {
		Scenario *string `json:"scenario"`
	}
	if !x.jsonBody(&asked, `{"scenario":"flaky"}`) {
		return
	}
	if asked.Scenario == nil || *asked.Scenario == "" {
		x.thrown(http.StatusBadRequest, "", `body must have a "scenario", such as {"scenario":"flaky"}`)
		return
	}
	scenario, err := fault.ParseScenario(*asked.Scenario)
	if err != nil {
		x.thrown(http.StatusBadRequest, "", err.Error())
		return
	}
	s.faults.SetScenario(scenario)
	x.w.Header()["X-Mock-Scenario"] = []string{string(scenario)}
	s.readScenario(x)
}

type tipAnswer struct {
	Tip tipBody `json:"tip"`
}

func (s *Server) mine(x *exchange) {
	if !x.hasChain() {
		return
	}
	var asked struct {
		Blocks *int64 `json:"blocks"`
	}
	if !x.jsonBody(&asked, `{"blocks":1}`) {
		return
	}
	if asked.Blocks == nil || *asked.Blocks < 1 || *asked.Blocks > chain.MaxMine {
		x.thrown(http.StatusBadRequest, "", `body/blocks must be an integer from 1 to 1000000, such as {"blocks":1}`)
		return
	}
	if err := s.chain.Mine(*asked.Blocks); err != nil {
		x.thrown(http.StatusBadRequest, "", err.Error())
		return
	}
	x.value(http.StatusOK, tipAnswer{s.tip()})
}

func (s *Server) reset(x *exchange) {
	if !x.hasChain() {
		return
	}
	s.chain.Reset()
	x.value(http.StatusOK, tipAnswer{s.tip()})
}

// hasChain answers 404 where there is no chain to change.
func (x *exchange) hasChain() bool {
	if x.s.chain != nil {
		return true
	}
	x.thrown(http.StatusNotFound, "", "this server replays or forwards; it has no mock chain to change")
	return false
}
