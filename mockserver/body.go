package mockserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"reflect"
	"strings"
	"time"

	"chainscope/mockserver/internal/plainjson"
)

// maxControlBody bounds the bodies of the control interface, in bytes.
const maxControlBody = 1 << 16

// limitBody gives the rest of the request's body a time limit. net/http reads a
// body that no handler read before it writes the answer, so the limit has to
// stand before the first byte of the answer is written.
func (x *exchange) limitBody() {
	if x.r.ContentLength != 0 {
		// A recorder of net/http/httptest has no connection to limit.
		_ = http.NewResponseController(x.w).SetReadDeadline(time.Now().Add(x.s.cfg.BodyTimeout))
	}
}

// body reads what was posted; on false it is answered, here with 400, 408 or 413.
func (x *exchange) body(limit int64) ([]byte, bool) {
	if x.answered {
		return nil, false
	}
	body, err := io.ReadAll(http.MaxBytesReader(x.w, x.r.Body, limit))
	var tooLarge *http.MaxBytesError
	switch {
	case err == nil:
		return body, true
	case errors.As(err, &tooLarge):
		x.thrown(http.StatusRequestEntityTooLarge, "", fmt.Sprintf("the body is larger than %d bytes", limit))
	case errors.Is(err, os.ErrDeadlineExceeded):
		// The deadline stays: what is left of the body is not waited for.
		x.w.Header()["Connection"] = []string{"close"}
		x.thrown(http.StatusRequestTimeout, "", fmt.Sprintf("the body did not arrive within %s", x.s.cfg.BodyTimeout))
	default:
		x.thrown(http.StatusBadRequest, "", "the body cannot be read: "+err.Error())
	}
	return nil, false
}

// jsonBody decodes a JSON body of the control interface; on false it has
// answered 400, 408 or 413. example is a body that would be right.
func (x *exchange) jsonBody(into any, example string) bool {
	body, ok := x.body(maxControlBody)
	return ok && x.decode(body, into, example)
}

// optionalBody is jsonBody for a body that may be empty.
func (x *exchange) optionalBody(into any, example string) bool {
	body, ok := x.body(maxControlBody)
	return ok && (len(bytes.TrimSpace(body)) == 0 || x.decode(body, into, example))
}

func (x *exchange) decode(body []byte, into any, example string) bool {
	if err := plainjson.Decode(body, into); err != nil {
		x.notJSON(example, err)
		return false
	}
	return true
}

// notJSON answers that a body could not be decoded.
func (x *exchange) notJSON(example string, err error) {
	x.thrown(http.StatusBadRequest, "", "the body must be JSON such as "+example+": "+notJSON(err))
}

// notJSON says in plain words why a body could not be decoded.
func notJSON(err error) string {
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF):
		return "it is empty"
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "it ends too early"
	case !errors.As(err, &wrong):
		return strings.TrimPrefix(err.Error(), "json: ")
	}
	wants := map[reflect.Kind]string{
		reflect.String: "a string", reflect.Bool: "true or false", reflect.Int64: "an integer",
		reflect.Map: "an object", reflect.Struct: "an object", reflect.Slice: "a list",
	}[wrong.Type.Kind()]
	if wants == "" {
		return "a value of it has another type"
	}
	return fmt.Sprintf("%s must be %s, not %s", strings.TrimSuffix("body/"+strings.ReplaceAll(strings.TrimPrefix(wrong.Field, "."), ".", "/"), "/"), wants, wrong.Value)
}
