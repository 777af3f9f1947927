package jsonrpc

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Error is the error object of an envelope. It is also what the connection
// library rejects with, there called JsonRpcError.
//
// Message and Data may come from a page or a foreign wallet: they are untrusted
// and must be cleaned before they reach a terminal.
type Error struct {
	Code    int
	Message string
	Data    json.RawMessage // any JSON, nil when absent

	// NoMessage says that the wallet gave no message at all, which the
	// connection library keeps apart from an empty one.
	NoMessage bool
	// Cause holds what the provider failed with, when that was not an error
	// object. It never travels in an envelope.
	Cause error
}

// NewError returns an error with a formatted message.
func NewError(code int, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// InvalidParam returns an [InvalidParams] error that names the path of the
// param (as in recipients[0].amount) and says what would be right.
func InvalidParam(path, format string, args ...any) *Error {
	return &Error{Code: InvalidParams, Message: path + ": " + fmt.Sprintf(format, args...)}
}

// Error returns the text form of the connection library:
// "JsonRpcError (code): message", then ": " and the data if there is any.
func (e *Error) Error() string {
	message := e.Message
	if e.NoMessage {
		message = "undefined"
	}
	text := fmt.Sprintf("JsonRpcError (%d): %s", e.Code, message)
	if truthy(e.Data) {
		var compact bytes.Buffer
		if json.Compact(&compact, e.Data) == nil {
			text += ": " + compact.String()
		}
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// WithData returns a copy of the error that carries v as data. A value that
// cannot be encoded leaves the data out.
func (e *Error) WithData(v any) *Error {
	c := *e
	c.Data = nil
	if raw, err := json.Marshal(v); err == nil {
		c.Data = raw
	}
	return &c
}

type wireError struct {
	Code    int             `json:"code"`
	Message *string         `json:"message,omitempty"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// MarshalJSON writes {"code","message","data"}, data only when there is some.
func (e *Error) MarshalJSON() ([]byte, error) {
	w := wireError{Code: e.Code, Data: e.Data}
	if !e.NoMessage {
		w.Message = &e.Message
	}
	return json.Marshal(w)
}

// UnmarshalJSON reads an error object strictly: the code is an integer, the
// message a string.
func (e *Error) UnmarshalJSON(b []byte) error {
	var w wireError
	if err := json.Unmarshal(b, &w); err != nil {
		return err
	}
	*e = Error{Code: w.Code, Data: w.Data, NoMessage: w.Message == nil}
	if w.Message != nil {
		e.Message = *w.Message
	}
	return nil
}

// truthy reports whether JavaScript takes the JSON value for true.
func truthy(raw json.RawMessage) bool {
	switch string(bytes.TrimSpace(raw)) {
	case "", "null", "false", "0", "-0", `""`:
		return false
	}
	return true
}
