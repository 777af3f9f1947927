package jsonrpc

import (
	"bytes"
	"encoding/json"
)

// Reply is a provider's answer as the connection library looks at it: jsonrpc
// and id are never checked, an error key counts whatever its value.
type Reply struct {
	// Absent: the provider answered with nothing (or with something that
	// JavaScript takes for false).
	Absent bool
	// Object: the answer has keys, so that error and result can be looked for.
	Object bool
	Result json.RawMessage // nil when the key is absent
	Error  json.RawMessage // the value of the error key; nil when the key is absent
	Text   json.RawMessage // the whole answer
}

// ParseReply reads an answer tolerantly. It fails only for a text that is not
// JSON, which no JavaScript provider can pass. No text at all is an absent
// answer.
func ParseReply(text json.RawMessage) (Reply, error) {
	text = bytes.TrimSpace(text)
	if len(text) == 0 {
		return Reply{Absent: true}, nil
	}
	if err := syntax(text); err != nil {
		return Reply{}, err
	}
	reply := Reply{Text: text}
	switch {
	case !truthy(text):
		reply.Absent = true
	case text[0] == '[':
		reply.Object = true // an array has neither key
	case text[0] == '{':
		reply.Object = true
		var members map[string]json.RawMessage
		if err := json.Unmarshal(text, &members); err != nil {
			return Reply{}, NewError(ParseError, "the reply is not JSON")
		}
		reply.Result = members["result"]
		reply.Error = members["error"]
	}
	return reply, nil
}
