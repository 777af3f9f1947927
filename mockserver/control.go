package mockserver

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"

	"chainscope/mockserver/api"
	"chainscope/mockserver/fault"
	"chainscope/mockserver/world"
	"chainscope/wallet/document"
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

func (s *Server) controlRoutes() []api.Route {
	return append(s.commands(), []api.Route{
		{Method: "GET", Pattern: controlPrefix + "/catalog", Kind: api.ControlRoute, Handle: s.catalog},
		{Method: "GET", Pattern: controlPrefix + "/scenario", Kind: api.ControlRoute, Handle: s.readScenario},
		{Method: "PUT", Pattern: controlPrefix + "/scenario", Kind: api.ControlRoute, Handle: s.switchScenario},
		{Method: "POST", Pattern: controlPrefix + "/reset", Kind: api.ControlRoute, Handle: s.onChain(tipAfter((*world.World).Reset))},
		{Method: "GET", Pattern: controlPrefix + "/snapshot", Kind: api.ControlRoute, Handle: s.onChain(s.listSnapshots)},
		{Method: "POST", Pattern: controlPrefix + "/redo", Kind: api.ControlRoute, Handle: s.onChain(tipAfter((*world.World).Redo))},
		{Method: "POST", Pattern: controlPrefix + "/revert", Kind: api.ControlRoute, Handle: s.onChain(revert)},
		{Method: "GET", Pattern: controlPrefix + "/contracts", Kind: api.ControlRoute, Handle: s.onChain(listContracts)},
		{Method: "GET", Pattern: controlPrefix + "/undescribed", Kind: api.ControlRoute, Handle: s.onChain(listUndescribed)},
		{Method: "GET", Pattern: controlPrefix + "/impersonations", Kind: api.ControlRoute, Handle: s.onChain(listImpersonated)},
		{Method: "DELETE", Pattern: controlPrefix + "/impersonations", Kind: api.ControlRoute, Handle: s.onChain(endImpersonations)},
		{Method: "GET", Pattern: controlPrefix + "/worlds", Kind: api.ControlRoute, Handle: s.onChain(s.listWorlds)},
		{Method: "GET", Pattern: controlPrefix + "/fork", Kind: api.ControlRoute, Handle: s.readFork},
		{Method: "GET", Pattern: controlPrefix + "/requests", Kind: api.ControlRoute, Handle: listRequests},
		{Method: "GET", Pattern: controlPrefix + "/tx/{txid}/why", Kind: api.ControlRoute, Handle: api.ServeWhy},
		{Method: "GET", Pattern: controlPrefix + "/transactions/{id}/trace", Kind: api.ControlRoute, Handle: s.onChain(api.ServeTrace)},
		{Method: "POST", Pattern: controlPrefix + "/forecast", Kind: api.ControlRoute, Handle: s.onChain(api.ServeForecast)},
		{Method: "GET", Pattern: controlPrefix + "/openapi.json", Kind: api.ControlRoute, Handle: func(x *api.Exchange) {
			x.JSON(http.StatusOK, controlOpenAPI)
		}},
	}...)
}

func (s *Server) serveControl(x *api.Exchange) {
	h := x.W.Header()
	h["X-Mock-Scenario"] = []string{string(x.World.Faults.Scenario())}
	if !s.replaced() {
		h["X-Mock-Seed"] = s.seed
		s.writeClock(x)
	}
	if !fromLoopback(x.R) {
		x.Value(http.StatusForbidden, api.ErrorBody{Error: "Forbidden", Message: "the control interface answers clients on this machine only"})
		return
	}
	// A page cannot take the header away; without it, a browser says in
	// Sec-Fetch-Site that the request is a page's.
	if _, page := x.R.Header["Origin"]; page || http.NewCrossOriginProtection().Check(x.R) != nil {
		x.Value(http.StatusForbidden, api.ErrorBody{Error: "Forbidden", Message: "the control interface takes no request of a web page; call it without an Origin header"})
		return
	}
	if !s.control.Answer(x) {
		x.UnknownRoute()
	}
}

// replaced reports whether a tape or a live API answers in place of the mock chain.
func (s *Server) replaced() bool { return s.tape != nil || s.live != nil }

type scenarioBody struct {
	Scenario  fault.Scenario   `json:"scenario"`
	Scenarios []fault.Scenario `json:"scenarios"`
}

func (s *Server) readScenario(x *api.Exchange) {
	x.Value(http.StatusOK, scenarioBody{x.World.Faults.Scenario(), fault.Scenarios()})
}

func (s *Server) switchScenario(x *api.Exchange) {
	var requested struct {
		Scenario *string `json:"scenario"`
	}
	if !jsonBody(x, &requested, `{"scenario":"flaky"}`) {
		return
	}
	if requested.Scenario == nil || *requested.Scenario == "" {
		x.Thrown(http.StatusBadRequest, "", `body must have a "scenario", such as {"scenario":"flaky"}`)
		return
	}
	scenario, err := fault.ParseScenario(*requested.Scenario)
	if err != nil {
		x.Thrown(http.StatusBadRequest, "", err.Error())
		return
	}
	x.World.Faults.SetScenario(scenario)
	x.World.Ring()
	x.W.Header()["X-Mock-Scenario"] = []string{string(scenario)}
	s.readScenario(x)
}

type tipAnswer struct {
	Tip world.Tip `json:"tip"`
}

// onChain answers 404 where there is no chain to change.
func (s *Server) onChain(handle func(*api.Exchange)) func(*api.Exchange) {
	return func(x *api.Exchange) {
		if s.replaced() {
			x.Thrown(http.StatusNotFound, "", "this server replays or forwards; it has no mock chain to change")
			return
		}
		handle(x)
	}
}

// maxControlBody bounds the bodies of the control interface, in bytes.
const maxControlBody = 1 << 16

// jsonBody decodes a JSON body of the control interface; on false it has
// answered 400, 408 or 413. example is a body that would be right.
func jsonBody(x *api.Exchange, into any, example string) bool {
	body, ok := x.Body(maxControlBody)
	return ok && decodeBody(x, body, into, example)
}

// optionalBody is jsonBody for a body that may be empty.
func optionalBody(x *api.Exchange, into any, example string) bool {
	body, ok := x.Body(maxControlBody)
	return ok && (len(bytes.TrimSpace(body)) == 0 || decodeBody(x, body, into, example))
}

func decodeBody(x *api.Exchange, body []byte, into any, example string) bool {
	if err := document.JSON(body, into); err != nil {
		notJSON(x, example, err)
		return false
	}
	return true
}

// notJSON answers that a body could not be decoded.
func notJSON(x *api.Exchange, example string, err error) {
	x.Thrown(http.StatusBadRequest, "", "the body must be JSON such as "+example+": "+inWords(err))
}

// inWords says in plain words why a body could not be decoded.
func inWords(err error) string {
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF):
		return "it is empty"
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "it ends too early"
	case !errors.As(err, &wrong):
		return strings.TrimPrefix(err.Error(), "json: ")
	}
	wants := map[reflect.Kind]string{
		reflect.String: "a string", reflect.Bool: "true or false", reflect.Int64: "an integer",
		reflect.Map: "an object", reflect.Struct: "an object", reflect.Slice: "a list",
	}[wrong.Type.Kind()]
	if wants == "" {
		return "a value of it has another type"
	}
	return fmt.Sprintf("%s must be %s, not %s", strings.TrimSuffix("body/"+strings.ReplaceAll(strings.TrimPrefix(wrong.Field, "."), ".", "/"), "/"), wants, wrong.Value)
}
