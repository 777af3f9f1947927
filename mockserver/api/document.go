package api

import (
	_ "embed"
	"encoding/json"
	"strings"

	"chainscope/mockserver/internal/plainjson"
)

// document is an OpenAPI document as far as it depends on the generation.
type document struct {
	OpenAPI    json.RawMessage                       `json:"openapi"`
	Info       json.RawMessage                       `json:"info"`
	Servers    json.RawMessage                       `json:"servers"`
	Tags       json.RawMessage                       `json:"tags"`
	Paths      map[string]map[string]json.RawMessage `json:"paths"`
	Components struct {
		Schemas map[string]json.RawMessage `json:"schemas"`
	} `json:"components"`
}

var pathParameter = shape(`\{[^}]*\}`)

// Document returns the document of what a generation serves: the contract and the
// routes beside it, without those that it does not know. Of a route that is switched
// off it says no more than that.
func Document(g Generation, table []Route) []byte {
	var doc document
	var more struct {
		Paths   map[string]map[string]json.RawMessage
		Schemas map[string]json.RawMessage
	}
	mustDecode(openAPI, &doc)
	mustDecode(generationsOpenAPI, &more)
	for name, s := range more.Schemas {
		doc.Components.Schemas[name] = s
	}
	for path, item := range more.Paths {
		doc.Paths[path] = item
	}
	lives := map[string]life{}
	for _, r := range table {
		lives[pathParameter().ReplaceAllString(r.Pattern, "{}")] = r.life
	}
	for path, item := range doc.Paths {
		l := lives[strings.TrimSuffix(pathParameter().ReplaceAllString(path, "{}"), "/")]
		switch in := l.in(g); {
		case in == never:
			delete(doc.Paths, path)
		case in != served:
			for method, operation := range item {
				item[method] = outdated(operation, in == gone)
			}
		}
	}
	if names := doc.Paths["/v1/namespaces/{tld}/names"]; g >= api9 {
		names["get"] = changed(names["get"], "400", `{"description":"A parameter has another form, or there is no such page or namespace.",`+
			`"content":{"application/json":{"schema":{"type":"object"}}}}`)
	}
	return plainjson.Encode(doc)
}

// changed gives an operation another response of a status.
func changed(operation json.RawMessage, status, response string) json.RawMessage {
	var o, responses map[string]json.RawMessage
	mustDecode(operation, &o)
	mustDecode(o["responses"], &responses)
	responses[status] = json.RawMessage(response)
	o["responses"] = plainjson.Encode(responses)
	return plainjson.Encode(o)
}

// outdated marks an operation, and leaves it only the answer 410 if it is gone.
func outdated(operation json.RawMessage, gone bool) json.RawMessage {
	var o map[string]json.RawMessage
	mustDecode(operation, &o)
	o["deprecated"] = json.RawMessage("true")
	if gone {
		o["responses"] = json.RawMessage(`{"410":{"description":"The route is switched off.","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Error"}}}},` +
			`"5XX":{"description":"The server failed, or a fault was requested.","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Error"}}}}}`)
	}
	return plainjson.Encode(o)
}

// mustDecode reads a part of the program's own documents.
func mustDecode(data []byte, into any) {
	if err := json.Unmarshal(data, into); err != nil {
		panic("api: decode the OpenAPI document: " + err.Error())
	}
}

var (
	// openAPI is the contract as OpenAPI 3.
	//go:embed openapi.json
	openAPI []byte
	// generationsOpenAPI are the paths and schemas of the routes beside the contract.
	//go:embed generations.openapi.json
	generationsOpenAPI []byte
)

// Contract returns the contract as an OpenAPI document. /openapi.json serves it with
// the routes that the version of the API has beside it. It must not be changed.
func Contract() []byte { return openAPI }
