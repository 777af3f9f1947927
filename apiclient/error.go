package apiclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Kind is what went wrong, in the command line's words.
type Kind string

// The kinds of Error.
const (
	InvalidInput Kind = "invalid_input"
	NotFound     Kind = "not_found"
	InProgress   Kind = "in_progress"
	TokenError   Kind = "token_error"
	RateLimited  Kind = "rate_limited"
	ServerFault  Kind = "server"
	Offline      Kind = "offline"
	Timeout      Kind = "timeout"
	Decode       Kind = "decode"
	Canceled     Kind = "canceled"
)

// Error is every failure of a call. Its texts are the server's own and not
// fit for a terminal before they are cleaned.
type Error struct {
	Kind Kind
	// Op names the endpoint, such as "blocks".
	Op          string
	Method, URL string
	// Status is the HTTP status, 0 when no answer came.
	Status int
	// ServerError, ServerMessage and Code are the keys error, message and code
	// of the body; Extra holds its other keys.
	ServerError, ServerMessage, Code string
	Extra                            map[string]json.RawMessage
	// RetryAfter is the wait the server asked for, 0 when it asked for none.
	RetryAfter time.Duration
	Attempts   int
	// FieldPath and BodyOffset say where a body could not be decoded: the path
	// of the field, such as results[3].height, and the byte, from 0.
	FieldPath  string
	BodyOffset int64
	// Body is the start of the answer's body, secrets masked.
	Body       []byte
	ExchangeID uint64
	Err        error
}

// Detail is what the server says to people: message when there is one, else
// error.
func (e *Error) Detail() string {
	if e.ServerMessage != "" {
		return e.ServerMessage
	}
	return e.ServerError
}

func (e *Error) Error() string {
	var b strings.Builder
	if e.Op != "" {
		b.WriteString(e.Op)
		b.WriteString(": ")
	}
	switch {
	case e.Kind == Decode:
		b.WriteString("cannot decode the answer")
		if e.FieldPath != "" {
			fmt.Fprintf(&b, " at %s", e.FieldPath)
		}
		fmt.Fprintf(&b, " (byte %d)", e.BodyOffset)
		if e.Err != nil {
			fmt.Fprintf(&b, ": %v", e.Err)
		}
	case e.Detail() != "":
		b.WriteString(e.Detail())
		if e.ServerMessage != "" && e.Kind == TokenError {
			fmt.Fprintf(&b, " (%s)", e.ServerError)
		}
		if e.Status != 0 {
			fmt.Fprintf(&b, " (status %d)", e.Status)
		}
	case e.Err != nil:
		b.WriteString(e.Err.Error())
	case e.Status != 0:
		fmt.Fprintf(&b, "status %d %s", e.Status, http.StatusText(e.Status))
	default:
		b.WriteString(string(e.Kind))
	}
	if e.Status == http.StatusGone {
		b.WriteString("; the server has switched this route off")
	}
	if e.Attempts > 1 {
		fmt.Fprintf(&b, ", after %d attempts", e.Attempts)
	}
	return b.String()
}

// Unwrap gives the cause, such as context.Canceled or a network error.
func (e *Error) Unwrap() error { return e.Err }

// KindOf is the kind of the first Error in err's chain; of a bare context
// error canceled or timeout; "" for nil and any other error.
func KindOf(err error) Kind {
	var e *Error
	switch {
	case errors.As(err, &e):
		return e.Kind
	case errors.Is(err, context.Canceled):
		return Canceled
	case errors.Is(err, context.DeadlineExceeded):
		return Timeout
	}
	return ""
}

// invalid is the error of an input that is refused before anything is sent.
func invalid(op string, err error) *Error {
	return &Error{Kind: InvalidInput, Op: op, Err: err}
}

// kindOfAnswer tells the kind of an error answer: first by the body's error
// text, then by the status.
func kindOfAnswer(status int, errorText string) Kind {
	switch errorText {
	case "Contract not found", "Token not found", "Locale not found", "No such namespace":
		return NotFound
	case "Token metadata fetch in progress":
		return InProgress
	case "Token error":
		return TokenError
	case "Invalid page":
		return InvalidInput
	}
	switch status {
	case http.StatusBadRequest:
		return InvalidInput
	case http.StatusNotFound, http.StatusGone:
		return NotFound
	case http.StatusTooManyRequests:
		return RateLimited
	}
	return ServerFault
}
