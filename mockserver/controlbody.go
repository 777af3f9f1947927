package mockserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"

	"chainscope/mockserver/api"
	"chainscope/wallet/document"
)

// maxControlBody bounds the bodies of the control interface, in bytes.
const maxControlBody = 1 << 16

// jsonBody decodes a JSON body of the control interface; on false it has
// answered 400, 408 or 413. example is a body that would be right.
func jsonBody(x *api.Exchange, into any, example string) bool {
	body, ok := x.Body(maxControlBody)
	return ok && decodeBody(x, body, into, example)
}

// optionalBody is jsonBody for a body that may be empty.
func optionalBody(x *api.Exchange, into any, example string) bool {
	body, ok := x.Body(maxControlBody)
	return ok && (len(bytes.TrimSpace(body)) == 0 || decodeBody(x, body, into, example))
}

func decodeBody(x *api.Exchange, body []byte, into any, example string) bool {
	if err := document.JSON(body, into); err != nil {
		notJSON(x, example, err)
		return false
	}
	return true
}

// notJSON answers that a body could not be decoded.
func notJSON(x *api.Exchange, example string, err error) {
	x.Thrown(http.StatusBadRequest, "", "the body must be JSON such as "+example+": "+inWords(err))
}

// inWords says in plain words why a body could not be decoded.
func inWords(err error) string {
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
