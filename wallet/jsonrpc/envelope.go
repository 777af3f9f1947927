package jsonrpc

import (
	"bytes"
	"encoding/json"
	"errors"
	"unicode/utf8"
)

// Version is the value of every envelope's jsonrpc key.
const Version = "2.0"

// MaxRequestBytes bounds the text of one request. A contract source of the
// largest size (100 kB) and a PSBT of hundreds of inputs fit well.
const MaxRequestBytes = 4 << 20

// maxDepth bounds how deep the values of a request may nest.
const maxDepth = 256

// Request is the envelope of a request, as it is read.
type Request struct {
	ID     json.RawMessage // a string, a number or null; nil for a notification
	Method string
	Params json.RawMessage // an object or an array; nil when absent
}

// Response is the envelope that answers: with Error, or else with Result.
type Response struct {
	ID     json.RawMessage // nil is written as null
	Result json.RawMessage // nil is written as null
	Error  *Error
}

// ParseRequest reads one request strictly. The error is a [*Error] with
// [ParseError] or [InvalidRequest]; the returned request then holds the id if
// that much could be read, so that the refusal can carry it.
//
// Batches are refused: a wallet asks its user about one thing at a time.
func ParseRequest(text []byte) (Request, error) {
	if len(text) > MaxRequestBytes {
		return Request{}, NewError(InvalidRequest, "the request has %d bytes, at most %d are read", len(text), MaxRequestBytes)
	}
	if !utf8.Valid(text) {
		return Request{}, NewError(ParseError, "the request is not UTF-8")
	}
	if depth(text) > maxDepth {
		return Request{}, NewError(InvalidRequest, "the request nests deeper than %d levels", maxDepth)
	}
	if err := syntax(text); err != nil {
		return Request{}, err
	}
	if text = bytes.TrimSpace(text); text[0] == '[' {
		return Request{}, NewError(InvalidRequest, "batches are not taken, send one request object")
	} else if text[0] != '{' {
		return Request{}, NewError(InvalidRequest, "the request is not an object")
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return Request{}, NewError(ParseError, "the request is not JSON")
	}
	request := Request{}
	if id, there := members["id"]; there {
		if c := id[0]; c != '"' && c != '-' && (c < '0' || c > '9') && c != 'n' {
			return request, NewError(InvalidRequest, "id: must be a string, a number or null")
		}
		request.ID = id
	}
	if string(members["jsonrpc"]) != `"2.0"` {
		return request, NewError(InvalidRequest, `jsonrpc: must be "2.0"`)
	}
	method, there := members["method"]
	if !there {
		return request, NewError(InvalidRequest, "method: is missing")
	}
	if method[0] != '"' || json.Unmarshal(method, &request.Method) != nil || request.Method == "" {
		return request, NewError(InvalidRequest, "method: must be a string that is not empty")
	}
	if params, there := members["params"]; there && string(params) != "null" {
		if params[0] != '{' && params[0] != '[' {
			return request, NewError(InvalidRequest, "params: must be an object or an array")
		}
		request.Params = params
	}
	return request, nil
}

// MarshalJSON writes {"jsonrpc","id"} with either "result" or "error", never
// both: the connection library takes the mere key for an error.
func (r Response) MarshalJSON() ([]byte, error) {
	id := r.ID
	if id == nil {
		id = json.RawMessage("null")
	}
	if r.Error != nil {
		return json.Marshal(struct {
			Version string          `json:"jsonrpc"`
			ID      json.RawMessage `json:"id"`
			Error   *Error          `json:"error"`
		}{Version, id, r.Error})
	}
	result := r.Result
	if result == nil {
		result = json.RawMessage("null")
	}
	return json.Marshal(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Result  json.RawMessage `json:"result"`
	}{Version, id, result})
}

// Fail returns the response that carries err, which becomes an
// [InternalError] when it is not a [*Error].
func Fail(id json.RawMessage, err error) Response {
	var e *Error
	if !errors.As(err, &e) {
		e = &Error{Code: InternalError, Message: err.Error(), Cause: err}
	}
	return Response{ID: id, Error: e}
}

// syntax returns the [ParseError] of a text that is not one JSON value.
func syntax(text []byte) error {
	var value json.RawMessage
	err := json.Unmarshal(text, &value)
	if err == nil {
		return nil
	}
	if at, is := errors.AsType[*json.SyntaxError](err); is {
		return NewError(ParseError, "the request is not JSON: %s at byte %d", SyntaxWords(at), at.Offset)
	}
	return NewError(ParseError, "the request is not JSON")
}

// depth counts how deep objects and arrays nest in a JSON text.
func depth(text []byte) int {
	deepest, now := 0, 0
	inString := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			now++
			deepest = max(deepest, now)
		case c == '}' || c == ']':
			now--
		}
	}
	return deepest
}
