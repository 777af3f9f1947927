package apiclient

import (
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/go-resty/resty/v2"

	"chainscope/apiclient/internal/jsoncursor"
)

// classify returns the error of an attempt, nil if its answer can be decoded, and
// reports whether a retry may help. It is not resty's SetError, which keeps no
// unknown keys of an error body and takes only JSON: pages of gateways are none.
func (k *call) classify(resp *resty.Response, err error) (failure *Error, again bool) {
	if err != nil {
		return k.classifyError(resp, err)
	}
	switch status := resp.StatusCode(); {
	case status >= http.StatusBadRequest:
		return k.refusal(resp), retryableStatus(status)
	case status == http.StatusNotModified && k.etag != "", status >= 200 && status <= 299:
		return nil, false
	default:
		e := k.newError(ServerFault, resp)
		e.Err = fmt.Errorf("unexpected status %d", status)
		return e, false
	}
}

func retryableStatus(status int) bool {
	switch status {
	case http.StatusTooManyRequests, http.StatusBadGateway,
		http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// newError returns an *Error with what is known of the call and its response,
// which may be nil.
func (k *call) newError(kind Kind, resp *resty.Response) *Error {
	const most = 4 << 10
	e := &Error{
		Kind: kind, Op: k.op, Method: http.MethodGet, URL: k.client.secrets.scrub(k.url),
		Attempts: k.attempt, ExchangeID: k.record.ex.ID,
	}
	if resp != nil {
		body := k.client.secrets.scrubBytes(resp.Body())
		e.Status = resp.StatusCode()
		e.Body = append([]byte(nil), body[:min(len(body), most)]...)
	}
	return e
}

// classifyError returns the error of an attempt that brought no whole answer.
func (k *call) classifyError(resp *resty.Response, err error) (failure *Error, again bool) {
	if resp != nil && resp.Request.Context().Err() != nil {
		return k.contextError(resp.Request.Context()), false
	}
	var closed *closedError
	switch {
	case errors.As(err, &closed):
		if k.last != nil && k.last.Kind == RateLimited {
			e := *k.last
			e.RetryAfter = closed.pause
			return &e, false
		}
		e := k.newError(RateLimited, nil)
		e.RetryAfter, e.Err = closed.pause, plain("the server asked to wait", err)
		return e, false
	case errors.Is(err, resty.ErrResponseBodyTooLarge):
		e := k.newError(Decode, resp)
		e.BodyOffset = k.client.opt.MaxBody
		e.Err = plain(fmt.Sprintf("it is larger than %s", byteSize(k.client.opt.MaxBody)), ErrTooLarge)
		return e, false
	}
	words, kind, again := explain(err, k.host())
	e := k.newError(kind, nil)
	e.Err = plain(words, scrubbed(k.client.secrets, err))
	return e, again
}

// host returns the server's name for messages.
func (k *call) host() string { return k.client.transport.home.Host }

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

// scrubbed returns err with its secrets masked.
func scrubbed(s secrets, err error) error {
	text := err.Error()
	if clean := s.scrub(text); clean != text {
		return errors.New(clean)
	}
	return err
}

// brokenEncoding reports whether a body could not be decompressed.
func brokenEncoding(err error) bool {
	var corrupt flate.CorruptInputError
	return errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum) || errors.As(err, &corrupt)
}

// brokenConnection reports whether a connection ended before the answer did.
func brokenConnection(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// refusal returns the error that a response with a status of 400 or more says.
func (k *call) refusal(resp *resty.Response) *Error {
	e := k.newError(ServerFault, resp)
	readErrorBody(string(k.client.secrets.scrubBytes(resp.Body())), e)
	e.Kind = kindOfAnswer(e.Status, e.ServerError)
	e.RetryAfter = retryAfter(resp.Header().Get("Retry-After"), k.client.opt.Now())
	return e
}

// readErrorBody fills in what an error body says. Error pages of gateways, which
// are no JSON objects, say nothing.
func readErrorBody(body string, e *Error) {
	c := jsoncursor.New(body)
	if !c.Here('{') || !c.Object() {
		return
	}
	for {
		key, ok := c.Key()
		if !ok {
			return
		}
		var text *string
		switch key {
		case "error":
			text = &e.ServerError
		case "message":
			text = &e.ServerMessage
		case "code":
			text = &e.Code
		}
		switch {
		case text != nil && c.Here('"'):
			*text = c.String()
		case text != nil && !c.Here('{') && !c.Here('['):
			if raw := c.Skip(); raw != "null" {
				*text = raw
			}
		default:
			collectUnknown(c, &e.Extra, key)
		}
	}
}

// decodeAnswer checks the content type of a response and decodes its body. It is
// not resty's SetResult, which says neither the path nor the byte of what is wrong
// and passes over answers of another type.
func decodeAnswer(k *call, resp *resty.Response, decode decoder[any]) (any, *Error) {
	if err := checkJSONType(resp.Header().Get("Content-Type")); err != nil {
		e := k.newError(Decode, resp)
		e.Err = err
		return nil, e
	}
	value, err := decode(k.record.text(resp.Body()))
	if err == nil {
		return value, nil
	}
	e := k.newError(Decode, resp)
	e.Err = err
	var where *jsoncursor.Error
	if errors.As(err, &where) {
		e.FieldPath, e.BodyOffset = where.Path, int64(where.Offset)
		e.Err = scrubbed(k.client.secrets, errors.New(where.Reason))
		if where.Offset >= len(resp.Body()) {
			e.Err = plain("it ends too early", fmt.Errorf("%w: %s", io.ErrUnexpectedEOF, where.Reason))
		}
	}
	return nil, e
}

// checkJSONType refuses content types other than JSON; a missing one passes.
func checkJSONType(s string) error {
	switch s {
	case "", "application/json", "application/json; charset=utf-8":
		return nil // nearly always
	}
	t, _, err := mime.ParseMediaType(s)
	if t == "application/json" || strings.HasSuffix(t, "+json") {
		return nil
	}
	if err != nil && t == "" {
		t = s
	}
	return fmt.Errorf("its content type is %q (want application/json)", short(t))
}
