package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"chainscope/tui/text"
	"chainscope/wallet/jsonrpc"
)

// Kind is the kind of failure that ended a command. The words are fixed.
type Kind string

// The kinds of failure.
const (
	KindUnexpected   Kind = "unexpected"
	KindUsage        Kind = "usage"
	KindInvalidInput Kind = "invalid_input"
	KindNotFound     Kind = "not_found"
	KindGone         Kind = "gone"
	KindInProgress   Kind = "in_progress"
	KindTokenError   Kind = "token_error"
	KindRateLimited  Kind = "rate_limited"
	KindServer       Kind = "server"
	KindOffline      Kind = "offline"
	KindTimeout      Kind = "timeout"
	KindDecode       Kind = "decode"
	KindWallet       Kind = "wallet"
	KindCanceled     Kind = "canceled"
)

// ExitCode returns the exit code for a kind of failure.
func (k Kind) ExitCode() int {
	switch k {
	case KindUsage, KindInvalidInput:
		return 2
	case KindNotFound:
		return 3
	case KindInProgress:
		return 4
	case KindTokenError, KindRateLimited, KindServer, KindDecode, KindGone:
		return 5
	case KindOffline, KindTimeout:
		return 6
	case KindWallet:
		return 7
	case KindCanceled:
		return 130
	default:
		return 1
	}
}

// Error is the failure of a command: in words for people, and as the one JSON
// object that -o json prints.
type Error struct {
	Kind Kind
	// Message is raw text; it may contain what a server sent.
	Message string
	// Status is the HTTP status of the answer, 0 for none.
	Status int
	// RetryAfter is the wait that the server requested, 0 for none.
	RetryAfter time.Duration
	// Code is the API's text code or a wallet's number, nil for none.
	Code any
	// Data holds what a wallet error carries along, nil for none.
	Data json.RawMessage

	// Err is the cause of the failure, nil for none.
	Err error

	notices []string
	// Suggest makes a line that is right of the one that was typed, which it may be part of;
	// nil where none is known.
	Suggest Rewriting
}

func (e *Error) Error() string { return e.Message }

// Unwrap returns what caused the failure.
func (e *Error) Unwrap() error { return e.Err }

// ExitCode returns the exit code for the failure.
func (e *Error) ExitCode() int { return e.Kind.ExitCode() }

// Usagef returns an error of usage.
func Usagef(format string, args ...any) *Error {
	return &Error{Kind: KindUsage, Message: fmt.Sprintf(format, args...)}
}

// AsError converts any error into a command's failure.
func AsError(err error) *Error {
	var known *Error
	switch {
	case errors.As(err, &known):
		return known
	case errors.Is(err, context.Canceled):
		return &Error{Kind: KindCanceled, Message: "canceled", Err: err}
	}
	if e, ok := clientError(err); ok {
		return e
	}
	return &Error{Kind: KindUnexpected, Message: err.Error(), Err: err}
}

// write prints the failure: one JSON object, or a line for people. For them the right line,
// if one is known, comes last.
func (e *Error) write(w io.Writer, asJSON bool, right string) {
	if !asJSON {
		message := e.Message
		if e.Kind == KindRateLimited && e.RetryAfter > 0 {
			message += " (a longer --timeout waits for it)"
		}
		if e.Kind == KindWallet {
			message = walletWords(e)
		}
		if right != "" {
			message += "\ntry: " + right
		}
		// A message may have several lines of ours; each is cleaned by itself.
		for i, line := range strings.Split(message, "\n") {
			if i == 0 {
				line = "chainscope: " + line
			}
			fmt.Fprintln(w, text.Line(line))
		}
		return
	}
	var object struct {
		Error struct {
			Kind    Kind   `json:"kind"`
			Message string `json:"message"`
			Status  int    `json:"status,omitempty"`
			// RetryAfter is in whole seconds, rounded up.
			RetryAfter int64           `json:"retry_after,omitempty"`
			Code       any             `json:"code,omitempty"`
			Data       json.RawMessage `json:"data,omitempty"`
		} `json:"error"`
		Notices []string `json:"notices,omitempty"`
	}
	object.Error.Kind, object.Error.Message = e.Kind, e.Message
	object.Error.Status, object.Error.Code, object.Error.Data = e.Status, e.Code, e.Data
	object.Error.RetryAfter = int64((e.RetryAfter + time.Second - 1) / time.Second)
	object.Notices = e.notices
	if !writeObject(w, object) {
		fmt.Fprintf(w, `{"error":{"kind":%q,"message":"an error that cannot be written as JSON"}}`+"\n", e.Kind)
	}
}

// writeObject writes a line of JSON; it reports false when it cannot be JSON.
func writeObject(w io.Writer, object any) bool {
	line, err := json.Marshal(object)
	if err == nil {
		fmt.Fprintf(w, "%s\n", PlainJSON(line))
	}
	return err == nil
}

// walletWords returns a wallet's error for people: its message, code and data.
func walletWords(e *Error) string {
	words := strings.ReplaceAll(e.Message, "\n", " ")
	if code, ok := e.Code.(int); ok {
		name := jsonrpc.CodeName(code)
		if name != "" {
			name = ", " + name
		}
		words += fmt.Sprintf(" (wallet error %d%s)", code, name)
	}
	if len(e.Data) > 0 {
		words += "\n" + strings.ReplaceAll(string(e.Data), "\n", " ")
	}
	return words
}
