package push

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"

	"chainscope/mockserver/internal/plainjson"
)

// rpc is JSON-RPC 2.0, as the library of the service reads it (jsonrpc-lite).
type rpc struct{}

func (rpc) kind() string { return "rpc" }

// The keys of answers are in the order of the real server.
type (
	success struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Result  any             `json:"result"`
	}
	failure struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   rpcError        `json:"error"`
	}
	rpcError struct {
		Message string `json:"message"`
		Code    int    `json:"code"`
		Data    any    `json:"data,omitempty"`
	}
	notification struct {
		Version string          `json:"jsonrpc"`
		Method  string          `json:"method"`
		Params  json.RawMessage `json:"params"`
	}
)

const rpcVersion = "2.0"

// The errors of JSON-RPC 2.0, section 5.1. Data that is nil or null is left out.
func refused(id json.RawMessage, message string, code int, data any) failure {
	if raw, is := data.(json.RawMessage); is && (raw == nil || string(raw) == "null") {
		data = nil
	}
	return failure{rpcVersion, id, rpcError{message, code, data}}
}

func parseError(text []byte) failure {
	return refused(null, "Parse error", -32700, string(text))
}

func invalidRequest(id json.RawMessage, data any) failure {
	return refused(id, "Invalid request", -32600, data)
}

func unknownMethod(id, method json.RawMessage) failure {
	return refused(id, "Method not found", -32601, method)
}

func invalidParams(id json.RawMessage, reason any) failure {
	return refused(id, "Invalid params", -32602, reason)
}

func internalError(data any) failure { return refused(null, "Internal error", -32603, data) }

var null = json.RawMessage("null")

func (rpc) frame(topic Topic, e Event) []byte {
	return encode(notification{rpcVersion, topic.Event, e.Params})
}

// answer carries out what a client sent and returns what to send back, nil for
// nothing. A batch is answered by a batch.
func (rpc) answer(c *Conn, text []byte) []byte {
	text = bytes.TrimSpace(text)
	var batch []json.RawMessage
	switch {
	case !json.Valid(text):
		return encode(parseError(text))
	case text[0] != '[':
		return encode(c.one(text))
	case json.Unmarshal(text, &batch) != nil || len(batch) == 0:
		return encode(invalidRequest(null, json.RawMessage(text)))
	}
	answers := []any{}
	for _, one := range batch {
		if a := c.one(one); a != nil {
			answers = append(answers, a)
		}
	}
	return encode(answers)
}

// rpcMessage are the members of a message that a client sent.
type rpcMessage map[string]json.RawMessage

func (m rpcMessage) has(name string) bool { _, has := m[name]; return has }

// text returns a member that is a text, "" where it is none.
func (m rpcMessage) text(name string) (s string) {
	_ = json.Unmarshal(m[name], &s) // anything else leaves it empty
	return s
}

// one carries out one message. A message without an id is not answered, and
// nothing is subscribed.
func (c *Conn) one(text json.RawMessage) any {
	var m rpcMessage
	if json.Unmarshal(text, &m) != nil || m.text("jsonrpc") != rpcVersion {
		return invalidRequest(null, text)
	}
	if !m.has("id") || m.has("method") {
		return c.request(m)
	}
	id, ok := idOf(m["id"])
	switch {
	case m.has("result") && ok:
		return invalidRequest(id, "unexpected success msg from client")
	case m.has("result"):
		return internalError(noID)
	case !m.has("error"):
		return invalidRequest(null, text)
	case !isError(m["error"]):
		return internalError(text)
	case string(m["id"]) == "null":
		return invalidRequest(null, "unexpected error msg from client")
	case !ok:
		return internalError(noID)
	}
	return invalidRequest(id, "unexpected error msg from client")
}

const noID = `"id" must be provided, a string or an integer.`

func (c *Conn) request(m rpcMessage) any {
	id, ok := idOf(m["id"])
	method, params := m.text("method"), m["params"]
	switch {
	case m.has("id") && !ok:
		return internalError(noID)
	case method == "":
		return unknownMethod(null, m["method"])
	case m.has("params") && params[0] != '{' && params[0] != '[':
		return invalidParams(null, params)
	case !m.has("id"):
		return nil
	case method != "subscribe" && method != "unsubscribe":
		return unknownMethod(id, nil)
	}
	topic, result, reason := parseTopic(params)
	if reason != "" {
		return invalidParams(id, reason)
	}
	c.hub.subscribe(c, topic, method == "subscribe")
	return success{rpcVersion, id, result}
}

// idOf returns an id as it is sent back. It reports false for what is neither a text nor a whole
// number.
func idOf(id json.RawMessage) (json.RawMessage, bool) {
	var text string
	if json.Unmarshal(id, &text) == nil {
		return id, text != ""
	}
	var n float64
	const most = 1<<53 - 1
	if json.Unmarshal(id, &n) != nil || n != math.Trunc(n) || math.Abs(n) > most {
		return null, false
	}
	return strconv.AppendFloat(nil, n, 'f', -1, 64), true
}

// isError reports whether a client's error has a message and a code.
func isError(raw json.RawMessage) bool {
	var e struct {
		Message *string
		Code    *float64
	}
	return json.Unmarshal(raw, &e) == nil && e.Message != nil && *e.Message != "" && e.Code != nil && *e.Code == math.Trunc(*e.Code)
}

// encode writes an answer; nil is none.
func encode(v any) []byte {
	if v == nil {
		return nil
	}
	return plainjson.Encode(v)
}
