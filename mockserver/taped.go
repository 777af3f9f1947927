package mockserver

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"chainscope/mockserver/tape"
)

// notRecordedBody is the answer where a tape holds nothing. It keeps to the
// contract's error body and adds keys of its own.
type notRecordedBody struct {
	Error   string `json:"error"`
	Message string `json:"message"`
	Method  string `json:"method"`
	Path    string `json:"path"`
	Tape    string `json:"tape"`
	// Recorded names some requests that are on the tape, the most similar first.
	Recorded []string `json:"recorded"`
}

// maxNear bounds how many recorded requests notRecordedBody names.
const maxNear = 10

// tapeHeader describes what a replaying or recording server did: "replay", "joined"
// for a page that was put together from recorded ones, "not recorded", and
// "not kept" for an answer that could not be written.
const tapeHeader = "X-Mock-Tape"

// withoutMempool returns the routes that change something, on a server that
// replays or forwards: they are refused, since nothing is ever sent to a live API.
func (s *Server) withoutMempool() []route {
	gone := func(x *exchange) {
		source := "replays a recording"
		if s.live != nil {
			source = "is in front of a live API"
		}
		x.thrown(http.StatusGone, "", "this server "+source+" and takes no transactions; nothing was sent. Start a mock chain without --upstream and --replay")
	}
	return []route{{method: "POST", pattern: "/v2/transactions", handle: gone}}
}

// readingRoutes returns those that read with a POST, from a tape or a live API. What a
// client asks is in the body.
func (s *Server) readingRoutes() (all []route) {
	for _, r := range apiRoutes() {
		if r.method == http.MethodPost && (r.pattern == "/v2/fees/transaction" || strings.HasPrefix(r.pattern, "/v2/contracts/") || strings.HasPrefix(r.pattern, "/v2/map_entry/")) {
			all = append(all, route{method: r.method, pattern: r.pattern, handle: s.read})
		}
	}
	return all
}

// read answers a request that has a body of JSON.
func (s *Server) read(x *exchange) {
	body, ok := x.body(maxReadBody)
	if !ok {
		return
	}
	asked, err := tape.Asked(body)
	if err != nil {
		x.thrown(http.StatusBadRequest, "", err.Error())
		return
	}
	s.fromTape(x, asked)
}

// fromTape answers out of the recording or from the live API. asked is the body of the
// request, "" for none.
func (s *Server) fromTape(x *exchange, asked string) {
	if asked == "" && x.r.Method != http.MethodGet && x.r.Method != http.MethodHead {
		x.unknownRoute()
		return
	}
	if s.live != nil {
		s.forward(x, asked)
		return
	}
	e, ok := s.tape.Find(x.r.Method, x.r.URL, asked)
	if !ok {
		s.notRecorded(x)
		return
	}
	x.w.Header()[tapeHeader] = []string{"replay"}
	if e.Joined {
		x.w.Header()[tapeHeader] = []string{"joined"}
	}
	replay(x, e)
}

// toldNear is how many requests of the tape are named in a sentence.
const toldNear = 3

// notRecorded answers 404 and says what is on the tape instead.
func (s *Server) notRecorded(x *exchange) {
	target, near := x.target(), s.tape.Near(x.r.URL, maxNear)
	told := near[:min(len(near), toldNear)]
	message := "not on the tape " + s.tape.Dir() + "; recorded: " + strings.Join(told, ", ")
	if more := s.tape.Len() - len(told); more > 0 {
		message += " and " + strconv.Itoa(more) + " more"
	}
	x.w.Header()[tapeHeader] = []string{"not recorded"}
	x.value(http.StatusNotFound, notRecordedBody{
		Error: "Not recorded", Message: message, Method: x.r.Method, Path: target, Tape: s.tape.Dir(), Recorded: near,
	})
}

func (s *Server) forward(x *exchange, asked string) {
	e, err := s.live.Forward(x.r.Context(), x.r, asked)
	var unkept *tape.KeepError
	switch {
	case errors.As(err, &unkept):
		s.access.problem(err)
		x.w.Header().Set(tapeHeader, "not kept")
	case err != nil:
		x.thrown(http.StatusBadGateway, "", "the upstream gave "+err.Error())
		return
	}
	replay(x, e)
}

// replay writes a recorded answer with its own headers.
func replay(x *exchange, e *tape.Exchange) {
	h := x.w.Header()
	for name, values := range e.Header {
		h[name] = values
	}
	if etag := e.Header.Get("Etag"); etag != "" && e.Status == http.StatusOK && etagMatches(x.r.Header["If-None-Match"], etag) {
		x.w.WriteHeader(http.StatusNotModified)
		return
	}
	if e.Method == x.r.Method && e.Method != http.MethodHead || len(e.Body) > 0 {
		h["Content-Length"] = []string{strconv.Itoa(len(e.Body))}
	}
	x.w.WriteHeader(e.Status)
	if e.Status != http.StatusNoContent && e.Status != http.StatusNotModified {
		_, _ = x.w.Write(e.Body) // the client may have gone
	}
}
