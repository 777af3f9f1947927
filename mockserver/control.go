package mockserver

import (
	_ "embed"
	"net/http"
	"strings"

	"chainscope/mockserver/fault"
	"chainscope/mockserver/world"
)

// controlPrefix is the control interface. It is never faulted, has no CORS and
// answers clients on this machine only.
const controlPrefix = "/mock/v1"

// controlOpenAPI is the control interface as OpenAPI 3.
//
//go:embed control.openapi.json
var controlOpenAPI []byte

func isControl(path string) bool {
	return path == controlPrefix || strings.HasPrefix(path, controlPrefix+"/")
}

func (s *Server) controlRoutes() []route {
	return append(s.commands(), []route{
		{method: "GET", pattern: controlPrefix + "/catalog", kind: controlRoute, handle: s.catalog},
		{method: "GET", pattern: controlPrefix + "/scenario", kind: controlRoute, handle: s.readScenario},
		{method: "PUT", pattern: controlPrefix + "/scenario", kind: controlRoute, handle: s.switchScenario},
		{method: "POST", pattern: controlPrefix + "/reset", kind: controlRoute, handle: s.onChain(tipAfter((*world.World).Reset))},
		{method: "GET", pattern: controlPrefix + "/snapshot", kind: controlRoute, handle: s.onChain(listSnapshots)},
		{method: "POST", pattern: controlPrefix + "/redo", kind: controlRoute, handle: s.onChain(tipAfter((*world.World).Redo))},
		{method: "POST", pattern: controlPrefix + "/revert", kind: controlRoute, handle: s.onChain(revert)},
		{method: "GET", pattern: controlPrefix + "/contracts", kind: controlRoute, handle: s.onChain(listContracts)},
		{method: "GET", pattern: controlPrefix + "/undescribed", kind: controlRoute, handle: s.onChain(listUndescribed)},
		{method: "GET", pattern: controlPrefix + "/worlds", kind: controlRoute, handle: s.onChain(s.listWorlds)},
		{method: "GET", pattern: controlPrefix + "/requests", kind: controlRoute, handle: listRequests},
		{method: "GET", pattern: controlPrefix + "/tx/{txid}/why", kind: controlRoute, handle: serveWhy},
		{method: "GET", pattern: controlPrefix + "/transactions/{id}/trace", kind: controlRoute, handle: s.onChain(serveTrace)},
		{method: "POST", pattern: controlPrefix + "/forecast", kind: controlRoute, handle: s.onChain(serveForecast)},
		{method: "GET", pattern: controlPrefix + "/openapi.json", kind: controlRoute, handle: func(x *exchange) {
			x.json(http.StatusOK, controlOpenAPI)
		}},
	}...)
}

func (s *Server) serveControl(x *exchange) {
	h := x.w.Header()
	h["X-Mock-Scenario"] = []string{string(x.world.Faults.Scenario())}
	if !s.replaced() {
		h["X-Mock-Seed"] = s.seed
		s.writeClock(x)
	}
	if !fromLoopback(x.r) {
		x.value(http.StatusForbidden, bareBody{Error: "Forbidden", Message: "the control interface answers clients on this machine only"})
		return
	}
	// A page cannot take the header away; without it, a browser says that it asks
	// for a page in Sec-Fetch-Site.
	if _, page := x.r.Header["Origin"]; page || http.NewCrossOriginProtection().Check(x.r) != nil {
		x.value(http.StatusForbidden, bareBody{Error: "Forbidden", Message: "the control interface takes no request of a web page; call it without an Origin header"})
		return
	}
	if !s.control.answer(x) {
		x.unknownRoute()
	}
}

// replaced reports whether a tape or a live API answers in place of the mock chain.
func (s *Server) replaced() bool { return s.tape != nil || s.live != nil }

type scenarioBody struct {
	Scenario  fault.Scenario   `json:"scenario"`
	Scenarios []fault.Scenario `json:"scenarios"`
}

func (s *Server) readScenario(x *exchange) {
	x.value(http.StatusOK, scenarioBody{x.world.Faults.Scenario(), fault.Scenarios()})
}

func (s *Server) switchScenario(x *exchange) {
	var asked struct {
		Scenario *string `json:"scenario"`
	}
	if !jsonBody(x, &asked, `{"scenario":"flaky"}`) {
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
	x.world.Faults.SetScenario(scenario)
	x.world.Ring()
	x.w.Header()["X-Mock-Scenario"] = []string{string(scenario)}
	s.readScenario(x)
}

type tipAnswer struct {
	Tip world.Tip `json:"tip"`
}

// onChain answers 404 where there is no chain to change.
func (s *Server) onChain(handle func(*exchange)) func(*exchange) {
	return func(x *exchange) {
		if s.replaced() {
			x.thrown(http.StatusNotFound, "", "this server replays or forwards; it has no mock chain to change")
			return
		}
		handle(x)
	}
}
