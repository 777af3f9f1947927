package apiclient

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"chainscope/apiclient/wire"
)

// Kind holds what went wrong, in the words of the command line.
type Kind string

// The kinds of Error.
const (
	InvalidInput Kind = "invalid_input"
	NotFound     Kind = "not_found"
	// Gone is a route that the server has retired or never had, see RouteGone.
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
	// RetryAfter is the wait the server requested, 0 when it requested none.
	RetryAfter time.Duration
	Attempts   int
	// FieldPath and BodyOffset say where a body could not be decoded: the path
	// of the field, such as results[3].height, and the byte, from 0.
	FieldPath  string
	BodyOffset int64
	// Body is the start of the answer's body, secrets masked.
	Body       []byte
	ExchangeID uint64
	// Err is the cause. Its text is plain words; what Go or a library reported is
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
		b.WriteString("; " + e.Lacking())
	}
	if e.late {
		b.WriteString(", and then no answer came in time")
	}
	if e.Attempts > 1 {
		fmt.Fprintf(&b, ", after %d attempts", e.Attempts)
	}
	if e.RetryAfter > 0 {
		b.WriteString("; try again in " + wire.Roughly(e.RetryAfter))
	}
	return b.String()
}

// Service returns the part of the API that failed, "" for the API itself.
func (e *Error) Service() Service { return serviceOf(e.URL) }

// Lacking returns what a server does not serve that answered with Gone.
func (e *Error) Lacking() string {
	switch s := serviceOf(e.URL); {
	case s == NodeCalls:
		return "this API passes nothing on to a node"
	case s == NameRegistry:
		return "this API has no names"
	case s != "":
		return "this API has no " + string(s)
	case e.Status == http.StatusGone:
		return "the server has retired this route"
	}
	return "this API does not serve this route"
}

// reason returns what went wrong, without the endpoint and what may be done.
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

// Vacant returns the host and port of the URL where they are of this machine and no server
// listens there, "" otherwise.
func (e *Error) Vacant() string {
	u, err := url.Parse(e.URL)
	if err != nil || !errors.Is(e, syscall.ECONNREFUSED) || wire.OnNetwork(u) {
		return ""
	}
	return u.Host
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

// MayPass reports whether a call that failed with err may be answered when it is made
// again. A definite answer stays what it is: that there is no such block, that a route is
// retired, that an input is wrong or the call is not allowed, that a server does not do such a thing.
func MayPass(err error) bool {
	switch KindOf(err) {
	case NotFound, Gone, InvalidInput, TokenError, Canceled:
		return false
	case ServerFault:
		var e *Error
		return errors.As(err, &e) && (e.Status == 0 || e.Status >= http.StatusInternalServerError && e.Status != http.StatusNotImplemented)
	}
	return err != nil && !errors.Is(err, ErrTooLarge)
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

// invalid returns the error of an input that is refused before anything is sent.
func invalid(op string, err error) *Error {
	return &Error{Kind: InvalidInput, Op: op, Err: err}
}

// kindOfAnswer returns the kind of an error answer, by the body's error text
// first, then by the status.
func kindOfAnswer(status int, errorText string) Kind {
	return cmp.Or(kindsByText[errorText], kindsByStatus[status], ServerFault)
}

var kindsByText = map[string]Kind{
	"Contract not found": NotFound, "Token not found": NotFound, "Locale not found": NotFound, "No such namespace": NotFound,
	"Token metadata fetch in progress": InProgress, "Token error": TokenError, "Invalid page": InvalidInput,
}

var kindsByStatus = map[int]Kind{
	http.StatusBadRequest: InvalidInput, http.StatusNotFound: NotFound, http.StatusGone: Gone, http.StatusTooManyRequests: RateLimited,
}

// readErrorBody fills in what an error body says. Error pages of gateways, which
// are no JSON objects, say nothing.
func readErrorBody(body []byte, e *Error) {
	_ = jsonv2.Unmarshal(body, &e.Extra, lenient) // what comes before a fault counts
	for key, text := range map[string]*string{"error": &e.ServerError, "message": &e.ServerMessage, "code": &e.Code} {
		switch raw := jsontext.Value(e.Extra[key]); raw.Kind() {
		case '{', '[', jsontext.KindInvalid:
			continue
		case '"':
			_ = jsonv2.Unmarshal(raw, text, lenient)
		case 'n':
		default:
			*text = string(raw)
		}
		delete(e.Extra, key)
	}
}

// ErrTooLarge is the cause of an answer that was refused for its size. Nothing of
// its body is kept.
var ErrTooLarge = errors.New("the answer is too large")

// byteSize writes a number of bytes in the greatest unit that it fills.
func byteSize(n int64) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d bytes", n)
}
