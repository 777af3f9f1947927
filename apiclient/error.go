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

// Kind is what went wrong, in the words of the command line.
type Kind string

// The kinds of Error.
const (
	InvalidInput Kind = "invalid_input"
	NotFound     Kind = "not_found"
	// Gone is a route that the server has retired (status 410).
	Gone        Kind = "gone"
	InProgress  Kind = "in_progress"
	TokenError  Kind = "token_error"
	RateLimited Kind = "rate_limited"
	ServerFault Kind = "server"
	Offline     Kind = "offline"
	Timeout     Kind = "timeout"
	Decode      Kind = "decode"
	Canceled    Kind = "canceled"
)

// Error is the failure of a call. Its texts are partly the server's own and must
// be cleaned before they are written to a terminal.
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
	// Err is the cause. Its text is plain words; what Go or a library said is
	// behind it and in the exchange log.
	Err error
	// late reports whether the call's time ran out after this answer.
	late bool
}

// Detail returns what the server says to people: message when there is one, else
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
		b.WriteString(e.Op + ": ")
	}
	b.WriteString(e.reason())
	if e.Kind == Gone {
		b.WriteString("; the server has retired this route")
	}
	if e.late {
		b.WriteString(", and then no answer came in time")
	}
	if e.Attempts > 1 {
		fmt.Fprintf(&b, ", after %d attempts", e.Attempts)
	}
	if e.RetryAfter > 0 {
		b.WriteString("; try again in " + roughly(e.RetryAfter))
	}
	return b.String()
}

// reason says what went wrong, without the endpoint and what may be done.
func (e *Error) reason() string {
	switch {
	case e.Kind == Decode:
		return e.decodeReason()
	case e.Detail() != "":
		text := e.Detail()
		if e.ServerMessage != "" && e.Kind == TokenError {
			text += " (" + e.ServerError + ")"
		}
		if e.Status != 0 {
			text += fmt.Sprintf(" (status %d)", e.Status)
		}
		return text
	case e.Err != nil:
		return e.Err.Error()
	case e.Status != 0:
		return strings.TrimSpace(fmt.Sprintf("status %d %s", e.Status, http.StatusText(e.Status)))
	}
	return string(e.Kind)
}

func (e *Error) decodeReason() string {
	text := "cannot decode the answer"
	switch {
	case e.FieldPath != "":
		text += fmt.Sprintf(" at %s (byte %d)", e.FieldPath, e.BodyOffset)
	case e.BodyOffset > 0 && !errors.Is(e.Err, ErrTooLarge):
		text += fmt.Sprintf(" (byte %d)", e.BodyOffset)
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// roughly writes a wait in whole seconds, minutes or hours, rounded up.
func roughly(d time.Duration) string {
	for _, unit := range []struct {
		length time.Duration
		name   string
	}{{time.Hour, "h"}, {time.Minute, "min"}} {
		if d > 2*unit.length {
			return fmt.Sprintf("%d %s", (d+unit.length-1)/unit.length, unit.name)
		}
	}
	return fmt.Sprintf("%d s", (d+time.Second-1)/time.Second)
}

// Unwrap returns the cause, such as context.Canceled or a network error.
func (e *Error) Unwrap() error { return e.Err }

// KindOf returns the kind of the first Error in err's chain, Canceled or Timeout
// for a bare context error, and "" for nil and any other error.
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

// emptyBurnBlock is said of a burn block whose only blocks were replaced.
const emptyBurnBlock = "no block of this burn block is part of the chain"

// EmptyBurnBlock reports whether err is a server's answer that a burn block has no
// Stacks block. Any other 404 or a 410 says nothing about the burn block: a route
// may be unknown, retired or not recorded.
func EmptyBurnBlock(err error) bool {
	var e *Error
	if !errors.As(err, &e) || e.Status != http.StatusNotFound {
		return false
	}
	detail := e.Detail()
	return detail == "Burn block not found" || detail == emptyBurnBlock ||
		strings.HasPrefix(detail, "cannot find block by height") ||
		strings.HasPrefix(detail, "cannot find block by burn block hash")
}

// invalid returns the error of an input that is refused before anything is sent. It is
// called in many places, and too large to be there as often.
//
//go:noinline
func invalid(op string, err error) *Error {
	return &Error{Kind: InvalidInput, Op: op, Err: err}
}

// kindOfAnswer returns the kind of an error answer, by the body's error text
// first, then by the status.
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
	case http.StatusNotFound:
		return NotFound
	case http.StatusGone:
		return Gone
	case http.StatusTooManyRequests:
		return RateLimited
	}
	return ServerFault
}
