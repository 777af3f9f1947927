package push

import (
	"bytes"
	"encoding/json"

	"chainscope/mockserver/internal/plainjson"
)

// request is a message of a client. Params is nil where it has none.
type request struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  *string         `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   json.RawMessage `json:"error"`
}

// The keys of answers stand in the order of the real server.
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

// The errors of JSON-RPC 2.0, section 5.1.
func parseError(text []byte) failure {
	return failure{rpcVersion, null, rpcError{"Parse error", -32700, string(text)}}
}

func invalidRequest(id json.RawMessage, data any) failure {
	return failure{rpcVersion, id, rpcError{"Invalid request", -32600, data}}
}

func unknownMethod(id json.RawMessage) failure {
	return failure{rpcVersion, id, rpcError{Message: "Method not found", Code: -32601}}
}

func invalidParams(id json.RawMessage, reason string) failure {
	return failure{rpcVersion, id, rpcError{"Invalid params", -32602, reason}}
}

var null = json.RawMessage("null")

// answer carries out what a client sent and returns what to send back, nil for
// nothing. A batch is answered by a batch.
func (c *Conn) answer(text []byte) []byte {
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
	var answers []any
	for _, one := range batch {
		if a := c.one(one); a != nil {
			answers = append(answers, a)
		}
	}
	if answers == nil {
		return nil
	}
	return encode(answers)
}

// one carries out one message. A message without an id is not answered, and
// nothing is subscribed.
func (c *Conn) one(text json.RawMessage) any {
	var r request
	if text[0] != '{' || json.Unmarshal(text, &r) != nil || r.Version != rpcVersion || !validID(r.ID) {
		return invalidRequest(null, text)
	}
	switch {
	case r.Method == nil && r.Result != nil:
		return invalidRequest(r.ID, "unexpected success msg from client")
	case r.Method == nil && r.Error != nil:
		return invalidRequest(r.ID, "unexpected error msg from client")
	case r.Method == nil:
		return invalidRequest(null, text)
	case r.ID == nil:
		return nil
	}
	if *r.Method != "subscribe" && *r.Method != "unsubscribe" {
		return unknownMethod(r.ID)
	}
	topic, result, reason := parseTopic(r.Params)
	if reason != "" {
		return invalidParams(r.ID, reason)
	}
	c.hub.subscribe(c, topic, *r.Method == "subscribe")
	return success{rpcVersion, r.ID, result}
}

// validID reports whether an id is absent, a number or a text.
func validID(id json.RawMessage) bool {
	return id == nil || id[0] == '"' || id[0] == '-' || '0' <= id[0] && id[0] <= '9'
}

// encode writes an answer; nil is none.
func encode(v any) []byte {
	if v == nil {
		return nil
	}
	return plainjson.Encode(v)
}
