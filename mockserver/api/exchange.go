package api

import (
	"net/http"
	"strconv"
	"strings"

	"chainscope/mockserver/internal/plainjson"
	"chainscope/mockserver/world"
)

// Exchange is one request and its answer. Handlers answer through its methods. The first
// answer is the answer: a method that reads a part of the request refuses what is wrong with
// it, and what a handler reads or answers after that has no effect. So a handler reads
// everything it needs and then looks once whether it is done.
type Exchange struct {
	Service *Service
	W       http.ResponseWriter
	R       *http.Request
	World   *world.World
	Base    string // "/w/NAME" in a world, else ""
	Path    string // escaped, without base
	Finish  func() // notes the request; for what continues after its answer

	route    *Route // nil where no route matched
	params   [maxParams]string
	answered bool // what comes after has no effect

	read         *transactions // what was read of the world, nil for nothing yet
	tagged       bool          // the validator of the route is set
	bareInvalid  bool          // what does not fit the schema is answered {}
	cacheControl string        // set by cached, else no-store
}

// jsonType is the content type of every JSON answer of the real services.
const jsonType = "application/json; charset=utf-8"

// The values of headers that never change, ready for the header map: building
// the slices per request would cost an allocation each.
var (
	jsonTypeHeader     = []string{jsonType}
	noStoreHeader      = []string{"no-store"}
	revalidateHeader   = []string{"public, no-cache, must-revalidate"}
	deprecationWarning = []string{`299 - "Deprecated: See https://docs.hiro.so/stacks/api for more information"`}
)

// Target returns the path and query as sent, without the prefix of a world.
func (x *Exchange) Target() string {
	target := strings.TrimPrefix(RequestTarget(x.R), x.Base)
	if target == "" || target[0] == '?' {
		return "/" + target
	}
	return target
}

// param returns the decoded path parameter at a position of the pattern, from 0.
func (x *Exchange) param(i int) string { return x.params[i] }

// cached sets the validator of the answer, which is sent with errors of the
// handler too. It reports true when it answered 304: the handler returns.
// etag is written with its quotes.
func (x *Exchange) cached(etag string) bool {
	h := x.W.Header()
	h["Etag"] = []string{etag}
	h["Cache-Control"] = revalidateHeader
	x.cacheControl = revalidateHeader[0]
	given := x.R.Header["If-None-Match"]
	if len(given) == 0 || !ETagMatches(given, etag) {
		return false
	}
	h["X-Api-Version"] = x.Service.version
	x.W.WriteHeader(http.StatusNotModified)
	x.answered = true
	return true
}

// ETagMatches compares weakly, as If-None-Match does (RFC 9110, 13.1.2).
func ETagMatches(given []string, etag string) bool {
	for _, line := range given {
		for one := range strings.SplitSeq(line, ",") {
			one = strings.TrimSpace(one)
			if one == "*" || strings.TrimPrefix(one, "W/") == strings.TrimPrefix(etag, "W/") {
				return true
			}
		}
	}
	return false
}

// JSON answers with a body that is JSON already.
func (x *Exchange) JSON(status int, body []byte) {
	if x.done() {
		return
	}
	h := x.W.Header()
	h["X-Api-Version"] = x.Service.version
	if x.read != nil && len(x.read.unsigned) > 0 {
		h[impersonatedHeader] = []string{strings.Join(x.read.unsigned, ", ")}
	}
	if x.cacheControl == "" {
		h["Cache-Control"] = noStoreHeader
	}
	x.Send(status, body)
}

func (x *Exchange) Send(status int, body []byte) {
	x.answered = true
	h := x.W.Header()
	h["Content-Type"] = jsonTypeHeader
	h["Content-Length"] = []string{strconv.Itoa(len(body))}
	x.W.WriteHeader(status)
	_, _ = x.W.Write(body) // the client may have gone; the error has no use
}

// Value answers with v as JSON.
func (x *Exchange) Value(status int, v any) { x.JSON(status, plainjson.Encode(v)) }

// The four shapes of error bodies; key order as on the wire.
type (
	validationBody struct {
		StatusCode int    `json:"statusCode"`
		Code       string `json:"code,omitempty"`
		Error      string `json:"error"`
		Message    string `json:"message"`
	}
	ErrorBody struct {
		Error   string `json:"error"`
		Message string `json:"message,omitempty"`
	}
	routeBody struct {
		Message    string `json:"message"`
		Error      string `json:"error"`
		StatusCode int    `json:"statusCode"`
	}
)

// invalid is shape A: the request does not fit the schema, such as
// "querystring/limit must be <= 30". It carries neither X-API-Version nor
// Cache-Control.
func (x *Exchange) invalid(message string) {
	if x.answered {
		return
	}
	code := "FST_ERR_VALIDATION"
	if x.route.Kind == tokenRoute {
		code = ""
	}
	h := x.W.Header()
	delete(h, "Etag")
	delete(h, "Cache-Control")
	if x.bareInvalid {
		x.Send(http.StatusBadRequest, []byte("{}"))
		return
	}
	x.Send(http.StatusBadRequest, plainjson.Encode(validationBody{400, code, http.StatusText(400), message}))
}

// RequestTarget returns the path and query of a request as they were sent.
func RequestTarget(r *http.Request) string {
	if r.RequestURI != "" {
		return r.RequestURI
	}
	return r.URL.RequestURI()
}

// maxHeaderBytes limits the first line and the headers of a request together,
// which bounds how many ids a query can have.
const maxHeaderBytes = 16 << 10

// headersTooLarge is the answer of the real service's HTTP server to longer ones.
var headersTooLarge = []byte(`{"error":"Request Header Fields Too Large","message":"Exceeded maximum allowed HTTP header size","statusCode":431}`)

// headerBytes returns the length of the first line and the headers of a request, but for a few
// bytes.
func headerBytes(r *http.Request) int {
	n := len(RequestTarget(r))
	for name, values := range r.Header {
		for _, value := range values {
			n += len(name) + len(value) + len(": \r\n")
		}
	}
	return n
}

// Thrown is shape B: the handler refused. code is "" but for a fault of the
// database, where it is the SQLSTATE.
func (x *Exchange) Thrown(status int, code, message string) {
	text := http.StatusText(status)
	if text == "" {
		text = "Status " + strconv.Itoa(status)
	}
	x.Value(status, validationBody{status, code, text, message})
}

// Bare is shape C: the detail is in error, and there is no other key.
func (x *Exchange) Bare(status int, text string) { x.Value(status, ErrorBody{Error: text}) }

// TokenError is shape D.
func (x *Exchange) TokenError(message string) {
	x.Value(http.StatusUnprocessableEntity, ErrorBody{Error: "Token error", Message: message})
}

// UnknownRoute is the answer where no route matches the path and the method.
func (x *Exchange) UnknownRoute() {
	x.Value(http.StatusNotFound, routeBody{"Route " + x.R.Method + ":" + x.Target() + " not found", http.StatusText(404), 404})
}
